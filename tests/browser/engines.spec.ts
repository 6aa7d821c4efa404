/** Which engines are fetched: one benchmark's first one before its numbers are shown, and the one with every question afterwards, once. */
import { gzipSync } from 'node:zlib';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { BrowserContext, Page } from '../../www/node_modules/@playwright/test';
import {
  DEMO,
  ROOT,
  TempFolder,
  chooseWayIn,
  closeAll,
  exported,
  exportedReport,
  numbers,
  openFolders,
  openPage,
  settled,
  writePack,
  writeSmallBenchmark,
  type Report,
} from './helpers';
import { holding } from './gates';
import { SUITES } from './suites';
import { expect, test } from './visits';
import { unzip, zipOf } from './zip';

const DEMOS = ['weave', 'multibanana', 'micon', 'vibe', 'multiref'];
/** What is waited for after a benchmark was opened. */
const WAITED_FOR_BYTES = 600_000;
/** All that a first visit may fetch before the scores are shown, but for the demo suite itself: the budget of the first load. */
function firstBytes(): number {
  const found = /name = "first load"\n(?:#.*\n)*gzip_bytes = ([\d_]+)/.exec(readFileSync(join(ROOT, 'wasm-pack.toml'), 'utf8'));
  const bytes = Number(found?.[1]?.replaceAll('_', ''));
  expect(bytes).toBeGreaterThan(0);
  return bytes;
}

/** The engines that the page asks for, in that order, without the hashes in their names. */
function engines(context: BrowserContext): {
  names: string[];
  files: string[];
} {
  const asked = { names: [] as string[], files: [] as string[] };
  context.on('request', (request) => {
    const file = basename(new URL(request.url()).pathname);
    const name = /^(juror_\w+)_bg-.*\.wasm$/.exec(file)?.[1];
    // Decoders come after the numbers.
    if (name === undefined || name === 'juror_pictures') return;
    asked.names.push(name);
    asked.files.push(file);
  });
  return asked;
}

/** Waits for the scores of a demo suite, under the address of its benchmark. */
async function shows(page: Page): Promise<void> {
  await expect(page.getByTestId('overview-table').locator('.mean').filter({ hasText: /\d/ }).first()).toBeVisible();
}

for (const id of DEMOS) {
  test(`${id}: its scores wait for its own first engine, and no other benchmark's is fetched`, async ({ context, page }) => {
    // What is fetched ahead comes once the scores were looked at.
    const release = await holding(context, /juror_web/);
    const asked = engines(context);
    await page.goto(`./#/?demo=${id}`);
    await shows(page);
    expect(asked.names[0]).toBe(`juror_${id}`);
    await expect.poll(() => asked.names).toEqual([`juror_${id}`, 'juror_recognise']);
    const waited = asked.files.slice(0, 1).map((file) => gzipSync(readFileSync(join(DEMO, '../../assets', file)), { level: 9 }).length);
    expect(waited.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(WAITED_FOR_BYTES);
    release();
    await expect.poll(() => asked.names).toEqual([`juror_${id}`, 'juror_recognise', 'juror_web']);
    // A question that the first engine does not answer.
    await page.goto(`./#/samples?demo=${id}`);
    await expect(page.getByTestId('sample-row').first()).toBeVisible();
    await settled(page, 'Demo suite');
    expect(asked.names).toHaveLength(3);
  });
}

/** What the budget of the first load leaves out, as it comes later. */
function comesLater(): (path: string) => boolean {
  const lines = readFileSync(join(ROOT, 'wasm-pack.toml'), 'utf8').matchAll(/\{ files = "([^"]+)", reason/g);
  const globs = [...lines].map(([, glob = '']) => new RegExp(`^/${glob.replaceAll('.', '\\.').replaceAll(/\*+/g, '.*')}$`));
  expect(globs.length).toBeGreaterThan(10);
  return (path) => globs.some((glob) => glob.test(path));
}

test('the first scores wait for no more than the first load may weigh', async ({ page }) => {
  const files: string[] = [];
  const isLater = comesLater();
  expect(isLater('/index.html')).toBe(false);
  page.on('request', (request) => files.push(decodeURIComponent(new URL(request.url()).pathname)));
  // Where the scores waited for any of it, they would not come.
  await page.route(
    ({ pathname }) => isLater(pathname),
    (route) => route.abort(),
  );
  await page.goto('./');
  await shows(page);
  const counted = [...new Set(files)].filter((path) => !path.startsWith('/demo/') && !isLater(path)).map((path) => path.slice(1) || 'index.html');
  expect(counted).toContainEqual(expect.stringMatching(/juror_weave_bg/));
  const sizes = counted.map((file) => gzipSync(readFileSync(join(DEMO, '../..', file)), { level: 9 }).length);
  expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(firstBytes());
});

test('who goes from one demo suite to another fetches the other benchmark’s first engine, and nothing once every question has come', async ({
  context,
  page,
}) => {
  const release = await holding(context, /juror_web/);
  const asked = engines(context);
  await page.goto('./');
  await shows(page);
  expect(asked.names).not.toContain('juror_vibe');
  await chooseWayIn(page, 'Demo: VIBE');
  await expect(page.getByTestId('benchmark')).toHaveText('VIBE');
  await shows(page);
  expect(asked.names).toContain('juror_vibe');
  release();
  // A question that the first engine does not answer.
  await page.getByRole('link', { name: 'Samples', exact: true }).click();
  await expect(page.getByTestId('sample-row').first()).toBeVisible();
  const before = asked.names.length;
  await chooseWayIn(page, 'Demo: MICON-Bench');
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await expect(page.getByTestId('benchmark')).toHaveText('MICON-Bench');
  await shows(page);
  expect(asked.names.slice(before)).toEqual([]);
});

test('a benchmark that is opened while the engine with every question is under way is shown by its own', async ({ context, page }) => {
  const release = await holding(context, /juror_web/);
  // The list is no question for a first engine.
  await page.goto('./#/samples?demo=vibe');
  await expect(page.locator('juror-app .sources')).toContainText('Demo suite');
  await page.waitForSelector('html[data-phase="done"]');
  await page.locator('juror-app .demos a').filter({ hasText: 'MICON-Bench' }).click();
  await expect(page.getByTestId('benchmark')).toHaveText('MICON-Bench');
  release();
  await shows(page);
  await page.getByRole('link', { name: 'Samples', exact: true }).click();
  await expect(page.getByTestId('sample-row').first()).toBeVisible();
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await expect(page.getByTestId('benchmark')).toHaveText('MICON-Bench');
});

/** Lets through the Wasm and scripts whose names fit, holds the others back until `released`; what they were, and how much of it. */
async function holdOthers(context: BrowserContext, fits: RegExp, released: Promise<void>): Promise<{ bytes(): number; names: Set<string> }> {
  const names = new Set<string>();
  await context.route(/\/assets\/[^/]+\.(wasm|js)$/, async (route) => {
    const file = basename(new URL(route.request().url()).pathname);
    if (fits.test(file)) names.add(file);
    else await released;
    await route.fallback();
  });
  const size = (file: string): number => gzipSync(readFileSync(join(DEMO, '../../assets', file)), { level: 9 }).length;
  return {
    names,
    bytes: () => [...names].reduce((sum, file) => sum + size(file), 0),
  };
}

/** A benchmark of each kind with results of two models, or of one. */
const OWN: Record<string, (folder: TempFolder) => { title: string; folders: string[] }> = {
  weave(folder) {
    writeSmallBenchmark(folder, 2);
    return { title: 'WEAVEBench', folders: ['bench', 'result'] };
  },
  ...Object.fromEntries(['multibanana', 'micon', 'vibe', 'multiref'].map((id) => [id, SUITES[id]!])),
};

for (const [id, write] of Object.entries(OWN)) {
  test(`${id}: the scores of a folder of one’s own wait for its own first engine, and are those of the engine with every benchmark`, async ({
    context,
    page,
  }) => {
    const folder = new TempFolder();
    const { title } = write(folder);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const asked = engines(context);
    const releaseWhole = await holding(context, /juror_web/);
    const other = id === 'micon' ? 'vibe' : 'micon';
    const recogniser = context.waitForEvent('requestfinished', (request) => /juror_recognise_bg/.test(request.url()));
    // Another benchmark's demo suite is open at first, so that nothing of this one is there yet.
    await page.goto(`./#/?demo=${other}`);
    await shows(page);
    // What tells benchmarks apart has come before anything is opened.
    await expect.poll(() => asked.names).toEqual([`juror_${other}`, 'juror_recognise']);
    await recogniser;
    // Whatever else the page gets ready meanwhile is not waited for: the scores come while it is held back.
    const waited = await holdOthers(context, new RegExp(`^juror_${id}(_bg)?-`), released);
    await page.getByTestId('input-folder').setInputFiles(folder.path);
    await expect(page.getByTestId('benchmark')).toHaveText(title);
    await expect(
      page
        .locator('juror-overview')
        .getByText(/\d\.\d\d/)
        .first(),
    ).toBeVisible();
    expect(asked.names).toEqual([`juror_${other}`, 'juror_recognise', `juror_${id}`]);
    expect(waited.names.size).toBe(2);
    expect(waited.bytes()).toBeLessThan(WAITED_FOR_BYTES);
    release();
    releaseWhole();
    await page.waitForSelector('html[data-phase="done"]');
    expect(asked.names.filter((name) => name === 'juror_web')).toHaveLength(1);
    const report = await exportedReport(page);
    expect(report.scores.some(({ mean }) => mean !== null)).toBe(true);

    await context.route(/juror_(?!web|pictures)/, (route) => route.abort());
    await page.reload();
    await page.waitForSelector('html[data-engine="ready"]');
    await openFolders(page, [folder.path]);
    expect(asked.names.at(-1)).toBe('juror_web');
    expect(await exportedReport(page)).toEqual(report);
    folder.remove();
  });
}

test('a ZIP of one’s own is listed and recognised before its engine is fetched, among leftovers of macOS', async ({ context, page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 2);
  const paths = readdirSync(folder.path, {
    recursive: true,
    withFileTypes: true,
  }).filter((entry) => entry.isFile());
  const entries = paths.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return {
      name: `My files/${relative(folder.path, path)}`,
      data: readFileSync(path),
    };
  });
  const leftovers = entries.map(({ name }) => ({
    name: `__MACOSX/${name.replace(/([^/]+)$/, '._$1')}`,
    data: Buffer.from([0, 5, 22, 7]),
  }));
  const release = await holding(context, /juror_web/);
  const asked = engines(context);
  await page.goto('./#/?demo=micon');
  await shows(page);
  await page.getByTestId('input-files').setInputFiles({
    name: 'own.zip',
    mimeType: 'application/zip',
    buffer: zipOf([...entries, ...leftovers]),
  });
  await expect(page.getByTestId('benchmark')).toHaveText('WEAVEBench');
  release();
  await settled(page, 'own.zip');
  await shows(page);
  expect(asked.names).toContain('juror_weave');
  folder.remove();
});

