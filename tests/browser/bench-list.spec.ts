/** Times the sample list in Chromium: 38,000 pictures, and 1,000,000 verdicts without any; prints one Markdown table. */
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { expect, test, type Browser, type Page } from '../../www/node_modules/@playwright/test';
import { Random, largeDialogue, largeLine, writeDeclared } from './generate';
import { TempFolder, openPage, settled } from './helpers';

const MODELS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
const NUM_SAMPLES = 4000;
/** Dialogues of ten verdicts each, judged for four models. */
const NUM_DIALOGUES = 25_000;
const NUM_JUDGED = 4;
/** Each expression is asked in three forms, so that no answer is one that was kept. */
const RUNS = 3;

const rows: string[][] = [];
let folder: TempFolder;

test.beforeAll(() => {
  folder = new TempFolder();
});

test.afterAll(() => {
  folder.remove();
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  console.log(['', line(['the sample list in Chromium', 'measured', 'aim']), '|---|---|---|', ...rows.map(line), ''].join('\n'));
});

const ms = (value: number): string => `${value.toFixed(0)} ms`;
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
const grouped = (value: number): string => value.toLocaleString('en');

interface Memory {
  /** The most that the process ever held, with the browser's code and the files that it read. */
  peak: number;
  /** What is the page's own, and what of that is left when its garbage has been collected. */
  own: number;
  left: number;
}

/** Memory of the page's process. */
async function memory(browser: Browser, page: Page): Promise<Memory> {
  const session = await browser.newBrowserCDPSession();
  const measure = async (field: string): Promise<number> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const status = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => readFileSync(`/proc/${id}/status`, 'utf8'));
    return Math.max(...status.map((text) => 1024 * Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(text)?.[1] ?? 0)));
  };
  const [peak, own] = [await measure('VmHWM'), await measure('RssAnon')];
  const ofPage = await page.context().newCDPSession(page);
  await ofPage.send('HeapProfiler.collectGarbage');
  const left = await measure('RssAnon');
  await ofPage.detach();
  await session.detach();
  return { peak, own, left };
}

const memoryRow = ({ peak, own, left }: Memory): string[] => [
  'memory that is the page’s own: as it stands, and once its garbage is collected (the process at its peak, with the browser’s code and files)',
  `${megabytes(own)}, ${megabytes(left)} (${megabytes(peak)})`,
  '< 600 MB',
];

/** From the moment an expression stands in the field until the new count is on the screen, in milliseconds. */
function filterTime(page: Page, q: string): Promise<number> {
  return page.evaluate(async (expression) => {
    const list = document.querySelector('juror-app')?.shadowRoot?.querySelector('juror-samples')?.shadowRoot;
    const input = list?.querySelector('juror-filter-field')?.shadowRoot?.querySelector('input');
    if (list == null || input == null) throw new Error('There is no list.');
    // Without the button beside it, which comes and goes with what is typed; an empty list has no rows that are busy.
    const shown = (): string => list.querySelector('.count > span')?.textContent ?? '';
    const before = shown();
    const start = performance.now();
    input.value = expression;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    while (shown() === before || list.querySelector('.rows[aria-busy]') !== null) {
      if (performance.now() - start > 60_000) throw new Error(`${expression}: nothing changed`);
      await new Promise(requestAnimationFrame);
    }
    return performance.now() - start;
  }, q);
}

/** The slowest answer of each kind of expression, each in several forms; every answer differs from the one before. */
async function filterTimes(page: Page, kinds: Record<string, string[]>): Promise<void> {
  for (const [kind, expressions] of Object.entries(kinds)) {
    const times: number[] = [];
    for (const q of expressions.slice(0, RUNS)) {
      times.push(await filterTime(page, q));
      await filterTime(page, '');
    }
    console.log(`filter ${kind}: ${times.map(ms).join(', ')}`);
    kindTimes.push([kind, Math.max(...times), Math.min(...times)]);
  }
}
const kindTimes: [string, number, number][] = [];

/** The longest task and how many took over 50 ms: as time passed, and of that what the thread had a core for. */
interface Tasks {
  longest: number;
  over: number;
  longestOwn: number;
  overOwn: number;
}

