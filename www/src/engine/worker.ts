/**
 * The engine's worker: one Wasm session, the sources behind it, and the loop that reads what the session wants.
 *
 * Reading and answering share the thread; every read is awaited, so questions from the page are answered in between.
 */
import { loadEdge, loadPictureEdge, type Edge, type Session } from './edge';
import { isJunk, mediaType } from './paths';
import {
  EngineError,
  codeOf,
  messageOf,
  type Added,
  type FromWorker,
  type Methods,
  type Reading,
  type SourceFile,
  type ToWorker,
  type ZipItem,
} from './protocol';
import type { Phase } from './types/Phase';
import type { Want } from './types/Want';
import type { ZipFile } from './zip';

type Stored = SourceFile | ZipFile;

/** Whole files are read a few at a time; short heads of many files gain from more. */
const CONCURRENCY = 8;
const HEAD_CONCURRENCY = 32;
/** Reads that are asked for at once. */
const BATCH = 256;
const PROGRESS_EVERY_MS = 100;

let edge: Edge | null = null;
let session: Session | null = null;
let files: Stored[] = [];
let reading: Reading = 'idle';
/** The session whose loop runs, by its generation. */
let looping = -1;
/** More files of a source are on their way. */
let expectsMore = false;
/** Files that were listed and wait for the rest of their source. */
let held: Stored[] = [];
/** Counts sessions, so that a read of an earlier one that comes late is dropped. */
let generation = 0;
let lastProgress = 0;
/** Reads that were handed out and not begun; the next one last. */
let backlog: Want[] = [];
const aborted = new Set<number>();

function post(message: FromWorker, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}

function open(): Session {
  if (session === null) throw new EngineError('The engine has not started yet.', 'not_started');
  return session;
}

function stored(file: number): Stored {
  const found = files[file];
  if (found === undefined) throw new EngineError(`There is no file number ${file}.`, 'unknown_file');
  return found;
}

async function bytesOf(file: Stored, head: number | null): Promise<Uint8Array> {
  if ('entry' in file) return (await import('./zip')).readEntry(file, head);
  if ('blob' in file) {
    const blob = head === null || head >= file.blob.size ? file.blob : file.blob.slice(0, head);
    return new Uint8Array(await blob.arrayBuffer());
  }
  const response = await fetch(file.url);
  if (!response.ok) throw new EngineError(`The server answered ${response.status} for ${file.url}.`, 'http');
  const bytes = new Uint8Array(await response.arrayBuffer());
  return head === null ? bytes : bytes.subarray(0, head);
}

function postProgress(): void {
  if (session === null) return;
  lastProgress = performance.now();
  post({ event: 'progress', progress: session.progress(), reading });
}

async function readOne(target: Session, want: Want, mine: number): Promise<void> {
  let bytes: Uint8Array;
  try {
    bytes = await bytesOf(stored(want.file), want.head);
  } catch (error) {
    if (mine === generation) target.failed(want.file, messageOf(error));
    return;
  }
  if (mine === generation) target.provide(want.file, bytes);
}

/** Reads until nothing is wanted, the session is replaced, or the user cancels. */
async function readLoop(target: Session, mine: number): Promise<void> {
  let phase: Phase | null = null;
  while (reading === 'reading') {
    const now = target.progress().phase;
    if (now !== phase) {
      if (phase !== null) post({ event: 'changed', phase });
      phase = now;
      postProgress();
    }
    if (backlog.length === 0) backlog = target.wants(BATCH).reverse();
    if (backlog.length === 0) break;
    const lanes = phase === 'pictures' ? HEAD_CONCURRENCY : CONCURRENCY;
    await Promise.all(Array.from({ length: lanes }, () => readLane(target, mine)));
    if (mine !== generation) return;
  }
  looping = -1;
  if (reading === 'reading') reading = expectsMore ? 'idle' : 'done';
  postProgress();
  if (!expectsMore) post({ event: 'changed', phase: target.progress().phase });
}

/** One of the readers that share the backlog; what is left of it after a cancel waits for `resume`. */
async function readLane(target: Session, mine: number): Promise<void> {
  while (reading === 'reading' && mine === generation) {
    const want = backlog.pop();
    if (want === undefined) return;
    await readOne(target, want, mine);
    if (mine === generation && performance.now() - lastProgress > PROGRESS_EVERY_MS) {
      postProgress();
      await nextTask();
    }
  }
}

function read(): void {
  reading = 'reading';
  if (looping === generation) return;
  looping = generation;
  // A failure here is a defect of the engine; the page's error listener shows it.
  readLoop(open(), generation).catch((error: unknown) => {
    looping = -1;
    setTimeout(() => {
      throw error;
    });
  });
}

/** Lets waiting messages in, even where every read resolves at once. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Adds files, unless everything was closed since `mine`. */
function add(more: Stored[], mine = generation): number {
  if (mine !== generation) throw new EngineError('Everything was closed in between.', 'superseded');
  const first = open().add_files(more.map(({ path, size }) => ({ path, size })));
  if (first !== files.length) throw new EngineError(`The engine numbers files from ${first}, the page from ${files.length}.`, 'numbering');
  files.push(...more);
  // A cancelled reading stays so until the user resumes it.
  if (reading === 'cancelled') post({ event: 'changed', phase: open().progress().phase });
  else read();
  return more.length;
}

