/** The engine as the page uses it: promises over the worker's messages, and object URLs for pictures. */
import type { Introduction } from './decode/protocol';
import { EngineError } from './errors';
import type {
  Added,
  AgentState,
  GenerateState,
  FromWorker,
  HeldFile,
  HeldRead,
  JobState,
  MethodName,
  Methods,
  PackFile,
  Reading,
  Replaced,
  SourceProblem,
  Stamp,
  ToWorker,
} from './protocol';
import { HeldFiles, type LazyFile } from './held';
import type { Redirects } from './edge';
import type { EnginePort } from './loader/contract';
import { page } from './loader/page';
import { isList } from './paths';
import { Watchdog } from './watchdog';
import type { Measure } from './types/Measure';
import type { MeasureImport } from './types/MeasureImport';
import type { KeptReply } from './types/KeptReply';
import type { PastedReply } from './types/PastedReply';
import type { PastedTogether } from './types/PastedTogether';
import type { Phase } from './types/Phase';
import type { Progress } from './types/Progress';
import type { ScoreOptions } from './types/ScoreOptions';

export { isAbort } from './errors';

/** Lists files; tells now and then what was found so far, and ends where that is answered by an exception. */
export type Listing = (found: (files: readonly LazyFile[]) => void) => Promise<LazyFile[]>;

/** A way in that can be walked again, should the engine have to be started anew. */
export type Source =
  | { kind: 'files'; name: string; list: Listing; handles?: readonly FileSystemHandle[] }
  | { kind: 'zip'; name: string; blob: Blob; handles?: readonly FileSystemHandle[] }
  | { kind: 'url'; name: string; url: string; redirects: Redirects }
  /** A benchmark's demo suite. */
  | { kind: 'demo'; name: string; url: string; benchmark: string };

/** What opening a source did. */
export interface Opened {
  files: number;
  problems: SourceProblem[];
  /** So many of its files took the place of earlier ones of the same path. */
  replaced: number;
  /** What is wrong with that; `null` where the same files were opened again. */
  mixed: SourceProblem | null;
  /** Whether it is an evidence pack, and whether its files were added to those that are open. */
  pack: 'no' | 'added' | 'apart';
  /** What the pack's scores rest on. */
  options: ScoreOptions | null;
}

/** What the client tells the page. */
export interface EngineEvents {
  onProgress(progress: Progress, reading: Reading): void;
  onChanged(phase: Phase | null): void;
  /** So many files of a source were found so far; `null` once all are. */
  onListed(files: number | null): void;
  /** So many files were compared, of how many. */
  onCompared(done: number, total: number): void;
  /** A judging job went on. */
  onJob(state: JobState): void;
  /** A job of agents went on. */
  onAgents(state: AgentState): void;
  /** A generator's job went on. */
  onGenerate(state: GenerateState): void;
  /** So many of a pack's files were read, while it is written or checked. */
  onPack(done: number, total: number): void;
  /** So many replies are here that a journal would hold: pasted, judged, or brought back from storage. */
  onReplies(count: number): void;
  onFailed(message: string): void;
  /** The engine stopped answering, with what it waited for when it last did; `null` once it answers again. */
  onSilent(waits: string | null): void;
  /** Something could not be restored after a restart. */
  onLost(message: string): void;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const MAX_URLS = 500;
/** Sizes that are looked up without a break: a few frames of work in Chromium. */
const PIECE = 100;
/** Sizes that are looked up at all; beyond, the engine reads lists without knowing how large they are. */
const MAX_LOOKUPS = 2000;

/** The engine with a method for all that the page can call; `signal` withdraws the call. */
type Calls = { [Name in MethodName]: (...args: [...Parameters<Methods[Name]>, signal?: AbortSignal]) => Promise<ReturnType<Methods[Name]>> };

/** One engine in its worker: what it does more than calling, and a method for each call besides. */
export type EngineClient = Client & Omit<Calls, keyof Client>;

/** An engine that is not started yet. */
export function engineClient(events: EngineEvents): EngineClient {
  return new Client(events) as unknown as EngineClient;
}

class Client {
  readonly #events: EngineEvents;
  #worker: EnginePort | null = null;
  #nextId = 1;
  /** Counts sessions: what was still being listed for an earlier one is dropped. */
  #session = 0;
  readonly #pending = new Map<number, Pending>();
  readonly #held = new HeldFiles();
  /** Workers that decode pictures for the engine, by the engine's numbers. */
  readonly #decoders = new Map<number, Promise<Worker | null>>();
  #sources: Source[] = [];
  /** Replies that were pasted, each with the prompt pack that was in use. */
  #pasted: { reply: PastedReply; pack: string }[] = [];
  #pastedTogether: string[] = [];
  /** Values that were measured here, and files of such that were read. */
  #measured: Measure[] = [];
  #measuredFiles: string[] = [];
  /** The benchmark that the engine was started for. */
  #benchmark = '';
  /** The prompt pack that was chosen. */
  #pack: string | null = null;
  /** After a restart: packs and replies are to be restored once everything is read, as both rest on files. */
  #restores = false;
  #reading: Reading = 'idle';
  /** What the engine waited for when it last answered a ping. */
  #waits = '';
  /** What waits for the next pong. */
  readonly #pongs: (() => void)[] = [];
  readonly #watchdog = new Watchdog(
    () => this.#worker?.postMessage({ ping: true } satisfies ToWorker),
    (isSilent) => this.#events.onSilent(isSilent ? this.#waits : null),
  );
  /** Newest last. */
  readonly #urls = new Map<number, Promise<string>>();

