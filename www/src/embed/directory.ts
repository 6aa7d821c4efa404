/**
 * The end of a ZIP's directory read by itself, for a first table without an engine.
 *
 * A pack of many pictures has a directory of megabytes, and what the first table needs stands at its end: report and
 * manifest are written last. So the end of the file is searched for the first record from which all others follow
 * without a gap. What the pack is worth is for the engine to say, which reads all of the directory by its own rules.
 */
import { EngineError } from '../engine/errors';
import type { ArchiveEntry } from '../engine/types/ArchiveEntry';

const END = 0x06054b50;
const LOCATOR64 = 0x07064b50;
const RECORD = 0x02014b50;
const END_BYTES = 22;
const RECORD_BYTES = 46;
const DEFLATED = 8;
const UNICODE_PATH = 0x7075;

/** A part of the file. */
export interface Directory {
  at: number;
  length: number;
}

/** The entries whose records lie in `tail`, which begins at `from` and ends with the file, and where all records lie. */
export function lastEntries(tail: Uint8Array<ArrayBuffer>, from: number): { entries: ArchiveEntry[]; directory: Directory } {
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  const end = endOf(view);
  if (end === null) throw new EngineError('This is no ZIP file, or its end is cut off.', 'bad_zip');
  const isLarge = end >= 20 && view.getUint32(end - 20, true) === LOCATOR64;
  const stop = isLarge ? Number(view.getBigUint64(end - 12, true)) - from : end;
  const start = isLarge && stop >= 0 && stop + 56 <= end ? Number(view.getBigUint64(stop + 48, true)) : view.getUint32(end + 16, true);
  const directory = { at: start, length: from + stop - start };
  if (stop < 0 || directory.length < 0) throw new EngineError('The ZIP’s list of files is damaged.', 'bad_zip');
  if (start >= from) return { entries: entriesFrom(view, start - from, stop) ?? [], directory };
  for (let at = 0; at + RECORD_BYTES <= stop; at += 1) {
    const entries = view.getUint32(at, true) === RECORD ? entriesFrom(view, at, stop) : null;
    if (entries !== null) return { entries, directory };
  }
  return { entries: [], directory };
}

/** The entries of a whole directory. */
export function entriesOf(directory: Uint8Array<ArrayBuffer>): ArchiveEntry[] {
  return entriesFrom(new DataView(directory.buffer, directory.byteOffset, directory.byteLength), 0, directory.byteLength) ?? [];
}

/** Where the end record stands. */
function endOf(view: DataView): number | null {
  for (let at = view.byteLength - END_BYTES; at >= 0; at -= 1) {
    if (view.getUint32(at, true) === END && at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength) return at;
  }
  return null;
}

/** The records that follow each other from here to exactly the end; `null` where they do not. */
function entriesFrom(view: DataView, from: number, end: number): ArchiveEntry[] | null {
  const entries: ArchiveEntry[] = [];
  let at = from;
  while (at + RECORD_BYTES <= end && view.getUint32(at, true) === RECORD) {
    const name = view.getUint16(at + 28, true);
    if (at + RECORD_BYTES + name > end) return null;
    const extra = new DataView(
      view.buffer,
      view.byteOffset + at + RECORD_BYTES + name,
      Math.min(view.getUint16(at + 30, true), end - at - RECORD_BYTES - name),
    );
    entries.push({
      // Whether another name is the right one is for the engine to say.
      path: hasField(extra, UNICODE_PATH) ? '' : new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at + RECORD_BYTES, name)),
      size: view.getUint32(at + 24, true),
      packed: view.getUint32(at + 20, true),
      at: view.getUint32(at + 42, true),
      name_bytes: name,
      is_deflated: view.getUint16(at + 10, true) === DEFLATED,
      crc32: view.getUint32(at + 16, true),
      is_leftover: false,
    });
    at += RECORD_BYTES + name + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return at === end && entries.length > 0 ? entries : null;
}

/** Whether an extra field has a part of this id. */
function hasField(extra: DataView, id: number): boolean {
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.getUint16(at + 2, true)) {
    if (extra.getUint16(at, true) === id) return true;
  }
  return false;
}
