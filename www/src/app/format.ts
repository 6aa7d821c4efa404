/** Numbers and words as the page writes them; rounding happens here and nowhere else. */
import type { Policy } from '../engine/types/Policy';

const group = new Intl.NumberFormat('en');

/** `1,234`. */
export const count = (value: number): string => group.format(value);

/** Three decimals, or a dash. */
export const mean = (value: number | null): string => (value === null ? '–' : value.toFixed(3));

/** Three decimals with a sign; one digit where three decimals would read as nothing. */
export function signed(value: number): string {
  const size = Math.abs(value);
  const text = size < 0.0005 ? String(Number(size.toPrecision(1))) : size.toFixed(3);
  return `${value < 0 ? '−' : '+'}${text}`;
}

/** `[0.412, 0.655]`. */
export function interval(low: number | null, high: number | null): string {
  return low === null || high === null ? 'not defined' : `[${low.toFixed(3)}, ${high.toFixed(3)}]`;
}

/** `1 turn`, `2 turns`. */
export const plural = (value: number, one: string, many = `${one}s`): string => `${count(value)} ${value === 1 ? one : many}`;

/** A score on the judge's scale: integers as they are. */
export const judgeScore = (value: number): string => (Number.isInteger(value) ? String(value) : String(Number(value.toFixed(3))));

/** The first characters of a hash. */
export const shortHash = (hash: string): string => hash.slice(0, 8);

/** What each policy does, in plain words. */
export const POLICY_SENTENCES: Record<Policy, string> = {
  zero: 'An output that is missing or unreadable counts 0; a reply that is missing or unreadable is left out.',
  exclude: 'An output or a reply that is missing or unreadable is left out; the count below each mean shows it.',
  upstream: 'Whatever the authors’ code does: a missing output counts as it was judged, an unreadable reply drops its dialogue.',
};

/** A key of a scope in words: the overall row has the key `all`, turns count from 0. */
export function keyLabel(scope: string, key: string): string {
  if (scope === 'overall') return 'Overall';
  if (scope === 'turn') return `Turn ${Number(key) + 1}`;
  return key;
}
