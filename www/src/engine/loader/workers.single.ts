/** One file for `file://`: workers are classic ones from Blobs. */
import type { WorkerLoader } from './contract';
import { blobHelper, blobWorker } from './payload';

export const workers: WorkerLoader = {
  // They would make the file six times as large.
  runsNetworks: false,
  startDifference: () => blobWorker('difference', []),
  startMetrics: () => blobHelper('metrics', ['pixels']),
  // What makes benchmarks is not inside.
  startBilliards: () => Promise.resolve(null),
  startNetworks: () => Promise.resolve(null),
  startTensors: () => blobHelper('tensors', ['pixels']),
};
