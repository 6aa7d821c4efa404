/** Numbers and words as the page writes them; rounding happens here and nowhere else. */
import type { CriterionInfo } from '../engine/types/CriterionInfo';
import type { Overview } from '../engine/types/Overview';
import type { Params } from '../engine/types/Params';
import type { Policy } from '../engine/types/Policy';
import type { ScoreRow } from '../engine/types/ScoreRow';

const group = new Intl.NumberFormat('en');

/** `1,234`. */
export const count = (value: number): string => group.format(value);

/** With as many decimals as the paper prints (three where no criterion is given), or a dash. */
export const mean = (value: number | null, info?: CriterionInfo): string => (value === null ? '–' : value.toFixed(info?.decimals ?? 3));

/** What stands in place of a mean where nobody has replied about the model, as in every export. */
export const NOT_JUDGED = 'Not judged';

/** What the name of a criterion ends with in a sentence or a title where less is better. */
export const lowerWords = (info: Pick<CriterionInfo, 'direction'> | undefined): string => (info?.direction === 'down' ? ' (lower is better)' : '');

/** The same where there is room for a sign only. */
export const lowerSign = (info: Pick<CriterionInfo, 'direction'> | undefined): string => (info?.direction === 'down' ? ' ↓' : '');

/** A criterion's name in a title. */
export const titleOf = (info: CriterionInfo): string => `${info.label}${lowerWords(info)}`;

/** Where a printed value lies on its criterion's scale: 0 at the bad end, 1 at the good one. */
export function goodness(value: number, info: CriterionInfo | undefined): number {
  const { low, high } = printedScale(info);
  const share = (value - low) / (high - low);
  const part = Math.min(1, Math.max(0, isWide(info) ? Math.log1p(Math.max(0, value - low)) / Math.log1p(high - low) : share));
  return info?.direction === 'down' ? 1 - part : part;
}

/** Whether a scale spans so much that its tint goes by the logarithm: squared errors of 30 and of 2,462 both lie at the foot of 65,025. */
export function isWide(info: CriterionInfo | undefined): boolean {
  const { low, high } = printedScale(info);
  return high - low > 1000;
}

/** The ends of a criterion's scale as printed; 0 and 1 where no criterion is given. */
export function printedScale(info: CriterionInfo | undefined): { low: number; high: number } {
  return info === undefined ? { low: 0, high: 1 } : { low: tidy(info.min * info.scale), high: tidy(info.max * info.scale) };
}

/** `0.1 · 10` as 1. */
const tidy = (value: number): number => Number(value.toPrecision(12));

/** The paper's decimals with a sign; one digit where they would read as nothing. */
export function signed(value: number, info?: CriterionInfo): string {
  const size = Math.abs(value);
  const decimals = info?.decimals ?? 3;
  const text = size < 0.5 * 10 ** -decimals ? String(Number(size.toPrecision(1))) : size.toFixed(decimals);
  return `${value < 0 ? '−' : '+'}${text}`;
}

/** `[0.412, 0.655]`. */
export function interval(low: number | null, high: number | null, info?: CriterionInfo): string {
  return low === null || high === null ? 'not defined' : `[${mean(low, info)}, ${mean(high, info)}]`;
}

/** So many values it takes for an interval, as in the core. */
export const MIN_FOR_INTERVAL = 5;

/** A row's 95 % interval, or why it has none: of few values nothing can be said. */
export function rowInterval(row: { mean: number | null; n: number; ci_low: number | null; ci_high: number | null }, info?: CriterionInfo): string {
  if (row.mean !== null && row.ci_low === null && row.n < MIN_FOR_INTERVAL) return `not given: n too small (${row.n})`;
  return interval(row.ci_low, row.ci_high, info);
}

/** `1 turn`, `2 turns`. */
export const plural = (value: number, one: string, many = `${one}s`): string => `${count(value)} ${value === 1 ? one : many}`;

/** Findings about a benchmark that is not shown, and can be. */
export const OTHER_BENCHMARKS: readonly string[] = ['protocol_not_used', 'other_benchmark'];

/** `28/32 turns`: how many of those expected, with what they are. */
export const share = (n: number, expected: number, units: string): string => `${count(n)}/${count(expected)} ${units}`;

