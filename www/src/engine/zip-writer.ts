/** Writes ZIP files: packs, and pictures that go together. */
import { BlobReader, BlobWriter, TextReader, Uint8ArrayReader, ZipWriter, configure } from '@zip.js/zip.js/lib/zip-core-custom.js';

configure({ useWebWorkers: false });

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
