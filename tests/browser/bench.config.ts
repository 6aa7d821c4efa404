/**
 * What a user waits for in the browser: `npm run bench:browser` in www, after `cargo xtask build`; not a test.
 *
 * The files are made in a temporary folder and take some 400 MB of disk while it runs.
 */
import { defineConfig } from '../../www/node_modules/@playwright/test';
import { shared } from './server';

export default defineConfig({
  ...shared('bench'),
  testMatch:
    process.env.JUROR_BENCH === 'neural' ? ['bench-neural.spec.ts'] : ['bench.spec.ts', 'bench-pictures.spec.ts', 'bench-list.spec.ts', 'bench-judge.spec.ts'],
  timeout: 600_000,
  expect: { timeout: 120_000 },
});
