/** The modes and the zoom, in the head of the viewer. */
import { html, type TemplateResult } from 'lit';
import { percent, type View } from '../compare-pictures/geometry';
import { MODES, type Mode } from '../compare-pictures/slides';

export const MODE_WORDS: Record<Mode, { label: string; short?: string; key: string; title: string }> = {
  one: { label: 'One', key: 'p', title: 'One picture (P)' },
  side: { label: 'Side by side', short: 'Side', key: 's', title: 'Side by side, with one zoom (S)' },
  swipe: { label: 'Swipe', key: 'w', title: 'Swipe: A left of a line, B right of it (W)' },
  onion: { label: 'Onion', key: 'o', title: 'Onion: B over A, more or less transparent (O)' },
  difference: { label: 'Difference', short: 'Diff', key: 'd', title: 'Difference: how far apart the values of each pixel are (D)' },
  map: { label: 'Map', key: 'm', title: 'Map: where SSIM, edges and change come from (M)' },
  blink: { label: 'Blink', key: 'b', title: 'Blink: A and B in turns (B)' },
};

/** The ways to zoom. */
export interface Zooming {
  zoom: (by: 1 | -1) => void;
  fit: () => void;
  oneToOne: () => void;
}

/** The modes as a row of radio buttons; one picture can only be seen by itself. */
export function modeChoice(current: Mode, areSeveral: boolean, choose: (mode: Mode) => void): TemplateResult {
  return html`<fieldset class="segmented modes">
    <legend class="visually-hidden">How to look</legend>
    ${MODES.map(
      (mode) =>
        html`<label title=${MODE_WORDS[mode].title}
          ><input type="radio" name="mode" data-testid="mode-${mode}" aria-label=${MODE_WORDS[mode].label} .checked=${current === mode} ?disabled=${!areSeveral && mode !== 'one'} @change=${() => choose(mode)} /><span class="long">${MODE_WORDS[mode].label}</span
          ><span class="short">${MODE_WORDS[mode].short ?? MODE_WORDS[mode].label}</span></label
        >`,
    )}
  </fieldset>`;
}

/** `scale`: the one in force; `null` until it is known. */
export function zoomTools(view: View, scale: number | null, { zoom, fit, oneToOne }: Zooming): TemplateResult {
  return html`<div class="toolbar zoom" role="group" aria-label="Zoom">
    <button type="button" class="button tiny" aria-label="Smaller" title="Smaller (−)" @click=${() => zoom(-1)}>−</button>
    <output class="num small" data-testid="zoom">${scale === null ? '' : percent(scale)}</output>
    <button type="button" class="button tiny" aria-label="Larger" title="Larger (+)" @click=${() => zoom(1)}>+</button>
    <button type="button" class="button tiny" aria-pressed=${view.scale === 0} title="Fit the window (0)" @click=${fit}>Fit</button>
    <button type="button" class="button tiny" aria-pressed=${view.scale === 1} title="One pixel of the picture is one pixel of the screen (Z)" @click=${oneToOne}>1:1</button>
  </div>`;
}
