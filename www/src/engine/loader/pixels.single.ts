/** One file for `file://`: the Wasm is inside, behind that of the package for pictures. */
import type { DarEdge } from '../dar/edge';
import type { PixelLoader } from './contract';
import { startedFrom } from './lzma';

export const pixels: PixelLoader = {
  metrics: async () => startedFrom((await import('../pkg/gpu/juror_gpu.js')) as unknown as DarEdge, 'pixels', 1),
};