/** Whether means pool the runs of a judge, so that more is counted than there are samples; found once for each answer of the engine. */
const pooled = new WeakMap<readonly ScoreRow[], boolean>();

/** What `n` of a row counts: `items × runs` where a sample counts once in each run. */
export function unitsOf({ benchmark, scores }: Pick<Overview, 'benchmark' | 'scores'>, { scope, judge }: Pick<ScoreRow, 'scope' | 'judge'>): string {
  if (benchmark === null) return 'units';
  const { samples, units } = benchmark.words;
  if (units !== samples || scope === 'run' || judge === MEASURED) return units;
  const known = pooled.get(scores) ?? scores.some((row) => row.judge !== MEASURED && row.expected > benchmark.samples);
  pooled.set(scores, known);
  return known ? `${units} × runs` : units;
}

/** A score on the judge's scale: integers as they are. */
export const judgeScore = (value: number): string => (Number.isInteger(value) ? String(value) : String(Number(value.toFixed(3))));

/** A size as people read it: `3.2 MB`. */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const power = value < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
  return `${power === 0 ? value : (value / 1000 ** power).toFixed(1)} ${units[power]}`;
}

/** What a judge is asked with, in one line. */
export function paramWords({ model, temperature, max_tokens, extra }: Params): string {
  const parts = [model, temperature === null ? 'the service’s own temperature' : `temperature ${temperature}`];
  if (max_tokens !== null) parts.push(`at most ${max_tokens} tokens`);
  if (Object.keys(extra).length > 0) parts.push(JSON.stringify(extra));
  return parts.join(', ');
}

/** `2026-01-01 12:00:05 UTC`; a time that names no zone is written without one. */
export function timeWords(time: string): string {
  const [, day, clock, zone] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(Z?)$/.exec(time) ?? [];
  return day === undefined ? time : `${day} ${clock}${zone === 'Z' ? ' UTC' : ''}`;
}

/** What score rows name instead of a judge where an image metric was computed. */
export const MEASURED = 'measured';

/** Whether a criterion is an image metric: `ssim@golden`. */
export const isMeasured = (criterion: string): boolean => criterion.includes('@');

/** The first characters of a hash. */
export const shortHash = (hash: string): string => hash.slice(0, 8);

/** What each policy does, in plain words. */
export const POLICY_SENTENCES: Record<Policy, string> = {
  zero: 'An output that is missing or unreadable scores as lowest on its scale; a reply that is missing or unreadable is left out.',
  exclude: 'An output or a reply that is missing or unreadable is left out; the count below each mean shows it.',
  upstream: 'Whatever the authors’ code does: a missing output counts as it was judged, an unreadable reply as their script treats it.',
};

/** The same of image metrics, whatever the policy. */
export const MEASURED_SENTENCE = 'An output or a counterpart that is missing or unreadable has no value and is left out; no total contains a measured value.';

/** The number of a turn as texts have it, from 1; files and addresses count from 0. */
export const turnNumber = (turn: number): number => turn + 1;

/** `, turn 2`; nothing for the first turn, which most samples have alone. */
export const turnWords = (turn: number | null): string => (turn === null || turn === 0 ? '' : `, turn ${turnNumber(turn)}`);

/** A key of a scope in words: the overall row has the key `all`. Turns count from 1 in every text, from 0 in files. */
export function keyLabel(scope: string, key: string): string {
  if (scope === 'overall') return 'Overall';
  if (scope === 'turn' && /^\d+$/.test(key)) return `Turn ${turnNumber(Number(key))}`;
  return key;
}

/** A number of a paper with the decimals of its table. */
export const printedNumber = ({ value, decimals }: { value: number; decimals: number }): string => value.toFixed(decimals).replace('-', '−');

/** Whether a judge is one who rated, or all of them. */
export const isPerson = (judge: string): boolean => judge === 'people' || judge.startsWith('people:');

/** A judge as it is read: people who rated by their names, all of them together, a judge without a name as what it is. */
export function personName(judge: string): string {
  if (judge === 'people') return 'all who rated';
  return judge.startsWith('people:') ? judge.slice('people:'.length) : judge;
}
