/** Every way in gives the same numbers, and what a ZIP or a server does wrong is told in words. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Page } from '../../www/node_modules/@playwright/test';
import {
  chooseWayIn,
  closeAll,
  coverage,
  DEMO,
  exported,
  exportedReport,
  juror,
  jurorScore,
  numbers,
  openFolders,
  openPage,
  overallTotal,
  settled,
  showBelow,
  shown,
  shownMean,
  TempFolder,
  writeSmallBenchmark,
} from './helpers';
import { serve } from './https';
import { expect, test } from './visits';
import { zipOf, type Entry } from './zip';

const BENCHMARK = join(DEMO, 'WEAVEBench');
const RESULT = join(DEMO, 'result');

/** All files below a folder, named from the folder's own name on. */
function entriesOf(folder: string): Entry[] {
  const above = join(folder, '..');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return names.filter((path) => statSync(path).isFile()).map((path) => ({ name: relative(above, path).split(sep).join('/'), data: readFileSync(path) }));
}

async function openZip(page: Page, name: string, bytes: Buffer): Promise<void> {
  await page.getByTestId('input-files').setInputFiles({ name, mimeType: 'application/zip', buffer: bytes });
}

const problem = (page: Page, text: string | RegExp) => page.getByTestId('problem').filter({ hasText: text });

test.describe('order', () => {
  test('benchmark and results give the same report in either order and from one folder', async ({ page }) => {
    await openPage(page);
    const reports: string[] = [];
    for (const folders of [
      [BENCHMARK, RESULT],
      [RESULT, BENCHMARK],
      [DEMO],
      [join(RESULT, 'cinder-synth'), BENCHMARK, join(RESULT, 'aurora-synth'), join(RESULT, 'basalt-synth')],
    ]) {
      await closeAll(page);
      await openFolders(page, folders);
      const report = await exportedReport(page);
      expect(numbers(report), folders.join(' + ')).toEqual(numbers(jurorScore(folders)));
      reports.push(JSON.stringify([report.scores, report.samples]));
    }
    expect(new Set(reports).size).toBe(1);
  });

  test('results without a benchmark are shown as far as replies go, and whole once the benchmark comes', async ({ page }) => {
    await openPage(page);
    await closeAll(page);
    await openFolders(page, [RESULT]);
    await expect(page.locator('juror-models')).toContainText('aurora-synth');
    const alone = await exportedReport(page);
    await openFolders(page, [BENCHMARK]);
    const both = await exportedReport(page);
    expect(numbers(both)).toEqual(numbers(jurorScore([RESULT, BENCHMARK])));
    expect(both.samples).not.toEqual(alone.samples);
  });
});

test.describe('start', () => {
  test('a folder given before the engine is ready is opened once it is, and the demo suite is not', async ({ page }) => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let asked = 0;
    await page.route('**/*.wasm', async (route) => {
      asked += 1;
      await held;
      await route.continue();
    });
    await page.goto('./');
    await page.getByTestId('input-folder').setInputFiles(BENCHMARK);
    await expect(page.locator('juror-progress')).toContainText('Opening WEAVEBench');
    await page.getByTestId('input-folder').setInputFiles(RESULT);
    await expect.poll(() => asked).toBeGreaterThan(0);
    expect(await page.locator('html').getAttribute('data-engine')).toBe('loading');
    release();
    await settled(page, 'result');
    await expect(page.locator('juror-app .sources')).not.toContainText('Demo suite');
    expect(numbers(await exportedReport(page))).toEqual(numbers(jurorScore([BENCHMARK, RESULT])));
  });

  test('a ZIP given in the moment in which one demo suite closes for another is opened alone', async ({ page }) => {
    await openPage(page);
    const bytes = zipOf(entriesOf(DEMO)).toString('base64');
    await page.getByTestId('input-files').evaluate((input: HTMLInputElement, base64) => {
      const files = new DataTransfer();
      files.items.add(new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], 'own.zip', { type: 'application/zip' }));
      // The page hears of the address first.
      addEventListener('hashchange', () => {
        input.files = files.files;
        input.dispatchEvent(new Event('change'));
      });
      location.hash = '#/?demo=vibe';
    }, bytes);
    await settled(page, 'own.zip');
    await expect(page.locator('juror-app .sources')).not.toContainText('Demo suite');
    expect(numbers(await exportedReport(page))).toEqual(numbers(jurorScore([DEMO])));
  });
});

