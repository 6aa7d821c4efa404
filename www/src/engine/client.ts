/** The engine as the page uses it: promises over the worker's messages, and object URLs for pictures. */
import {
  EngineError,
  type Added,
  type FromWorker,
  type MethodName,
  type Methods,
  type Reading,
  messageOf,
  type SourceProblem,
  type ToWorker,
  type ZipItem,
} from './protocol';
import { mediaType } from './paths';
import type { InputKey } from './types/InputKey';
import type { PastedReply } from './types/PastedReply';
import type { PasteResult } from './types/PasteResult';
import type { Phase } from './types/Phase';
import type { Progress } from './types/Progress';
import type { RequestKey } from './types/RequestKey';
import type { SampleQuery } from './types/SampleQuery';
import type { ScoreOptions } from './types/ScoreOptions';
import type { Treatment } from './types/Treatment';

/** A file by its path; its size is asked for only when it is opened, because that takes a browser a while. */
export interface LazyFile {
  path: string;
  open(): Promise<Blob>;
}

/** A way in that can be walked again, should the engine have to be started anew. */
export type Source =
  | { kind: 'files'; name: string; files: LazyFile[] }
  | { kind: 'zip'; name: string; blob: Blob }
  | { kind: 'url'; name: string; url: string }
  | { kind: 'demo'; name: string; url: string };

/** What the client tells the page. */
export interface EngineEvents {
  onProgress(progress: Progress, reading: Reading): void;
  onChanged(phase: Phase | null): void;
  /** Files of a source were told to the engine. */
  onListed(done: number, total: number): void;
  onFailed(message: string): void;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const MAX_URLS = 500;
/** Files per piece: a few frames of work, where a browser looks up every size. */
const PIECE = 150;
const LISTED_EVERY_MS = 100;

/** One engine in its worker. */
export class EngineClient {
  readonly #events: EngineEvents;
  #worker: Worker | null = null;
  #nextId = 1;
  /** Counts sessions: what was still being listed for an earlier one is dropped. */
  #session = 0;
  readonly #pending = new Map<number, Pending>();
  #sources: Source[] = [];
  #pasted: PastedReply[] = [];
  /** Newest last. */
  readonly #urls = new Map<number, Promise<string>>();

  constructor(events: EngineEvents) {
    this.#events = events;
  }

