/** The hosted app: workers are files beside the page. */
import type { WorkerLoader } from './contract';

const started = (start: () => Worker): Promise<Worker | null> => {
  try {
    return Promise.resolve(start());
  } catch {
    return Promise.resolve(null);
  }
};

export const workers: WorkerLoader = {
  startDifference: () => started(() => new Worker(new URL('../../components/compare-pictures/difference.worker.ts', import.meta.url), { type: 'module', name: 'juror-difference' })),
  startMetrics: () => started(() => new Worker(new URL('../metrics/metrics.worker.ts', import.meta.url), { type: 'module', name: 'juror-metrics' })),
  startTensors: () => started(() => new Worker(new URL('../dar/dar.worker.ts', import.meta.url), { type: 'module', name: 'juror-tensors' })),
};