test.describe('ZIP', () => {
  test('a ZIP gives the same bytes as the folder it was made of', async ({ page }) => {
    await openPage(page);
    await closeAll(page);
    await openZip(page, 'all.zip', zipOf(entriesOf(DEMO)));
    await settled(page, 'all.zip');
    await expect(shownMean(page, 'aurora-synth')).toHaveText(overallTotal(jurorScore([DEMO]), 'aurora-synth'));
    expect((await exported(page, 'export-json')).toString('utf8')).toBe(juror(['score', DEMO]).toString('utf8'));
    await page.goto('./#/samples');
    const picture = page.getByTestId('sample-row').first().locator('juror-picture img').first();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  });

  test('two ZIPs together are two sources', async ({ page }) => {
    await openPage(page);
    await page
      .getByTestId('input-files')
      .setInputFiles([RESULT, BENCHMARK].map((folder, at) => ({ name: `${at}.zip`, mimeType: 'application/zip', buffer: zipOf(entriesOf(folder)) })));
    await settled(page, '1.zip');
    expect(numbers(await exportedReport(page))).toEqual(numbers(jurorScore([RESULT, BENCHMARK])));
  });

  test('names that leave the folder are listed, and the rest loads', async ({ page }) => {
    await openPage(page);
    const evil = ['../evil.txt', 'bench/../../evil.txt', '/etc/evil.txt', 'C:\\evil.txt', '..\\evil.txt'].map((name) => ({ name, data: 'x' }));
    await openZip(page, 'evil.zip', zipOf([...entriesOf(DEMO), ...evil]));
    await settled(page, 'evil.zip');
    await showBelow(page, 'files');
    for (const { name } of evil) await expect(problem(page, name).first()).toBeVisible();
    await expect(problem(page, 'evil')).toHaveCount(evil.length);
    for (const model of ['aurora-synth', 'basalt-synth']) await expect(shownMean(page, model)).toHaveText(overallTotal(jurorScore([DEMO]), model));
  });

  test('a bomb is refused by its ratio, and a file that inflates to more than it declares by its bytes', async ({ page }) => {
    await openPage(page);
    const folder = new TempFolder();
    writeSmallBenchmark(folder, 3);
    const entries = [folder.at('bench'), folder.at('result')].flatMap(entriesOf);
    const zeros = Buffer.alloc(64 * 2 ** 20);
    await openZip(
      page,
      'bomb.zip',
      zipOf([...entries, { name: 'result/bomb/metrics.jsonl', data: zeros }, { name: 'result/liar/metrics.jsonl', data: zeros, declares: 1000 }]),
    );
    await settled(page, 'bomb.zip');
    await showBelow(page, 'files');
    await expect(problem(page, 'result/bomb/metrics.jsonl').first()).toContainText(/1000 times/);
    await expect(problem(page, 'result/liar/metrics.jsonl').first()).toContainText(/declares|does not match|invalid/i);
    const report = jurorScore([folder.at('bench'), folder.at('result')]);
    await expect(shownMean(page, 'm')).toHaveText(overallTotal(report, 'm'));
    expect(overallTotal(report, 'm')).toMatch(/^0\.\d{3}$/);
    folder.remove();
  });

  test('a file that is no ZIP is refused with its name, and what was open stays', async ({ page }) => {
    const broken = (): Promise<void> => openZip(page, 'broken.zip', Buffer.from('This is a text, not an archive.'));
    const refused = page.getByRole('alert').filter({ hasText: 'broken.zip' });
    await openPage(page, '#/?demo=vibe');
    await shown(page);
    const heading = page.getByTestId('benchmark');
    await expect(heading).toHaveText('VIBE');
    await broken();
    await expect(refused).toContainText('This is no ZIP file, or its end is cut off.');
    await expect(heading).toHaveText('VIBE');
    await expect(page.getByTestId('overview-table')).toBeVisible();
    await expect(page).toHaveURL(/demo=vibe/);
    // The same of one's own files.
    const folder = new TempFolder();
    writeSmallBenchmark(folder, 2);
    await openFolders(page, [folder.at('bench'), folder.at('result')]);
    await settled(page, 'bench');
    await expect(coverage(page, 'm')).toHaveText('4/4');
    await refused.getByRole('button').click();
    await broken();
    await expect(refused).toBeVisible();
    await expect(coverage(page, 'm')).toHaveText('4/4');
    folder.remove();
  });
});

