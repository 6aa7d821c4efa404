/** A worker that runs networks, as the page uses it. */
import { EngineError } from '../errors';
import { workers } from '../loader/workers';
import type { Rows } from '../metrics/planes';
import type { PicturePair } from '../metrics/protocol';
import type { PieceMeasurer } from '../metrics/run';
import type { MeasureStanding } from '../types/MeasureStanding';
import type { NetworkCheck } from '../types/NetworkCheck';
import type { NetworkPack } from '../types/NetworkPack';
import type { PictureMap } from '../types/PictureMap';
import type { NetworkProfile, NetworkRunner } from './edge';
import type { FromNetworks, PackFiles, ToNetworks } from './protocol';

type Answer<Key extends string> = Extract<FromNetworks, Record<Key, unknown>>;
type Question = ToNetworks extends infer One ? (One extends { id: number } ? Omit<One, 'id'> : never) : never;

export class NetworksClient implements PieceMeasurer {
  standing: MeasureStanding = { backend: 'cpu', adapter: '', fallback: null, trial: null, runner: null };
  /** What the packs say of themselves, in the order in which they were given. */
  opened: NetworkPack[] = [];
  readonly #worker: Worker;
  readonly #pending = new Map<number, { resolve(answer: FromNetworks): void; reject(error: Error): void }>();
  #nextId = 1;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<FromNetworks>) => {
      const waiting = this.#pending.get(data.id);
      this.#pending.delete(data.id);
      if ('code' in data) waiting?.reject(new EngineError(data.message, data.code));
      else waiting?.resolve(data);
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#fail(new EngineError(event.message || 'What runs networks could not be loaded.', 'not_loaded'));
    });
  }

  /** Starts a worker with these packs; rejects where one cannot be opened. `again` computes what is kept in this browser too. */
  static async start(profile: NetworkProfile, runner: NetworkRunner, packs: PackFiles[], again = false): Promise<NetworksClient> {
    const worker = await workers.startNetworks();
    if (worker === null)
      throw new EngineError(
        'This copy of the page runs no networks, neither on the CPU nor by WebGPU: use the hosted page in a browser that allows workers, or juror score --pack.',
        'no_networks',
      );
    const client = new NetworksClient(worker);
    try {
      const answer = await client.#ask<'opened'>({ profile, runner, packs, again });
      client.opened = answer.opened;
      client.standing = { ...client.standing, backend: runner === 'webgpu' ? 'gpu' : 'cpu', runner: answer.runner };
    } catch (error) {
      client.stop();
      throw error;
    }
    return client;
  }

  /** Compares every graph of a pack with its golden cases. */
  async check(task: string): Promise<NetworkCheck> {
    return (await this.#ask<'check'>({ check: task })).check;
  }

  async measurePiece(metrics: string[], pairs: PicturePair[]): Promise<Rows> {
    return { rows: (await this.#ask<'rows'>({ metrics, pairs })).rows, spent: [] };
  }

  /** A picture's feature of length 1. */
  async embed(task: string, picture: Blob): Promise<Float32Array> {
    return (await this.#ask<'feature'>({ embed: task, picture })).feature;
  }

  /** The features of Inception-v3 of a picture. */
  async inception(picture: Blob): Promise<Float32Array> {
    return (await this.#ask<'feature'>({ inception: picture })).feature;
  }

  /** Which network gives this, as a report names it. */
  async describe(task: string): Promise<string> {
    return (await this.#ask<'described'>({ describe: task })).described;
  }

  /** The Fréchet distance of two sets of features, `width` numbers each. */
  async frechet(reference: Float32Array, candidate: Float32Array, width: number): Promise<number> {
    return (await this.#ask<'distance'>({ reference, candidate, width })).distance;
  }

  /** For each feature the place of the nearest among others, or among its own kind, and their cosine, one after the other. */
  async nearest(of: Float32Array, among: Float32Array | null, width: number): Promise<Float64Array> {
    return (await this.#ask<'nearest'>({ of, among, width })).nearest;
  }

  /** What a network paints of a picture, at the size of another one. */
  async map(task: string, frame: Blob, picture: Blob): Promise<PictureMap> {
    return (await this.#ask<'painted'>({ map: task, frame, picture })).painted;
  }

  /** Ends the worker; what is running is rejected. */
  stop(): void {
    this.#fail(new EngineError('The networks were stopped.', 'stopped'));
    this.#worker.terminate();
  }

  #ask<Key extends string>(question: Question): Promise<Answer<Key>> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve: (answer) => resolve(answer as Answer<Key>), reject });
      this.#worker.postMessage({ id, ...question });
    });
  }

  #fail(error: Error): void {
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
