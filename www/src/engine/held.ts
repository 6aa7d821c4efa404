/**
 * The files that the page holds, and how the worker gets at their bytes.
 *
 * They stay on the page because Chromium asks its browser process for a file's size before it hands the file to a
 * worker, slices it, or tells the size: a round trip per file, for thousands of files the longest part of opening them.
 * Reading a whole file or a stream of it needs no size.
 */
import { messageOf } from './errors';
import type { HeldRead, ReadBytes } from './protocol';

/** A file by its path; nothing is asked about it until it is opened. */
export interface LazyFile {
  path: string;
  open(): Promise<Blob>;
}

/** Reads under way at once: fewer leave the browser process idle in between, more only queue there. */
const LANES = 64;
/** Up to here one buffer takes all that is asked for; a text answer is asked for with a far higher limit than its size. */
const ONE_BUFFER_BYTES = 64 * 1024;

/** The files of one session by number, and the reads of them. */
export class HeldFiles {
  #files: LazyFile[] = [];
  /** Files that had to be opened for their size. */
  readonly #opened = new Map<number, Blob>();
  #waiting: (() => Promise<void>)[] = [];
  #running = 0;

  /** Takes files; the first gets the number that is returned, the others follow in order. */
  add(files: LazyFile[]): number {
    const first = this.#files.length;
    // Not by spreading: an argument list does not hold tens of thousands.
    for (const file of files) this.#files.push(file);
    return first;
  }

  /** Drops everything; reads that have not begun are never done, as nobody waits for them any more. */
  clear(): void {
    this.#files = [];
    this.#opened.clear();
    this.#waiting = [];
  }

  /** The file itself. */
  async open(number: number): Promise<Blob> {
    const file = this.#files[number];
    if (file === undefined) throw new Error(`The page holds no file number ${number}.`);
    return this.#opened.get(number) ?? file.open();
  }

  /** The size of a file; `null` if it cannot be opened, which reading it will tell as well. */
  async size(number: number): Promise<number | null> {
    try {
      const blob = await this.open(number);
      this.#opened.set(number, blob);
      return blob.size;
    } catch {
      return null;
    }
  }

  /** Reads several files; one that cannot be read gives its reason. */
  read(reads: HeldRead[]): Promise<ReadBytes[]> {
    return Promise.all(reads.map((one) => this.#queued(() => this.#read(one))));
  }

  async #read({ held, head }: HeldRead): Promise<ReadBytes> {
    try {
      const blob = await this.open(held);
      return { bytes: head === null ? new Uint8Array(await blob.arrayBuffer()) : await firstBytes(blob, head) };
    } catch (error) {
      return { message: `The file cannot be read: ${messageOf(error)}` };
    }
  }

  #queued<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => work().then(resolve, reject));
      this.#next();
    });
  }

  #next(): void {
    if (this.#running >= LANES) return;
    const work = this.#waiting.shift();
    if (work === undefined) return;
    this.#running += 1;
    void work().finally(() => {
      this.#running -= 1;
      this.#next();
    });
  }
}

/** Readers under way: Chromium (156) collects a reader that only its own pending read knows, and the read never ends. */
const pinned = new Set<ReadableStreamBYOBReader | ReadableStreamDefaultReader>();

/** The first bytes of a file, all of them if it has no more, by the way that costs least. */
async function firstBytes(blob: Blob, count: number): Promise<Uint8Array<ArrayBuffer>> {
  if (count > ONE_BUFFER_BYTES) return firstChunks(blob, count);
  let reader: ReadableStreamBYOBReader;
  try {
    reader = blob.stream().getReader({ mode: 'byob' });
  } catch {
    // Not a byte stream here; browsers of which that is true know sizes from the start.
    return sliced(blob, count);
  }
  pinned.add(reader);
  const { value, done } = await reader.read(new Uint8Array(count), { min: count }).finally(() => pinned.delete(reader));
  if (!done) reader.cancel().catch(() => undefined);
  if (value === undefined) return new Uint8Array();
  // A browser that does not know `min` may stop early.
  return done || value.length === count ? value : sliced(blob, count);
}

async function sliced(blob: Blob, count: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await blob.slice(0, count).arrayBuffer());
}

/** For limits far above the usual size: as much memory as the file takes, not as the limit allows. */
async function firstChunks(blob: Blob, count: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = blob.stream().getReader();
  pinned.add(reader);
  try {
    while (length < count) {
      const { value, done } = await reader.read();
      if (done) break;
      chunks.push(value);
      length += value.length;
    }
  } finally {
    pinned.delete(reader);
  }
  if (length >= count) reader.cancel().catch(() => undefined);
  const out = new Uint8Array(Math.min(length, count));
  let at = 0;
  for (const chunk of chunks) {
    const part = chunk.subarray(0, out.length - at);
    out.set(part, at);
    at += part.length;
  }
  return out;
}