async function addZip(blob: Blob, name: string, mine = generation): Promise<Added> {
  const listed = await (await import('./zip')).listZip(blob, name);
  return { files: add(listed.files, mine), problems: listed.problems };
}

async function addZipUrl(url: string): Promise<Added> {
  const mine = generation;
  let response: Response;
  try {
    response = await fetch(url);
  } catch {
    throw new EngineError(
      `${url} could not be fetched. Either the address is wrong, you are offline, or its server does not let other pages read it (CORS). Download the file and drop it here instead.`,
      'fetch',
    );
  }
  if (!response.ok) throw new EngineError(`The server answered ${response.status} ${response.statusText} for ${url}.`, 'http');
  if ((response.headers.get('content-type') ?? '').startsWith('text/html')) {
    throw new EngineError(`${url} is a web page, not a ZIP file. Copy the address of the download itself.`, 'html');
  }
  const blob = await response.blob();
  const name = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '') || 'archive.zip';
  return addZip(blob, name, mine);
}

async function addDemo(indexUrl: string): Promise<Added> {
  const mine = generation;
  const response = await fetch(indexUrl);
  if (!response.ok) throw new EngineError(`The demo suite is not here: ${response.status} for ${indexUrl}.`, 'no_demo');
  const index = (await response.json()) as { files: { path: string; size: number }[] };
  const listed = index.files.map(({ path, size }) => ({
    path,
    size,
    url: new URL(path.split('/').map(encodeURIComponent).join('/'), response.url).href,
  }));
  return { files: add(listed, mine), problems: [] };
}

async function picturesFor(needs: number[]): Promise<void> {
  for (const file of needs) open().provide_picture(file, await bytesOf(stored(file), null));
}

/** Every method that the page can call, with its arguments as they come. */
type Implementation = { [Name in keyof Methods]: (...args: Parameters<Methods[Name]>) => ReturnType<Methods[Name]> | Promise<ReturnType<Methods[Name]>> };

const methods: Implementation = {
  async start() {
    edge = await loadEdge();
    await edge.default();
    session = new edge.Session();
  },
  reset() {
    if (edge === null) throw new EngineError('The engine has not started yet.', 'not_started');
    session?.free();
    session = new edge.Session();
    files = [];
    reading = 'idle';
    generation += 1;
    expectsMore = false;
    held = [];
    backlog = [];
  },
  addFiles(more, rest) {
    const wanted = more.filter((file) => !isJunk(file.path));
    held.push(...wanted);
    expectsMore = rest !== 'last';
    if (rest !== 'more') add(held.splice(0));
    return { files: wanted.length, problems: [] };
  },
  addZip: (blob, name) => addZip(blob, name),
  addZipUrl,
  addDemo,
  cancel() {
    if (reading === 'reading' || expectsMore) reading = 'cancelled';
    postProgress();
  },
  resume: read,
  async file(number) {
    const file = stored(number);
    if ('url' in file) return file.url;
    if ('blob' in file) return file.blob;
    return new Blob([new Uint8Array(await bytesOf(file, null))], { type: mediaType(file.path) });
  },
  async concatenate(numbers) {
    const pictures: Uint8Array[] = [];
    for (const number of numbers) pictures.push(await bytesOf(stored(number), null));
    return (await loadPictureEdge()).concatenate(pictures);
  },
  async zip(items: ZipItem[]) {
    const pieces = [];
    for (const item of items) {
      if ('text' in item) pieces.push({ name: item.name, data: item.text });
      else if ('bytes' in item) pieces.push({ name: item.name, data: item.bytes });
      else pieces.push({ name: item.name, data: await bytesOf(stored(item.file), null) });
    }
    return (await import('./zip')).writeZip(pieces);
  },
  overview: (options) => open().overview(options),
  samples: (query) => open().samples(query),
  sample: (id, options) => open().sample(id, options),
  async request(key) {
    const first = open().request(key);
    if (first.needs.length === 0) return first;
    await picturesFor(first.needs);
    return open().request(key);
  },
  parse: (reply) => open().parse(reply),
  paste: (reply) => open().paste(reply),
  generator_input: (key) => open().generator_input(key),
  use_pack: (sha256) => open().use_pack(sha256),
  report: (options, format) => open().report(options, format),
  journal: () => open().journal(),
};

/** Byte arrays inside a reply move instead of being copied. */
function transferable(value: unknown): Transferable[] {
  if (value instanceof Uint8Array && value.buffer instanceof ArrayBuffer) return [value.buffer];
  if (typeof value === 'object' && value !== null && 'png' in value) return transferable(value.png);
  return [];
}

async function answer(id: number, method: keyof Methods, args: unknown[]): Promise<void> {
  // A task of its own: a call that was aborted while it waited is then never carried out.
  await nextTask();
  if (aborted.delete(id)) return;
  try {
    const call = methods[method] as (...args: unknown[]) => unknown;
    const value = await call(...args);
    if (!aborted.delete(id)) post({ id, value }, transferable(value));
  } catch (error) {
    post({ id, error: { message: messageOf(error), code: codeOf(error) } });
  }
}

self.addEventListener('message', (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if ('abort' in message) aborted.add(message.abort);
  else void answer(message.id, message.method, message.args);
});
