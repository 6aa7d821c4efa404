import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import { Query, StoreController } from '../app/controllers';
import { isTyping } from '../app/keys';
import { NO_FILTER, isUnfiltered, type Filter } from '../app/router';
import { store } from '../app/store';
import { icon } from '../components/icon/icon';
import '../components/input-dialog/input-dialog';
import type { JurorInputDialog } from '../components/input-dialog/input-dialog';
import { OpenPictures, type Slide } from '../components/lightbox/lightbox';
import '../components/picture/picture';
import '../components/request-dialog/request-dialog';
import type { JurorRequestDialog } from '../components/request-dialog/request-dialog';
import { AskRequest, TurnAction } from '../components/turn/turn';
import '../components/turn/turn';
import type { SampleList } from '../engine/types/SampleList';
import type { SampleView } from '../engine/types/SampleView';
import { base, controls } from '../styles/base.styles';
import { styles } from './sample.styles';

/** Models shown at first: more columns than fit help nobody. */
const FIRST_MODELS = 3;

interface SamplePlace {
  id: string;
  turn: number | null;
  models: string[] | null;
  filter: Filter;
}

/**
 * @summary One dialogue, turn by turn, with every chosen model's answers and verdicts.
 */
@customElement('juror-sample')
export class JurorSample extends LitElement {
  static override styles = [base, controls, styles];

  readonly #store = new StoreController(this);
  readonly #sample = new Query<SampleView>(this);
  readonly #list = new Query<SampleList>(this);
  @query('juror-request-dialog') private requestDialog!: JurorRequestDialog;
  @query('juror-input-dialog') private inputDialog!: JurorInputDialog;
  #scrolledTo = '';

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('keydown', this.#onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('keydown', this.#onKey);
  }

  private get place(): SamplePlace {
    const { place } = this.#store.state.route;
    return place.view === 'sample' ? place : { id: '', turn: null, models: null, filter: NO_FILTER };
  }

  protected override willUpdate(): void {
    const { engine, version, route } = this.#store.state;
    if (engine !== 'ready' || route.place.view !== 'sample' || version === 0) return;
    const { id, filter } = this.place;
    const { options } = route;
    this.#sample.ask(`${version} ${JSON.stringify([id, options])}`, (signal) => store.client.sample(id, options, signal));
    if (!isUnfiltered(filter) || filter.sort !== NO_FILTER.sort) {
      this.#list.ask(`${version} ${JSON.stringify([filter, options])}`, (signal) => store.client.samples({ ...filter, options }, signal));
    } else {
      this.#list.clear();
    }
  }

