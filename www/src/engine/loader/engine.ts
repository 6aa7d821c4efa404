/** The hosted app: each package fetches the Wasm that lies beside it, when it is asked for. */
import type { Edge, PictureEdge } from '../edge';
import type { EngineLoader } from './contract';

/** The engine with every benchmark. */
export async function wholeEngine(): Promise<Edge> {
  const edge = (await import('../pkg/session/juror_web.js')) as unknown as Edge;
  await edge.default();
  return edge;
}

/** The package for work on pixels: larger than the engine, so only when it is asked for. */
export async function pictureEngine(): Promise<PictureEdge> {
  const edge = (await import('../pkg/pictures/juror_pictures.js')) as unknown as PictureEdge;
  await edge.default();
  return edge;
}

export const engine: EngineLoader = {
  /** It knows the benchmark of the first demo suite alone: half the size of the whole one. */
  async first() {
    const edge = (await import('../pkg/demo/juror_demo.js')) as unknown as Edge;
    await edge.default();
    return edge;
  },
  whole: wholeEngine,
  pictures: pictureEngine,
  demo: () => Promise.resolve(null),
};
