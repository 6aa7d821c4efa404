/** Attention rebalancing as the page uses it: a worker that is asked, and ended where the answer is no longer wanted. */
import { hand } from '../handing';
import type { Handed, Helper } from '../loader/contract';
import { workers } from '../loader/workers';
import type { Backend } from '../types/Backend';
import type { DarAsked } from '../types/DarAsked';
import { EngineError, messageOf } from '../errors';

/** What the worker answers; the page hands it files as Blobs, or their bytes where it reads none. */
export interface DarQuestions<File> {
  /** Names of a safetensors file's tensors; none for NPY. */
  names(file: File): Promise<string[]>;
  /** Reads Q and K, and weighs. */
  open(q: File, k: File, asked: DarAsked): Promise<void>;
  /** The report of what is open, as text, and why the CPU stood in for the GPU. */
  report(backend: Backend, row: number | null, head: number | null): Promise<{ json: string; fallback: string | null }>;
  /** What each setting changes of what is open; axes as `gamma=0.05,0.15`, one a line. */
  sweep(axes: string, row: number | null, head: number | null): Promise<{ json: string; csv: string }>;
}

/** The questions as they reach the worker. */
export type DarAnswers = DarQuestions<Handed>;

export interface ToDar {
  id: number;
  name: keyof DarAnswers;
  args: unknown[];
}

export type FromDar = { id: number; value: unknown } | { id: number; message: string; code: string };

/** A worker that rebalances attention. */
export class DarClient implements DarQuestions<Blob> {
  #helper: Promise<Helper> | null = null;
  readonly #pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #nextId = 1;

  names = (file: Blob): Promise<string[]> => this.#ask('names', [file]) as Promise<string[]>;
  open = (q: Blob, k: Blob, asked: DarAsked): Promise<void> => this.#ask('open', [q, k], asked) as Promise<void>;
  report = (backend: Backend, row: number | null, head: number | null): Promise<{ json: string; fallback: string | null }> =>
    this.#ask('report', [], backend, row, head) as Promise<{ json: string; fallback: string | null }>;

  sweep = (axes: string, row: number | null, head: number | null): Promise<{ json: string; csv: string }> =>
    this.#ask('sweep', [], axes, row, head) as Promise<{ json: string; csv: string }>;

  /** Ends the worker; what is under way is rejected with the code `stopped`, and the next question starts another. */
  stop(): void {
    void this.#helper?.then(
      ({ worker }) => worker.terminate(),
      () => undefined,
    );
    this.#helper = null;
    this.#fail(new EngineError('The computation was stopped.', 'stopped'));
  }

  async #ask(name: keyof DarAnswers, files: Blob[], ...args: unknown[]): Promise<unknown> {
    this.#helper ??= this.#start();
    const helper = await this.#helper;
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      hand(helper, files, (handed) => ({ id, name, args: [...handed, ...args] }) satisfies ToDar).catch((error: unknown) => {
        this.#pending.delete(id);
        reject(error instanceof Error ? error : new Error(messageOf(error)));
      });
    });
  }

  async #start(): Promise<Helper> {
    const helper = await workers.startTensors();
    if (helper === null) throw new EngineError('This browser refuses the worker that this needs here: use the hosted page, or juror dar.', 'no_worker');
    const { worker } = helper;
    worker.addEventListener('message', ({ data }: MessageEvent<FromDar>) => {
      const waiting = this.#pending.get(data.id);
      this.#pending.delete(data.id);
      if ('code' in data) waiting?.reject(new EngineError(data.message, data.code));
      else waiting?.resolve(data.value);
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#fail(new EngineError(event.message || 'The computation stopped.', 'stopped'));
    });
    return helper;
  }

  #fail(error: Error): void {
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