test('what tells benchmarks apart is fetched when the pointer comes near the way in, or the focus', async ({ context, page }) => {
  const asked = engines(context);
  // Nothing is opened by itself under this address.
  for (const comesNear of [
    () =>
      page
        .getByRole('button', { name: /Open folder/ })
        .first()
        .hover(),
    () =>
      page
        .getByRole('button', { name: /Open folder/ })
        .first()
        .focus(),
  ]) {
    await page.goto('about:blank');
    await page.goto('./#/?bench=micon');
    await page.waitForSelector('html[data-engine="ready"]');
    expect(asked.names.splice(0)).toEqual(['juror_weave']);
    await comesNear();
    await expect.poll(() => asked.names.splice(0)).toEqual(['juror_recognise']);
  }
});

/** Opens a pack where another benchmark's demo suite was; the engine with every question comes once it is let through. */
async function openPack(page: Page, context: BrowserContext, other: string, name: string, bytes: Buffer): Promise<{ asked: string[]; release: () => void }> {
  await page.goto('about:blank');
  const release = await holding(context, /juror_web/);
  await page.goto(`./#/?demo=${other}`);
  await shows(page);
  const asked = engines(context);
  await page.getByTestId('input-files').setInputFiles({ name, mimeType: 'application/zip', buffer: bytes });
  return { asked: asked.names, release };
}

