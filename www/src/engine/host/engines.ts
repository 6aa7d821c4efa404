/** The engines of this build, each fetched once. */
import type { Edge, Recogniser } from '../edge';
import { EngineError, messageOf } from '../errors';
import { engine as loader } from '../loader/engine';

const WHOLE = 'whole';

/** What was fetched of them. */
export class Engines {
  /** Those that were asked for, by their name. */
  readonly #asked = new Map<string, Promise<Edge>>();
  /** What tells benchmarks apart before an engine is fetched, once it was asked for. */
  #recogniser: Promise<Recogniser | null> | null = null;
  /** Those that have come. */
  readonly #here = new Set<string>();

  /** The engine with what is asked of a benchmark at first. */
  first(benchmark: string): Promise<Edge> {
    return this.#fetched(`first ${benchmark}`, () => loader.first(benchmark), 'The engine');
  }

  /** The engine with every question about every benchmark. */
  whole(): Promise<Edge> {
    return this.#fetched(WHOLE, () => loader.whole(), 'The rest of the engine');
  }

  /** Whether the engine with every question has come. */
  get hasWhole(): boolean {
    return this.#here.has(WHOLE);
  }

  /** What tells benchmarks apart; `null` where there is one engine for all, or none of it could be fetched. */
  recogniser(): Promise<Recogniser | null> {
    this.#recogniser ??= loader.recogniser().catch(() => {
      this.#recogniser = null;
      return null;
    });
    return this.#recogniser;
  }

  /** One that could not be fetched is tried again when it is asked for again. */
  #fetched(key: string, fetch: () => Promise<Edge>, what: string): Promise<Edge> {
    const known = this.#asked.get(key);
    if (known !== undefined) return known;
    const asked = fetch().catch((error: unknown) => {
      this.#asked.delete(key);
      throw new EngineError(`${what} could not be fetched (${messageOf(error)}). Check the connection and try again.`, 'no_engine');
    });
    this.#asked.set(key, asked);
    void asked.then(() => this.#here.add(key)).catch(() => undefined);
    return asked;
  }
}
