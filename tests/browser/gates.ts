/** What holds a page back until a test lets it go on: nothing depends then on how fast the page is. */
import type { BrowserContext, Page } from '../../www/node_modules/@playwright/test';

/** Holds back requests until they are let through. */
export async function holding(of: BrowserContext | Page, what: string | RegExp): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await of.route(what, async (route) => {
    await released;
    await route.fallback();
  });
  return release;
}

/** The gate as it stands in the page. */
interface Standing {
  workers: Worker[];
  /** Messages that wait. */
  waiting: (() => void)[];
  /** So many more pass. */
  left: number;
  passed: number;
  flush(): void;
}

type Gated = Window & { jurorGate: Standing };

/** A gate before the page's workers of one name: messages to them that have one key, and one value there if it is named, wait there until they are let through. */
export class Gate {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Puts the gate up, open, in every document that the page opens from now on. */
  static async before(page: Page, worker: string, key: string, value?: string): Promise<Gate> {
    await page.addInitScript(
      ({ name, wanted, what }) => {
        const gate: Standing = {
          workers: [],
          waiting: [],
          left: Infinity,
          passed: 0,
          flush() {
            while (gate.left > 0 && gate.waiting.length > 0) {
              gate.left -= 1;
              gate.passed += 1;
              gate.waiting.shift()?.();
            }
          },
        };
        Object.assign(window, { jurorGate: gate });
        window.Worker = class extends Worker {
          constructor(url: string | URL, options?: WorkerOptions) {
            super(url, options);
            if (options?.name !== name) return;
            gate.workers.push(this);
            const send = this.postMessage.bind(this) as (...args: unknown[]) => void;
            this.postMessage = (...args: unknown[]) => {
              const message = args[0] as Record<string, unknown>;
              if (!(wanted in message) || (what !== undefined && message[wanted] !== what)) {
                send(...args);
                return;
              }
              gate.waiting.push(() => send(...args));
              gate.flush();
            };
          }
        };
      },
      { name: worker, wanted: key, what: value },
    );
    return new Gate(page);
  }

  /** From now on messages wait. */
  async hold(): Promise<void> {
    await this.#page.evaluate(() => ((window as unknown as Gated).jurorGate.left = 0));
  }

  /** Lets so many more messages through, those that wait first. */
  async let(count: number): Promise<void> {
    await this.#page.evaluate((more) => {
      const { jurorGate } = window as unknown as Gated;
      jurorGate.left += more;
      jurorGate.flush();
    }, count);
  }

  /** Lets one message through if one waits. */
  async step(): Promise<void> {
    await this.#page.evaluate(() => {
      const { jurorGate } = window as unknown as Gated;
      jurorGate.left = Math.min(1, jurorGate.waiting.length);
      jurorGate.flush();
    });
  }

  /** Lets everything through from now on. */
  open(): Promise<void> {
    return this.let(Infinity);
  }

  /** How many messages wait. */
  waiting(): Promise<number> {
    return this.#page.evaluate(() => (window as unknown as Gated).jurorGate.waiting.length);
  }

  /** How many messages were let through. */
  passed(): Promise<number> {
    return this.#page.evaluate(() => (window as unknown as Gated).jurorGate.passed);
  }

  /** The first worker fails with this message; returns how many were started. */
  fail(message: string): Promise<number> {
    return this.#page.evaluate((words) => {
      const { workers } = (window as unknown as Gated).jurorGate;
      workers[0]?.dispatchEvent(new ErrorEvent('error', { message: words, cancelable: true }));
      return workers.length;
    }, message);
  }
}

/** Waits until nothing moves any more, where motion is reduced, and what was last is drawn: colours and places are then the final ones. */
export async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}
