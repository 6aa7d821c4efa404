/** The script for other people's pages: the Wasm is inside, or lies where the page says; there is no demo. */
import type { Edge, PictureEdge } from '../edge';
import { EngineError } from '../errors';
import type { EngineLoader } from './contract';
import { startedFrom } from './lzma';
import { carried } from './payload';

interface Package {
  default(from: { module_or_path: BufferSource }): Promise<unknown>;
}

let whole: Promise<Edge> | null = null;
let pictures: Promise<PictureEdge> | null = null;

/** A package with the Wasm that is inside, or that lies at an address. */
async function started<Made extends Package>(made: Made, piece: string, url: string): Promise<Made> {
  if (carried(piece) !== null) return startedFrom(made, piece);
  const response = await fetch(url).catch(() => null);
  if (response?.ok !== true)
    throw new EngineError(
      `The Wasm for recomputing is not at ${url}. Put it there, name its place by the attribute wasm, or use the script that has it inside.`,
      'no_wasm_file',
    );
  await made.default({ module_or_path: await response.arrayBuffer() });
  return made;
}

// The imports stand by themselves: what a bundler wraps around one says of its failure what a worker cannot hear.
async function startWhole(): Promise<Edge> {
  const made = (await import('../pkg/session/juror_web.js')) as unknown as Edge & Package;
  return started(made, 'session', carried('wasm-address') ?? '');
}

async function startPictures(): Promise<PictureEdge> {
  const made = (await import('../pkg/pictures/juror_pictures.js')) as unknown as PictureEdge & Package;
  return started(made, 'decoders', (carried('wasm-address') ?? '').replace(/\.wasm(?=$|[?#])/, '.pictures.wasm'));
}

/** The engine with every benchmark. */
export const wholeEngine = (): Promise<Edge> => (whole ??= startWhole());

/** Decoders of pictures, which lie beside the engine's Wasm. */
const pictureEngine = (): Promise<PictureEdge> => (pictures ??= startPictures());

export const engine: EngineLoader = {
  recogniser: () => Promise.resolve(null),
  first: wholeEngine,
  whole: wholeEngine,
  pictures: pictureEngine,
  demo: () => Promise.resolve(null),
};
