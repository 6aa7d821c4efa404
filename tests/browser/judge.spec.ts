/** Judging from the page: three wire formats, faults, a killed page, and a key that appears nowhere. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test as alone, type Page } from '../../www/node_modules/@playwright/test';
import { openAlone } from './alone';
import { Gate } from './gates';
import {
  TempFolder,
  dialogue,
  exported,
  juror,
  jurorScore,
  metricsLine,
  numbers,
  png,
  storedTexts,
  unfold,
  writeSmallBenchmark,
  writeUnjudged,
  type Report,
} from './helpers';
import { JudgeServer, PASSING, type Fault } from './judge-server';
import { expect, test } from './visits';

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

const unjudged = (count: number): string[] => writeUnjudged(folder, count);

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
  await openAlone(page, folders);
  await page.goto('./#/judge');
}

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  await unfold(page);
  for (const [name, value] of Object.entries(values)) {
    const field = page.getByTestId(`judge-${name}`);
    if (name === 'wire') await field.selectOption(value);
    else await field.fill(value);
  }
}

const start = (page: Page) => page.getByTestId('judge-start').click();
const job = (page: Page) => page.getByTestId('job');
const done = (page: Page, timeout = 60_000) => expect(job(page).getByRole('heading', { name: /^(Done|Stopped)$/ })).toBeVisible({ timeout });
const journalOf = async (
  page: Page,
): Promise<{
  text: string;
  records: { sample: string; turn: number; criterion: string; run: number; reply: string; error: string | null; request: string | null; body?: string }[];
}> => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('judge-journal').click()]);
  const text = readFileSync(await download.path(), 'utf8');
  return {
    text,
    records:
      text.trim() === ''
        ? []
        : text
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as never),
  };
};

for (const wire of ['openai', 'anthropic', 'gemini']) {
  test(`a job over ${wire} sends every request once, and its scores are juror score’s with the journal`, async ({ page }) => {
    const folders = unjudged(3);
    server.reply = (text) =>
      text.includes('standard answer') ? '{"score": 10, "reasoning": "Right."}' : `{"score": ${Math.floor(roll(text) * 10)}, "reasoning": "So."}`;
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

test('a reply shows the model that answered, its time and its parameters, and says where that model is not the judge it is filed under', async ({
  page,
  browser,
  baseURL,
}) => {
  const folders = unjudged(2);
  // The first dialogue comes with replies of the authors’ form, which say nothing of the kind.
  folder.write('result/m/metrics.jsonl', `${metricsLine(dialogue(0), 6)}\n`);
  server.model = 'judge-1-2026-05';
  await openJudge(page, folders);
  await fill(page, { wire: 'openai', base: address, model: 'judge-1', key: KEY, temperature: '0' });
  const before = Date.now();
  await start(page);
  await done(page);
  const output = (of: Page) => of.locator('juror-output').first();
  const own = (of: Page) =>
    output(of)
      .locator('.verdict')
      .filter({ has: of.getByTestId('reply-asked') });
  const openAll = async (of: Page, id: number): Promise<void> => {
    await of.goto(`./#/sample/${id}`);
    await expect(of.getByRole('heading', { level: 1 })).toHaveText(`Sample ${id}`);
    await expect(output(of).locator('.toggle')).not.toHaveCount(0);
    const toggles = output(of).locator('.toggle[aria-expanded="false"]');
    while ((await toggles.count()) > 0) await toggles.first().click();
  };
  await openAll(page, 1);
  await expect(own(page)).toHaveCount(3);
  await expect(own(page).first().getByTestId('reply-asked')).toHaveText('Asked with judge-1, temperature 0; answered by judge-1-2026-05');
  await expect(own(page).first().getByTestId('reply-other-model')).toContainText(
    'filed under the judge judge-1, but its record names the model judge-1-2026-05',
  );
  const time = own(page).first().getByTestId('reply-time');
  await expect(time).toHaveText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  const came = Date.parse((await time.getAttribute('datetime')) ?? '');
  expect(came).toBeGreaterThanOrEqual(before - 1000);
  expect(came).toBeLessThanOrEqual(Date.now());
  await openAll(page, 0);
  const stored = output(page).locator('.verdict').filter({ hasText: 'metrics.jsonl' });
  await expect(stored).toHaveCount(3);
  await expect(stored.locator('pre').first()).toContainText('Dialogue 0 gets 6');
  await expect(stored.getByTestId('reply-asked')).toHaveCount(0);
  await expect(stored.getByTestId('reply-time')).toHaveCount(0);
  // A journal whose replies the judge itself answered has nothing to point out; it is opened in a browser that keeps nothing.
  await page.goto('./#/judge');
  const { records } = await journalOf(page);
  const same = folder.write('same/journal.jsonl', records.map((record) => JSON.stringify({ ...record, answered_by: 'judge-1' })).join('\n'));
  const other = await browser.newContext({ baseURL });
  const visitor = await other.newPage();
  await openAlone(visitor, [...folders, dirname(same)]);
  await openAll(visitor, 1);
  await expect(own(visitor).first().getByTestId('reply-asked')).toHaveText('Asked with judge-1, temperature 0; answered by judge-1');
  await expect(visitor.getByTestId('reply-other-model')).toHaveCount(0);
  await other.close();
});

test('over 60 requests, a third of them with faults, every request ends once, and none is paid twice', async ({ page }) => {
  const folders = unjudged(15);
  const total = 15 * PER_DIALOGUE;
  const final: Fault[] = ['refusal', 'filter'];
  /** The place of each request among all, by when it first came. */
  const places = new Map<string, number>();
  const faults: Fault[] = [];
  server.script = ({ hash, attempt }) => {
    const place = places.get(hash) ?? places.size;
    places.set(hash, place);
    // Two are given up; of the others every third fails at first, and every ninth a second time.
    if (attempt === 1 && place % 30 === 7) return final[Math.floor(place / 30) % 2] ?? null;
    if (place % (attempt === 1 ? 3 : 9) !== 0 || attempt > 2) return null;
    const fault = PASSING[(place / 3 + 3 * (attempt - 1)) % PASSING.length] ?? null;
    if (fault !== null) faults.push(fault);
    return fault;
  };
  await openJudge(page, folders);
  await expect(page.getByTestId('judge-requests')).toHaveText(String(total));
  await fill(page, { base: address, model: 'judge-1', key: KEY, concurrency: '20' });
  await start(page);
  await done(page);
  await expect(job(page).getByRole('heading', { name: 'Done' })).toBeVisible();
  const { records } = await journalOf(page);
  // What was paid for and could not be read is kept in the journal too, before the end of its request.
  const ends = [...new Map(records.map((record) => [`${record.sample} ${record.turn} ${record.criterion}`, record])).values()];
  expect(ends).toHaveLength(total);
  const answered = records.filter(({ error }) => error === null);
  expect(ends.filter(({ error }) => error === null)).toHaveLength(answered.length);
  expect(answered.every(({ body }) => body === undefined)).toBe(true);
  expect(Math.max(...server.paid.values())).toBe(1);
  expect(server.total).toBe(answered.length);
  // An answer of which half came is paid for: its request ends there, and is not sent again unasked.
  const halves = faults.filter((fault) => fault === 'half').length;
  expect(answered).toHaveLength(total - 2 - halves);
  // The faults did happen, each kind of them, and each but a slow and half an answer cost an attempt more.
  expect(new Set(faults)).toEqual(new Set(PASSING));
  const attempts = [...server.attempts.values()].reduce((sum, times) => sum + times, 0);
  expect(attempts).toBe(total + faults.filter((fault) => fault !== 'drip' && fault !== 'half').length);
});

