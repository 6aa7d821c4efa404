/** Every way in: pickers, inputs, drops; each becomes a list of sources for the engine. */
import type { Listing, Source } from './client';
import type { LazyFile } from './held';
import { isList } from './paths';

const TELL_EVERY_MS = 50;
/** Lists that are opened before all files are listed. */
const MAX_AHEAD = 50;

const isZip = (name: string): boolean => /\.zip$/i.test(name);

declare global {
  interface DataTransferItem {
    getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>;
  }
  interface Window {
    showDirectoryPicker?: (options?: { id?: string; mode?: 'read' }) => Promise<FileSystemDirectoryHandle>;
  }
}

/** Whether the directory picker exists; elsewhere the page falls back to `<input webkitdirectory>`. */
export const hasDirectoryPicker = (): boolean => typeof window.showDirectoryPicker === 'function';

/** Asks for a folder; `null` if the user thought better of it. */
export async function pickFolder(): Promise<Source | null> {
  let root: FileSystemDirectoryHandle | undefined;
  try {
    root = await window.showDirectoryPicker?.({ id: 'juror', mode: 'read' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    throw error;
  }
  if (root === undefined) return null;
  const [source = null] = await sourcesOf([root]);
  return source;
}

/** Files found so far, told now and then. */
class Found {
  readonly all: LazyFile[] = [];
  /** Lists among them. */
  lists = 0;
  #told = performance.now();

  constructor(private readonly found: Parameters<Listing>[0]) {}

  push(file: LazyFile): void {
    this.all.push(file);
  }

  /** Tells what was found if that is due, and lets the page draw: entries that are there already come without a break. */
  async pause(): Promise<void> {
    if (performance.now() - this.#told < TELL_EVERY_MS) return;
    this.found(this.all);
    await new Promise((resolve) => setTimeout(resolve));
    this.#told = performance.now();
  }
}

async function walkHandle(folder: FileSystemDirectoryHandle, path: string, out: Found): Promise<void> {
  const below: [FileSystemDirectoryHandle, string][] = [];
  for await (const [name, handle] of folder.entries()) {
    const at = `${path}/${name}`;
    if (handle.kind === 'directory') below.push([handle, at]);
    else out.push({ path: at, open: opener(handle, isList(at) && out.lists++ < MAX_AHEAD) });
    await out.pause();
  }
  // Side by side, so that a list is not found last because it lies beside thousands of pictures.
  await Promise.all(below.map(([handle, at]) => walkHandle(handle, at, out).catch(() => out.push(closed(at)))));
}

/** A folder that cannot be opened, as a link to nowhere: known by the end of its path, so that what belongs in it is not missing. */
function closed(path: string): LazyFile {
  return { path: `${path}/`, open: () => Promise.reject(new DOMException('The folder cannot be opened.', 'NotFoundError')) };
}

/** Lists are opened where they are found: later, Chromium answers only when it has listed every folder that waits. */
function opener(handle: FileSystemFileHandle, isAhead: boolean): () => Promise<File> {
  if (!isAhead) return () => handle.getFile();
  const opened = handle.getFile();
  // A failure is heard by whoever opens the file.
  opened.catch(() => undefined);
  return () => opened;
}

/** The files of an `<input>`: ZIP files are sources of their own, the rest is one. */
export function fromFileList(given: Iterable<File>): Source[] {
  const sources: Source[] = [];
  const files: LazyFile[] = [];
  for (const file of given) {
    const path = file.webkitRelativePath || file.name;
    if (isZip(path) && !path.includes('/')) sources.push({ kind: 'zip', name: file.name, blob: file });
    else files.push({ path, open: () => Promise.resolve(file) });
  }
  const list: Listing = () => Promise.resolve(files);
  return files.length === 0 ? sources : [{ kind: 'files', name: nameOf(files.map(({ path }) => path)), list }, ...sources];
}

/** A dropped file or folder, by the best that the browser gives. */
type Dropped = FileSystemHandle | FileSystemEntry | File;

/**
 * What was dropped.
 *
 * The items of a drop are gone once the handler returns, so everything is asked for before the first wait.
 */
export async function fromDrop(transfer: DataTransfer): Promise<Source[]> {
  const asked: Promise<Dropped | null>[] = [];
  for (const item of transfer.items) if (item.kind === 'file') asked.push(dropped(item));
  return sourcesOf((await Promise.all(asked)).filter((one) => one !== null));
}

/** Folders and files as sources: ZIP files are sources of their own, the rest is one. */
export async function sourcesOf(given: readonly Dropped[]): Promise<Source[]> {
  const zips = given.filter((one) => isFile(one) && isZip(one.name));
  const others = given.filter((one) => !zips.includes(one));
  const sources: Source[] = [];
  const list: Listing = async (found) => {
    const files = new Found(found);
    for (const one of others) await walk(one, files);
    return files.all;
  };
  if (others.length > 0) sources.push({ kind: 'files', name: nameOf(others.map(({ name }) => name)), list, handles: others.filter(isHandle) });
  for (const zip of zips) sources.push({ kind: 'zip', name: zip.name, blob: await openDropped(zip), handles: [zip].filter(isHandle) });
  return sources;
}

const isHandle = (one: Dropped): one is FileSystemHandle => !(one instanceof File) && 'kind' in one;

/** Chromium opens the files of a handle in half the time that those of an entry take; others know entries only. */
async function dropped(item: DataTransferItem): Promise<Dropped | null> {
  const [handle, entry, file] = [item.getAsFileSystemHandle?.(), item.webkitGetAsEntry(), item.getAsFile()];
  // Refused for folders that hold a system's own files, as a home folder does.
  return (await handle?.catch(() => null)) ?? entry ?? file;
}

function isFile(one: Dropped): boolean {
  if (one instanceof File) return true;
  return 'kind' in one ? one.kind === 'file' : one.isFile;
}

function openDropped(one: Dropped): Promise<File> {
  if (one instanceof File) return Promise.resolve(one);
  return 'kind' in one ? (one as FileSystemFileHandle).getFile() : fileOf(one as FileSystemFileEntry);
}

async function walk(one: Dropped, out: Found): Promise<void> {
  if (isFile(one)) out.push({ path: one.name, open: () => openDropped(one) });
  else if ('kind' in one) await walkHandle(one as FileSystemDirectoryHandle, one.name, out);
  else await walkEntry(one as FileSystemEntry, one.name, out);
}

async function walkEntry(entry: FileSystemEntry, path: string, out: Found): Promise<void> {
  if (entry.isFile) {
    out.push({ path, open: () => fileOf(entry as FileSystemFileEntry) });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // Chromium hands out 100 entries per call; the end is an empty answer.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    await Promise.all(
      some.map((child) => {
        const at = `${path}/${child.name}`;
        return walkEntry(child, at, out).catch(() => out.push(closed(at)));
      }),
    );
    await out.pause();
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

function nameOf(paths: string[]): string {
  const tops = new Set(paths.map((path) => path.split('/')[0] ?? path));
  return [...tops].slice(0, 3).join(', ') + (tops.size > 3 ? ', …' : '');
}
