import { LitElement, css, html, nothing, unsafeCSS, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { base, controls } from '../../styles/base.styles';
import { STOPS, LOWERED, RAISED, cssOf } from '../heat-map/colours';
import type { Size } from './geometry';
import { IN_BOTH, MAPS, changeColour, isOpaque, type MapSettings } from './maps';
import { networks } from '../../state/networks';
import { ALL_MAPS, taskOf, type SeenMetric } from './slides';

/** The user asks for another map, or for it in another way. */
export class MapSettingsChange extends Event {
  readonly settings: MapSettings;

  constructor(settings: MapSettings) {
    super('juror-map-settings');
    this.settings = settings;
  }
}

const BOX_SIDES = ['left', 'top', 'width', 'height'] as const;
const SIDE_WORDS = ['x', 'y', 'w', 'h'];
const CHANGE_TICKS = [1, 16, 64, 144, 255];

/**
 * @summary What a map shows, how, and what its colours mean.
 * @fires juror-map-settings - The user asks for another map, or for it in another way.
 * @fires juror-map-download - The user wants the map's numbers.
 */
@customElement('juror-map-tools')
export class JurorMapTools extends LitElement {
  static override styles = [
    base,
    controls,
    css`
      :host,
      .legend,
      .box,
      .scale {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 6px 14px;
      }
      label {
        display: inline-flex;
        align-items: center;
        gap: 6px;
      }
      input[type='range'] {
        width: 120px;
        accent-color: var(--juror-accent);
      }
      input[type='number'] {
        width: 68px;
      }
      .box {
        gap: 6px 8px;
      }
      .legend {
        gap: 4px 10px;
        color: var(--juror-text-2);
        font-size: var(--juror-size-s);
      }
      .ramp {
        width: 7rem;
        height: 10px;
        border: 1px solid var(--juror-line);
        border-radius: 3px;
        background: linear-gradient(to right, ${unsafeCSS(STOPS.map(cssOf).join(', '))});
      }
      .swatch {
        display: inline-block;
        width: 12px;
        height: 12px;
        margin-right: 4px;
        border: 1px solid var(--juror-line-strong, var(--juror-line));
        border-radius: 2px;
        vertical-align: -2px;
      }
      .a {
        background: ${unsafeCSS(cssOf(LOWERED))};
      }
      .b {
        background: ${unsafeCSS(cssOf(RAISED))};
      }
      .both {
        background: ${unsafeCSS(cssOf(IN_BOTH))};
      }
      ${unsafeCSS(CHANGE_TICKS.map((level) => `.level-${level} { background: ${cssOf(changeColour(level))}; }`).join('\n'))}
    `,
  ];

  @property({ attribute: false }) settings!: MapSettings;
  /** The size of the first picture, once it is known. */
  @property({ attribute: false }) frame: Size | null = null;
  /** Whether there are numbers to download. */
  @property({ type: Boolean }) ready = false;

  override render(): TemplateResult {
    const { metric, under, threshold } = this.settings;
    const percent = Math.round(under * 100);
    return html`
      <label>Map
        <select class="field" data-testid="map-metric" @change=${(event: Event) => this.choose((event.target as HTMLSelectElement).value)}>
          ${ALL_MAPS.filter((one) => one === metric || this.isOffered(one)).map((one) => html`<option value=${one} ?selected=${one === metric} .selected=${one === metric}>${MAPS[one].label}</option>`)}
        </select></label>
      <label>Overlay B <input type="range" min="0" max="100" data-testid="map-under" .value=${String(percent)} aria-valuetext="B is seen at ${percent} %" @input=${(event: Event) => this.put({ under: numberOf(event) / 100 })} /></label>
      ${
        metric === 'changed'
          ? html`<label>Changed above <input class="field" type="number" min="0" max="254" step="1" data-testid="map-threshold" title="A pixel has changed where a channel differs by more than this; the metric changed counts above 16" .value=${String(threshold)} @change=${(event: Event) => this.put({ threshold: Math.min(254, Math.max(0, Math.floor(numberOf(event)) || 0)) })} /></label>
            ${this.renderBox()}`
          : nothing
      }
      <span class="scale">${this.renderLegend()}
        <button type="button" class="button tiny" data-testid="map-download" title="The map’s numbers as an NPY file: float32, rows × columns" ?disabled=${!this.ready} @click=${() => this.dispatchEvent(new Event('juror-map-download'))}>NPY</button></span>
    `;
  }

  private renderBox(): TemplateResult {
    const { box, mask } = this.settings;
    return html`<span class="box" role="group" aria-label="Part">
      <button type="button" class="button tiny" data-testid="map-box" aria-pressed=${box !== null} title="Count a part by itself: what an instruction asks to change, and the rest. Drag with Shift to draw it." ?disabled=${this.frame === null} @click=${this.toggleBox}>Box</button>
      ${
        box === null
          ? nothing
          : BOX_SIDES.map(
              (side, at) =>
                html`<label>${SIDE_WORDS[at]} <input aria-label=${side} class="field" type="number" min=${at < 2 ? 0 : 1} step="1" data-testid="map-box-${side}" .value=${String(box[at])} @change=${(event: Event) => this.setSide(at, numberOf(event))} /></label>`,
            )
      }
      <button type="button" class="button tiny" data-testid="map-mask" aria-pressed=${mask !== null} title="Count a part by itself that a picture of the same size masks: light is inside" @click=${this.toggleMask}>${mask === null ? 'Mask…' : `Mask: ${mask.name}`}</button>
      <input type="file" accept="image/*" hidden data-testid="map-mask-file" aria-label="Mask" @change=${(event: Event) => this.takeMask(event.target as HTMLInputElement)} />
    </span>`;
  }

  private isOffered(metric: SeenMetric): boolean {
    const task = taskOf(metric);
    return task === null || networks.ready.has(task);
  }

  private renderLegend(): TemplateResult | typeof nothing {
    const { metric } = this.settings;
    if (isOpaque(metric))
      return html`<span class="legend"><span class="num">1</span><span class="ramp" role="img" aria-label="from alike, dark, to unlike, light"></span><span class="num">≤ 0</span></span>`;
    const task = taskOf(metric);
    if (task !== null) return task === 'depth' ? html`<span class="legend">dark far, light near</span>` : nothing;
    if (metric === 'edge_mse')
      return html`<span class="legend"><span><span class="swatch a"></span>A alone</span><span><span class="swatch b"></span>B alone</span><span><span class="swatch both"></span>both</span></span>`;
    return html`<span class="legend">${CHANGE_TICKS.map((level) => html`<span class="num"><span class="swatch level-${level}"></span>${level}</span>`)}</span>`;
  }

  private choose(name: string): void {
    const metric = ALL_MAPS.find((one) => one === name) ?? 'ssim';
    this.put({ metric, under: MAPS[metric].under });
  }

  private readonly toggleBox = (): void => {
    const { frame } = this;
    if (frame === null) return;
    const [width, height] = [Math.max(1, Math.round(frame.width / 2)), Math.max(1, Math.round(frame.height / 2))];
    this.put({
      box: this.settings.box === null ? [Math.floor((frame.width - width) / 2), Math.floor((frame.height - height) / 2), width, height] : null,
      mask: null,
    });
  };

  private readonly toggleMask = (): void => {
    if (this.settings.mask === null) this.renderRoot.querySelector<HTMLInputElement>('input[type="file"]')?.click();
    else this.put({ mask: null });
  };

  private takeMask(input: HTMLInputElement): void {
    const mask = input.files?.[0];
    // The same file can be chosen again.
    input.value = '';
    if (mask !== undefined) this.put({ mask, box: null });
  }

  private setSide(at: number, value: number): void {
    const { frame } = this;
    const { box } = this.settings;
    if (frame === null || box === null) return;
    const sides: [number, number, number, number] = [...box];
    sides[at] = Math.floor(value) || 0;
    this.put({ box: within(sides, frame) });
    this.requestUpdate();
  }

  private put(some: Partial<MapSettings>): void {
    this.dispatchEvent(new MapSettingsChange({ ...this.settings, ...some }));
  }
}

/** A box of at least one pixel, all in the frame. */
export function within([left, top, width, height]: readonly [number, number, number, number], frame: Size): [number, number, number, number] {
  const x = Math.min(frame.width - 1, Math.max(0, left));
  const y = Math.min(frame.height - 1, Math.max(0, top));
  return [x, y, Math.min(frame.width - x, Math.max(1, width)), Math.min(frame.height - y, Math.max(1, height))];
}

/** The number in the field that the event comes from. */
export const numberOf = (event: Event): number => Number((event.target as HTMLInputElement).value);

declare global {
  interface HTMLElementTagNameMap {
    'juror-map-tools': JurorMapTools;
  }
}
