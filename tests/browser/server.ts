/** What every browser suite needs of Playwright's configuration: the built page on a free loopback port, and Chromium. */
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import type { PlaywrightTestConfig } from '../../www/node_modules/@playwright/test';

const DIST = process.env.JUROR_DIST ?? resolve(__dirname, '../../www/dist');

/** The configuration is read once per process; the first asks the system for a port, the others inherit its answer. */
function port(): string {
  process.env.JUROR_TEST_PORT ??= execFileSync(
    process.execPath,
    ['-e', 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'],
    { encoding: 'utf8' },
  ).trim();
  return process.env.JUROR_TEST_PORT;
}

/** How Chromium is started; a suite may need more flags. */
export function launch(...more: string[]) {
  return {
    executablePath: process.env.JUROR_CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // The test of ZIP addresses serves one over HTTPS with a certificate of its own.
      '--ignore-certificate-errors',
      ...more,
    ],
  };
}

/** One worker, one Chromium, one server; suites add which files they run. */
export function shared(outputDir: string): PlaywrightTestConfig {
  const address = `http://127.0.0.1:${port()}/`;
  return {
    testDir: '.',
    outputDir: `test-results/${outputDir}`,
    workers: 1,
    forbidOnly: true,
    reporter: [['line'], ['json', { outputFile: `test-results/${outputDir}.json` }]],
    use: {
      baseURL: address,
      trace: 'off',
      launchOptions: launch(),
    },
    webServer: {
      command: `"${process.execPath}" "${join(__dirname, 'serve.mjs')}" ${port()} "${DIST}" ${process.pid}`,
      url: address,
      reuseExistingServer: false,
    },
  };
}
