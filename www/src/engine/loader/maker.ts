/** The hosted app: the package fetches the Wasm that lies beside it. */
import type { MakeEdge } from '../make/edge';
import type { MakeLoader } from './contract';

export const maker: MakeLoader = {
  async edge() {
    const edge = (await import('../pkg/make/juror_make.js')) as unknown as MakeEdge;
    await edge.default();
    return edge;
  },
};
