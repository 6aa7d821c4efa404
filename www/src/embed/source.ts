/**
 * The bytes of a pack, wherever it is: parts of it by HTTP range, or all of it where a server knows no ranges.
 *
 * Nothing but the one address is ever asked. `Content-Range` is hidden from pages of another origin unless the server
 * exposes it; the length of a `HEAD` answer is not, so that stands in.
 */
import type { ZipSource } from '../engine/edge';
import type { ZipSpan } from '../engine/types/ZipSpan';
import { codeOf, EngineError } from '../engine/errors';

/** How much of a download has come, of how much; `null` where the server does not say. */
export type OnBytes = (done: number, total: number | null) => void;

/** The end of a ZIP, which is read first: its directory, or at least the end of that. */
const TAIL_BYTES = 96 * 1024;
/** A read takes at least this much, as a request, or a part of what is at hand, costs more than a few bytes. */
const AHEAD_BYTES = 48 * 1024;
/** Wanted parts with less than this between them are read as one. */
const GAP_BYTES = 24 * 1024;
/** One read takes at most this much where several parts are wanted. */
const SPAN_BYTES = 8 * 1024 * 1024;
/** Parts that are kept, besides the tail. */
const KEPT_BYTES = 24 * 1024 * 1024;
/** Reads under way at once. */
const LANES = 6;

interface Part {
  at: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A pack at an address, or at hand. */
export class PackSource implements ZipSource {
  readonly name: string;
  readonly size: number;
  /** Whether parts can be read; if not, all of it is at hand already. */
  readonly isRanged: boolean;
  readonly #url: string;
  readonly #signal: AbortSignal;
  #blob: Blob | null;
  #parts: Part[] = [];
  #tail: Part | null = null;

  private constructor(name: string, url: string, size: number, blob: Blob | null, signal: AbortSignal) {
    [this.name, this.#url, this.size, this.#blob, this.#signal] = [name, url, size, blob, signal];
    this.isRanged = blob === null;
  }

  /** One that is at hand. */
  static of(blob: Blob, signal: AbortSignal): PackSource {
    return new PackSource(blob instanceof File ? blob.name : 'pack.zip', '', blob.size, blob, signal);
  }

  /** Looks how the server gives the file; takes all of it where it gives no parts. */
  static async open(url: string, onBytes: OnBytes, signal: AbortSignal): Promise<PackSource> {
    const name = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '') || 'pack.zip';
    const response = await ask(url, { headers: { Range: 'bytes=0-0' }, signal }).catch((error: unknown) => {
      // Servers and older browsers may refuse across origins whatever asks for a part.
      if (codeOf(error) !== 'fetch') throw error;
      return ask(url, { signal });
    });
    if (response.status === 206) {
      const size = sizeOf(response) ?? (await sizeByHead(url, signal));
      await response.body?.cancel();
      if (size !== null) return new PackSource(name, url, size, null, signal);
      const blob = await download(await ask(url, { signal }), onBytes);
      return new PackSource(name, url, blob.size, blob, signal);
    }
    const blob = await download(response, onBytes);
    return new PackSource(name, url, blob.size, blob, signal);
  }

  /** Whether all of it is at hand. */
  get isWhole(): boolean {
    return this.#blob !== null;
  }

