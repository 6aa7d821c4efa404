/** The search for pictures that look alike by a network's features. */
import { messageOf } from '../engine/errors';
import type { NetworksClient } from '../engine/networks/client';
import type { MeasurePair } from '../engine/types/MeasurePair';
import { joined } from './features';
import { pairsOf, pictureKinds, type Looked, type NeighbourSearch } from './look-alikes';
import { networks } from './networks';
import { store } from './store';

class Neighbours extends EventTarget {
  /** The one that goes on or ended last. */
  search: NeighbourSearch | null = null;
  /** Those that came to their end, of what is open now, by model and network. */
  readonly #ended = new Map<string, NeighbourSearch>();
  #opened = store.state.opened;
  #client: NetworksClient | null = null;

  constructor() {
    super();
    store.addEventListener('change', () => {
      const { opened } = store.state;
      if (opened === this.#opened) return;
      this.#opened = opened;
      this.#ended.clear();
      // File numbers are those of what was open when the search began; more that is opened changes none.
      if (this.search !== null && (opened.length === 0 || this.search.isOver)) this.stop();
    });
  }

  /** What was found of a model by a network; `null` before that was looked for. */
  found(model: string, task: string): NeighbourSearch | null {
    return this.#ended.get(keyOf(model, task)) ?? null;
  }

  get isRunning(): boolean {
    return this.search !== null && !this.search.isOver;
  }

  /** Looks through a model's outputs, and the golden answers and references that there are. */
  async start(task: string, model: string): Promise<void> {
    this.stop();
    const key = keyOf(model, task);
    const search: NeighbourSearch = {
      task,
      model,
      done: 0,
      total: 0,
      began: performance.now(),
      isOver: false,
      problem: '',
      failed: 0,
      outputs: [],
      references: [],
    };
    this.#tell(search);
    try {
      const against = pictureKinds((await store.client.measureOffer()).against);
      if (against.length === 0) throw new Error('The benchmark’s pictures are not open, so there is nothing to compare outputs with.');
      const plan = await store.client.measurePlan({ metrics: [task], against, sizes: 'resized', models: [model], again: true });
      await this.#look(search, plan.pairs);
    } catch (error) {
      search.problem = messageOf(error);
    }
    this.#client?.stop();
    this.#client = null;
    search.isOver = true;
    if (this.search !== search) return;
    if (search.problem === '') this.#ended.set(key, search);
    this.#tell(search);
    await networks.count();
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
    search.outputs = pairsOf(await client.nearest(own.numbers, null, width), own.looked, own.looked);
    if (others.looked.length > 0) search.references = pairsOf(await client.nearest(own.numbers, others.numbers, width), own.looked, others.looked);
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
    return { looked: there, ...joined(found) };
  }

  #tell(search: NeighbourSearch): void {
    this.search = search;
    this.dispatchEvent(new Event('change'));
  }
}

/** A model and the network that looks now: another pack, or another runner, has other features. */
function keyOf(model: string, task: string): string {
  const open = networks.packs.find(({ pack }) => pack.task === task);
  return JSON.stringify([model, task, open?.pack.sha256, networks.runner]);
}

export const neighbours = new Neighbours();
