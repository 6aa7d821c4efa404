import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { vars } from '../../state/vars';
import type { EngineClient } from '../../engine/client';
import { base, controls, dialogs } from '../../styles/base.styles';
import { FIT, viewOf, viewText, type View } from '../compare-pictures/geometry';
import { MapSettingsChange, within } from '../compare-pictures/map-tools';
import '../compare-pictures/map-tools';
import { MAPS, isOpaque, npy, type MapSettings } from '../compare-pictures/maps';
import type { Mode, Slide, ViewerState } from '../compare-pictures/slides';
import { BoxDraw, PointPixel, SplitChange, ViewChange, type JurorStage } from '../compare-pictures/stage';
import '../compare-pictures/stage';
import { download } from '../events';
import { icon } from '../icon/icon';
import { Blinking } from './blinking';
import { CopySeen, SeeChange, StepSample } from './events';
import { differenceFacts, pixelFacts, scaleFacts, sizeFacts } from './facts';
import { modeChoice, zoomTools } from './head';
import { actionOf, type KeyTarget } from './keys';
import { styles } from './lightbox.styles';
import { mapFacts } from './map-facts';
import { MapMeasurement } from './map-measurement';
import { USUAL_SETTINGS, gainOf, takenSettings, unusualSettings, type ModeSettings } from './mode-settings';
import { blinkTools, differenceTools, onionTools, pictureChoice, swipeTools, type BlinkActions } from './mode-tools';
import { chosen, isTwo, keyOf, nextPlace, onStage, picksFor, placeOfModel, placesOf, replaced, type Picked } from './picks';
import { pictureStrip } from './picture-strip';
import { PixelComparison } from './pixel-comparison';

