/** Carries a job out: asks its state machine in the core what to do next, begins it, sleeps, and tells how it stands. */
import type { Job } from './edge';
import { codeOf, messageOf } from './errors';
import type { Failure } from './types/Failure';
import type { JobProgress } from './types/JobProgress';
import type { Usage } from './types/Usage';

const TELL_EVERY_MS = 250;
/** The longest sleep, so that the clock of the machine may jump. */
const LONGEST_SLEEP_MS = 5000;
const MAX_INCIDENTS = 200;

/** Where a job stands, for the page. */
export interface RunState<Incident> {
  progress: JobProgress;
  /** What was given up, the newest last, at most 200. */
  incidents: Incident[];
  /** Another tab does it. */
  isElsewhere?: boolean;
}

/** What came of an attempt that failed: the answer's status and what it says of its tokens, where there was one. */
export interface Received {
  status: number | null;
  retryAfter: number | null;
  usage?: Usage;
}

const NOTHING: Received = { status: null, retryAfter: null };

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

/** One job under way; how a task is sent and what is written down of one that was given up is its own business. */
export abstract class Run<Task, Incident> {
  protected readonly pace: Pace;
  readonly #tasks: readonly Task[];
  readonly #incidents: Incident[] = [];
  /** What came for the attempts under way: it is paid for, whatever goes wrong with it here. */
  readonly #came = new Map<number, Received>();

  protected constructor(job: Job, tasks: readonly Task[], onState: (state: RunState<Incident>) => void) {
    this.#tasks = tasks;
    this.pace = new Pace(
      job,
      (task) => this.#attempt(task),
      (progress) => onState({ progress, incidents: [...this.#incidents] }),
    );
  }

  run(): Promise<void> {
    return this.pace.run();
  }

  pause(): void {
    this.pace.pause();
  }

  resume(): void {
    this.pace.resume();
  }

  cancel(): void {
    this.pace.cancel();
  }

  /** Sends the task at this position and deals with what comes back. */
  protected abstract send(at: number, task: Task): Promise<void>;

  /** A text without the keys in it. */
  protected abstract clean(text: string): string;

  /** What the page is told of a task that was given up. */
  protected abstract incident(task: Task, failure: Failure): Incident;

  /** Writes down that a task was given up. */
  protected abstract giveUp(task: Task, failure: Failure): Promise<void>;

  /** An answer came. */
  protected came(at: number, received: Received): void {
    this.#came.set(at, received);
  }

  /** An attempt failed; where no other one follows, the task is given up. A success is paid for although it failed. */
  protected async fail(at: number, task: Task, { kind, message }: Failure, { status, retryAfter, usage }: Received = NOTHING): Promise<void> {
    const failure = { kind, message: this.clean(message) };
    const isOver = this.pace.job.failed(at, performance.now(), failure, retryAfter ?? undefined, status ?? undefined, usage ?? null);
    if (isOver) {
      this.#incidents.push(this.incident(task, failure));
      if (this.#incidents.length > MAX_INCIDENTS) this.#incidents.shift();
      await this.giveUp(task, failure);
    }
    this.pace.tell();
  }

  async #attempt(at: number): Promise<void> {
    const task = this.#tasks[at];
    if (task === undefined) return;
    try {
      await this.send(at, task);
    } catch (error) {
      if (codeOf(error) === 'superseded') {
        // Everything was closed before this was sent: nothing was paid, nothing is to be kept.
        this.pace.cancel();
        this.pace.job.failed(at, performance.now(), { kind: 'network', message: '' }, undefined, undefined, null);
        return;
      }
      // A picture that cannot be read, a request that cannot be put together: no other attempt will do better.
      await this.fail(at, task, { kind: 'bad_request', message: messageOf(error) }, this.#came.get(at));
    } finally {
      this.#came.delete(at);
    }
  }
}
