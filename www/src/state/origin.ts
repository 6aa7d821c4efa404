/** How a score row came about, with every value filled in: arithmetic that a reader can do again from what is printed. */
import type { CriterionInfo } from '../engine/types/CriterionInfo';
import type { OriginInterval } from '../engine/types/OriginInterval';
import type { OriginMean } from '../engine/types/OriginMean';
import type { OriginPart } from '../engine/types/OriginPart';

/** Digits beyond those of the paper, so that what is done again with them rounds to the same number. */
const MORE = 4;

/** One step of the arithmetic: `SE`, `0.213 / √20`, `0.0476`. */
export interface Step {
  name: string;
  expression: string;
  /** What it comes to, with more digits than the paper prints. */
  result: string;
}

/** A number with more digits than the paper prints; zeros that say nothing are left out. */
export function fine(value: number, info?: CriterionInfo): string {
  const decimals = (info?.decimals ?? 3) + MORE;
  // A small number has as many digits that say something as a large one.
  const text = value !== 0 && Math.abs(value) < 10 ** (1 - MORE) ? value.toPrecision(MORE + 1) : value.toFixed(decimals);
  return text.includes('e') || !text.includes('.') ? text : text.replace(/\.?0+$/, '');
}

/** Negative numbers stand in brackets behind a sign. */
export const term = (value: number, info?: CriterionInfo): string => (value < 0 ? `(${signs(fine(value, info))})` : fine(value, info));
const signs = (text: string): string => text.replaceAll('-', '−');

/** The mean as `(3·6.12 + 5.8) / 4 · 0.2`; `null` where there is none. */
export function meanStep(mean: OriginMean, info?: CriterionInfo): Step | null {
  const there = mean.parts.filter(({ value }) => value !== null);
  if (mean.divisor === 0 || (mean.sum === null && there.length === 0)) return null;
  const terms = there.map((part) => partTerm(part, info));
  const sum = mean.sum === null ? terms.join(' + ') : fine(mean.sum, info);
  const isSingle = mean.sum !== null || (there.length === 1 && there[0]?.weight === 1);
  const scaled = `${mean.multiplier === 1 ? '' : ` · ${fine(mean.multiplier, info)}`}${mean.denominator === 1 ? '' : ` / ${fine(mean.denominator, info)}`}`;
  const divided = mean.divisor === 1 && scaled === '' ? sum : `${isSingle || there.length === 1 ? sum : `(${sum})`} / ${fine(mean.divisor, info)}${scaled}`;
  return { name: 'mean', expression: signs(divided), result: signs(fine(unrounded(mean), info)) };
}

function partTerm({ weight, value, is_turned: isTurned }: OriginPart, info?: CriterionInfo): string {
  const plain = isTurned ? `(1 − ${term(value ?? 0, info)})` : term(value ?? 0, info);
  return weight === 1 ? plain : `${fine(weight, info)}·${plain}`;
}

/** The mean before the authors' code rounds it. */
function unrounded({ sum, parts, divisor, multiplier, denominator }: OriginMean): number {
  const total = sum ?? parts.reduce((all, { value, weight, is_turned: isTurned }) => (value === null ? all : all + weight * (isTurned ? 1 - value : value)), 0);
  return ((total / divisor) * multiplier) / denominator;
}

/** How the authors' code rounds, in words; empty where it does not. */
export function roundingWords({ rounding }: OriginMean): string {
  if (rounding === null) return '';
  const { digits, is_up: isUp } = rounding;
  return `rounded to ${digits} digits, as the authors’ code does${isUp ? ': ties go up, round(x + 10⁻¹², digits)' : ': Python’s round, ties to the even digit'}`;
}

/** What a part without a number does, in words; `gaps` are the names of those that have none. */
export function gapWords({ gaps: rule }: OriginMean, gaps: string[]): string {
  const names = gaps.join(', ');
  if (rule === 'left_out')
    return gaps.length === 0
      ? 'A part without a number would be left out, and the others would count alone.'
      : `Without a number, and so left out: ${names}. The others count alone.`;
  return gaps.length === 0 ? 'There would be no number while a part has none.' : `There is no number while a part has none. Without one: ${names}.`;
}

