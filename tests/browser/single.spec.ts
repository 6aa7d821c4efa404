/** The whole app in one file, opened by `file://`: the same numbers, nothing asked of any server, and the ways in which browsers refuse parts of it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test, type Page } from '../../www/node_modules/@playwright/test';
import { DEMO, ROOT, TempFolder, exported, juror, jurorScore, numbers, exportedReport, openFolders, settled, writeSmallBenchmark } from './helpers';
import { serve } from './https';

const FILE = process.env.JUROR_SINGLE ?? join(ROOT, 'www/dist-single/juror.html');
/** The suite inside the file, as the hosted page has it. */
const INSIDE = join(DEMO, '../micon/Evaluation');

test.beforeAll(() => {
  if (!existsSync(FILE)) throw new Error(`${FILE} is missing: npm run build:single in www builds it.`);
});

/** Opens a file from disk and waits for what is inside; gives the addresses that were asked for, growing. */
async function openFile(page: Page, path = FILE): Promise<string[]> {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector('html[data-engine="ready"]');
  await settled(page, 'Demo suite');
  return asked;
}

/** Those that leave the file. */
const leaving = (asked: string[], path = FILE): string[] => asked.filter((url) => !/^(blob|data):/.test(url) && !url.startsWith(pathToFileURL(path).href));

/** A changed copy of the file. */
function changed(folder: TempFolder, change: (html: string) => string): string {
  const before = readFileSync(FILE, 'utf8');
  const after = change(before);
  expect(after, 'the copy differs').not.toBe(before);
  return folder.write('juror.html', after);
}

test('opened by file:// it shows its demo, scores a folder as the command line does, and asks nobody for anything', async ({ page }) => {
  const asked = await openFile(page);
  expect(numbers(await exportedReport(page))).toEqual(numbers(jurorScore([INSIDE])));
  await openFolders(page, [DEMO]);
  expect((await exported(page, 'export-json')).toString('utf8')).toBe(juror(['score', DEMO]).toString('utf8'));
  expect((await exported(page, 'export-csv')).toString('utf8')).toBe(juror(['score', DEMO, '--format', 'csv']).toString('utf8'));
  // Views that the hosted page fetches when they are opened, and a picture.
  for (const [place, tag] of [['samples', 'juror-samples'], ['compare', 'juror-compare'], ['incidents', 'juror-incidents-view'], ['judge', 'juror-judge'], ['about', 'juror-about']] as const) {
    await page.evaluate((hash) => (location.hash = hash), `#/${place}`);
    await expect(page.locator(tag).locator('h1')).toBeVisible();
  }
  await page.evaluate(() => (location.hash = '#/samples'));
  const picture = page.getByTestId('sample-row').first().locator('juror-picture img').first();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  expect(leaving(asked)).toEqual([]);
});

test('a request that leaves is noticed, and the policy lets none out but to services', async ({ page }) => {
  const asked = await openFile(page);
  const server = await serve((_request, response) => response.writeHead(200, { 'access-control-allow-origin': '*' }).end('served'));
  expect(await page.evaluate(async (url) => (await fetch(url)).text(), server.address)).toBe('served');
  expect(leaving(asked)).toEqual([`${server.address}/`]);
  const refused = await page.evaluate(async (url) => {
    const violated: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) => violated.push(event.effectiveDirective));
    const image = new Image();
    image.src = `${url}/beacon.png`;
    const script = document.createElement('script');
    script.textContent = 'document.title = "run"';
    document.head.append(script);
    await fetch('http://192.0.2.1/').catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { violated: violated.sort(), title: document.title };
  }, server.address);
  await server.stop();
  expect(refused.violated).toEqual(['connect-src', 'img-src', 'script-src-elem']);
  expect(refused.title).not.toBe('run');
});

test('pasted replies come back after a reload, as this browser keeps storage for files', async ({ page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 3);
  folder.write('result/m/metrics.jsonl', '');
  const folders = [folder.at('bench'), folder.at('result')];
  await openFile(page);
  await openFolders(page, folders);
  await paste(page);
  await expect(page.getByText('It is in this browser’s storage')).toBeVisible();
  await page.keyboard.press('Escape');
  const before = await exportedReport(page);
  await page.goto('about:blank');
  await openFile(page);
  await openFolders(page, folders);
  const after = await exportedReport(page);
  folder.remove();
  expect(numbers(after)).toEqual(numbers(before));
  expect(after.samples.filter(({ score }) => score === 7)).toHaveLength(1);
});

test('where workers are refused the engine runs on the page, with the same numbers', async ({ page }) => {
  const folder = new TempFolder();
  const path = changed(folder, (html) => html.replace('worker-src blob:', "worker-src 'none'"));
  const asked = await openFile(page, path);
  expect(numbers(await exportedReport(page))).toEqual(numbers(jurorScore([INSIDE])));
  await openFolders(page, [DEMO]);
  expect((await exported(page, 'export-json')).toString('utf8')).toBe(juror(['score', DEMO]).toString('utf8'));
  expect(page.workers()).toHaveLength(0);
  expect(leaving(asked, path)).toEqual([]);
  folder.remove();
});

test('with a worker allowed there is one', async ({ page }) => {
  await openFile(page);
  expect(page.workers()).toHaveLength(1);
});

test('without storage a pasted reply is said to live in the tab only', async ({ page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 3);
  folder.write('result/m/metrics.jsonl', '');
  const path = changed(folder, (html) => html.replace('worker-src blob:', "worker-src 'none'"));
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('Storage is not for files.', 'SecurityError');
    };
  });
  await openFile(page, path);
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
  await paste(page);
  await expect(page.getByText('Pasted replies live in this tab only')).toBeVisible();
  folder.remove();
});

test('a file whose code was changed does not run, and one that was cut says so', async ({ page }) => {
  const folder = new TempFolder();
  const other = changed(folder, (html) => html.replace(/(id="juror-payload-page">)[^<]*/, `$1${gzip('document.documentElement.dataset.engine = "ready"')}`));
  await page.goto(pathToFileURL(other).href);
  await page.waitForTimeout(500);
  await expect(page.locator('html')).toHaveAttribute('data-engine', 'loading');
  const cut = changed(folder, (html) => html.replace(/(id="juror-payload-page">)[^<]*/, '$1'));
  await page.goto(pathToFileURL(cut).href);
  await expect(page.getByRole('alert')).toContainText('is not complete');
  folder.remove();
});

const gzip = (text: string): string => gzipSync(text).toString('base64');

/** Saves a reply of 7 to the first request. */
async function paste(page: Page): Promise<void> {
  await page.evaluate(() => (location.hash = '#/samples'));
  await page.getByTestId('sample-row').first().click();
  await page.getByTestId('open-request').first().click();
  await page.getByTestId('paste-text').fill('{"score": 7, "reasoning": "Nearly."}');
  await page.getByTestId('paste-save').click();
}