  protected override updated(): void {
    const { id, turn } = this.place;
    const sample = this.#sample.value;
    if (turn === null || sample?.id !== id) return;
    const goal = `${id} ${turn}`;
    if (this.#scrolledTo === goal) return;
    this.#scrolledTo = goal;
    requestAnimationFrame(() => this.renderRoot.querySelector(`[data-turn="${turn}"]`)?.scrollIntoView({ block: 'start' }));
  }

  override render(): TemplateResult {
    const sample = this.#sample.value;
    const { error } = this.#sample;
    if (error !== null) return this.renderError(error.code, error.message);
    if (sample === null) return html`<div class="waiting" aria-hidden="true"><span></span><span></span><span></span></div>`;
    const stale = sample.id !== this.place.id;
    const models = this.models(sample);
    return html`${this.renderHead(sample, models)}
      <div class="turns ${stale ? 'stale' : ''}" @juror-ask-request=${this.onRequest} @juror-ask-input=${this.onInput} @juror-copy-link=${this.onLink}>
        ${sample.turns.map(
          (turn) =>
            html`<juror-turn
              data-testid="turn"
              data-turn=${turn.index}
              .sample=${sample}
              .turn=${turn}
              .models=${models}
              .criteria=${this.#store.state.overview?.criteria ?? []}
              .requests=${this.#store.state.overview?.requests ?? []}
            ></juror-turn>`,
        )}
      </div>
      <juror-request-dialog></juror-request-dialog>
      <juror-input-dialog></juror-input-dialog>`;
  }

  private renderHead(sample: SampleView, shown: string[]): TemplateResult {
    const { previous, next, position } = this.neighbours(sample);
    const all = allModels(sample);
    return html`<div class="head">
      <div class="line">
        <a class="button quiet" href=${store.href({ view: 'samples', filter: this.place.filter })}>${icon('left')}Samples</a>
        <h1>Sample ${sample.id}</h1>
        ${[sample.category, sample.domain, ...sample.tags.map(([scope, key]) => `${scope}: ${key}`)].map((text) => (text === '' ? nothing : html`<span class="chip">${text}</span>`))}
        <span class="spacer"></span>
        <span class="muted num">${position}</span>
        <span class="steps">
          ${this.renderStep(previous, 'left', 'Previous sample (K)')} ${this.renderStep(next, 'right', 'Next sample (J)')}
          <button type="button" class="button icon" aria-label="Copy the address of this sample" title="Copy the address of this sample" @click=${() => this.copyLink(this.place.turn)}>${icon('link')}</button>
        </span>
      </div>
      ${all.length === 0
        ? nothing
        : html`<div class="models" role="group" aria-label="Models shown">
            ${all.map(
              (model, index) =>
                html`<button type="button" class="model" aria-pressed=${shown.includes(model)} @click=${() => this.toggle(sample, model)}>
                  ${index < 9 ? html`<kbd aria-hidden="true">${index + 1}</kbd>` : nothing}${model}
                </button>`,
            )}
          </div>`}
    </div>
    ${this.renderPictures(sample)}
    ${sample.details.length === 0
      ? nothing
      : html`<dl class="details panel">
          ${sample.details.map(([label, text]) => html`<div><dt>${label}</dt><dd>${text}</dd></div>`)}
        </dl>`}`;
  }

  private renderStep(id: string | null, which: 'left' | 'right', label: string): TemplateResult {
    if (id === null) return html`<button type="button" class="button icon" disabled aria-label=${label}>${icon(which)}</button>`;
    return html`<a class="button icon" href=${store.href({ ...this.place, view: 'sample', id, turn: null })} aria-label=${label} title=${label}>${icon(which)}</a>`;
  }

  private renderPictures(sample: SampleView): TemplateResult {
    return html`<ol class="pictures" aria-label="Pictures of the data set">
      ${sample.pictures.map(
        (picture, index) =>
          html`<li>
            <button type="button" ?disabled=${picture.file === null} aria-label="Open ${picture.label}" title=${picture.problem || picture.path} @click=${() => this.openPicture(sample, index)}>
              <juror-picture .file=${picture.file} alt="${picture.label} of the data set"></juror-picture>
            </button>
            <span class="small"><b>${picture.label.replace(/^Image #/, '#')}</b> <span class="muted">${picture.produced_by === null ? 'input' : sample.turns.length === 1 ? 'answer' : `turn ${picture.produced_by}`}</span></span>
            ${picture.problem === '' ? nothing : html`<span class="small bad">${picture.problem}</span>`}
          </li>`,
      )}
    </ol>`;
  }

  private renderError(code: string, message: string): TemplateResult {
    const { reading } = this.#store.state;
    if (code === 'unknown_sample' && reading === 'reading') return html`<div class="waiting" aria-hidden="true"><span></span><span></span><span></span></div>`;
    return html`<div class="empty panel" role="alert">
      <h1>${code === 'unknown_sample' ? 'No such sample here' : 'This sample cannot be shown'}</h1>
      <p class="muted">${code === 'unknown_sample' ? `Sample “${this.place.id}” is not in what is open now. The address may belong to another benchmark folder: open that one.` : message}</p>
      <a class="button" href=${store.href({ view: 'samples', filter: NO_FILTER })}>All samples</a>
    </div>`;
  }

  private models(sample: SampleView): string[] {
    const all = allModels(sample);
    const { models, filter } = this.place;
    if (models !== null) return all.filter((model) => models.includes(model));
    const first = all.slice(0, FIRST_MODELS);
    return filter.model !== '' && all.includes(filter.model) && !first.includes(filter.model) ? [filter.model, ...first.slice(0, FIRST_MODELS - 1)] : first;
  }

  private neighbours(sample: SampleView): { previous: string | null; next: string | null; position: string } {
    const list = this.#list.value;
    const at = list?.rows.findIndex(({ id }) => id === sample.id) ?? -1;
    if (list !== null && at !== -1) {
      return { previous: list.rows[at - 1]?.id ?? null, next: list.rows[at + 1]?.id ?? null, position: `${at + 1} of ${list.rows.length} in this filter` };
    }
    return { previous: sample.previous, next: sample.next, position: `${sample.index + 1} of ${sample.total}` };
  }

  private openPicture(sample: SampleView, index: number): void {
    const slides: Slide[] = sample.pictures.flatMap(({ file, label, path }) => (file === null ? [] : [{ file, label, path }]));
    const file = sample.pictures[index]?.file;
    this.dispatchEvent(new OpenPictures(slides, Math.max(0, slides.findIndex((slide) => slide.file === file))));
  }

  private toggle(sample: SampleView, model: string): void {
    const shown = this.models(sample);
    const next = shown.includes(model) ? shown.filter((one) => one !== model) : allModels(sample).filter((one) => one === model || shown.includes(one));
    store.go({ ...this.place, view: 'sample', models: next }, 'replace');
  }

  private onRequest(event: Event): void {
    if (!(event instanceof AskRequest)) return;
    const overview = this.#store.state.overview;
    const request = overview?.requests.find(({ id }) => id === event.criterion) ?? null;
    this.requestDialog.show({ model: event.model, sample: this.place.id, turn: event.turn, criterion: event.criterion }, request, overview?.criteria ?? []);
  }

  private onInput(event: Event): void {
    const sample = this.#sample.value;
    if (event instanceof TurnAction && sample !== null) this.inputDialog.show(sample.id, event.turn, allModels(sample));
  }

  private onLink(event: Event): void {
    if (event instanceof TurnAction) this.copyLink(event.turn);
  }

  private copyLink(turn: number | null): void {
    const url = new URL(store.href({ ...this.place, view: 'sample', turn }), location.href).href;
    navigator.clipboard.writeText(url).then(
      () => store.notify('info', 'Address copied. It shows the same view to whoever opens the same files.'),
      () => store.notify('error', `The browser did not allow copying. The address is ${url}`),
    );
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const sample = this.#sample.value;
    if (sample === null) return;
    const { previous, next } = this.neighbours(sample);
    const goal = { j: next, ArrowRight: next, k: previous, ArrowLeft: previous }[event.key];
    if (goal !== undefined) {
      if (event.key.startsWith('Arrow') && inScroller(event)) return;
      event.preventDefault();
      if (goal !== null) store.go({ ...this.place, view: 'sample', id: goal, turn: null });
      return;
    }
    const model = /^[1-9]$/.test(event.key) ? allModels(sample)[Number(event.key) - 1] : undefined;
    if (model !== undefined) this.toggle(sample, model);
  };
}

/** Arrow keys inside a scrollable region scroll it. */
function inScroller(event: KeyboardEvent): boolean {
  return event.composedPath().some((node) => node instanceof HTMLElement && node.matches('[role="region"]') && node.scrollWidth > node.clientWidth);
}

function allModels(sample: SampleView): string[] {
  return sample.turns[0]?.outputs.map(({ model }) => model) ?? [];
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-sample': JurorSample;
  }
}