/** A pack of a benchmark of one's own, and its report. */
async function packOf(page: Page, id: string, pictures: 'full' | 'thumbnails'): Promise<{ title: string; pack: Buffer; report: Report }> {
  const folder = new TempFolder();
  const { title } = OWN[id]!(folder);
  await page.goto('./#/?bench=none');
  await page.waitForSelector('html[data-engine="ready"]');
  await openFolders(page, [folder.path]);
  const [pack, report] = [await writePack(page, pictures), await exportedReport(page)];
  folder.remove();
  return { title, pack, report };
}

const banner = (page: Page) => page.getByTestId('pack-banner');

for (const id of ['weave', 'micon']) {
  const other = id === 'micon' ? 'vibe' : 'micon';

  test(`${id}: a pack is shown by its benchmark’s first engine and checked by the one with every question`, async ({ context, page }) => {
    const { title, pack, report } = await packOf(page, id, 'full');
    const { asked, release } = await openPack(page, context, other, 'evidence.zip', pack);
    await expect(page.getByTestId('benchmark')).toHaveText(title);
    await expect(
      page
        .locator('juror-overview')
        .getByText(/\d\.\d\d/)
        .first(),
    ).toBeVisible();
    expect(asked.filter((name) => name !== 'juror_recognise')).toEqual([`juror_${id}`]);
    release();
    await expect(banner(page)).toContainText('Reproduced.');
    await settled(page, 'evidence.zip');
    expect(numbers(await exportedReport(page))).toEqual(numbers(report));
    expect(asked).toContain('juror_web');
  });
}

test('a pack with less than its pictures waits for the engine with every question, and for no other one', async ({ context, page }) => {
  const { title, pack, report } = await packOf(page, 'micon', 'thumbnails');
  const { asked, release } = await openPack(page, context, 'vibe', 'small.zip', pack);
  release();
  await expect(page.getByTestId('benchmark')).toHaveText(title);
  await expect(banner(page)).toContainText('Reproduced.');
  expect(numbers(await exportedReport(page)).scores).toEqual(numbers(report).scores);
  expect(asked.filter((name) => name !== 'juror_recognise')).toEqual(['juror_web']);
});