test.describe('address', () => {
  async function openAddress(page: Page, address: string): Promise<void> {
    await chooseWayIn(page, 'ZIP from an address…');
    await page.getByLabel('Address of the ZIP file').fill(address);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
  }

  test('a ZIP is fetched where its server allows it; what else comes is told', async ({ page }) => {
    const bytes = zipOf(entriesOf(DEMO));
    const server = await serve((request, response) => {
      if (request.url !== '/closed.zip') response.setHeader('access-control-allow-origin', '*');
      if (request.url === '/page.zip') {
        response.setHeader('content-type', 'text/html; charset=utf-8').end('<!doctype html><title>Sign in</title>');
      } else if (request.url?.endsWith('.zip') === true && request.url !== '/gone.zip') {
        response.setHeader('content-type', 'application/zip').end(bytes);
      } else {
        response.writeHead(404).end();
      }
    });
    try {
      await openPage(page);
      const alert = (address: string) => page.getByRole('alert').filter({ hasText: address });
      for (const [path, words] of [
        ['/closed.zip', /CORS/],
        ['/gone.zip', /404/],
        ['/page.zip', /web page, not a ZIP/],
      ] as const) {
        await openAddress(page, server.address + path);
        await expect(alert(path)).toContainText(words);
        // None of them may leave the page busy, or with a source that is not there.
        await expect(page.getByTestId('progress')).toBeHidden();
      }
      await openAddress(page, `${server.address}/some/all.zip`);
      await settled(page, 'all.zip');
      const report = jurorScore([DEMO]);
      for (const model of ['aurora-synth', 'basalt-synth']) await expect(shownMean(page, model)).toHaveText(overallTotal(report, model));
      expect(numbers(await exportedReport(page))).toEqual(numbers(report));
    } finally {
      await server.stop();
    }
  });
});

test.describe('drop', () => {
  test('a folder with more than 100 files in one folder is taken whole', async ({ page }) => {
    const folder = new TempFolder();
    writeSmallBenchmark(folder, 130);
    await openPage(page);
    await drop(page, [folder.at('bench'), folder.at('result')]);
    await settled(page, 'bench');
    await expect(coverage(page, 'm')).toHaveText('260/260');
    await expect(page.locator('juror-overview .facts')).toContainText('260 pictures');
    await expect(page.locator('juror-overview .facts')).not.toContainText('missing');
    expect(numbers(await exportedReport(page))).toEqual(numbers(jurorScore([folder.at('bench'), folder.at('result')])));
    folder.remove();
  });

  /** Drops files and folders of this machine in the middle of the window, as the system would. */
  async function drop(page: Page, files: string[]): Promise<void> {
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files, dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
    }
    await session.detach();
  }
});

