/**
 * The benchmark that is being made: one at a time, kept in this browser, each step on disk before it is shown.
 *
 * The folder of `juror make` is the same: the project file, the pictures, and the files that it comes to.
 */
import { EngineError } from '../errors';
import { MAKING, change, everyOf, oneOf } from '../database';
import { maker as loader } from '../loader/maker';
import { mediaType } from '../paths';
import type { DueCall } from '../types/DueCall';
import type { MadeFile } from '../types/MadeFile';
import type { MadeThing } from '../types/MadeThing';
import type { MakeAsked } from '../types/MakeAsked';
import type { MakeBatch } from '../types/MakeBatch';
import type { MakeKind } from '../types/MakeKind';
import type { MakeProgress } from '../types/MakeProgress';
import type { MakeTaken } from '../types/MakeTaken';
import type { MatrixCell } from '../types/MatrixCell';
import type { MakeEdge, Maker } from './edge';

/** A file of the project's folder. */
interface Kept {
  path: string;
  bytes: ArrayBuffer;
}

/** What the paths of annotated items begin with; no file of a project's folder has such a path. */
export const ANNOTATED = '/annotated/';

/** A file that is given, by its path below the folder that was chosen. */
export interface Given {
  path: string;
  open(): Promise<File>;
}

/** So many of so many originals are taken in. */
export type OnTaken = (done: number, total: number) => void;

const bytesOf = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer;
const now = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z');
const isText = (path: string): boolean => /\.(txt|json)$/i.test(path);

async function edge(): Promise<MakeEdge> {
  const edge = await loader.edge();
  if (edge === null) throw new EngineError('This copy of the page makes no benchmarks: use the hosted page, or juror make.', 'no_maker');
  return edge;
}

/** The files of a folder that is chosen, with paths that begin below it. */
export function below(files: readonly Given[]): Given[] {
  const tops = new Set(files.map(({ path }) => path.split('/')[0]));
  const isOne = tops.size === 1 && files.every(({ path }) => path.includes('/'));
  return isOne ? files.map(({ path, open }) => ({ path: path.slice(path.indexOf('/') + 1), open })) : [...files];
}

/** Every kind of project. */
export async function kinds(): Promise<MakeKind[]> {
  return JSON.parse((await edge()).kinds()) as MakeKind[];
}

/** The files of a ZIP. */
export async function unzipped(zip: File): Promise<Given[]> {
  const { unzip } = await edge();
  const files = unzip(new Uint8Array(await zip.arrayBuffer()), zip.name);
  return files.map(([path, bytes]) => ({ path, open: () => Promise.resolve(new File([bytes], path)) }));
}

/** Which types of references go together, row by row. */
export async function matrix(): Promise<MatrixCell[]> {
  return JSON.parse((await edge()).matrix()) as MatrixCell[];
}

/** Of several tabs one at a time, where the browser has such locks. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const { locks } = navigator as { locks?: LockManager };
  return locks === undefined ? work() : locks.request('juror-making', work);
}

/** A project that is carried on. */
export class MakeProject {
  #maker: Maker;
  readonly #name: string;

