/** The whole app in one file, opened by `file://`: the same numbers, nothing asked of any server, and the ways in which browsers refuse parts of it. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test, type Page } from '../../www/node_modules/@playwright/test';
import {
  DEMO,
  ROOT,
  TempFolder,
  exported,
  juror,
  jurorScore,
  numbers,
  exportedReport,
  openFolders,
  settled,
  writeSmallBenchmark,
  isOfReplies,
} from './helpers';
import { serve } from './https';
import { unzip, zipOf } from './zip';

const FILE = process.env.JUROR_SINGLE ?? join(ROOT, 'www/dist-single/juror.html');
/** The suite inside the file, as the hosted page has it. */
const INSIDE = join(DEMO, '../micon/Evaluation');

test.beforeAll(() => {
  if (!existsSync(FILE)) throw new Error(`${FILE} is missing: npm run build:single in www builds it.`);
});

/** Opens a file from disk and waits for what is inside; gives the addresses that were asked for, growing. */
async function openFile(page: Page, path = FILE, source = 'Demo suite'): Promise<string[]> {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector('html[data-engine="ready"]');
  await settled(page, source);
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
  for (const [place, tag] of [
    ['samples', 'juror-samples'],
    ['compare', 'juror-compare'],
    ['incidents', 'juror-incidents-view'],
    ['judge', 'juror-judge'],
    ['about', 'juror-about'],
    ['manual', 'juror-manual'],
  ] as const) {
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
    try {
      script.textContent = 'document.title = "run"';
    } catch {
      // Text becomes no script here.
    }
    document.head.append(script);
    await fetch('http://192.0.2.1/').catch(() => undefined);
    // Each refusal is told some time after it.
    while (violated.length < 3) await new Promise((resolve) => document.addEventListener('securitypolicyviolation', resolve, { once: true }));
    await new Promise((resolve) => setTimeout(resolve));
    return { violated: violated.sort(), title: document.title };
  }, server.address);
  await server.stop();
  expect(refused.violated).toEqual(['connect-src', 'img-src', 'require-trusted-types-for']);
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
  await expect.poll(() => page.workers().length).toBe(1);
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
  const refused = await refusals(page);
  await page.goto(pathToFileURL(other).href);
  await expect.poll(() => refused.filter((what) => what.startsWith('script-src'))).toHaveLength(1);
  await expect(page.locator('html')).toHaveAttribute('data-engine', 'loading');
  const cut = changed(folder, (html) => html.replace(/(id="juror-payload-page">)[^<]*/, '$1'));
  await page.goto(pathToFileURL(cut).href);
  await expect(page.getByRole('alert')).toContainText('is not complete');
  folder.remove();
});

const GIVEN = 'The report in this file';
const banner = (page: Page) => page.getByTestId('pack-banner');

/** Four dialogues of which one was never answered, and the report of them in one file. */
function reported(folder: TempFolder, ...more: string[]): { folders: string[]; path: string } {
  writeSmallBenchmark(folder, 4);
  rmSync(folder.at('result/m/imgs/d3_2.png'));
  const folders = [folder.at('bench'), folder.at('result')];
  const path = folder.at('report.html');
  juror(['score', ...folders, '--format', 'html', '--app', FILE, '--out', path, ...more]);
  return { folders, path };
}

test('a report in one file shows its scores by double click, recomputed, with its pictures, and asks nobody for anything', async ({ page }) => {
  const folder = new TempFolder();
  const { folders, path } = reported(folder, '--pictures', 'thumbnails');
  const asked = await openFile(page, path, GIVEN);
  await expect(banner(page)).toContainText('Reproduced.');
  const report = await exportedReport(page);
  expect(numbers(report)).toEqual(numbers(jurorScore(folders)));
  expect(report.incidents.some(({ kind }) => kind === 'missing_output')).toBe(true);
  await page.evaluate(() => (location.hash = '#/sample/0'));
  const picture = page.locator('juror-sample juror-picture img').first();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  // A link into it leads there for whoever has the file.
  await page.reload();
  await settled(page, GIVEN);
  await expect(page.locator('juror-sample').locator('h1')).toBeVisible();
  expect(leaving(asked, path)).toEqual([]);
  const before = readFileSync(path);
  expect(reported(folder, '--pictures', 'thumbnails').path).toBe(path);
  expect(readFileSync(path).equals(before)).toBe(true);
  // One by other formulas shows those.
  reported(folder, '--profile', 'released', '--policy', 'exclude');
  await openFile(page, path, GIVEN);
  await expect(page.getByTestId('profile-released')).toBeChecked();
  expect(numbers(await exportedReport(page))).toEqual(numbers(jurorScore(folders, '--profile', 'released', '--policy', 'exclude')));
  folder.remove();
});

