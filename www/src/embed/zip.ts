/**
 * Entries of a ZIP for the first table, which comes without an engine: zip.js reads them over whatever brings the bytes.
 *
 * The engine reads all of a pack by its own rules and says what it is worth, names included; here every name is let pass.
 */
import { ZipReader, type Entry, type FileEntry, type Reader } from '@zip.js/zip.js/lib/zip-core-reader.js';
import { EngineError, isAbort } from '../engine/errors';

/** Packed bytes that are read at a time. */
const PIECE_BYTES = 64 * 1024;

/** The bytes of a ZIP, wherever it is; fewer where the file ends before. */
export interface ZipBytes {
  readonly size: number;
  read(at: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** An entry that does not hold the bytes that were packed. */
export class DamagedEntry extends EngineError {
  constructor(
    readonly entry: string,
    readonly why: string,
  ) {
    super(`The entry “${entry}” is damaged: ${why}.`, 'zip_damaged');
  }
}

/** What zip.js says of a whole file that it cannot list, in our words. */
const NO_ZIP = ['File format is not recognized', 'End of central directory not found'];
/** The same of an entry. */
const DAMAGES: Record<string, string> = {
  'Local file header not found': 'it does not begin where the ZIP’s list says',
  'Ambiguous archive': 'its own header is not what the ZIP’s list says',
  'Entry data out of bounds': 'the file ends before it',
  'Invalid CRC32': 'its bytes do not fit its checksum',
  'Invalid uncompressed size': 'it inflates to more than it declares',
  'Invalid compressed data': 'its bytes do not inflate',
};

/** The files in a ZIP. */
export async function entriesOf(from: ZipBytes): Promise<FileEntry[]> {
  const reader = {
    size: from.size,
    readUint8Array: (at: number, length: number) => from.read(at, length),
    createReadable({ offset, size }: { offset: number; size: number }): ReadableStream<Uint8Array> {
      let at = offset;
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const bytes = await from.read(at, Math.min(PIECE_BYTES, offset + size - at));
            at += bytes.length;
            if (bytes.length > 0) controller.enqueue(bytes);
            if (bytes.length === 0 || at >= offset + size) controller.close();
          },
        },
        // Nothing is read that nobody takes.
        { highWaterMark: 0 },
      );
    },
  };
  const zip = new ZipReader(reader as unknown as Reader<ZipBytes>, { useWebWorkers: false, checkSignature: true, filenameValidation: 'tolerant' });
  try {
    return (await zip.getEntries()).filter(isFile);
  } catch (error) {
    if (isOurs(error)) throw error;
    const isNone = error instanceof Error && NO_ZIP.includes(error.message);
    throw new EngineError(isNone ? 'This is no ZIP file, or its end is cut off.' : 'The ZIP’s list of files is damaged.', 'bad_zip');
  }
}

const isFile = (entry: Entry): entry is FileEntry => !entry.directory;

/** What is said as it is: bytes that did not come, or that nobody waits for. */
const isOurs = (error: unknown): boolean => error instanceof EngineError || isAbort(error);

/** Inflates an entry, or its first `head` bytes; a whole one is compared with its checksum, and none becomes larger than it declares. */
export async function readEntry(entry: FileEntry, head: number | null): Promise<Uint8Array<ArrayBuffer>> {
  const wanted = head === null ? entry.uncompressedSize : Math.min(head, entry.uncompressedSize);
  const out = new Uint8Array(wanted);
  let got = 0;
  const enough = new AbortController();
  const sink = new WritableStream<Uint8Array>({
    write(bytes) {
      if (head === null && bytes.length > wanted - got) throw new Error('Invalid uncompressed size');
      out.set(bytes.subarray(0, wanted - got), got);
      got = Math.min(wanted, got + bytes.length);
      if (head !== null && got === wanted) enough.abort();
    },
  });
  try {
    await entry.getData(sink, { signal: enough.signal });
  } catch (error) {
    if (head !== null && got === wanted) return out;
    if (isOurs(error)) throw error;
    const words = error instanceof Error ? error.message : String(error);
    throw new DamagedEntry(entry.filename, DAMAGES[words] ?? words);
  }
  if (got < wanted) throw new DamagedEntry(entry.filename, DAMAGES['Invalid uncompressed size'] ?? '');
  return out;
}
