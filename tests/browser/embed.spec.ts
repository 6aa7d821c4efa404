/** `<juror-viewer>` on somebody else's page: what it asks for, what it shows under which policy, and that both keep their looks. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from '../../www/node_modules/@playwright/test';
import { SCHEMES, axe } from './axe';
import { holding, still } from './gates';
import { DEMO, ROOT, TempFolder, juror, openPage, png, storedTexts, isOfReplies } from './helpers';
import { serveFiles, servePage, type Giving, type Server } from './pages';
import { expect, test } from './visits';
import { unzip, zipOf, type Entry } from './zip';

const SCRIPTS = join(dirname(dirname(DEMO)), 'embed');
const FOLDERS = [join(DEMO, 'WEAVEBench'), join(DEMO, 'result')];
/** What an author writes into the page for readers without scripts and for print. */
const WRITTEN = '<table id="written"><caption>Scores</caption><tr><th>Model</th><th>Total</th></tr><tr><td>Aurora</td><td>0.7</td></tr></table>';

const folder = new TempFolder();
let small: Buffer;
let full: Buffer;
let scripts: Server;
const running: Server[] = [];

/** The pack of the demo suite. */
function packed(pictures: 'none' | 'full'): Buffer {
  const path = join(folder.path, `${pictures}.zip`);
  juror(['pack', ...FOLDERS, '--out', path, '--images', pictures]);
  return readFileSync(path);
}

const script = (name: string): Buffer => readFileSync(join(SCRIPTS, name));

test.beforeAll(async () => {
  if (!existsSync(join(SCRIPTS, 'juror-viewer.js'))) throw new Error(`${SCRIPTS} is missing: cargo xtask build writes it.`);
  [small, full] = [packed('none'), packed('full')];
  scripts = await serveFiles(
    {
      'juror-viewer.js': script('juror-viewer.js'),
      'juror-viewer.light.js': script('juror-viewer.light.js'),
      'juror-viewer.wasm': script('juror-viewer.wasm'),
      'juror-compare.js': script('juror-compare.js'),
    },
    { ranges: false },
  );
});

test.afterEach(() => Promise.all(running.splice(0).map((server) => server.stop())));

test.afterAll(async () => {
  await scripts.stop();
  folder.remove();
});

/** A server of packs, stopped after the test. */
async function packs(files: Record<string, Buffer>, giving: Giving = { ranges: true }): Promise<Server> {
  const server = await serveFiles(files, giving);
  running.push(server);
  return server;
}

interface Hosted {
  head?: string;
  body: string;
  policy?: string;
  script?: string;
}

