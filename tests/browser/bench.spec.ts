/** Times opening 30,000 files and re-scoring 100,000 turns in Chromium, and prints one Markdown table. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test, type Browser, type Page } from '../../www/node_modules/@playwright/test';
import { Random, largeDialogue, largeLine, writeSuite } from './generate';
import { ROOT, TempFolder, openPage, settled } from './helpers';
import { readClock, startClock, type Times } from './probe';

const MODELS = ['alpha', 'beta', 'gamma'];
const NUM_DIALOGUES = 1800;
/** 25,000 dialogues of three picture turns and one text turn. */
const NUM_LINES = 25_000;
const NUM_TURNS = 4 * NUM_LINES;
/** As a cell counts them. */
const ALL_TURNS = `${NUM_TURNS.toLocaleString('en')}/${NUM_TURNS.toLocaleString('en')}`;
const RUNS = 3;
const PYTHON = join(ROOT, 'tests/src/bin/bench_weave.py');
const PACKAGE = process.env.JUROR_PKG ?? join(ROOT, 'www/src/engine/pkg/session');

const rows: string[][] = [];
let folder: TempFolder;

test.beforeAll(() => {
  folder = new TempFolder();
});

test.afterAll(() => {
  folder.remove();
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  console.log(['', line(['in Chromium', 'measured', 'aim']), '|---|---|---|', ...rows.map(line), ''].join('\n'));
});

const seconds = (ms: number | undefined): string => (ms === undefined ? 'never' : `${(ms / 1000).toFixed(2)} s`);
const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;

/** The most memory that any renderer of this browser ever held, and what the page's script heap holds now. */
async function memory(browser: Browser, page: Page): Promise<{ peak: number; heap: number }> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const peaks = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => 1024 * Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]));
  const own = await page.context().newCDPSession(page);
  await own.send('Performance.enable');
  const { metrics } = await own.send('Performance.getMetrics');
  await own.detach();
  return { peak: Math.max(...peaks), heap: metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? NaN };
}

/** The run with the smallest value. */
function best<T>(runs: T[], value: (run: T) => number): T {
  const sorted = [...runs].sort((a, b) => value(a) - value(b));
  const first = sorted[0];
  if (first === undefined) throw new Error('There was no run.');
  return first;
}

test('opening 30,000 files', async ({ browser }) => {
  const files = writeSuite(folder.path, NUM_DIALOGUES, MODELS);
  const runs: (Times & { listed: number; peak: number; heap: number })[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await openPage(page, '#/samples');
    await startClock(page, {
      row: { path: ['juror-app', 'juror-samples', '[data-testid="sample-row"]'], text: 'Move the block' },
      scores: { path: ['juror-app', 'juror-samples', '[data-testid="sample-row"] .sub'], text: '11/11' },
    });
    const before = performance.now();
    await page.getByTestId('input-folder').setInputFiles(folder.at('suite'));
    const listed = performance.now() - before;
    await settled(page, 'suite');
    await expect(page.getByText(`${NUM_DIALOGUES.toLocaleString('en')} of ${NUM_DIALOGUES.toLocaleString('en')} dialogues`)).toBeVisible();
    await page.waitForTimeout(500);
    const times = await readClock(page);
    runs.push({ ...times, listed, ...(await memory(browser, page)) });
    console.log(`opening: ${JSON.stringify(runs.at(-1))}`);
    await context.close();
  }
  const fastest = best(runs, ({ phases }) => phases['done'] ?? Infinity);
  rows.push(
    [`${files.toLocaleString('en')} files: first sample row`, seconds(fastest.goals['row']), '< 1 s'],
    ['scores of all models on the screen', seconds(fastest.goals['scores']), ''],
    ['complete: every reply and answer read, scores stand unless a picture is broken', seconds(fastest.phases['pictures']), '< 5 s'],
    ['every picture checked as well', seconds(fastest.phases['done']), ''],
    ['longest time without a frame', seconds(fastest.longestGap), ''],
    ['peak memory of the page’s process (script heap after)', `${mebibytes(Math.max(...runs.map(({ peak }) => peak)))} (${mebibytes(fastest.heap)})`, ''],
  );
});

/** Writes the sample list and the replies; returns the size of the latter. */
function writeReplies(): number {
  mkdirSync(folder.at('list/test'), { recursive: true });
  mkdirSync(folder.at('judged/big'), { recursive: true });
  const random = new Random(7);
  const out = openSync(folder.at('judged/big/metrics.jsonl'), 'w');
  const dialogues = Array.from({ length: NUM_LINES }, (_, idx) => largeDialogue(idx, 3, 1));
  for (const one of dialogues) writeSync(out, largeLine(one, random, 136));
  closeSync(out);
  writeFileSync(folder.at('list/test/test.json'), JSON.stringify(dialogues));
  return statSync(folder.at('judged/big/metrics.jsonl')).size;
}

/** From the moment the page has the file until the table shows a mean over all turns. */
async function rescore(browser: Browser, sources: string[]): Promise<Times & { shown: number; peak: number }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await openPage(page);
  const last = sources.at(-1) ?? '';
  for (const source of sources.slice(0, -1)) {
    await page.getByTestId('input-folder').setInputFiles(folder.at(source));
    await settled(page, source);
    await expect(page.locator('juror-overview .facts')).toContainText(NUM_LINES.toLocaleString('en'));
  }
  await startClock(page, { table: { path: ['juror-app', 'juror-overview', 'juror-score-table', 'table'], text: ALL_TURNS } });
  await page.getByTestId('input-folder').setInputFiles(folder.at(last));
  await settled(page, last);
  await expect(page.getByTestId('overview-table')).toContainText(ALL_TURNS);
  await page.waitForTimeout(100);
  const times = await readClock(page);
  const { peak } = await memory(browser, page);
  await context.close();
  console.log(`re-scoring ${sources.join(' + ')}: ${JSON.stringify({ ...times, peak })}`);
  return { ...times, shown: times.goals['table'] ?? NaN, peak };
}