  /** Brings all of it here. */
  async fetchWhole(onBytes: OnBytes): Promise<void> {
    if (this.#blob !== null) return;
    const blob = await download(await ask(this.#url, { signal: this.#signal }), onBytes);
    if (blob.size !== this.size) throw changed();
    this.#blob = blob;
    // All that is read from now on is of this one download.
    this.#parts = [];
    this.#tail = null;
  }

  /** The end of the file, which stays at hand. */
  async tail(): Promise<{ at: number; bytes: Uint8Array<ArrayBuffer> }> {
    if (this.#tail === null) {
      const length = Math.min(TAIL_BYTES, this.size);
      const at = this.size - length;
      this.#tail = { at, bytes: await this.read(at, length) };
    }
    return this.#tail;
  }

  /** Some of its bytes. */
  async read(at: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const end = Math.min(at + length, this.size);
    if (end <= at) return new Uint8Array();
    const held = this.#held(at, end);
    if (held !== null) return held.bytes.slice(at - held.at, end - held.at);
    const span = { at, length: Math.min(Math.max(end - at, AHEAD_BYTES), this.size - at) };
    return (await this.#part(span)).slice(0, end - at);
  }

  /** Reads parts that are wanted next, those that lie close together as one. */
  async readAhead(spans: ZipSpan[]): Promise<void> {
    const missing = joined(spans.filter(({ at, length }) => this.#held(at, Math.min(at + length, this.size)) === null)).values();
    const lane = async (): Promise<void> => {
      for (const span of missing) {
        const length = Math.min(span.length, this.size - span.at);
        await this.#part({ at: span.at, length });
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  #held(at: number, end: number): Part | null {
    const holds = (part: Part): boolean => part.at <= at && end <= part.at + part.bytes.length;
    return this.#tail !== null && holds(this.#tail) ? this.#tail : (this.#parts.find(holds) ?? null);
  }

  /** Fetches a part and keeps it, unless all of the file came meanwhile. */
  async #part(span: ZipSpan): Promise<Uint8Array<ArrayBuffer>> {
    const parts = this.#parts;
    const bytes = await this.#fetch(span);
    if (parts === this.#parts) this.#keep({ at: span.at, bytes });
    return bytes;
  }

  /** Keeps a part; the oldest ones go. */
  #keep(part: Part): void {
    this.#parts.push(part);
    let kept = this.#parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
    while (kept > KEPT_BYTES && this.#parts.length > 1) kept -= this.#parts.shift()?.bytes.length ?? 0;
  }

  async #fetch({ at, length }: ZipSpan): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#blob !== null) return new Uint8Array(await this.#blob.slice(at, at + length).arrayBuffer());
    const response = await ask(this.#url, { headers: { Range: `bytes=${at}-${at + length - 1}` }, signal: this.#signal });
    const bytes = new Uint8Array(await response.arrayBuffer());
    // A cache on the way may give all of it nevertheless.
    if (response.status === 200 && bytes.length === this.size) {
      this.#blob = new Blob([bytes]);
      return bytes.slice(at, at + length);
    }
    if (response.status !== 206 || bytes.length !== length) throw changed();
    return bytes;
  }
}

/** Spans in order, close ones joined, none too long. */
function joined(spans: ZipSpan[]): ZipSpan[] {
  const out: ZipSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.at - b.at)) {
    const last = out.at(-1);
    const end = span.at + span.length;
    if (last !== undefined && span.at - (last.at + last.length) <= GAP_BYTES && end - last.at <= SPAN_BYTES) last.length = Math.max(last.length, end - last.at);
    else out.push({ ...span });
  }
  return out;
}

/** Why an address may not have been fetched; browsers do not say which it is. */
function unfetched(url: string): string {
  if (new URL(url).protocol === 'file:')
    return `${url} could not be read: browsers let no page read files from disk, not even a page that is opened from disk itself. Serve the page’s folder over HTTP, for example by “python3 -m http.server”, or hand out a report in one file, which juror score --format html writes.`;
  return `${url} could not be fetched. Either the address is wrong, its server does not let other pages read it (CORS), or this page’s policy does not let it be asked (connect-src).`;
}

async function ask(url: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new EngineError(unfetched(url), 'fetch');
  }
  if (!response.ok) throw new EngineError(`The server answered ${response.status} ${response.statusText} for ${url}.`, 'http');
  if ((response.headers.get('content-type') ?? '').startsWith('text/html')) throw new EngineError(`${url} is a web page, not an evidence pack.`, 'html');
  return response;
}

function sizeOf(response: Response): number | null {
  const total = /^bytes \d+-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  return total === undefined ? null : Number(total);
}

async function sizeByHead(url: string, signal: AbortSignal): Promise<number | null> {
  const response = await fetch(url, { method: 'HEAD', signal }).catch(() => null);
  const length = response?.ok === true && response.headers.get('content-encoding') === null ? response.headers.get('content-length') : null;
  return length === null ? null : Number(length);
}

async function download(response: Response, onBytes: OnBytes): Promise<Blob> {
  const stated = response.headers.get('content-length');
  const total = stated === null || response.headers.get('content-encoding') !== null ? null : Number(stated);
  if (response.body === null) return response.blob();
  let done = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        done += chunk.length;
        onBytes(done, total);
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted).blob();
}

const changed = (): EngineError =>
  new EngineError('The pack changed on its server while it was read, or the server gave other bytes than it was asked for. Reload the page.', 'changed');
