/** What a job may cost: a limit that holds whatever services say of their tokens, and one job at a time among all tabs. */
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Page } from '../../www/node_modules/@playwright/test';
import { openAlone } from './alone';
import { DEMO, TempFolder, exported, openFolders, openPage, settled, unfold, writeUnjudged } from './helpers';
import { JudgeServer } from './judge-server';
import { TYPES, serve } from './pages';
import { expect, test } from './visits';

/** Judge requests of one small dialogue. */
const PER_DIALOGUE = 4;

let server: JudgeServer;
let address: string;
let folder: TempFolder;

test.beforeEach(async () => {
  server = new JudgeServer();
  address = await server.start();
  folder = new TempFolder();
});
test.afterEach(async () => {
  await server.stop();
  folder.remove();
});

const job = (page: Page) => page.getByTestId('job');
const ended = (page: Page) => expect(job(page).getByRole('heading', { name: /^(Done|Stopped)/ })).toBeVisible({ timeout: 60_000 });
const alert = (page: Page) => page.locator('juror-judge').getByRole('alert');

async function openJudge(page: Page, folders: string[]): Promise<void> {
  // A tab in the background draws nothing.
  await page.bringToFront();
  await openAlone(page, folders);
  await page.goto('./#/judge');
}

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  await unfold(page);
  for (const [name, value] of Object.entries({ base: address, model: 'judge-1', ...values })) await page.getByTestId(`judge-${name}`).fill(value);
}

/** Begins a job with a limit of 0.02 at 1 for a million tokens in and 10 out: a call is expected to take some 0.005. */
async function begin(page: Page, values: Record<string, string>): Promise<void> {
  await openJudge(page, writeUnjudged(folder, 10));
  await fill(page, { inputPrice: '1', outputPrice: '10', budget: '0.02', ...values });
  await page.getByTestId('judge-start').click();
}

/** What a job has spent at its end. */
async function spent(page: Page): Promise<number> {
  await ended(page);
  return Number.parseFloat((await page.getByTestId('job-spent').textContent()) ?? '');
}

test('a limit without prices sends nothing and says which are missing', async ({ page }) => {
  await openJudge(page, writeUnjudged(folder, 2));
  const missing = 'enter what a million input and a million output tokens cost';
  for (const [prices, words] of [
    [{}, missing],
    [{ inputPrice: '1' }, missing],
    [{ inputPrice: '0', outputPrice: '0' }, 'enter what the service charges'],
  ] as const) {
    await fill(page, { inputPrice: '', outputPrice: '', ...prices, budget: '5' });
    // What was said of the prices before is gone once others are entered.
    await expect(alert(page)).toHaveCount(0);
    await page.getByTestId('judge-start').click();
    await expect(alert(page)).toContainText(/Spend at most/);
    await expect(alert(page)).toContainText(words);
  }
  await expect(job(page)).toHaveCount(0);
  expect(server.calls).toBe(0);
  await fill(page, { inputPrice: '1', outputPrice: '10' });
  await page.getByTestId('judge-start').click();
  await ended(page);
  expect(server.calls).toBe(2 * PER_DIALOGUE);
});

for (const [what, usage, words] of [
  ['counts its tokens', { prompt_tokens: 1000, completion_tokens: 300 }, null],
  ['counts none', undefined, 'job-uncounted'],
  ['counts less than none', { prompt_tokens: -1_000_000, completion_tokens: -5 }, 'job-implausible'],
  ['counts what cannot be', { prompt_tokens: 1e17, completion_tokens: 300 }, 'job-implausible'],
] as const) {
  test(`the limit holds where a service ${what}, also for calls that are under way together`, async ({ page }) => {
    server.usage = usage;
    server.gate.hold();
    await begin(page, { concurrency: '8' });
    await expect.poll(() => server.gate.waiting, 'some at once').toBeGreaterThan(1);
    server.gate.release();
    const cost = await spent(page);
    expect(cost).toBeGreaterThan(0.008);
    expect(cost).toBeLessThanOrEqual(0.02);
    expect(server.calls).toBeGreaterThan(1);
    expect(server.calls).toBeLessThanOrEqual(5);
    expect(server.together, 'some at once').toBeGreaterThan(1);
    await expect(alert(page)).toContainText('budget');
    if (words !== null) await expect(page.getByTestId(words)).toContainText(`${server.calls} answers`);
  });
}

for (const fault of ['wrong-json', 'html', 'empty', 'half', 'refusal'] as const) {
  test(`an answer that cannot be used (${fault}) is paid for as well`, async ({ page }) => {
    server.script = () => fault;
    await begin(page, { stopAfter: '0', attempts: '20', concurrency: '1' });
    const cost = await spent(page);
    expect(cost).toBeGreaterThan(0.003);
    expect(cost).toBeLessThanOrEqual(0.02);
    expect(server.calls).toBeLessThanOrEqual(15);
    await expect(alert(page)).toContainText('budget');
  });
}