const tasksShown = ({ longest, over, longestOwn, overOwn }: Tasks): string => `${ms(longest)} (${over}), ${ms(longestOwn)} (${overOwn})`;

/** The page's tasks while `during` ran, from Chromium's own trace; the folder that JUROR_TRACES names keeps it, for its Performance panel. */
async function longestTask(name: string, browser: Browser, page: Page, during: () => Promise<void>): Promise<Tasks> {
  const kept = process.env['JUROR_TRACES'];
  const forReaders = kept === undefined ? [] : ['v8.execute', 'blink.user_timing'];
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', 'devtools.timeline', '__metadata', ...forReaders] });
  await during();
  const trace = await browser.stopTracing();
  if (kept !== undefined) writeFileSync(`${kept}/${name}.json`, trace);
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as {
    traceEvents: { name: string; ph: string; pid: number; tid: number; dur?: number; tdur?: number; args?: { name?: string } }[];
  };
  const main = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(({ name, ph, pid, tid }) => ph === 'X' && /RunTask$/.test(name) && main.has(`${pid} ${tid}`));
  if (tasks.length === 0) throw new Error('The trace shows no task.');
  const of = (times: (number | undefined)[]): [number, number] => {
    const inMs = times.map((time) => (time ?? 0) / 1000);
    return [Math.max(...inMs), inMs.filter((time) => time > 50).length];
  };
  const [[longest, over], [longestOwn, overOwn]] = [of(tasks.map(({ dur }) => dur)), of(tasks.map(({ tdur }) => tdur))];
  return { longest, over, longestOwn, overOwn };
}

/** Scrolls the list by the wheel, as a hand does, and then by jumps. */
async function scroll(page: Page): Promise<void> {
  await page.mouse.move(900, 600);
  for (let step = 0; step < 150; step += 1) {
    await page.mouse.wheel(0, 240);
    await page.waitForTimeout(16);
  }
  for (let jump = 1; jump <= 10; jump += 1) {
    await page.evaluate((part) => scrollTo(0, part * document.documentElement.scrollHeight), jump / 11);
    await page.waitForTimeout(150);
  }
}

/** From a click on a row until the sample stands on the screen. */
async function openTime(page: Page): Promise<number> {
  const time = await page.evaluate(async () => {
    const app = document.querySelector('juror-app')?.shadowRoot;
    const row = app?.querySelector('juror-samples')?.shadowRoot?.querySelector<HTMLElement>('[data-testid="sample-row"]');
    if (app == null || row == null) throw new Error('There is no row.');
    const id = row.dataset['id'] ?? '';
    const start = performance.now();
    row.click();
    const isThere = (): boolean => {
      const sample = app.querySelector('juror-sample')?.shadowRoot;
      return (
        sample?.querySelector('h1')?.textContent === `Sample ${id}` && sample.querySelector('juror-turn')?.shadowRoot?.querySelector('juror-output') != null
      );
    };
    while (!isThere()) {
      if (performance.now() - start > 60_000) throw new Error('The sample did not open.');
      await new Promise(requestAnimationFrame);
    }
    return performance.now() - start;
  });
  await page.goBack();
  await page.getByTestId('sample-row').first().waitFor();
  return time;
}

