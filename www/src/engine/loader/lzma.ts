/** Wasm that a build carries inside: LZMA is three tenths smaller than gzip, and LZMA's decoder is small. */
import { decompress } from 'lzma1';
import { tellAllowed } from './allowed';
import { compressed } from './payload';

/** The n-th of the modules of a piece: behind their number and their lengths, they lie one after another. */
function moduleOf(piece: Uint8Array<ArrayBuffer>, at: number): Uint8Array<ArrayBuffer> {
  const header = new DataView(piece.buffer, piece.byteOffset);
  const lengths = Array.from({ length: header.getUint32(0, true) }, (_, one) => header.getUint32(4 + 4 * one, true));
  const start = lengths.slice(0, at).reduce((sum, length) => sum + length, 4 + 4 * lengths.length);
  return piece.subarray(start, start + (lengths[at] ?? 0));
}

/** Starts a package with the Wasm of a piece, its n-th module. */
export async function startedFrom<Package extends { default: (from: { module_or_path: BufferSource }) => Promise<unknown> }>(
  made: Package,
  piece: string,
  at = 0,
): Promise<Package> {
  await made.default({ module_or_path: moduleOf(new Uint8Array(decompress(compressed(piece))), at) });
  tellAllowed(made);
  return made;
}
