/** What the user has opened, as the engine's worker knows it: files by number, evidence packs, and whose all that is. */
import type { Zip } from '../edge';
import { EngineError } from '../errors';
import type { HeldFile, KeptFile, LeftOutFile, Replaced, Stamp, ZipFile } from '../protocol';
import type { RemoteFile } from '../types/RemoteFile';

/** A file and where its bytes are. */
export type Stored = HeldFile | RemoteFile | ZipFile | KeptFile | LeftOutFile;

/** An evidence pack that is open; what reads it is made anew in whichever engine asks about it. */
export interface OpenPack {
  name: string;
  blob: Blob;
  manifest: string;
  /** The number of its first file; `null` where it is open already or has other versions of files that are, so that it can only be compared with them. */
  first: number | null;
  /** How many files it stands for. */
  count: number;
}

/** A file that took the place of another one of its path. */
interface Pair {
  before: Stored;
  after: Stored;
}

/** Pairs of files of one path that are compared, of however many. */
const COMPARED = 100;

/** Everything that is open; it stays when another engine takes over. */
export class Opened {
  #files: Stored[] = [];
  /** The number of the last file of each path. */
  #numbers = new Map<string, number>();
  #packs: OpenPack[] = [];
  /** The bytes of files at addresses that came with their list, by address. */
  #contents = new Map<string, Uint8Array<ArrayBuffer>>();
  /** It is a demo suite: nothing pasted there outlives the tab. */
  isDemo = false;
  /** Something of the user's own is open. */
  hasOwn = false;

  /** All files, in the order in which sessions number them. */
  get files(): readonly Stored[] {
    return this.#files;
  }

  /** The evidence packs. */
  get packs(): readonly OpenPack[] {
    return this.#packs;
  }

  at(file: number): Stored {
    const found = this.#files[file];
    if (found === undefined) throw new EngineError(`There is no file number ${file}.`, 'unknown_file');
    return found;
  }

  /** Takes files that a session numbers from `first`; those of earlier ones' paths take their places. */
  add(more: readonly Stored[], first: number): Replaced {
    if (first !== this.#files.length) throw new EngineError(`The engine numbers files from ${first}, the page from ${this.#files.length}.`, 'numbering');
    const pairs: Pair[] = [];
    for (const after of more) {
      const before = this.#files[this.#numbers.get(after.path) ?? -1];
      if (before !== undefined) pairs.push({ before, after });
      this.#numbers.set(after.path, this.#files.push(after) - 1);
    }
    return replacedBy(pairs);
  }

  /** Holds the bytes of files, if they came, as long as they are open. */
  hold(files: readonly RemoteFile[], contents: readonly Uint8Array<ArrayBuffer>[]): void {
    contents.forEach((bytes, at) => files[at] && this.#contents.set(files[at].url, bytes));
  }

  /** The bytes of a file, if it is held. */
  contentOf(file: number): Uint8Array<ArrayBuffer> | undefined {
    const found = this.at(file);
    return 'url' in found ? this.#contents.get(found.url) : undefined;
  }

  addPack(pack: OpenPack): void {
    this.#packs.push(pack);
  }

  /** Nothing is open any more. */
  clear(): void {
    this.#files = [];
    this.#numbers = new Map();
    this.#packs = [];
    this.#contents = new Map();
    this.isDemo = false;
    this.hasOwn = false;
  }
}

/** The files of a ZIP. */
export const filesOf = (zip: Zip, name: string): ZipFile[] => zip.files().map((file, entry) => ({ ...file, zip: name, entry, from: zip }));

/** How many files took another's place, and pairs from all over the list, of which the page tells whether they differ. */
function replacedBy(pairs: Pair[]): Replaced {
  const step = Math.max(1, Math.ceil(pairs.length / COMPARED));
  const some = pairs.filter((_, at) => at % step === 0).map(({ before, after }) => ({ path: after.path, before: stampOf(before), after: stampOf(after) }));
  return { files: pairs.length, some };
}

function stampOf(file: Stored): Stamp {
  if ('held' in file) return { held: file.held };
  return { size: file.size ?? -1, crc: 'entry' in file ? file.crc32 : null };
}
