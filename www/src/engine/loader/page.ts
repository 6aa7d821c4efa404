/** The hosted app: workers are files beside the page. */
import type { PageLoader } from './contract';

export const page: PageLoader = {
  demos: ['weave', 'multibanana', 'micon', 'vibe', 'multiref'],
  network: 'The page fetches nothing but itself and the demo suites, unless you open a ZIP by its address: then your browser asks that one server for it.',
  startEngine: () => Promise.resolve(new Worker(new URL('../engine.worker.ts', import.meta.url), { type: 'module', name: 'juror-engine' })),
  startDifference() {
    try {
      return Promise.resolve(new Worker(new URL('../../components/compare-pictures/difference.worker.ts', import.meta.url), { type: 'module', name: 'juror-difference' }));
    } catch {
      return Promise.resolve(null);
    }
  },
  update: () => import('../../components/update/update'),
};
