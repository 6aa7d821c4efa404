/**
 * The built page in real Chromium, with the real engine: `npm run test:browser` in www, after `cargo xtask build`.
 *
 * `JUROR_CHROMIUM` names the browser, `JUROR_CLI` the built `juror` that reports are compared with.
 */
import { defineConfig } from '../../www/node_modules/@playwright/test';
import { shared } from './server';

export default defineConfig({
  ...shared('tests'),
  // All but what only measures or only takes pictures: a list of names would lose one in silence.
  testIgnore: ['bench*.spec.ts', 'shots.spec.ts'],
  timeout: 90_000,
  expect: { timeout: 15_000 },
});