/** What moves bit by bit is reported once it rests so long. */
const REST_MS = 250;

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
  /** Whether what is shown has an address, and samples around it. */
  @property({ type: Boolean }) addressed = false;
  @state() private slides: Slide[] = [];
  @state() private mode: Mode = 'one';
  /** Places in `slides`. */
  @state() private picks: number[] = [];
  @state() private view: View = FIT;
  @state() private settings: ModeSettings = USUAL_SETTINGS;
  @query('dialog') private dialog!: HTMLDialogElement;
  @query('juror-stage') private stage!: JurorStage;
  readonly #blinking = new Blinking(this);
  readonly #comparison = new PixelComparison(this);
  readonly #measurement = new MapMeasurement(this, () => this.settings.map);
  /** What to compare where only one picture is chosen. */
  #usual: number[] = [];
  #seen = '';
  /** Whether it was opened for another address before its closing was reported. */
  #isOpenAgain = false;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #chosen = '';
  /** The panes, kept while they are the same, so that the stage need not look at them again. */
  #panes: { key: string; slides: Slide[] } = { key: '', slides: [] };

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#resting);
  }

  /** Shows these pictures; where the same is asked for again nothing happens. `usual`: keys to compare where one picture is chosen. */
  show(slides: Slide[], see: ViewerState, usual: string[] = []): void {
    this.#usual = placesOf(usual, slides);
    const files = (some: Slide[]): string => some.map(({ file, key }) => `${file} ${key}`).join('\n');
    const isSame = files(slides) === files(this.slides);
    if (!isSame) this.slides = slides;
    const seen = JSON.stringify(see);
    // Its reader has closed it, and the page is about to learn of it.
    const isClosing = !this.dialog.open && this.#seen !== '';
    if (isClosing && this.addressed && seen === this.#seen) return;
    this.#isOpenAgain ||= isClosing;
    if (!isSame || seen !== this.#seen) {
      this.#seen = seen;
      this.picks = placesOf(see.pictures, slides);
      this.stopResting();
      this.settings = takenSettings(this.settings, see);
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
    if (this.mode === 'difference' && this.dialog.open) this.#comparison.compare(this.client, onStage(this.picked));
    if (this.mode === 'map' && this.dialog.open) this.#measurement.measure(this.client, onStage(this.picked));
    // Only a new choice moves the strip: while one looks on, nothing scrolls by itself.
    const chosen = this.picks.join();
    if (chosen === this.#chosen) return;
    this.#chosen = chosen;
    this.renderRoot.querySelector('.strip .here')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  override render(): TemplateResult {
    const shown = onStage(this.picked);
    const [first] = shown;
    const isPair = isTwo(this.mode);
    const title = this.mode === 'one' ? (first?.label ?? 'Picture') : isPair ? 'Two pictures' : `${shown.length} pictures`;
    const areSeveral = this.slides.length > 1;
    return html`<dialog aria-labelledby="title" data-testid="viewer" @keydown=${this.onKey} @close=${this.onClosed}>
      <div class="dialog-head">
        <h2 id="title"><bdi>${title}</bdi> ${this.mode === 'one' ? html`<span class="path muted small" dir="auto">${first?.path ?? ''}</span>` : nothing}</h2>
        ${modeChoice(this.mode, areSeveral, (mode) => this.setMode(mode))}
        ${zoomTools(this.view, this.drawn?.settled?.scale ?? null, this.actions)}
        ${this.addressed ? html`<button type="button" class="button quiet icon" aria-label="Copy the address of this view" title="Copy the address of this view" @click=${this.onCopy}>${icon('link')}</button>` : nothing}
        <button type="button" class="button quiet icon close" aria-label="Close" @click=${() => this.dialog.close()}>${icon('close')}</button>
      </div>
      ${isPair ? this.renderTools() : nothing}
      ${this.renderStage(shown)}
      ${this.renderFacts(shown)} ${areSeveral ? pictureStrip(this.picked, this.actions.choose, this.actions.step) : nothing}
    </dialog>`;
  }

  private renderStage(shown: Slide[]): TemplateResult {
    const { map, split, opacity } = this.settings;
    const isMap = this.mode === 'map';
    return html`<juror-stage
        .client=${this.client}
        tabindex="0"
        role="group"
        aria-label="Pictures. Plus and minus zoom, arrows move, 0 fits."
        .slides=${this.panes(shown)}
        layout=${this.mode === 'one' ? 'side' : this.mode}
        .view=${this.view}
        .split=${split}
        .opacity=${opacity}
        .phase=${this.#blinking.phase}
        .gain=${gainOf(this.settings)}
        .raster=${isMap ? (this.#measurement.map?.raster ?? null) : this.#comparison.difference}
        label=${this.rasterLabel(shown)}
        words=${isMap ? this.#measurement.words : this.#comparison.words}
        .under=${isOpaque(map.metric) ? Math.min(1, 2 * map.under) : map.under}
        .cover=${isOpaque(map.metric) ? 1 - map.under : 1}
        .box=${map.metric === 'changed' ? map.box : null}
        ?drawable=${isMap && map.metric === 'changed'}
        ${vars({ '--columns': this.mode === 'side' ? columns(shown.length) : 1 })}
        @juror-view-change=${this.onView}
        @juror-point-pixel=${this.onPixel}
        @juror-split-change=${this.onSplit}
        @juror-box-draw=${this.onBox}
        @juror-sizes=${this.onSizes}
      ></juror-stage>`;
  }

  private renderTools(): TemplateResult {
    return html`<div class="tools">
      ${this.renderPick(0)}
      <button type="button" class="button tiny" title="Swap A and B (X)" @click=${this.actions.swap}>Swap</button>
      ${this.renderPick(1)}
      ${this.renderModeTools()}
    </div>`;
  }

  private renderPick(which: 0 | 1): TemplateResult {
    return pictureChoice(which, this.slides, this.picks[which], (at) => this.take(replaced(this.picks, which, at)));
  }

  private renderModeTools(): TemplateResult | typeof nothing {
    switch (this.mode) {
      case 'swipe':
        return swipeTools(this.settings, this.change);
      case 'onion':
        return onionTools(this.settings, this.change);
      case 'difference':
        return differenceTools(this.settings, this.change);
      case 'map':
        return html`<juror-map-tools .settings=${this.settings.map} .frame=${this.drawn?.frame ?? null} ?ready=${this.#measurement.map !== null} @juror-map-settings=${this.onMapSettings} @juror-map-download=${this.downloadMap}></juror-map-tools>`;
      case 'blink':
        return blinkTools(this.settings, this.#blinking, this.blinkActions);
      default:
        return nothing;
    }
  }

  /** Sizes, what was rescaled, how pixels are drawn, and the values below the cursor. */
  private renderFacts(shown: Slide[]): TemplateResult {
    const { difference, pixel } = this.#comparison;
    const { map, change, problem } = this.#measurement;
    const { map: settings, lostMask, tolerance } = this.settings;
    const { drawn } = this;
    const frame = drawn?.frame ?? null;
    const sizes =
      drawn === null || frame === null
        ? ''
        : sizeFacts(
            this.mode,
            shown,
            shown.map((slide) => drawn.sizeOf(slide)),
            frame,
          );
    const scale = drawn?.settled?.scale;
    const goTo = (x: number, y: number): void => this.stage.goTo(x, y);
    return html`<div class="facts">
      <div class="words">
        ${this.mode === 'difference' ? html`<p role="status" data-testid="difference">${difference === null ? nothing : differenceFacts(difference, tolerance)}</p>` : nothing}
        ${this.mode === 'map' ? html`<p role="status" data-testid="map-facts">${mapFacts({ map, settings, change, problem, lostMask, goTo })}</p>` : nothing}
        <p data-testid="facts">${sizes} ${scale === undefined ? '' : scaleFacts(scale)}</p>
      </div>
      <p class="pixel num" data-testid="pixel">${pixel === null ? nothing : pixelFacts(pixel, this.mode, shown, map, settings.metric)}</p>
    </div>`;
  }

  private rasterLabel(shown: Slide[]): string {
    const names = `${shown[0]?.label ?? 'A'} and ${shown[1]?.label ?? 'B'}`;
    return this.mode === 'map' ? `${MAPS[this.settings.map.metric].label} of ${names}` : `Absolute difference of ${names}`;
  }

  private get picked(): Picked {
    return { slides: this.slides, picks: this.picks, mode: this.mode };
  }

  /** The stage, once there is one. */
  private get drawn(): JurorStage | null {
    return this.hasUpdated ? this.stage : null;
  }

  private panes(slides: Slide[]): Slide[] {
    const key = slides.map(({ file, label, path }) => `${file} ${label} ${path}`).join('\n');
    if (key !== this.#panes.key) this.#panes = { key, slides };
    return this.#panes.slides;
  }

  private setMode(mode: Mode, how: 'told' | 'quiet' = 'told'): void {
    this.picks = picksFor({ ...this.picked, mode }, this.#usual);
    if (mode !== 'difference') this.#comparison.forget();
    if (mode !== 'map') this.#measurement.forget();
    if (mode !== this.mode) this.#comparison.forgetPixel();
    this.mode = mode;
    this.#blinking.reset();
    if (mode === 'blink' && !matchMedia('(prefers-reduced-motion: reduce)').matches) this.#blinking.start(this.settings.blinkMs);
    if (how === 'told') this.tell();
  }

  private take(picks: number[]): void {
    this.picks = picks;
    this.tell();
  }

  /** What buttons and keys do. */
  private readonly actions = {
    zoom: (by: 1 | -1): void => this.stage.zoom(by),
    oneToOne: (): void => this.stage.oneToOne(),
    fit: (): void => this.look(FIT),
    move: (x: number, y: number): void => this.stage.move(x, y),
    setMode: (mode: Mode): void => this.setMode(mode),
    choose: (at: number): void => this.take(chosen(this.picked, at)),
    chooseModel: (index: number): void => {
      const at = placeOfModel(this.picked, index);
      if (at !== undefined) this.actions.choose(at);
    },
    step: (by: number): void => {
      const next = nextPlace(this.picked, by);
      if (this.mode === 'side') this.setMode('one', 'quiet');
      this.actions.choose(next);
    },
    stepSample: (by: 1 | -1): void => {
      if (this.#resting !== undefined) this.tell(false);
      this.dispatchEvent(new StepSample(by));
    },
    swap: (): void => {
      const [first, second, ...rest] = this.picks;
      if (first !== undefined && second !== undefined) this.take([second, first, ...rest]);
    },
    showOther: this.#blinking.showOther,
    askHelp: (): void => {
      this.dispatchEvent(new Event('juror-ask-help', { bubbles: true, composed: true }));
    },
  };

  private readonly blinkActions: BlinkActions = {
    toggle: () => (this.#blinking.isOn ? this.#blinking.stop() : this.#blinking.start(this.settings.blinkMs)),
    turn: this.#blinking.turn,
    setPace: (blinkMs) => {
      this.change({ blinkMs });
      if (this.#blinking.isOn) this.#blinking.start(blinkMs);
    },
  };

  private onKey(event: KeyboardEvent): void {
    const viewer: KeyTarget = {
      ...this.actions,
      mode: this.mode,
      areSeveral: this.slides.length > 1,
      isAddressed: this.addressed,
      isMovable: this.stage.movable,
    };
    const action = actionOf(event, viewer);
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  private tell(isChoice = true): void {
    this.stopResting();
    if (isChoice) this.#comparison.forgetPixel();
    const see = this.see();
    this.#seen = JSON.stringify(see);
    this.dispatchEvent(new SeeChange(see, isChoice));
  }

  /** The address follows what moves bit by bit once it rests. */
  private tellAtRest(): void {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.tell(false), REST_MS);
  }

  private stopResting(): void {
    clearTimeout(this.#resting);
    this.#resting = undefined;
  }

  private readonly change = (some: Partial<ModeSettings>): void => {
    this.settings = { ...this.settings, ...some };
    this.tellAtRest();
  };

  private look(view: View): void {
    this.view = view;
    this.tellAtRest();
  }

  private see(): ViewerState {
    const settings = unusualSettings(this.mode, this.settings);
    return {
      mode: this.mode,
      pictures: this.picks.flatMap((place) => (this.slides[place] === undefined ? [] : [keyOf(this.slides[place], this.slides)])),
      at: this.view.scale === 0 ? '' : viewText(this.stage.settled ?? this.view),
      ...(this.mode === 'map' ? { map: this.settings.map.metric } : {}),
      ...(Object.keys(settings).length === 0 ? {} : { settings }),
    };
  }

  private readonly onCopy = (): void => {
    this.dispatchEvent(new CopySeen(this.see()));
  };

  private readonly onMapSettings = (event: Event): void => {
    if (event instanceof MapSettingsChange) this.setMap(event.settings);
  };

  private setMap(map: MapSettings): void {
    const { map: before, lostMask } = this.settings;
    this.settings = { ...this.settings, map, lostMask: map.mask !== null || map.box !== null ? '' : lostMask };
    const isChoice = map.metric !== before.metric || (map.box === null) !== (before.box === null) || map.mask !== before.mask;
    if (isChoice) this.tell();
    else this.tellAtRest();
    if (map.metric === before.metric && map.threshold !== before.threshold) this.#measurement.repaint();
  }

  private readonly onBox = (event: Event): void => {
    const { frame } = this.stage;
    if (event instanceof BoxDraw && frame !== null) this.setMap({ ...this.settings.map, box: within(event.box, frame), mask: null });
  };

  private readonly downloadMap = (): void => {
    const { map } = this.#measurement;
    if (map !== null) download(this, npy(map.map), 'npy', 'map', this.settings.map.metric);
  };

  /** An address may name a part that reaches beyond the picture. */
  private readonly onSizes = (): void => {
    const { frame } = this.stage;
    const { map } = this.settings;
    const inside = frame === null || map.box === null ? map.box : within(map.box, frame);
    if (inside !== null && inside.join() !== map.box?.join()) this.settings = { ...this.settings, map: { ...map, box: inside } };
    this.requestUpdate();
  };

  private readonly onView = (event: Event): void => {
    if (event instanceof ViewChange) this.look(event.view);
  };

  private readonly onSplit = (event: Event): void => {
    if (event instanceof SplitChange) this.change({ split: event.split });
  };

  private readonly onPixel = (event: Event): void => {
    if (event instanceof PointPixel) void this.#comparison.point(this.client, onStage(this.picked), event.at, (slide, at) => this.stage.pixelOf(slide, at));
  };

  /** Comes a moment after the closing: another address may have opened it since. */
  private readonly onClosed = (): void => {
    const isOpenAgain = this.#isOpenAgain;
    this.#isOpenAgain = false;
    if (isOpenAgain) return;
    this.#blinking.stop();
    this.#comparison.clear();
    this.#measurement.clear();
    this.stopResting();
    this.#seen = '';
    this.dispatchEvent(new Event('juror-viewer-closed'));
  };
}

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
