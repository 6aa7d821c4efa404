/** Carries a job out: asks its state machine in the core what to do next, begins it, sleeps, and tells how it stands. */
import type { Job } from './edge';
import type { JobProgress } from './types/JobProgress';

const TELL_EVERY_MS = 250;
/** The longest sleep, so that the clock of the machine may jump. */
const LONGEST_SLEEP_MS = 5000;

/** The loop of one job; what an attempt is, is its owner's business. */
export class Pace {
  readonly job: Job;
  readonly #attempt: (task: number) => Promise<void>;
  readonly #onProgress: (progress: JobProgress) => void;
  #wake: (() => void) | null = null;
  #told = 0;
  /** Storage failed: nothing may be paid for that cannot be kept. */
  #broken: string | null = null;

  constructor(job: Job, attempt: (task: number) => Promise<void>, onProgress: (progress: JobProgress) => void) {
    this.job = job;
    this.#attempt = attempt;
    this.#onProgress = onProgress;
  }

  /** Runs until every task has ended, or the job stopped. */
  async run(): Promise<void> {
    for (;;) {
      const next = this.job.next(performance.now());
      if (next === 'finished') break;
      if (typeof next === 'object' && 'send' in next) {
        void this.#attempt(next.send).finally(() => this.#wake?.());
        this.tell();
        continue;
      }
      this.tell();
      const until = typeof next === 'object' ? next.wait_until - performance.now() : LONGEST_SLEEP_MS;
      await this.#sleep(Math.min(LONGEST_SLEEP_MS, Math.max(1, until)));
    }
    this.tell(true);
    this.job.free();
  }

  pause(): void {
    this.job.pause();
    this.tell(true);
  }

  resume(): void {
    this.job.resume();
    this.#wake?.();
    this.tell(true);
  }

  cancel(): void {
    this.job.cancel();
    this.#wake?.();
  }

  /** Sends nothing more, because what comes cannot be kept. */
  break(why: string): void {
    this.#broken = why;
    this.cancel();
  }

  /** Tells how the job stands, unless that was told a moment ago. */
  tell(now = false): void {
    if (!now && performance.now() - this.#told < TELL_EVERY_MS) return;
    this.#told = performance.now();
    const progress = this.job.progress(performance.now());
    if (this.#broken !== null) progress.stopped = this.#broken;
    this.#onProgress(progress);
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
    });
  }
}
