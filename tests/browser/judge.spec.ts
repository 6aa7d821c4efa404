/** Judging from the page: three wire formats, faults, a killed page, and a key that appears nowhere. */
import { readFileSync } from 'node:fs';
import { expect, test, type Page } from '../../www/node_modules/@playwright/test';
import { TempFolder, exported, juror, jurorScore, numbers, openFolders, openPage, png, writeSmallBenchmark, type Report } from './helpers';
import { JudgeServer, PASSING, type Fault } from './judge-server';

const KEY = 'sk-planted-0123456789abcdefghijklmnop';
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

/** A benchmark whose model was not judged yet. */
function unjudged(count: number): string[] {
  for (const { idx } of writeSmallBenchmark(folder, count)) {
    // Every request is to be told from every other by its body, also after the pictures were made JPEG.
    const colour = (more: number): Buffer => png(8, 8, [28 * (idx % 8) + more, 28 * ((idx >> 3) % 8) + more, 28 * (idx >> 6) + more]);
    folder.write(`bench/test/imgs/d${idx}_1.png`, colour(0));
    folder.write(`bench/test/imgs/d${idx}_2.png`, colour(10));
    folder.write(`result/m/imgs/d${idx}_2.png`, colour(20));
    folder.write(`result/m/imgs/d${idx}_1_1.txt`, `Blue, like number ${idx}.`);
  }
  folder.write('result/m/metrics.jsonl', '');
  return [folder.at('bench'), folder.at('result')];
}

/** A number that only the text decides. */
function roll(text: string): number {
  let hash = 2166136261;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  // Texts that differ in their last letter alone are to fall far apart.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

async function openJudge(page: Page, folders: string[]): Promise<void> {
  await openPage(page);
  await openFolders(page, folders);
  await page.goto('./#/judge');
}

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const field = page.getByTestId(`judge-${name}`);
    if (name === 'wire') await field.selectOption(value);
    else await field.fill(value);
  }
}

const start = (page: Page) => page.getByTestId('judge-start').click();
const job = (page: Page) => page.getByTestId('job');
const done = (page: Page, timeout = 60_000) => expect(job(page).getByRole('heading', { name: /^(Done|Stopped)$/ })).toBeVisible({ timeout });
const journalOf = async (page: Page): Promise<{ text: string; records: { sample: string; turn: number; criterion: string; run: number; reply: string; error: string | null; request: string | null }[] }> => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('judge-journal').click()]);
  const text = readFileSync(await download.path(), 'utf8');
  return { text, records: text.trim() === '' ? [] : text.trim().split('\n').map((line) => JSON.parse(line) as never) };
};

for (const wire of ['openai', 'anthropic', 'gemini']) {
  test(`a job over ${wire} sends every request once, and its scores are juror score’s with the journal`, async ({ page }) => {
    const folders = unjudged(3);
    server.reply = (text) => (text.includes('standard answer') ? '{"score": 10, "reasoning": "Right."}' : `{"score": ${Math.floor(roll(text) * 10)}, "reasoning": "So."}`);
    await openJudge(page, folders);
    await expect(page.getByTestId('judge-requests')).toHaveText(String(3 * PER_DIALOGUE));
    await fill(page, { wire, base: address, model: 'judge-1', key: KEY, temperature: '0', inputPrice: '1', outputPrice: '10' });
    await start(page);
    await done(page);
    await expect(page.getByTestId('job-answered')).toHaveText('12 of 12');
    expect(server.total).toBe(12);
    expect(server.bodies.filter((body) => body.includes('image/jpeg'))).toHaveLength(9);
    expect(server.bodies.join('')).not.toContain('@juror-picture');
    const { text, records } = await journalOf(page);
    expect(records).toHaveLength(12);
    expect(records.every(({ request, error }) => /^[0-9a-f]{64}$/.test(request ?? '') && error === null)).toBe(true);
    const journal = folder.write('journal.jsonl', text);
    await page.goto('./#/');
    const report = JSON.parse((await exported(page, 'export-json')).toString('utf8')) as Report;
    const expected = jurorScore(folders, '--replies', journal);
    expect(numbers(report)).toEqual(numbers(expected));
    expect(report.incidents).toEqual([]);
    expect(report.samples.some(({ judge, score }) => judge === 'judge-1' && score !== null)).toBe(true);
    // With one reply less the report is another one.
    const less = folder.write('less.jsonl', text.trim().split('\n').slice(1).join('\n'));
    expect(numbers(report)).not.toEqual(numbers(JSON.parse(juror(['score', ...folders, '--replies', less]).toString('utf8')) as Report));
    await page.goto('./#/judge');
    await expect(page.getByTestId('judge-requests')).toHaveText('0');
  });
}