alone('a page that is closed or killed in the middle loses no reply that came, and the next one sends only the rest', async ({ context, page }) => {
  const folders = unjudged(10);
  const total = 10 * PER_DIALOGUE;
  /** Requests under way at the end of a page, and those of them that are answered at that very moment. */
  const [parallel, late] = [6, 3];
  let current = page;
  let left = total;
  const open = async (): Promise<void> => {
    await openJudge(current, folders);
    await fill(current, { base: address, model: 'judge-1', key: KEY, concurrency: String(parallel) });
  };
  await open();
  for (const how of ['closed', 'killed'] as const) {
    server.gate.hold(10);
    await start(current);
    // A reply is kept before another request takes its place.
    await expect.poll(() => server.gate.waiting).toBe(parallel);
    if (how === 'closed') {
      // The header tells of it in every view but the job's own.
      await expect(current.getByTestId('running-judge')).toHaveCount(0);
      await current.getByRole('link', { name: 'Overview', exact: true }).click();
      await expect(current.getByTestId('running-judge')).toHaveText(`Judging 10 of ${total}`);
    }
    server.gate.hold(late);
    if (how === 'killed') {
      const gone = current.waitForEvent('crash');
      // The renderer and its workers die with all that they hold; the call itself is never answered.
      void (await context.newCDPSession(current)).send('Page.crash').catch(() => undefined);
      await gone;
    }
    await current.close();
    await expect.poll(() => server.underWay).toBe(0);
    current = await context.newPage();
    await open();
    // What was on its way at the moment of closing cannot be known to have come: at most so many are asked again.
    const mayBe = Array.from({ length: late + 1 }, (_, came) => left - 10 - came);
    const requests = current.getByTestId('judge-requests');
    await expect(requests).toHaveText(new RegExp(`^(${mayBe.join('|')})$`));
    left = Number(await requests.textContent());
  }
  server.gate.release();
  await start(current);
  await done(current);
  const { records } = await journalOf(current);
  expect(records).toHaveLength(total);
  expect(new Set(records.map(({ sample, turn, criterion }) => `${sample} ${turn} ${criterion}`)).size).toBe(total);
  expect(server.total - total).toBeLessThanOrEqual(2 * late);
  expect(server.paid.size).toBe(total);
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
  server.script = ({ text }) => (text.includes('standard answer') ? 'refusal' : null);
  server.reply = () => `{"score": 7, "reasoning": "Your key is ${KEY}."}`;
  await expect(page.getByTestId('job-answered')).toHaveText('0 of 8');
  await start(page);
  await expect(page.getByTestId('job-answered')).toHaveText('6 of 8');
  await expect(job(page).getByRole('heading', { name: 'Done' })).toBeVisible();
  const { text } = await journalOf(page);
  expect(text).toContain('[key]');
  await page.goto('./#/');
  const report = (await exported(page, 'export-json')).toString('utf8');
  const stored = await storedTexts(page);
  expect(stored.join('\n')).toContain('juror-journal/1');
  for (const [at, haystack] of [text, report, ...stored, ...seen, JSON.stringify(await context.storageState())].entries())
    expect(haystack.includes(KEY), `the key is in text ${at}`).toBe(false);
});

