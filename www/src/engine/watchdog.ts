/**
 * Notices an engine that no longer answers: its thread may stop for good without an error.
 *
 * It counts unanswered pings rather than seconds: after a machine has slept, the engine answers before many more are sent.
 */

/** The time between two pings. */
const EVERY_MS = 5_000;
/** So many pings in a row without an answer: the engine stopped answering. */
const MISSED_PINGS = 6;
/** The same in seconds, for the reader. */
export const SILENT_SECS = (EVERY_MS * MISSED_PINGS) / 1000;

/** Pings the engine from its first message on. */
export class Watchdog {
  readonly #ping: () => void;
  readonly #report: (isSilent: boolean) => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #missed = 0;

  /** `report` hears when the engine falls silent, and when it answers again. */
  constructor(ping: () => void, report: (isSilent: boolean) => void) {
    this.#ping = ping;
    this.#report = report;
  }

  /** The engine sent a message. The first one starts the pings: until then its code may still be on its way. */
  heard(): void {
    this.#timer ??= setInterval(() => this.#tick(), EVERY_MS);
    const wasSilent = this.#missed >= MISSED_PINGS;
    this.#missed = 0;
    if (wasSilent) this.#report(false);
  }

  /** The engine was ended. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    const wasSilent = this.#missed >= MISSED_PINGS;
    this.#missed = 0;
    if (wasSilent) this.#report(false);
  }

  #tick(): void {
    this.#ping();
    this.#missed += 1;
    if (this.#missed === MISSED_PINGS) this.#report(true);
  }
}
