/** A static site that `juror site` wrote: served by a host that knows nothing but files, its list read without scripts, its packs opened by links. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Page } from '../../www/node_modules/@playwright/test';
import { SCHEMES, axe } from './axe';
import { still } from './gates';
import { DEMO, TempFolder, exportedReport, juror, jurorScore, numbers, settled, writeSmallBenchmark } from './helpers';
import { serve as serveOther } from './https';
import { expect, test } from './visits';

const DIST = join(DEMO, '../..');
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.zip': 'application/zip',
};

interface Site {
  folder: TempFolder;
  folders: string[];
  address: string;
  /** Where its server sends whoever asks for `packs/away.zip`. */
  away: { to: string };
  stop(): Promise<void>;
}

/** A site of one pack of small dialogues, on a server of its own. */
async function open(...options: string[]): Promise<Site> {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 4);
  const folders = [folder.at('bench'), folder.at('result')];
  mkdirSync(folder.at('packs'));
  juror(['pack', ...folders, '--out', folder.at('packs/a & b #1.zip'), '--images', 'thumbnails']);
  juror(['site', folder.at('packs'), '--app', DIST, '--out', folder.at('site'), ...options]);
  const away = { to: '' };
  const server = createServer((request, response) => {
    if (request.url === '/packs/away.zip') {
      response.writeHead(302, { location: away.to }).end();
      return;
    }
    const path = normalize(join(folder.at('site'), decodeURIComponent(new URL(request.url ?? '/', 'http://any').pathname)));
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path;
    if (!path.startsWith(folder.at('site')) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    folder,
    folders,
    away,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      folder.remove();
    },
  };
}

const banner = (page: Page) => page.getByTestId('pack-banner');

test('the list reads without scripts, and its link opens the pack in the viewer with the same numbers', async ({ page, browser }) => {
  const site = await open();
  const report = jurorScore(site.folders);
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto(site.address);
  await expect(plain.getByRole('heading', { level: 2 })).toHaveText('WEAVEBench');
  await expect(plain.getByText('Reproduced.')).toBeVisible();
  const [, printed = 'no row'] = /^\| m \|.*\| \**([\d.]+)\** \|$/m.exec(juror(['score', ...site.folders, '--format', 'md']).toString('utf8')) ?? [];
  await expect(plain.getByRole('table').first().getByRole('row', { name: /^m / }).getByRole('cell').first()).toContainText(printed);
  await expect(plain.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/);
  const [download] = await Promise.all([plain.waitForEvent('download'), plain.getByRole('link', { name: /^Download/ }).click()]);
  expect(readFileSync(await download.path()).equals(readFileSync(site.folder.at('packs/a & b #1.zip')))).toBe(true);
  await plain.context().close();

  const outside: string[] = [];
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(site.address)) outside.push(request.url());
  });
  await page.goto(site.address);
  for (const [colorScheme, rules] of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await still(page);
    expect((await axe(page, rules).analyze()).violations).toEqual([]);
  }
  await page.getByRole('link', { name: 'Open in the viewer' }).click();
  await settled(page, 'a & b #1.zip');
  await expect(banner(page)).toContainText('Reproduced.');
  expect(numbers(await exportedReport(page))).toEqual(numbers(report));
  // Wherever a reader goes from there, the address still leads others to the pack.
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Samples' }).click();
  await page.getByTestId('sample-row').first().click();
  await expect(page).toHaveURL(/sample.*pack=/);
  const there = await page.context().newPage();
  await there.goto(page.url());
  await settled(there, 'a & b #1.zip');
  await expect(there.locator('juror-sample').locator('h1')).toBeVisible();
  expect(outside).toEqual([]);
  await site.stop();
});

test('nothing of it is to be indexed unless that is asked for, and the kept viewer is the one that is served', async () => {
  for (const [options, isOpen] of [
    [[], false],
    [['--index'], true],
  ] as const) {
    const site = await open(...options);
    const read = (path: string): string => readFileSync(site.folder.at(`site/${path}`), 'utf8');
    for (const page of ['index.html', 'app/index.html']) expect(read(page).includes('name="robots" content="noindex'), page).toBe(!isOpen);
    expect(existsSync(site.folder.at('site/robots.txt'))).toBe(!isOpen);
    expect(read('app/sw.js')).toContain(`sha256-${createHash('sha256').update(read('app/index.html')).digest('base64')}`);
    await site.stop();
  }
});

test('a pack on another server is fetched once the reader agrees, and never before', async ({ page }) => {
  const site = await open();
  let asked = 0;
  const other = await serveOther((_request, response) => {
    asked += 1;
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'application/zip' }).end(readFileSync(site.folder.at('packs/a & b #1.zip')));
  });
  await page.goto(`${site.address}app/index.html#/?pack=${other.address}/far.zip`);
  await page.waitForSelector('html[data-engine="ready"]');
  await expect(page.getByTestId('linked')).toContainText(new URL(other.address).host);
  await expect(page.getByText('Open a benchmark and its results')).toBeVisible();
  expect(asked).toBe(0);
  await page.getByRole('button', { name: 'Fetch it' }).click();
  await expect(banner(page)).toContainText('Reproduced.');
  expect(asked).toBe(1);
  // An address on the page's own server that leads there is no other thing.
  site.away.to = `${other.address}/far.zip`;
  const next = await page.context().newPage();
  await next.goto(`${site.address}app/index.html#/?pack=../packs/away.zip`);
  await expect(next.getByTestId('linked')).toContainText('redirects this address to another one');
  expect(asked).toBe(1);
  await next.getByRole('button', { name: 'Fetch it' }).click();
  await expect(banner(next)).toContainText('Reproduced.');
  expect(asked).toBe(2);
  await next.close();
  await page.goto(`${site.address}app/index.html#/?pack=javascript:alert(1)`);
  await expect(page.getByRole('alert').filter({ hasText: 'is not an address from which' })).toBeVisible();
  await other.stop();
  await site.stop();
});
