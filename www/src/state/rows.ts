/** Rows of a long list, fetched in blocks as they come into sight. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { isAbort } from '../engine/client';
import { codeOf, EngineError, messageOf } from '../engine/errors';
import type { SampleList } from '../engine/types/SampleList';
import type { SampleListRow } from '../engine/types/SampleListRow';

/** Rows that are fetched together. */
const BLOCK = 64;
/** Blocks that are kept; beyond, those that were seen longest ago go. */
const MAX_BLOCKS = 40;

type Fetch = (from: number, len: number, signal: AbortSignal) => Promise<SampleList>;

/**
 * A list of any length of which only blocks are held.
 *
 * When the same list is asked for in a newer version, the rows at hand stay until newer ones have come.
 */
export class Rows implements ReactiveController {
  /** The list without its rows; `null` before the first answer. */
  head: SampleList | null = null;
  error: EngineError | null = null;
  pending = false;
  readonly #host: ReactiveControllerHost;
  /** Rows by block, those seen last at the end. */
  #blocks = new Map<number, { epoch: string; rows: SampleListRow[] }>();
  readonly #asked = new Map<number, string>();
  #list = '';
  #epoch = '';
  #fetch: Fetch | null = null;
  #call = new AbortController();

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#call.abort();
    this.#epoch = '';
  }

  /** Asks for a list, unless it is the one at hand in the same version; `seen` is a row that is in sight. */
  ask(list: string, version: number, fetch: Fetch, seen: number): void {
    const epoch = `${version} ${list}`;
    if (epoch === this.#epoch) return;
    this.#call.abort();
    this.#call = new AbortController();
    this.#asked.clear();
    this.#epoch = epoch;
    this.#fetch = fetch;
    this.pending = true;
    void this.#load(Math.floor((list === this.#list ? seen : 0) / BLOCK), list);
  }

  /** A row, if it is at hand; asks for its block where that is missing or old. */
  row(index: number): SampleListRow | null {
    const at = Math.floor(index / BLOCK);
    const block = this.#blocks.get(at);
    if (block?.epoch !== this.#epoch && !this.pending) void this.#load(at, this.#list);
    if (block !== undefined) {
      this.#blocks.delete(at);
      this.#blocks.set(at, block);
    }
    return block?.rows[index - at * BLOCK] ?? null;
  }

  async #load(at: number, list: string): Promise<void> {
    const [epoch, fetch] = [this.#epoch, this.#fetch];
    if (fetch === null || this.#asked.get(at) === epoch) return;
    this.#asked.set(at, epoch);
    try {
      const part = await fetch(at * BLOCK, BLOCK, this.#call.signal);
      if (epoch !== this.#epoch) return;
      this.error = null;
      // A filter that cannot be read leaves the last list in sight.
      const isOld = part.fault !== null && this.head !== null;
      if (!isOld) {
        if (list !== this.#list) this.#blocks.clear();
        this.#list = list;
        this.#blocks.set(at, { epoch, rows: part.rows });
        for (const oldest of this.#blocks.keys()) {
          if (this.#blocks.size <= MAX_BLOCKS) break;
          this.#blocks.delete(oldest);
          this.#asked.delete(oldest);
        }
      }
      this.head = isOld && this.head !== null ? { ...this.head, fault: part.fault } : { ...part, rows: [] };
    } catch (error) {
      if (isAbort(error) || epoch !== this.#epoch) return;
      this.error = error instanceof EngineError ? error : new EngineError(messageOf(error), codeOf(error));
    }
    this.pending = false;
    this.#host.requestUpdate();
  }
}