test.describe('directory picker', () => {
  /** Stands in for the browser's picker, which no script can press: the files of a folder; one folder in it can be held back after its first file, and one cannot be opened. */
  async function givePicker(page: Page, entries: Entry[], heldFolder = '', closedFolder = ''): Promise<void> {
    const files = entries.map(({ name, data }) => [name, Buffer.from(data).toString('base64')] as const);
    await page.evaluate(
      ([given, held, closed]) => {
        type Node = { [name: string]: Node | string };
        const root: Node = {};
        for (const [path, base64] of given) {
          const parts = path.split('/');
          const last = parts.pop() ?? '';
          let at = root;
          for (const part of parts) at = (at[part] ??= {}) as Node;
          at[last] = base64;
        }
        let letOn = (): void => undefined;
        const released = new Promise<void>((resolve) => (letOn = resolve));
        const folder = (path: string, node: Node): object => ({
          kind: 'directory',
          name: path.slice(path.lastIndexOf('/') + 1),
          async *entries() {
            if (path === closed) throw new DOMException('It is not here.', 'NotFoundError');
            for (const [at, [key, value]] of Object.entries(node).entries()) {
              // What was found is told when the last telling is 50 ms ago.
              if (path === held) await (at === 0 ? new Promise((resolve) => setTimeout(resolve, 60)) : released);
              const bytes = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
              yield [
                key,
                typeof value === 'string'
                  ? { kind: 'file', name: key, getFile: () => Promise.resolve(new File([bytes(value)], key)) }
                  : folder(`${path}/${key}`, value),
              ];
            }
          },
        });
        const [[top, node]] = Object.entries(root) as [[string, Node]];
        Object.assign(window, { letOn, showDirectoryPicker: () => Promise.resolve(folder(top, node)) });
      },
      [files, heldFolder, closedFolder] as const,
    );
  }

  test('a picked folder gives the same bytes as on the command line', async ({ page }) => {
    await openPage(page);
    await givePicker(page, entriesOf(DEMO));
    await page.getByRole('button', { name: 'Open folder…' }).click();
    await settled(page, 'weave');
    expect((await exported(page, 'export-json')).toString('utf8')).toBe(juror(['score', DEMO]).toString('utf8'));
  });

  test('a folder that cannot be opened is named, and what belongs in it is not missing', async ({ page }) => {
    const folder = new TempFolder();
    writeSmallBenchmark(folder, 6);
    const [bench, result] = [folder.at('bench'), folder.at('result')];
    const entries = [bench, result].flatMap(entriesOf).map(({ name, data }) => ({ name: `both/${name}`, data }));
    await openPage(page);
    await givePicker(page, entries, '', 'both/result/m/imgs');
    await page.getByRole('button', { name: 'Open folder…' }).click();
    await settled(page, 'both');
    await expect(page.getByTestId('unread')).toContainText('1 folder could not be read');
    expect(JSON.stringify(await exportedReport(page))).not.toContain('missing_output');
    folder.remove();
  });

  test('the first rows show while a large folder is still being listed, and the end is the same', async ({ page }) => {
    const folder = new TempFolder();
    writeSmallBenchmark(folder, 60);
    const [bench, result] = [folder.at('bench'), folder.at('result')];
    const entries = [bench, result].flatMap(entriesOf).map(({ name, data }) => ({ name: `both/${name}`, data }));
    await openPage(page, '#/samples');
    await givePicker(page, entries, 'both/result/m/imgs');
    await page.getByRole('button', { name: 'Open folder…' }).click();
    await expect(page.getByTestId('progress')).toContainText(/Listing both, numbers are not final: [\d,]+ files?/);
    await expect(page.getByTestId('sample-row').first()).toContainText('Paint Image #1');
    await expect(page.locator('html')).not.toHaveAttribute('data-phase', 'done');
    await page.evaluate(() => (window as unknown as { letOn(): void }).letOn());
    await settled(page, 'both');
    expect(numbers(await exportedReport(page))).toEqual(numbers(jurorScore([bench, result])));
    folder.remove();
  });
});