  constructor(events: EngineEvents) {
    this.#events = events;
  }

  /** Starts the worker and the Wasm of a benchmark: of the one that is likely to be opened. */
  async start(benchmark: string): Promise<void> {
    this.#benchmark = benchmark;
    const worker = await page.startEngine();
    this.#worker = worker;
    worker.addEventListener('message', (event: MessageEvent<FromWorker>) => this.#receive(event.data));
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#fail(event.message || 'The engine could not be loaded.');
    });
    worker.addEventListener('messageerror', () => this.#fail('A message from the engine could not be read.'));
    await this.#call('start', [benchmark]);
  }

  /** Starts anew after a failure: the same sources, the replies that were pasted, the prompt pack that was chosen. */
  async restart(): Promise<SourceProblem[]> {
    this.#end('The engine was started again.');
    for (const decoder of this.#decoders.keys()) this.#endDecoder(decoder);
    this.#held.clear();
    this.#forgetUrls();
    this.#restores = false;
    this.#reading = 'idle';
    await this.start(this.#benchmark);
    const problems: SourceProblem[] = [];
    for (const source of this.#sources) problems.push(...(await this.#open(source)).problems);
    this.#restores = true;
    if (this.#isRead()) await this.#restore();
    return problems;
  }

  /** Opens one more source. */
  async add(source: Source): Promise<Opened> {
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
    this.#pastedTogether = [];
    this.#measured = [];
    this.#measuredFiles = [];
    this.#pack = null;
    this.#restores = false;
    this.#held.clear();
    this.#forgetUrls();
    await this.#call('reset', []);
  }

  /** Takes measured values in; they are put back after a restart. */
  addMeasures = (records: Measure[], isLast: boolean): Promise<void> => {
    this.#measured.push(...records);
    return this.#call('addMeasures', [records, isLast]);
  };
  readMeasures = (text: string): Promise<MeasureImport> => {
    this.#measuredFiles.push(text);
    return this.#call('importMeasures', [text]);
  };
  dropMeasures = (): Promise<void> => {
    this.#measured = [];
    this.#measuredFiles = [];
    return this.#call('dropMeasures', []);
  };
  /** Reads and keeps replies that come together; those that storage does not hold are put back after a restart. */
  async pasteReplies(text: string): Promise<PastedTogether> {
    const result = await this.#call('pasteReplies', [text]);
    if (!result.stored && result.taken > 0) this.#pastedTogether.push(text);
    return result;
  }
  /** The files that an evidence pack would hold, with the sizes that the page knows. */
  packFiles = async (): Promise<PackFile[]> => {
    const files = await this.#call('packFiles', []);
    return Promise.all(files.map(async (file) => (file.size === null && file.held !== null ? { ...file, size: await this.#held.size(file.held) } : file)));
  };

  /** Chooses a prompt pack. */
  async usePack(sha256: string): Promise<void> {
    await this.#call('usePack', [sha256]);
    this.#pack = sha256;
  }

  /** Reads and keeps a reply. */
  async paste(reply: PastedReply): Promise<KeptReply> {
    const result = await this.#call('paste', [reply]);
    if (result.kept && !result.stored) {
      const { pack } = await this.#call('request', [reply.key]);
      this.#pasted.push({ reply, pack: pack.sha256 });
    }
    return result;
  }

  /** Takes a pasted reply out again. */
  async removePasted(reply: PastedReply): Promise<number> {
    const removed = await this.#call('removePasted', [reply]);
    const same = JSON.stringify(reply);
    this.#pasted = this.#pasted.filter((one) => JSON.stringify(one.reply) !== same);
    return removed;
  }

  /** Replies that only this page holds, one in a line of JSON; what was pasted together follows as it was. A restart puts them back. */
  unkept(): { count: number; text: string } {
    const lines = [...this.#pasted.map(({ reply }) => JSON.stringify(reply)), ...this.#pastedTogether];
    return { count: lines.length, text: lines.map((line) => `${line}\n`).join('') };
  }

  /** Whether nothing is asked of the engine, once the page has heard whatever the engine told before this call. */
  async isAtRest(): Promise<boolean> {
    const worker = this.#worker;
    if (worker === null) return false;
    await new Promise<void>((heard) => {
      this.#pongs.push(heard);
      this.#send(worker, { ping: true });
    });
    return this.#pending.size === 0;
  }

  /** Whether a file has an address already. */
  hasUrl(file: number): boolean {
    return this.#urls.has(file);
  }

  /** An address that an `<img>` can show; the 500 used last are kept. */
  fileUrl(file: number): Promise<string> {
    const known = this.#urls.get(file);
    if (known !== undefined) {
      this.#urls.delete(file);
      this.#urls.set(file, known);
      return known;
    }
    const url = this.#file(file).then((found) => (typeof found === 'string' ? found : URL.createObjectURL(found)));
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

  /** Files are being picked, dragged or listed; what the engine fetches for them it asks for again if that fails. */
  expectFiles(): void {
    this.#call('expectFiles', []).catch(() => undefined);
  }

  /** The bytes of a file. */
  async fileBlob(file: number): Promise<Blob> {
    const found = await this.#file(file);
    return typeof found === 'string' ? (await fetch(found)).blob() : found;
  }

  async #file(file: number): Promise<Blob | string> {
    const found = await this.#call('file', [file]);
    return typeof found === 'object' && 'held' in found ? this.#held.open(found.held) : found;
  }

  async #open(source: Source): Promise<Opened> {
    const { files, problems, replaced, pack = 'no', options = null } = await this.#list(source);
    const mixed = await this.#mixed(source.name, replaced);
    return { files, problems: mixed === null ? problems : [...problems, mixed], replaced: replaced.files, mixed, pack, options };
  }

  #list(source: Source): Promise<Added> {
    switch (source.kind) {
      case 'files':
        return this.#listFiles(source.list);
      case 'zip':
        return this.#call('addZip', [source.blob, source.name]);
      case 'url':
        return this.#call('addZipUrl', [source.url, source.redirects]);
      case 'demo':
        return this.#call('addDemo', [source.url, source.benchmark]);
    }
  }

  /** Files stay on the page; the engine is told of them. */
  async #listFiles(list: Listing): Promise<Added> {
    const session = this.#session;
    this.expectFiles();
    // Listing a picked folder of thousands takes Chromium a while: lists go ahead of the rest.
    const ahead = { files: new Set<LazyFile>(), added: [] as Promise<Added>[] };
    const lazy = await list((files) => {
      if (session !== this.#session) throw superseded();
      this.#events.onListed(files.length);
      if (ahead.added.length > 0 || !files.some(isSampleList)) return;
      ahead.files = new Set(files.filter(isSampleList));
      const added = this.#tell([...ahead.files]);
      // A failure is heard below, once all files are listed.
      added.catch(() => undefined);
      ahead.added.push(added);
    });
    if (session !== this.#session) throw superseded();
    this.#events.onListed(null);
    const parts = [...(await Promise.all(ahead.added)), await this.#tell(lazy.filter((file) => !ahead.files.has(file)))];
    return {
      files: parts.reduce((sum, { files }) => sum + files, 0),
      problems: parts.flatMap(({ problems }) => problems),
      replaced: { files: parts.reduce((sum, { replaced }) => sum + replaced.files, 0), some: parts.flatMap(({ replaced }) => replaced.some) },
    };
  }

  /** Tells the engine paths, and sizes where it must not read what is too large for a list. */
  async #tell(lazy: LazyFile[]): Promise<Added> {
    const session = this.#session;
    const first = this.#held.add(lazy);
    const files: HeldFile[] = lazy.map(({ path }, at) => ({ path, size: null, held: first + at }));
    const lists = files.filter(({ path }) => isList(path)).slice(0, MAX_LOOKUPS);
    for (let at = 0; at < lists.length; at += PIECE) {
      await Promise.all(lists.slice(at, at + PIECE).map(async (file) => (file.size = await this.#held.size(file.held))));
      if (at > 0) await new Promise((resolve) => setTimeout(resolve));
      if (session !== this.#session) throw superseded();
    }
    return this.#call('addFiles', [files]);
  }

  /** Looks at files that took the place of others: a folder that was opened again, or two folders of one name? */
  async #mixed(name: string, { files, some }: Replaced): Promise<SourceProblem | null> {
    if (files === 0) return null;
    const session = this.#session;
    const different: string[] = [];
    for (const { path, before, after } of some) {
      if (await this.#differ(before, after)) different.push(path);
      if (session !== this.#session) throw superseded();
    }
    const [first] = different;
    if (first === undefined) return null;
    const compared = some.length === files ? '' : ` Of ${some.length} that were compared, ${different.length} differ.`;
    return {
      path: first,
      message: `${files === 1 ? 'A file' : `${files.toLocaleString('en')} files`} of ${name} replaced what was opened before under the same path.${compared}`,
      hint: 'If these are two folders of one name, rename one of them, close all, and open both again.',
    };
  }

  /** Whether two files of one path differ, as far as can be told without reading them. */
  async #differ(before: Stamp, after: Stamp): Promise<boolean> {
    const [one, other] = await Promise.all([this.#stamp(before), this.#stamp(after)]);
    if (one === null || other === null || one.size !== other.size) return true;
    const differs = (a: number | null, b: number | null): boolean => a !== null && b !== null && a !== b;
    return differs(one.crc, other.crc) || differs(one.time, other.time);
  }

  async #stamp(stamp: Stamp): Promise<{ size: number; crc: number | null; time: number | null } | null> {
    if ('size' in stamp) return { ...stamp, time: null };
    try {
      const file = await this.#held.open(stamp.held);
      return { size: file.size, crc: null, time: file instanceof File ? file.lastModified : null };
    } catch {
      return null;
    }
  }

  #forgetUrls(): void {
    for (const url of this.#urls.values()) url.then(revoke, () => undefined);
    this.#urls.clear();
  }

  /** Calls what is called so; a signal may stand behind the arguments. */
  call(method: MethodName, args: unknown[]): Promise<unknown> {
    const signal = args.at(-1);
    const given = signal instanceof AbortSignal ? args.slice(0, -1) : args;
    return this.#call(method, given as Parameters<Methods[typeof method]>, signal instanceof AbortSignal ? signal : undefined);
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

  #send(worker: EnginePort, message: ToWorker): void {
    worker.postMessage(message);
  }

  /** Starts a decoder for the engine, or ends it. */
  #setDecoder(id: number, port: MessagePort | null): void {
    if (port === null) this.#endDecoder(id);
    else void this.#startDecoder(id, port);
  }

  async #startDecoder(id: number, port: MessagePort): Promise<void> {
    const died = (): void => {
      this.#endDecoder(id);
      if (this.#worker !== null) this.#send(this.#worker, { died: id });
    };
    const started = new Promise<Worker | null>((resolve) => resolve(page.startDecoder())).catch(() => null);
    this.#decoders.set(id, started);
    const worker = await started;
    // It may have been ended meanwhile.
    if (this.#decoders.get(id) !== started) return;
    if (worker === null) {
      died();
      return;
    }
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      died();
    });
    worker.addEventListener('messageerror', died);
    worker.postMessage({ port } satisfies Introduction, [port]);
  }

  #endDecoder(id: number): void {
    void this.#decoders.get(id)?.then((worker) => worker?.terminate());
    this.#decoders.delete(id);
  }

  #receive(message: FromWorker): void {
    this.#watchdog.heard();
    if ('event' in message) {
      if (message.event === 'decoder') this.#setDecoder(message.decoder, message.port);
      else if (message.event === 'read') void this.#read(message.id, message.reads);
      else if (message.event === 'progress') this.#progress(message.progress, message.reading);
      else if (message.event === 'compared') this.#events.onCompared(message.done, message.total);
      else if (message.event === 'job') this.#events.onJob(message.state);
      else if (message.event === 'replies') this.#events.onReplies(message.count);
      else if (message.event === 'pack') this.#events.onPack(message.done, message.total);
      else if (message.event === 'agents') this.#events.onAgents(message.state);
      else if (message.event === 'generate') this.#events.onGenerate(message.state);
      else if (message.event === 'pong') {
        this.#waits = message.waits;
        for (const heard of this.#pongs.splice(0)) heard();
      } else this.#events.onChanged(message.phase);
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

  /** Reads what the worker asks for. */
  async #read(id: number, reads: HeldRead[]): Promise<void> {
    const worker = this.#worker;
    const got = await this.#held.read(reads);
    if (worker !== this.#worker) return;
    worker?.postMessage(
      { read: id, got } satisfies ToWorker,
      got.flatMap((one) => ('bytes' in one ? [one.bytes.buffer] : [])),
    );
  }

  #progress(progress: Progress, reading: Reading): void {
    this.#reading = reading;
    if (this.#isRead() && this.#restores) {
      // Nothing is as it was before what was pasted is back.
      this.#events.onProgress(progress, 'reading');
      void this.#restore().finally(() => this.#events.onProgress(progress, this.#reading));
      return;
    }
    this.#events.onProgress(progress, reading);
  }

  #isRead(): boolean {
    return this.#reading === 'done';
  }

  /** Makes the session what it was before a restart. */
  async #restore(): Promise<void> {
    this.#restores = false;
    let lost = 0;
    for (const { reply, pack } of this.#pasted) {
      try {
        await this.#call('usePack', [pack]);
        // The hash of a request needs the pictures' bytes, which the worker brings.
        await this.#call('request', [reply.key]);
        await this.#call('paste', [reply]);
      } catch {
        lost += 1;
      }
    }
    try {
      for (const text of this.#measuredFiles) await this.#call('importMeasures', [text]);
      if (this.#measured.length > 0) await this.#call('addMeasures', [this.#measured, true]);
    } catch {
      this.#events.onLost('The measured values could not be restored. Read their file again, or measure again.');
    }
    for (const text of this.#pastedTogether) await this.#call('pasteReplies', [text]).catch(() => (lost += 1));
    if (lost > 0) this.#events.onLost(`${lost} of ${this.#pasted.length} pasted replies could not be restored.`);
    if (this.#pack !== null) {
      await this.#call('usePack', [this.#pack]).catch(() => this.#events.onLost('The prompt pack that was chosen could not be restored.'));
    }
    this.#events.onChanged(null);
  }

  #fail(message: string): void {
    this.#end(message);
    this.#events.onFailed(message);
  }

  /** Ends the engine; calls that wait for it are rejected. */
  #end(message: string): void {
    this.#worker?.terminate();
    this.#watchdog.stop();
    this.#worker = null;
    for (const pending of this.#pending.values()) pending.reject(new EngineError(message, 'engine_failed'));
    this.#pending.clear();
  }
}

/** What a client does not do itself is called in the engine by the same name, as `Methods` lists it. */
const called = new Proxy(
  {},
  {
    get(known, name, client: Client): unknown {
      // A promise that gives a client looks whether it is another promise, a template that has one whether it is a directive.
      if (typeof name !== 'string' || name === 'then' || name.startsWith('_') || name in known) return Reflect.get(known, name);
      return (...args: unknown[]) => client.call(name as MethodName, args);
    },
  },
);
Object.setPrototypeOf(Client.prototype, called);

const isSampleList = ({ path }: LazyFile): boolean => /\.json$/i.test(path);

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
  return new DOMException('Everything was closed in the meantime.', 'AbortError');
}

function abortError(): DOMException {
  return new DOMException('The question was withdrawn.', 'AbortError');
}
