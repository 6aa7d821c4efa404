/**
 * ZIP files, read entry by entry and guarded, and small ones written.
 *
 * Names and sizes in a ZIP are claims: names that leave the folder are refused, sizes are limited as declared and again
 * while inflating.
 */
import { BlobReader, BlobWriter, TextReader, Uint8ArrayReader, ZipReader, ZipWriter, configure } from '@zip.js/zip.js/lib/zip-core-custom.js';
import type { FileEntry, Reader } from '@zip.js/zip.js/lib/zip-core-custom.js';
import { EngineError, messageOf, type SourceProblem } from './protocol';
import { isJunk } from './paths';

configure({ useWebWorkers: false });

const MAX_ENTRY_BYTES = 2 ** 30;
const MAX_TOTAL_BYTES = 20 * 2 ** 30;
const MAX_RATIO = 1000;
/** Below this size a ratio says nothing: a blank picture compresses well. */
const RATIO_FROM_BYTES = 2 ** 20;

/** An entry that passed the guard. */
export interface ZipFile {
  path: string;
  size: number;
  entry: FileEntry;
}

/** Lists a ZIP at hand or behind a reader; what is refused is told, never fatal. */
export async function listZip(zip: Blob | Reader<unknown>, name: string): Promise<{ files: ZipFile[]; problems: SourceProblem[] }> {
  const problems: SourceProblem[] = [];
  const files: ZipFile[] = [];
  const seen = new Set<string>();
  let total = 0;
  // Names are judged below, one by one: the library would refuse the whole file for one of them.
  const reader = new ZipReader(zip instanceof Blob ? new BlobReader(zip) : zip, { filenameValidation: 'tolerant' });
  let entries;
  try {
    entries = await reader.getEntries();
  } catch (error) {
    throw new EngineError(`${name} is not a readable ZIP file: ${messageOf(error)}`, 'bad_zip');
  }
  const root = folderName(name, entries.map((entry) => entry.filename));
  for (const entry of entries) {
    if (entry.directory || isJunk(entry.filename)) continue;
    const refusal = nameRefusal(entry.filename) ?? sizeRefusal(entry.uncompressedSize, entry.compressedSize);
    const path = root + entry.filename;
    if (refusal !== null) {
      problems.push({ path: `${name}: ${entry.filename}`, message: refusal });
    } else if (entry.encrypted) {
      problems.push({ path: `${name}: ${entry.filename}`, message: 'The entry is encrypted; only plain ZIP files can be read.' });
    } else if (seen.has(path)) {
      problems.push({ path: `${name}: ${entry.filename}`, message: 'The name occurs twice; the first entry is used.' });
    } else if (total + entry.uncompressedSize > MAX_TOTAL_BYTES) {
      problems.push({ path: `${name}: ${entry.filename}`, message: 'The ZIP declares more than 20 GiB; this entry and those after it that do not fit were left out.' });
    } else {
      seen.add(path);
      total += entry.uncompressedSize;
      files.push({ path, size: entry.uncompressedSize, entry });
    }
  }
  return { files, problems };
}

/** Why a name is refused, or `null`. */
export function nameRefusal(name: string): string | null {
  if (name.includes('\0')) return 'The name contains a NUL character; the entry was refused.';
  if (name.includes('\\')) return 'The name contains a backslash, which some systems read as a folder; the entry was refused.';
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'The name is an absolute path; the entry was refused.';
  if (name.split('/').includes('..')) return 'The name leaves its folder (..); the entry was refused.';
  return null;
}

/** Why declared sizes are refused, or `null`. */
export function sizeRefusal(uncompressed: number, compressed: number): string | null {
  if (uncompressed > MAX_ENTRY_BYTES) return 'The entry declares more than 1 GiB; it was refused.';
  if (uncompressed > RATIO_FROM_BYTES && uncompressed > compressed * MAX_RATIO) {
    return 'The entry declares more than 1000 times its compressed size; it was refused.';
  }
  return null;
}

/** Inflates an entry, or its first `head` bytes; more than it declared is an error. */
export async function readEntry(file: ZipFile, head: number | null): Promise<Uint8Array<ArrayBuffer>> {
  const wanted = head === null ? file.size : Math.min(head, file.size);
  const out = new Uint8Array(wanted);
  const got = { length: 0, overflow: false };
  const enough = new AbortController();
  const sink = new WritableStream<Uint8Array>({
    write(chunk) {
      const room = wanted - got.length;
      if (chunk.length > room && head === null) got.overflow = true;
      out.set(chunk.subarray(0, room), got.length);
      got.length += Math.min(room, chunk.length);
      if (got.overflow || (head !== null && got.length === wanted)) enough.abort();
    },
  });
  try {
    await file.entry.getData(sink, { signal: enough.signal, checkSignature: head === null });
  } catch (error) {
    if (!enough.signal.aborted) throw error;
  }
  if (got.overflow) throw new EngineError('The ZIP entry inflates to more than it declares; it was not read.', 'zip_overflow');
  if (got.length < wanted) throw new EngineError(`The ZIP entry ends after ${got.length} of ${wanted} bytes.`, 'zip_short');
  return out;
}

/** A piece of a ZIP to be written. */
export type Piece = { name: string; data: string | Uint8Array | Blob; /** Of deflate, 0 (stored) if not given. */ level?: number };

/** Writes a ZIP; pictures are stored as they are. With fixed times the same pieces give the same bytes. */
export async function writeZip(pieces: Iterable<Piece> | AsyncIterable<Piece>, times: 'now' | 'fixed' = 'now'): Promise<Blob> {
  const when = times === 'fixed' ? { lastModDate: new Date(1980, 0, 1) } : {};
  const writer = new ZipWriter(new BlobWriter('application/zip'), { extendedTimestamp: false, ...when });
  for await (const { name, data, level = 0 } of pieces) {
    if (typeof data === 'string') await writer.add(name, new TextReader(data), { level });
    else if (data instanceof Blob) await writer.add(name, new BlobReader(data), { level });
    else await writer.add(name, new Uint8ArrayReader(data), { level });
  }
  return writer.close();
}

/** A ZIP without one common top folder gets its own name as one, so that two ZIPs do not fall together. */
function folderName(zipName: string, names: string[]): string {
  const tops = new Set(names.filter((name) => !isJunk(name) && nameRefusal(name) === null).map((name) => (name.includes('/') ? name.slice(0, name.indexOf('/')) : '')));
  if (tops.size === 1 && !tops.has('')) return '';
  return `${zipName.replace(/\.zip$/i, '')}/`;
}
