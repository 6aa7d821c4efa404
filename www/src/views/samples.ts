import { Virtualizer, observeWindowOffset, observeWindowRect, windowScroll } from '@tanstack/virtual-core';
import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { Query, StoreController } from '../state/controllers';
import { NOT_JUDGED, count, goodness, lowerSign, lowerWords, mean, plural, signed } from '../state/format';
import { FocusFollower } from '../state/focus';
import { isFocusFree, isTyping, keyOf } from '../state/keys';
import { NO_FILTER, listOf, listText, queryOf, type Filter } from '../state/router';
import { Rows } from '../state/rows';
import type { Step } from '../state/state';
import { store } from '../state/store';
import { vars } from '../state/vars';
import { renderPer } from '../components/choices/per';
import { renderAbsent } from '../components/choices/choices';
import '../components/facets/facets';
import type { FilterChange, JurorFilterField } from '../components/filter-field/filter-field';
import '../components/filter-field/filter-field';
import { icon } from '../components/icon/icon';
import { nameStyles, renderId, renderName, renderTokens } from '../components/name/name';
import '../components/picture/picture';
import '../components/saved-views/saved-views';
import { unjudgedModels } from '../components/score-table/shape';
import type { CriterionInfo } from '../engine/types/CriterionInfo';
import type { Facet } from '../engine/types/Facet';
import type { SampleCell } from '../engine/types/SampleCell';
import type { SampleList } from '../engine/types/SampleList';
import type { SampleListRow } from '../engine/types/SampleListRow';
import type { SampleSort } from '../engine/types/SampleSort';
import type { SubsetScope } from '../engine/types/SubsetScope';
import { manualLink } from '../manual/link';
import { base, controls } from '../styles/base.styles';
import { styles } from './samples.styles';

/** Heights in the reader's text size: 7.5 rem are 120 pixels as browsers come. */
const ROW_REM = 7.5;
const PHONE_ROW_REM = 13;
const CARD_REM = 23.25;
/** A card is at least so wide. */
const CARD_WIDTH_PX = 300;
const GAP_PX = 12;

const remPx = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize);
const MAX_CELLS = 6;
const MAX_THUMBS = 2;
const MAX_LARGE = 3;
/** What is built in one frame: a card takes some milliseconds with its pictures, a row of the table about half as long. */
const PER_FRAME = { grid: 3, table: 4 };

const SORTS: [SampleSort, string][] = [
  ['index', 'Benchmark order'],
  ['score_asc', 'Lowest score first'],
  ['score_desc', 'Highest score first'],
  ['spread', 'Largest spread between models first'],
  ['disagreement', 'Largest disagreement between judges first'],
  ['difference', 'Difference between two models'],
  ['random', 'Random, by a seed'],
];

/** Where the list was left, so that coming back finds the same row. */
let left: { key: string; top: number; active: number } | null = null;

/**
 * @summary The samples that pass the filter, as a table or as pictures, of any length.
 */
@customElement('juror-samples')
export class JurorSamples extends LitElement {
  static override styles = [base, controls, nameStyles, styles];