test('a server that is not there, or lets no page call it, is told apart from a bad answer', async ({ page }) => {
  await openJudge(page, unjudged(3));
  // A port that belongs to no service; one that was free a moment ago may be another test's by now.
  await fill(page, { base: 'http://127.0.0.1:4', model: 'judge-1', concurrency: '12' });
  await start(page);
  await done(page);
  await expect(job(page)).toContainText('12 attempts in a row failed alike');
  await expect(job(page)).toContainText('CORS');
});

test('a job by calls, by a batch file and by a sheet gives the same report', async ({ page, context }) => {
  const folders = unjudged(4);
  server.reply = (text) => `{"score": ${text.includes('standard answer') ? 10 : Math.floor(roll(text) * 10)}, "reasoning": "So."}`;
  await openJudge(page, folders);
  await fill(page, { base: address, model: 'judge-1' });
  await start(page);
  await done(page);
  const { records } = await journalOf(page);
  const reply = new Map(records.map(({ sample, turn, criterion, reply }) => [`${sample}/${turn}/${criterion}`, reply]));
  expect(reply.size).toBe(4 * PER_DIALOGUE);
  const reportOf = async (of: Page): Promise<Report> => {
    await of.goto('./#/');
    return JSON.parse((await exported(of, 'export-json')).toString('utf8')) as Report;
  };
  const byCalls = numbers(await reportOf(page));

  // Another browser each, so that nothing is in storage: the replies come as files alone.
  const batch = folder.at('batch.jsonl');
  juror(['requests', ...folders, '--engine', 'openai', '--judge', 'judge-1', '--judge-model', 'judge-1', '--out', batch]);
  const answers = (change: string | null): string =>
    readFileSync(batch, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { custom_id: string }).custom_id)
      .map((id) => {
        const content = id.split('/').slice(6).join('/') === change ? '{"score": 1, "reasoning": "Changed."}' : reply.get(id.split('/').slice(6).join('/'));
        return JSON.stringify({
          id: 'b',
          custom_id: id,
          error: null,
          response: { status_code: 200, body: { choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] } },
        });
      })
      .reverse()
      .join('\n');
  const browser = context.browser();
  if (browser === null) throw new Error('The context has no browser.');
  const another = async (work: (other: Page) => Promise<void>, more: string[] = []): Promise<Report> => {
    const own = await browser.newContext({ acceptDownloads: true, baseURL: new URL('.', page.url()).href });
    const other = await own.newPage();
    await openJudge(other, [...folders, ...more]);
    await work(other);
    const report = await reportOf(other);
    await own.close();
    return report;
  };
  const take = async (other: Page, text: string): Promise<void> => {
    await other.getByTestId('hand-text').fill(text);
    await other.getByTestId('hand-take').click();
    await expect(other.getByTestId('hand-result')).toContainText('16 replies imported');
  };
  expect(numbers(await another((other) => take(other, answers(null))))).toEqual(byCalls);
  expect(numbers(await another((other) => take(other, answers('0/0/key_point'))))).not.toEqual(byCalls);
  const bySheet = await another(async (other) => {
    await fill(other, { model: 'judge-1' });
    const [download] = await Promise.all([other.waitForEvent('download'), other.getByTestId('hand-sheet').click()]);
    const sheet = readFileSync(await download.path(), 'utf8');
    const filled = sheet.replace(/^===== (\S+) =====$/gm, (heading, id: string) => `${heading}\n${reply.get(id.split('/').slice(6).join('/')) ?? ''}`);
    await take(other, filled);
  });
  expect(numbers(bySheet)).toEqual(byCalls);
});

