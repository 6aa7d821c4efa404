/** Attention rebalancing as the page uses it: a worker that is asked, and ended where the answer is no longer wanted. */
import { workers } from '../loader/workers';
import type { Backend } from '../metrics/edge';
import { EngineError } from '../protocol';
import type { DarAsked } from './edge';

/** What the worker answers. */
export interface DarQuestions {
  /** Names of a safetensors file's tensors; none for NPY. */
  names(file: Blob): Promise<string[]>;
  /** Reads Q and K, and weighs. */
  open(q: Blob, k: Blob, asked: DarAsked): Promise<void>;
  /** The report of what is open, as text, and why the CPU stood in for the GPU. */
  report(backend: Backend, row: number | null, head: number | null): Promise<{ json: string; fallback: string | null }>;
}

export interface ToDar {
  id: number;
  name: keyof DarQuestions;
  args: unknown[];
}

export type FromDar = { id: number; value: unknown } | { id: number; message: string; code: string };

/** A worker that rebalances attention. */
export class DarClient implements DarQuestions {
  #worker: Promise<Worker> | null = null;
  readonly #pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #nextId = 1;

  names = (file: Blob): Promise<string[]> => this.#ask('names', file) as Promise<string[]>;
  open = (q: Blob, k: Blob, asked: DarAsked): Promise<void> => this.#ask('open', q, k, asked) as Promise<void>;
  report = (backend: Backend, row: number | null, head: number | null): Promise<{ json: string; fallback: string | null }> =>
    this.#ask('report', backend, row, head) as Promise<{ json: string; fallback: string | null }>;

  /** Ends the worker; what is under way is rejected with the code `stopped`, and the next question starts another. */
  stop(): void {
    void this.#worker?.then((worker) => worker.terminate(), () => undefined);
    this.#worker = null;
    this.#fail(new EngineError('The computation was stopped.', 'stopped'));
  }

  async #ask(name: keyof DarQuestions, ...args: unknown[]): Promise<unknown> {
    this.#worker ??= this.#start();
    const worker = await this.#worker;
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      worker.postMessage({ id, name, args } satisfies ToDar);
    });
  }

  async #start(): Promise<Worker> {
    const worker = await workers.startTensors();
    if (worker === null) throw new EngineError('This browser lets no worker read files here: use the hosted page, or juror dar.', 'no_worker');
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
    return worker;
  }

  #fail(error: Error): void {
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