  readonly #store = new StoreController(this);
  readonly #rows = new Rows(this);
  readonly #facets = new Query<Facet[]>(this);
  readonly #scopes = new Query<SubsetScope[]>(this);
  readonly #phone = matchMedia('(max-width: 760px)');
  /** Kept, because asking the media query makes the browser lay out; the virtualizer asks for every line. */
  #isPhone = this.#phone.matches;
  /** Pixels of 1 rem, kept for the same reason. */
  #rem = remPx();
  readonly #narrow = matchMedia('(max-width: 1100px)');
  protected readonly follower = new FocusFollower(this, '[data-testid="sample-row"]', (row) => row.getAttribute('data-id'));
  @state() private active = -1;
  @query('juror-filter-field') private field!: JurorFilterField;
  @query('.rows') private rows!: HTMLElement | null;
  #virtualizer: Virtualizer<Window, HTMLElement> | null = null;
  #unmount: (() => void) | null = null;
  #columns = 1;
  /** The update that comes is a step of scrolling, which moves nothing that would have to be measured. */
  #scrolls = false;
  #key = '';
  /** Rows that stand on the page. */
  #built = new Set<number>();
  #building = 0;
  #settling = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('keydown', this.#onKey);
    addEventListener('resize', this.#resized);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('keydown', this.#onKey);
    removeEventListener('resize', this.#resized);
    cancelAnimationFrame(this.#building);
    cancelAnimationFrame(this.#settling);
    this.#settling = 0;
    left = { key: this.#key, top: this.#virtualizer?.scrollOffset ?? 0, active: this.active };
    this.unmount();
  }

  private get filter(): Filter {
    const { place } = this.#store.state.route;
    return place.view === 'samples' ? place.filter : NO_FILTER;
  }

  protected override willUpdate(): void {
    const { engine, version, route } = this.#store.state;
    if (engine !== 'ready' || route.place.view !== 'samples' || version === 0) return;
    const { filter } = this;
    const { options } = route;
    const key = JSON.stringify([{ ...filter, cols: '' }, options]);
    if (key !== this.#key) {
      if (this.#key !== '') this.active = -1;
      this.#key = key;
    }
    // Before the lines are drawn, which would be drawn twice otherwise.
    if (this.#rows.head !== null) this.setLines(Math.ceil(this.#rows.head.listed / this.#columns));
    const seen = (this.#virtualizer?.range?.startIndex ?? 0) * this.#columns;
    this.#rows.ask(
      JSON.stringify([{ ...filter, look: '', cols: '' }, options]),
      version,
      (from, len, signal) => store.client.samples(queryOf(filter, options, { from, len }), signal),
      seen,
    );
    if (filter.sort === 'random') this.#scopes.ask(String(version), () => store.client.subsetScopes());
    this.#facets.ask(`${version} ${JSON.stringify([filter.q, options])}`, (signal) => store.client.facets(queryOf(filter, options), signal));
  }

  protected override updated(): void {
    const list = this.#rows.head;
    // An update may have been asked for just before the list was left.
    if (this.rows === null || list === null || !this.isConnected) {
      this.unmount();
      return;
    }
    if (this.#scrolls) {
      this.#scrolls = false;
      return;
    }
    const columns = this.columnsNow();
    if (columns !== this.#columns) {
      this.#columns = columns;
      this.requestUpdate();
    }
    if (this.#virtualizer === null) {
      this.mount(Math.ceil(list.listed / columns));
      return;
    }
    // Only the next frame lays the page out; to ask now would lay it out once more.
    this.#settling ||= requestAnimationFrame(() => this.settle());
  }

  /** Tells the virtualizer how many lines there are. */
  private setLines(lines: number): void {
    const { options } = this.#virtualizer ?? {};
    if (options !== undefined && options.count !== lines) this.#virtualizer?.setOptions({ ...options, count: lines });
  }

  /** Tells the virtualizer where the list begins, if what is above it has grown or shrunk. */
  private settle(): void {
    this.#settling = 0;
    if (this.#virtualizer === null || this.rows === null) return;
    const { options } = this.#virtualizer;
    const margin = this.margin();
    if (Math.abs(margin - options.scrollMargin) < 1) return;
    this.#virtualizer.setOptions({ ...options, scrollMargin: margin });
    this.#virtualizer.measure();
  }

  override render(): TemplateResult {
    const list = this.#rows.head;
    const { filter } = this;
    return html`<div class="top">
        <div class="titled"><h1>Samples</h1>${manualLink(this.#store.state.route, 'samples', 'find-samples')}</div>
        <juror-filter-field .client=${store.client} .state=${this.#store.state} .value=${filter.q} .fault=${list?.fault ?? null} @juror-filter=${this.onFilter}></juror-filter-field>
        ${this.renderOrder(list)}
        ${filter.sort === 'difference' && list !== null ? renderAbsent(this.#store.state, [filter.a, filter.b], list.models) : nothing}
      </div>
      ${this.#rows.error === null ? nothing : html`<p class="problem" role="alert">${icon('error')} ${this.#rows.error.message}</p>`}
      <div class="body">${this.renderFacets()}<div class="main">${this.isWaiting(list) || list === null ? this.renderWaiting() : this.renderList(list)}</div></div>`;
  }

  /** While files are still listed and read, no samples does not mean that there are none. */
  private isWaiting(list: SampleList | null): boolean {
    const { opening, reading } = this.#store.state;
    return list === null || (list.total === 0 && (opening !== '' || reading === 'reading' || this.#rows.pending));
  }

  private renderFacets(): TemplateResult {
    const facets = this.#facets.value ?? [];
    if (facets.length === 0) return html`<div class="side"></div>`;
    const own = html`<juror-facets .facets=${facets} @juror-filter=${this.onFilter}></juror-facets>`;
    if (!this.#narrow.matches) return html`<aside class="side" aria-label="Filter by value">${own}</aside>`;
    return html`<details class="side panel"><summary>Filter by value</summary>${own}</details>`;
  }

  private renderOrder(list: SampleList | null): TemplateResult {
    const { filter } = this;
    const judges = new Set(this.#store.state.overview?.models.flatMap((model) => model.judges) ?? []);
    const models = list?.models ?? [];
    const sorts = SORTS.filter(
      ([id]) => id === filter.sort || ((id !== 'disagreement' || judges.size > 1) && (!['difference', 'spread'].includes(id) || models.length > 1)),
    );
    return html`<div class="order" role="group" aria-label="Order and form">
      <select class="field" aria-label="Sort" data-testid="sort" @change=${(event: Event) => this.go({ sort: (event.target as HTMLSelectElement).value as SampleSort })}>
        ${sorts.map(([id, label]) => html`<option value=${id} ?selected=${id === filter.sort} .selected=${id === filter.sort}>${label}</option>`)}
      </select>
      ${['score_asc', 'score_desc', 'spread', 'difference'].includes(filter.sort) ? this.renderBy(filter.by) : nothing}
      ${filter.sort === 'difference' && list?.pair != null ? this.renderPair(models, list.pair) : nothing} ${filter.sort === 'random' ? this.renderRandom() : nothing}
      <span class="spacer"></span>
      ${this.renderPicker(models, list)}
      <fieldset class="segmented">
        <legend class="visually-hidden">Form</legend>
        ${(['table', 'grid'] as const).map(
          (look) =>
            html`<label>${icon(look === 'table' ? 'list' : 'picture', 16)}<span class="wide">&nbsp;${look === 'table' ? 'Table' : 'Pictures'}</span><input type="radio" name="look" aria-label=${look === 'table' ? 'Table' : 'Pictures'} .checked=${filter.look === look} @change=${() => this.go({ look })} /></label>`,
        )}
      </fieldset>
      <juror-saved-views .state=${this.#store.state}></juror-saved-views>
    </div>`;
  }

  /** The models that are shown: those picked, else those that the filter names and the first ones, as many as fit. */
  private shown(list: SampleList): number[] {
    const picked = listOf(this.filter.cols);
    const own = [...list.models.keys()].filter((at) => picked.includes(list.models[at] ?? ''));
    if (own.length > 0) return own;
    return [...new Set([...list.chosen, ...list.models.keys()])].slice(0, MAX_CELLS).sort((a, b) => a - b);
  }

  /** Which models stand beside each other, where there is a choice. */
  private renderPicker(models: string[], list: SampleList | null): TemplateResult | typeof nothing {
    if (list === null || models.length < 2) return nothing;
    const shown = this.shown(list);
    const pick = (at: number, on: boolean): void => {
      const next = [...models.keys()].filter((one) => (one === at ? on : shown.includes(one)));
      // The last one cannot be taken away.
      if (next.length > 0) this.go({ cols: listText(next.map((one) => models[one] ?? '')) });
      else this.requestUpdate();
    };
    return html`<button type="button" class="button" popovertarget="picker" data-testid="pick-models">Models: ${shown.length} of ${models.length}</button>
      <div id="picker" popover role="group" aria-label="Models shown" @toggle=${this.onPicker}>
        <p class="small muted">As many as you like; up to ${MAX_CELLS} fit side by side.</p>
        <ul>
          ${models.map((name, at) => html`<li><label><input type="checkbox" .checked=${shown.includes(at)} @change=${(event: Event) => pick(at, (event.target as HTMLInputElement).checked)} /> <bdi>${name}</bdi></label></li>`)}
        </ul>
        ${this.filter.cols === '' ? nothing : html`<button type="button" class="link small" @click=${() => this.go({ cols: '' })}>As usual</button>`}
      </div>`;
  }

  /** Opens below its button, within the window. */
  private onPicker(event: ToggleEvent): void {
    if (event.newState !== 'open') return;
    const popup = event.currentTarget as HTMLElement;
    const at = this.renderRoot.querySelector('[popovertarget="picker"]')?.getBoundingClientRect();
    if (at === undefined) return;
    popup.style.setProperty('left', `${Math.max(8, Math.min(at.left, innerWidth - popup.offsetWidth - 8))}px`);
    popup.style.setProperty('top', `${at.bottom + 6}px`);
  }

  /** What scores are of: the total, or one criterion. */
  private renderBy(by: string): TemplateResult | typeof nothing {
    const criteria = (this.#store.state.overview?.criteria ?? []).filter(({ id }) => id !== 'total');
    if (criteria.length === 0) return nothing;
    return html`<select class="field" aria-label="Criterion of the order" data-testid="sort-by" @change=${(event: Event) => this.go({ by: (event.target as HTMLSelectElement).value })}>
      <option value="" ?selected=${by === ''} .selected=${by === ''}>by the total</option>
      ${criteria.map((info) => html`<option value=${info.id} ?selected=${info.id === by} .selected=${info.id === by}>by ${info.short}${lowerSign(info)}</option>`)}
    </select>`;
  }

  private renderPair(models: string[], [first, second]: [number, number]): TemplateResult {
    const [a, b] = [models[first] ?? '', models[second] ?? ''];
    const select = (label: string, chosen: string, change: (name: string) => void): TemplateResult =>
      html`<select class="field" aria-label=${label} @change=${(event: Event) => change((event.target as HTMLSelectElement).value)}>
        ${models.map((name) => html`<option ?selected=${name === chosen} .selected=${name === chosen} value=${name}>${name}</option>`)}
      </select>`;
    return html`<span class="pair">${select('Model that is ahead', a, (name) => this.go({ a: name, b: name === b ? a : b }))}<span aria-hidden="true">−</span>${select('Model that is behind', b, (name) => this.go({ b: name, a: name === a ? b : a }))}
      <button type="button" class="button" @click=${() => this.go({ a: b, b: a })}>Swap</button></span>`;
  }

  private renderRandom(): TemplateResult {
    const { seed, n, per } = this.filter;
    const number = (event: Event): number => {
      const value = Number((event.target as HTMLInputElement).value);
      return Number.isInteger(value) && value >= 0 && value < 2 ** 32 ? value : 0;
    };
    return html`<span class="pair">
      <label>Sample of <input class="field number" type="number" min="0" placeholder="all" aria-label="Size of the random sample; empty for all" .value=${n === 0 ? '' : String(n)} @change=${(event: Event) => this.go({ n: number(event) })} /></label>
      ${renderPer(this.#scopes.value ?? [], per, n === 0, (next) => this.go({ per: next }))}
      <label>with seed <input class="field number" type="number" min="0" data-testid="seed" .value=${String(seed)} @change=${(event: Event) => this.go({ seed: number(event) })} /></label>
      <button type="button" class="button" @click=${() => this.go({ seed: seed + 1 })}>Next seed</button>
    </span>`;
  }

  private renderCount(list: SampleList): TemplateResult {
    const { filter } = this;
    const words = this.#store.state.overview?.benchmark?.words;
    const isLimited = list.listed < list.matched;
    return html`<p class="count" role="status">
      <span
        >${isLimited ? html`<b class="num">${count(list.listed)}</b> drawn at random${filter.per === '' ? '' : `, ${count(filter.n)} of each ${filter.per.replaceAll('_', ' ')},`} with seed ${filter.seed} from ` : nothing}<b class="num">${count(list.matched)}</b> of
        ${plural(list.total, words?.sample ?? 'sample', words?.samples)}</span
      >
      ${filter.q.trim() === '' ? nothing : html`<button type="button" class="link" @click=${this.clearFilter}>Clear the filter</button>`}
    </p>`;
  }

  private renderList(list: SampleList): TemplateResult {
    const isFaulty = list.fault !== null;
    if (list.listed === 0) {
      return html`${isFaulty ? nothing : this.renderCount(list)}
        <div class="empty panel">
          ${icon('search', 32)}
          <h2>${isFaulty ? 'The filter cannot be read' : list.total === 0 ? 'Nothing is open' : 'No sample passes this filter'}</h2>
          ${
            list.total === 0 && !isFaulty
              ? html`<p class="muted">Open a folder to see its samples.</p>`
              : html`<button type="button" class="button" @click=${this.clearFilter}>Clear the filter</button>`
          }
        </div>`;
    }
    const cells = this.shown(list);
    const isGrid = this.filter.look === 'grid';
    const lines = Math.ceil(list.listed / this.#columns);
    return html`${isFaulty ? nothing : this.renderCount(list)} ${renderJudges(list)}
      <div class="wide ${(this.#rows.row(0)?.id.length ?? 0) > 6 ? '' : 'short'}">${
        isGrid
          ? nothing
          : html`<div class="head" aria-hidden="true" ${vars({ '--cells': cells.length })}>
            <span>#</span><span>Data set</span><span>Instruction</span>${cells.map((at) => html`<span class="cell" title=${list.models[at] ?? ''}>${renderName(list.models[at] ?? '')}</span>`)}
          </div>`
      }
      <div class="rows ${isGrid ? 'grid' : 'panel'} ${isFaulty ? 'stale' : ''}" role="list" aria-label="Samples" aria-busy=${this.#rows.pending ? 'true' : nothing} ${vars({ '--cells': cells.length, '--columns': this.#columns })}>
        <div class="sizer" ${vars({ '--height': `${lines * this.linePx()}px` })}>${this.renderLines(list, cells)}</div>
      </div></div>`;
  }

  private renderLines(list: SampleList, cells: number[]): unknown {
    const items = this.#virtualizer?.getVirtualItems() ?? [];
    const lines = items.length > 0 ? items.map(({ index }) => index) : Array.from({ length: Math.min(8, list.listed) }, (_, at) => at);
    const indexes = lines
      .flatMap((line) => Array.from({ length: this.#columns }, (_, column) => line * this.#columns + column))
      .filter((index) => index < list.listed);
    this.build(indexes);
    return repeat(
      indexes,
      (index) => index,
      (index) => {
        const row = this.#built.has(index) ? this.#rows.row(index) : null;
        const place = vars({ '--top': `${Math.floor(index / this.#columns) * this.linePx()}px`, '--column': index % this.#columns });
        return html`<div class="slot" role="listitem" aria-posinset=${index + 1} aria-setsize=${list.listed} ${place}>
          ${row === null ? html`<span class="row loading" aria-label="Loading"></span>` : this.filter.look === 'grid' ? this.renderCard(row, index, list) : this.renderRow(row, index, list, cells)}
        </div>`;
      },
    );
  }

  /** Takes a few of the rows that are at hand and not on the page yet, those in sight first; the next frame takes others. */
  private build(indexes: number[]): void {
    const { startIndex = 0, endIndex = Infinity } = this.#virtualizer?.range ?? {};
    const isInSight = (index: number): boolean => index >= startIndex * this.#columns && index < (endIndex + 1) * this.#columns;
    const missing = indexes.filter((index) => !this.#built.has(index) && this.#rows.row(index) !== null);
    const next = [...missing.filter(isInSight), ...missing.filter((index) => !isInSight(index))].slice(0, PER_FRAME[this.filter.look]);
    this.#built = new Set([...indexes.filter((index) => this.#built.has(index)), ...next]);
    cancelAnimationFrame(this.#building);
    if (next.length === missing.length) return;
    this.#building = requestAnimationFrame(() => {
      // Alone, it moves nothing either.
      this.#scrolls = !this.isUpdatePending;
      this.requestUpdate();
    });
  }

  private href(row: SampleListRow): string {
    const { cols } = this.filter;
    return store.href({ view: 'sample', id: row.id, turn: null, models: cols === '' ? null : listOf(cols), filter: this.filter });
  }

  private renderRow(row: SampleListRow, index: number, list: SampleList, cells: number[]): TemplateResult {
    const more = row.pictures.length - MAX_THUMBS;
    const total = this.total();
    return html`<a class="row ${index === this.active ? 'active' : ''}" href=${this.href(row)} data-testid="sample-row" data-id=${row.id} data-index=${index} @focus=${() => (this.active = index)}>
      <span class="id num" dir="auto" title=${row.id}>${renderId(row.id)}</span>
      <span class="thumbs">
        ${row.pictures.slice(0, MAX_THUMBS).map((file, at) => html`<juror-picture .file=${file} alt="Picture ${at + 1} of ${row.id}"></juror-picture>`)}
        ${more > 0 ? html`<span class="more num">+${more}</span>` : nothing}
      </span>
      <span class="text">
        <span class="instruction" dir="auto">${renderTokens(row.instruction)}</span>
        <span class="chips">
          ${this.renderValue(row, list)}${row.category === '' || row.category === row.domain ? nothing : html`<span class="chip" dir="auto">${row.category}</span>`}${row.domain === '' || hasTask(row) ? nothing : html`<span class="chip" dir="auto">${row.domain}</span>`}
          <span class="muted small">${turnsOf(row)}</span>
        </span>
      </span>
      <span class="cells">${cells.map((at) => renderCell(row, row.cells[at], list.models[at] ?? '', this.scoreWords(row.cells[at], list.models[at] ?? ''), total, list.judges[at] ?? null))}</span>
    </a>`;
  }

  private renderCard(row: SampleListRow, index: number, list: SampleList): TemplateResult {
    const own =
      this.filter.cols === '' ? [...new Set([...list.chosen, ...(list.chosen.length < list.models.length ? [] : list.models.keys())])] : this.shown(list);
    const withOutput = own.filter((at) => row.cells[at]?.shown != null).slice(0, MAX_LARGE);
    const large = withOutput.map((at) => ({
      file: row.cells[at]?.shown ?? null,
      name: list.models[at] ?? '',
      cell: row.cells[at],
      judge: list.judges[at] ?? null,
    }));
    const references = large.length === 0 ? row.pictures.slice(0, MAX_LARGE) : [];
    return html`<a class="row card ${index === this.active ? 'active' : ''}" href=${this.href(row)} data-testid="sample-row" data-id=${row.id} data-index=${index} @focus=${() => (this.active = index)}>
      <span class="large" ${vars({ '--large': Math.max(1, large.length + references.length) })}>
        ${large.map(
          ({ file, name, cell, judge }) =>
            html`<span class="output"
              ><juror-picture .file=${file} alt="Output of ${name} for ${row.id}"></juror-picture
              ><span class="caption" title="${name}${byJudge(judge)}"><span class="name">${renderName(name)}</span><b class="num">${this.scoreWords(cell, name)}</b>${(cell?.incidents ?? 0) > 0 ? icon('warn', 14) : nothing}</span></span
            >`,
        )}
        ${references.map((file, at) => html`<juror-picture .file=${file} alt="Picture ${at + 1} of ${row.id}"></juror-picture>`)}
      </span>
      ${
        large.length === 0
          ? nothing
          : html`<span class="strip">${row.pictures.slice(0, 8).map((file, at) => html`<juror-picture .file=${file} alt="Picture ${at + 1} of ${row.id}"></juror-picture>`)}</span>`
      }
      <span class="instruction" dir="auto">${renderTokens(row.instruction)}</span>
      <span class="chips"><span class="muted small id num" dir="auto" title=${row.id}>${row.id}</span>${this.renderValue(row, list)}${row.domain === '' || hasTask(row) ? nothing : html`<span class="chip" dir="auto">${row.domain}</span>`}</span>
    </a>`;
  }

  /** The value that the list is sorted by: of several models their mean, which no column shows. */
  private renderValue({ value }: SampleListRow, list: SampleList): TemplateResult | typeof nothing {
    if (value === null) return nothing;
    const { sort, by } = this.filter;
    const chip = (words: string, title?: string): TemplateResult => html`<span class="chip accent num" title=${title ?? nothing}>${words}</span>`;
    if (sort === 'disagreement') return chip(`judges differ by ${mean(value, this.total())}`);
    const own = this.#store.state.overview?.criteria.find(({ id }) => id === by && id !== 'total');
    const info = own ?? this.total();
    // A sub-score comes on the judge's scale, the total as it is printed.
    const printed = value * (own?.scale ?? 1);
    if (sort.startsWith('score_')) {
      const of = list.chosen.length === 1 ? (list.models[list.chosen[0] ?? 0] ?? '') : `Mean of the ${list.chosen.length} models that have it`;
      return chip(`${info?.short ?? 'total'}${lowerSign(info)} ${mean(printed, info)}`, `${info?.label ?? 'Total'}${lowerWords(info)}: ${of}`);
    }
    if (sort === 'spread') return chip(`spread ${mean(printed, info)}`);
    if (sort === 'difference') return chip(signed(printed, info), `${list.models[list.pair?.[0] ?? 0] ?? ''} less ${list.models[list.pair?.[1] ?? 0] ?? ''}`);
    return nothing;
  }

  /** A cell's score, or that nobody has judged its model. */
  private scoreWords(cell: SampleCell | undefined, model: string): string {
    const { overview } = this.#store.state;
    const score = cell?.score ?? null;
    return score === null && overview !== null && unjudgedModels(overview).has(model) ? NOT_JUDGED : mean(score, this.total());
  }

  private total(): CriterionInfo | undefined {
    return this.#store.state.overview?.criteria.find(({ id }) => id === 'total');
  }

  private renderWaiting(): TemplateResult {
    const { opened, opening, engine, reading } = this.#store.state;
    if (engine === 'ready' && opened.length === 0 && opening === '' && reading !== 'reading') {
      return html`<div class="empty panel"><h2>Nothing is open</h2><p class="muted">Open a folder to see its samples.</p></div>`;
    }
    return html`<div class="panel waiting" aria-hidden="true">${Array.from({ length: 6 }, () => html`<span></span>`)}</div>`;
  }

  private columnsNow(): number {
    if (this.filter.look === 'table') return 1;
    const width = this.rows?.clientWidth ?? 0;
    return Math.max(1, Math.floor((width + GAP_PX) / (CARD_WIDTH_PX + GAP_PX)));
  }

  private linePx(): number {
    if (this.filter.look === 'grid') return CARD_REM * this.#rem + GAP_PX;
    return (this.#isPhone ? PHONE_ROW_REM : ROW_REM) * this.#rem;
  }

  private margin(): number {
    return (this.rows?.getBoundingClientRect().top ?? 0) + scrollY;
  }

  private mount(lines: number): void {
    this.#virtualizer = new Virtualizer<Window, HTMLElement>({
      count: lines,
      getScrollElement: () => window,
      estimateSize: () => this.linePx(),
      overscan: this.filter.look === 'grid' ? 2 : 4,
      scrollMargin: this.margin(),
      observeElementRect: observeWindowRect,
      observeElementOffset: observeWindowOffset,
      scrollToFn: windowScroll,
      initialRect: { width: innerWidth, height: innerHeight },
      onChange: (_, isScrolling) => {
        this.#scrolls = isScrolling;
        this.requestUpdate();
      },
    });
    this.#unmount = this.#virtualizer._didMount();
    this.#virtualizer._willUpdate();
    if (left?.key === this.#key) {
      const { top, active } = left;
      this.active = active;
      requestAnimationFrame(() => {
        scrollTo(0, top);
        // Who comes back by keys goes on from the row that was opened.
        if (active >= 0) void this.focusRow(active, isFocusFree);
      });
    } else if (left !== null) {
      scrollTo(0, 0);
    }
    left = null;
    this.requestUpdate();
  }

  private unmount(): void {
    this.#unmount?.();
    this.#unmount = null;
    this.#virtualizer = null;
  }

  readonly #resized = (): void => {
    this.#isPhone = this.#phone.matches;
    this.#rem = remPx();
    this.#virtualizer?.measure();
    this.requestUpdate();
  };

  /** The button goes with the filter; who pressed it by a key goes on in the field. */
  private async clearFilter(event: MouseEvent): Promise<void> {
    this.go({ q: '' });
    if (event.detail !== 0) return;
    await this.updateComplete;
    await this.field.updateComplete;
    this.field.focus();
  }

  private onFilter(event: FilterChange): void {
    this.go({ q: event.detail.q }, 'typed');
  }

  private go(part: Partial<Filter>, step: Step = 'push'): void {
    // A list of another form or order starts at its top, below the filter.
    if (scrollY > this.margin()) scrollTo(0, Math.max(0, this.margin() - 120));
    if (part.look !== undefined) {
      this.unmount();
      this.#built.clear();
    }
    store.go({ view: 'samples', filter: { ...this.filter, ...part } }, step);
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    if (event.key === '/') {
      event.preventDefault();
      this.field.focus();
      return;
    }
    const line = this.#columns;
    const step = { j: 1, ArrowDown: line, k: -1, ArrowUp: -line, ArrowRight: line > 1 ? 1 : 0, ArrowLeft: line > 1 ? -1 : 0 }[keyOf(event)] ?? 0;
    if (step !== 0) {
      event.preventDefault();
      void this.move(step);
    }
  };

  private async move(step: number): Promise<void> {
    const rows = this.#rows.head?.listed ?? 0;
    if (rows === 0) return;
    const next = this.active < 0 ? 0 : Math.min(rows - 1, Math.max(0, this.active + step));
    this.active = next;
    this.#virtualizer?.scrollToIndex(Math.floor(next / this.#columns), { align: 'auto' });
    await this.focusRow(next, () => true);
  }

  /** Focuses a row once it is on the page, if that is still wanted. */
  private async focusRow(index: number, isWanted: () => boolean): Promise<void> {
    // Its block may still be on its way.
    for (let tries = 0; tries < 20 && this.active === index && isWanted(); tries += 1) {
      await this.updateComplete;
      await new Promise(requestAnimationFrame);
      const row = this.renderRoot.querySelector<HTMLElement>(`[data-index="${index}"]`);
      if (row === null) continue;
      if (isWanted()) row.focus({ preventScroll: true });
      return;
    }
  }
}

/** Whether an id begins with its task, as ids do that are the same in several tasks. */
const hasTask = ({ id, domain }: SampleListRow): boolean => id.startsWith(`${domain}/`);

/** How many turns ask for what, unless there is but one. */
function turnsOf({ picture_turns, text_turns }: SampleListRow): string {
  if (picture_turns + text_turns < 2) return '';
  const parts = [picture_turns > 0 ? plural(picture_turns, 'picture turn') : '', text_turns > 0 ? plural(text_turns, 'text turn') : ''];
  return parts.filter((part) => part !== '').join(', ');
}

const judgeName = (judge: string): string => (judge === '' ? 'a judge not stated' : judge);
const byJudge = (judge: string | null): string => (judge === null ? '' : `, by ${judgeName(judge)}`);

/** Whose the scores are, where there is more than one judge. */
function renderJudges({ models, judges }: SampleList): TemplateResult | typeof nothing {
  const own = new Map<string, string[]>();
  for (const [at, judge] of judges.entries()) if (judge !== null) own.set(judge, [...(own.get(judge) ?? []), models[at] ?? '']);
  if (own.size === 0) return nothing;
  const [only] = own.keys();
  const words =
    own.size === 1
      ? `Scores by ${judgeName(only ?? '')}; other judges: choose one above.`
      : `Scores ${[...own].map(([judge, of]) => `of ${of.join(', ')} by ${judgeName(judge)}`).join('; ')}. One judge alone: choose it above.`;
  return html`<p class="muted small" data-testid="list-judges">${words}</p>`;
}

function renderCell(
  row: SampleListRow,
  cell: SampleCell | undefined,
  model: string,
  score: string,
  info: CriterionInfo | undefined,
  judge: string | null,
): TemplateResult {
  if (cell === undefined) return html`<span class="cell"></span>`;
  const partial = cell.scored < cell.expected;
  const words = `${model}: ${cell.score === null ? (score === NOT_JUDGED ? 'not judged' : 'no score') : `${score}${byJudge(judge)}`}, ${cell.scored} of ${cell.expected} replies, ${plural(cell.incidents, 'incident')}`;
  const value = vars({ '--v': cell.score === null ? 0 : goodness(cell.score, info) });
  return html`<span class="cell num" role="img" aria-label=${words} title=${words} ${value}
    >${row.cells.some(({ shown }) => shown !== null) ? html`<juror-picture .file=${cell.shown} alt="Output of ${model} for ${row.id}"></juror-picture>` : nothing}<span class="name">${renderName(model)}</span><span class="score ${cell.score === null ? 'muted' : ''} ${score === NOT_JUDGED ? 'words' : ''}">${score}</span
    ><span class="sub ${partial ? 'partial' : ''}">${cell.incidents > 0 ? icon('warn', 14) : nothing}<span>${cell.scored}/${cell.expected}</span> <span>replies</span></span></span
  >`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-samples': JurorSamples;
  }
}
