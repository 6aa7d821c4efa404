/** One file for `file://`: workers are classic ones from Blobs. */
import type { WorkerLoader } from './contract';
import { blobWorker } from './payload';

export const workers: WorkerLoader = {
  startDifference: () => blobWorker('difference', []),
  startMetrics: () => blobWorker('metrics', ['pixels']),
  startTensors: () => blobWorker('tensors', ['pixels']),
};
