/**
 * Writes ZIP files: packs, and pictures that go together. Reading them is Rust; zip.js streams what it writes into a Blob,
 * which need not be in memory.
 */
import { BlobReader, BlobWriter, TextReader, Uint8ArrayReader, ZipWriter, configure } from '@zip.js/zip.js/lib/zip-core-custom.js';

configure({ useWebWorkers: false });

/** A piece of a ZIP to be written. */
export type Piece = { name: string; data: string | Uint8Array | Blob; /** Of deflate, 0 (stored) if not given. */ level?: number };

/** A ZIP that is being written: pieces go in one after another, and it need not be in memory. */
export interface ZipToWrite {
  add(piece: Piece): Promise<void>;
  close(): Promise<Blob>;
}

/** Begins a ZIP; with fixed times the same pieces give the same bytes. */
export function beginZip(times: 'now' | 'fixed'): ZipToWrite {
  const when = times === 'fixed' ? { lastModDate: new Date(1980, 0, 1) } : {};
  const writer = new ZipWriter(new BlobWriter('application/zip'), { extendedTimestamp: false, ...when });
  return {
    async add({ name, data, level = 0 }) {
      if (typeof data === 'string') await writer.add(name, new TextReader(data), { level });
      else if (data instanceof Blob) await writer.add(name, new BlobReader(data), { level });
      else await writer.add(name, new Uint8ArrayReader(data), { level });
    },
    close: () => writer.close(),
  };
}

/** Writes a ZIP; pictures are stored as they are. */
export async function writeZip(pieces: Iterable<Piece>): Promise<Blob> {
  const zip = beginZip('now');
  for (const piece of pieces) await zip.add(piece);
  return zip.close();
}
