/** One file for `file://`: Wasm and demo suite are inside; there is one engine, as nothing is fetched. */
import type { Edge, PictureEdge } from '../edge';
import type { EngineLoader } from './contract';
import { startedFrom } from './lzma';
import { payload } from './payload';

let whole: Promise<Edge> | null = null;
let pictures: Promise<PictureEdge> | null = null;

/** The engine with every benchmark. */
export const wholeEngine = (): Promise<Edge> =>
  (whole ??= import('../pkg/session/juror_web.js').then((made) => startedFrom(made as unknown as Edge, 'session')));

/** The package for work on pixels. */
export const pictureEngine = (): Promise<PictureEdge> =>
  (pictures ??= import('../pkg/pictures/juror_pictures.js').then((made) => startedFrom(made as unknown as PictureEdge, 'pixels')));

export const engine: EngineLoader = {
  recogniser: () => Promise.resolve(null),
  first: wholeEngine,
  whole: wholeEngine,
  pictures: pictureEngine,
  demo: async () => new Blob([await payload('demo')]),
};