test('a report whose reply was changed says so when it is opened', async ({ page }) => {
  const folder = new TempFolder();
  const { path } = reported(folder);
  const forged = readFileSync(path, 'utf8').replace(/(id="juror-payload-report">)([^<]*)/, (_, start: string, text: string) => {
    const entries = unzip(Buffer.from(text, 'base64'));
    const told = entries.map(({ name, data }) => ({
      name,
      data: isOfReplies(name) ? Buffer.from(data).toString('utf8').replace('"score":8', '"score":10') : data,
    }));
    return start + zipOf(told).toString('base64');
  });
  await openFile(page, folder.write('forged.html', forged), GIVEN);
  await expect(banner(page)).toContainText('Does not reproduce.');
  await expect(banner(page)).toContainText('Verdict: 1');
  folder.remove();
});

test('the page in one file writes such a report itself, from a folder that was opened', async ({ page }) => {
  const folder = new TempFolder();
  const { folders } = reported(folder);
  await openFile(page);
  await openFolders(page, folders);
  await page.getByRole('button', { name: /^Export/ }).click();
  await page.getByTestId('export-html').click();
  await expect(page.getByTestId('pack-none')).toBeChecked();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('pack-write').click()]);
  await expect(page.getByTestId('pack-status')).toContainText('Written');
  const path = folder.write('own.html', readFileSync(await download.path()));
  const asked = await openFile(page, path, GIVEN);
  await expect(banner(page)).toContainText('Reproduced.');
  expect(numbers(await exportedReport(page))).toEqual(numbers(jurorScore(folders)));
  expect(leaving(asked, path)).toEqual([]);
  // The pack inside is the command line's, entry by entry.
  const inside = (file: string): string[] => {
    const text = /id="juror-payload-report">([^<]*)/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
    return unzip(Buffer.from(text, 'base64')).map(({ name, data }) => `${name} ${Buffer.from(data).toString('base64')}`);
  };
  expect(inside(path)).toEqual(inside(folder.at('report.html')));
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

/** Whatever the page's policy refuses from here on. */
async function refusals(page: Page): Promise<string[]> {
  const refused: string[] = [];
  await page.exposeFunction('jurorRefused', (what: string) => void refused.push(what));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, sample }) => {
      void (globalThis as unknown as { jurorRefused(what: string): void }).jurorRefused(`${effectiveDirective} ${sample}`);
    });
  });
  return refused;
}

test('the file asks for trusted types, with and without a worker, and nothing of its own is refused', async ({ page, context }) => {
  const folder = new TempFolder();
  const here = changed(folder, (html) => html.replace('worker-src blob:', "worker-src 'none'"));
  for (const path of [FILE, here]) {
    const tab = await context.newPage();
    const refused = await refusals(tab);
    await openFile(tab, path);
    await openFolders(tab, [DEMO]);
    await exported(tab, 'export-json');
    // Where no worker is let run, that alone is refused.
    expect(refused.filter((what) => !what.startsWith('worker-src'))).toEqual([]);
    // The sibling that must be refused: text that is to become HTML, and a policy of another name.
    const thrown = await tab.evaluate(() => {
      const errors: string[] = [];
      try {
        document.body.innerHTML = '<p>text</p>';
      } catch (error) {
        errors.push((error as Error).name);
      }
      try {
        (globalThis as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }).trustedTypes.createPolicy('other', {});
      } catch (error) {
        errors.push((error as Error).name);
      }
      return errors;
    });
    expect(thrown).toEqual(['TypeError', 'TypeError']);
    await tab.close();
  }
  await page.close();
  folder.remove();
});
