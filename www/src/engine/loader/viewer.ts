/** The hosted app shows a viewer too: its worker is a file beside the page. */
import type { ViewerLoader } from './contract';
import { workerName } from './allowed';
import { wholeEngine } from './engine';

export const viewer: ViewerLoader = {
  startWorker: () => Promise.resolve(new Worker(new URL('../../embed/host.worker.ts', import.meta.url), { type: 'module', name: workerName('juror-viewer') })),
  edge: wholeEngine,
};