/** Opens a page of an origin of its own, with the script at its end; gives the policy's violations and whatever leaves the page, growing. */
async function open(
  page: Page,
  { head = '', body, policy = '', script: name = 'juror-viewer.js' }: Hosted,
): Promise<{ violations: string[]; asked: string[] }> {
  const [violations, asked]: string[][] = [[], []];
  await page.exposeFunction('tellViolation', (directive: string) => void violations?.push(directive));
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', (event) =>
      (window as unknown as { tellViolation(directive: string): void }).tellViolation(event.effectiveDirective),
    ),
  );
  page.on('request', (request) => void (/^(blob|data):/.test(request.url()) ? undefined : asked?.push(request.url())));
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A project page</title><link rel="icon" href="data:,">${head}</head><body>${body}<script src="${scripts.address}/${name}"></script></body></html>`;
  const host = await servePage(html, policy);
  running.push(host);
  await page.goto(host.address);
  return { violations: violations ?? [], asked: asked ?? [] };
}

const main = (viewers: string): string => `<main><h1>A project</h1>${viewers}</main>`;
const element = (src: string, attributes = '', inside = WRITTEN): string => `<juror-viewer src="${src}" ${attributes}>${inside}</juror-viewer>`;
const table = (scope: Page | Locator): Locator => scope.getByTestId('overview-table');
const status = (scope: Page | Locator): Locator => scope.locator('.status');
const means = (scope: Page | Locator): Locator => table(scope).locator('.mean');

/** The pack's own overall totals by model, as three decimals. */
function reported(pack: Buffer): Map<string, string> {
  const entry = unzip(pack).find(({ name }) => name === 'report.json');
  const report = JSON.parse(Buffer.from(entry?.data ?? '').toString('utf8')) as {
    scores: { model: string; scope: string; criterion: string; mean: number | null }[];
  };
  const totals = report.scores.filter(({ scope, criterion }) => scope === 'overall' && criterion === 'total');
  return new Map(totals.map(({ model, mean }) => [model, mean === null ? '–' : mean.toFixed(3)]));
}

/** The table on the screen has the numbers of the pack's report. */
async function expectReported(scope: Page | Locator, pack: Buffer): Promise<void> {
  for (const [model, total] of reported(pack)) {
    const row = table(scope)
      .locator('tbody tr')
      .filter({ has: scope.locator('.name', { hasText: new RegExp(`^${model}$`) }) });
    await expect(row.locator('td:not(.coverage)').first().locator('.mean')).toHaveText(total);
  }
}

test.describe('under a policy', () => {
  const allowed = (pack: string) => ({
    script: `script-src ${scripts.address} 'wasm-unsafe-eval'`,
    connect: `connect-src ${pack}`,
    worker: 'worker-src blob:',
    images: 'img-src blob:',
  });

  test('none: the table stands, and the pack is recomputed in a worker', async ({ page }) => {
    const server = await packs({ 'pack.zip': small });
    const { violations, asked } = await open(page, { body: main(element(`${server.address}/pack.zip`)) });
    await expect(status(page)).toContainText('Reproduced.');
    await expectReported(page, small);
    expect(violations).toEqual([]);
    // The page itself, the script, and of the pack whatever is read.
    expect(new Set(asked.slice(1))).toEqual(new Set([`${scripts.address}/juror-viewer.js`, `${server.address}/pack.zip`]));
    await expect.poll(() => page.workers().length).toBe(1);
    expect((await storedTexts(page)).slice(0, 2)).toEqual(['{}', '{}']);
    expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
  });

  test('strict with what the manual lists: nothing is refused', async ({ page }) => {
    const server = await packs({ 'pack.zip': full });
    const { script, connect, worker, images } = allowed(server.address);
    const { violations } = await open(page, {
      body: main(element(`${server.address}/pack.zip`)),
      policy: ["default-src 'none'", script, connect, worker, `${images} data:`].join('; '),
    });
    await expect(status(page)).toContainText('Reproduced.');
    await openFirstSample(page);
    await expectPicture(page);
    await expect.poll(() => page.workers().length).toBe(1);
    expect(violations).toEqual([]);
  });

  test('without worker-src: the page’s own thread stands in', async ({ page }) => {
    const server = await packs({ 'pack.zip': small });
    const { script, connect } = allowed(server.address);
    const { violations } = await open(page, {
      body: main(element(`${server.address}/pack.zip`)),
      policy: ["default-src 'none'", script, connect, 'img-src blob: data:'].join('; '),
    });
    await expect(status(page)).toContainText('Reproduced.');
    await expectReported(page, small);
    await expect.poll(() => violations).toEqual(['worker-src']);
    expect(page.workers().length).toBe(0);
  });

  test('without wasm-unsafe-eval: the table, and in plain words why nothing is recomputed', async ({ page }) => {
    const server = await packs({ 'pack.zip': small });
    const { connect, worker } = allowed(server.address);
    const { violations } = await open(page, {
      body: main(element(`${server.address}/pack.zip`)),
      policy: ["default-src 'none'", `script-src ${scripts.address}`, connect, worker, 'img-src blob: data:'].join('; '),
    });
    await expect(status(page)).toContainText('As reported, not recomputed.');
    await expect(status(page)).toContainText('This page does not let Wasm run');
    await expect(status(page)).toContainText('wasm-unsafe-eval');
    await expectReported(page, small);
    await table(page).locator('td button').first().click();
    await expect(page.locator('juror-viewer-samples')).toContainText('This page does not let Wasm run');
    await expect(page.locator('juror-viewer-samples')).toContainText('Formula');
    expect(violations.every((directive) => directive === 'script-src')).toBe(true);
  });

  test('with connections to the pack’s host alone: that is enough', async ({ page }) => {
    const server = await packs({ 'pack.zip': small });
    const { violations } = await open(page, { body: main(element(`${server.address}/pack.zip`)), policy: `connect-src ${server.address}` });
    await expect(status(page)).toContainText('Reproduced.');
    await expectReported(page, small);
    expect(violations).toEqual([]);
  });

  test('that forbids the pack’s host: what the author wrote stays, and the reason is said', async ({ page }) => {
    const server = await packs({ 'pack.zip': small });
    const { violations } = await open(page, { body: main(element(`${server.address}/pack.zip`)), policy: `connect-src 'none'` });
    await expect(page.getByRole('alert')).toContainText('connect-src');
    await expect(page.locator('#written')).toBeVisible();
    await expect.poll(() => violations).toContain('connect-src');
  });
});

async function openFirstSample(page: Page): Promise<void> {
  await table(page).locator('td button').first().click();
  await page.locator('.unit').first().click();
  await page.locator('juror-turn').first().waitFor();
}

async function expectPicture(page: Page): Promise<void> {
  const picture = page.locator('juror-viewer-samples juror-picture img').first();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
}

test('what the author wrote stays until the pack’s own table is there', async ({ page }) => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const server = await packs({ 'pack.zip': full }, { ranges: false, holdAt: 100_000, release: released });
  await open(page, { body: main(element(`${server.address}/pack.zip`)) });
  await expect(page.locator('juror-viewer').getByRole('status')).toContainText('This server gives no parts of files');
  await expect(page.locator('#written')).toBeVisible();
  await expect(table(page)).toHaveCount(0);
  release();
  await expectReported(page, full);
  await expect(page.locator('#written')).toBeHidden();
  await expect(status(page)).toContainText('Reproduced.');
  expect(server.asked).toEqual(['GET /pack.zip bytes=0-0']);
});

test('a server that lets pages of other origins ask for the whole alone gives the whole', async ({ page }) => {
  const server = await packs({ 'pack.zip': small }, { ranges: true, refuses: true });
  await open(page, { body: main(element(`${server.address}/pack.zip`)) });
  await expect(status(page)).toContainText('Reproduced.');
  await expectReported(page, small);
  expect(server.asked).toEqual(['GET /pack.zip bytes=0-0', 'GET /pack.zip']);
});

test('the first table of a pack of 200 MB comes with less than 1 MB, whether or not the server tells its size across origins', async ({ page }) => {
  const noise = randomBytes(40_000);
  // Names as long as real ones: the directory alone is half a megabyte.
  const pictures = Array.from({ length: 5_000 }, (_, at): Entry => ({
    name: `bench/a-folder-with-a-name/pictures-of-a-set/${String(at).padStart(6, '0')}_generated.png`,
    data: noise,
    stored: true,
  }));
  const pack = zipOf([...pictures, ...unzip(small)]);
  expect(pack.length).toBeGreaterThan(200_000_000);
  for (const exposes of [true, false]) {
    const server = await packs({ 'pack.zip': pack }, { ranges: true, exposes });
    const fresh = await page.context().newPage();
    await open(fresh, { body: main(element(`${server.address}/pack.zip`)) });
    await expectReported(fresh, small);
    expect(server.sent()).toBeLessThan(1_000_000);
    expect(server.sent()).toBeGreaterThan(10_000);
    expect(server.asked.some((line) => line.startsWith('HEAD'))).toBe(!exposes);
    // So large a pack is recomputed only when somebody says so.
    await expect(status(fresh)).toContainText('As reported, not recomputed.');
    await expect(fresh.getByTestId('viewer-verify')).toContainText(/downloads 20\d/);
    await fresh.close();
  }
});

test('incidents stand in the table once the replies were read, as many as in the page', async ({ page, context }) => {
  const app = await context.newPage();
  await openPage(app);
  const counts = (scope: Page): Promise<string[]> => table(scope).locator('tbody .count').allInnerTexts();
  await expect.poll(() => table(app).locator('tbody .incidents').count()).toBeGreaterThan(0);
  const server = await packs({ 'pack.zip': small });
  await open(page, { body: main(element(`${server.address}/pack.zip`, 'verify="ask"')) });
  await expectReported(page, small);
  await expect(table(page).locator('.incidents')).toHaveCount(0);
  expect(await counts(page)).not.toEqual(await counts(app));
  await table(page).locator('td button').first().click();
  await expect(page.locator('.unit').first()).toBeVisible();
  await expect(async () => expect(await counts(page)).toEqual(await counts(app))).toPass({ timeout: 30_000 });
});

test('samples are read in parts: texts together, pictures when they are shown', async ({ page }) => {
  const server = await packs({ 'pack.zip': full });
  await open(page, { body: main(element(`${server.address}/pack.zip`, 'verify="ask"')) });
  await expectReported(page, full);
  const before = server.asked.length;
  await table(page).locator('td button').first().click();
  await expect(page.locator('.unit').first()).toBeVisible();
  const forTexts = server.asked.length - before;
  expect(forTexts).toBeLessThan(10);
  // Pictures lie in front of everything else, and none of them was touched.
  const names = unzip(full).map(({ name }) => name);
  const firstText = names.findIndex((name) => !name.endsWith('.png'));
  expect(firstText).toBeGreaterThan(50);
  expect(names.slice(firstText).filter((name) => name.endsWith('.png'))).toEqual([]);
  // The end of the file is read first, whatever lies there.
  const behind = Math.min(full.indexOf(names[firstText] ?? '') - 30, full.length - 96 * 1024);
  const starts = (): number[] => server.asked.flatMap((line) => (line.endsWith('bytes=0-0') ? [] : (/bytes=(\d+)-/.exec(line)?.slice(1).map(Number) ?? [])));
  expect(starts().filter((at) => at < behind)).toEqual([]);
  const sent = server.sent();
  await page.locator('.unit').first().click();
  await expectPicture(page);
  expect(server.sent()).toBeGreaterThan(sent);
  expect(starts().some((at) => at < behind)).toBe(true);
  expect(server.sent()).toBeLessThan(full.length);
  // The scores behind the mean are those of the report.
  await page.getByTestId('viewer-back').click();
  const model = await table(page).locator('.name').first().textContent();
  await expect(page.locator('juror-viewer-samples h2')).toContainText(model ?? '');
  await expect(page.getByTestId('viewer-filled')).toContainText(/\d = \d/);
  await expect(status(page)).toContainText('As reported, not recomputed.');
  await page.getByTestId('viewer-verify').click();
  await expect(status(page)).toContainText('Reproduced.');
});

test('a report says which criteria and groups its rows are of, and the viewer lays them out by that', async ({ page }) => {
  const entry = unzip(small).find(({ name }) => name === 'report.json');
  const report = JSON.parse(Buffer.from(entry?.data ?? '').toString('utf8')) as {
    provenance: { criteria: { id: string; short: string }[]; scopes: { scope: string; keys: string[] }[] };
    scores: { scope: string; key: string; criterion: string }[];
  };
  const { criteria, scopes } = report.provenance;
  for (const { scope, key, criterion } of report.scores) {
    expect(criteria.map(({ id }) => id)).toContain(criterion);
    expect(scopes.find((one) => one.scope === scope)?.keys).toContain(key);
  }
  const server = await packs({ 'pack.zip': small });
  await open(page, { body: main(element(`${server.address}/pack.zip`, 'view="scores/domain" verify="ask"')) });
  await expect(table(page).locator('thead th')).toHaveCount(3 + (scopes.find(({ scope }) => scope === 'domain')?.keys.length ?? 0));
  await page.getByRole('radio', { name: 'All' }).check();
  await expect(table(page).locator('thead th')).toHaveText(['Model', 'Scored turns', ...criteria.map(({ short }) => short)]);
});

test('a pack that was changed differs, and the list leads to the sample', async ({ page }) => {
  const entries = unzip(small).map((entry) => {
    const text = Buffer.from(entry.data).toString('utf8');
    return isOfReplies(entry.name)
      ? { ...entry, data: text.replace(/("score": ?)(\d+)/, (_, key: string, score: string) => `${key}${score === '10' ? 1 : 10}`) }
      : entry;
  });
  const server = await packs({ 'pack.zip': zipOf(entries) });
  await page.addInitScript(() =>
    addEventListener('juror-verified', (event) => ((window as unknown as { verified: unknown }).verified = (event as CustomEvent<unknown>).detail)),
  );
  await open(page, { body: main(element(`${server.address}/pack.zip`)) });
  await expect(status(page)).toContainText('Does not reproduce.');
  await expect(status(page)).toContainText('Changed file: ');
  await expect.poll(() => page.evaluate(() => (window as unknown as { verified?: { reproduced: boolean } }).verified?.reproduced)).toBe(false);
  await status(page)
    .locator('details')
    .evaluate((details: HTMLDetailsElement) => (details.open = true));
  await status(page).getByRole('row').filter({ hasText: 'Verdict' }).first().getByRole('button').click();
  await expect(page.locator('juror-turn').first()).toBeVisible();
});

test('a damaged picture of a pack is named, and the pack is not called sound', async ({ page }) => {
  const name =
    unzip(full)
      .map((entry) => entry.name)
      .find((path) => /result\/.*\.png$/.test(path)) ?? '';
  const damaged = Buffer.from(full);
  // Its own header is the first place where the name stands.
  damaged[damaged.indexOf(name) + name.length + 20]! ^= 1;
  const server = await packs({ 'sound.zip': full, 'damaged.zip': damaged });
  await open(page, { body: main(element(`${server.address}/damaged.zip`, 'verify="always"')) });
  await expect(status(page)).toContainText(`“${name}” is damaged: its bytes do not fit its checksum`);
  await expect(status(page)).not.toContainText('Reproduced.');
  const other = await page.context().newPage();
  await open(other, { body: main(element(`${server.address}/sound.zip`, 'verify="always"')) });
  await expect(status(other)).toContainText('Reproduced.');
});

test('on a page that is opened from disk the viewer says that such pages read no files, and how to serve it', async ({ page }) => {
  const disk = new TempFolder();
  disk.write('juror-viewer.js', script('juror-viewer.js'));
  disk.write('pack.zip', small);
  const path = disk.write(
    'index.html',
    `<!doctype html><title>A page</title><juror-viewer src="pack.zip"></juror-viewer><script src="juror-viewer.js"></script>`,
  );
  await page.goto(pathToFileURL(path).href);
  const viewer = page.locator('juror-viewer');
  await expect(viewer).toContainText('browsers let no page read files from disk');
  await expect(viewer).not.toContainText('CORS');
  disk.remove();
});

test('a forged table with a manifest that fits differs, and the table shown is the one that the replies come to', async ({ page }) => {
  const entries = unzip(small);
  const textOf = (name: string): string => Buffer.from(entries.find((entry) => entry.name === name)?.data ?? '').toString('utf8');
  const report = textOf('report.json');
  const { provenance } = JSON.parse(report) as { provenance: { criteria: { id: string; label: string; short: string }[] } };
  const label = provenance.criteria.at(-1)?.short ?? '';
  const forged = report.replace(`"short": ${JSON.stringify(label)}`, '"short": "Preference of 40 raters"');
  expect(forged).not.toBe(report);
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  const old = textOf('manifest.json');
  const row = new RegExp(`"path":"report.json","role":"report","size":\\d+,"sha256":"${hash(report)}"`);
  const fitting = old.replace(row, `"path":"report.json","role":"report","size":${Buffer.byteLength(forged)},"sha256":"${hash(forged)}"`);
  expect(fitting).not.toBe(old);
  const unsealed = fitting.replace(/"sha256": "[0-9a-f]{64}"\n}\n$/, '"sha256": ""\n}\n');
  const sealed = unsealed.replace(/"sha256": ""\n}\n$/, `"sha256": "${hash(unsealed)}"\n}\n`);
  const pack = zipOf(
    entries.map((entry) => (entry.name === 'report.json' ? { ...entry, data: forged } : entry.name === 'manifest.json' ? { ...entry, data: sealed } : entry)),
  );
  const server = await packs({ 'pack.zip': pack });
  await open(page, { body: main(element(`${server.address}/pack.zip`, 'verify="ask"')) });
  await page.getByRole('radio', { name: 'All' }).check();
  await expect(table(page)).toContainText('Preference of 40 raters');
  await page.getByTestId('viewer-verify').click();
  await expect(status(page)).toContainText('Report: 1');
  await expect(status(page)).not.toContainText('Changed file');
  await expect(table(page)).not.toContainText('Preference of 40 raters');
});

test('three viewers on one page keep to their own attributes and share one worker', async ({ page }) => {
  const [one, other] = [await packs({ 'pack.zip': small }), await packs({ 'pack.zip': full }, { ranges: false })];
  const [first = '', second = ''] = reported(small).keys();
  await page.addInitScript(() => {
    const told: string[] = ((window as unknown as { told: string[] }).told = []);
    for (const name of ['juror-ready', 'juror-verified', 'juror-open'])
      addEventListener(name, (event) => told.push(`${(event.target as HTMLElement).id} ${event.type}`));
  });
  await open(page, {
    body: main(
      element(`${one.address}/pack.zip`, `id="a" models="${first}"`) +
        element(`${other.address}/pack.zip`, `id="b" view="scores/turn/all" theme="dark"`) +
        '<div style="height: 3000px"></div>' +
        element(`${one.address}/pack.zip`, `id="c" models="${second}, ${first}" theme="light" verify="ask"`),
    ),
  });
  const [a, b, c] = ['#a', '#b', '#c'].map((id) => page.locator(id)) as [Locator, Locator, Locator];
  await expect(status(a)).toContainText('Reproduced.');
  await expect(status(b)).toContainText('Reproduced.');
  await expect(table(a).locator('tbody tr')).toHaveCount(1);
  await expect(table(b).locator('tbody tr')).toHaveCount(reported(full).size);
  await expect(b.getByRole('radio', { name: 'All' })).toBeChecked();
  // Far below: nothing is read before it comes near.
  await expect(table(c)).toHaveCount(0);
  await c.scrollIntoViewIfNeeded();
  await expect(table(c).locator('tbody tr')).toHaveCount(2);
  await expect(status(c)).toContainText('As reported, not recomputed.');
  await expect.poll(() => page.workers().length).toBe(1);
  await expect(b).toHaveCSS('color-scheme', 'dark');
  await table(c).locator('td button').first().click();
  await expect(c.locator('.unit').first()).toBeVisible();
  await expect(a.locator('juror-viewer-samples')).toHaveCount(0);
  const told = (): Promise<string[]> => page.evaluate(() => (window as unknown as { told: string[] }).told);
  await expect.poll(told).toContain('c juror-open');
  expect((await told()).filter((line) => line.endsWith('juror-ready')).sort()).toEqual(['a juror-ready', 'b juror-ready', 'c juror-ready']);
  // One that is taken away leaves the others at work.
  await a.evaluate((node) => node.remove());
  await c.getByTestId('viewer-verify').click();
  await expect(status(c)).toContainText('Reproduced.');
});

test('a page made with Bulma keeps its look, and so does the viewer on it', async ({ page }) => {
  const server = await packs({ 'pack.zip': small });
  const css = await packs({ 'bulma.css': readFileSync(join(ROOT, 'www/node_modules/bulma/css/bulma.min.css')) });
  const viewer = (inside: string): string => `<div style="width: 900px">${element(`${server.address}/pack.zip`, 'verify="ask" theme="light"', inside)}</div>`;
  const theirs =
    '<section class="section"><h1 class="title">Project</h1><button class="button is-primary">Paper</button><table class="table is-striped" id="theirs"><thead><tr><th>Model</th><th>Score</th></tr></thead><tbody><tr><td>A</td><td>1</td></tr></tbody></table><label class="label">Name <input class="input" value="x"></label></section>';
  const lookOf = (locator: Locator): Promise<string[]> =>
    locator.evaluateAll((nodes) =>
      nodes.map((node) => {
        const style = getComputedStyle(node);
        const { width, height } = node.getBoundingClientRect();
        return [
          node.tagName,
          width.toFixed(2),
          height.toFixed(2),
          ...[
            'color',
            'backgroundColor',
            'fontFamily',
            'fontSize',
            'fontWeight',
            'lineHeight',
            'letterSpacing',
            'textAlign',
            'textTransform',
            'padding',
            'margin',
            'border',
            'borderRadius',
            'display',
          ].map((name) => style[name as 'color']),
        ].join(' ');
      }),
    );
  const link = `<link rel="stylesheet" href="${css.address}/bulma.css">`;
  const looks: { theirs: string[]; ours: string[] }[] = [];
  for (const head of [link, '']) {
    const fresh = await page.context().newPage();
    await fresh.emulateMedia({ reducedMotion: 'reduce' });
    await open(fresh, { head, body: `${theirs}${viewer(WRITTEN)}` });
    await expectReported(fresh, small);
    await table(fresh).locator('td button').first().click();
    await expect(fresh.locator('.unit').first()).toBeVisible();
    // They come once the replies were read.
    await expect(table(fresh).locator('.incidents').first()).toBeVisible();
    await fresh.mouse.move(0, 0);
    await still(fresh);
    looks.push({
      theirs: await lookOf(fresh.locator('section.section, section.section *')),
      ours: await lookOf(fresh.locator('juror-viewer, juror-viewer .viewer *')),
    });
    await fresh.close();
  }
  const without = await page.context().newPage();
  await without.emulateMedia({ reducedMotion: 'reduce' });
  const alone = await servePage(`<!doctype html><html lang="en"><head><title>Alone</title>${link}</head><body>${theirs}${viewer('')}</body></html>`);
  running.push(alone);
  await without.goto(alone.address);
  await still(without);
  const [bulma, bare] = looks;
  expect(bulma?.theirs).toEqual(await lookOf(without.locator('section.section, section.section *')));
  expect(bulma?.theirs, 'Bulma does change their look').not.toEqual(bare?.theirs);
  expect(bulma?.ours.length).toBeGreaterThan(100);
  expect(bulma?.ours).toEqual(bare?.ours);
});

test('the script without Wasm inside fetches it from beside itself, and only to recompute', async ({ page }) => {
  const server = await packs({ 'pack.zip': small });
  const { asked } = await open(page, { body: main(element(`${server.address}/pack.zip`, 'verify="ask"')), script: 'juror-viewer.light.js' });
  await expectReported(page, small);
  expect(asked).not.toContain(`${scripts.address}/juror-viewer.wasm`);
  await page.getByTestId('viewer-verify').click();
  await expect(status(page)).toContainText('Reproduced.');
});

test('the script without Wasm inside does not call a pack reproduced whose pictures it cannot decode', async ({ page }) => {
  const server = await packs({ 'pack.zip': full });
  // What decodes pictures does not lie beside the script.
  await open(page, { body: main(element(`${server.address}/pack.zip`, 'verify="always"')), script: 'juror-viewer.light.js' });
  await expect(status(page)).toContainText('Not reproduced.');
  await expect(status(page)).toContainText('Pictures not decoded');
});

test('what is no pack, or is not there, is said; what the author wrote stays', async ({ page }) => {
  const newer = unzip(small).map((entry) =>
    entry.name === 'report.json' ? { ...entry, data: Buffer.from(entry.data).toString('utf8').replace('juror-report/1', 'juror-report/2') } : entry,
  );
  const server = await packs({
    'other.zip': zipOf([{ name: 'a.txt', data: 'a' }]),
    'text.zip': Buffer.from('no ZIP at all, but long enough to be asked for'),
    'newer.zip': zipOf(newer),
  });
  for (const [name, words] of [
    ['none.zip', '404'],
    ['other.zip', 'no evidence pack'],
    ['text.zip', 'This is no ZIP file, or its end is cut off.'],
    ['newer.zip', 'juror-report/2'],
  ] as const) {
    const fresh = await page.context().newPage();
    await open(fresh, { body: main(element(`${server.address}/${name}`)) });
    await expect(fresh.getByRole('alert')).toContainText(words);
    await expect(fresh.locator('#written')).toBeVisible();
    await fresh.close();
  }
});

for (const [theme, rules] of SCHEMES) {
  test(`axe finds nothing in the ${theme} viewer, its list of scores, and a sample`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const server = await packs({ 'pack.zip': full });
    await open(page, {
      head: `<style>body { background: ${theme === 'dark' ? '#111' : '#fff'}; color: ${theme === 'dark' ? '#eee' : '#111'} }</style>`,
      body: main(element(`${server.address}/pack.zip`, `theme="${theme}"`)),
    });
    await expect(status(page)).toContainText('Reproduced.');
    const check = async (): Promise<void> => {
      await still(page);
      expect((await axe(page, rules).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual(
        [],
      );
    };
    await check();
    await table(page).locator('td button').first().click();
    await expect(page.locator('.unit').first()).toBeVisible();
    await check();
    await page.locator('.unit').first().click();
    await expectPicture(page);
    await check();
  });
}

test('by keys alone: from a mean to its scores, to a sample, and back to where one came from', async ({ page }) => {
  const server = await packs({ 'pack.zip': small });
  await open(page, { body: main(element(`${server.address}/pack.zip`)) });
  await table(page).locator('td button').first().focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('juror-viewer-samples h2')).toBeFocused();
  await page.locator('.unit').first().focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('juror-viewer-samples .heading')).toContainText('Dialogue');
  await expect(page.locator('juror-turn').first()).toBeVisible();
  // What came in the meantime took nobody's focus.
  await expect(page.locator('juror-viewer-samples .heading')).toBeFocused();
  await page.getByTestId('viewer-close').focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('juror-viewer-samples')).toHaveCount(0);
  await expect(means(page).first()).toBeVisible();
  await expect(table(page).locator('td button').first()).toBeFocused();
});

test('the page’s own Embed place writes the lines, which work, and shows what is open', async ({ page }) => {
  await openPage(page);
  await page.getByRole('button', { name: /^Export/ }).click();
  await page.getByTestId('export-embed').click();
  await expect(page).toHaveURL(/#\/embed/);
  const [first = '', second = ''] = reported(small).keys();
  const server = await packs({ 'pack.zip': small });
  await expect(page.getByTestId('embed-pack')).toHaveValue('juror-weave-evidence.zip');
  await page.getByTestId('embed-pack').fill(`${server.address}/pack.zip`);
  await page.getByTestId('embed-script').last().fill(`${scripts.address}/juror-viewer.js`);
  await page.getByRole('checkbox', { name: second }).uncheck();
  await page.getByTestId('embed-theme').selectOption('dark');
  await expect(page.getByTestId('embed-snippet')).toHaveValue(/theme="dark"/);
  await expect(page.getByTestId('embed-snippet')).toHaveValue(/min-height: clamp\(401px, calc\(586px/);
  const lines = await page.getByTestId('embed-snippet').inputValue();
  // One block of HTML without an empty line: Markdown leaves it as it is, table and all.
  expect(lines).toMatch(/^<div>\n[^]*<\/div>\n$/);
  expect(lines.trim()).not.toContain('\n\n');
  expect(lines).toContain('min-height: clamp(401px, calc(586px');
  const policy = (await page.getByTestId('embed-policy').inputValue()).replaceAll('\n', ' ');
  expect(policy).toBe(`script-src ${scripts.address} 'wasm-unsafe-eval'; worker-src blob:; connect-src ${server.address}; img-src blob: `);
  const host = await servePage(
    `<!doctype html><html lang="en"><head><title>Written</title><link rel="icon" href="data:,"></head><body>${lines}</body></html>`,
    `default-src 'none'; ${policy}`,
  );
  running.push(host);
  const other = await page.context().newPage();
  await other.goto(host.address);
  await expect(status(other)).toContainText('Reproduced.');
  await expect(table(other).locator('tbody .name')).toHaveText([...reported(small).keys()].filter((model) => model !== second));
  // The table for readers without scripts has the same numbers.
  const plain = await other.locator('juror-viewer > table tbody tr').first().locator('td').first().textContent();
  expect(plain).toContain(reported(small).get(first));
  await other.close();

  await page.getByTestId('embed-preview').click();
  const viewer = page.locator('juror-viewer');
  await expect(status(viewer)).toContainText('Reproduced.');
  await expect(table(viewer).locator('tbody tr')).toHaveCount(reported(small).size - 1);
  await table(viewer).locator('td button').first().click();
  await viewer.locator('.unit').first().click();
  await expect(viewer.locator('juror-turn').first()).toBeVisible();
  const picture = viewer.locator('juror-viewer-samples juror-picture img').first();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await page.mouse.move(0, 0);
  for (const [theme, rules] of SCHEMES) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await still(page);
    expect((await axe(page, rules).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual(
      [],
    );
  }
});

/** How far a page has moved by itself until all was drawn, where it is scrolled to, and what has the focus. */
async function stillness(page: Page): Promise<{ shift: number; scrolled: number; focused: string }> {
  await still(page);
  return page.evaluate(() => ({ shift: (window as unknown as { shift: number }).shift, scrolled: scrollY, focused: document.activeElement?.tagName ?? '' }));
}

/** Adds up layout shifts that no reader caused. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = window as unknown as { shift: number };
    seen.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) seen.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Opens a page whose pack is held back until the page without it is drawn: whatever it moves is then seen to move. */
async function openDrawn(page: Page, hosted: Hosted): Promise<void> {
  const release = await holding(page, '**/pack.zip');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, hosted);
  await still(page);
  release();
}

/** As the page's own lines have it, for a table of three models; and for a sample, which is longer than any window. */
const [RESERVED, RESERVED_SAMPLE] = [
  'display: block; min-height: clamp(470px, calc(655px - (100vw - 390px) * 0.3), 655px)',
  'display: block; min-height: 120vh',
];
const PROSE = `<p>${'What the project is about, in many words. '.repeat(40)}</p>`;

for (const [name, width, height] of [
  ['wide', 1280, 800],
  ['narrow', 390, 844],
] as const) {
  test(`the table comes, is recomputed, and moves nothing of a ${name} page`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await watchShifts(page);
    const server = await packs({ 'pack.zip': small });
    const hosted = (style: string) => ({
      body: main(`${element(`${server.address}/pack.zip`, style, '')}${PROSE}`),
      head: '<meta name="viewport" content="width=device-width">',
    });
    await openDrawn(page, hosted(`style="${RESERVED}"`));
    await expect(status(page)).toContainText('Reproduced.');
    const { shift, scrolled, focused } = await stillness(page);
    expect(shift).toBeLessThan(0.05);
    expect([scrolled, focused]).toEqual([0, 'BODY']);
    // Without it everything below moves, and the measure says so.
    const other = await page.context().newPage();
    await other.setViewportSize({ width, height });
    await watchShifts(other);
    await openDrawn(other, hosted(''));
    await expect(status(other)).toContainText('Reproduced.');
    await expect.poll(async () => (await stillness(other)).shift).toBeGreaterThan(0.1);
  });

  test(`a sample that a ${name} page asks for takes no focus and does not scroll, and one that a reader opens does`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await watchShifts(page);
    const server = await packs({ 'pack.zip': full });
    await openDrawn(page, {
      body: main(`${element(`${server.address}/pack.zip`, `view="sample/0" style="${RESERVED_SAMPLE}"`, '')}${PROSE}`),
      head: '<meta name="viewport" content="width=device-width">',
    });
    await expect(page.locator('juror-turn').first()).toBeVisible();
    await expect(status(page)).toContainText('Reproduced.');
    const { shift, scrolled, focused } = await stillness(page);
    // What a stable page may move, as browsers' makers count it: pictures beside each other take their place when they come.
    expect(shift).toBeLessThan(0.1);
    expect([scrolled, focused]).toEqual([0, 'BODY']);
    await table(page).locator('td button').first().click();
    await expect(page.locator('juror-viewer-samples h2')).toBeFocused();
  });
}

test('under a policy that asks for trusted types nothing is refused but what names no policy', async ({ page }) => {
  const server = await packs({ 'pack.zip': small });
  const { violations } = await open(page, {
    body: main(element(`${server.address}/pack.zip`)),
    policy: "require-trusted-types-for 'script'; trusted-types lit-html juror",
  });
  await expect(status(page)).toContainText('Reproduced.');
  await expect.poll(() => page.workers().length).toBe(1);
  expect(violations).toEqual([]);
  const strict = await page.context().newPage();
  const refused = await open(strict, {
    body: main(element(`${server.address}/pack.zip`)),
    policy: "require-trusted-types-for 'script'; trusted-types lit-html",
  });
  await expect(status(strict)).toContainText('Reproduced.');
  expect(strict.workers().length).toBe(0);
  await expect.poll(() => new Set(refused.violations)).toEqual(new Set(['trusted-types', 'require-trusted-types-for']));
});

test('a choice of models is told as one, and print keeps every column', async ({ page }) => {
  const server = await packs({ 'pack.zip': small });
  const [first, second] = [...reported(small).keys()];
  await page.setViewportSize({ width: 720, height: 900 });
  await open(page, { body: main(element(`${server.address}/pack.zip`, `models="${first},${second}" view="scores/domain"`)) });
  await expect(page.locator('juror-viewer .head')).toContainText('2 of 3 models');
  const overflow = (): Promise<number> =>
    table(page).evaluate((node) => Math.max(...[...node.querySelectorAll('th, td')].map((cell) => cell.getBoundingClientRect().right)) - innerWidth);
  await expect.poll(overflow).toBeGreaterThan(0);
  await page.emulateMedia({ media: 'print' });
  await expect.poll(overflow).toBeLessThanOrEqual(0);
});

test('a slider shows two pictures in one place and moves by mouse and by keys, under a strict policy', async ({ page }) => {
  const [red, blue] = [png(200, 100, [200, 0, 0]), png(400, 200, [0, 0, 200])];
  const server = await packs({ 'red.png': red, 'blue.png': blue });
  const { violations, asked } = await open(page, {
    body: main(
      `<juror-compare before="${server.address}/red.png" after="${server.address}/blue.png" before-label="Input" after-label="Output" width="200" height="100"></juror-compare>`,
    ),
    policy: ["default-src 'none'", `script-src ${scripts.address}`, `img-src ${server.address} data:`].join('; '),
    script: 'juror-compare.js',
  });
  const slider = page.locator('juror-compare');
  const range = slider.getByRole('slider', { name: 'Input | Output' });
  await expect.poll(() => slider.locator('img').evaluateAll((images) => images.every((image) => (image as HTMLImageElement).naturalWidth > 0))).toBe(true);
  const reader = await page.context().newPage();
  /** Which of the two pictures is seen at a tenth, four tenths, six tenths and nine tenths of the width. */
  const seen = async (): Promise<string> => {
    const shot = (await slider.screenshot()).toString('base64');
    return reader.evaluate(async (data) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d') as OffscreenCanvasRenderingContext2D;
      context.drawImage(bitmap, 0, 0);
      const at = (share: number): string => {
        const [r = 0, , b = 0] = context.getImageData(Math.round(share * bitmap.width), Math.round(bitmap.height / 8), 1, 1).data;
        return r > b ? 'red' : 'blue';
      };
      return [0.1, 0.4, 0.6, 0.9].map(at).join(' ');
    }, shot);
  };
  expect(await slider.boundingBox()).toMatchObject({ width: 200, height: 100 });
  await expect.poll(seen).toBe('red red blue blue');
  await slider.click({ position: { x: 150, y: 20 } });
  await expect(range).toHaveAttribute('aria-valuetext', '75 % Input');
  await expect.poll(seen).toBe('red red red blue');
  await page.keyboard.press('Home');
  await expect.poll(seen).toBe('blue blue blue blue');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await expect(range).toHaveAttribute('aria-valuetext', '99 % Input');
  await expect.poll(seen).toBe('red red red red');
  const { violations: found } = await axe(page).analyze();
  expect(found.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  expect(violations).toEqual([]);
  expect(new Set(asked.slice(1))).toEqual(new Set([`${scripts.address}/juror-compare.js`, `${server.address}/red.png`, `${server.address}/blue.png`]));
  // A picture that does not come is named.
  await slider.evaluate((element, address) => element.setAttribute('after', address), `${server.address}/gone.png`);
  await expect(slider.getByRole('alert')).toHaveText(`The picture ${server.address}/gone.png could not be loaded.`);
  // It stays named when the other one comes, and no longer once it comes itself.
  await slider.evaluate((element, address) => element.setAttribute('before', address), `${server.address}/blue.png`);
  await expect.poll(() => slider.locator('img.before').evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(400);
  await expect(slider.getByRole('alert')).toHaveText(`The picture ${server.address}/gone.png could not be loaded.`);
  await slider.evaluate((element, address) => element.setAttribute('after', address), `${server.address}/red.png`);
  await expect(slider.getByRole('alert')).toBeHidden();
});
