/** What binds elements to questions for an engine. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { codeOf, EngineError, isAbort, messageOf } from '../engine/errors';

/**
 * A question to the engine that is asked again when its key changes.
 *
 * The last answer stays while a newer one is awaited, so that views do not flicker; an answer that comes late for an
 * older key is dropped.
 */
export class Query<T> implements ReactiveController {
  value: T | null = null;
  error: EngineError | null = null;
  pending = false;
  readonly #host: ReactiveControllerHost;
  #key = '';
  #call: AbortController | null = null;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** The answer to what was asked last: `null` while it is awaited and where there is none. What is started or paid for goes by it. */
  get settled(): T | null {
    return this.pending || this.error !== null ? null : this.value;
  }

  /** Asks if the key is new; called in `willUpdate`. */
  ask(key: string, question: (signal: AbortSignal) => Promise<T>): void {
    if (key === this.#key) return;
    this.#key = key;
    this.#call?.abort();
    const call = new AbortController();
    this.#call = call;
    this.pending = true;
    void this.#run(call, question);
  }

  /** Forgets the answer, so that the next `ask` shows no old one. */
  clear(): void {
    this.value = null;
    this.error = null;
    this.#key = '';
  }

  hostDisconnected(): void {
    this.#call?.abort();
    this.#key = '';
  }

  async #run(call: AbortController, question: (signal: AbortSignal) => Promise<T>): Promise<void> {
    try {
      const value = await question(call.signal);
      if (call.signal.aborted) return;
      this.value = value;
      this.error = null;
    } catch (error) {
      if (isAbort(error) || call.signal.aborted) return;
      this.error = error instanceof EngineError ? error : new EngineError(messageOf(error), codeOf(error));
    }
    this.pending = false;
    this.#host.requestUpdate();
  }
}
