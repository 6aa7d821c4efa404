import { Virtualizer, observeWindowOffset, observeWindowRect, windowScroll } from '@tanstack/virtual-core';
import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { Query, StoreController } from '../app/controllers';
import { count, goodness, mean, plural } from '../app/format';
import { isTyping } from '../app/keys';
import { NO_FILTER, isUnfiltered, type Filter } from '../app/router';
import { store } from '../app/store';
import { vars } from '../app/vars';
import { icon } from '../components/icon/icon';
import '../components/picture/picture';
import type { CriterionInfo } from '../engine/types/CriterionInfo';
import type { SampleCell } from '../engine/types/SampleCell';
import type { SampleList } from '../engine/types/SampleList';
import type { SampleListRow } from '../engine/types/SampleListRow';
import { base, controls } from '../styles/base.styles';
import { styles } from './samples.styles';

const ROW_PX = 96;
const PHONE_ROW_PX = 148;
const MAX_CELLS = 6;
const MAX_THUMBS = 4;
const TYPING_MS = 180;

/** Where the list was left, so that coming back finds the same row. */
let left: { key: string; top: number; id: string } | null = null;

/**
 * @summary The samples that pass the filter, as a list of any length.
 */
@customElement('juror-samples')
export class JurorSamples extends LitElement {
  static override styles = [base, controls, styles];

