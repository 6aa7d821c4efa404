/** Workers that decode pairs, and the one with the GPU that they feed: few decoded pairs wait, and several go into one submission. */
import type { GpuFeed } from '../types/GpuFeed';
import type { Measured } from '../types/Measured';
import type { Sizes } from '../types/Sizes';
import type { StageTimes } from '../types/StageTimes';
import type { Brought, Rows } from './planes';
import type { PicturePair } from './protocol';

/** What decodes. */
export interface PairDecoder {
  decode(metrics: string[], kept: string[], pair: PicturePair, sizes: Sizes): Promise<Brought>;
}

/** What has the GPU: completes the rows of a few pairs in one submission. */
export interface RowCompleter {
  complete(metrics: string[], pairs: Brought[]): Promise<Rows>;
}

/** A row of values, and the time that it took. */
interface Row {
  row: Measured[];
  spent: StageTimes[];
}

/** A decoded pair that waits for the GPU. */
interface Waiting {
  /** The metrics as a text: pairs of one submission want the same. */
  key: string;
  metrics: string[];
  pair: Brought;
  resolve(row: Row): void;
  reject(error: unknown): void;
}

const isWhole = (row: (Measured | null)[]): row is Measured[] => !row.includes(null);

/** What is between the decoders and the GPU. */
export class Feed {
  readonly #gpu: RowCompleter;
  readonly #limits: GpuFeed;
  /** Decoded pairs, the oldest first. */
  readonly #waiting: Waiting[] = [];
  #submitted = 0;
  /** Pairs that a decoder has, or that wait. */
  #ahead = 0;
  /** Lanes that wait until one more pair may be decoded. */
  readonly #lanes: (() => void)[] = [];

  constructor(gpu: RowCompleter, limits: GpuFeed) {
    this.#gpu = gpu;
    this.#limits = limits;
  }

  /** Measures a piece whose pairs this worker decodes; the next one is decoded while the GPU has those before. */
  async measurePiece(decoder: PairDecoder, metrics: string[], pairs: PicturePair[], sizes: Sizes): Promise<Rows> {
    const rows: Promise<Row>[] = [];
    for (const pair of pairs) {
      await this.#room();
      const brought = await decoder.decode(metrics, this.#limits.kept, pair, sizes);
      const row = this.#row(metrics, brought);
      // It is awaited below; another pair's error may come first.
      row.catch(() => undefined);
      rows.push(row);
    }
    const all = await Promise.all(rows);
    return { rows: all.map(({ row }) => row), spent: all.flatMap(({ spent }) => spent) };
  }

  /** Waits until one more pair may be decoded. */
  async #room(): Promise<void> {
    if (this.#ahead >= this.#limits.ahead) await new Promise<void>((resolve) => this.#lanes.push(resolve));
    else this.#ahead += 1;
  }

  /** A pair has left; a lane that waits takes its place. */
  #leave(): void {
    const next = this.#lanes.shift();
    if (next === undefined) this.#ahead -= 1;
    else next();
  }

  #row(metrics: string[], pair: Brought): Promise<Row> {
    if (isWhole(pair.row)) {
      this.#leave();
      return Promise.resolve({ row: pair.row, spent: [pair.spent] });
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key: metrics.join(), metrics, pair, resolve, reject });
      this.#submit();
    });
  }

  #submit(): void {
    while (this.#submitted < this.#limits.submissions) {
      const [first] = this.#waiting;
      if (first === undefined) return;
      const other = this.#waiting.findIndex(({ key }) => key !== first.key);
      const alike = other < 0 ? this.#waiting.length : other;
      void this.#complete(first.metrics, this.#waiting.splice(0, Math.min(alike, this.#limits.together)));
    }
  }

  async #complete(metrics: string[], pairs: Waiting[]): Promise<void> {
    this.#submitted += 1;
    pairs.forEach(() => this.#leave());
    try {
      const { rows, spent } = await this.#gpu.complete(
        metrics,
        pairs.map(({ pair }) => pair),
      );
      // The time of a submission is that of all its pairs: the first one has it.
      pairs.forEach(({ pair, resolve }, at) => resolve({ row: rows[at] ?? [], spent: [pair.spent, ...(at === 0 ? spent : [])] }));
    } catch (error) {
      for (const { reject } of pairs) reject(error);
    }
    this.#submitted -= 1;
    this.#submit();
  }
}
