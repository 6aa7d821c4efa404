/** The hosted app: the package fetches the Wasm that lies beside it. */
import type { DarEdge } from '../dar/edge';
import { tellAllowed } from './allowed';
import type { PixelLoader } from './contract';

export const pixels: PixelLoader = {
  async metrics() {
    const edge = (await import('../pkg/gpu/juror_gpu.js')) as unknown as DarEdge;
    await edge.default();
    tellAllowed(edge);
    return edge;
  },
};
