/** What the viewer says about a map. */
import { html, nothing, type TemplateResult } from 'lit';
import { count } from '../../state/format';
import type { PictureChange } from '../../engine/types/PictureChange';
import { MAPS, extentWords, partWords, shareWords, type MapSettings, type SeenMap } from '../compare-pictures/maps';
import { taskOf } from '../compare-pictures/slides';

export interface MapFacts {
  map: SeenMap | null;
  settings: MapSettings;
  /** How much changed, and why that is not known. */
  change: PictureChange | null;
  problem: string;
  /** The mask that the address names and that is not here. */
  lostMask: string;
  /** Shows this pixel. */
  goTo: (x: number, y: number) => void;
}

/** The number that the map adds up to, and what stands out. */
export function mapFacts(facts: MapFacts): TemplateResult | typeof nothing {
  if (facts.map === null) return nothing;
  const { metric } = facts.settings;
  const { map, counts } = facts.map;
  const value = html`<b><code>${metric}</code> <span data-testid="map-value">${map.value}</span></b>`;
  if (metric === 'edge_mse') {
    const [a = 0, b = 0, both = 0] = counts;
    return html`${value}, Canny 100/200 on OpenCV’s grey. Edge pixels: ${count(a)} of A alone, ${count(b)} of B alone, ${count(both)} of both.`;
  }
  if (metric === 'changed') return changeFacts(value, facts);
  const task = taskOf(metric);
  if (task !== null) return html`<b>${MAPS[metric].label}</b>, as the network of the open pack for <code>${task}</code> paints it, at A’s size.`;
  const [lowest, x, y] = map.lowest ?? [NaN, 0, 0];
  const [low = 0] = counts;
  return html`${value}, the mean over ${count(map.places.length)} windows and the channels. ${low === 0 ? 'No window is below 0.5.' : `${shareWords(low / map.places.length)} of windows are below 0.5.`}
    Lowest ${lowest.toFixed(6)} <button type="button" class="button tiny" data-testid="map-lowest" @click=${() => facts.goTo(x, y)}>at x ${x}, y ${y}</button>`;
}

/** How much changed: in all, or inside and outside of the part that is counted by itself. */
function changeFacts(value: TemplateResult, { change, problem, lostMask, settings: { threshold, mask } }: MapFacts): TemplateResult {
  const lost =
    lostMask === ''
      ? nothing
      : html` <span class="lost" data-testid="lost-mask">The link names the mask “${lostMask}”, a picture on its author’s disk, which a link cannot contain: all pixels are counted until you choose the mask with Mask….</span>`;
  if (change === null) return html`${value}. ${problem}${lost}`;
  const part = (name: string, words: string): TemplateResult => html`<b>${name}</b> ${words}. `;
  const all = extentWords(change);
  return html`${threshold === 16 ? html`${value}. ` : nothing}Differing by more than ${threshold}:
    ${change.inside !== null && change.outside !== null ? html`${part(mask === null ? 'inside the box' : 'inside the mask', partWords(change.inside))}${part('outside', partWords(change.outside))}` : part('all', partWords(change.whole))}${all === '' ? '' : `All of it lies within ${all}.`}${lost}`;
}
