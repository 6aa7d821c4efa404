import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import { Query, StoreController } from '../state/controllers';
import { count, plural, turnNumber } from '../state/format';
import { deepFocus, isFocusFree, isTyping, keyOf } from '../state/keys';
import { NO_FILTER, isWholeList, namedModels, queryOf, type SamplePlace } from '../state/router';
import { store } from '../state/store';
import { renderAbsent } from '../components/choices/choices';
import type { Slide } from '../components/compare-pictures/slides';
import { picturesStyles, renderDetails, renderPictures } from '../components/dataset-pictures/dataset-pictures';
import { icon } from '../components/icon/icon';
import '../components/input-dialog/input-dialog';
import type { JurorInputDialog } from '../components/input-dialog/input-dialog';
import { CopySeen, SeeChange, StepSample } from '../components/lightbox/events';
import type { JurorLightbox } from '../components/lightbox/lightbox';
import '../components/lightbox/lightbox';
import { nameStyles, renderName } from '../components/name/name';
import '../components/picture/picture';
import '../components/request-dialog/request-dialog';
import type { JurorRequestDialog } from '../components/request-dialog/request-dialog';
import { AskRequest, PointPicture, SeePicture, TakeOutReply, TurnAction, outputKey, pictureKey } from '../components/turn/turn';
import '../components/turn/turn';
import type { KeptReply } from '../engine/types/KeptReply';
import type { PastedReply } from '../engine/types/PastedReply';
import type { SampleList } from '../engine/types/SampleList';
import type { SampleView } from '../engine/types/SampleView';
import { messageOf } from '../engine/errors';
import { manualLink } from '../manual/link';
import { base, controls } from '../styles/base.styles';
import { styles } from './sample.styles';

/** Whether failure labels are shown: who labels one sample goes on with the next. */
let isLabelling = false;

/** Whether what outputs look like is shown, as with labels. */
let isComparing = false;

/** Models shown at first: more columns than fit help nobody. */
const FIRST_MODELS = 3;

/** Keeps a reply that was pasted for a request. */
const paste = (reply: PastedReply): Promise<KeptReply> => store.paste(reply);

const NOWHERE: SamplePlace = { view: 'sample', id: '', turn: null, models: null, filter: NO_FILTER };

/**
 * @summary One dialogue, turn by turn, with every chosen model's answers and verdicts.
 */
@customElement('juror-sample')
export class JurorSample extends LitElement {
  static override styles = [base, controls, nameStyles, picturesStyles, styles];

