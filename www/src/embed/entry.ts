/**
 * One entry of a ZIP, inflated by the browser: for the first table, which comes without an engine.
 *
 * Everything else of a pack is read by the engine, in Rust. Names and sizes are claims: no more is inflated than an entry
 * declares.
 */
import { EngineError } from '../engine/errors';
import type { ArchiveEntry } from '../engine/types/ArchiveEntry';

/** What stands before an entry's bytes, without its name. */
const LOCAL_BYTES = 30;
const LOCAL = 0x04034b50;
/** What writers add to an entry's own header, usually. */
const EXTRA_BYTES = 64;
/** Packed bytes that are inflated at a time. */
const PIECE_BYTES = 256 * 1024;

/** The bytes of a ZIP, wherever it lies. */
interface ZipBytes {
  read(at: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** A file in a ZIP. */
export interface ZipFile {
  size: number;
  entry: ArchiveEntry;
  from: ZipBytes;
}

/** An entry whose bytes are not those that were packed. */
export class DamagedEntry extends EngineError {
  constructor(
    readonly entry: string,
    readonly why: string,
  ) {
    super(`The entry “${entry}” is damaged: ${why}.`, 'zip_damaged');
  }
}

/** Inflates an entry, or its first `head` bytes; a whole one is held against its checksum. */
export async function readEntry(file: ZipFile, head: number | null): Promise<Uint8Array<ArrayBuffer>> {
  const { entry, from } = file;
  const damaged = (why: string): DamagedEntry => new DamagedEntry(entry.path, why);
  const wanted = head === null ? entry.size : Math.min(head, entry.size);
  // Of a deflated entry more is read only where its beginning does not give enough.
  const most = entry.is_deflated ? entry.packed : wanted;
  const first = await from.read(entry.at, LOCAL_BYTES + entry.name_bytes + EXTRA_BYTES + Math.min(most, PIECE_BYTES));
  if (first.length < LOCAL_BYTES || new DataView(first.buffer, first.byteOffset).getUint32(0, true) !== LOCAL)
    throw damaged('it does not begin where the ZIP’s list says');
  const view = new DataView(first.buffer, first.byteOffset);
  const start = LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
  const packed = async (at: number, length: number): Promise<Uint8Array<ArrayBuffer>> => {
    const end = start + at + length;
    return end <= first.length ? first.subarray(start + at, end) : from.read(entry.at + start + at, length);
  };
  const out = entry.is_deflated
    ? await inflate(packed, entry.packed, wanted, head === null).catch((error: unknown) => {
        throw damaged(error instanceof Inflated ? error.message : 'its bytes do not inflate');
      })
    : await packed(0, wanted);
  if (out.length < wanted) throw damaged(`it ends after ${out.length} of ${wanted} bytes`);
  if (head === null && crc32(out) !== entry.crc32) throw damaged('its bytes do not fit its checksum');
  // Not a view of what is kept: whoever gets it may give it away.
  return out.byteLength === out.buffer.byteLength ? out : out.slice();
}

/** What is wrong with inflated bytes. */
class Inflated extends Error {}

/** The first `wanted` bytes; where those are all of them, one more is an error. */
async function inflate(
  packed: (at: number, length: number) => Promise<Uint8Array<ArrayBuffer>>,
  length: number,
  wanted: number,
  isWhole: boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  const out = new Uint8Array(wanted);
  const stream = new DecompressionStream('deflate-raw');
  const [writer, reader] = [stream.writable.getWriter(), stream.readable.getReader()];
  const isOver = { yes: false };
  const write = (async () => {
    for (let at = 0; at < length && !isOver.yes; at += PIECE_BYTES) await writer.write(await packed(at, Math.min(PIECE_BYTES, length - at)));
    if (!isOver.yes) await writer.close();
  })();
  // What goes wrong is heard from the reader; where that has enough, nobody listens.
  write.catch(() => undefined);
  let got = 0;
  try {
    for (;;) {
      if (!isWhole && got === wanted) break;
      const { done, value } = await reader.read();
      if (done) break;
      const room = wanted - got;
      if (isWhole && value.length > room) throw new Inflated('it inflates to more than it declares');
      out.set(value.subarray(0, room), got);
      got += Math.min(room, value.length);
    }
    if (isWhole) await write;
  } finally {
    isOver.yes = true;
    reader.cancel().catch(() => undefined);
    writer.abort().catch(() => undefined);
  }
  return out.subarray(0, got);
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = (rest & 1) === 0 ? rest >>> 1 : (rest >>> 1) ^ 0xedb88320;
  return rest;
});

function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}
