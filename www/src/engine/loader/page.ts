/** The hosted app: workers are files beside the page. */
import { SUITES } from '../types/suites';
import { workerName } from './allowed';
import type { PageLoader } from './contract';

export const page: PageLoader = {
  demos: SUITES.map(({ id }) => id),
  hasExtras: true,
  network:
    'The page fetches nothing but itself, the demo suites and, where an address names one on its own server, an evidence pack, unless you open a ZIP by its address: then your browser asks that one server for it.',
  startEngine: () => Promise.resolve(new Worker(new URL('../engine.worker.ts', import.meta.url), { type: 'module', name: workerName('juror-engine') })),
  startDecoder: () =>
    Promise.resolve(new Worker(new URL('../decode/decoder.worker.ts', import.meta.url), { type: 'module', name: workerName('juror-decoder') })),
  report: () => null,
  async template() {
    const response = await fetch('./juror.html').catch(() => null);
    const page = response?.ok === true ? await response.text() : '';
    // Some hosts answer with a page of their own for whatever they do not have.
    if (!page.includes('id="juror-payload-report"'))
      throw new Error(
        'The page in one file is not beside this copy of the page. juror score --format html writes the report, and so does the Export of juror.html itself.',
      );
    return page;
  },
};