test('a pack that states another benchmark than its files are of is checked by the engine with every benchmark, and found out', async ({ context, page }) => {
  const { pack } = await packOf(page, 'micon', 'full');
  const lying = zipOf(
    unzip(pack).map(({ name, data }) => ({
      name,
      data: name === 'manifest.json' ? Buffer.from(data).toString('utf8').replace('"protocol": "micon"', '"protocol": "vibe"') : data,
    })),
  );
  const { asked, release } = await openPack(page, context, 'vibe', 'lying.zip', lying);
  release();
  await expect(banner(page)).toContainText('Does not reproduce.');
  expect(asked).toContain('juror_web');
});

test('packs of two benchmarks, and a folder beside a pack, go on with the engine with every benchmark', async ({ context, page }) => {
  const first = await packOf(page, 'weave', 'thumbnails');
  await page.goto('about:blank');
  const second = await packOf(page, 'micon', 'full');
  const { release } = await openPack(page, context, 'vibe', 'first.zip', first.pack);
  release();
  await expect(banner(page)).toContainText('Reproduced.');
  const alone = await exportedReport(page);
  await page.getByTestId('input-files').setInputFiles({ name: 'second.zip', mimeType: 'application/zip', buffer: second.pack });
  await settled(page, 'second.zip');
  await expect(banner(page).filter({ hasText: 'Reproduced.' })).toHaveCount(2);
  // What the first manifest says beside its files still counts.
  await expect(page.getByTestId('benchmark')).toHaveText(first.title);
  expect((await exportedReport(page)).scores).toEqual(alone.scores);
});

test('a folder with two benchmarks is read by the engine with every benchmark', async ({ context, page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 2);
  SUITES.micon!(folder);
  const asked = engines(context);
  await page.goto('./#/?demo=vibe');
  await shows(page);
  await openFolders(page, [folder.path]);
  await expect(page.getByTestId('benchmark')).toHaveText('WEAVEBench');
  await page.getByTestId('other-benchmarks').click();
  await expect(page.locator('juror-files')).toContainText('MICON-Bench');
  expect(asked.names).toContain('juror_web');
  folder.remove();
});

test('results that are opened before their benchmark have the same numbers', async ({ page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 2);
  await openPage(page);
  await closeAll(page);
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
  const report = await exportedReport(page);
  await closeAll(page);
  await openFolders(page, [folder.at('result'), folder.at('bench')]);
  expect(numbers(await exportedReport(page))).toEqual(numbers(report));
  folder.remove();
});

test('a list that only has the name of a benchmark’s is handed to the engine with every benchmark', async ({ context, page }) => {
  const folder = new TempFolder();
  folder.write('own/test.json', '{"scripts": {}}');
  const asked = engines(context);
  await openPage(page);
  await closeAll(page);
  await openFolders(page, [folder.at('own')]);
  expect(asked.names).toContain('juror_web');
  folder.remove();
});

test('another benchmark that is opened later takes nothing from what was typed in', async ({ page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 3);
  await openPage(page);
  await closeAll(page);
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
  await page.goto('./#/samples');
  await page.getByTestId('sample-row').first().click();
  await page.getByTestId('open-request').first().click();
  await page.getByTestId('paste-text').fill('{"score": 3, "reasoning": "Typed in by hand."}');
  await page.getByTestId('paste-save').click();
  await expect(page.getByTestId('request-dialog')).toContainText('Saved');
  await page.keyboard.press('Escape');
  await page.goto('./#/');
  const [journal, report] = [await exported(page, 'export-journal'), await exportedReport(page)];
  expect(journal.toString('utf8')).toContain('Typed in by hand.');

  const other = new TempFolder();
  SUITES.micon!(other);
  await openFolders(page, [other.at('Evaluation')]);
  await expect(page.getByTestId('benchmark')).toHaveText('WEAVEBench');
  await page.getByTestId('other-benchmarks').click();
  await expect(page.locator('juror-files')).toContainText('MICON-Bench');
  expect((await exported(page, 'export-journal')).toString('utf8')).toBe(journal.toString('utf8'));
  expect(numbers(await exportedReport(page))).toEqual(numbers(report));
  folder.remove();
  other.remove();
});

test('where a benchmark’s own engine cannot be fetched, the one with every benchmark stands in', async ({ context, page }) => {
  await context.route('**/juror_vibe*', (route) => route.abort());
  const asked = engines(context);
  await page.goto('./#/?demo=vibe');
  await shows(page);
  expect(asked.names).toContain('juror_web');
});
