/** What sets each mode, above the pictures. */
import { html, type TemplateResult } from 'lit';
import { numberOf } from '../compare-pictures/map-tools';
import { BLINK_MS, GAINS, type Slide } from '../compare-pictures/slides';
import { gainOf, type ModeSettings } from './mode-settings';

type Change = (some: Partial<ModeSettings>) => void;

/** Chooses the picture that is A, or B. */
export function pictureChoice(which: 0 | 1, slides: Slide[], picked: number | undefined, choose: (at: number) => void): TemplateResult {
  const name = which === 0 ? 'A' : 'B';
  return html`<label
    >${name}
    <select class="field" data-testid="pick-${name.toLowerCase()}" aria-label="Picture ${name}" @change=${(event: Event) => choose(numberOf(event))}>
      ${slides.map(({ label, file }, at) => html`<option value=${at} ?selected=${picked === at} .selected=${picked === at}>${label}${file === null ? ' (missing)' : ''}</option>`)}
    </select></label
  >`;
}

export function swipeTools({ split }: ModeSettings, change: Change): TemplateResult {
  const at = Math.round(split * 100);
  return html`<label>Line <input type="range" min="0" max="100" data-testid="swipe" .value=${String(at)} aria-valuetext="${at} %: A left of the line, B right of it" @input=${(event: Event) => change({ split: numberOf(event) / 100 })} /><output class="num small">${at} %</output></label>`;
}

export function onionTools({ opacity }: ModeSettings, change: Change): TemplateResult {
  const at = Math.round(opacity * 100);
  return html`<label>B over A <input type="range" min="0" max="100" data-testid="onion" .value=${String(at)} aria-valuetext="B is ${at} % opaque" @input=${(event: Event) => change({ opacity: numberOf(event) / 100 })} /><output class="num small">${at} %</output></label>`;
}

export function differenceTools(settings: ModeSettings, change: Change): TemplateResult {
  const gain = gainOf(settings);
  return html`<label>Gain <input type="range" min="0" max=${GAINS.length - 1} data-testid="gain" .value=${String(settings.gain)} aria-valuetext="Differences are shown ${gain} times as large" @input=${(event: Event) => change({ gain: numberOf(event) })} /><output class="num small">× ${gain}</output></label>
    <label>Count above <input class="field" type="number" min="0" max="254" step="1" data-testid="tolerance" title="A pixel differs where a channel differs by more than this" .value=${String(settings.tolerance)} @input=${(event: Event) => change({ tolerance: Math.min(254, Math.max(0, Math.floor(numberOf(event)) || 0)) })} /></label>`;
}

export interface BlinkActions {
  toggle: () => void;
  turn: () => void;
  setPace: (blinkMs: number) => void;
}

export function blinkTools(
  { blinkMs }: ModeSettings,
  { isOn, phase }: { isOn: boolean; phase: 0 | 1 },
  { toggle, turn, setPace }: BlinkActions,
): TemplateResult {
  return html`<button type="button" class="button tiny" data-testid="blink" aria-pressed=${isOn} title="Space shows the other one" @click=${toggle}>${isOn ? 'Stop' : 'Blink'}</button>
    <button type="button" class="button tiny" data-testid="blink-other" @click=${turn}>Show ${phase === 0 ? 'B' : 'A'}</button>
    <label>Every <input type="range" min=${BLINK_MS.min} max=${BLINK_MS.max} step="100" data-testid="blink-speed" .value=${String(blinkMs)} aria-valuetext="${blinkMs / 1000} seconds" @input=${(event: Event) => setPace(numberOf(event))} /><output class="num small">${(blinkMs / 1000).toFixed(1)} s</output></label>`;
}
