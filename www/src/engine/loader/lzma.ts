/** Wasm that a build carries inside: LZMA is three tenths smaller than gzip, and LZMA's decoder is small. */
import { decompress } from 'lzma1';
import { compressed } from './payload';

/** Starts a package with the Wasm of a piece. */
export async function startedFrom<Package extends { default: (from: { module_or_path: BufferSource }) => Promise<unknown> }>(made: Package, piece: string): Promise<Package> {
  await made.default({ module_or_path: new Uint8Array(decompress(compressed(piece))) });
  return made;
}