test('a second tab does not ask what another one asks, looks on instead, and has its replies', async ({ page, context }) => {
  const folders = writeUnjudged(folder, 4);
  const total = 4 * PER_DIALOGUE;
  server.gate.hold();
  await openJudge(page, folders);
  const second = await context.newPage();
  await openJudge(second, folders);
  for (const tab of [page, second]) await fill(tab, { concurrency: '2' });
  await page.getByTestId('judge-start').click();
  await expect(job(page)).toBeVisible();
  await second.getByTestId('judge-start').click();
  await expect(alert(second)).toContainText('Another tab');
  await second.getByTestId('judge-look-on').click();
  // A job tells how it stands with each reply.
  server.gate.hold(1);
  await expect(job(second).getByRole('heading')).toContainText('in another tab');
  await expect(job(second).getByRole('button', { name: 'Stop' })).toHaveCount(0);
  server.gate.release();
  await ended(page);
  await ended(second);
  expect(server.calls).toBe(total);
  await expect(second.getByTestId('judge-requests')).toHaveText('0');
});

test('replies that another tab brought after this one was opened are not asked for again', async ({ page, context }) => {
  const folders = writeUnjudged(folder, 3);
  const second = await context.newPage();
  await openJudge(second, folders);
  await expect(second.getByTestId('judge-requests')).toHaveText('12');
  await openJudge(page, folders);
  for (const tab of [page, second]) await fill(tab, {});
  await page.getByTestId('judge-start').click();
  await ended(page);
  await second.getByTestId('judge-start').click();
  await ended(second);
  expect(server.calls).toBe(12);
  // Another judge is asked.
  await fill(second, { model: 'judge-2' });
  await second.getByTestId('judge-start').click();
  await expect.poll(() => server.calls).toBe(24);
});

test('a tab that is closed in the middle gives its turn back', async ({ page, context }) => {
  const folders = writeUnjudged(folder, 4);
  const first = await context.newPage();
  server.gate.hold(2);
  await openJudge(first, folders);
  await fill(first, { concurrency: '1' });
  await first.getByTestId('judge-start').click();
  await expect.poll(() => server.gate.waiting).toBe(1);
  await openJudge(page, folders);
  await fill(page, {});
  await page.getByTestId('judge-start').click();
  await page.getByTestId('judge-look-on').click();
  // A job tells how it stands with each reply.
  server.gate.hold(1);
  await expect(job(page).getByRole('heading')).toContainText('in another tab');
  await expect.poll(() => server.gate.waiting).toBe(1);
  await first.close();
  await expect(job(page)).toContainText('The other tab was closed');
  await expect.poll(() => server.underWay).toBe(0);
  server.gate.release();
  await page.getByTestId('judge-start').click();
  await expect(page.getByTestId('judge-requests')).toHaveText('0');
  expect(server.total).toBe(4 * PER_DIALOGUE);
  // What was under way when the tab was closed is asked again.
  expect(server.calls).toBe(4 * PER_DIALOGUE + 1);
});

test('without such locks the job runs, and the reader is told to start it once', async ({ page }) => {
  // A worker has no init script: another server gives its entry with a line more.
  const dist = join(DEMO, '../..');
  const host = await serve((request, response) => {
    const path = join(dist, (request.url ?? '/').split('?')[0]?.replace(/\/$/, '/index.html') ?? '');
    if (!existsSync(path)) return void response.writeHead(404).end();
    const bytes = readFileSync(path);
    const isWorker = /engine\.worker-[^/]*\.js$/.test(path);
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' });
    response.end(isWorker ? `Object.defineProperty(navigator, 'locks', { value: undefined });\n${bytes.toString('utf8')}` : bytes);
  });
  await page.goto(host.address);
  await settled(page, 'Demo suite');
  await openFolders(page, writeUnjudged(folder, 1));
  await page.evaluate(() => (location.hash = '#/judge'));
  await fill(page, {});
  await page.getByTestId('judge-start').click();
  await ended(page);
  expect(server.calls).toBe(PER_DIALOGUE);
  await expect(page.locator('juror-app .notices')).toContainText('Start it in one tab only');
  await host.stop();
});

for (const [granted, words] of [
  [true, 'until you delete them'],
  [false, 'export the journal'],
] as const) {
  test(`once a reply was paid for, the browser is asked once to keep them, and its answer (${granted ? 'yes' : 'no'}) is told`, async ({ page }) => {
    await page.addInitScript((answer) => {
      const asked: boolean[] = [];
      Object.assign(globalThis, { asked });
      StorageManager.prototype.persisted = () => Promise.resolve(false);
      StorageManager.prototype.persist = () => {
        asked.push(answer);
        return Promise.resolve(answer);
      };
    }, granted);
    const asked = () => page.evaluate(() => (globalThis as unknown as { asked: boolean[] }).asked.length);
    await openJudge(page, writeUnjudged(folder, 2));
    await fill(page, {});
    expect(await asked()).toBe(0);
    await page.getByTestId('judge-start').click();
    await ended(page);
    await expect(page.getByTestId('job-keeping')).toContainText(words);
    expect(await asked()).toBe(1);
    // Sizes of files from a folder are not known, so none is told.
    await expect(page.getByTestId('judge-pictures')).not.toContainText('disk');
  });
}

test('after a reload the replies are there, and Export offers their journal', async ({ page }) => {
  const folders = writeUnjudged(folder, 2);
  await openJudge(page, folders);
  await fill(page, {});
  await page.getByTestId('judge-start').click();
  await ended(page);
  await openPage(page);
  await expect(page.getByTestId('export-journal')).toHaveCount(0);
  await page.reload();
  await openAlone(page, folders);
  const journal = (await exported(page, 'export-journal')).toString('utf8');
  expect(journal.trim().split('\n')).toHaveLength(2 * PER_DIALOGUE);
});