  readonly #store = new StoreController(this);
  readonly #query = new Query<SampleList>(this);
  readonly #phone = matchMedia('(max-width: 760px)');
  @state() private active = -1;
  @query('.search') private search!: HTMLInputElement;
  @query('.rows') private rows!: HTMLElement | null;
  #virtualizer: Virtualizer<Window, HTMLElement> | null = null;
  #unmount: (() => void) | null = null;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #key = '';

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('keydown', this.#onKey);
    this.#phone.addEventListener('change', this.#resized);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('keydown', this.#onKey);
    this.#phone.removeEventListener('change', this.#resized);
    clearTimeout(this.#typing);
    const id = this.#query.value?.rows[this.active]?.id ?? '';
    left = { key: this.#key, top: this.#virtualizer?.scrollOffset ?? 0, id };
    this.#unmount?.();
    this.#unmount = null;
    this.#virtualizer = null;
  }

  private get filter(): Filter {
    const { place } = this.#store.state.route;
    return place.view === 'samples' ? place.filter : NO_FILTER;
  }

  protected override willUpdate(): void {
    const { engine, version, route } = this.#store.state;
    if (engine !== 'ready' || route.place.view !== 'samples' || version === 0) return;
    const { filter } = this;
    const key = JSON.stringify([filter, route.options]);
    if (key !== this.#key) {
      if (this.#key !== '') this.active = -1;
      this.#key = key;
    }
    this.#query.ask(`${version} ${key}`, (signal) => store.client.samples({ ...filter, options: route.options }, signal));
  }

  protected override updated(): void {
    const list = this.#query.value;
    if (this.rows === null || list === null) return;
    if (this.#virtualizer === null) {
      this.mount(list);
      return;
    }
    if (this.#virtualizer.options.count !== list.rows.length) {
      this.#virtualizer.setOptions({ ...this.#virtualizer.options, count: list.rows.length });
      this.#virtualizer.measure();
    }
  }

  override render(): TemplateResult {
    const list = this.#query.value;
    return html`<div class="top">
        <h1>Samples</h1>
        ${this.renderFilters()}
      </div>
      ${this.#query.error === null ? nothing : html`<p class="problem" role="alert">${icon('error')} ${this.#query.error.message}</p>`}
      ${list === null ? this.renderWaiting() : this.renderList(list)}`;
  }

  private renderFilters(): TemplateResult {
    const { filter } = this;
    const overview = this.#store.state.overview;
    const keys = (scope: string): string[] => overview?.scopes.find((one) => one.scope === scope)?.keys ?? [];
    const models = overview?.models.map(({ name }) => name) ?? [];
    const words = overview?.benchmark?.words;
    const domain = words?.domain ?? 'domain';
    const category = words?.category ?? 'category';
    const incidents: [string, string][] = [['any', 'Any incident'], ...(overview?.incidents ?? []).map(({ kind, label }): [string, string] => [kind, label])];
    return html`<div class="filters" role="search">
      <label class="searchbox">
        ${icon('search')}<span class="visually-hidden">Search instructions, answers, reasons, file names</span>
        <input
          class="field search"
          type="search"
          placeholder="Search instructions, answers, reasons…"
          aria-keyshortcuts="/"
          .value=${filter.text}
          @input=${this.onText}
        />
        <kbd aria-hidden="true">/</kbd>
      </label>
      ${keys('category').length < 2 ? nothing : this.renderSelect('category', `Any ${category}`, keys('category'))}
      ${keys('domain').length < 2 ? nothing : this.renderSelect('domain', `Any ${domain}`, keys('domain'))}
      ${this.renderSelect('incident', 'With or without incidents', incidents)} ${this.renderSelect('model', 'All models', models)}
      ${this.renderSelect('sort', '', [
        ['index', 'Benchmark order'],
        ['score_asc', 'Lowest score first'],
        ['score_desc', 'Highest score first'],
        ['spread', 'Largest spread between models first'],
      ])}
    </div>`;
  }

  private renderSelect(key: Exclude<keyof Filter, 'text'>, all: string, values: (string | [string, string])[]): TemplateResult {
    const chosen = this.filter[key];
    const pairs = values.map((value): [string, string] => (typeof value === 'string' ? [value, value] : value));
    if (chosen !== '' && !pairs.some(([id]) => id === chosen)) pairs.push([chosen, chosen]);
    return html`<select
      class="field ${chosen === NO_FILTER[key] ? '' : 'set'}"
      aria-label=${key === 'sort' ? 'Sort' : key}
      @change=${(event: Event) => this.go({ [key]: (event.target as HTMLSelectElement).value })}
    >
      ${all === '' ? nothing : html`<option value="" ?selected=${chosen === ''}>${all}</option>`}
      ${pairs.map(([id, label]) => html`<option value=${id} ?selected=${id === chosen}>${label}</option>`)}
    </select>`;
  }

  private renderList(list: SampleList): TemplateResult {
    const { filter } = this;
    const models = list.models.slice(0, MAX_CELLS);
    const chosen = list.models.indexOf(filter.model);
    const shown = chosen >= MAX_CELLS ? [...models.slice(0, MAX_CELLS - 1), filter.model] : models;
    const hidden = list.models.length - shown.length;
    return html`<p class="count" role="status">
        <span><b class="num">${count(list.rows.length)}</b> of ${plural(list.total, 'sample')}</span>
        ${hidden > 0 ? html`<span class="muted small">showing ${shown.length} of ${list.models.length} models</span>` : nothing}
        ${isUnfiltered(filter) ? nothing : html`<button type="button" class="link" @click=${() => store.go({ view: 'samples', filter: { ...NO_FILTER, sort: filter.sort } })}>Clear filters</button>`}
      </p>
      ${list.rows.length === 0
        ? html`<div class="empty panel">
            ${icon('search', 32)}
            <h2>No sample passes this filter</h2>
            ${isUnfiltered(filter) ? html`<p class="muted">No sample list was opened yet.</p>` : html`<button type="button" class="button" @click=${() => store.go({ view: 'samples', filter: NO_FILTER })}>Clear filters</button>`}
          </div>`
        : html`<div class="head" aria-hidden="true" ${vars({ '--cells': shown.length })}>
              <span>#</span><span>Pictures</span><span>Instruction</span>${shown.map((model) => html`<span class="cell" title=${model}>${model}</span>`)}
            </div>
            <div class="rows panel" role="list" aria-label="Samples" ${vars({ '--cells': shown.length })}>
              <div class="sizer" ${vars({ '--height': `${list.rows.length * this.rowPx()}px` })}>
                ${this.renderRows(list, shown.map((model) => list.models.indexOf(model)))}
              </div>
            </div>`}`;
  }

  private renderRows(list: SampleList, cells: number[]): unknown {
    const items = this.#virtualizer?.getVirtualItems() ?? [];
    const indexes = items.length > 0 ? items.map(({ index }) => index) : list.rows.slice(0, 12).map((_, index) => index);
    return repeat(
      indexes.filter((index) => index < list.rows.length),
      (index) => list.rows[index]?.id,
      (index) => {
        const row = list.rows[index];
        return row === undefined ? nothing : this.renderRow(row, index, list, cells);
      },
    );
  }

  private renderRow(row: SampleListRow, index: number, list: SampleList, cells: number[]): TemplateResult {
    const href = store.href({ view: 'sample', id: row.id, turn: null, models: null, filter: this.filter });
    const more = row.pictures.length - MAX_THUMBS;
    const total = this.#store.state.overview?.criteria.find(({ id }) => id === 'total');
    return html`<div class="slot" role="listitem" aria-posinset=${index + 1} aria-setsize=${list.rows.length} ${vars({ '--top': `${index * this.rowPx()}px` })}>
      <a class="row ${index === this.active ? 'active' : ''}" href=${href} data-testid="sample-row" data-id=${row.id} data-index=${index} @focus=${() => (this.active = index)}>
      <span class="id num" title=${row.id}>${row.id.startsWith(`${row.domain}/`) ? row.id.slice(row.domain.length + 1) : row.id}</span>
      <span class="thumbs">
        ${row.pictures.slice(0, MAX_THUMBS).map((file, at) => html`<juror-picture .file=${file} alt="Picture ${at + 1} of ${row.id}"></juror-picture>`)}
        ${more > 0 ? html`<span class="more num">+${more}</span>` : nothing}
      </span>
      <span class="text">
        <span class="instruction">${row.instruction}</span>
        <span class="chips">
          ${row.category === '' || row.category === row.domain ? nothing : html`<span class="chip">${row.category}</span>`}${row.domain === '' ? nothing : html`<span class="chip">${row.domain}</span>`}
          <span class="muted small"
            >${row.picture_turns + row.text_turns < 2 ? nothing : row.picture_turns > 0 ? plural(row.picture_turns, 'picture turn') : ''}${row.picture_turns > 0 && row.text_turns > 0 ? ', ' : ''}${row.text_turns > 0
              ? plural(row.text_turns, 'text turn')
              : ''}</span
          >
        </span>
      </span>
      <span class="cells">${cells.map((at) => renderCell(row.cells[at], list.models[at] ?? '', total))}</span>
      </a>
    </div>`;
  }

  private renderWaiting(): TemplateResult {
    const { opened, opening, engine } = this.#store.state;
    if (engine === 'ready' && opened.length === 0 && opening === '') {
      return html`<div class="empty panel"><h2>Nothing is open</h2><p class="muted">Open a folder to see its samples.</p></div>`;
    }
    return html`<div class="panel waiting" aria-hidden="true">${Array.from({ length: 6 }, () => html`<span></span>`)}</div>`;
  }

  private rowPx(): number {
    return this.#phone.matches ? PHONE_ROW_PX : ROW_PX;
  }

  private mount(list: SampleList): void {
    const margin = (this.rows?.getBoundingClientRect().top ?? 0) + scrollY;
    this.#virtualizer = new Virtualizer<Window, HTMLElement>({
      count: list.rows.length,
      getScrollElement: () => window,
      estimateSize: () => this.rowPx(),
      overscan: 6,
      scrollMargin: margin,
      observeElementRect: observeWindowRect,
      observeElementOffset: observeWindowOffset,
      scrollToFn: windowScroll,
      initialRect: { width: innerWidth, height: innerHeight },
      onChange: () => this.requestUpdate(),
    });
    this.#unmount = this.#virtualizer._didMount();
    this.#virtualizer._willUpdate();
    if (left?.key === this.#key) {
      const { top, id } = left;
      this.active = list.rows.findIndex((row) => row.id === id);
      requestAnimationFrame(() => scrollTo(0, top));
    } else {
      scrollTo(0, 0);
    }
    left = null;
    this.requestUpdate();
  }

  readonly #resized = (): void => {
    this.#virtualizer?.measure();
    this.requestUpdate();
  };

  private onText(event: Event): void {
    const { value } = event.target as HTMLInputElement;
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.go({ text: value }), TYPING_MS);
  }

  private go(part: Partial<Filter>): void {
    store.go({ view: 'samples', filter: { ...this.filter, ...part } }, 'replace');
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event)) {
      if (event.key === 'Escape' && event.composedPath()[0] === this.search) this.search.blur();
      return;
    }
    if (event.key === '/') {
      event.preventDefault();
      this.search.focus();
      this.search.select();
      return;
    }
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      void this.move(step);
    }
  };

  private async move(step: number): Promise<void> {
    const rows = this.#query.value?.rows.length ?? 0;
    if (rows === 0) return;
    const next = Math.min(rows - 1, Math.max(0, this.active + step));
    this.active = next;
    this.#virtualizer?.scrollToIndex(next, { align: 'auto' });
    await this.updateComplete;
    requestAnimationFrame(() => this.renderRoot.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus({ preventScroll: true }));
  }
}

function renderCell(cell: SampleCell | undefined, model: string, info: CriterionInfo | undefined): TemplateResult {
  if (cell === undefined) return html`<span class="cell"></span>`;
  const partial = cell.scored < cell.expected;
  const words = `${model}: ${cell.score === null ? 'no score' : mean(cell.score, info)}, ${cell.scored} of ${cell.expected} replies, ${plural(cell.incidents, 'incident')}`;
  return html`<span class="cell num" title=${words} ${vars({ '--v': cell.score === null ? 0 : goodness(cell.score, info) })}>
    <span class="name">${model}</span>
    <span class="score ${cell.score === null ? 'muted' : ''}">${mean(cell.score, info)}</span>
    <span class="sub ${partial ? 'partial' : ''}">${cell.scored}/${cell.expected}${cell.incidents > 0 ? html`${icon('warn', 14)}` : nothing}</span>
    <span class="visually-hidden">${words}</span>
  </span>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-samples': JurorSamples;
  }
}