/** The interval's steps: standard error, quantile and the two ends, and where the scale cuts them. */
export function intervalSteps(interval: OriginInterval, [low, high]: readonly [low: number | null, high: number | null], info?: CriterionInfo): Step[] {
  const text = (value: number): string => fine(value, info);
  const step = (name: string, expression: string, value: number): Step => ({ name, expression: signs(expression), result: signs(text(value)) });
  const cut = (name: string, value: number, shown: number | null): Step[] =>
    shown === null || Math.abs(shown - value) < 1e-9
      ? []
      : [step(`${name}, cut at the scale`, `${shown < value ? 'min' : 'max'}(${text(value)}, ${text(shown)})`, shown)];
  const around = (center: number, half: number): Step[] => [
    step('lower end', `${text(center)} − ${text(half)}`, center - half),
    ...cut('lower end', center - half, low),
    step('upper end', `${text(center)} + ${text(half)}`, center + half),
    ...cut('upper end', center + half, high),
  ];
  switch (interval.kind) {
    case 'student': {
      const { center, n, df, t, multiplier, denominator } = interval;
      const [sd, se] = [(interval.sd * multiplier) / denominator, (interval.se * multiplier) / denominator];
      return [
        step('SE', `${text(sd)} / √${n}`, se),
        { name: `t(0.975; ${df})`, expression: '', result: quantile(t) },
        step('half-width', `${quantile(t)} · ${text(se)}`, t * se),
        ...around(center, t * se),
      ];
    }
    case 'welch': {
      const { center, n, weights, df, t, denominator, variance } = interval;
      const [first, second] = interval.se;
      const [a, b] = [(first * weights[0]) / denominator, (second * weights[1]) / denominator];
      const se = Math.sqrt(variance) / denominator;
      const [m, k] = n;
      const share = (one: number, count: number): string => `${text(one)}⁴ / ${count - 1}`;
      return [
        step('SE of picture turns', weights[0] === 1 ? '' : `${text(weights[0])} · ${text(first / denominator)}`, a),
        step('SE of text turns', `${text(weights[1])} · ${text(second / denominator)}`, b),
        step('SE', `√(${text(a)}² + ${text(b)}²)`, se),
        {
          name: 'degrees of freedom',
          expression: a + b === 0 ? `${m - 1} + ${k - 1}` : `${text(se)}⁴ / (${share(a, m)} + ${share(b, k)})`,
          result: df.toFixed(2),
        },
        { name: `t(0.975; ${df.toFixed(2)})`, expression: '', result: quantile(t) },
        step('half-width', `${quantile(t)} · ${text(se)}`, t * se),
        ...around(center, t * se),
      ];
    }
    case 'parts': {
      const { center, halves } = interval;
      const half = Math.sqrt(halves.reduce((sum, one) => sum + one * one, 0)) / halves.length;
      return [step('half-width', `√(${halves.map((one) => `${text(one)}²`).join(' + ')}) / ${halves.length}`, half), ...around(center, half)];
    }
    case 'ends': {
      const of = (name: string, ends: number[], shown: number | null): Step[] => {
        const value = ends.reduce((sum, end) => sum + end, 0) / ends.length;
        return [step(name, `(${ends.map((end) => term(end, info)).join(' + ')}) / ${ends.length}`, value), ...cut(name, value, shown)];
      };
      return [...of('lower end', interval.lows, low), ...of('upper end', interval.highs, high)];
    }
  }
}

const quantile = (t: number): string => t.toFixed(6);

/** By which method, and from how much; `units` is what single values are. */
export function intervalWords(interval: OriginInterval, units: string): string {
  switch (interval.kind) {
    case 'student':
      return `Student’s t over n = ${interval.n} ${units}: mean ± t · SE, SE = SD / √n.`;
    case 'welch':
      return `Two separate samples, ${interval.n[0]} complete picture turns with their weighted sums and ${interval.n[1]} text turns, whose squared standard errors add: mean ± t · SE, with the degrees of freedom of Welch and Satterthwaite.`;
    case 'parts':
      return `From the intervals of its ${interval.halves.length} parts, whose ${units} are separate: half-widths add in squares, √(Σ half²) / ${interval.halves.length}.`;
    case 'ends':
      return `The means of the ends of ${interval.lows.length} judges’ intervals: all rate the same outputs, so their errors do not cancel.`;
  }
}
