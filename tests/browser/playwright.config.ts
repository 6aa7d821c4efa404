/**
 * The built page in real Chromium, with the real engine: `npm run test:browser` in www, after `cargo xtask build`.
 *
 * `JUROR_CHROMIUM` names the browser, `JUROR_CLI` the built `juror` that reports are compared with.
 */
import { defineConfig } from '../../www/node_modules/@playwright/test';
import { shared } from './server';

export default defineConfig({
  ...shared('tests'),
  testMatch: ['demo.spec.ts', 'demos.spec.ts', 'weave.spec.ts', 'sources.spec.ts', 'badinput.spec.ts', 'responsive.spec.ts', 'engine.spec.ts', 'protocols.spec.ts', 'judge.spec.ts', 'agents.spec.ts', 'compare.spec.ts', 'compare-pictures.spec.ts', 'keyboard.spec.ts', 'mentions.spec.ts', 'single.spec.ts', 'offline.spec.ts', 'rate.spec.ts', 'list.spec.ts', 'pack.spec.ts', 'plots.spec.ts', 'gpu.spec.ts', 'metrics.spec.ts', 'metrics-gpu.spec.ts', 'maps.spec.ts', 'dar.spec.ts', 'embed.spec.ts', 'site.spec.ts', 'reopen.spec.ts', 'firefox.spec.ts'],
  timeout: 90_000,
  expect: { timeout: 15_000 },
});