  /** Starts the worker and its Wasm. */
  async start(): Promise<void> {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'juror-engine' });
    this.#worker = worker;
    worker.addEventListener('message', (event: MessageEvent<FromWorker>) => this.#receive(event.data));
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#fail(event.message || 'The engine could not be loaded.');
    });
    worker.addEventListener('messageerror', () => this.#fail('A message of the engine could not be read.'));
    await this.#call('start', []);
  }

  /** Starts anew after a failure and opens the same sources, with the replies that were pasted. */
  async restart(): Promise<Added> {
    this.#worker?.terminate();
    this.#forgetUrls();
    await this.start();
    const sum: Added = { files: 0, problems: [] };
    for (const source of this.#sources) {
      const added = await this.#open(source);
      sum.files += added.files;
      sum.problems.push(...added.problems);
    }
    for (const reply of this.#pasted) await this.#call('paste', [reply]);
    return sum;
  }

  /** Opens one more source. */
  async add(source: Source): Promise<Added> {
    const session = this.#session;
    const added = await this.#open(source);
    if (session !== this.#session) throw superseded();
    this.#sources.push(source);
    return added;
  }

  /** Closes everything. */
  async reset(): Promise<void> {
    this.#session += 1;
    this.#sources = [];
    this.#pasted = [];
    this.#forgetUrls();
    await this.#call('reset', []);
  }

  cancel = (): Promise<void> => this.#call('cancel', []);
  resume = (): Promise<void> => this.#call('resume', []);
  overview = (options: ScoreOptions, signal?: AbortSignal) => this.#call('overview', [options], signal);
  samples = (query: SampleQuery, signal?: AbortSignal) => this.#call('samples', [query], signal);
  sample = (id: string, options: ScoreOptions, signal?: AbortSignal) => this.#call('sample', [id, options], signal);
  request = (key: RequestKey, signal?: AbortSignal) => this.#call('request', [key], signal);
  parse = (reply: PastedReply, signal?: AbortSignal) => this.#call('parse', [reply], signal);
  generatorInput = (key: InputKey, signal?: AbortSignal) => this.#call('generator_input', [key], signal);
  usePack = (sha256: string) => this.#call('use_pack', [sha256]);
  report = (options: ScoreOptions, format: 'json' | 'csv') => this.#call('report', [options, format]);
  journal = () => this.#call('journal', []);
  concatenate = (files: number[], signal?: AbortSignal) => this.#call('concatenate', [files], signal);
  prepare = (treatment: Treatment, file: number | null, other: number | null) => this.#call('prepare', [treatment, file, other]);
  agreement = (options: ScoreOptions, signal?: AbortSignal) => this.#call('agreement', [options], signal);
  ratingsTemplate = () => this.#call('ratings_template', []);
  zip = (items: ZipItem[]) => this.#call('zip', [items]);

  /** Reads and keeps a reply. */
  async paste(reply: PastedReply): Promise<PasteResult> {
    const result = await this.#call('paste', [reply]);
    if (result.kept) this.#pasted.push(reply);
    return result;
  }

  /** An address that an `<img>` can show; the 500 used last are kept. */
  fileUrl(file: number): Promise<string> {
    const known = this.#urls.get(file);
    if (known !== undefined) {
      this.#urls.delete(file);
      this.#urls.set(file, known);
      return known;
    }
    const url = this.#call('file', [file]).then((found) => (typeof found === 'string' ? found : URL.createObjectURL(found)));
    this.#urls.set(file, url);
    url.catch(() => this.#urls.delete(file));
    for (const oldest of this.#urls.keys()) {
      if (this.#urls.size <= MAX_URLS) break;
      this.forgetUrl(oldest);
    }
    return url;
  }

  /** Drops an address that did not work, so that the next call makes a new one. */
  forgetUrl(file: number): void {
    const url = this.#urls.get(file);
    this.#urls.delete(file);
    url?.then(revoke, () => undefined);
  }

  /** The bytes of a file. */
  async fileBlob(file: number): Promise<Blob> {
    const found = await this.#call('file', [file]);
    return typeof found === 'string' ? (await fetch(found)).blob() : found;
  }

  #open(source: Source): Promise<Added> {
    switch (source.kind) {
      case 'files':
        return this.#openFiles(source.files);
      case 'zip':
        return this.#call('addZip', [source.blob, source.name]);
      case 'url':
        return this.#call('addZipUrl', [source.url]);
      case 'demo':
        return this.#call('addDemo', [source.url]);
    }
  }

  /**
   * Files go over in pieces: asking for thousands of sizes at once would freeze the page.
   *
   * Lists and replies come first, so that the first rows show before every picture is known.
   */
  async #openFiles(lazy: LazyFile[]): Promise<Added> {
    const sorted = [...lazy].sort((a, b) => urgency(a.path) - urgency(b.path));
    const sum: Added = { files: 0, problems: [] };
    const session = this.#session;
    const calls: Promise<Added>[] = [];
    let told = 0;
    for (let done = 0; done < sorted.length; done += PIECE) {
      const tried = await Promise.all(sorted.slice(done, done + PIECE).map(opened));
      if (session !== this.#session) throw superseded();
      sum.problems.push(...tried.filter((one) => 'message' in one));
      const piece = tried.filter((one) => 'blob' in one);
      const rest = done + PIECE >= sorted.length ? 'last' : urgency(sorted[done + PIECE]?.path ?? '') === 0 ? 'urgent' : 'more';
      calls.push(this.#call('addFiles', [piece, done === 0 && rest === 'more' ? 'urgent' : rest]));
      await new Promise((resolve) => setTimeout(resolve));
      if (performance.now() - told > LISTED_EVERY_MS || rest === 'last') {
        told = performance.now();
        this.#events.onListed(Math.min(done + PIECE, sorted.length), sorted.length);
      }
    }
    for (const { files } of await Promise.all(calls)) sum.files += files;
    return sum;
  }

  #forgetUrls(): void {
    for (const url of this.#urls.values()) url.then(revoke, () => undefined);
    this.#urls.clear();
  }

  #call<Name extends MethodName>(method: Name, args: Parameters<Methods[Name]>, signal?: AbortSignal): Promise<ReturnType<Methods[Name]>> {
    const worker = this.#worker;
    if (worker === null) return Promise.reject(new EngineError('The engine is not running.', 'not_running'));
    if (signal?.aborted === true) return Promise.reject(abortError());
    const id = this.#nextId++;
    const { promise, resolve, reject } = promiseParts<ReturnType<Methods[Name]>>();
    this.#pending.set(id, { resolve: resolve, reject });
    signal?.addEventListener('abort', () => {
      if (!this.#pending.delete(id)) return;
      this.#send(worker, { abort: id });
      reject(abortError());
    });
    this.#send(worker, { id, method, args });
    return promise;
  }

  #send(worker: Worker, message: ToWorker): void {
    worker.postMessage(message);
  }

  #receive(message: FromWorker): void {
    if ('event' in message) {
      if (message.event === 'progress') this.#events.onProgress(message.progress, message.reading);
      else this.#events.onChanged(message.phase);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if ('error' in message) {
      pending?.reject(new EngineError(message.error.message, message.error.code));
      // A trap leaves the module's memory in an unknown state: no number may come out of it any more.
      if (message.error.message.includes('unreachable')) this.#fail('The engine stopped because of an internal error.');
    } else {
      pending?.resolve(message.value);
    }
  }

  #fail(message: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const pending of this.#pending.values()) pending.reject(new EngineError(message, 'engine_failed'));
    this.#pending.clear();
    this.#events.onFailed(message);
  }
}

async function opened({ path, open }: LazyFile): Promise<SourceProblem | { path: string; size: number; blob: Blob }> {
  try {
    const blob = await open();
    return { path, size: blob.size, blob };
  } catch (error) {
    return { path, message: `The file cannot be opened: ${messageOf(error)}` };
  }
}

/** Sample lists and replies, then texts, then pictures. */
function urgency(path: string): number {
  if (/\.jsonl?$/i.test(path)) return 0;
  return mediaType(path).startsWith('image/') ? 2 : 1;
}

function promiseParts<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: Error) => void } {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

function revoke(url: string): void {
  if (url.startsWith('blob:')) URL.revokeObjectURL(url);
}

function superseded(): DOMException {
  return new DOMException('Everything was closed in between.', 'AbortError');
}

function abortError(): DOMException {
  return new DOMException('The question was withdrawn.', 'AbortError');
}

/** Whether an error only says that nobody waits any more. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