test('over 2,000 requests with 30 % faults every request ends once, and none is paid twice', async ({ page }) => {
  test.setTimeout(300_000);
  const folders = unjudged(500);
  const final: Fault[] = ['refusal', 'filter'];
  server.script = ({ hash, attempt }) => {
    const chance = roll(`${hash} ${attempt}`);
    if (chance > 0.3) return null;
    if (chance < 0.01 && attempt === 1) return final[Math.floor(roll(hash) * 2)] ?? null;
    return PASSING[Math.floor(roll(`${attempt} ${hash}`) * PASSING.length)] ?? null;
  };
  await openJudge(page, folders);
  await expect(page.getByTestId('judge-requests')).toHaveText('2,000');
  await fill(page, { base: address, model: 'judge-1', key: KEY, concurrency: '20' });
  await start(page);
  await done(page, 240_000);
  await expect(job(page).getByRole('heading', { name: 'Done' })).toBeVisible();
  const { records } = await journalOf(page);
  const keys = records.map(({ sample, turn, criterion }) => `${sample} ${turn} ${criterion}`);
  expect(new Set(keys).size).toBe(2000);
  expect(records).toHaveLength(2000);
  const answered = records.filter(({ error }) => error === null);
  expect(Math.max(...server.paid.values())).toBe(1);
  expect(server.total).toBe(answered.length);
  expect(answered.length).toBeGreaterThan(1900);
  expect(answered.length).toBeLessThan(2000);
  // The faults did happen: about 0.3 / 0.7 attempts more than requests.
  const attempts = [...server.attempts.values()].reduce((sum, times) => sum + times, 0);
  expect(attempts).toBeGreaterThan(2400);
});

test('a page that is closed in the middle loses no reply that came, and the next one sends only the rest', async ({ context, page }) => {
  test.setTimeout(120_000);
  const folders = unjudged(50);
  server.delayMs = 30;
  await openJudge(page, folders);
  await fill(page, { base: address, model: 'judge-1', key: KEY, concurrency: '6' });
  await start(page);
  let closed = 0;
  let current = page;
  for (const at of [40, 110]) {
    await expect.poll(() => server.total, { timeout: 30_000 }).toBeGreaterThan(at);
    await current.close();
    closed += 1;
    current = await context.newPage();
    await openJudge(current, folders);
    await fill(current, { base: address, model: 'judge-1', key: KEY, concurrency: '6' });
    await expect.poll(async () => Number(await current.getByTestId('judge-requests').textContent())).toBeLessThan(200 - at + 6);
    await start(current);
  }
  await done(current);
  const { records } = await journalOf(current);
  expect(records).toHaveLength(200);
  expect(new Set(records.map(({ sample, turn, criterion }) => `${sample} ${turn} ${criterion}`)).size).toBe(200);
  // What was on its way at the moment of closing cannot be known to have come: at most so many are asked again.
  expect(server.total - 200).toBeLessThanOrEqual(closed * 6);
  expect(server.paid.size).toBe(200);
});

test('a wrong key stops the job with what to do, costs nothing, and appears nowhere', async ({ page, context }) => {
  const folders = unjudged(2);
  const seen: string[] = [];
  page.on('console', (message) => seen.push(message.text()));
  server.script = () => 'echo-key';
  await openJudge(page, folders);
  await fill(page, { base: address, model: 'judge-1', key: KEY });
  await start(page);
  await done(page);
  await expect(job(page)).toContainText('Check that the key is complete');
  expect(server.keys).toEqual(new Set([`Bearer ${KEY}`]));
  server.script = ({ text }) => (text.includes('consistency') ? 'refusal' : null);
  server.reply = () => `{"score": 7, "reasoning": "Your key is ${KEY}."}`;
  await start(page);
  await done(page);
  await expect(page.getByTestId('job-answered')).not.toHaveText('0 of 8');
  const { text } = await journalOf(page);
  expect(text).toContain('[key]');
  await page.goto('./#/');
  const report = (await exported(page, 'export-json')).toString('utf8');
  const stored = await page.evaluate(async () => {
    const out: string[] = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), location.href, document.documentElement.outerHTML];
    for (const { name } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open(name ?? '');
        request.onsuccess = () => resolve(request.result);
      });
      for (const store of db.objectStoreNames) {
        const all = await new Promise((resolve) => {
          const request = db.transaction(store).objectStore(store).getAll();
          request.onsuccess = () => resolve(request.result);
        });
        out.push(JSON.stringify(all));
      }
    }
    return out;
  });
  expect(stored.join('\n')).toContain('juror-journal/1');
  for (const [at, haystack] of [text, report, ...stored, ...seen, JSON.stringify(await context.storageState())].entries()) expect(haystack.includes(KEY), `the key is in text ${at}`).toBe(false);
});

test('a server that is not there, or lets no page call it, is told apart from a bad answer', async ({ page }) => {
  const folders = unjudged(3);
  await server.stop();
  await openJudge(page, folders);
  await fill(page, { base: address, model: 'judge-1', concurrency: '12' });
  await start(page);
  await done(page);
  await expect(job(page)).toContainText('12 attempts in a row failed alike');
  await expect(job(page)).toContainText('CORS');
  await server.start();
});
