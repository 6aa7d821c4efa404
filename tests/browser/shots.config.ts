/**
 * Screenshots of every view and dialog, for looking at: `npm run shots` in www, after a build.
 *
 * They are written to tests/browser/shots and compared with nothing.
 */
import { defineConfig } from '../../www/node_modules/@playwright/test';
import { shared } from './server';

export default defineConfig({
  ...shared('shots'),
  testMatch: 'shots.spec.ts',
  timeout: 240_000,
});
