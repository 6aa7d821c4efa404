/** The script for other people's pages: the Wasm is inside, or lies where the page says; there is no demo and no work on pixels. */
import type { Edge } from '../edge';
import { EngineError } from '../errors';
import type { EngineLoader } from './contract';
import { startedFrom } from './lzma';
import { carried } from './payload';

let whole: Promise<Edge> | null = null;

async function start(): Promise<Edge> {
  const made = (await import('../pkg/session/juror_web.js')) as unknown as Edge & { default: (from: { module_or_path: BufferSource }) => Promise<unknown> };
  if (carried('session') !== null) return startedFrom(made, 'session');
  const url = carried('wasm-address') ?? '';
  const response = await fetch(url).catch(() => null);
  if (response?.ok !== true)
    throw new EngineError(
      `The Wasm for recomputing is not at ${url}. Put it there, name its place by the attribute wasm, or use the script that has it inside.`,
      'no_wasm_file',
    );
  await made.default({ module_or_path: await response.arrayBuffer() });
  return made;
}

/** The engine with every benchmark. */
export const wholeEngine = (): Promise<Edge> => (whole ??= start());

const absent = (): Promise<never> => Promise.reject(new EngineError('This copy of Juror has no such part.', 'absent'));

export const engine: EngineLoader = {
  recogniser: () => Promise.resolve(null),
  first: wholeEngine,
  full: wholeEngine,
  whole: wholeEngine,
  pictures: absent,
  demo: () => Promise.resolve(null),
};
