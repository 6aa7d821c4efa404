/** One file for `file://`: Wasm and demo suite are inside; there is one engine, as nothing is fetched. */
import { decompress } from 'lzma1';
import type { Edge, PictureEdge } from '../edge';
import type { EngineLoader } from './contract';
import { compressed, payload } from './payload';

/** Starts a package with Wasm from inside, which is LZMA: three tenths smaller than gzip, in a file that is to be mailed. */
async function started<Package extends { default: (from: { module_or_path: BufferSource }) => Promise<unknown> }>(made: Package, piece: string): Promise<Package> {
  await made.default({ module_or_path: new Uint8Array(decompress(compressed(piece))) });
  return made;
}

let whole: Promise<Edge> | null = null;
let pictures: Promise<PictureEdge> | null = null;

export const engine: EngineLoader = {
  first: () => engine.whole(),
  whole: () => (whole ??= import('../pkg/session/juror_web.js').then((made) => started(made as unknown as Edge, 'session'))),
  pictures: () => (pictures ??= import('../pkg/pictures/juror_pictures.js').then((made) => started(made as unknown as PictureEdge, 'pictures'))),
  demo: async () => new Blob([await payload('demo')]),
};
