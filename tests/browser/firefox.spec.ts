/** One smoke test each in Firefox, driven by WebDriver BiDi; skipped where it is not installed, in one printed line. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '../../www/node_modules/@playwright/test';
import { launch, type Browser, type Page } from '../../www/node_modules/puppeteer-core';
import { DEMO, ROOT, TempFolder, juror, overallTotal, writeSmallBenchmark, type Report } from './helpers';
import { serveFiles, servePage } from './pages';

const FIREFOX = [process.env.JUROR_FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => path !== undefined && existsSync(path));
const SINGLE = process.env.JUROR_SINGLE ?? join(ROOT, 'www/dist-single/juror.html');

let browser: Browser | null = null;

test.beforeAll(async () => {
  if (FIREFOX === undefined) {
    console.log('SKIPPED: no Firefox (/usr/bin/firefox-esr, or JUROR_FIREFOX) for its smoke tests');
    return;
  }
  browser = await launch({ browser: 'firefox', executablePath: FIREFOX, headless: true });
});

test.afterAll(async () => browser?.close());

/** A page whose engine runs and has read what it shows first. */
async function open(address: string, source: string): Promise<Page> {
  test.skip(browser === null, 'Firefox is not installed');
  const page = await (browser as Browser).newPage();
  await page.goto(address);
  await page.waitForSelector('html[data-engine="ready"]');
  await within(page, '.sources', source);
  await page.waitForSelector('html[data-phase="done"]');
  return page;
}

/** Waits for words in an element of the page, at whatever depth of shadow roots. */
async function within(page: Page, selector: string, words: string): Promise<void> {
  const texts = async (): Promise<string> => {
    const found = await page.$$(`>>> ${selector}`);
    return (await Promise.all(found.map((one) => one.evaluate((element) => element.textContent)))).join(' ');
  };
  await expect.poll(texts, { timeout: 60_000 }).toContain(words);
}

test('Firefox opens the app with its demo suite', async ({ baseURL }) => {
  const page = await open(`${baseURL}`, 'Demo suite');
  expect((await page.$$('>>> [data-testid="overview-table"] tbody tr')).length).toBeGreaterThan(2);
});

test('Firefox opens an evidence pack and reproduces it', async ({ baseURL }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 4);
  juror(['pack', folder.at('bench'), folder.at('result'), '--out', folder.at('evidence.zip')]);
  const page = await open(`${baseURL}`, 'Demo suite');
  const input = await page.waitForSelector('>>> [data-testid="input-files"]');
  await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(folder.at('evidence.zip'));
  await within(page, '[data-testid="pack-banner"]', 'Reproduced.');
  folder.remove();
});

test('Firefox shows a pack in a viewer on another page, from servers of their own', async () => {
  test.skip(browser === null, 'Firefox is not installed');
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 4);
  juror(['pack', folder.at('bench'), folder.at('result'), '--out', folder.at('pack.zip')]);
  const script = readFileSync(join(dirname(dirname(DEMO)), 'embed/juror-viewer.js'));
  const scripts = await serveFiles({ 'juror-viewer.js': script }, { ranges: false });
  const packs = await serveFiles({ 'pack.zip': readFileSync(folder.at('pack.zip')) }, { ranges: true });
  const host = await servePage(`<!doctype html><title>A project page</title><juror-viewer src="${packs.address}/pack.zip"></juror-viewer><script src="${scripts.address}/juror-viewer.js"></script>`, '');
  const page = await (browser as Browser).newPage();
  await page.goto(host.address);
  await within(page, '.status', 'Reproduced.');
  const report = JSON.parse(juror(['score', folder.at('bench'), folder.at('result')]).toString('utf8')) as Report;
  await within(page, '[data-testid="overview-table"]', overallTotal(report, report.provenance.models[0]?.name ?? ''));
  await Promise.all([host, packs, scripts].map((server) => server.stop()));
  folder.remove();
});

test('Firefox opens the single file from disk', async () => {
  expect(existsSync(SINGLE), SINGLE).toBe(true);
  await open(pathToFileURL(SINGLE).href, 'Demo suite');
});

test('Firefox opens a report in one file and reproduces it', async () => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 4);
  juror(['score', folder.at('bench'), folder.at('result'), '--format', 'html', '--app', SINGLE, '--out', folder.at('report.html')]);
  const page = await open(pathToFileURL(folder.at('report.html')).href, 'The report in this file');
  await within(page, '[data-testid="pack-banner"]', 'Reproduced.');
  folder.remove();
});
