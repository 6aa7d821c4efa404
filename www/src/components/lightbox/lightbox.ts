import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { count } from '../../state/format';
import { vars } from '../../state/vars';
import type { EngineClient } from '../../engine/client';
import { base, controls, dialogs } from '../../styles/base.styles';
import { Comparer } from '../compare-pictures/comparer';
import { differing, type Difference } from '../compare-pictures/difference';
import { FIT, fitWords, percent, sizeWords, viewOf, viewText, type View } from '../compare-pictures/geometry';
import { MapSettingsChange, within } from '../compare-pictures/map-tools';
import '../compare-pictures/map-tools';
import { Mapper } from '../compare-pictures/mapper';
import {
  MAPS,
  USUAL_MAP,
  extentWords,
  isOpaque,
  npy,
  painted,
  partWords,
  placeWords,
  seenMap,
  shareWords,
  type MapSettings,
  type SeenMap,
} from '../compare-pictures/maps';
import { BLINK_MS, GAINS, MODES, type Mode, type ViewerState, type ViewerSettings, type Slide, taskOf } from '../compare-pictures/slides';
import { BoxDraw, PointPixel, SplitChange, ViewChange, type JurorStage } from '../compare-pictures/stage';
import '../compare-pictures/stage';
import type { PictureChange } from '../../engine/types/PictureChange';
import { messageOf } from '../../engine/errors';
import { download } from '../events';
import { icon } from '../icon/icon';
import '../picture/picture';
import { styles } from './lightbox.styles';

/** What the viewer shows has changed. */
export class SeeChange extends Event {
  readonly see: ViewerState;
  /** Whether one of several was chosen, and nothing moved bit by bit. */
  readonly isChoice: boolean;

  constructor(see: ViewerState, isChoice: boolean) {
    super('juror-see');
    [this.see, this.isChoice] = [see, isChoice];
  }
}

/** The user wants the address of what is seen, zoom included. */
export class CopySeen extends Event {
  readonly see: ViewerState;

  constructor(see: ViewerState) {
    super('juror-copy-seen');
    this.see = see;
  }
}

/** The user wants the next or the previous sample, in the same view. */
export class StepSample extends Event {
  readonly by: 1 | -1;

  constructor(by: 1 | -1) {
    super('juror-step-sample');
    this.by = by;
  }
}

const WORDS: Record<Mode, { label: string; short?: string; key: string; title: string }> = {
  one: { label: 'One', key: 'p', title: 'One picture (P)' },
  side: { label: 'Side by side', short: 'Side', key: 's', title: 'Side by side, with one zoom (S)' },
  swipe: { label: 'Swipe', key: 'w', title: 'Swipe: A left of a line, B right of it (W)' },
  onion: { label: 'Onion', key: 'o', title: 'Onion: B over A, more or less transparent (O)' },
  difference: { label: 'Difference', short: 'Diff', key: 'd', title: 'Difference: how far apart the values of each pixel are (D)' },
  map: { label: 'Map', key: 'm', title: 'Map: where SSIM, edges and change come from (M)' },
  blink: { label: 'Blink', key: 'b', title: 'Blink: A and B in turns (B)' },
};

const MAX_SIDE = 12;
/** What moves bit by bit is told once it rests so long. */
const REST_MS = 250;

/** What a pixel holds in each picture. */
interface Pixel {
  x: number;
  y: number;
  values: (number[] | null)[];
}

/**
 * @summary Shows pictures large: one, several side by side, or two over each other, with one zoom for all.
 * @fires juror-see - What is shown has changed.
 * @fires juror-copy-seen - The user wants the address of what is shown.
 * @fires juror-step-sample - The user wants the next or the previous sample.
 * @fires juror-viewer-closed - The viewer was closed.
 */
@customElement('juror-lightbox')
export class JurorLightbox extends LitElement {
  static override styles = [base, controls, dialogs, styles];

  @property({ attribute: false }) client!: EngineClient;
  /** Whether what is shown has an address, and samples beside it. */
  @property({ type: Boolean }) addressed = false;
  @state() private slides: Slide[] = [];
  @state() private mode: Mode = 'one';
  /** Places in `slides`. */
  @state() private picks: number[] = [];
  @state() private view: View = FIT;
  @state() private split = 0.5;
  @state() private opacity = 0.5;
  @state() private phase: 0 | 1 = 0;
  @state() private isBlinking = false;
  @state() private blinkMs = BLINK_MS.first;
  @state() private gain = 0;
  @state() private tolerance = 0;
  @state() private difference: Difference | null = null;
  @state() private differenceWords = '';
  @state() private mapSettings: MapSettings = USUAL_MAP;
  @state() private map: SeenMap | null = null;
  @state() private mapWords = '';
  /** How much changed, at the threshold and in the box that are set. */
  @state() private change: PictureChange | null = null;
  /** Why that is not known. */
  @state() private changeProblem = '';
  /** The mask that the address names and that is not here. */
  @state() private lostMask = '';
  @state() private pixel: Pixel | null = null;
  @query('dialog') private dialog!: HTMLDialogElement;
  @query('juror-stage') private stage!: JurorStage;
  readonly #comparer = new Comparer();
  readonly #mapper = new Mapper();
  /** What to compare where only one picture is chosen. */
  #usual: number[] = [];
  #compared = '';
  #mapped = '';
  #changed = '';
  #seen = '';
  /** Whether it was opened for another address before its closing was told. */
  #isOpenAgain = false;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #chosen = '';
  #timer: ReturnType<typeof setInterval> | undefined;
  #pointed = 0;
  /** The panes, kept while they are the same, so that the stage need not look at them again. */
  #panes: { key: string; slides: Slide[] } = { key: '', slides: [] };

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    clearTimeout(this.#resting);
    this.#comparer.clear();
    this.#mapper.clear();
  }

