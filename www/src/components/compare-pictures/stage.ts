import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { vars } from '../../state/vars';
import type { EngineClient } from '../../engine/client';
import { base } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import { FIT, corner, fitted, percent, settledView, sizeWords, stepped, toFrame, zoomedAt, type Raster, type Size, type View } from './geometry';
import type { Slide } from './slides';
import { styles } from './stage.styles';

/** How pictures lie on the stage. */
export type Layout = 'side' | 'swipe' | 'onion' | 'difference' | 'map' | 'blink';

/** The user moved or zoomed. */
export class ViewChange extends Event {
  readonly view: View;

  constructor(view: View) {
    super('juror-view-change');
    this.view = view;
  }
}

/** The cursor points at a pixel of the frame, or at none. */
export class PointPixel extends Event {
  readonly at: { x: number; y: number } | null;

  constructor(at: { x: number; y: number } | null) {
    super('juror-point-pixel');
    this.at = at;
  }
}

/** The user dragged the dividing line; from 0 to 1. */
export class SplitChange extends Event {
  readonly split: number;

  constructor(split: number) {
    super('juror-split-change');
    this.split = split;
  }
}

/** The user draws a box: left, top, width and height in the frame. */
export class BoxDraw extends Event {
  readonly box: [number, number, number, number];

  constructor(box: [number, number, number, number]) {
    super('juror-box-draw');
    this.box = box;
  }
}

/** A picture of the stage as far as it is known. */
interface Shown {
  url: string;
  size: Size | null;
  problem: string;
  tries: number;
}

const WHEEL_STEP = 400;
/** At this scale single pixels are large enough to step from one to the next. */
const PIXEL_SCALE = 8;

/**
 * @summary Pictures in one frame with one zoom: side by side, or one over the other.
 * @fires juror-view-change - The user zoomed or moved.
 * @fires juror-point-pixel - The cursor points at another pixel.
 * @fires juror-split-change - The user dragged the dividing line.
 * @fires juror-box-draw - The user draws a box, by dragging with Shift.
 * @fires juror-sizes - The sizes of the pictures are known.
 */
@customElement('juror-stage')
export class JurorStage extends LitElement {
  static override styles = [base, styles];

