/** The hosted page without a network, after one visit; and a new version that waits for a job and for its reader. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { expect, test, type BrowserContext, type Page } from '../../www/node_modules/@playwright/test';
import { DEMO, TempFolder, exported, juror, jurorScore, numbers, exportedReport, openFolders, png, settled, unfold, writeSmallBenchmark } from './helpers';
import { serve, type Running } from './https';
import { JudgeServer } from './judge-server';
import { TYPES } from './pages';
import { keepNotices } from './rest';
import { shared } from './server';

const DIST = join(DEMO, '../..');
/** Any host but this machine's own names, on which nothing is kept. */
const HOST = 'juror.test';
const { launchOptions } = shared('tests').use ?? {};
test.use({ launchOptions: { ...launchOptions, args: [...(launchOptions?.args ?? []), `--host-resolver-rules=MAP ${HOST} 127.0.0.1`] } });

/** The built page on a server of its own, which can be stopped and can get another version. */
class Host {
  /** Files that are not as they were built; `null` for those that are gone. */
  readonly other = new Map<string, string | null>();
  #server: Running | null = null;
  #address = '';

  async start(): Promise<void> {
    this.#server = await serve((request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? '/', 'https://any').pathname).slice(1) || 'index.html';
      const other = this.other.get(path);
      const file = join(DIST, path);
      if (other === null || (other === undefined && !existsSync(file))) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(other ?? readFileSync(file));
    });
    this.#address = this.#server.address.replace('127.0.0.1', HOST);
  }

  get address(): string {
    return `${this.#address}/`;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    this.#server = null;
  }

  /** A later version: its page has another title, and its service worker knows that page's hash. */
  deploy(name: string): void {
    const before = readFileSync(join(DIST, 'index.html'), 'utf8');
    const after = before.replace('<html lang="en"', `<html lang="en" data-version="${name}"`);
    const hash = (text: string): string => createHash('sha256').update(text).digest('base64');
    const worker = readFileSync(join(DIST, 'sw.js'), 'utf8');
    expect(worker).toContain(hash(before));
    this.other.set('index.html', after);
    this.other.set('sw.js', worker.replace(hash(before), hash(after)).replace(/version:(.)[0-9a-f]+/, `version:$1${name}`));
  }
}

let host: Host;
test.beforeEach(async () => {
  host = new Host();
  await host.start();
});
test.afterEach(async () => host.stop());

async function visit(page: Page, hash = ''): Promise<void> {
  await page.goto(`${host.address}${hash}`);
  await page.waitForSelector('html[data-engine="ready"]');
  await settled(page, 'Demo suite');
}

/** A visit at whose end everything is kept. */
async function firstVisit(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await visit(page);
  await page.waitForSelector('html[data-kept="all-kept"]', { timeout: 60_000 });
  return page;
}

test('after one visit the page opens with the server gone: engine, views, demo suites, and folders with the right numbers', async ({ context }) => {
  await keepNotices(context);
  const first = await firstVisit(context);
  await expect(first.locator('juror-app .notices')).toContainText('opens without a network');
  await first.close();
  await host.stop();
  const page = await context.newPage();
  await visit(page);
  for (const [place, tag] of [
    ['compare', 'juror-compare'],
    ['incidents', 'juror-incidents-view'],
    ['judge', 'juror-judge'],
    ['about', 'juror-about'],
    ['manual', 'juror-manual'],
  ] as const) {
    await page.evaluate((hash) => (location.hash = hash), `#/${place}`);
    await expect(page.locator(tag).locator('h1')).toBeVisible();
  }
  await page.evaluate(() => (location.hash = '#/?demo=vibe'));
  await expect(page.locator('juror-app .what strong')).toHaveText('VIBE');
  await page.waitForSelector('html[data-phase="done"]');
  await page.evaluate(() => (location.hash = '#/dar?demo=vibe'));
  await page.getByTestId('add-extra').click();
  await settled(page, 'another judge');
  await expect(page.getByTestId('heat-map')).toHaveCount(6);
  await openFolders(page, [DEMO]);
  expect((await exported(page, 'export-json')).toString('utf8')).toBe(juror(['score', DEMO]).toString('utf8'));
});

test('after the reader cleared what was kept, the next visit keeps all of it again before it says so', async ({ context }) => {
  const first = await firstVisit(context);
  const cleared = await first.evaluate(async () => {
    const names = await caches.keys();
    await Promise.all(names.map((name) => caches.delete(name)));
    return names.length;
  });
  expect(cleared).toBeGreaterThan(1);
  await first.close();
  await (await firstVisit(context)).close();
  await host.stop();
  await visit(await context.newPage());
});