test('anchors are asked again first, tell the drift, and change no score', async ({ page }) => {
  const folders = unjudged(3);
  await openJudge(page, folders);
  await fill(page, { base: address, model: 'judge-1' });
  await start(page);
  await done(page);
  await page.goto('./#/');
  const before = JSON.parse((await exported(page, 'export-json')).toString('utf8')) as Report & {
    provenance: { judges: { judge: string; anchors: { n: number; difference: number }[] }[] };
  };
  await page.goto('./#/judge');
  server.reply = () => '{"score": 9, "reasoning": "Milder today."}';
  await page.getByTestId('judge-which').selectOption('anchors');
  await fill(page, { anchors: '5' });
  await expect(page.getByTestId('judge-start')).toHaveText(/Ask 5 anchors/);
  await start(page);
  await expect(page.getByTestId('job-answered')).toHaveText('5 of 5');
  await expect(page.getByTestId('health-anchors')).toContainText('+2.00');
  expect(server.total).toBe(3 * PER_DIALOGUE + 5);
  await page.goto('./#/');
  const after = JSON.parse((await exported(page, 'export-json')).toString('utf8')) as typeof before;
  expect(numbers(after)).toEqual(numbers(before));
  const anchors = (report: typeof before): { n: number; difference: number }[] =>
    report.provenance.judges.filter(({ judge }) => judge === 'judge-1').flatMap(({ anchors }) => anchors);
  expect(anchors(before)).toEqual([]);
  expect(anchors(after).reduce((sum, { n }) => sum + n, 0)).toBe(5);
  expect(anchors(after).every(({ difference }) => difference === 2)).toBe(true);
});

