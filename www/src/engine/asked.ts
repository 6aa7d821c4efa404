/** Reads that the engine's worker asks the page for. */
import type { FromWorker, HeldRead, ReadBytes } from './protocol';

/** Reads under way on the page, by the numbers that its answers bear. */
export class AskedReads {
  readonly #post: (message: FromWorker) => void;
  readonly #waiting = new Map<number, (got: ReadBytes[]) => void>();
  #next = 1;

  constructor(post: (message: FromWorker) => void) {
    this.#post = post;
  }

  /** How many questions the page has not answered yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Reads several files with one question. */
  read(reads: HeldRead[]): Promise<ReadBytes[]> {
    const id = this.#next++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#post({ event: 'read', id, reads });
    });
  }

  /** The page has answered. */
  answered(id: number, got: ReadBytes[]): void {
    this.#waiting.get(id)?.(got);
    this.#waiting.delete(id);
  }
}