  private constructor(maker: Maker, name: string) {
    [this.#maker, this.#name] = [maker, name];
  }

  /** The file of the project that this browser keeps, as it is; `null` where there is none. */
  static async keptFile(): Promise<Blob | null> {
    const file = await oneOf<Kept>(MAKING, (await edge()).Maker.name());
    return file === null ? null : new Blob([file.bytes], { type: 'application/json' });
  }

  /** Forgets whatever this browser keeps, whether it can be read or not. */
  static discard(): Promise<void> {
    return inTurn(clear);
  }

  /** What this browser keeps; `null` where nothing is being made. */
  static async kept(): Promise<MakeProject | null> {
    const { Maker } = await edge();
    const name = Maker.name();
    const file = await oneOf<Kept>(MAKING, name);
    return file === null ? null : new MakeProject(Maker.read(new TextDecoder().decode(file.bytes)), name);
  }

  /** Carries on the project of a folder, with its pictures; `null` where it holds none. */
  static async carriedOn(files: readonly Given[]): Promise<MakeProject | null> {
    const { Maker } = await edge();
    const name = Maker.name();
    const own = below(files);
    const file = own.find(({ path }) => path === name);
    if (file === undefined) return null;
    const project = new MakeProject(Maker.read(await (await file.open()).text()), name);
    await clear();
    for (const { path, open } of own) if (path !== name && !path.endsWith('.json')) await keep([{ path, bytes: await (await open()).arrayBuffer() }]);
    await project.#save();
    return project;
  }

  /** Begins; files are what it is made of, one folder. */
  static async begun(asked: MakeAsked, files: readonly Given[], onTaken: OnTaken): Promise<MakeProject> {
    const { Maker, Beginning } = await edge();
    const own = below(files);
    const texts = own.filter(({ path }) => isText(path));
    const read = await Promise.all(texts.map(async ({ open }) => (await open()).text()));
    const beginning = new Beginning(
      JSON.stringify(asked),
      own.map(({ path }) => path),
      texts.map(({ path }) => path),
      read,
    );
    const byPath = new Map(own.map(({ path, open }) => [path, open]));
    const total = beginning.count();
    await clear();
    for (let done = 0; done < total; done++) {
      onTaken(done, total);
      const paths = beginning.wanted().filter((path) => byPath.has(path));
      const bytes: Uint8Array[] = [];
      for (const path of paths) bytes.push(new Uint8Array(await ((await byPath.get(path)?.()) ?? new Blob()).arrayBuffer()));
      // The page draws between originals: an edge map takes a while.
      await new Promise((resolve) => setTimeout(resolve));
      await keep(beginning.take(paths, bytes).map(([path, made]) => ({ path, bytes: made.buffer })));
    }
    const project = new MakeProject(beginning.begin(), Maker.name());
    await project.#save();
    return project;
  }

  /** The id of one of the kinds. */
  get kind(): string {
    return this.#maker.kind();
  }

  /** Calls that are due. */
  get due(): DueCall[] {
    return JSON.parse(this.#maker.due()) as DueCall[];
  }

  get progress(): MakeProgress {
    return JSON.parse(this.#maker.progress()) as MakeProgress;
  }

  /** What there is to decide about. */
  get things(): MadeThing[] {
    return JSON.parse(this.#maker.things()) as MadeThing[];
  }

  /** A picture of the project's folder; `null` where it is not there. */
  async picture(path: string): Promise<Blob | null> {
    const file = await oneOf<Kept>(MAKING, path);
    return file === null ? null : new Blob([file.bytes], { type: mediaType(path) });
  }

  /** Why a reply could not be used, so that the call would be due again; empty where it can be. */
  lacks(hash: string, text: string): string {
    return this.#maker.lacks(hash, text);
  }

  reply(hash: string, text: string, by: string): Promise<void> {
    return this.#step((maker) => maker.reply(hash, text, by, now()));
  }

  /** Keeps a picture that a call wanted where the call wants it. */
  async bring(hash: string, path: string, picture: Blob, by: string): Promise<void> {
    const bytes = await picture.arrayBuffer();
    await this.#step((maker) => maker.picture(hash, new Uint8Array(bytes), by, now()), [{ path, bytes }]);
  }

  /** Calls of a kind as batch files for an engine; each file in its parts, as it may be large. */
  async batch(kind: string, how: MakeBatch): Promise<Blob[]> {
    const { CallBatch } = await edge();
    const batch = new CallBatch(JSON.stringify(how));
    const files: string[][] = [];
    try {
      for (const { request } of this.due.filter((call) => call.request.kind === kind)) {
        const paths = request.parts.flatMap((part) => (part.type === 'picture' ? [part.path] : []));
        const kept = await Promise.all(paths.map((path) => oneOf<Kept>(MAKING, path)));
        const there = kept.filter((file) => file !== null);
        const [number, line] = batch.line(
          JSON.stringify(request),
          there.map(({ path }) => path),
          there.map(({ bytes }) => new Uint8Array(bytes)),
        );
        (files[number - 1] ??= []).push(line);
      }
    } finally {
      batch.free();
    }
    return files.map((lines) => new Blob(lines, { type: 'application/x-ndjson' }));
  }

  /** Calls of a kind as a sheet to copy from. */
  sheet(kind: string): Blob {
    return new Blob([this.#maker.sheet(kind)], { type: 'text/markdown' });
  }

  /** Takes in a file of replies, with the pictures in it; says what came of it. */
  async take(text: string): Promise<MakeTaken> {
    let taken: MakeTaken = { taken: 0, told: '' };
    const pictures: Kept[] = [];
    await this.#step((maker) => {
      const [told, ...made] = maker.take(text, now());
      taken = JSON.parse(told) as MakeTaken;
      pictures.push(...made.map(([path, bytes]) => ({ path, bytes: bytes.buffer })));
    }, pictures);
    return taken;
  }

  decide(thing: string, isIn: boolean, reason: string, by: string): Promise<void> {
    return this.#step((maker) => maker.decide(thing, isIn, reason, by, now()));
  }

  /** Everything that the folder holds. */
  async folder(): Promise<{ path: string; bytes: Uint8Array<ArrayBuffer> }[]> {
    const made = JSON.parse(this.#maker.files()) as MadeFile[];
    const texts = made.map(({ path, text }) => ({ path, bytes: new TextEncoder().encode(text) }));
    const kept = (await everyOf<Kept>(MAKING))
      .filter(({ path }) => !path.startsWith(ANNOTATED))
      .map(({ path, bytes }) => ({ path, bytes: new Uint8Array(bytes) }));
    return [...kept, ...texts].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Forgets the project and all that it holds. */
  async forget(): Promise<void> {
    await MakeProject.discard();
    this.#maker.free();
  }

  /** One step on what is kept, which another tab may have carried on; what cannot be kept is not in the project either. */
  async #step(work: (maker: Maker) => void, files: readonly Kept[] = []): Promise<void> {
    const { Maker } = await edge();
    await inTurn(async () => {
      const kept = await oneOf<Kept>(MAKING, this.#name);
      if (kept === null) throw new EngineError('This project was discarded in another tab.', 'discarded');
      const next = Maker.read(new TextDecoder().decode(kept.bytes));
      try {
        work(next);
        await keep([...files, { path: this.#name, bytes: bytesOf(next.text()) }]);
      } catch (error) {
        next.free();
        throw error;
      }
      this.#maker.free();
      this.#maker = next;
    });
  }

  async #save(): Promise<void> {
    await keep([{ path: this.#name, bytes: bytesOf(this.#maker.text()) }]);
  }
}

const keep = (files: readonly Kept[]): Promise<void> =>
  change(MAKING, (store) => {
    for (const file of files) store.put(file);
  });

/** Only the project's own files. */
const clear = (): Promise<void> =>
  change(MAKING, (store) => {
    store.delete(IDBKeyRange.upperBound(ANNOTATED, true));
    store.delete(IDBKeyRange.lowerBound(`${ANNOTATED}\uffff`));
  });
