/** The pictures on the stage, as places in the list of slides, and how each choice changes them. */

import type { Mode, Slide } from '../compare-pictures/slides';

const MAX_SIDE = 12;

/** The slides, the places that are picked, and the mode that shows them. */
export interface Picked {
  slides: Slide[];
  picks: number[];
  mode: Mode;
}

/** Whether the mode shows A and B, one over the other. */
export const isTwo = (mode: Mode): boolean => mode !== 'one' && mode !== 'side';

/** The key of a slide; its place where it has none. */
export const keyOf = (slide: Slide, slides: Slide[]): string => slide.key ?? String(slides.indexOf(slide));

/** The places of slides with these keys; a key without a slide has none. */
export const placesOf = (keys: string[], slides: Slide[]): number[] =>
  keys.map((key) => slides.findIndex((slide) => keyOf(slide, slides) === key)).filter((at) => at !== -1);

/** The turn in the key of an output: `o2.model`. */
const turnOf = (slide: Slide | undefined): string => /^o(\d+)\./.exec(slide?.key ?? '')?.[1] ?? '';

/** The pictures on the stage. */
export function onStage({ slides, picks, mode }: Picked): Slide[] {
  const most = mode === 'one' ? 1 : isTwo(mode) ? 2 : MAX_SIDE;
  return picks.slice(0, most).flatMap((at) => slides[at] ?? []);
}

/** The picks with as many added as the mode needs; `usual`: what to compare where only one picture is chosen. */
export function picksFor({ slides, picks, mode }: Picked, usual: number[]): number[] {
  const least = mode === 'one' ? 1 : 2;
  if (picks.length >= least) return picks;
  const current = picks[0];
  const others = [...usual, ...slides.keys()].filter((at) => at !== current && slides[at]?.file !== null);
  // An output is compared with what it should be: that comes first.
  const [reference] = usual;
  const isOutput = current !== undefined && slides[current]?.model !== undefined;
  const all =
    current === undefined
      ? others
      : isOutput && reference !== undefined && reference !== current && least === 2
        ? [reference, current, ...others]
        : [current, ...others];
  return [...new Set(all)].slice(0, mode === 'side' ? Math.max(2, new Set([...usual, current]).size) : least);
}

/** Takes a picture as A or B. */
export function replaced(before: number[], which: 0 | 1, at: number): number[] {
  const picks = [...before];
  const other = which === 0 ? 1 : 0;
  // Choosing the other one's picture swaps them.
  if (picks[other] === at) picks[other] = picks[which] ?? at;
  picks[which] = at;
  return picks.filter((one, place) => picks.indexOf(one) === place);
}

/** Takes a picture of the strip: as B, as the only one, or as one more or less. */
export function chosen({ picks, mode }: Picked, at: number): number[] {
  if (isTwo(mode)) return replaced(picks, 1, at);
  if (mode === 'one') return [at];
  if (!picks.includes(at)) return [...picks, at].slice(-MAX_SIDE);
  return picks.length > 1 ? picks.filter((one) => one !== at) : picks;
}

/** The place of the next picture: of all, or as B. */
export function nextPlace({ slides, picks, mode }: Picked, by: number): number {
  const total = slides.length;
  const at = picks[isTwo(mode) ? 1 : 0] ?? 0;
  const next = (at + by + total) % total;
  return isTwo(mode) && next === picks[0] ? (next + by + total) % total : next;
}

/** The place of the n-th model's output; where there are no models, of the n-th picture. */
export function placeOfModel({ slides, picks }: Picked, index: number): number | undefined {
  const models = [...new Set(slides.flatMap(({ model }) => (model === undefined ? [] : [model])))];
  if (models.length === 0) return index < slides.length ? index : undefined;
  const model = models[index];
  if (model === undefined) return undefined;
  // Of a dialogue, the output of the turn that is looked at.
  const turns = picks.map((at) => turnOf(slides[at])).filter((turn) => turn !== '');
  const mine = [...slides.keys()].filter((at) => slides[at]?.model === model);
  return mine.find((one) => turns.includes(turnOf(slides[one]))) ?? mine[0];
}