test('4,000 samples of eight references', async ({ browser }) => {
  const pictures = writeDeclared(folder.path, NUM_SAMPLES, MODELS);
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await openPage(page, '#/samples');
  await page.getByTestId('input-folder').setInputFiles(folder.at('eight'));
  await settled(page, 'eight');
  await expect(page.locator('juror-samples .count')).toContainText(`${grouped(NUM_SAMPLES)} of`);
  const opens: number[] = [];
  for (let run = 0; run < RUNS + 1; run += 1) opens.push(await openTime(page));
  await filterTimes(page, {
    'a group and a score': ['task:add score<4', 'task:style score>8', 'task:pose score:2..3'],
    'two models': ['model:alpha>model:epsilon', 'model:beta>model:zeta+2', 'model:alpha<model:epsilon-1'],
    'words in every text': ['"naïve blocks"', '"edges stay colours"', 'text~"case 0001"'],
  });
  const table = await longestTask('table', browser, page, () => scroll(page));
  await page.evaluate(() => scrollTo(0, 0));
  await page.getByRole('radio', { name: 'Pictures' }).check();
  await expect(page.locator('juror-samples .card').first()).toBeVisible();
  const grid = await longestTask('pictures', browser, page, () => scroll(page));
  const held = await memory(browser, page);
  console.log(JSON.stringify({ opens, table, grid, held }));
  rows.push([
    `${grouped(NUM_SAMPLES)} samples, ${grouped(pictures)} pictures, 6 models: scrolling the table, longest task (tasks over 50 ms), then by the thread’s own clock`,
    tasksShown(table),
    '< 50 ms',
  ]);
  rows.push(['scrolling the pictures, the same', tasksShown(grid), '< 50 ms']);
  for (const [kind, slowest, fastest] of kindTimes.splice(0))
    rows.push([`filter to the new count on the screen: ${kind} (best)`, `${ms(slowest)} (${ms(fastest)})`, '< 50 ms']);
  rows.push(['a sample opens: first, then the slowest of three', `${ms(opens[0] ?? NaN)}, ${ms(Math.max(...opens.slice(1)))}`, '< 150 ms']);
  rows.push(memoryRow(held));
  await page.context().close();
});

test('1,000,000 verdicts without pictures', async ({ browser }) => {
  mkdirSync(folder.at('many/list/test'), { recursive: true });
  const dialogues = Array.from({ length: NUM_DIALOGUES }, (_, idx) => largeDialogue(idx, 3, 1));
  writeFileSync(folder.at('many/list/test/test.json'), JSON.stringify(dialogues));
  for (const [at, model] of MODELS.slice(0, NUM_JUDGED).entries()) {
    mkdirSync(folder.at(`many/result/${model}`), { recursive: true });
    const random = new Random(at + 1);
    const out = openSync(folder.at(`many/result/${model}/metrics.jsonl`), 'w');
    for (const one of dialogues) writeSync(out, largeLine(one, random, 136));
    closeSync(out);
  }
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await openPage(page, '#/samples');
  const start = performance.now();
  await page.getByTestId('input-folder').setInputFiles(folder.at('many'));
  await settled(page, 'many');
  await expect(page.locator('juror-samples .count')).toContainText(`${grouped(NUM_DIALOGUES)} of`);
  await expect(page.getByTestId('sample-row').first().locator('.sub').first()).toContainText('10/10');
  const opening = performance.now() - start;
  await filterTimes(page, {
    'a group and a score': ['domain:edit score<0.4', 'domain:maze score>0.5', 'domain:optics score:0.2..0.6'],
    'a sub-score': ['criterion:key_point<1', 'criterion:image_quality>9 model:beta', 'criterion:accuracy<5'],
    'words in 1,000,000 reasons, found': ['"naïve blocks"', '"crisp, naïve"', '"orange – edges"'],
    'words in 1,000,000 reasons, found nowhere': ['"blocks naïvely"', '"layouts drift"', '"zebra crossing"'],
    'a regular expression over replies': ['reply~/colours? drift drift/', 'reply~/the the the the/', 'reply~/edges [a-z]+ asked/'],
  });
  const opens: number[] = [];
  for (let run = 0; run < RUNS + 1; run += 1) opens.push(await openTime(page));
  // A trace is kept in the same process: this is before it.
  const held = await memory(browser, page);
  const table = await longestTask('verdicts', browser, page, () => scroll(page));
  console.log(JSON.stringify({ opening, opens, table, held }));
  rows.push([`${grouped(10 * NUM_DIALOGUES * NUM_JUDGED)} verdicts: opening until the list shows scores`, `${(opening / 1000).toFixed(2)} s`, '< 10 s']);
  for (const [kind, slowest, fastest] of kindTimes.splice(0))
    rows.push([`filter to the new count on the screen: ${kind} (best)`, `${ms(slowest)} (${ms(fastest)})`, '< 150 ms']);
  rows.push(['a sample opens: first, then the slowest of three', `${ms(opens[0] ?? NaN)}, ${ms(Math.max(...opens.slice(1)))}`, '< 150 ms']);
  rows.push(['scrolling, longest task (tasks over 50 ms), then by the thread’s own clock', tasksShown(table), '< 50 ms']);
  rows.push(memoryRow(held));
  await page.context().close();
});
