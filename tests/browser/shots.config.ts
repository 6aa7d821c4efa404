/**
 * Screenshots of every view and dialog, for looking at: `npm run shots` in www, after a build.
 *
 * They are written to tests/browser/shots and compared with nothing.
 */
import { defineConfig } from '../../www/node_modules/@playwright/test';

const port = Number(process.env.JUROR_SHOTS_PORT ?? 8173);
const dist = process.env.JUROR_SHOTS_DIST ?? '../../www/dist';

export default defineConfig({
  testDir: '.',
  testMatch: 'shots.spec.ts',
  outputDir: 'test-results/shots',
  workers: 1,
  timeout: 120_000,
  use: {
    baseURL: `http://127.0.0.1:${port}/`,
    launchOptions: {
      executablePath: process.env.JUROR_CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
  },
  webServer: {
    command: `npx vite preview --host 127.0.0.1 --port ${port} --strictPort --outDir ${dist}`,
    cwd: '../../www',
    url: `http://127.0.0.1:${port}/`,
    reuseExistingServer: false,
  },
});
