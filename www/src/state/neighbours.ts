/** Pictures that look alike by a network's features: copies of references, and outputs that hardly differ from each other. */
import { messageOf } from '../engine/errors';
import type { NetworksClient } from '../engine/networks/client';
import type { MeasurePair } from '../engine/types/MeasurePair';
import { networks } from './networks';
import { store } from './store';

/** So many pairs are shown of each kind. */
const MAX_SHOWN = 20;

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
  isOver: boolean;
  /** Why it ended early; empty where it did not. */
  problem: string;
  /** Pictures that cannot be looked at. */
  failed: number;
  /** Outputs of the model, the most alike first. */
  outputs: Alike[];
  /** Outputs and the pictures of the benchmark that they are most like. */
  references: Alike[];
}

class Neighbours extends EventTarget {
  search: NeighbourSearch | null = null;
  #client: NetworksClient | null = null;

  constructor() {
    super();
    // File numbers are those of what was open when the search began.
    store.addEventListener('change', () => {
      if (this.search !== null && store.state.opened.length === 0) this.stop();
    });
  }

  get isRunning(): boolean {
    return this.search !== null && !this.search.isOver;
  }

  /** Looks through a model's outputs and what they are held against. */
  async start(task: string, model: string, against: string[]): Promise<void> {
    this.stop();
    const search: NeighbourSearch = { task, model, done: 0, total: 0, isOver: false, problem: '', failed: 0, outputs: [], references: [] };
    this.#tell(search);
    try {
      const plan = await store.client.measurePlan({ metrics: [task], against, sizes: 'resized', models: [model], again: true });
      await this.#look(search, plan.pairs);
    } catch (error) {
      search.problem = messageOf(error);
    }
    this.#client?.stop();
    this.#client = null;
    search.isOver = true;
    if (this.search === search) this.#tell(search);
  }

  stop(): void {
    this.#client?.stop();
    this.#client = null;
    this.search = null;
    this.dispatchEvent(new Event('change'));
  }

  async #look(search: NeighbourSearch, pairs: readonly MeasurePair[]): Promise<void> {
    const outputs = new Map<number, Looked>();
    const references = new Map<number, Looked>();
    for (const { output, counterpart, sample, turn, number, against } of pairs) {
      outputs.set(output, { file: output, sample, turn, number: null, isGolden: false });
      references.set(counterpart, { file: counterpart, sample, turn, number, isGolden: against === 'golden' });
    }
    search.total = outputs.size + references.size;
    const client = await networks.start();
    this.#client = client;
    const own = await this.#features(search, client, [...outputs.values()]);
    const others = await this.#features(search, client, [...references.values()]);
    const width = own.width;
    if (own.looked.length === 0) return;
    search.outputs = top(await client.nearest(own.numbers, null, width), own.looked, own.looked, true);
    if (others.looked.length > 0) search.references = top(await client.nearest(own.numbers, others.numbers, width), own.looked, others.looked, false);
  }

  /** Features of those that can be looked at, one after the other. */
  async #features(search: NeighbourSearch, client: NetworksClient, looked: Looked[]): Promise<{ looked: Looked[]; numbers: Float32Array; width: number }> {
    const found: Float32Array[] = [];
    const there: Looked[] = [];
    for (const one of looked) {
      try {
        found.push(await client.embed(search.task, await store.client.fileBlob(one.file)));
        there.push(one);
      } catch (error) {
        if (this.search !== search) throw error;
        search.failed += 1;
      }
      search.done += 1;
      this.#tell(search);
    }
    const width = found[0]?.length ?? 0;
    const numbers = new Float32Array(found.length * width);
    found.forEach((one, at) => numbers.set(one, at * width));
    return { looked: there, numbers, width };
  }

  #tell(search: NeighbourSearch): void {
    this.search = search;
    this.dispatchEvent(new Event('change'));
  }
}

/** The nearest pairs, the most alike first; each pair of one list once. */
function top(nearest: Float64Array, own: readonly Looked[], others: readonly Looked[], isSame: boolean): Alike[] {
  const pairs: Alike[] = [];
  const seen = new Set<string>();
  own.forEach((a, at) => {
    const [place = NaN, cosine = NaN] = [nearest[2 * at], nearest[2 * at + 1]];
    const b = others[place];
    if (b === undefined) return;
    const key = [at, place].sort((one, other) => one - other).join();
    if (isSame && seen.has(key)) return;
    seen.add(key);
    pairs.push({ a, b, cosine });
  });
  return pairs.sort((one, other) => other.cosine - one.cosine).slice(0, MAX_SHOWN);
}

export const neighbours = new Neighbours();