test('replies to an output that was changed are set aside and asked again', async ({ page, context }) => {
  const folders = unjudged(2);
  await openJudge(page, folders);
  await fill(page, { base: address, model: 'judge-1' });
  await start(page);
  await done(page);
  await page.getByTestId('health-check').click();
  await expect(page.getByTestId('health-result')).toContainText(`${2 * PER_DIALOGUE} as they were asked, 0 to an earlier request`);
  await page.close();
  folder.write('result/m/imgs/d1_2.png', png(8, 8, [1, 2, 3]));
  const next = await context.newPage();
  await openJudge(next, folders);
  await fill(next, { base: address, model: 'judge-1' });
  // What is kept counts until it was held against the files.
  await expect(next.getByTestId('judge-requests')).toHaveText('0');
  await next.getByTestId('health-check').click();
  await expect(next.getByTestId('health-result')).toContainText('3 to an earlier request');
  await expect(next.getByTestId('judge-requests')).toHaveText('3');
  await next.goto('./#/sample/1');
  await expect(next.getByTestId('stale').first()).toContainText('3 replies to an earlier request');
  await next.goto('./#/judge');
  await start(next);
  await done(next);
  await expect(next.getByTestId('judge-requests')).toHaveText('0');
  expect(server.total).toBe(2 * PER_DIALOGUE + 3);
});

test('structured output and other parameters are in the request and in the record, and mixing them is warned of', async ({ page }) => {
  const folders = unjudged(1);
  await openJudge(page, folders);
  await fill(page, { base: address, model: 'judge-1', temperature: '0', inputPrice: '2', outputPrice: '8' });
  await page.getByTestId('judge-json').check();
  await start(page);
  await done(page);
  expect(server.bodies.every((body) => (JSON.parse(body) as { response_format?: { type: string } }).response_format?.type === 'json_object')).toBe(true);
  const { records } = await journalOf(page);
  expect(records.map((record) => (record as unknown as { params: unknown }).params)).toEqual(
    Array(PER_DIALOGUE).fill({ model: 'judge-1', temperature: 0, max_tokens: null, extra: { response_format: { type: 'json_object' } } }),
  );
  await expect(page.getByTestId('health-mixed')).toBeHidden();
  await page.getByTestId('judge-json').uncheck();
  await expect(page.getByTestId('health-mixed')).toContainText('file its replies under another name');
  await fill(page, { judge: 'judge-1 free' });
  await expect(page.getByTestId('health-mixed')).toBeHidden();
  await expect(page.getByTestId('judge-requests')).toHaveText(String(PER_DIALOGUE));
  // The prices come back with the model.
  await fill(page, { model: 'other', inputPrice: '', outputPrice: '' });
  await fill(page, { model: 'judge-1' });
  await expect(page.getByTestId('judge-inputPrice')).toHaveValue('2');
});

test('a server that hangs is given up after the time-out, and the incident says so', async ({ page }) => {
  const folders = unjudged(1);
  server.script = ({ text }) => (text.includes('standard answer') ? 'hang' : null);
  await openJudge(page, folders);
  await fill(page, { base: address, model: 'judge-1', timeout: '5', attempts: '1' });
  await start(page);
  await done(page);
  await expect(page.getByTestId('job-answered')).toHaveText(`${PER_DIALOGUE - 1} of ${PER_DIALOGUE}`);
  await expect(job(page)).toContainText('timeout');
});

test('a model of the benchmark’s authors brings their parameters along, and what was entered stays', async ({ page }) => {
  await openJudge(page, unjudged(1));
  await expect(page.getByTestId('judge-temperature')).toBeHidden();
  await page.getByTestId('fold-parameters').click();
  const value = (name: string) => page.getByTestId(`judge-${name}`);
  await value('model').fill('some-other-model');
  await value('model').blur();
  await expect(value('maxTokens')).toHaveValue('');
  await value('temperature').fill('0.5');
  await value('model').fill('gpt-4o-2024-08-06');
  await value('model').blur();
  await expect(page.getByText('their parameters were filled in below')).toBeVisible();
  await expect(value('maxTokens')).toHaveValue('1400');
  await expect(value('temperature')).toHaveValue('0.5');
});