/** The Wasm alone, in a page without anything else: read as the page has it read, then both overviews. */
async function engineAlone(browser: Browser): Promise<{ provide: number; paper: number; released: number }> {
  const server = createServer((request, response) => {
    if (request.url === '/') {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>engine</title>');
    } else if (request.url === '/metrics.jsonl') {
      response.end(readFileSync(folder.at('judged/big/metrics.jsonl')));
    } else if (request.url === '/favicon.ico') {
      response.writeHead(404).end();
    } else {
      const isWasm = request.url?.endsWith('.wasm') === true;
      response
        .setHeader('content-type', isWasm ? 'application/wasm' : 'text/javascript')
        .end(readFileSync(join(PACKAGE, (request.url ?? '').replace(/^\//, ''))));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  const runs = await page.evaluate(async (count) => {
    const name = '/juror_web.js';
    const edge = await import(name);
    await edge.default();
    const file = new Uint8Array(await (await fetch('/metrics.jsonl')).arrayBuffer());
    const overview = (profile: string): unknown => ({ shown: { overview: { options: { profile, policy: null, judge: null, run: null } } } });
    const measured: { provide: number; paper: number; released: number }[] = [];
    for (let run = 0; run < count; run += 1) {
      const session = new edge.Session();
      // The engine empties the buffer that it is given.
      const bytes = file.slice();
      const page = {
        held: () => Promise.resolve([{ bytes }]),
        atHand: () => undefined,
        areWhole: () => true,
        stopDecoders: () => undefined,
        onProgress: () => undefined,
        onChanged: () => undefined,
        onEnd: () => Promise.resolve(),
        handOn: () => 'nothing',
      };
      const loading = new edge.Loading(session, page, 1);
      const start = performance.now();
      loading.add({
        paths: 'big/metrics.jsonl',
        sizes: Float64Array.of(bytes.length),
        held: Uint32Array.of(0),
        elsewhere: { zips: [], addresses: [] },
      });
      await loading.through();
      const provided = performance.now();
      session.ask(overview('paper'), Number.MAX_SAFE_INTEGER);
      const paper = performance.now();
      session.ask(overview('released'), Number.MAX_SAFE_INTEGER);
      const released = performance.now();
      measured.push({ provide: provided - start, paper: paper - provided, released: released - paper });
      loading.free();
      session.free();
    }
    return measured;
  }, 2 * RUNS);
  await page.close();
  await new Promise((resolve) => server.close(resolve));
  console.log(`engine alone: ${JSON.stringify(runs)}`);
  return best(runs, ({ provide, paper, released }) => provide + paper + released);
}

interface Summary {
  /** Seconds of processor time, the best of three. */
  processor: number;
  version: string;
}

/** The plain Python summary of the same file; `null` where there is no Python. */
function python(): Summary | null {
  const { error, status, stdout, stderr } = spawnSync('python3', [PYTHON, folder.at('judged/big/metrics.jsonl')], { encoding: 'utf8' });
  // 127: a stand-in for Python that finds none.
  if (error !== undefined || status === 127) return null;
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Summary;
}

test('re-scoring 100,000 turns', async ({ browser }) => {
  const size = writeReplies();
  const before = python();
  const alone = await engineAlone(browser);
  const runs: (Times & { shown: number; peak: number })[] = [];
  const listed: (Times & { shown: number; peak: number })[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await rescore(browser, ['judged']));
  for (let run = 0; run < RUNS; run += 1) listed.push(await rescore(browser, ['list', 'judged']));
  const after = python();
  if (before === null || after === null) console.log('SKIPPED: the comparison with Python, as there is no python3 on PATH');
  // Before and after, as other programs on the machine slow whatever runs beside them.
  const summary = 1000 * Math.min(before?.processor ?? NaN, after?.processor ?? NaN);
  const engine = alone.provide + alone.paper + alone.released;
  const ratio = (ms: number): string => (Number.isNaN(summary) ? '' : `, ${(summary / ms).toFixed(1)} × Python`);
  const [shown, withList] = [best(runs, (run) => run.shown), best(listed, (run) => run.shown)];
  const what = `${(size / 1e6).toFixed(1)} MB of metrics.jsonl, ${NUM_TURNS.toLocaleString('en')} turns`;
  if (before !== null) rows.push([`${what}: Python ${before.version}, processor time`, seconds(summary), '']);
  rows.push(
    [`${before === null ? `${what}: ` : ''}the engine alone: read, both profiles, differences`, `${seconds(engine)}${ratio(engine)}`, '> 1 ×'],
    ['from the file’s arrival to the table on the screen', `${seconds(shown.shown)}${ratio(shown.shown)}`, '> 1 ×'],
    ['the same with the sample list open', `${seconds(withList.shown)}${ratio(withList.shown)}`, ''],
    ['peak memory of the page’s process', mebibytes(Math.max(...runs.map(({ peak }) => peak))), ''],
  );
});
