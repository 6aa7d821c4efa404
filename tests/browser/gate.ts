/** What the servers of tests share: a gate at which requests wait, so that no test has to hit a moment, and the reading of bodies. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The body of a request; `null` where its client has gone away. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}

/** Open until `hold` is called. */
export class Gate {
  #passes = Infinity;
  /** What lets each request that waits through, in the order in which they came. */
  readonly #waiting = new Set<() => void>();

  /** Requests that wait, but for those whose client has gone away. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** From now on so many requests pass, those that wait first; the others wait. */
  hold(passes = 0): void {
    this.#passes = passes;
    this.#letThrough();
  }

  /** Those that wait pass, and whatever comes later. */
  release(): void {
    this.hold(Infinity);
  }

  /** Waits until the request may be answered; whether its client is still there. */
  pass(response: ServerResponse): Promise<boolean> {
    if (response.destroyed) return Promise.resolve(false);
    return new Promise((resolve) => {
      const through = (): void => resolve(true);
      this.#waiting.add(through);
      response.once('close', () => {
        this.#waiting.delete(through);
        resolve(false);
      });
      this.#letThrough();
    });
  }

  #letThrough(): void {
    for (const through of this.#waiting) {
      if (this.#passes === 0) return;
      this.#passes -= 1;
      this.#waiting.delete(through);
      through();
    }
  }
}
