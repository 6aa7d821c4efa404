/**
 * Workers that find out which pictures decode, so that the engine goes on answering meanwhile.
 *
 * They are started as work comes and ended when it is done: what a decoder took for a large picture is given back then.
 * Whoever asks keeps the pictures, and decodes them by itself where no worker can be had or one died over them.
 */
import type { Decoder, Flaw, FromDecoder, ToDecoder } from './protocol';

/** Workers that died before no more are started: then it is not a picture that is at fault. */
const MAX_DEATHS = 3;
/** A worker that has not begun by then never will. */
const BEGINS_WITHIN_MS = 20_000;
/** A worker that has not answered by then is taken for dead: its pictures are decoded elsewhere. */
const ANSWERS_WITHIN_MS = 20_000;

interface Batch {
  pictures: readonly Uint8Array<ArrayBuffer>[];
  done(flaws: Flaw[] | null): void;
}

/** A batch that a worker has, and when it is taken for dead over it. */
interface AssignedBatch {
  batch: Batch;
  late: ReturnType<typeof setTimeout>;
}

/** A pool of workers, each with one batch at a time. */
export class DecoderPool {
  readonly #start: () => Promise<Decoder | null>;
  readonly #most: number;
  readonly #beginsWithin: number;
  readonly #answersWithin: number;
  /** What each worker is at; `null` for one that waits. */
  #workers = new Map<Decoder, AssignedBatch | null>();
  #waiting: Batch[] = [];
  /** Workers that are being started. */
  #starting = 0;
  #deaths = 0;
  /** Counts how often all were ended: a worker that comes late is ended as well. */
  #stops = 0;

  /** `start` gives `null` where workers are refused; at most `most` are started. */
  constructor(start: () => Promise<Decoder | null>, most: number, beginsWithin = BEGINS_WITHIN_MS, answersWithin = ANSWERS_WITHIN_MS) {
    this.#start = start;
    this.#most = most;
    this.#beginsWithin = beginsWithin;
    this.#answersWithin = answersWithin;
  }

  /** The flaw of each picture; `null` where no worker can say, and where all were ended. */
  check(pictures: readonly Uint8Array<ArrayBuffer>[]): Promise<Flaw[] | null> {
    return new Promise((done) => {
      this.#waiting.push({ pictures, done });
      this.#deal();
    });
  }

  /** Ends all workers and what waits for them. */
  stop(): void {
    this.#stops += 1;
    this.#starting = 0;
    const open = [...this.#workers.keys()].map((worker) => this.#takeBack(worker));
    for (const worker of this.#workers.keys()) worker.terminate();
    this.#workers.clear();
    for (const batch of [...open, ...this.#waiting.splice(0)]) batch?.done(null);
  }

  #deal(): void {
    for (const [worker, given] of this.#workers) {
      if (given !== null) continue;
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#workers.set(worker, { batch: next, late: setTimeout(() => this.#bury(worker), this.#answersWithin) });
      // Copies: a worker that dies takes along what it was given, and a part of a larger buffer would bring all of it.
      const pictures = next.pictures.map((picture) => picture.slice());
      worker.postMessage(
        { pictures } satisfies ToDecoder,
        pictures.map(({ buffer }) => buffer),
      );
    }
    if (this.#deaths < MAX_DEATHS && this.#workers.size + this.#starting < this.#most && this.#waiting.length > this.#starting) void this.#startOne();
    if (this.#workers.size + this.#starting === 0) for (const batch of this.#waiting.splice(0)) batch.done(null);
  }

  async #startOne(): Promise<void> {
    const stops = this.#stops;
    this.#starting += 1;
    const started = this.#start().catch(() => null);
    const tooLate = new Promise<'late'>((resolve) => setTimeout(resolve, this.#beginsWithin, 'late'));
    const first = await Promise.race([started, tooLate]);
    if (stops !== this.#stops || first === 'late') void started.then((late) => late?.terminate());
    if (stops !== this.#stops) return;
    const worker = first === 'late' ? null : first;
    this.#starting -= 1;
    if (worker === null) this.#deaths = MAX_DEATHS;
    else this.#take(worker);
    this.#deal();
  }

  #take(worker: Decoder): void {
    this.#workers.set(worker, null);
    const died = (): void => this.#bury(worker);
    worker.addEventListener('message', (event) => {
      const { data } = event as MessageEvent<FromDecoder>;
      // One that was ended may still be heard, and is not to be given another batch.
      if (!this.#workers.has(worker)) return;
      // After a trap nothing that the same instance says can be relied on.
      if ('message' in data) {
        died();
        return;
      }
      const batch = this.#takeBack(worker);
      this.#workers.set(worker, null);
      batch?.done(data.flaws);
      this.#deal();
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      died();
    });
    worker.addEventListener('messageerror', died);
  }

  /** The batch that a worker has; it is no longer waited for, so that its pictures are held no longer either. */
  #takeBack(worker: Decoder): Batch | null {
    const given = this.#workers.get(worker) ?? null;
    clearTimeout(given?.late);
    return given?.batch ?? null;
  }

  #bury(worker: Decoder): void {
    if (!this.#workers.has(worker)) return;
    const batch = this.#takeBack(worker);
    worker.terminate();
    this.#workers.delete(worker);
    this.#deaths += 1;
    batch?.done(null);
    this.#deal();
  }
}