  /** Shows these pictures; where the same is asked for again nothing happens. `usual`: keys to compare where one picture is chosen. */
  show(slides: Slide[], see: ViewerState, usual: string[] = []): void {
    const place = (key: string): number => slides.findIndex((slide) => keyOf(slide, slides) === key);
    this.#usual = usual.map(place).filter((at) => at !== -1);
    const files = (some: Slide[]): string => some.map(({ file, key }) => `${file} ${key}`).join('\n');
    const isSame = files(slides) === files(this.slides);
    if (!isSame) this.slides = slides;
    const seen = JSON.stringify(see);
    // Its reader has closed it, and the page is about to be told.
    const isClosing = !this.dialog.open && this.#seen !== '';
    if (isClosing && this.addressed && seen === this.#seen) return;
    this.#isOpenAgain ||= isClosing;
    if (!isSame || seen !== this.#seen) {
      this.#seen = seen;
      this.picks = see.pictures.map(place).filter((at) => at !== -1);
      clearTimeout(this.#resting);
      this.#resting = undefined;
      this.takeSettings(see);
      this.setMode(see.mode, 'quiet');
      this.view = see.at === '' ? FIT : viewOf(see.at);
    }
    if (!this.dialog.open) {
      this.dialog.showModal();
      this.stage.focus();
    }
  }

  /** Closes it as the address asks for it no longer. */
  close(): void {
    this.#seen = '';
    if (this.dialog.open) this.dialog.close();
  }

  protected override updated(): void {
    if (this.mode === 'difference' && this.dialog.open) this.compare();
    if (this.mode === 'map' && this.dialog.open) this.makeMap();
    // Only a new choice moves the strip: while one looks on, nothing scrolls by itself.
    const chosen = this.picks.join();
    if (chosen === this.#chosen) return;
    this.#chosen = chosen;
    this.renderRoot.querySelector('.strip .here')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  override render(): TemplateResult {
    const shown = this.shown();
    const [first] = shown;
    const isPair = isTwo(this.mode);
    const title = this.mode === 'one' ? (first?.label ?? 'Picture') : isPair ? 'Two pictures' : `${shown.length} pictures`;
    return html`<dialog aria-labelledby="title" data-testid="viewer" @keydown=${this.onKey} @close=${this.onClosed}>
      <div class="dialog-head">
        <h2 id="title"><bdi>${title}</bdi> ${this.mode === 'one' ? html`<span class="path muted small" dir="auto">${first?.path ?? ''}</span>` : nothing}</h2>
        <fieldset class="segmented modes">
          <legend class="visually-hidden">How to look</legend>
          ${MODES.map(
            (mode) =>
              html`<label title=${WORDS[mode].title}
                ><input type="radio" name="mode" data-testid="mode-${mode}" aria-label=${WORDS[mode].label} .checked=${this.mode === mode} ?disabled=${this.slides.length < 2 && mode !== 'one'} @change=${() => this.setMode(mode)} /><span class="long">${WORDS[mode].label}</span
                ><span class="short">${WORDS[mode].short ?? WORDS[mode].label}</span></label
              >`,
          )}
        </fieldset>
        ${this.renderZoom()}
        ${this.addressed ? html`<button type="button" class="button quiet icon" aria-label="Copy the address of this view" title="Copy the address of this view" @click=${this.onCopy}>${icon('link')}</button>` : nothing}
        <button type="button" class="button quiet icon close" aria-label="Close" @click=${() => this.dialog.close()}>${icon('close')}</button>
      </div>
      ${isPair ? this.renderTools() : nothing}
      <juror-stage
        .client=${this.client}
        tabindex="0"
        role="group"
        aria-label="Pictures. Plus and minus zoom, arrows move, 0 fits."
        .slides=${this.panes(shown)}
        layout=${this.mode === 'one' ? 'side' : this.mode}
        .view=${this.view}
        .split=${this.split}
        .opacity=${this.opacity}
        .phase=${this.phase}
        .gain=${GAINS[this.gain] ?? 1}
        .raster=${this.mode === 'map' ? (this.map?.raster ?? null) : this.difference}
        label=${this.rasterLabel(shown)}
        words=${this.mode === 'map' ? this.mapWords : this.differenceWords}
        .under=${isOpaque(this.mapSettings.metric) ? Math.min(1, 2 * this.mapSettings.under) : this.mapSettings.under}
        .cover=${isOpaque(this.mapSettings.metric) ? 1 - this.mapSettings.under : 1}
        .box=${this.mapSettings.metric === 'changed' ? this.mapSettings.box : null}
        ?drawable=${this.mode === 'map' && this.mapSettings.metric === 'changed'}
        ${vars({ '--columns': this.mode === 'side' ? columns(shown.length) : 1 })}
        @juror-view-change=${this.onView}
        @juror-point-pixel=${this.onPixel}
        @juror-split-change=${this.onSplit}
        @juror-box-draw=${this.onBox}
        @juror-sizes=${this.onSizes}
      ></juror-stage>
      ${this.renderFacts(shown)} ${this.slides.length < 2 ? nothing : this.renderStrip()}
    </dialog>`;
  }

  private renderZoom(): TemplateResult {
    const scale = this.hasUpdated ? (this.stage.settled?.scale ?? null) : null;
    return html`<div class="toolbar zoom" role="group" aria-label="Zoom">
      <button type="button" class="button tiny" aria-label="Smaller" title="Smaller (−)" @click=${() => this.stage.zoom(-1)}>−</button>
      <output class="num small" data-testid="zoom">${scale === null ? '' : percent(scale)}</output>
      <button type="button" class="button tiny" aria-label="Larger" title="Larger (+)" @click=${() => this.stage.zoom(1)}>+</button>
      <button type="button" class="button tiny" aria-pressed=${this.view.scale === 0} title="Fit the window (0)" @click=${() => this.slide(() => (this.view = FIT))}>Fit</button>
      <button type="button" class="button tiny" aria-pressed=${this.view.scale === 1} title="One pixel of the picture is one pixel of the screen (Z)" @click=${() => this.stage.oneToOne()}>1:1</button>
    </div>`;
  }

  private renderTools(): TemplateResult {
    return html`<div class="tools">
      ${this.renderPick(0)}
      <button type="button" class="button tiny" title="Swap A and B (X)" @click=${this.swap}>Swap</button>
      ${this.renderPick(1)}
      ${this.renderModeTools()}
    </div>`;
  }

  private renderPick(which: 0 | 1): TemplateResult {
    const name = which === 0 ? 'A' : 'B';
    return html`<label
      >${name}
      <select class="field" data-testid="pick-${name.toLowerCase()}" aria-label="Picture ${name}" @change=${(event: Event) => this.pick(which, Number((event.target as HTMLSelectElement).value))}>
        ${this.slides.map(({ label, file }, at) => html`<option value=${at} ?selected=${this.picks[which] === at} .selected=${this.picks[which] === at}>${label}${file === null ? ' (missing)' : ''}</option>`)}
      </select></label
    >`;
  }

  private renderModeTools(): TemplateResult | typeof nothing {
    const range = (event: Event): number => Number((event.target as HTMLInputElement).value);
    switch (this.mode) {
      case 'swipe': {
        const at = Math.round(this.split * 100);
        return html`<label>Line <input type="range" min="0" max="100" data-testid="swipe" .value=${String(at)} aria-valuetext="${at} %: A left of the line, B right of it" @input=${(event: Event) => this.slide(() => (this.split = range(event) / 100))} /><output class="num small">${at} %</output></label>`;
      }
      case 'onion': {
        const at = Math.round(this.opacity * 100);
        return html`<label>B over A <input type="range" min="0" max="100" data-testid="onion" .value=${String(at)} aria-valuetext="B is ${at} % opaque" @input=${(event: Event) => this.slide(() => (this.opacity = range(event) / 100))} /><output class="num small">${at} %</output></label>`;
      }
      case 'difference': {
        const gain = GAINS[this.gain] ?? 1;
        return html`<label>Gain <input type="range" min="0" max=${GAINS.length - 1} data-testid="gain" .value=${String(this.gain)} aria-valuetext="Differences are shown ${gain} times as large" @input=${(event: Event) => this.slide(() => (this.gain = range(event)))} /><output class="num small">× ${gain}</output></label>
          <label>Count above <input class="field" type="number" min="0" max="254" step="1" data-testid="tolerance" title="A pixel differs where a channel differs by more than this" .value=${String(this.tolerance)} @input=${(event: Event) => this.slide(() => (this.tolerance = Math.min(254, Math.max(0, Math.floor(range(event)) || 0))))} /></label>`;
      }
      case 'map':
        return html`<juror-map-tools .settings=${this.mapSettings} .frame=${this.hasUpdated ? this.stage.frame : null} ?ready=${this.map !== null} @juror-map-settings=${this.onMapSettings} @juror-map-download=${this.downloadMap}></juror-map-tools>`;
      case 'blink':
        return html`<button type="button" class="button tiny" data-testid="blink" aria-pressed=${this.isBlinking} title="Space shows the other one" @click=${this.toggleBlink}>${this.isBlinking ? 'Stop' : 'Blink'}</button>
          <button type="button" class="button tiny" data-testid="blink-other" @click=${this.turn}>Show ${this.phase === 0 ? 'B' : 'A'}</button>
          <label>Every <input type="range" min=${BLINK_MS.min} max=${BLINK_MS.max} step="100" data-testid="blink-speed" .value=${String(this.blinkMs)} aria-valuetext="${this.blinkMs / 1000} seconds" @input=${this.onSpeed} /><output class="num small">${(this.blinkMs / 1000).toFixed(1)} s</output></label>`;
      default:
        return nothing;
    }
  }

  /** Sizes, what was rescaled, how pixels are drawn, and the values below the cursor. */
  private renderFacts(shown: Slide[]): TemplateResult {
    return html`<div class="facts">
      <div class="words">
        ${this.mode === 'difference' ? html`<p role="status" data-testid="difference">${this.differenceFacts()}</p>` : nothing}
        ${this.mode === 'map' ? html`<p role="status" data-testid="map-facts">${this.mapFacts()}</p>` : nothing}
        <p data-testid="facts">${this.sizeFacts(shown)} ${this.scaleFacts()}</p>
      </div>
      <p class="pixel num" data-testid="pixel">${this.renderPixel(shown)}</p>
    </div>`;
  }

  private differenceFacts(): TemplateResult | typeof nothing {
    const found = this.difference;
    if (found === null) return nothing;
    const different = differing(found, this.tolerance);
    const above = this.tolerance === 0 ? 'differ' : `differ by more than ${this.tolerance} in a channel`;
    const share = different === 0 ? '' : ` (${shareWords(different / found.compared)})`;
    const channels = found.isTranslucent ? 4 : 3;
    const list = (values: number[], text: (value: number) => string): string =>
      ['R', 'G', 'B', 'A']
        .slice(0, channels)
        .map((name, at) => `${name} ${text(values[at] ?? 0)}`)
        .join(', ');
    return html`<b data-testid="differing">${count(different)} of ${count(found.compared)} pixels ${above}${share}.</b>
      Largest difference ${list(found.largest, String)}; mean ${list(found.mean, (value) => value.toFixed(2))}, of 255.
      The browser decoded both; colour profiles are not applied.${found.isTranslucent ? ' Where a picture is transparent, its colours are rounded.' : ''}`;
  }

  private sizeFacts(shown: Slide[]): string {
    if (!this.hasUpdated) return '';
    const { frame } = this.stage;
    if (frame === null) return '';
    const isPair = isTwo(this.mode);
    const names = shown.map(({ label }, at) => (isPair ? (at === 0 ? 'A' : 'B') : label));
    const sizes = shown.map((slide) => this.stage.sizeOf(slide));
    if (this.mode === 'one') return sizes[0] == null ? '' : `${sizeWords(sizes[0])} pixels.`;
    const fits = sizes.flatMap((size, at) => {
      const words = size === null ? '' : fitWords(size, frame);
      return words === '' || size === null ? [] : [`${names[at] ?? ''} (${sizeWords(size)}) is laid into the frame of ${names[0] ?? ''}: ${words}.`];
    });
    const missing = shown.flatMap(({ file }, at) => (file === null ? [`${names[at] ?? ''} is missing.`] : []));
    if (fits.length === 0) return [`All ${sizeWords(frame)} pixels, not rescaled.`, ...missing].join(' ');
    const rule =
      this.mode === 'difference'
        ? ' The browser resampled it; only what both cover is compared.'
        : this.mode === 'map'
          ? ' For the map, B was brought to the size of A by Pillow’s bicubic, as metrics do with “resized”.'
          : '';
    return [`The frame is ${sizeWords(frame)}.`, ...fits, ...missing].join(' ') + rule;
  }

  private scaleFacts(): string {
    const settled = this.hasUpdated ? this.stage.settled : null;
    if (settled === null) return '';
    if (settled.scale < 1) return `Shown at ${percent(settled.scale)}, smoothed by the browser.`;
    return `Shown at ${percent(settled.scale)}${Number.isInteger(settled.scale) ? `: a pixel is ${settled.scale} × ${settled.scale} of the screen’s` : ''}, not smoothed.`;
  }

  private renderPixel(shown: Slide[]): TemplateResult | typeof nothing {
    const { pixel } = this;
    if (pixel === null) return nothing;
    const name = (at: number): string => (isTwo(this.mode) ? (at === 0 ? 'A' : 'B') : shown.length === 1 ? '' : (shown[at]?.label ?? ''));
    const text = (values: number[] | null): string =>
      values === null ? 'outside' : (values[3] === 255 ? values.slice(0, 3) : values).map((value) => String(value).padStart(3, '\u2007')).join(' ');
    const [first, second] = pixel.values;
    const { map } = this;
    const held = this.mode === 'map' && map !== null ? placeWords(map.map, this.mapSettings.metric, pixel.x, pixel.y) : '';
    const apart = this.mode === 'difference' && first != null && second != null ? first.map((value, at) => Math.abs(value - (second[at] ?? 0))) : null;
    return html`<span>x ${pixel.x}, y ${pixel.y}</span>${pixel.values.map((values, at) => html`<span>${name(at)} ${text(values)}</span>`)}${held === '' ? nothing : html`<span data-testid="map-place">${held}</span>`}${apart === null ? nothing : html`<span>Δ ${text([...apart.slice(0, 3), apart[3] === 0 ? 255 : (apart[3] ?? 0)])}</span>`}`;
  }

  private renderStrip(): TemplateResult {
    return html`<div class="strip">
      <button type="button" class="button icon" aria-label="Previous picture" title="Previous picture (←)" @click=${() => this.step(-1)}>${icon('left')}</button>
      <ol aria-label="Pictures">
        ${this.slides.map((slide, at) => {
          const place = this.picks.indexOf(at);
          const here = place !== -1 && (this.mode === 'side' || place < (isTwo(this.mode) ? 2 : 1));
          const name = isTwo(this.mode) && here ? (place === 0 ? 'A' : 'B') : '';
          return html`<li>
            <button type="button" class=${here ? 'here' : ''} aria-pressed=${here} title=${isTwo(this.mode) ? `${slide.label}: take as B` : slide.label} @click=${() => this.choose(at)}>
              <juror-picture .file=${slide.file} alt=""></juror-picture>
              ${name === '' ? nothing : html`<span class="badge">${name}</span>`}<span class="label">${slide.label}</span>
            </button>
          </li>`;
        })}
      </ol>
      <button type="button" class="button icon" aria-label="Next picture" title="Next picture (→)" @click=${() => this.step(1)}>${icon('right')}</button>
    </div>`;
  }

  /** The pictures on the stage. */
  private shown(): Slide[] {
    const most = this.mode === 'one' ? 1 : isTwo(this.mode) ? 2 : MAX_SIDE;
    return this.picks.slice(0, most).flatMap((at) => this.slides[at] ?? []);
  }

  private panes(slides: Slide[]): Slide[] {
    const key = slides.map(({ file, label, path }) => `${file} ${label} ${path}`).join('\n');
    if (key !== this.#panes.key) this.#panes = { key, slides };
    return this.#panes.slides;
  }

  private setMode(mode: Mode, how: 'told' | 'quiet' = 'told'): void {
    const least = mode === 'one' ? 1 : 2;
    const current = this.picks[0];
    if (this.picks.length < least) {
      const others = [...this.#usual, ...this.slides.keys()].filter((at) => at !== current && this.slides[at]?.file !== null);
      // An output is compared with what it should be: that comes first.
      const [reference] = this.#usual;
      const isOutput = current !== undefined && this.slides[current]?.model !== undefined;
      const all =
        current === undefined
          ? others
          : isOutput && reference !== undefined && reference !== current && least === 2
            ? [reference, current, ...others]
            : [current, ...others];
      this.picks = [...new Set(all)].slice(0, mode === 'side' ? Math.max(2, new Set([...this.#usual, current]).size) : least);
    }
    if (mode !== 'difference') this.forgetDifference();
    if (mode !== 'map') this.forgetMap();
    if (mode !== this.mode) this.pixel = null;
    this.mode = mode;
    this.phase = 0;
    this.blink(mode === 'blink' && !matchMedia('(prefers-reduced-motion: reduce)').matches);
    if (how === 'told') this.tell();
  }

  private pick(which: 0 | 1, at: number): void {
    const picks = [...this.picks];
    const other = which === 0 ? 1 : 0;
    // Choosing the other one's picture swaps them.
    if (picks[other] === at) picks[other] = picks[which] ?? at;
    picks[which] = at;
    this.picks = picks.filter((one, place) => picks.indexOf(one) === place);
    this.tell();
  }

  private choose(at: number): void {
    if (isTwo(this.mode)) {
      this.pick(1, at);
      return;
    }
    if (this.mode === 'one') this.picks = [at];
    else if (!this.picks.includes(at)) this.picks = [...this.picks, at].slice(-MAX_SIDE);
    else if (this.picks.length > 1) this.picks = this.picks.filter((one) => one !== at);
    this.tell();
  }

  /** The next picture: of all, or as B. */
  private step(by: number): void {
    const total = this.slides.length;
    const at = this.picks[isTwo(this.mode) ? 1 : 0] ?? 0;
    let next = (at + by + total) % total;
    if (isTwo(this.mode) && next === this.picks[0]) next = (next + by + total) % total;
    if (this.mode === 'side') this.setMode('one', 'quiet');
    this.choose(next);
  }

  private readonly swap = (): void => {
    const [first, second, ...rest] = this.picks;
    if (first === undefined || second === undefined) return;
    this.picks = [second, first, ...rest];
    this.tell();
  };

  private tell(isChoice = true): void {
    clearTimeout(this.#resting);
    this.#resting = undefined;
    if (isChoice) this.pixel = null;
    const see = this.see();
    this.#seen = JSON.stringify(see);
    this.dispatchEvent(new SeeChange(see, isChoice));
  }

  /** Changes what moves bit by bit; the address follows once it rests. */
  private slide(change: () => void): void {
    change();
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.tell(false), REST_MS);
  }

  /** Tells what still waits to be told. */
  private settle(): void {
    if (this.#resting !== undefined) this.tell(false);
  }

  private see(): ViewerState {
    const settings = this.settings();
    return {
      mode: this.mode,
      pictures: this.picks.flatMap((place) => (this.slides[place] === undefined ? [] : [keyOf(this.slides[place], this.slides)])),
      at: this.view.scale === 0 ? '' : viewText(this.stage.settled ?? this.view),
      ...(this.mode === 'map' ? { map: this.mapSettings.metric } : {}),
      ...(Object.keys(settings).length === 0 ? {} : { settings }),
    };
  }

  /** How the mode is set, where it is not as usual. */
  private settings(): Partial<ViewerSettings> {
    const unless = <Key extends keyof ViewerSettings>(key: Key, value: ViewerSettings[Key], usual: ViewerSettings[Key]): Partial<ViewerSettings> =>
      value === usual ? {} : { [key]: value };
    switch (this.mode) {
      case 'swipe':
        return unless('split', Math.round(this.split * 100), 50);
      case 'onion':
        return unless('over', Math.round(this.opacity * 100), 50);
      case 'difference':
        return { ...unless('gain', GAINS[this.gain] ?? 1, 1), ...unless('above', this.tolerance, 0) };
      case 'blink':
        return unless('pace', this.blinkMs, BLINK_MS.first);
      case 'map': {
        const { metric, under, threshold, box, mask } = this.mapSettings;
        const seen = unless('under', Math.round(under * 100), Math.round(MAPS[metric].under * 100));
        if (metric !== 'changed') return seen;
        const named = mask?.name ?? this.lostMask;
        return { ...seen, ...unless('above', threshold, USUAL_MAP.threshold), ...(box === null ? {} : { box }), ...(named === '' ? {} : { mask: named }) };
      }
      default:
        return {};
    }
  }

  /** Sets the mode as it is asked for, and as usual where nothing is. */
  private takeSettings({ mode, map, settings = {} }: ViewerState): void {
    const { split = 50, over = 50, gain = 1, pace = BLINK_MS.first, box = null, mask: name = '' } = settings;
    switch (mode) {
      case 'swipe':
        this.split = split / 100;
        break;
      case 'onion':
        this.opacity = over / 100;
        break;
      case 'difference':
        this.gain = Math.max(0, GAINS.indexOf(gain));
        this.tolerance = settings.above ?? 0;
        break;
      case 'blink':
        this.blinkMs = pace;
        break;
      case 'map': {
        const metric = map ?? USUAL_MAP.metric;
        const { mask } = this.mapSettings;
        const isHere = mask !== null && mask.name === name;
        this.lostMask = isHere ? '' : name;
        this.mapSettings = {
          metric,
          under: settings.under === undefined ? MAPS[metric].under : settings.under / 100,
          threshold: settings.above ?? USUAL_MAP.threshold,
          box: name === '' ? box : null,
          mask: isHere ? mask : null,
        };
      }
    }
  }

  /** An address may name a part that reaches beyond the picture. */
  private readonly onSizes = (): void => {
    const { frame } = this.stage;
    const { box } = this.mapSettings;
    const inside = frame === null || box === null ? box : within(box, frame);
    if (inside !== null && inside.join() !== box?.join()) this.mapSettings = { ...this.mapSettings, box: inside };
    this.requestUpdate();
  };

  private readonly onCopy = (): void => {
    this.dispatchEvent(new CopySeen(this.see()));
  };

  private compare(): void {
    const [first, second] = this.shown();
    const question = `${first?.file} ${second?.file}`;
    if (question === this.#compared) return;
    this.#compared = question;
    this.difference = null;
    if (first?.file == null || second?.file == null) {
      this.differenceWords = 'There is nothing to compare: a picture is missing.';
      return;
    }
    this.differenceWords = 'Comparing…';
    this.#comparer.compare(this.client, first.file, second.file).then(
      (found) => {
        if (this.#compared === question && found !== null) this.difference = found;
      },
      (error: unknown) => {
        if (this.#compared === question) this.differenceWords = `These pictures cannot be compared: ${error instanceof Error ? error.message : String(error)}`;
      },
    );
  }

  private forgetDifference(): void {
    this.#compared = '';
    this.difference = null;
  }

  /** Asks for what the settings call for and is not there yet. */
  private makeMap(): void {
    const [first, second] = this.shown();
    const { metric, threshold, box, mask } = this.mapSettings;
    const pair = `${first?.file} ${second?.file}`;
    const [question, count] = [
      `${pair} ${metric}`,
      `${pair} ${threshold} ${box?.join() ?? ''} ${mask === null ? '' : `${mask.name} ${mask.size} ${mask.lastModified}`}`,
    ];
    if (first?.file == null || second?.file == null) {
      this.forgetMap();
      this.mapWords = 'There is nothing to compare: a picture is missing.';
      return;
    }
    if (question !== this.#mapped) {
      this.#mapped = question;
      this.map = null;
      this.mapWords = 'Measuring…';
      this.#mapper.map(this.client, first.file, second.file, metric).then(
        (map) => {
          if (this.#mapped === question) this.map = seenMap(map, this.mapSettings);
        },
        (error: unknown) => {
          if (this.#mapped === question) this.mapWords = `There is no map of these pictures: ${messageOf(error)}`;
        },
      );
    }
    if (metric !== 'changed' || count === this.#changed) return;
    this.#changed = count;
    this.#mapper.change(this.client, first.file, second.file, this.mapSettings).then(
      (change) => {
        if (this.#changed !== count) return;
        this.change = change;
        this.changeProblem = '';
      },
      // Without a mask the map itself says what is wrong.
      (error: unknown) => {
        if (this.#changed !== count) return;
        this.change = null;
        this.changeProblem = mask === null ? '' : messageOf(error);
      },
    );
  }

  private forgetMap(): void {
    this.#mapped = '';
    this.#changed = '';
    this.map = null;
    this.change = null;
  }

  private readonly onMapSettings = (event: Event): void => {
    if (event instanceof MapSettingsChange) this.setMap(event.settings);
  };

  private setMap(settings: MapSettings): void {
    const before = this.mapSettings;
    this.mapSettings = settings;
    if (settings.mask !== null || settings.box !== null) this.lostMask = '';
    const isChoice = settings.metric !== before.metric || (settings.box === null) !== (before.box === null) || settings.mask !== before.mask;
    if (isChoice) this.tell();
    else this.slide(() => undefined);
    if (settings.metric === before.metric && settings.threshold !== before.threshold && this.map !== null)
      this.map = { ...this.map, raster: painted(this.map.map, settings) };
  }

  private readonly onBox = (event: Event): void => {
    const { frame } = this.stage;
    if (event instanceof BoxDraw && frame !== null) this.setMap({ ...this.mapSettings, box: within(event.box, frame), mask: null });
  };

  private readonly downloadMap = (): void => {
    if (this.map !== null) download(this, npy(this.map.map), 'npy', 'map', this.mapSettings.metric);
  };

  private rasterLabel(shown: Slide[]): string {
    const names = `${shown[0]?.label ?? 'A'} and ${shown[1]?.label ?? 'B'}`;
    return this.mode === 'map' ? `${MAPS[this.mapSettings.metric].label} of ${names}` : `Absolute difference of ${names}`;
  }

  /** The number that the map adds up to, and what stands out. */
  private mapFacts(): TemplateResult | typeof nothing {
    const { change } = this;
    const { metric, threshold, mask } = this.mapSettings;
    if (this.map === null) return nothing;
    const lost =
      this.lostMask === ''
        ? nothing
        : html` <span class="lost" data-testid="lost-mask">The link names the mask “${this.lostMask}”, a picture on its author’s disk, which a link cannot contain: all pixels are counted until you choose the mask with Mask….</span>`;
    const { map, counts } = this.map;
    const value = html`<b><code>${metric}</code> <span data-testid="map-value">${map.value}</span></b>`;
    if (metric === 'edge_mse') {
      const [a = 0, b = 0, both = 0] = counts;
      return html`${value}, Canny 100/200 on OpenCV’s grey. Edge pixels: ${count(a)} of A alone, ${count(b)} of B alone, ${count(both)} of both.`;
    }
    if (metric === 'changed') {
      if (change === null) return html`${value}. ${this.changeProblem}${lost}`;
      const part = (name: string, words: string): TemplateResult => html`<b>${name}</b> ${words}. `;
      const all = extentWords(change);
      return html`${threshold === 16 ? html`${value}. ` : nothing}Differing by more than ${threshold}:
        ${change.inside !== null && change.outside !== null ? html`${part(mask === null ? 'inside the box' : 'inside the mask', partWords(change.inside))}${part('outside', partWords(change.outside))}` : part('all', partWords(change.whole))}${all === '' ? '' : `All of it lies within ${all}.`}${lost}`;
    }
    const task = taskOf(metric);
    if (task !== null) return html`<b>${MAPS[metric].label}</b>, as the network of the open pack for <code>${task}</code> paints it, at A’s size.`;
    const [lowest, x, y] = map.lowest ?? [NaN, 0, 0];
    const [low = 0] = counts;
    return html`${value}, the mean over ${count(map.places.length)} windows and the channels. ${low === 0 ? 'No window is below 0.5.' : `${shareWords(low / map.places.length)} of windows are below 0.5.`}
      Lowest ${lowest.toFixed(6)} <button type="button" class="button tiny" data-testid="map-lowest" @click=${() => this.stage.goTo(x, y)}>at x ${x}, y ${y}</button>`;
  }

  private blink(on: boolean): void {
    clearInterval(this.#timer);
    this.isBlinking = on;
    if (on) this.#timer = setInterval(this.turn, this.blinkMs);
  }

  private readonly turn = (): void => {
    this.phase = this.phase === 0 ? 1 : 0;
  };

  private readonly toggleBlink = (): void => this.blink(!this.isBlinking);

  private readonly onSpeed = (event: Event): void => {
    this.slide(() => (this.blinkMs = Number((event.target as HTMLInputElement).value)));
    this.blink(this.isBlinking);
  };

  private readonly onView = (event: Event): void => {
    if (event instanceof ViewChange) this.slide(() => (this.view = event.view));
  };

  private readonly onSplit = (event: Event): void => {
    if (event instanceof SplitChange) this.slide(() => (this.split = event.split));
  };

  private readonly onPixel = (event: Event): void => {
    if (event instanceof PointPixel) void this.readPixel(event.at);
  };

  private async readPixel(at: { x: number; y: number } | null): Promise<void> {
    const mine = ++this.#pointed;
    const shown = this.shown();
    if (at === null) {
      this.pixel = null;
      return;
    }
    const values = await Promise.all(
      shown.map(async (slide) => {
        const place = this.stage.pixelOf(slide, at);
        return place === null || slide.file === null ? null : await this.#comparer.pixel(this.client, slide.file, place.x, place.y);
      }),
    );
    if (mine === this.#pointed) this.pixel = { x: Math.floor(at.x), y: Math.floor(at.y), values };
  }

  /** Comes a moment after the closing: another address may have opened it since. */
  private readonly onClosed = (): void => {
    const isOpenAgain = this.#isOpenAgain;
    this.#isOpenAgain = false;
    if (isOpenAgain) return;
    this.blink(false);
    this.forgetDifference();
    this.forgetMap();
    this.#comparer.clear();
    this.#mapper.clear();
    this.pixel = null;
    clearTimeout(this.#resting);
    this.#resting = undefined;
    this.#seen = '';
    this.dispatchEvent(new Event('juror-viewer-closed'));
  };

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.composedPath()[0];
    const isRange = target instanceof HTMLInputElement && target.type === 'range';
    const isRadio = target instanceof HTMLInputElement && target.type === 'radio';
    if (target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === 'number')) return;
    const isArrow = event.key.startsWith('Arrow');
    if ((isRange || isRadio) && (isArrow || ['Home', 'End', 'PageUp', 'PageDown'].includes(event.key))) return;
    const action = isArrow ? this.arrow(event.key) : this.command(event.key, target instanceof HTMLButtonElement);
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  private arrow(key: string): (() => void) | undefined {
    const directions: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const [x, y] = directions[key] ?? [0, 0];
    if (this.stage.movable) return () => this.stage.move(x, y);
    return x === 0 ? undefined : () => this.step(x);
  }

  private command(key: string, onButton: boolean): (() => void) | undefined {
    const mode = MODES.find((one) => WORDS[one].key === key.toLowerCase());
    if (mode !== undefined) return this.slides.length < 2 ? undefined : () => this.setMode(mode);
    if (/^[1-9]$/.test(key)) return () => this.chooseModel(Number(key) - 1);
    const actions: Record<string, (() => void) | undefined> = {
      '+': () => this.stage.zoom(1),
      '=': () => this.stage.zoom(1),
      '-': () => this.stage.zoom(-1),
      '0': () => this.slide(() => (this.view = FIT)),
      z: () => this.stage.oneToOne(),
      x: isTwo(this.mode) ? this.swap : undefined,
      ' ': this.mode === 'blink' && !onButton ? this.showOther : undefined,
      PageUp: () => this.step(-1),
      PageDown: () => this.step(1),
      j: this.addressed ? () => this.stepSample(1) : undefined,
      k: this.addressed ? () => this.stepSample(-1) : undefined,
      '?': () => this.dispatchEvent(new Event('juror-ask-help', { bubbles: true, composed: true })),
    };
    return actions[key.length === 1 ? key.toLowerCase() : key];
  }

  private stepSample(by: 1 | -1): void {
    this.settle();
    this.dispatchEvent(new StepSample(by));
  }

  private readonly showOther = (): void => {
    this.blink(false);
    this.turn();
  };

  /** The n-th model's output beside or instead of the one shown; where there are no models, the n-th picture. */
  private chooseModel(index: number): void {
    const models = [...new Set(this.slides.flatMap(({ model }) => (model === undefined ? [] : [model])))];
    if (models.length === 0) {
      if (index < this.slides.length) this.choose(index);
      return;
    }
    const model = models[index];
    if (model === undefined) return;
    // Of a dialogue, the output of the turn that is looked at.
    const turns = this.picks.map((at) => turnOf(this.slides[at])).filter((turn) => turn !== '');
    const mine = [...this.slides.keys()].filter((at) => this.slides[at]?.model === model);
    const at = mine.find((one) => turns.includes(turnOf(this.slides[one]))) ?? mine[0];
    if (at !== undefined) this.choose(at);
  }
}

const isTwo = (mode: Mode): boolean => mode !== 'one' && mode !== 'side';

/** The key of a slide; its place where it has none. */
const keyOf = (slide: Slide, slides: Slide[]): string => slide.key ?? String(slides.indexOf(slide));

/** The turn in the key of an output: `o2.model`. */
const turnOf = (slide: Slide | undefined): string => /^o(\d+)\./.exec(slide?.key ?? '')?.[1] ?? '';

/** As many columns as keep panes of a window about square. */
function columns(panes: number): number {
  const isNarrow = matchMedia('(max-width: 760px)').matches;
  if (panes <= 1) return 1;
  if (isNarrow) return panes <= 3 ? 1 : 2;
  return panes <= 4 ? (panes === 4 && innerWidth < 1000 ? 2 : panes) : Math.ceil(panes / 2);
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-lightbox': JurorLightbox;
  }
}
