/**
 * The built page in real Chromium, with the real engine: `npm run test:browser` in www, after `cargo xtask build`.
 *
 * `JUROR_CHROMIUM` names the browser, `JUROR_CLI` the built `juror` that reports are compared with, `JUROR_TEST_WORKERS`
 * how many files of tests run at once: one if not given.
 */
import { defineConfig } from '../../www/node_modules/@playwright/test';
import { shared } from './server';

export default defineConfig({
  ...shared('tests'),
  // All but what only measures or only takes pictures: a list of names would lose one in silence.
  testIgnore: ['bench*.spec.ts', 'shots.spec.ts'],
  // Files of tests share the server alone; each worker has browsers of its own.
  workers: Number(process.env.JUROR_TEST_WORKERS ?? 1),
  timeout: 90_000,
  expect: { timeout: 15_000 },
});
