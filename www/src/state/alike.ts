/** Features of pictures by open networks, for the output check: what it compares is the engine's. */
import { messageOf } from '../engine/errors';
import type { NetworksClient } from '../engine/networks/client';
import type { LintFeatures } from '../engine/types/LintFeatures';
import type { NetworkPack } from '../engine/types/NetworkPack';
import { joined } from './features';
import { TASKS } from './look-alikes';
import { networks } from './networks';
import { store } from './store';

/** How far the networks are. */
export interface AlikeRun {
  done: number;
  total: number;
  /** Milliseconds since the page began. */
  began: number;
  isOver: boolean;
  /** Why it ended early; empty where it did not. */
  problem: string;
  /** Pictures that a network cannot read. */
  failed: number;
}

class AlikeSearch extends EventTarget {
  run: AlikeRun | null = null;
  /** Of one network each; none before a run came to its end. */
  features: LintFeatures[] = [];
  /** Grows with each run that ended. */
  count = 0;
  #client: NetworksClient | null = null;

  constructor() {
    super();
    // File numbers are those of what was open when the run began.
    store.addEventListener('change', () => {
      if (store.state.opened.length === 0 && (this.run !== null || this.features.length > 0)) this.stop();
    });
  }

  get isRunning(): boolean {
    return this.run !== null && !this.run.isOver;
  }

  /** The open packs that passed their golden cases and have such features. */
  get packs(): NetworkPack[] {
    return networks.packs.filter(({ pack, check }) => check !== null && TASKS.includes(pack.task)).map(({ pack }) => pack);
  }

  /** Has every open network look at these pictures. */
  async start(pictures: readonly number[]): Promise<void> {
    this.stop();
    const { packs } = this;
    const run: AlikeRun = { done: 0, total: pictures.length * packs.length, began: performance.now(), isOver: false, problem: '', failed: 0 };
    this.#tell(run);
    let client: NetworksClient | null = null;
    try {
      client = await networks.start();
      // Another run, or none, took its place meanwhile.
      if (this.run !== run) return;
      this.#client = client;
      const found: LintFeatures[] = [];
      for (const { id, task } of packs) found.push(await this.#features(run, client, id, task, pictures));
      this.features = found;
      this.count += 1;
    } catch (error) {
      run.problem = messageOf(error);
    } finally {
      client?.stop();
    }
    if (this.run !== run) return;
    this.#client = null;
    run.isOver = true;
    this.#tell(run);
  }

  /** Ends the run and forgets what came of it and of those before. */
  stop(): void {
    this.#client?.stop();
    this.#client = null;
    this.run = null;
    if (this.features.length > 0) this.count += 1;
    this.features = [];
    this.dispatchEvent(new Event('change'));
  }

  async #features(run: AlikeRun, client: NetworksClient, network: string, task: string, pictures: readonly number[]): Promise<LintFeatures> {
    const files: number[] = [];
    const found: Float32Array[] = [];
    for (const file of pictures) {
      try {
        found.push(await client.embed(task, await store.client.fileBlob(file)));
        files.push(file);
      } catch (error) {
        if (this.run !== run) throw error;
        run.failed += 1;
      }
      if (this.run !== run) throw new Error('Another run took its place.');
      run.done += 1;
      this.#tell(run);
    }
    return { network, files, numbers: joined(found).numbers };
  }

  #tell(run: AlikeRun): void {
    this.run = run;
    this.dispatchEvent(new Event('change'));
  }
}

export const alike = new AlikeSearch();
