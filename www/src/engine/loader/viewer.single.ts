/** One file for `file://`: what the viewer needs is that of the page's engine, on the page's own thread. */
import type { ViewerLoader } from './contract';
import { wholeEngine } from './engine';

export const viewer: ViewerLoader = {
  startWorker: () => Promise.resolve(null),
  edge: wholeEngine,
};