  readonly #store = new StoreController(this);
  readonly #sample = new Query<SampleView>(this);
  readonly #list = new Query<SampleList>(this);
  readonly #phone = matchMedia('(max-width: 760px)');
  readonly #resized = (): void => this.requestUpdate();
  /** Number of the picture that is pointed at. */
  @state() private lit: number | null = null;
  /** Whether failure labels are shown. */
  @state() private hasLabels = false;
  /** Whether what outputs look like is shown. */
  @state() private hasNearest = false;
  @query('juror-request-dialog') private requestDialog!: JurorRequestDialog | null;
  @query('juror-input-dialog') private inputDialog!: JurorInputDialog | null;
  @query('juror-lightbox') private viewer!: JurorLightbox | null;
  #scrolledTo = '';
  #isShown = false;
  /** The request that the dialog shows. */
  /** Dialogs that the address closed and that have not said so yet. */
  readonly #shut = new Set<string>();
  #asked = '';
  /** What had the focus before a render that may take it away. */
  #focused: Element | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('keydown', this.#onKey);
    this.#phone.addEventListener('change', this.#resized);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('keydown', this.#onKey);
    this.#phone.removeEventListener('change', this.#resized);
  }

  private get place(): SamplePlace {
    const { place } = this.#store.state.route;
    return place.view === 'sample' ? place : NOWHERE;
  }

  protected override willUpdate(): void {
    this.#focused = deepFocus(this.renderRoot as ShadowRoot);
    const { engine, version, route } = this.#store.state;
    if (engine !== 'ready' || route.place.view !== 'sample' || version === 0) return;
    const { id, filter } = this.place;
    const { options } = route;
    this.#sample.ask(`${version} ${JSON.stringify([id, options])}`, (signal) => store.client.sample(id, options, signal));
    if (!isWholeList(filter)) {
      this.#list.ask(`${version} ${JSON.stringify([filter, options, id])}`, (signal) => store.client.samples(queryOf(filter, options, { around: id }), signal));
    } else {
      this.#list.clear();
    }
  }

  protected override updated(): void {
    const sample = this.#sample.value;
    if (sample === null || sample.id !== this.place.id) return;
    void this.openDialogs(sample);
    if (!this.#isShown && isFocusFree()) this.focusHeading();
    this.#isShown = true;
    this.keepFocus();
    this.scrollToTurn();
  }

  /** Brings the dialogs in line with the address. */
  private async openDialogs(sample: SampleView): Promise<void> {
    const { viewer, requestDialog, inputDialog } = this;
    if (viewer === null || requestDialog === null || inputDialog === null) return;
    await Promise.all([viewer.updateComplete, requestDialog.updateComplete, inputDialog.updateComplete]);
    const { id, see, ask, input } = this.place;
    const { overview } = this.#store.state;
    if (sample.id !== id || !this.isConnected) return;
    if (see === undefined) this.shut(viewer);
    else viewer.show(this.slides(sample), see, this.usual(sample, see.pictures[0]));
    if (input === undefined) this.shut(inputDialog);
    else inputDialog.show(id, input, allModels(sample));
    // Showing a request again would drop what was said about the reply just saved.
    const asked = ask === undefined ? '' : JSON.stringify([id, ask]);
    if (asked === this.#asked || (overview === null && asked !== '')) return;
    this.#asked = asked;
    if (ask === undefined) this.shut(requestDialog);
    else {
      const info = overview?.requests.find((request) => request.id === ask.criterion) ?? null;
      requestDialog.show({ ...ask, sample: id }, info, overview?.criteria ?? []);
    }
  }

  /** Closes what the address names no longer: a reader who goes forward before it is told must not be led back. */
  private shut(dialog: LitElement & { close(): void }): void {
    if (dialog.renderRoot.querySelector('dialog')?.open === true) this.#shut.add(dialog.localName);
    dialog.close();
  }

  /** Where what had the focus is gone, as with a sample that was left, the heading takes it. */
  private keepFocus(): void {
    const before = this.#focused;
    if (before !== null) requestAnimationFrame(() => before.isConnected || this.refocus());
  }

  private refocus(): void {
    if (document.activeElement === null || document.activeElement === document.body) this.focusHeading();
  }

  private focusHeading(): void {
    this.renderRoot.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }

  private scrollToTurn(): void {
    const { id, turn } = this.place;
    if (turn === null) return;
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
    const alone = sample.turns.length === 1;
    return html`${this.renderHead(sample, models)} ${alone ? nothing : this.renderPictures(sample)}
      <div
        class="turns ${stale ? 'stale' : ''}"
        @juror-ask-request=${this.onRequest}
        @juror-take-out-reply=${this.onTakeOut}
        @juror-ask-input=${this.onInput}
        @juror-copy-link=${this.onLink}
        @juror-see-picture=${this.onSee}
        @juror-point-picture=${this.onPoint}
      >
        ${sample.turns.map(
          (turn) =>
            html`<juror-turn
              data-testid="turn"
              data-turn=${turn.index}
              .sample=${sample}
              .turn=${turn}
              .models=${models}
              .lit=${this.lit}
              .criteria=${this.#store.state.overview?.criteria ?? []}
              .requests=${this.#store.state.overview?.requests ?? []}
              >${alone ? html`<div slot="beside" class="beside">${this.renderPictures(sample)}${renderDetails(sample)}</div>` : nothing}</juror-turn
            >`,
        )}
      </div>
      ${this.renderLabels(sample, models)} ${this.renderNearest(sample, models)}
      <juror-lightbox .client=${store.client} addressed @juror-see=${this.onSeen} @juror-copy-seen=${this.onCopySeen} @juror-step-sample=${this.onStep} @juror-viewer-closed=${this.onClosed}></juror-lightbox>
      <juror-request-dialog .client=${store.client} .state=${this.#store.state} .paste=${paste} @juror-dialog-closed=${this.onClosed}></juror-request-dialog>
      <juror-input-dialog .client=${store.client} .state=${this.#store.state} @juror-dialog-closed=${this.onClosed}></juror-input-dialog>`;
  }

  private renderHead(sample: SampleView, shown: string[]): TemplateResult {
    const { previous, next, position } = this.neighbours(sample);
    const all = allModels(sample);
    return html`<div class="head">
      <div class="line">
        <a class="button quiet" href=${store.href({ view: 'samples', filter: this.place.filter })}>${icon('left')}Samples</a>
        <div class="titled"><h1 tabindex="-1">Sample <bdi>${sample.id}</bdi></h1>${manualLink(this.#store.state.route, 'samples', 'look-at-a-sample')}</div>
        <span class="tags">${[...new Set([sample.category, sample.domain, ...sample.tags.map(([scope, key]) => `${scope}: ${key}`)])].map((text) => (text === '' ? nothing : html`<span class="chip" dir="auto">${text}</span>`))}</span>
        <span class="spacer"></span>
        <span class="muted num">${position}</span>
        <span class="steps">
          <button type="button" class="button compare" title="Look at the pictures together (C)" data-testid="compare" @click=${() => this.compare(sample)}>${icon('picture')}Compare</button>
          ${this.renderStep(previous, 'left', 'Previous sample (K)')} ${this.renderStep(next, 'right', 'Next sample (J)')}
          <button type="button" class="button icon" aria-label="Copy the address of this sample" title="Copy the address of this sample" @click=${() => this.copyLink(this.place.turn)}>${icon('link')}</button>
        </span>
      </div>
      ${
        all.length === 0
          ? nothing
          : html`<div class="models" role="group" aria-label="Models shown">
            ${all.map(
              (model, index) =>
                html`<button type="button" class="model" aria-pressed=${shown.includes(model)} @click=${() => this.toggle(sample, model)}>
                  ${index < 9 ? html`<kbd aria-hidden="true">${index + 1}</kbd>` : nothing}${renderName(model)}
                </button>`,
            )}
            ${all.length > shown.length ? html`<button type="button" class="link small" @click=${() => this.showModels(all)}>Show all ${all.length}</button>` : nothing}
          </div>`
      }
      ${renderAbsent(this.#store.state, namedModels(this.place), all)}
    </div>`;
  }

  /** Labels are fetched when somebody opens them. */
  private renderLabels(sample: SampleView, models: string[]): TemplateResult | typeof nothing {
    if (allModels(sample).length === 0) return nothing;
    return html`<details class="labels panel" data-testid="labels" ?open=${isLabelling} @toggle=${(event: Event) => void this.label((event.target as HTMLDetailsElement).open)}>
      <summary>Failure labels</summary>
      ${this.hasLabels ? html`<juror-failure-labels .client=${store.client} .state=${this.#store.state} .sample=${sample.id} .models=${models}></juror-failure-labels>` : nothing}
    </details>`;
  }

  private async label(isOpen: boolean): Promise<void> {
    isLabelling = isOpen;
    if (isOpen) await import('../components/failure-labels/failure-labels');
    this.hasLabels = isOpen;
  }

  /** What finds look-alikes is fetched when they are opened. */
  private renderNearest(sample: SampleView, models: string[]): TemplateResult | typeof nothing {
    if (!sample.turns.some(({ kind, outputs }) => kind === 'image' && outputs.some(({ file }) => file !== null))) return nothing;
    return html`<details class="labels panel" data-testid="nearest" ?open=${isComparing} @toggle=${(event: Event) => void this.compareAll((event.target as HTMLDetailsElement).open)}>
      <summary>Look-alikes</summary>
      ${this.hasNearest ? html`<juror-nearest .state=${this.#store.state} .sample=${sample.id} .models=${models}></juror-nearest>` : nothing}
    </details>`;
  }

  private async compareAll(isOpen: boolean): Promise<void> {
    isComparing = isOpen;
    if (isOpen) await import('./nearest');
    this.hasNearest = isOpen;
  }

  private renderStep(id: string | null, which: 'left' | 'right', label: string): TemplateResult {
    if (id === null) return html`<button type="button" class="button icon" disabled aria-label=${label}>${icon(which)}</button>`;
    return html`<a class="button icon" href=${store.href({ ...this.place, id, turn: null })} aria-label=${label} title=${label}>${icon(which)}</a>`;
  }

  private renderPictures(sample: SampleView): TemplateResult | typeof nothing {
    if (sample.pictures.length === 0) return nothing;
    const pictures = renderPictures(sample, this.lit, { see: (key) => this.see(key), point: (number) => (this.lit = number) });
    if (sample.turns.length === 1) return pictures;
    // Where there is little room the outputs come first; each turn shows the pictures that it speaks of anyway.
    if (this.#phone.matches)
      return html`<details class="dataset panel"><summary>${plural(sample.pictures.length, 'picture')} of the data set</summary>${pictures}${renderDetails(sample)}</details>`;
    return html`${pictures} ${renderDetails(sample)}`;
  }

  private renderError(code: string, message: string): TemplateResult {
    const { reading } = this.#store.state;
    if (code === 'unknown_sample' && reading === 'reading') return html`<div class="waiting" aria-hidden="true"><span></span><span></span><span></span></div>`;
    return html`<div class="empty panel" role="alert">
      <h1>${code === 'unknown_sample' ? 'No such sample here' : 'This sample cannot be shown'}</h1>
      <p class="muted">${code === 'unknown_sample' ? `Sample “${this.place.id}” is not in what is open now. The address may be of another folder: open that one, and it shows here.` : message}</p>
      <a class="button" href=${store.href({ view: 'samples', filter: NO_FILTER })}>All samples</a>
    </div>`;
  }

  private models(sample: SampleView): string[] {
    const all = allModels(sample);
    const { models } = this.place;
    if (models !== null) return all.filter((model) => models.includes(model));
    const list = this.#list.value;
    // Those that the filter names come first.
    const named = list !== null && list.chosen.length < list.models.length ? list.chosen.map((at) => list.models[at] ?? '') : [];
    return [...new Set([...all.filter((model) => named.includes(model)), ...all])].slice(0, FIRST_MODELS);
  }

  private neighbours(sample: SampleView): { previous: string | null; next: string | null; position: string } {
    const list = this.#list.value;
    if (list?.around != null && this.place.id === sample.id) {
      const { position, previous, next } = list.around;
      const { q, sort } = this.place.filter;
      const where = q.trim() !== '' ? ' in this filter' : sort === 'index' ? '' : ' in this order';
      return { previous, next, position: `${this.placeAmong(position, list.listed)}${where}` };
    }
    return { previous: sample.previous, next: sample.next, position: this.placeAmong(sample.index, sample.total) };
  }

  /** `2 of 12 dialogues`. */
  private placeAmong(index: number, total: number): string {
    const words = this.#store.state.overview?.benchmark?.words;
    return `${count(index + 1)} of ${plural(total, words?.sample ?? 'sample', words?.samples)}`;
  }

  /** Everything that can be looked at: the data set's pictures, then turn by turn each model's output. */
  private slides(sample: SampleView): Slide[] {
    const alone = sample.turns.length === 1;
    const dataset = sample.pictures.map(({ number, file, label, path, produced_by: by }): Slide => {
      const role = by === null ? '' : alone ? '' : ', data set';
      return { file, label: `${/^Image #\d+$/.test(label) ? label : `${number} ${label}`}${role}`, path, key: pictureKey(number) };
    });
    const outputs = sample.turns.flatMap(({ index, kind, outputs: all }) =>
      kind === 'image'
        ? all.map(({ model, file, path }): Slide => ({
            file,
            label: alone ? model : `${model}, turn ${turnNumber(index)}`,
            path,
            key: outputKey(index, model),
            model,
          }))
        : [],
    );
    return [...dataset, ...outputs];
  }

  /** What is compared at first: what the turn should give, and what the chosen models gave. */
  private usual(sample: SampleView, key?: string): string[] {
    const number = Number(/^o(\d+)\./.exec(key ?? '')?.[1] ?? NaN);
    const produced = sample.pictures.find((picture) => pictureKey(picture.number) === key)?.produced_by ?? null;
    const turn = sample.turns.find(({ index }) => index === number) ?? sample.turns.find(({ index }) => index === produced) ?? this.turnInSight(sample);
    if (turn === undefined) return sample.pictures.map((picture) => pictureKey(picture.number));
    const target = turn.picture ?? this.referenceOf(sample, turn.index);
    const shown = turn.kind === 'image' ? turn.outputs.filter(({ model, file }) => file !== null && this.models(sample).includes(model)) : [];
    return [...(target === null ? [] : [pictureKey(target)]), ...shown.map(({ model }) => outputKey(turn.index, model))];
  }

  /** Without an expected answer, the first picture that goes in: what an edit starts from. */
  private referenceOf(sample: SampleView, turn: number): number | null {
    const mentioned = sample.turns.find(({ index }) => index === turn)?.instruction.find(({ picture }) => picture !== null)?.picture;
    return mentioned ?? sample.pictures.find(({ produced_by: by, file }) => by === null && file !== null)?.number ?? null;
  }

  /** The first turn with pictures that is still in sight. */
  private turnInSight(sample: SampleView): SampleView['turns'][number] | undefined {
    const turns = sample.turns.filter(({ kind }) => kind === 'image');
    const inSight = turns.find(({ index }) => (this.renderRoot.querySelector(`[data-turn="${index}"]`)?.getBoundingClientRect().bottom ?? 0) > innerHeight / 3);
    return inSight ?? turns[0];
  }

  private see(key: string): void {
    this.openLayer({ see: { mode: 'one', pictures: [key], at: '' } });
  }

  private compare(sample: SampleView): void {
    const pictures = this.usual(sample);
    if (pictures.length > 0) this.openLayer({ see: { mode: pictures.length > 1 ? 'side' : 'one', pictures, at: '' } });
  }

  private openLayer(layer: Pick<SamplePlace, 'see' | 'ask' | 'input'>): void {
    // One that was just closed may still be in the address.
    store.go({ ...this.place, see: undefined, ask: undefined, input: undefined, ...layer }, 'layer');
  }

  private readonly onSee = (event: Event): void => {
    if (event instanceof SeePicture) this.see(event.key);
  };

  private readonly onPoint = (event: Event): void => {
    if (event instanceof PointPicture) this.lit = event.number;
  };

  private readonly onSeen = (event: Event): void => {
    // What is told late of a viewer that was closed does not open it again.
    if (event instanceof SeeChange && this.place.see !== undefined) store.go({ ...this.place, see: event.see }, event.isChoice ? 'within' : 'replace');
  };

  private readonly onCopySeen = (event: Event): void => {
    if (event instanceof CopySeen) this.copyPlace({ ...this.place, see: event.see });
  };

  /** The next sample below the viewer, which shows the same pictures of it. */
  private readonly onStep = (event: Event): void => {
    const sample = this.#sample.value;
    if (!(event instanceof StepSample) || sample === null) return;
    const { previous, next } = this.neighbours(sample);
    const id = event.by === 1 ? next : previous;
    if (id !== null) store.go({ ...this.place, id, turn: null }, 'replace');
  };

  /** A dialog was closed by its reader, not by the address. */
  private readonly onClosed = (event: Event): void => {
    const { see, ask, input, ...rest } = this.place;
    const { localName } = event.target as HTMLElement;
    const isNamed = { 'juror-lightbox': see, 'juror-request-dialog': ask, 'juror-input-dialog': input }[localName] !== undefined;
    const wasShut = this.#shut.delete(localName);
    if (isNamed && !wasShut) store.leaveLayer(rest);
    // A browser takes the focus from what is hidden only after it has painted.
    requestAnimationFrame(() => requestAnimationFrame(() => this.refocus()));
  };

  private toggle(sample: SampleView, model: string): void {
    const shown = this.models(sample);
    const next = shown.includes(model) ? shown.filter((one) => one !== model) : allModels(sample).filter((one) => one === model || shown.includes(one));
    this.showModels(next);
  }

  private showModels(models: string[]): void {
    store.go({ ...this.place, models });
  }

  private onTakeOut(event: Event): void {
    if (!(event instanceof TakeOutReply)) return;
    const { turn, model, verdict } = event;
    const { judge, run, raw, time, criterion } = verdict;
    store
      .removePasted({ key: { model, sample: this.place.id, turn, criterion }, judge, run, text: raw ?? '', time })
      .then(() => store.notify('info', 'The reply was removed.'))
      .catch((error: unknown) => store.notify('error', messageOf(error)));
  }

  private onRequest(event: Event): void {
    if (event instanceof AskRequest) this.openLayer({ ask: { turn: event.turn, criterion: event.criterion, model: event.model } });
  }

  private onInput(event: Event): void {
    if (event instanceof TurnAction) this.openLayer({ input: event.turn });
  }

  private onLink(event: Event): void {
    if (event instanceof TurnAction) this.copyLink(event.turn);
  }

  private copyLink(turn: number | null): void {
    this.copyPlace({ ...this.place, turn });
  }

  /** The address names the models that are seen, so that it says whose results are needed. */
  private copyPlace(place: SamplePlace): void {
    const sample = this.#sample.value;
    const models = place.models ?? (sample === null ? null : this.models(sample));
    const url = new URL(store.href({ ...place, models }), location.href).href;
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
    const goal = { j: next, ArrowRight: next, k: previous, ArrowLeft: previous }[keyOf(event)];
    if (goal !== undefined) {
      if (event.key.startsWith('Arrow') && inScroller(event)) return;
      event.preventDefault();
      if (goal !== null) store.go({ ...this.place, id: goal, turn: null });
      return;
    }
    if (keyOf(event) === 'c') {
      this.compare(sample);
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
