/**
 * The end of a ZIP's directory read by itself.
 *
 * A pack of many pictures has a directory of megabytes, and what the first table needs stands at its end: report and
 * manifest are written last. So the end of the file is searched for the first record from which all others follow
 * without a gap, and the ZIP library is shown a directory that begins there.
 */

const END = 0x06054b50;
const RECORD = 0x02014b50;
const END_BYTES = 22;
const RECORD_BYTES = 46;

/** Bytes that stand over those of the file. */
export interface Patch {
  at: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/**
 * An end record that names only the records that lie whole in `tail`, which begins at `from` and ends with the file;
 * `null` where the whole directory lies there, or where it cannot be told.
 */
export function lastRecords(tail: Uint8Array<ArrayBuffer>, from: number): Patch | null {
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  const end = endOf(view);
  if (end === null) return null;
  const [count, length, start] = [view.getUint16(end + 10, true), view.getUint32(end + 12, true), view.getUint32(end + 16, true)];
  // Of a ZIP of more than 4 GiB or 65,535 entries these are said elsewhere.
  if (count === 0xffff || length === 0xffffffff || start === 0xffffffff || start >= from || start + length !== from + end) return null;
  for (let at = 0; at + RECORD_BYTES <= end; at += 1) {
    const followed = recordsFrom(view, at, end);
    if (followed === 0 || followed > count) continue;
    const bytes = tail.slice(end);
    const patch = new DataView(bytes.buffer);
    patch.setUint16(8, followed, true);
    patch.setUint16(10, followed, true);
    patch.setUint32(12, end - at, true);
    patch.setUint32(16, from + at, true);
    return { at: from + end, bytes };
  }
  return null;
}

/** Where the end record stands. */
function endOf(view: DataView): number | null {
  for (let at = view.byteLength - END_BYTES; at >= 0; at -= 1) {
    if (view.getUint32(at, true) === END && at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength) return at;
  }
  return null;
}

/** How many records follow each other from here to exactly the end; 0 where they do not. */
function recordsFrom(view: DataView, from: number, end: number): number {
  let [at, count] = [from, 0];
  while (at + RECORD_BYTES <= end && view.getUint32(at, true) === RECORD) {
    at += RECORD_BYTES + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    count += 1;
  }
  return at === end ? count : 0;
}
