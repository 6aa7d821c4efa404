/** The colours of numbers: dark blue over grey to yellow, told apart by lightness alone too; for weights, two colours around grey. */

/** How numbers become colours. */
export interface Scale {
  kind: 'linear' | 'logarithmic' | 'around';
  low: number;
  /** The number of the lightest colour; with `around`, of the colour at either end, 1 being grey. */
  high: number;
}

export type Colour = [number, number, number];

/** Equal steps of lightness; the ends of the Cividis map (Nuñez, Anderton and Renslow, 2018) and what lies between. */
export const STOPS: readonly Colour[] = [
  [0, 34, 78],
  [53, 69, 108],
  [102, 105, 112],
  [148, 142, 119],
  [200, 184, 102],
  [254, 232, 56],
];
export const LOWERED: Colour = [192, 74, 0];
export const SAME: Colour = [140, 146, 148];
export const RAISED: Colour = [0, 114, 178];

/** As a style sheet writes it. */
export const cssOf = (colour: Colour): string => `rgb(${colour.join(' ')})`;

/** Where a number lies on its scale, 0 to 1. */
function part(value: number, { kind, low, high }: Scale): number {
  if (!(high > low)) return 0;
  // Nothing at all lies at the low end.
  const along = kind === 'logarithmic' ? (value > 0 && low > 0 ? Math.log(value / low) / Math.log(high / low) : 0) : (value - low) / (high - low);
  return Math.min(1, Math.max(0, along));
}

/** Red, green and blue. */
export function colourOf(value: number, scale: Scale): Colour {
  if (scale.kind === 'around') return value > 1 ? RAISED : value < 1 ? LOWERED : SAME;
  const at = part(value, scale) * (STOPS.length - 1);
  const below = STOPS[Math.min(STOPS.length - 2, Math.floor(at))] ?? SAME;
  const above = STOPS[Math.min(STOPS.length - 1, Math.floor(at) + 1)] ?? SAME;
  const share = Math.min(1, at - Math.min(STOPS.length - 2, Math.floor(at)));
  return below.map((one, channel) => Math.round(one + share * ((above[channel] ?? one) - one))) as Colour;
}

/** The scale that spans these numbers. */
export function spanning(kind: 'linear' | 'logarithmic', values: readonly number[]): Scale {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (kind === 'logarithmic' && value <= 0) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return { kind, low: kind === 'linear' ? Math.min(low, 0) : low, high };
}
