/** The hosted app: each package fetches the Wasm that lies beside it, when it is asked for. */
import type { Edge, PictureEdge, Recogniser } from '../edge';
import { tellAllowed } from './allowed';
import type { EngineLoader } from './contract';

type Packages = Record<string, () => Promise<unknown>>;

/** The first engines of one benchmark each, by the folder that the build makes for it. */
const FIRST: Packages = import.meta.glob('../pkg/first/*/*.js');

/** The benchmark's own engine; the one with every benchmark where there is none, or where it cannot be fetched: without a network that one alone is kept. */
async function firstEngine(benchmark: string): Promise<Edge> {
  const path = Object.keys(FIRST).find((path) => path.split('/').at(-2) === benchmark);
  try {
    const edge = (await FIRST[path ?? '']?.()) as Edge | undefined;
    await edge?.default();
    if (edge !== undefined) tellAllowed(edge);
    return edge ?? (await wholeEngine());
  } catch {
    return wholeEngine();
  }
}

/** The engine with every benchmark. */
export async function wholeEngine(): Promise<Edge> {
  const edge = (await import('../pkg/session/juror_web.js')) as unknown as Edge;
  await edge.default();
  tellAllowed(edge);
  return edge;
}

/** What tells benchmarks apart, a few kilobytes. */
async function recogniser(): Promise<Recogniser> {
  const edge = (await import('../pkg/recognise/juror_recognise.js')) as unknown as Recogniser;
  await edge.default();
  return edge;
}

/** The package for work on pixels: larger than the engine, so only when it is asked for. */
export async function pictureEngine(): Promise<PictureEdge> {
  const edge = (await import('../pkg/pictures/juror_pictures.js')) as unknown as PictureEdge;
  await edge.default();
  tellAllowed(edge);
  return edge;
}

export const engine: EngineLoader = {
  recogniser,
  first: firstEngine,
  whole: wholeEngine,
  pictures: pictureEngine,
  demo: () => Promise.resolve(null),
};
