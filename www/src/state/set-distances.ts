/** Fréchet distances of whole sets: a model's outputs and the pictures of the benchmark, by the features of an Inception that is open. */
import { EngineError, messageOf } from '../engine/errors';
import type { NetworksClient } from '../engine/networks/client';
import type { MeasurePlan } from '../engine/types/MeasurePlan';
import { joined } from './features';
import { networks } from './networks';
import { store } from './store';

/** The distance of one model's outputs, as `juror metric fid` prints it. */
export interface SetDistance {
  metric: 'fid';
  model: string;
  against: string;
  /** `null` where there is none; `problem` says why. */
  value: number | null;
  /** Pictures on each side. */
  reference: number;
  candidate: number;
  network: string;
  problem: string;
}

export interface SetRun {
  against: string;
  done: number;
  total: number;
  /** When it began, as `performance.now` tells it. */
  began: number;
  isOver: boolean;
  /** Why it ended early; empty where it did not. */
  problem: string;
  rows: SetDistance[];
}

/** The pictures of both sides by their numbers, each once. */
interface Sides {
  outputs: number[];
  references: number[];
  /** A picture that cannot be read: without it the number would be that of another set. */
  problem: string;
}

class SetDistances extends EventTarget {
  run: SetRun | null = null;
  #opened = store.state.opened;
  #client: NetworksClient | null = null;

  constructor() {
    super();
    store.addEventListener('change', () => {
      const { opened } = store.state;
      if (opened === this.#opened) return;
      this.#opened = opened;
      // File numbers are those of what was open when the run began; more that is opened changes none, but makes other sets.
      if (this.run !== null && (opened.length === 0 || this.run.isOver)) this.stop();
    });
  }

  get isRunning(): boolean {
    return this.run !== null && !this.run.isOver;
  }

  /** One model after the other; features are kept in this browser, so that a run which ended early goes on. */
  async start(models: readonly string[], against: string): Promise<void> {
    this.stop();
    const run: SetRun = { against, done: 0, total: 0, began: performance.now(), isOver: false, problem: '', rows: [] };
    this.#tell(run);
    try {
      const sides = new Map<string, Sides>();
      for (const model of models) {
        sides.set(model, sidesOf(await store.client.measurePlan({ metrics: ['mse'], against: [against], sizes: 'resized', models: [model], again: true })));
      }
      run.total = new Set([...sides.values()].flatMap(({ outputs, references }) => [...outputs, ...references])).size;
      const client = await networks.start();
      this.#client = client;
      const network = await client.describe('inception');
      const features = new Map<number, Float32Array>();
      for (const [model, side] of sides) {
        run.rows.push(await this.#distance(run, client, features, side, { model, against, network }));
        this.#tell(run);
      }
    } catch (error) {
      run.problem = messageOf(error);
    }
    if (this.run !== run) return;
    this.#client?.stop();
    this.#client = null;
    run.isOver = true;
    this.#tell(run);
    await networks.count();
  }

  stop(): void {
    this.#client?.stop();
    this.#client = null;
    this.run = null;
    this.dispatchEvent(new Event('change'));
  }

  async #distance(
    run: SetRun,
    client: NetworksClient,
    features: Map<number, Float32Array>,
    { outputs, references, problem }: Sides,
    of: { model: string; against: string; network: string },
  ): Promise<SetDistance> {
    const row: SetDistance = { metric: 'fid', ...of, value: null, reference: references.length, candidate: outputs.length, problem };
    if (problem !== '') return row;
    try {
      const [reference, candidate] = [await this.#set(run, client, features, references), await this.#set(run, client, features, outputs)];
      row.value = await client.frechet(reference, candidate, reference.length / references.length);
    } catch (error) {
      // The next model’s outputs may well be whole.
      if (this.run !== run || !(error instanceof EngineError) || error.code === 'no_memory') throw error;
      row.problem = error.message;
    }
    return row;
  }

  /** The features of a set, one picture after the other. */
  async #set(run: SetRun, client: NetworksClient, features: Map<number, Float32Array>, files: number[]): Promise<Float32Array> {
    const found: Float32Array[] = [];
    for (const file of files) {
      const known = features.get(file);
      const one = known ?? (await client.inception(await store.client.fileBlob(file)));
      if (known === undefined) {
        features.set(file, one);
        run.done += 1;
        this.#tell(run);
      }
      found.push(one);
    }
    return joined(found).numbers;
  }

  #tell(run: SetRun): void {
    this.run = run;
    this.dispatchEvent(new Event('change'));
  }
}

function sidesOf({ pairs, refused }: MeasurePlan): Sides {
  const [first] = refused;
  const problem =
    first === undefined ? '' : `${first.sample}: ${first.problem ?? 'its output cannot be read.'} Without it the distance would be that of another set.`;
  return { outputs: [...new Set(pairs.map(({ output }) => output))], references: [...new Set(pairs.map(({ counterpart }) => counterpart))], problem };
}

export const setDistances = new SetDistances();
