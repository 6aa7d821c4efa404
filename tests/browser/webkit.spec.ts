/** The page in WebKit: opened, listed, pasted into, kept, checked, embedded, and from disk; skipped in one printed line where it is not installed. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '../../www/node_modules/@playwright/test';
import { DEMO, ROOT, TempFolder, juror, overallTotal, writeSmallBenchmark, writeUnjudged, type Report } from './helpers';
import { serveFiles, servePage } from './pages';
import { WebKit } from './webkit';
import { zipOf } from './zip';

const SINGLE = process.env.JUROR_SINGLE ?? join(ROOT, 'www/dist-single/juror.html');

let webkit: WebKit | null = null;

test.describe.configure({ timeout: 180_000 });
test.beforeAll(async () => {
  webkit = await WebKit.launch();
});
test.afterAll(async () => webkit?.close());

/** The browser at an address whose engine runs and has read what it shows first. */
async function open(address: string, source: string): Promise<WebKit> {
  test.skip(webkit === null, 'WebKitGTK is not installed');
  const browser = webkit as WebKit;
  await browser.goto('about:blank');
  await browser.goto(address);
  await within('.sources', source);
  await ready();
  return browser;
}

const ready = () => expect.poll(() => (webkit as WebKit).evaluate('return document.documentElement.dataset.phase;'), { timeout: 90_000 }).toBe('done');
const within = (selector: string, words: string) => expect.poll(() => (webkit as WebKit).text(selector), { timeout: 90_000 }).toContain(words);
const go = (hash: string) => (webkit as WebKit).evaluate('location.hash = arguments[0];', hash);

/** Files as the browser is handed them: WebKit's inputs take no folders. */
function zipped(folder: TempFolder, name: string, paths: string[]): string {
  return folder.write(name, zipOf(paths.map((path) => ({ name: path, data: readFileSync(folder.at(path)) }))));
}

test('WebKit opens the app, lists its samples and shows one with its pictures', async ({ baseURL }) => {
  const browser = await open(`${baseURL}`, 'Demo suite');
  expect(await browser.count('[data-testid="overview-table"] tbody tr')).toBeGreaterThan(2);
  await go('#/samples');
  await expect.poll(() => browser.count('[data-testid="sample-row"]'), { timeout: 60_000 }).toBeGreaterThan(2);
  await go('#/compare');
  await within('h1', 'Compare');
  await go('#/sample/0');
  await expect.poll(() => browser.evaluate('return deep("img").some((image) => image.naturalWidth > 0);'), { timeout: 60_000 }).toBe(true);
});

test('WebKit keeps a pasted reply, and after a reload it is there and can be exported', async ({ baseURL }) => {
  const folder = new TempFolder();
  writeUnjudged(folder, 1);
  const files = ['bench/test/test.json', 'bench/test/imgs/d0_1.png', 'bench/test/imgs/d0_2.png', 'result/m/imgs/d0_2.png', 'result/m/imgs/d0_1_1.txt', 'result/m/metrics.jsonl'];
  const zip = zipped(folder, 'unjudged.zip', files);
  const browser = await open(`${baseURL}`, 'Demo suite');
  const read = async (): Promise<void> => {
    await browser.choose('[data-testid="input-files"]', zip);
    await within('.sources', 'unjudged.zip');
    await ready();
  };
  await read();
  await go('#/sample/0');
  await expect.poll(() => browser.click('[data-testid="open-request"]'), { timeout: 60_000 }).toBe(true);
  await expect.poll(() => browser.count('[data-testid="paste-text"]')).toBeGreaterThan(0);
  await browser.fill('[data-testid="paste-text"]', '{"score": 7, "reasoning": "Nearly."}');
  await expect.poll(async () => {
    await browser.click('[data-testid="paste-save"]');
    return browser.text('[data-testid="paste-status"]');
  }, { timeout: 60_000 }).toContain('It is in this browser’s storage');
  await open(`${baseURL}`, 'Demo suite');
  expect(await browser.count('[data-testid="export-journal"]')).toBe(0);
  await read();
  await expect.poll(() => browser.count('[data-testid="export-journal"]'), { timeout: 60_000 }).toBe(1);
  folder.remove();
});

test('WebKit opens an evidence pack and reproduces it', async ({ baseURL }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 4);
  juror(['pack', folder.at('bench'), folder.at('result'), '--out', folder.at('evidence.zip')]);
  const browser = await open(`${baseURL}`, 'Demo suite');
  await browser.choose('[data-testid="input-files"]', folder.at('evidence.zip'));
  await within('[data-testid="pack-banner"]', 'Reproduced');
  folder.remove();
});

test('WebKit shows a pack in a viewer on another page, from servers of their own', async () => {
  test.skip(webkit === null, 'WebKitGTK is not installed');
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 4);
  juror(['pack', folder.at('bench'), folder.at('result'), '--out', folder.at('pack.zip')]);
  const scripts = await serveFiles({ 'juror-viewer.js': readFileSync(join(dirname(dirname(DEMO)), 'embed/juror-viewer.js')) }, { ranges: false });
  const packs = await serveFiles({ 'pack.zip': readFileSync(folder.at('pack.zip')) }, { ranges: true });
  const host = await servePage(`<!doctype html><title>A project page</title><juror-viewer src="${packs.address}/pack.zip"></juror-viewer><script src="${scripts.address}/juror-viewer.js"></script>`, '');
  await (webkit as WebKit).goto(host.address);
  await within('.status', 'Reproduced');
  const report = JSON.parse(juror(['score', folder.at('bench'), folder.at('result')]).toString('utf8')) as Report;
  await within('[data-testid="overview-table"]', overallTotal(report, report.provenance.models[0]?.name ?? ''));
  await Promise.all([host, packs, scripts].map((server) => server.stop()));
  folder.remove();
});

test('WebKit opens the single file and a report from disk, where its workers read no files', async () => {
  expect(existsSync(SINGLE), SINGLE).toBe(true);
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 4);
  const browser = await open(pathToFileURL(SINGLE).href, 'Demo suite');
  juror(['pack', folder.at('bench'), folder.at('result'), '--out', folder.at('evidence.zip')]);
  await browser.choose('[data-testid="input-files"]', folder.at('evidence.zip'));
  await within('[data-testid="pack-banner"]', 'Reproduced');
  juror(['score', folder.at('bench'), folder.at('result'), '--format', 'html', '--app', SINGLE, '--out', folder.at('report.html')]);
  await open(pathToFileURL(folder.at('report.html')).href, 'The report in this file');
  await within('[data-testid="pack-banner"]', 'Reproduced');
  folder.remove();
});
