/** The hosted app: the package fetches the Wasm that lies beside it. */
import type { NetworksEdge } from '../networks/edge';
import { tellAllowed } from './allowed';
import type { NetworksLoader } from './contract';

export const networks: NetworksLoader = {
  async edge() {
    const edge = (await import('../pkg/networks/juror_networks.js')) as unknown as NetworksEdge;
    await edge.default();
    tellAllowed(edge);
    return edge;
  },
};
