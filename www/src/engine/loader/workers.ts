/** The hosted app: workers are files beside the page. */
import { workerName } from './allowed';
import type { Helper, WorkerLoader } from './contract';

const started = (start: () => Worker): Promise<Worker | null> => {
  try {
    return Promise.resolve(start());
  } catch {
    return Promise.resolve(null);
  }
};

/** Files beside the page read what the page reads. */
const helping = async (start: () => Worker): Promise<Helper | null> => {
  const worker = await started(start);
  return worker === null ? null : { worker, readsBlobs: true };
};

export const workers: WorkerLoader = {
  runsNetworks: true,
  startDifference: () =>
    started(() => new Worker(new URL('../../components/compare-pictures/difference.worker.ts', import.meta.url), { type: 'module', name: 'juror-difference' })),
  startMetrics: () =>
    helping(() => new Worker(new URL('../metrics/metrics.worker.ts', import.meta.url), { type: 'module', name: workerName('juror-metrics') })),
  startBilliards: () => started(() => new Worker(new URL('../make/billiards.worker.ts', import.meta.url), { type: 'module', name: 'juror-billiards' })),
  startNetworks: () =>
    started(() => new Worker(new URL('../networks/networks.worker.ts', import.meta.url), { type: 'module', name: workerName('juror-networks') })),
  startTensors: () => helping(() => new Worker(new URL('../dar/dar.worker.ts', import.meta.url), { type: 'module', name: workerName('juror-tensors') })),
};
