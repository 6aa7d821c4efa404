/** Pictures that look alike by a network's features: copies of references, and outputs that hardly differ from each other. */
import type { AgainstInfo } from '../engine/types/AgainstInfo';

/** A picture that is looked at: a model's output, or one of the benchmark's by its number. */
export interface Looked {
  file: number;
  sample: string;
  turn: number;
  number: number | null;
  /** It is what the turn is expected to give, so that likeness is no fault of its own sample's output. */
  isGolden: boolean;
}

/** Two pictures and the cosine of their features. */
export interface Alike {
  a: Looked;
  b: Looked;
  cosine: number;
}

export interface NeighbourSearch {
  task: string;
  model: string;
  done: number;
  total: number;
  /** When it began, as `performance.now` tells it. */
  began: number;
  isOver: boolean;
  /** Why it ended early; empty where it did not. */
  problem: string;
  /** Pictures that cannot be looked at. */
  failed: number;
  /** Each output of the model and the one that it is most like. */
  outputs: Alike[];
  /** Each output and the picture of the benchmark that it is most like. */
  references: Alike[];
}

/** Networks by whose features pictures are near to each other. */
export const TASKS = ['clip', 'dino'];

/** Golden answers and references, as far as there are some: all references where there are several. */
export function pictureKinds(against: readonly AgainstInfo[]): string[] {
  const offered = against.map(({ id }) => id);
  const references = offered.includes('references') ? ['references'] : offered.filter((id) => id.startsWith('reference:'));
  return [...offered.filter((id) => id === 'golden'), ...references];
}

/** Each picture and the nearest of the others. */
export function pairsOf(nearest: Float64Array, own: readonly Looked[], others: readonly Looked[]): Alike[] {
  return own.flatMap((a, at) => {
    const [place = NaN, cosine = NaN] = [nearest[2 * at], nearest[2 * at + 1]];
    const b = others[place];
    return b === undefined ? [] : [{ a, b, cosine }];
  });
}

/** The most alike first; two pictures of which each is the nearest of the other are one pair. */
export function mostAlike(pairs: readonly Alike[], most: number): Alike[] {
  const seen = new Set<string>();
  const once = pairs.filter(({ a, b }) => {
    const key = JSON.stringify([a.file, b.file].sort((one, other) => one - other));
    return !seen.has(key) && seen.add(key);
  });
  return once.sort((one, other) => other.cosine - one.cosine).slice(0, most);
}
