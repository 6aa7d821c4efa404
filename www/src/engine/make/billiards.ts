/**
 * VIBE's Billiards as the page makes them: one run at a time, in a worker of its own that is ended where it is cancelled.
 *
 * Nothing of a run is kept but its settings, which are in the address: the same settings give the same bytes.
 */
import { EngineError, messageOf } from '../errors';
import { maker as loader } from '../loader/maker';
import { workers } from '../loader/workers';
import type { BilliardsAbout } from '../types/BilliardsAbout';
import type { BilliardsCase } from '../types/BilliardsCase';
import type { BilliardsRow } from '../types/BilliardsRow';

/** The options of the command line, as they are typed; no cushions where their numbers take turns. */
export interface BilliardsAsked {
  count: string;
  seed: string;
  cushions: string;
}

/** A list and a folder of pictures by name. */
export interface DrawnAnswersGiven {
  list: File;
  folder: string;
  pictures: [name: string, picture: Blob][];
}

/** A case that is shown: input and golden answer. */
export interface ShownCase {
  about: BilliardsCase;
  pictures: Blob[];
}

export type ToBilliards = { draw: BilliardsAsked } | { check: DrawnAnswersGiven };

export type FromBilliards =
  | { done: number; total: number; shown: ShownCase | null }
  | { zip: Blob }
  | { row: BilliardsRow; total: number }
  | { isChecked: true }
  | { message: string; code: string };

/** Cases that are drawn, or were. */
export interface Run {
  asked: BilliardsAsked;
  done: number;
  total: number;
  /** `null` until the first case tells how long one takes. */
  secsLeft: number | null;
  /** The first cases. */
  shown: ShownCase[];
  /** All files, once all cases are drawn. */
  zip: Blob | null;
}

/** What there is to know before cases are drawn; `null` in a build that makes none. */
export async function about(): Promise<BilliardsAbout | null> {
  const edge = await loader.edge();
  return edge === null ? null : (JSON.parse(edge.billiards_about()) as BilliardsAbout);
}

/** Throws what is wrong with these settings. */
async function checked({ count, seed, cushions }: BilliardsAsked): Promise<void> {
  const edge = await loader.edge();
  if (edge !== null) new edge.Billiards(count, seed, cushions).free();
}

/** Asks a worker of its own; it is ended by the signal, and once it has answered. */
async function ask(asked: ToBilliards, signal: AbortSignal, hear: (said: Exclude<FromBilliards, { code: string }>) => void): Promise<void> {
  const worker = await workers.startBilliards();
  if (worker === null)
    throw new EngineError('This browser refuses the worker that this needs: use juror make billiards and juror check billiards.', 'no_worker');
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new EngineError('It was cancelled.', 'stopped')));
      if (signal.aborted) reject(new EngineError('It was cancelled.', 'stopped'));
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        reject(new EngineError(event.message || 'The worker that draws stopped.', 'stopped'));
      });
      worker.addEventListener('message', ({ data }: MessageEvent<FromBilliards>) => {
        if (signal.aborted) return;
        if ('code' in data) {
          reject(new EngineError(data.message, data.code));
          return;
        }
        hear(data);
        if ('zip' in data || 'isChecked' in data) resolve();
      });
      worker.postMessage(asked);
    });
  } finally {
    worker.terminate();
  }
}

/** The cases that are drawn; they go on while other views are shown. Tells by `change`. */
class Drawing extends EventTarget {
  run: Run | null = null;
  problem = '';
  #ending = new AbortController();

  /** Draws in the place of what was drawn before; `true` once it has begun. Wrong settings leave that as it is. */
  async begin(asked: BilliardsAsked): Promise<boolean> {
    this.#tell('');
    try {
      await checked(asked);
    } catch (error) {
      this.#tell(messageOf(error));
      return false;
    }
    this.discard();
    const ending = this.#ending;
    this.run = { asked, done: 0, total: Number(asked.count), secsLeft: null, shown: [], zip: null };
    this.#tell('');
    void this.#draw(this.run, ending.signal);
    return true;
  }

  /** Ends what is drawn at once, and forgets what was. */
  discard(): void {
    this.#ending.abort();
    this.#ending = new AbortController();
    this.run = null;
    this.#tell('');
  }

  async #draw(run: Run, signal: AbortSignal): Promise<void> {
    let begun = 0;
    try {
      await ask({ draw: run.asked }, signal, (said) => {
        if ('zip' in said) run.zip = said.zip;
        if ('done' in said) {
          const { done, total, shown } = said;
          Object.assign(run, { done, total });
          if (shown !== null) run.shown = [...run.shown, shown];
          // Fetching what draws is no part of a case's time.
          if (done === 0) begun = performance.now();
          else run.secsLeft = (((performance.now() - begun) / done) * (total - done)) / 1000;
        }
        this.#tell('');
      });
    } catch (error) {
      if (signal.aborted) return;
      this.run = null;
      this.#tell(messageOf(error));
    }
  }

  #tell(problem: string): void {
    this.problem = problem;
    this.dispatchEvent(new Event('change'));
  }
}

/** The one run of the page. */
export const drawing = new Drawing();

/** Checks drawn answers; each row is reported as it comes. */
export function check(given: DrawnAnswersGiven, signal: AbortSignal, onRow: (row: BilliardsRow, total: number) => void): Promise<void> {
  return ask({ check: given }, signal, (said) => {
    if ('row' in said) onRow(said.row, said.total);
  });
}