  @property({ attribute: false }) client!: EngineClient;
  /** The pictures: all of them side by side, two where one lies over the other. */
  @property({ attribute: false }) slides: Slide[] = [];
  @property() layout: Layout = 'side';
  @property({ attribute: false }) view: View = FIT;
  /** Swipe: where the line stands, from 0 to 1. */
  @property({ type: Number }) split = 0.5;
  /** Onion: how much of the second picture is seen, from 0 to 1. */
  @property({ type: Number }) opacity = 0.5;
  /** Blink: which picture is seen. */
  @property({ type: Number }) phase: 0 | 1 = 0;
  /** Difference: what it is multiplied by. */
  @property({ type: Number }) gain = 1;
  /** Difference and map: the picture that was computed. */
  @property({ attribute: false }) raster: Raster | null = null;
  /** The same for those who do not see it. */
  @property() label = '';
  /** Difference and map: what is said while there is none. */
  @property() words = '';
  /** Map: how much of the second picture is seen, from 0 to 1. */
  @property({ type: Number }) under = 0;
  /** Map: how much it covers that picture, from 0 to 1. */
  @property({ type: Number }) cover = 1;
  /** Map: a part that is outlined, as left, top, width and height in the frame; with Shift it can be drawn. */
  @property({ attribute: false }) box: readonly [number, number, number, number] | null = null;
  @property({ type: Boolean }) drawable = false;
  @state() private pane: Size | null = null;
  @state() private crossed = false;
  @state() private held = false;
  readonly #shown = new Map<number, Shown>();
  readonly #pointers = new Map<number, { x: number; y: number }>();
  readonly #resize = new ResizeObserver(() => this.measure());
  #dragsSplit = false;
  #drawn: Raster | null = null;
  /** Where a box begins that is being drawn. */
  #boxStart: { x: number; y: number } | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resize.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize.disconnect();
  }

  /** The common frame: the size of the first picture; `null` until it is known. */
  get frame(): Size | null {
    for (const { file } of this.slides) {
      const size = file === null ? null : (this.#shown.get(file)?.size ?? null);
      if (size !== null) return size;
    }
    return null;
  }

  /** The size of a picture, once it is loaded. */
  sizeOf(slide: Slide): Size | null {
    return slide.file === null ? null : (this.#shown.get(slide.file)?.size ?? null);
  }

  /** The view in force, with its scale; `null` until it can be told. */
  get settled(): View | null {
    const { frame, pane } = this;
    return frame === null || pane === null ? null : settledView(this.view, frame, pane);
  }

  /** Zooms by a step around the middle. */
  zoom(by: 1 | -1): void {
    const { settled, pane } = this;
    if (settled !== null && pane !== null) this.zoomTo(stepped(settled.scale, by), pane.width / 2, pane.height / 2);
  }

  /** Shows each pixel of the frame by one pixel of the screen. */
  oneToOne(): void {
    const { pane } = this;
    if (pane !== null) this.zoomTo(1, pane.width / 2, pane.height / 2);
  }

  /** Shows a pixel of the frame in the middle, large. */
  goTo(x: number, y: number): void {
    const { frame, pane, settled } = this;
    if (frame === null || pane === null || settled === null) return;
    const view = settledView({ scale: Math.max(PIXEL_SCALE, settled.scale), x: x + 0.5, y: y + 0.5 }, frame, pane);
    this.change(view);
    // Near a border the pixel is not in the middle.
    this.crossed = Math.abs(view.x - x - 0.5) < 1 && Math.abs(view.y - y - 0.5) < 1;
    this.dispatchEvent(new PointPixel({ x: x + 0.5, y: y + 0.5 }));
  }

  /** Whether there is more than fits. */
  get movable(): boolean {
    const { settled, frame, pane } = this;
    return (
      settled !== null && frame !== null && pane !== null && (frame.width * settled.scale > pane.width + 1 || frame.height * settled.scale > pane.height + 1)
    );
  }

  /** Moves by keys: by one pixel where those are large, else by a tenth of what is seen. */
  move(x: number, y: number): void {
    const { settled, frame, pane } = this;
    if (settled === null || frame === null || pane === null) return;
    const step = settled.scale >= PIXEL_SCALE ? 1 : Math.min(pane.width, pane.height) / settled.scale / 10;
    this.change(settledView({ ...settled, x: settled.x + x * step, y: settled.y + y * step }, frame, pane));
    this.crossed = true;
    this.pointMiddle();
  }

  /** The pixel of a picture that lies at a point of the frame; `null` outside it. */
  pixelOf(slide: Slide, at: { x: number; y: number }): { x: number; y: number } | null {
    const { frame } = this;
    const size = this.sizeOf(slide);
    if (frame === null || size === null) return null;
    const box = fitted(size, frame);
    const x = Math.floor(((at.x - box.left) * size.width) / box.width);
    const y = Math.floor(((at.y - box.top) * size.height) / box.height);
    return x < 0 || y < 0 || x >= size.width || y >= size.height ? null : { x, y };
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('slides')) return;
    const wanted = new Set(this.slides.flatMap(({ file }) => (file === null ? [] : [file])));
    for (const file of this.#shown.keys()) if (!wanted.has(file)) this.#shown.delete(file);
    for (const file of wanted) if (!this.#shown.has(file)) this.load(file, 0);
  }

  protected override updated(): void {
    this.measure();
    const canvas = this.renderRoot.querySelector('canvas');
    if (canvas === null || this.raster === null) {
      this.#drawn = null;
      return;
    }
    if (this.#drawn === this.raster) return;
    this.#drawn = this.raster;
    const { frame, pixels } = this.raster;
    canvas.width = frame.width;
    canvas.height = frame.height;
    canvas.getContext('2d')?.putImageData(new ImageData(pixels, frame.width, frame.height), 0, 0);
  }

  override render(): TemplateResult[] {
    const panes = this.layout === 'side' ? this.slides.map((slide) => [slide]) : [this.slides.slice(0, 2)];
    return panes.map((slides, index) => this.renderPane(slides, index));
  }

  private renderPane(slides: Slide[], index: number): TemplateResult {
    const alone = this.layout === 'side';
    const isComputed = this.layout === 'difference' || this.layout === 'map';
    return html`<div
      class="pane ${this.movable ? 'movable' : ''} ${this.held ? 'held' : ''}"
      data-pane=${index}
      data-testid="pane"
      @wheel=${this.onWheel}
      @pointerdown=${this.onDown}
      @pointermove=${this.onMove}
      @pointerup=${this.onUp}
      @pointercancel=${this.onUp}
      @pointerleave=${this.onLeave}
      @dblclick=${this.onDouble}
    >
      ${isComputed ? this.renderComputed() : slides.map((slide, at) => this.renderLayer(slide, at))}
      ${slides.map((slide, at) => this.renderName(slide, at, alone))}
      ${
        this.layout === 'swipe' && slides.length === 2
          ? html`<div class="rule" ${vars({ '--split': `${this.split * 100}%` })} aria-hidden="true"><span>${icon('left', 16)}${icon('right', 16)}</span></div>`
          : nothing
      }
      ${this.crossed ? html`<div class="cross"></div>` : nothing}
    </div>`;
  }

  private renderName(slide: Slide, at: number, alone: boolean): TemplateResult | typeof nothing {
    if (this.layout === 'blink' && at !== this.phase) return nothing;
    const size = this.sizeOf(slide);
    return html`<span class="name ${alone || this.layout === 'blink' ? '' : at === 1 ? 'half right' : 'half'}">
      ${alone ? nothing : html`<span aria-hidden="true">${at === 0 ? 'A' : 'B'}</span>`}<b>${slide.label}</b>${size === null ? nothing : html`<span class="num muted">${sizeWords(size)}${this.scaleWords(size)}</span>`}
    </span>`;
  }

  /** How large a picture's own pixels are on the screen. */
  private scaleWords(size: Size): string {
    const { frame, settled } = this;
    if (frame === null || settled === null || (size.width === frame.width && size.height === frame.height)) return '';
    return ` at ${percent(settled.scale * fitted(size, frame).scale)}`;
  }

  private renderLayer(slide: Slide, at: number): TemplateResult {
    const { file } = slide;
    const shown = file === null ? null : (this.#shown.get(file) ?? null);
    if (file === null || shown === null || shown.problem !== '') {
      if (at === 1 && this.layout !== 'blink') return html``;
      return html`<div class="layer state ${this.layout === 'blink' && at !== this.phase ? 'hidden' : ''}">
        ${icon(file === null ? 'missing' : 'error', 26)}<strong>${file === null ? 'No picture' : shown?.problem}</strong><span class="path small">${slide.path}</span>
      </div>`;
    }
    if (shown.url === '') return html``;
    const layer: Record<string, string | number> = { '--opacity': 1, '--clip': 'none' };
    if (at === 1 && this.layout === 'onion') layer['--opacity'] = this.opacity;
    // The whole of each side is its own: what is transparent shows the checker, not the other picture.
    if (this.layout === 'swipe') layer['--clip'] = at === 0 ? `inset(0 ${(1 - this.split) * 100}% 0 0)` : `inset(0 0 0 ${this.split * 100}%)`;
    return html`<div class="layer ${this.layout === 'blink' && at !== this.phase ? 'hidden' : ''}" ${vars(layer)}>
      <img class=${this.isExact(shown.size) ? 'exact' : ''} src=${shown.url} alt=${slide.label} draggable="false" @load=${(event: Event) => this.onLoad(file, event)} @error=${() => this.onError(file)} ${vars(this.boxOf(shown.size))} />
    </div>`;
  }

  private renderComputed(): TemplateResult {
    const { raster } = this;
    if (raster === null) return html`${this.renderLoading()}<div class="state" role="status">${this.words}</div>`;
    const isMap = this.layout === 'map';
    const box = vars({ ...this.boxOf(raster.frame), '--gain': isMap ? 1 : this.gain, '--opacity': this.cover });
    const [, second] = this.slides;
    return html`${this.renderLoading()}${isMap ? html`<div class="backdrop" ${vars(this.boxOf(raster.frame))}></div>` : nothing}
      ${isMap && second !== undefined ? html`<div class="beneath" ${vars({ '--opacity': this.under })} aria-hidden="true">${this.renderLayer(second, 0)}</div>` : nothing}
      <canvas class="${isMap ? 'map' : ''} ${this.isExact(raster.frame) ? 'exact' : ''}" role="img" aria-label=${this.label} ${box}></canvas>
      ${isMap && this.box !== null ? html`<div class="part" ${vars(this.boxIn(this.box))}></div>` : nothing}`;
  }

  /** The pictures themselves are not seen, but their sizes are needed. */
  private renderLoading(): TemplateResult[] {
    return this.slides.map((slide, at) => (slide.file === null ? html`` : html`<div class="layer hidden">${this.renderLayer(slide, at)}</div>`));
  }

  /** Pixels of the picture are squares, not smoothed, from one screen pixel each on. */
  private isExact(size: Size | null): boolean {
    const { frame, settled } = this;
    return size !== null && frame !== null && settled !== null && settled.scale * fitted(size, frame).scale >= 1;
  }

  private boxOf(size: Size | null): Record<string, string> {
    const { frame, pane, settled } = this;
    if (size === null || frame === null || pane === null || settled === null) return { '--left': '0', '--top': '0', '--width': '1px', '--height': '1px' };
    const { left, top, width, height } = fitted(size, frame);
    return this.boxIn([left, top, width, height]);
  }

  /** A part of the frame on the screen. */
  private boxIn([left, top, width, height]: readonly [number, number, number, number]): Record<string, string> {
    const { pane, settled } = this;
    if (pane === null || settled === null) return {};
    const start = corner(settled, pane);
    const css = (pixels: number): string => `${pixels / devicePixelRatio}px`;
    return {
      '--left': css(start.left + left * settled.scale),
      '--top': css(start.top + top * settled.scale),
      '--width': css(width * settled.scale),
      '--height': css(height * settled.scale),
    };
  }

  private load(file: number, tries: number): void {
    const shown: Shown = { url: '', size: null, problem: '', tries };
    this.#shown.set(file, shown);
    this.client.fileUrl(file).then(
      (url) => this.#set(file, { ...shown, url }),
      (error: unknown) => this.#set(file, { ...shown, problem: String(error) }),
    );
  }

  #set(file: number, shown: Shown): void {
    if (!this.#shown.has(file)) return;
    this.#shown.set(file, shown);
    this.requestUpdate();
    this.dispatchEvent(new Event('juror-sizes'));
  }

  private onLoad(file: number, event: Event): void {
    const { naturalWidth: width, naturalHeight: height } = event.target as HTMLImageElement;
    const shown = this.#shown.get(file);
    if (shown !== undefined && shown.size?.width !== width) this.#set(file, { ...shown, size: { width, height } });
  }

  /** The address may have been given up in between; then a second try works. */
  private onError(file: number): void {
    const shown = this.#shown.get(file);
    if (shown === undefined) return;
    if (shown.tries === 0) {
      this.client.forgetUrl(file);
      this.load(file, 1);
      return;
    }
    this.#set(file, { ...shown, url: '', problem: 'The browser cannot show this file' });
  }

  private measure(): void {
    const first = this.renderRoot.querySelector('.pane');
    if (first === null) return;
    const { width, height } = first.getBoundingClientRect();
    const pane = { width: width * devicePixelRatio, height: height * devicePixelRatio };
    if (pane.width === this.pane?.width && pane.height === this.pane.height) return;
    this.pane = pane;
    this.dispatchEvent(new Event('juror-sizes'));
  }

  private change(view: View): void {
    this.view = view;
    this.dispatchEvent(new ViewChange(view));
  }

  private zoomTo(scale: number, x: number, y: number): void {
    const { frame, pane } = this;
    if (frame === null || pane === null) return;
    this.change(zoomedAt(this.view, frame, pane, scale, x, y));
    if (this.crossed) this.pointMiddle();
  }

  private pointMiddle(): void {
    const { settled } = this;
    if (settled !== null) this.dispatchEvent(new PointPixel({ x: settled.x, y: settled.y }));
  }

  /** A point of the window as one of the pane below it, in screen pixels. */
  private inPane(event: MouseEvent): { x: number; y: number } {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return { x: (event.clientX - box.left) * devicePixelRatio, y: (event.clientY - box.top) * devicePixelRatio };
  }

  private onWheel(event: WheelEvent): void {
    event.preventDefault();
    const { settled } = this;
    if (settled === null) return;
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 24 : 1);
    const { x, y } = this.inPane(event);
    // A pinch on a touchpad comes as a wheel with Ctrl, in much smaller steps.
    this.zoomTo(settled.scale * Math.exp((-pixels * (event.ctrlKey ? 4 : 1)) / WHEEL_STEP), x, y);
  }

  private onDouble(event: MouseEvent): void {
    const { x, y } = this.inPane(event);
    if (this.view.scale === 0) this.zoomTo(Math.max(2, stepped(this.settled?.scale ?? 1, 1)), x, y);
    else this.change(FIT);
  }

  private onDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    const pane = event.currentTarget as HTMLElement;
    pane.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, this.inPane(event));
    this.#dragsSplit = (event.target as HTMLElement).classList.contains('rule');
    this.#boxStart = this.drawable && event.shiftKey ? this.inFrame(event) : null;
    this.held = true;
  }

  private onMove(event: PointerEvent): void {
    const { settled, frame, pane } = this;
    const now = this.inPane(event);
    const before = this.#pointers.get(event.pointerId);
    if (settled === null || frame === null || pane === null) return;
    this.crossed = false;
    if (before !== undefined) {
      if (this.#boxStart !== null) this.drawBox(this.#boxStart, this.inFrame(event) ?? this.#boxStart);
      else if (this.#dragsSplit) this.dispatchEvent(new SplitChange(Math.min(1, Math.max(0, now.x / pane.width))));
      else if (this.#pointers.size === 1) this.drag(now.x - before.x, now.y - before.y);
      else this.pinch(event.pointerId, before, now);
      this.#pointers.set(event.pointerId, now);
    }
    const at = toFrame(this.settled ?? settled, pane, now.x, now.y);
    this.dispatchEvent(new PointPixel(at.x < 0 || at.y < 0 || at.x >= frame.width || at.y >= frame.height ? null : at));
  }

  /** The pixel of the frame below the cursor; the nearest one outside of it. */
  private inFrame(event: PointerEvent): { x: number; y: number } | null {
    const { settled, frame, pane } = this;
    if (settled === null || frame === null || pane === null) return null;
    const inPane = this.inPane(event);
    const at = toFrame(settled, pane, inPane.x, inPane.y);
    return { x: Math.min(frame.width - 1, Math.max(0, Math.floor(at.x))), y: Math.min(frame.height - 1, Math.max(0, Math.floor(at.y))) };
  }

  private drawBox(from: { x: number; y: number }, to: { x: number; y: number }): void {
    const [left, top] = [Math.min(from.x, to.x), Math.min(from.y, to.y)];
    this.dispatchEvent(new BoxDraw([left, top, Math.abs(to.x - from.x) + 1, Math.abs(to.y - from.y) + 1]));
  }

  private drag(x: number, y: number): void {
    const { settled, frame, pane } = this;
    if (settled === null || frame === null || pane === null || !this.movable) return;
    this.change(settledView({ ...settled, x: settled.x - x / settled.scale, y: settled.y - y / settled.scale }, frame, pane));
  }

  private pinch(moved: number, before: { x: number; y: number }, now: { x: number; y: number }): void {
    const other = [...this.#pointers].find(([id]) => id !== moved)?.[1];
    const { settled } = this;
    if (other === undefined || settled === null) return;
    const length = (at: { x: number; y: number }): number => Math.max(1, Math.hypot(at.x - other.x, at.y - other.y));
    this.zoomTo((settled.scale * length(now)) / length(before), (now.x + other.x) / 2, (now.y + other.y) / 2);
    this.drag((now.x - before.x) / 2, (now.y - before.y) / 2);
  }

  private onUp(event: PointerEvent): void {
    this.#pointers.delete(event.pointerId);
    if (this.#pointers.size === 0) {
      this.held = false;
      this.#dragsSplit = false;
      this.#boxStart = null;
    }
  }

  private onLeave(): void {
    if (!this.crossed) this.dispatchEvent(new PointPixel(null));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-stage': JurorStage;
  }
}