/** Has the document tell which service worker its page asks for. */
async function tellRegistering(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const register = ServiceWorkerContainer.prototype.register;
    ServiceWorkerContainer.prototype.register = function (...asked): Promise<ServiceWorkerRegistration> {
      document.documentElement.dataset.registers = String(asked[0]);
      return register.apply(this, asked);
    };
  });
}

test('without a visit before, or where the host has no service worker, nothing is kept and nothing else is missing', async ({ context }) => {
  host.other.set('sw.js', null);
  const page = await context.newPage();
  await keepNotices(page);
  await tellRegistering(page);
  await visit(page);
  await expect(page.locator('html')).toHaveAttribute('data-registers', './sw.js');
  // A browser registers one after another: once this is refused, so is what the page asked for.
  const refused = page.evaluate(() => navigator.serviceWorker.register('./sw.js', { scope: './', updateViaCache: 'none' }));
  await expect(refused).rejects.toThrow('404');
  await expect(page.locator('juror-app .notice')).toHaveCount(0);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await openFolders(page, [DEMO]);
  expect(numbers(await exportedReport(page))).toEqual(numbers(jurorScore([DEMO])));
  await host.stop();
  await expect((await context.newPage()).goto(host.address)).rejects.toThrow();
});

test('on this machine’s own address nothing is kept', async ({ page }) => {
  await tellRegistering(page);
  await page.goto('./');
  await settled(page, 'Demo suite');
  await expect(page.locator('juror-update')).toHaveJSProperty('isConnected', true);
  // Once it is defined it has asked for a service worker, or never will.
  await page.waitForFunction(() => customElements.get('juror-update') !== undefined);
  await expect(page.locator('html')).not.toHaveAttribute('data-registers');
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
});

test('a new version waits for the job and for the reader, in every tab; the page that runs keeps its own', async ({ context }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 2);
  folder.write('result/m/metrics.jsonl', '');
  folder.write('bench/test/imgs/d0_1.png', png(8, 8, [1, 2, 3]));
  const judge = new JudgeServer();
  // The job lasts until this is released.
  judge.gate.hold();
  const judged = await judge.start();
  const working = await firstVisit(context);
  await openFolders(working, [folder.at('bench'), folder.at('result')]);
  await working.evaluate(() => (location.hash = '#/judge'));
  // The page’s policy lets only https:// out; the judge is on plain http, so Playwright carries the call.
  await context.route('https://judge.test/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: judged + pathname, timeout: 0 }) }).catch(() => undefined);
  });
  await unfold(working);
  for (const [name, value] of [
    ['base', 'https://judge.test'],
    ['model', 'judge-1'],
    ['key', 'sk-none'],
    ['concurrency', '1'],
  ] as const)
    await working.getByTestId(`judge-${name}`).fill(value);
  await working.getByTestId('judge-start').click();
  await expect(working.getByTestId('job')).toBeVisible();

  host.deploy('later');
  const reading = await context.newPage();
  await visit(reading);
  await expect(reading.locator('html')).not.toHaveAttribute('data-version', 'later');
  // Looking for a new version happens with a visit; here it is awaited.
  await reading.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  for (const page of [working, reading]) await expect(page.getByTestId('update')).toBeVisible({ timeout: 30_000 });
  const button = { name: 'Reload with the new version' };
  await expect(working.getByTestId('update')).toContainText('waits until the job has ended');
  await expect(working.getByRole('button', button)).toBeDisabled();
  await reading.getByRole('button', button).click();
  await expect(reading.getByTestId('update')).toContainText('job in another tab');
  await reading.reload();
  await settled(reading, 'Demo suite');
  await expect(reading.locator('html')).not.toHaveAttribute('data-version', 'later');

  await working
    .getByTestId('job')
    .getByRole('button', { name: /Cancel|Stop/ })
    .click();
  // The call under way ends before the job does.
  judge.gate.release();
  await expect(working.getByRole('button', button)).toBeEnabled();
  await expect(reading.getByTestId('update')).toBeVisible();
  await reading.getByRole('button', button).click();
  await expect(reading.locator('html')).toHaveAttribute('data-version', 'later');
  await settled(reading, 'Demo suite');
  // The other tab goes on with the version that it runs.
  await expect(working.locator('html')).not.toHaveAttribute('data-version', 'later');
  await working.evaluate(() => (location.hash = '#/incidents'));
  await expect(working.locator('juror-incidents-view').locator('h1')).toBeVisible();
  await judge.stop();
  folder.remove();
});
