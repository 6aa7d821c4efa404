/**
 * The built page in real Chromium, with the real engine: `npm run test:browser` in www, after `cargo xtask build`.
 *
 * `JUROR_CHROMIUM` names the browser, `JUROR_HEADLESS_SHELL` the same without windows for most tests, `JUROR_CLI` the built
 * `juror` that reports are compared with, `JUROR_TEST_WORKERS` how many files of tests run at once: two if not given, or one
 * where the machine has one core.
 */
import { availableParallelism } from 'node:os';
import { defineConfig } from '../../www/node_modules/@playwright/test';
import { shared } from './server';

export default defineConfig({
  ...shared('tests'),
  // All but what only measures or only takes pictures: a list of names would lose one in silence.
  testIgnore: ['bench*.spec.ts', 'shots.spec.ts'],
  // Files of tests share the server alone; each worker has browsers of its own.
  workers: Number(process.env.JUROR_TEST_WORKERS ?? Math.min(2, availableParallelism())),
  // `cargo xtask test` names each test that needed its second try, and fails beyond a few.
  retries: 1,
  // A page that is slow beside other work is not a wrong one: speed is measured by `cargo xtask bench`.
  timeout: 180_000,
  expect: { timeout: 45_000 },
});
