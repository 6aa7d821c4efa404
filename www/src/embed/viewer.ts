import { LitElement, html, nothing, unsafeCSS, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { bytes, count, plural } from '../state/format';
import { deepFocus } from '../state/keys';
import { icon } from '../components/icon/icon';
import { renderNotices } from '../components/notices/notices';
import { renderVerdict, reproducedWords, verificationStyles } from '../components/pack-banner/verification';
import { aroundStyles, chosenIn, renderChoices, renderFoot, renderLegend, type Chosen } from '../components/score-table/around';
import '../components/score-table/score-table';
import type { CellEvent, OrderEvent } from '../components/score-table/score-table';
import { codeOf, EngineError, isAbort, messageOf } from '../engine/errors';
import type { PackVerification } from '../engine/types/PackVerification';
import { base, controls } from '../styles/base.styles';
import tokens from '../styles/tokens.css?raw';
import { PackLook, verify } from './look';
import { Engine } from './remote';
import { readReport, type ReportedScores } from './report';
import type { GoEvent, Opened, Place } from './samples';
import './samples';
import { PackSource } from './source';
import { styles } from './viewer.styles';

/** Packs up to this size are recomputed without being asked to. */
const SMALL_BYTES = 8 * 1000 * 1000;
/** How far below the window a viewer begins to read. */
const AHEAD = '300px';

const NO_WASM =
  'This page does not let Wasm run, so nothing can be recomputed here: the numbers are shown as the pack reports them. Its Content-Security-Policy would have to allow ’wasm-unsafe-eval’ in script-src. The pack can be downloaded and opened in Juror.';

/** Where the pack stands with being checked. */
type Check =
  | { state: 'reported' }
  | { state: 'fetching'; done: number; total: number | null }
  | { state: 'checking'; done: number; total: number }
  | { state: 'checked'; verification: PackVerification }
  | { state: 'failed'; message: string };

/** Where the samples stand. */
type Looking = { state: 'none' } | { state: 'reading'; done: number; total: number } | { state: 'open'; look: PackLook } | { state: 'failed'; message: string };

/**
 * @summary The scores of an evidence pack on anybody's page: a table first, recomputed on demand, with the samples behind it.
 * @slot - What stands here until the pack's own table does: best a table in plain HTML.
 * @fires juror-ready - The table stands; `detail` has `title`, `models`, `size` in bytes and `ranged`, whether it is read in parts.
 * @fires juror-verified - The pack was recomputed; `detail` has `reproduced`, `counts` of what differs by kind, `sha256`, the manifest's, and `thread`, `worker` or `page`.
 * @fires juror-open - A mean or a sample was opened; `detail` has `model`, `scope`, `key` and `criterion`, or `sample`.
 * @fires juror-error - Something failed; `detail` has `code` and `message`.
 * @csspart viewer - The whole.
 * @csspart head - Title and size.
 * @csspart status - Whether the numbers were recomputed.
 * @csspart table - The table.
 * @csspart mean - Each mean in it.
 * @csspart samples - What stands behind a mean.
 * @cssproperty --juror-accent - Links, buttons, what is chosen; every other token of `styles/tokens.css` can be set as well.
 */
@customElement('juror-viewer')
export class JurorViewer extends LitElement {
  static override styles = [unsafeCSS(tokens), base, controls, aroundStyles, verificationStyles, styles];

  /** Address of the pack. */
  @property() src = '';
  /** A pack at hand, in place of an address. */
  @property({ attribute: false }) pack: Blob | null = null;
  /** What is shown at first: `scores`, `scores/SCOPE`, `scores/SCOPE/CRITERION`, or `sample/ID`. */
  @property() view = '';
  /** `light`, `dark`, or `auto`: as the `color-scheme` of the page around it. */
  @property({ reflect: true }) theme: 'light' | 'dark' | 'auto' = 'auto';
  /** The models shown, with commas between; all if empty. */
  @property() models = '';
  /** `auto` recomputes packs of up to 8 MB by itself, `ask` none, `always` all of them once they are in sight. */
  @property() verify: 'auto' | 'ask' | 'always' = 'auto';
  /** Address of the Wasm, for the script that has none inside. */
  @property() wasm = '';
  /** Where the Wasm lies usually: beside the script. */
  static wasm = '';

  @state() private scores: ReportedScores | null = null;
  @state() private problem = '';
  @state() private loading: { done: number; total: number | null } | null = null;
  @state() private check: Check = { state: 'reported' };
  @state() private looking: Looking = { state: 'none' };
  @state() private place: Place | null = null;
  /** Who opened that: nothing takes the focus or scrolls unless a reader did. */
  #opened: Opened = 'by-page';
  /** How many models the pack has, shown or not. */
  #models = 0;
  @state() private chosen: Chosen = { scope: '', criterion: '' };
  @state() private order = '';
  /** The mean that was pressed, to which the focus goes back. */
  #opener: Element | null = null;
  #source: PackSource | null = null;
  #call = new AbortController();
  #loaded = '';
  #isInSight = false;
  readonly #sight = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      this.#sight.disconnect();
      this.#isInSight = true;
      this.requestUpdate();
    },
    { rootMargin: AHEAD },
  );

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#isInSight) this.requestUpdate();
    else this.#sight.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sight.disconnect();
    // One that was only moved goes on.
    queueMicrotask(() => {
      if (!this.isConnected) this.#close();
    });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('view')) this.#enter();
    if (changed.has('src') || changed.has('pack') || changed.has('models')) this.#close();
    const wanted = this.pack === null ? this.src : 'at hand';
    if (!this.#isInSight || !this.isConnected || wanted === this.#loaded) return;
    this.#loaded = wanted;
    if (wanted !== '') void this.#load(this.#call.signal);
  }

  override render(): TemplateResult {
    const { scores } = this;
    if (scores === null) {
      return html`<slot></slot>
        ${
          this.problem !== ''
            ? html`<p class="note bad" role="alert" part="status">${icon('error', 16)}<span>The evidence pack cannot be shown. ${this.problem}</span></p>`
            : this.loading === null
              ? nothing
              : html`<p class="note" role="status" part="status">${this.loading.done === 0 ? 'Reading the evidence pack…' : `This server gives no parts of files, so the whole pack is fetched: ${progressWords(this.loading)}.`}</p>`
        }`;
    }
    const chosen = chosenIn(scores, this.chosen);
    const info = scores.criteria.find(({ id }) => id === chosen.criterion);
    return html`<section class="viewer" part="viewer" aria-label="Scores, ${scores.benchmark?.title ?? 'evidence pack'}">
      ${this.renderHead(scores)}
      <div class="toolbar">${renderChoices(scores, chosen, (part) => (this.chosen = { ...this.chosen, ...part }))}</div>
      <juror-score-table
        exportparts="table, mean"
        .overview=${scores}
        .scope=${chosen.scope}
        .criterion=${chosen.criterion}
        .order=${this.order}
        @order=${(event: OrderEvent) => (this.order = event.order)}
        @cell=${({ row }: CellEvent) => {
          this.#opener = this.shadowRoot === null ? null : deepFocus(this.shadowRoot);
          this.#go({ row, sample: null, model: row.model });
        }}
      ></juror-score-table>
      <details class="how">
        <summary class="small muted">How to read this</summary>
        ${renderLegend(info)} ${renderFoot(scores, chosen.criterion, 'Open a cell for its formula and samples.')}
      </details>
      ${
        this.place === null
          ? nothing
          : html`<juror-viewer-samples
            part="samples"
            .scores=${scores}
            .look=${this.looking.state === 'open' ? this.looking.look : null}
            .place=${this.place}
            .opened=${this.#opened}
            .words=${this.#lookingWords()}
            @go=${(event: GoEvent) => this.#go(event.place)}
          ></juror-viewer-samples>`
      }
    </section>`;
  }

  private renderHead(scores: ReportedScores): TemplateResult {
    const { benchmark } = scores;
    return html`<div class="head" part="head">
        <strong class="title">${benchmark?.title ?? 'Scores'}</strong>
        ${benchmark === null ? nothing : html`<span>${count(benchmark.samples)} ${benchmark.samples === 1 ? benchmark.words.sample : benchmark.words.samples}</span>`}
        <span>${scores.models.length === this.#models ? plural(this.#models, 'model') : `${count(scores.models.length)} of ${plural(this.#models, 'model')}`}</span>
        <span class="spacer"></span>
        ${this.pack !== null ? nothing : html`<a href=${this.src} download>${icon('download', 16)}Evidence pack (${bytes(this.#sizeOf())})</a>`}
      </div>
      <div class="status" part="status" role="status" aria-busy=${this.check.state === 'fetching' || this.check.state === 'checking'} data-check=${this.check.state} data-room=${this.#room()}><div class="now">${this.renderCheck()}</div></div>
      ${renderNotices(scores.notices)}`;
  }

  /** The longest that is said of a pack that reproduces: its room is kept from the start, so that nothing moves when it is said. */
  #room(): string {
    const [rows, replies] = [this.scores?.scores.length ?? 0, 10 * (this.scores?.scores.length ?? 0)];
    return `Reproduced. ${reproducedWords(this.#source?.name ?? '', { files: replies, requests: replies, verdicts: replies, scores: rows })}\nManifest ${'0'.repeat(64)}\n${replies} replies recomputed, ${replies} pictures decoded, ${rows} measures and ${rows} judge names on trust.${this.scores?.isSigned === true ? `\nSigned by ${'0'.repeat(20)} Copy key` : ''}`;
  }

  private renderCheck(): TemplateResult {
    const { check } = this;
    const size = this.#source?.isWhole === false ? ` (downloads ${bytes(this.#source.size)})` : '';
    const name = this.#source?.name ?? '';
    switch (check.state) {
      case 'reported':
        return html`<p class="say">
          ${icon('note', 16)} <strong>As reported, not recomputed.</strong>
          <button type="button" class="button tiny" data-testid="viewer-verify" @click=${() => void this.#verify()}>Recompute from the raw replies${size}</button>
        </p>`;
      case 'fetching':
        return html`<p class="say">${icon('note', 16)} <strong>As reported, not recomputed yet.</strong> <span>Fetching the whole pack: ${progressWords(check)}.</span></p>`;
      case 'checking':
        return html`<p class="say">${icon('note', 16)} <strong>As reported, not recomputed yet.</strong> <span>Recomputing… ${check.total === 0 ? '' : `${count(check.done)} of ${plural(check.total, 'file')} hashed.`}</span></p>`;
      case 'failed':
        return html`<p class="say">${icon('warn', 16)} <strong>As reported, not recomputed.</strong> <span>${check.message}</span></p>`;
      case 'checked':
        return html`${renderVerdict(
          name,
          check.verification,
          (sample) => html`<button type="button" class="link" @click=${() => this.#go({ row: null, sample, model: '' })}>sample ${sample}</button>`,
        )}
        ${check.verification.notes.map((note) => html`<p class="small muted">${note}</p>`)}`;
    }
  }

  /** Recomputes the pack; resolves once it says whether it reproduces. */
  async recompute(): Promise<PackVerification | null> {
    await this.#verify();
    return this.check.state === 'checked' ? this.check.verification : null;
  }

  #enter(): void {
    const [what, first = '', ...rest] = this.view.split('/');
    this.chosen = what === 'scores' ? { scope: first, criterion: rest.join('/') } : { scope: '', criterion: '' };
    this.#opened = 'by-page';
    this.place = what === 'sample' && first !== '' ? { row: null, sample: [first, ...rest].join('/'), model: '' } : null;
  }

  async #load(signal: AbortSignal): Promise<void> {
    this.loading = { done: 0, total: null };
    try {
      const source =
        this.pack === null
          ? await PackSource.open(new URL(this.src, document.baseURI).href, (done, total) => (this.loading = { done, total }), signal)
          : PackSource.of(this.pack, signal);
      const whole = await readReport(source);
      const scores = this.#only(whole);
      if (signal.aborted) return;
      this.#source = source;
      this.#models = whole.models.length;
      this.scores = scores;
      await this.updateComplete;
      this.#tell('juror-ready', {
        title: scores.benchmark?.title ?? '',
        models: scores.models.map(({ name }) => name),
        size: source.size,
        ranged: source.isRanged,
      });
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      this.problem = messageOf(error);
      this.#tell('juror-error', { code: codeOf(error), message: this.problem });
      return;
    }
    if (this.place !== null) void this.#look();
    if (this.verify === 'always' || (this.verify === 'auto' && this.#sizeOf() <= SMALL_BYTES)) void this.#verify();
  }

  /** The report with the models that are asked for. */
  #only(scores: ReportedScores, lacking: 'an error' | 'those that are there' = 'an error'): ReportedScores {
    const names = this.models
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (names.length === 0) return scores;
    const models = scores.models.filter(({ name }) => names.includes(name));
    if (models.length > 0 || lacking === 'those that are there') return { ...scores, models };
    throw new EngineError(`The pack has none of the models ${names.join(', ')}; it has ${scores.models.map(({ name }) => name).join(', ')}.`, 'no_models');
  }

  async #verify(): Promise<void> {
    const [source, { signal }] = [this.#source, this.#call];
    if (source === null || this.check.state === 'fetching' || this.check.state === 'checking') return;
    try {
      // Whether Wasm may run is known before anything large is fetched.
      this.check = { state: 'checking', done: 0, total: 0 };
      const engine = await Engine.shared(this.#wasmUrl());
      if (!source.isWhole) {
        this.check = { state: 'fetching', done: 0, total: source.size };
        await source.fetchWhole((done, total) => (this.check = { state: 'fetching', done, total }));
      }
      this.check = { state: 'checking', done: 0, total: 0 };
      const { verification, report } = await verify(engine, source, (done, total) => (this.check = { state: 'checking', done, total }));
      if (signal.aborted) return;
      // From here on the table is what the replies come to, whatever the pack's own report says.
      this.scores = this.#only(report, 'those that are there');
      if (this.looking.state === 'open') this.scores = { ...this.scores, row_incidents: this.looking.look.incidents(this.scores.scores) };
      this.check = { state: 'checked', verification };
      const { reproduced, counts, sha256 } = verification;
      this.#tell('juror-verified', { reproduced, counts, sha256, thread: engine.place });
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      this.check = { state: 'failed', message: this.#failed(error) };
    }
  }

  #go(place: Place | null): void {
    this.#opened = 'by-reader';
    this.place = place;
    if (place === null) {
      if (this.#opener instanceof HTMLElement) this.#opener.focus();
      return;
    }
    const { row, sample } = place;
    this.#tell('juror-open', sample !== null || row === null ? { sample } : { model: row.model, scope: row.scope, key: row.key, criterion: row.criterion });
    void this.#look();
  }

  /** Reads what the samples need, once. */
  async #look(): Promise<void> {
    const [source, scores, { signal }] = [this.#source, this.scores, this.#call];
    if (source === null || scores === null || this.looking.state === 'reading' || this.looking.state === 'open') return;
    this.looking = { state: 'reading', done: 0, total: 0 };
    try {
      const engine = await Engine.shared(this.#wasmUrl());
      const look = await PackLook.open(engine, source, scores.options, (done, total) => {
        if (!signal.aborted) this.looking = { state: 'reading', done, total };
      });
      if (signal.aborted) look.close();
      else {
        this.looking = { state: 'open', look };
        this.scores = { ...scores, row_incidents: look.incidents(scores.scores) };
      }
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      this.looking = { state: 'failed', message: this.#failed(error) };
    }
  }

  #lookingWords(): TemplateResult | typeof nothing {
    const { looking } = this;
    if (looking.state === 'failed') return html`<p class="callout" role="alert">${icon('warn', 16)}<span>${looking.message}</span></p>`;
    if (looking.state !== 'reading') return nothing;
    return html`<p role="status" class="muted">Reading the raw replies${looking.total === 0 ? '…' : `: ${count(looking.done)} of ${plural(looking.total, 'text')}.`}</p>`;
  }

  #failed(error: unknown): string {
    const isForbidden = codeOf(error) === 'no_wasm' || typeof WebAssembly === 'undefined' || error instanceof WebAssembly.CompileError;
    const message = isForbidden ? NO_WASM : messageOf(error);
    this.#tell('juror-error', { code: isForbidden ? 'no_wasm' : codeOf(error), message });
    return message;
  }

  #sizeOf(): number {
    return this.#source?.size ?? 0;
  }

  #wasmUrl(): string {
    const address = this.wasm || JurorViewer.wasm;
    return address === '' ? '' : new URL(address, document.baseURI).href;
  }

  #tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** Gives everything back; the next update begins anew. */
  #close(): void {
    this.#call.abort();
    this.#call = new AbortController();
    if (this.looking.state === 'open') this.looking.look.close();
    this.#source = null;
    this.#loaded = '';
    this.scores = null;
    this.problem = '';
    this.loading = null;
    this.check = { state: 'reported' };
    this.looking = { state: 'none' };
  }
}

function progressWords({ done, total }: { done: number; total: number | null }): string {
  return total === null ? `${bytes(done)} so far` : `${bytes(done)} of ${bytes(total)}`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-viewer': JurorViewer;
  }
}