test('what other judges have answered is told before it is asked again, and one request is sent as a test', async ({ page }) => {
  writeSmallBenchmark(folder, 3);
  const total = 3 * PER_DIALOGUE;
  await openJudge(page, [folder.at('bench'), folder.at('result')]);
  await fill(page, { base: address, model: 'judge-1', key: KEY });
  const requests = page.getByTestId('judge-requests');
  await expect(requests).toHaveText(String(total));
  const others = page.getByTestId('judge-others');
  await expect(others).toContainText(`${total} by a judge that is not stated. judge-1 would judge them as well.`);
  await page.getByTestId('judge-test').click();
  await done(page);
  expect(server.total).toBe(1);
  await expect(requests).toHaveText(String(total - 1));
  await page.getByTestId('judge-unjudged').click();
  await expect(requests).toHaveText('0');
  await expect(page.getByTestId('judge-which')).toHaveValue('unjudged');
  await expect(others).toHaveCount(0);
  await expect(page.getByTestId('judge-start')).toBeDisabled();
  expect(server.total).toBe(1);
});

test('more than a few requests are sent once the reader has agreed', async ({ page }) => {
  const folders = unjudged(51);
  await openJudge(page, folders);
  await fill(page, { base: address, model: 'judge-1', key: KEY, concurrency: '20' });
  await expect(page.getByTestId('judge-requests')).toHaveText(String(51 * PER_DIALOGUE));
  const asked: string[] = [];
  const answers = [false, true];
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void (answers.shift() === true ? dialog.accept() : dialog.dismiss());
  });
  await start(page);
  await expect.poll(() => asked).toEqual(['Send 204 requests to judge-1, as judge-1? Its service may charge for each.']);
  await expect(job(page)).toHaveCount(0);
  expect(server.total).toBe(0);
  await start(page);
  await done(page);
  expect(asked).toHaveLength(2);
  expect(server.total).toBe(204);
});

test('nothing is sent by the count of what was chosen before', async ({ page }) => {
  const gate = await Gate.before(page, 'juror-engine', 'method', 'planJob');
  await openJudge(page, unjudged(10));
  await fill(page, { base: address, model: 'judge-1', key: KEY });
  const send = page.getByTestId('judge-start');
  await expect(send).toHaveText(`Send ${10 * PER_DIALOGUE} requests`);
  await expect(send).toBeEnabled();
  await gate.hold();
  await page.getByTestId('judge-some').check();
  await page.getByTestId('judge-samples').fill('3');
  await expect.poll(() => gate.waiting()).toBeGreaterThan(0);
  await expect(send).toBeDisabled();
  await gate.open();
  await expect(send).toHaveText(`Send ${3 * PER_DIALOGUE} requests`);
  await expect(send).toBeEnabled();
});

test('a subset is asked about alone, and the list and the command line draw the same samples', async ({ page }) => {
  const folders = unjudged(10);
  await openJudge(page, folders);
  await expect(page.getByTestId('judge-requests')).toHaveText(String(10 * PER_DIALOGUE));
  await unfold(page);
  await page.getByTestId('judge-some').check();
  await page.getByTestId('judge-samples').fill('3');
  await page.getByTestId('judge-seed').fill('5');
  await expect(page.getByTestId('judge-requests')).toHaveText(String(3 * PER_DIALOGUE));
  const command = page.getByText('juror requests --per all=3 --seed 5');
  await expect(command).toBeVisible();
  const batch = folder.at('subset.jsonl');
  juror(['requests', ...folders, '--engine', 'openai', '--judge', 'judge-1', '--judge-model', 'judge-1', '--per', 'all=3', '--seed', '5', '--out', batch]);
  const ids = readFileSync(batch, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { custom_id: string }).custom_id.split('/')[6] ?? '');
  await page.getByRole('link', { name: 'show them' }).click();
  await expect(page.locator('juror-samples .count')).toContainText('3 of 10 dialogues');
  expect(decodeURIComponent(page.url())).toContain('subset:all/3/5');
  const listed = () => page.getByTestId('sample-row').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-id')));
  await expect.poll(async () => new Set(await listed())).toEqual(new Set(ids));
});
