/** What the comparison shows, as in its address. */
import type { Cluster } from '../engine/types/Cluster';
import type { CompareQuery } from '../engine/types/CompareQuery';
import type { Correction } from '../engine/types/Correction';
import type { Level } from '../engine/types/Level';
import type { ScoreOptions } from '../engine/types/ScoreOptions';

/** The choices of the comparison; what is empty is as usual. */
export interface Comparing {
  scope: string;
  key: string;
  criterion: string;
  /** `null` for the judge that most models have. */
  judge: string | null;
  cluster: Cluster;
  correction: Correction;
  /** Level of intervals. */
  interval: Level;
  seed: number;
  /** The pair that is looked at. */
  a: string;
  b: string;
}

/** Replicates that the page draws. */
const REPLICATES = 2000;
const MAX_SEED = 2 ** 32 - 1;

export const CLUSTERS: Record<Cluster, null> = { sample: null, reference_set: null, domain: null, category: null };
export const CORRECTIONS: Record<Correction, null> = { holm: null, benjamini_hochberg: null, none: null };

/** Levels of intervals, in percent. */
export const LEVELS: readonly Level[] = ['90', '95', '99'];

/** The level that an address names, or the usual one. */
export const levelOf = (named: string | null): Level => LEVELS.find((known) => known === named) ?? '95';

export const COMPARING: Comparing = {
  scope: '',
  key: '',
  criterion: '',
  judge: null,
  cluster: 'sample',
  correction: 'holm',
  interval: '95',
  seed: 1,
  a: '',
  b: '',
};

/** A seed that the engine takes, or the usual one. */
export function seedOf(text: string): number {
  const seed = Number(text);
  return Number.isInteger(seed) && seed >= 0 && seed <= MAX_SEED ? seed : COMPARING.seed;
}

const isKey = <T extends string>(known: Record<T, null>, text: string): text is T => Object.hasOwn(known, text);

/** Reads the choices of an address. */
export function comparingOf(params: URLSearchParams): Comparing {
  const text = (key: string): string => params.get(key) ?? '';
  const cluster = text('cluster');
  const correction = text('correction');
  return {
    scope: text('scope'),
    key: text('key'),
    criterion: text('criterion'),
    judge: params.get('by'),
    cluster: isKey(CLUSTERS, cluster) ? cluster : COMPARING.cluster,
    correction: isKey(CORRECTIONS, correction) ? correction : COMPARING.correction,
    interval: levelOf(params.get('interval')),
    seed: params.has('seed') ? seedOf(text('seed')) : COMPARING.seed,
    a: text('a'),
    b: text('b'),
  };
}

/** Writes the choices that are not as usual; `judge` is the key of the judge that is chosen for every view. */
export function writeComparing(comparing: Comparing, params: URLSearchParams): void {
  const { judge, seed, ...texts } = comparing;
  for (const [key, value] of Object.entries(texts)) if (value !== COMPARING[key as keyof typeof texts]) params.set(key, value);
  if (judge !== null) params.set('by', judge);
  if (seed !== COMPARING.seed) params.set('seed', String(seed));
}

/** What the engine is asked; a judge that is chosen for every view is the only one that there is here. */
export function compareQuery({ scope, key, criterion, judge, cluster, correction, interval, seed }: Comparing, options: ScoreOptions): CompareQuery {
  return { scope, key, criterion, judge: options.judge === null ? judge : null, cluster, correction, seed, level: interval, replicates: REPLICATES };
}
