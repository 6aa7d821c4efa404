import { LitElement, css, html, nothing, svg, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { AnnotationMark } from '../../engine/types/AnnotationMark';
import type { AnnotationPending } from '../../engine/types/AnnotationPending';
import type { Mark } from '../../engine/types/Mark';
import type { MarkTool } from '../../engine/types/MarkTool';

type Point = [x: number, y: number];
type Strokes = AnnotationMark['strokes'];

/** So many pixels of the screen a drag is long; a shorter one is a click. */
const DRAG = 4;
/** Arrow keys go this part of the long side. */
const STEP = 0.01;
const MOVES: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** What each point of a tool is called. */
const NAMES: Record<MarkTool, string[]> = {
  box: ['first corner', 'opposite corner'],
  arrow: ['start', 'tip'],
  frustum: ['apex', 'first corner', 'second corner', 'third corner', 'fourth corner'],
  pen: ['first point', 'next point'],
};

/**
 * @summary A picture over which marks are drawn by pointer or by keys; the place of the next point is said in words.
 * @event {CustomEvent<Mark>} drawn - A mark has all of its points.
 */
@customElement('juror-mark-board')
export class JurorMarkBoard extends LitElement {
  static override styles = css`
    :host {
      display: grid;
      gap: 6px;
      min-width: 0;
    }
    .board {
      position: relative;
      line-height: 0;
    }
    img {
      width: 100%;
      height: auto;
      image-orientation: none;
    }
    svg {
      position: absolute;
      inset: 0;
      width: 100%;
      height: 100%;
      cursor: crosshair;
      touch-action: none;
    }
    svg:focus-visible {
      outline: 3px solid var(--juror-accent);
      outline-offset: 2px;
    }
    .stroke {
      fill: none;
      stroke: rgb(255 0 0);
      stroke-linecap: round;
    }
    .head {
      fill: rgb(255 0 0);
    }
    .cross {
      stroke: rgb(0 0 0);
      stroke-width: 3;
      vector-effect: non-scaling-stroke;
    }
    .cross.inner {
      stroke: rgb(255 255 255);
      stroke-width: 1;
    }
    p {
      margin: 0;
      font-variant-numeric: tabular-nums;
      font-size: var(--juror-size-s);
      color: var(--juror-text-2);
    }
  `;

  @property() src = '';
  @property() label = '';
  @property({ attribute: false }) size: Point = [1, 1];
  @property({ attribute: false }) marks: readonly AnnotationMark[] = [];
  @property({ type: Number }) line = 3;
  @property() tool: MarkTool = 'box';
  /** What the points of a mark come to. */
  @property({ attribute: false }) ask: (tool: MarkTool, points: Point[]) => AnnotationPending = () => ({ mark: null, num_points: null, strokes: [] });
  @state() private points: Point[] = [];
  @state() private at: Point = [0, 0];
  @state() private isKeyed = false;
  @query('svg') private readonly area!: SVGSVGElement;
  /** Where the pointer went down, on the screen. */
  #down: Point | null = null;

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('src') && !changed.has('tool')) return;
    this.points = [];
    if (changed.has('src')) this.at = [Math.round(this.size[0] / 2), Math.round(this.size[1] / 2)];
  }

  override render(): TemplateResult {
    const [width, height] = this.size;
    const pending = this.points.length === 0 ? [] : this.ask(this.tool, [...this.points, this.at]).strokes;
    return html`<div class="board">
        <img src=${this.src} alt="" width=${width} height=${height} />
        <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="application" tabindex="0" aria-label=${this.label} aria-describedby="next" data-testid="mark-board" @pointerdown=${this.#press} @pointermove=${this.#move} @pointerup=${this.#lift} @pointercancel=${this.#forget} @keydown=${this.#key} @blur=${() => (this.isKeyed = false)}>
          ${this.marks.map(({ strokes }) => this.#strokes(strokes))} ${this.#strokes(pending)} ${this.isKeyed ? this.#cross() : nothing}
        </svg>
      </div>
      <p id="next" role="status" data-testid="mark-next">${this.#words()}</p>`;
  }

  /** Where the next point would be set. */
  #words(): string {
    const names = NAMES[this.tool];
    const name = names[Math.min(this.points.length, names.length - 1)] ?? '';
    const [x, y] = this.at;
    const set = this.points.length === 0 ? '' : `; ${this.points.length} set`;
    return `${this.tool}, ${name}: ${x}, ${y} of ${this.size[0]} × ${this.size[1]}${set}`;
  }

  #strokes(strokes: Strokes): TemplateResult[] {
    return strokes.map((stroke) => {
      if ('head' in stroke) return svg`<polygon class="head" points=${stroke.head.join(' ')} />`;
      const [[x1, y1], [x2, y2]] = stroke.line;
      return svg`<line class="stroke" x1=${x1} y1=${y1} x2=${x2} y2=${y2} stroke-width=${this.line} />`;
    });
  }

  #cross(): TemplateResult[] {
    const [x, y] = this.at;
    const by = Math.max(...this.size) * 0.03;
    return ['cross', 'cross inner'].map((name) => svg`<path class=${name} d="M${x - by} ${y}H${x + by}M${x} ${y - by}V${y + by}" />`);
  }

  #place({ clientX, clientY }: PointerEvent): Point {
    const { left, top, width, height } = this.area.getBoundingClientRect();
    return this.#inside([((clientX - left) / width) * this.size[0], ((clientY - top) / height) * this.size[1]]);
  }

  #inside([x, y]: Point): Point {
    const clamp = (at: number, side: number): number => Math.max(0, Math.min(side, Math.round(at)));
    return [clamp(x, this.size[0]), clamp(y, this.size[1])];
  }

  readonly #press = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    this.isKeyed = false;
    this.area.setPointerCapture(event.pointerId);
    this.#down = [event.clientX, event.clientY];
    this.at = this.#place(event);
    this.#set();
  };

  readonly #move = (event: PointerEvent): void => {
    if (this.isKeyed && this.#down === null) return;
    this.at = this.#place(event);
    const last = this.points.at(-1);
    const isLine = this.tool === 'pen' && this.#down !== null && last !== undefined;
    if (isLine && Math.hypot(this.at[0] - last[0], this.at[1] - last[1]) >= 2) this.points = [...this.points, this.at];
  };

  readonly #lift = (event: PointerEvent): void => {
    const down = this.#down;
    this.#down = null;
    if (down === null || this.points.length === 0) return;
    const isDrag = Math.hypot(event.clientX - down[0], event.clientY - down[1]) >= DRAG;
    if (this.tool === 'pen') this.#finish();
    else if (isDrag && this.tool !== 'frustum') this.#set();
  };

  readonly #forget = (): void => {
    this.#down = null;
    this.points = [];
  };

  readonly #key = (event: KeyboardEvent): void => {
    const { key } = event;
    const move = MOVES[key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === 'Escape' && this.points.length === 0) return;
    if (move === undefined && key !== 'Enter' && key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    this.isKeyed = true;
    if (key === 'Escape') this.points = this.points.slice(0, -1);
    else if (key === 'Enter') this.#enter();
    else if (move !== undefined) {
      const step = event.shiftKey ? 1 : Math.max(1, Math.round(Math.max(...this.size) * STEP));
      this.at = this.#inside([this.at[0] + step * move[0], this.at[1] + step * move[1]]);
    }
  };

  /** A line ends where its last point is set a second time. */
  #enter(): void {
    const last = this.points.at(-1);
    const isSame = last !== undefined && last[0] === this.at[0] && last[1] === this.at[1];
    if (isSame && this.tool === 'pen') this.#finish();
    else if (!isSame) this.#set();
  }

  #set(): void {
    this.points = [...this.points, this.at];
    const { num_points: count } = this.ask(this.tool, this.points);
    if (count !== null && this.points.length >= count) this.#finish();
  }

  #finish(): void {
    const { mark } = this.ask(this.tool, this.points);
    this.points = [];
    if (mark !== null) this.dispatchEvent(new CustomEvent<Mark>('drawn', { detail: mark }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-mark-board': JurorMarkBoard;
  }
}
