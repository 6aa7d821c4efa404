/** What every browser suite needs of Playwright's configuration: the built page on a free loopback port, and Chromium. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { PlaywrightTestConfig } from '../../www/node_modules/@playwright/test';

/** The page as built. */
export const DIST = process.env.JUROR_DIST ?? resolve(__dirname, '../../www/dist');

/** The browser that people have. */
const CHROMIUM = process.env.JUROR_CHROMIUM ?? '/usr/bin/chromium';

/** How it is started; a suite may need more flags. */
export function launchWhole(...more: string[]) {
  return {
    executablePath: CHROMIUM,
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

/** The same engine without windows and menus, where `JUROR_HEADLESS_SHELL` names it: a sixth less to do for each test. */
export function launch(...more: string[]) {
  return { ...launchWhole(...more), executablePath: process.env.JUROR_HEADLESS_SHELL ?? CHROMIUM };
}

/** One worker, one Chromium, one server; suites add which files they run. */
export function shared(outputDir: string): PlaywrightTestConfig {
  // The server names its port once it listens; the processes that run tests read the configuration after that.
  const address = `http://127.0.0.1:${process.env.JUROR_TEST_PORT ?? ''}/`;
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
      // A colour or a place that is read is the final one.
      contextOptions: { reducedMotion: 'reduce' },
    },
    webServer: {
      command: `"${process.execPath}" "${join(__dirname, 'serve.mjs')}" "${DIST}" ${process.pid}`,
      // Playwright puts what it finds there into the environment.
      wait: { stdout: /listens on (?<juror_test_port>\d+)\n/ },
    },
  };
}

/** A folder of modules on a free loopback port, with an empty page at its root. */
export interface ServedFolder {
  address: string;
  close(): void;
}

/** Serves a folder; a module may be changed on its way. */
export async function serveFolder(folder: string, changed: (name: string, text: string) => string = (_, text) => text): Promise<ServedFolder> {
  const server = createServer((request, response) => {
    const name = (request.url ?? '/').slice(1).split('?')[0] ?? '';
    const path = join(folder, name);
    if (name === '') response.setHeader('content-type', 'text/html').end('<!doctype html><title>modules</title>');
    else if (!existsSync(path)) response.writeHead(404).end();
    else if (name.endsWith('.wasm')) response.setHeader('content-type', 'application/wasm').end(readFileSync(path));
    else response.setHeader('content-type', 'text/javascript').end(changed(name, readFileSync(path, 'utf8')));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
