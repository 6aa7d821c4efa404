import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { vars } from '../../state/vars';
import { base } from '../../styles/base.styles';
import { colourOf, type Scale } from './colours';
import { styles } from './heat-map.styles';

/** How far a key goes, in rows and columns. */
const STEPS: Record<string, [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const LEAP = 10;

/**
 * @summary Numbers on a grid as colours, over a picture where there is one; a cell is pointed at or gone to by the arrow keys.
 * @event juror-cell - The cell that is looked at, as `detail`: its place in `values`, or `null` once none is.
 * @cssproperty --heat - How much the colours cover the picture, 0 to 1.
 */
@customElement('juror-heat-map')
export class JurorHeatMap extends LitElement {
  static override styles = [base, styles];

  /** Row by row. */
  @property({ attribute: false }) values: readonly number[] = [];
  @property({ type: Number }) columns = 1;
  @property({ attribute: false }) scale: Scale = { kind: 'linear', low: 0, high: 1 };
  /** What the numbers are, for those who do not see them. */
  @property() label = '';
  /** In words what the cell that is looked at holds. */
  @property() readout = '';
  /** The cell that is looked at, here or in a map beside this one. */
  @property({ attribute: false }) cell: number | null = null;
  /** Address of the picture below. */
  @property() picture = '';
  @query('canvas') private canvas!: HTMLCanvasElement;
  /** Whether the cell was pointed at, which ends as the pointer leaves; one that keys went to stays until the focus goes. */
  private pointed = false;
  /** Where the pointer was on the screen, of all maps: a page that scrolls below it moves no pointer. */
  private static pointer: [number, number] = [NaN, NaN];

  override render(): TemplateResult {
    const rows = Math.max(1, Math.ceil(this.values.length / this.columns));
    return html`<div
      class="frame"
      data-testid="heat-map"
      tabindex="0"
      role="slider"
      aria-label=${this.label}
      aria-valuemin="0"
      aria-valuemax=${Math.max(0, this.values.length - 1)}
      aria-valuenow=${this.cell ?? 0}
      aria-valuetext=${this.readout === '' ? 'Arrow keys go from token to token.' : this.readout}
      ${vars({ '--columns': this.columns, '--rows': rows, '--heat': this.picture === '' ? 1 : 0.7 })}
      @keydown=${this.onKey}
      @pointermove=${this.onPointer}
      @pointerleave=${() => {
        if (this.pointed) this.look(null);
      }}
      @blur=${() => this.look(null)}
    >
      ${this.picture === '' ? nothing : html`<img src=${this.picture} alt="" />`}
      <canvas></canvas>
      ${this.cell === null ? nothing : html`<span class="cell" ${vars({ '--column': this.cell % this.columns, '--row': Math.floor(this.cell / this.columns) })}></span>`}
    </div>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('values') && !changed.has('columns') && !changed.has('scale')) return;
    const rows = Math.max(1, Math.ceil(this.values.length / this.columns));
    const pixels = new ImageData(this.columns, rows);
    this.values.forEach((value, at) => pixels.data.set([...colourOf(value, this.scale), 255], 4 * at));
    this.canvas.width = this.columns;
    this.canvas.height = rows;
    this.canvas.getContext('2d')?.putImageData(pixels, 0, 0);
  }

  /** The cell is ours at once: a second key may come before the one who shows us has drawn anew. */
  private look(cell: number | null, pointed = false): void {
    this.cell = cell;
    this.pointed = pointed;
    this.dispatchEvent(new CustomEvent('juror-cell', { detail: cell, bubbles: true, composed: true }));
  }

  private onPointer(event: PointerEvent): void {
    const [x, y] = JurorHeatMap.pointer;
    JurorHeatMap.pointer = [event.screenX, event.screenY];
    if (x === event.screenX && y === event.screenY) return;
    const box = this.canvas.getBoundingClientRect();
    const rows = Math.ceil(this.values.length / this.columns);
    const column = Math.floor(((event.clientX - box.left) / box.width) * this.columns);
    const row = Math.floor(((event.clientY - box.top) / box.height) * rows);
    const cell = row * this.columns + column;
    this.look(column >= 0 && column < this.columns && cell >= 0 && cell < this.values.length ? cell : null, true);
  }

  private onKey(event: KeyboardEvent): void {
    const cell = this.next(event);
    if (cell === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.look(cell);
  }

  /** The cell that a key leads to. */
  private next({ key, shiftKey }: KeyboardEvent): number | null {
    const last = this.values.length - 1;
    if (key === 'Home') return 0;
    if (key === 'End') return last;
    const step = STEPS[key];
    if (step === undefined) return null;
    if (this.cell === null) return 0;
    const far = shiftKey ? LEAP : 1;
    const rows = Math.ceil(this.values.length / this.columns);
    const row = Math.min(rows - 1, Math.max(0, Math.floor(this.cell / this.columns) + far * step[0]));
    const column = Math.min(this.columns - 1, Math.max(0, (this.cell % this.columns) + far * step[1]));
    return Math.min(last, row * this.columns + column);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-heat-map': JurorHeatMap;
  }
}
