/** A worker that measures pictures, as the page uses it. */
import { hand } from '../handing';
import type { Handed, Helper } from '../loader/contract';
import { workers } from '../loader/workers';
import { EngineError, messageOf } from '../errors';
import type { GpuFeed } from '../types/GpuFeed';
import type { MeasureStanding } from '../types/MeasureStanding';
import type { PictureChange } from '../types/PictureChange';
import type { PictureMap } from '../types/PictureMap';
import type { Sizes } from '../types/Sizes';
import type { MapMetric } from './edge';
import { Feed } from './feed';
import { samplesOf, type Brought, type Rows } from './planes';
import type { Choice, FromMeasurer, HandedPair, PicturePair, ToMeasurer } from './protocol';
import type { PieceMeasurer } from './run';
import { keepTrial, keptTrials } from './trials';

type Answer = Exclude<FromMeasurer, { code: string }>;

function rowsOf(answer: Answer): Rows {
  if (!('rows' in answer)) throw new EngineError('The metrics answered something else.', 'bad_answer');
  return { rows: answer.rows, spent: answer.spent };
}

/** A worker that measures pictures. */
export class MetricsClient implements PieceMeasurer {
  readonly #helper: Helper;
  readonly #pending = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
  #nextId = 1;
  /** What measures. */
  readonly standing: MeasureStanding;

  private constructor(helper: Helper, standing: MeasureStanding) {
    this.#helper = helper;
    this.standing = standing;
  }

  /**
   * Starts a worker; `standing` says whether the GPU was had, and why not.
   *
   * With `auto` it compares GPU and CPU by these metrics, but for those that were compared in this browser before.
   */
  static async start(choice: Choice, wanted: string[] = []): Promise<MetricsClient> {
    const helper = await workers.startMetrics();
    if (helper === null) throw new EngineError('This browser refuses the workers that metrics need here: use the hosted page, or juror metric.', 'no_worker');
    const { worker } = helper;
    const standing = await new Promise<MeasureStanding>((resolve, reject) => {
      worker.addEventListener(
        'message',
        ({ data }: MessageEvent<FromMeasurer>) => {
          if ('standing' in data) resolve(data.standing);
          else if ('code' in data) reject(new EngineError(data.message, data.code));
        },
        { once: true },
      );
      worker.addEventListener(
        'error',
        (event) => {
          event.preventDefault();
          reject(new EngineError(event.message || 'The metrics could not be loaded.', 'not_loaded'));
        },
        { once: true },
      );
      worker.postMessage({ id: 0, start: choice, wanted, known: keptTrials() } satisfies ToMeasurer);
    }).catch((error: unknown) => {
      worker.terminate();
      throw error;
    });
    if (standing.trial !== null) keepTrial(standing.trial);
    const client = new MetricsClient(helper, standing);
    worker.addEventListener('message', ({ data }: MessageEvent<FromMeasurer>) => client.#receive(data));
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      client.#fail(new EngineError(event.message || 'The metrics stopped.', 'stopped'));
    });
    return client;
  }

  /** Measures pairs on this worker's CPU; with sizes `resized` candidates are brought to their references' size first. */
  async measurePiece(metrics: string[], pairs: PicturePair[], sizes: Sizes): Promise<Rows> {
    return rowsOf(await this.#ask(pairs, (id, handed) => ({ id, metrics, pairs: handed, sizes })));
  }

  /** Decodes a pair for the worker with the GPU, and computes what has no twin there or is in `kept`. */
  async decode(metrics: string[], kept: string[], pair: PicturePair, sizes: Sizes): Promise<Brought> {
    const answer = await this.#ask([pair], (id, [decode]) => ({ id, metrics, kept, decode, sizes }));
    if (!('brought' in answer)) throw new EngineError('The metrics answered something else.', 'bad_answer');
    return answer.brought;
  }

  /** Completes the rows of pairs that others have decoded, in one submission; takes their samples along. */
  async complete(metrics: string[], pairs: Brought[]): Promise<Rows> {
    const answer = await new Promise<Answer>((resolve, reject) => {
      const id = this.#nextId++;
      this.#pending.set(id, { resolve, reject });
      this.#helper.worker.postMessage({ id, metrics, complete: pairs } satisfies ToMeasurer, pairs.flatMap(samplesOf));
    });
    return rowsOf(answer);
  }

  /** What measures where these workers decode for this one's GPU; one for each of them. */
  fedBy(decoders: readonly MetricsClient[], limits: GpuFeed): PieceMeasurer[] {
    const feed = new Feed(this, limits);
    return decoders.map((decoder) => ({
      standing: this.standing,
      measurePiece: (metrics, pairs, sizes) => feed.measurePiece(decoder, metrics, pairs, sizes),
      stop: () => decoder.stop(),
    }));
  }

  /** A metric of one pair place by place; `key` says which pair it is, so that its files are decoded once. */
  async map(key: string, pair: PicturePair, metric: MapMetric): Promise<PictureMap> {
    const answer = await this.#ask([pair], (id, [handed]) => ({ id, question: { key, pair: handed, map: metric } }));
    if (!('map' in answer)) throw new EngineError('The metrics answered something else.', 'bad_answer');
    return answer.map;
  }

  /** How much of a pair changed; `box` is left, top, right and bottom pixel of a part that is counted by itself, a mask the file of one. */
  async change(key: string, pair: PicturePair, threshold: number, box: number[] | null, mask: Blob | null): Promise<PictureChange> {
    const answer = await this.#ask([pair], (id, [handed], more) => ({ id, question: { key, pair: handed, threshold, box, mask: more } }), mask);
    if (!('change' in answer)) throw new EngineError('The metrics answered something else.', 'bad_answer');
    return answer.change;
  }

  /** Ends the worker; what is under way is rejected. */
  stop(): void {
    this.#fail(new EngineError('The metrics were stopped.', 'stopped'));
    this.#helper.worker.terminate();
  }

  /** Asks about pairs, and a picture more where one is given. */
  #ask<Pairs extends PicturePair[]>(
    pairs: readonly [...Pairs],
    make: (id: number, handed: { [At in keyof Pairs]: HandedPair }, more: Handed | null) => ToMeasurer,
    more: Blob | null = null,
  ): Promise<Answer> {
    const id = this.#nextId++;
    const files = [...pairs.flatMap(({ reference, candidate }) => [reference, candidate]), ...(more === null ? [] : [more])];
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      hand(this.#helper, files, (handed) => {
        const there = pairs.map((_, at) => ({ reference: handed[2 * at], candidate: handed[2 * at + 1] })) as { [At in keyof Pairs]: HandedPair };
        return make(id, there, handed[2 * pairs.length] ?? null);
      }).catch((error: unknown) => {
        this.#pending.delete(id);
        reject(error instanceof Error ? error : new Error(messageOf(error)));
      });
    });
  }

  #receive(answer: FromMeasurer): void {
    const waiting = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if ('code' in answer) waiting?.reject(new EngineError(answer.message, answer.code));
    else waiting?.resolve(answer);
  }

  #fail(error: Error): void {
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
