/** What the specs share: the page as a user opens it, the command line beside it, folders made for one test. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { expect, type Page } from '../../www/node_modules/@playwright/test';

export const ROOT = resolve(__dirname, '../..');
/** The demo suite as built, which is also a handy WEAVEBench folder with everything in it. */
export const DEMO = join(process.env.JUROR_DIST ?? join(ROOT, 'www/dist'), 'demo/weave');
/** Eleven real dialogues; not part of the repository. */
export const REAL_DATA = resolve(ROOT, '../shared/data/weavebench-sample');

/** The command line, built. */
export const CLI = process.env.JUROR_CLI ?? join(ROOT, 'target/debug/juror');

/** Whether a path outside the repository is there; says so loudly if not. */
export function present(path: string): boolean {
  if (existsSync(path)) return true;
  console.log(`SKIPPED: ${path} is absent`);
  return false;
}

/** One mean of a report. */
export interface ScoreRow {
  model: string;
  judge: string;
  scope: string;
  key: string;
  criterion: string;
  mean: number | null;
  n: number;
  expected: number;
}

/** A report as far as the specs look into it. */
export interface Report {
  format: string;
  provenance: { problems: Problem[]; models: { name: string }[] };
  scores: ScoreRow[];
  samples: { model: string; judge: string; sample: string; turn: number; criterion: string; score: number | null; status: string }[];
  incidents: { model: string; kind: string; sample: string; turn: number; detail: string }[];
}

/** A finding about a file. */
export interface Problem {
  code: string;
  path: string;
  place: string;
  message: string;
}

/** Runs `juror` and gives what it wrote to stdout. */
export function juror(args: string[]): Buffer {
  return execFileSync(CLI, args, { maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The report of the command line. */
export function jurorScore(dirs: string[], ...options: string[]): Report {
  return JSON.parse(juror(['score', ...dirs, ...options]).toString('utf8')) as Report;
}

/** The overall total of a model, as the page writes it. */
export function overallTotal(report: Report, model: string): string {
  const row = report.scores.find((one) => one.model === model && one.scope === 'overall' && one.criterion === 'total');
  if (row === undefined) throw new Error(`The report has no overall total of ${model}.`);
  return row.mean === null ? '–' : row.mean.toFixed(3);
}

/** Opens the page at an address, or goes there where it is open, and waits for the demo suite to be on the screen. */
export async function openPage(page: Page, hash = ''): Promise<void> {
  if (hash !== '' && (await isOpen(page))) await goTo(page, hash);
  else await page.goto(`./${hash}`);
  await page.waitForSelector('html[data-engine="ready"]');
  await settled(page, 'Demo suite');
}

/** Waits until a source is among those opened, everything is read, and what the address asks for is on the screen. */
export async function settled(page: Page, source: string): Promise<void> {
  await expect(page.locator('juror-app .sources')).toContainText(source);
  await page.waitForSelector('html[data-phase="done"]');
  await shown(page);
}

/** Opens every folded part of the form on the screen. */
export async function unfold(page: Page): Promise<void> {
  const parts = page.locator('details.fold');
  await parts.first().waitFor();
  for (const part of await parts.all()) if ((await part.getAttribute('open')) === null) await part.locator('summary').first().click();
}

/** Shows one of the parts below the score table. */
export async function showBelow(page: Page, part: 'models' | 'rules' | 'incidents' | 'files'): Promise<void> {
  await page.getByTestId(`below-${part}`).locator('input').check();
  await shown(page);
}

/** Whether the page itself is open, at whatever address. */
const isOpen = (page: Page): Promise<boolean> => page.evaluate(() => document.querySelector('juror-app') !== null);

/** Goes to another address of the page that is open, as a link would, and waits until what is there is on the screen. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(async (goal) => {
    if (new URL(goal, location.href).href === location.href) return;
    // The page hears of it first, as it listens longer.
    const heard = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    location.hash = goal;
    await heard;
  }, hash);
  await shown(page);
}

/**
 * Waits until nothing is on its way to the screen: nothing is opened or read, nothing asked of the engine, nothing still to be
 * drawn, and the view of the address is there, or the word why it is not.
 */
export async function shown(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    type Part = Element & { isUpdatePending?: boolean; isAtRest?: () => Promise<boolean> };
    const isDrawn = (root: Document | ShadowRoot): boolean =>
      [...root.querySelectorAll<Part>('*')].every((part) => part.isUpdatePending !== true && (part.shadowRoot === null || isDrawn(part.shadowRoot)));
    const app = document.querySelector<Part>('juror-app');
    const isThere = (): boolean =>
      ['idle', 'done', 'cancelled', undefined].includes(document.documentElement.dataset.phase) &&
      app?.shadowRoot?.querySelector('main > *:defined') != null &&
      isDrawn(document);
    return isThere() && (await app?.isAtRest?.()) === true && isThere();
  });
}

/** What a page counts for {@link stepsBack}. */
interface Steps {
  made: number;
  /** So many are made once the last one that the page asked for is. */
  due: number;
}

/** Counts from its next opening on how often the page steps back or forth by itself; what is given waits until each such step is made. */
export async function stepsBack(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const steps: Steps = { made: 0, due: 0 };
    Object.assign(window, { steps });
    const { go } = history;
    history.go = (by) => {
      steps.due = steps.made + 1;
      go.call(history, by);
    };
    navigation.addEventListener('currententrychange', ({ navigationType }) => (steps.made += Number(navigationType === 'traverse')));
  });
  return async () => {
    await page.waitForFunction(() => {
      const { made, due } = (window as unknown as { steps: Steps }).steps;
      return made >= due;
    });
  };
}

/** Stops the clock of a page where `page.clock` is installed: until it is resumed nothing takes any time there. The engine works on. */
export async function freeze(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
}

/** Waits until the pictures in sight are loaded and no transition is under way, so that places and colours are the final ones. */
export async function still(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    const below = (root: Document | ShadowRoot): Element[] =>
      [...root.querySelectorAll('*')].flatMap((part) => [part, ...(part.shadowRoot === null ? [] : below(part.shadowRoot))]);
    const isAwaited = (part: Element): boolean => part.matches('.state.waiting') || (part instanceof HTMLImageElement && !part.complete);
    // Pictures out of sight are not loaded.
    const isAnyInSight = (parts: Element[]): Promise<boolean> =>
      new Promise((resolve) => {
        const observer = new IntersectionObserver((entries) => {
          observer.disconnect();
          resolve(entries.some(({ isIntersecting }) => isIntersecting));
        });
        if (parts.length === 0) resolve(false);
        for (const part of parts) observer.observe(part);
      });
    const isMoving = (): boolean =>
      document.getAnimations().some(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
    const isStill = async (): Promise<boolean> => !isMoving() && !(await isAnyInSight(below(document).filter(isAwaited)));
    if (!(await isStill())) return false;
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return isStill();
  });
}

/** Opens one or more folders through the folder input, one after another. */
export async function openFolders(page: Page, folders: string[]): Promise<void> {
  for (const folder of folders) {
    await page.getByTestId('input-folder').setInputFiles(folder);
    await settled(page, folder.slice(folder.lastIndexOf('/') + 1));
  }
}

/** Closes everything, so that the next source starts from nothing. */
export async function closeAll(page: Page): Promise<void> {
  await chooseWayIn(page, 'Close all');
  await expect(page.getByText('Open a benchmark and its results')).toBeVisible();
}

/** One of the ways in behind the arrow beside the primary button. */
export async function chooseWayIn(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More ways to open' }).click();
  await page.getByRole('menuitem', { name }).click();
}

/** Downloads one of the exports and gives its bytes. */
export async function exported(page: Page, what: 'export-json' | 'export-csv' | 'export-journal'): Promise<Buffer> {
  await page.getByRole('button', { name: /^Export/ }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId(what).click()]);
  return readFileSync(await download.path());
}

/** The report as the page exports it. */
export async function exportedReport(page: Page): Promise<Report> {
  return JSON.parse((await exported(page, 'export-json')).toString('utf8')) as Report;
}

/** Opens the dialog that writes evidence packs. */
export async function openPackDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Export/ }).click();
  await page.getByTestId('export-pack').click();
}

/** Writes an evidence pack of what is open. */
export async function writePack(page: Page, pictures: 'full' | 'thumbnails' | 'none'): Promise<Buffer> {
  await openPackDialog(page);
  await page.getByTestId(`pack-${pictures}`).check();
  await expect(page.getByTestId(`pack-size-${pictures}`)).toContainText('about');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('pack-write').click()]);
  await expect(page.getByTestId('pack-status')).toContainText('Written');
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  return readFileSync(await download.path());
}

/** The rows that no path and no name of a source enters. */
export function numbers({ scores, samples, incidents }: Report): Pick<Report, 'scores' | 'samples' | 'incidents'> {
  return { scores, samples, incidents };
}

/** The cell of the overview table at a model's row; the first column is the overall one. */
export const cell = (page: Page, model: string, column = 0, judge?: string) => line(page, model, judge).locator('td:not(.coverage)').nth(column);

/** How many of the expected units a model's scores cover, as the overview table says it. */
export const coverage = (page: Page, model: string, judge?: string) => line(page, model, judge).locator('td.coverage');

function line(page: Page, model: string, judge?: string) {
  const row = page
    .getByTestId('overview-table')
    .locator('tbody tr')
    .filter({ has: page.locator('.name', { hasText: new RegExp(`^${model}$`) }) });
  return judge === undefined ? row : row.filter({ has: page.locator('.judge', { hasText: judge }) });
}

/** The shown mean of a cell. */
export const shownMean = (page: Page, model: string, column = 0) => cell(page, model, column).locator('.mean');

/** Everything that a page has left anywhere in its browser, and in its address and document: what is searched for keys. */
export function storedTexts(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const out: string[] = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), location.href, document.documentElement.outerHTML];
    for (const { name } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open(name ?? '');
        request.onsuccess = () => resolve(request.result);
      });
      for (const store of db.objectStoreNames) {
        const all = await new Promise<{ blob?: Blob }[]>((resolve) => {
          const request = db.transaction(store).objectStore(store).getAll();
          request.onsuccess = () => resolve(request.result as { blob?: Blob }[]);
        });
        for (const one of all) out.push(JSON.stringify(one), one.blob === undefined ? '' : await one.blob.text());
      }
    }
    return out;
  });
}

const folders = new Set<TempFolder>();
process.once('exit', () => {
  for (const folder of folders) folder.remove();
});

/** A folder for one spec, gone when `remove` is called, and at the end of the process at the latest. */
export class TempFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'juror-browser-'));

  constructor() {
    folders.add(this);
  }

  write(name: string, content: string | Uint8Array): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  at(name: string): string {
    return join(this.path, name);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** A PNG of one colour. */
export function png(width: number, height: number, [r, g, b]: [number, number, number]): Buffer {
  const row = Buffer.concat([Buffer.from([0]), Buffer.from(Array.from({ length: width }, () => [r, g, b]).flat())]);
  return pngOf(width, height, deflateSync(Buffer.concat(Array.from({ length: height }, () => row))));
}

/** A PNG that claims a size, with these compressed pixels, true or not. */
export function pngOf(width: number, height: number, pixels: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/** An NPY file of a formula's numbers. */
export function npy(shape: number[], step: number): Buffer {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(', ')},), }\n`;
  const count = shape.reduce((product, side) => product * side, 1);
  const numbers = Buffer.from(Float32Array.from({ length: count }, (_, at) => ((at * step) % 101) / 17 - 3).buffer);
  const length = Buffer.alloc(2);
  length.writeUInt16LE(header.length);
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), length, Buffer.from(header), numbers]);
}

/** One message of a dialogue. */
export interface Chat {
  role: string;
  type: string;
  content: string;
  key_point?: Record<string, string> | null;
}

/** One dialogue of `test.json`. */
export interface Dialogue {
  idx: number;
  domain: string;
  images: string[];
  chats: Chat[];
}

/** A dialogue with one edit and one question about two pictures of its own. */
export function dialogue(idx: number): Dialogue {
  return {
    idx,
    domain: 'edit',
    images: [`imgs/d${idx}_1.png`, `imgs/d${idx}_2.png`],
    chats: [
      { role: 'user', type: 'text', content: `Paint Image #1 in another colour (${idx}).` },
      { role: 'assistant', type: 'image', content: 'Image #2', key_point: { 'GT #1': 'Compared to <image>, only the colour differs.' } },
      { role: 'user', type: 'text', content: 'Which colour is it now?' },
      { role: 'assistant', type: 'text', content: 'Blue.' },
    ],
  };
}

/** Whether a file holds WEAVEBench's replies, of any judge. */
export const isOfReplies = (name: string): boolean => /metrics(_[\w-]+)?\.jsonl$/u.test(name);

/** One line of `metrics.jsonl` for such a dialogue; the answer is always right, as accuracy knows 0, 5 and 10 only. */
export function metricsLine({ idx, domain }: Dialogue, score: number): string {
  const verdict = { score, reasoning: `Dialogue ${idx} gets ${score}.` };
  return JSON.stringify({
    idx,
    domain,
    'turn 0': { key_point: verdict, visual_consistency: verdict, image_quality: verdict },
    'turn 1': { accuracy: { score: 10, reasoning: 'Right.' } },
  });
}

/** Writes `count` such dialogues with their pictures as `bench/test/…`, and a model `m` that has all outputs as `result/m/…`. */
export function writeSmallBenchmark(folder: TempFolder, count: number, scored = 8): Dialogue[] {
  const dialogues = Array.from({ length: count }, (_, index) => dialogue(index));
  const [before, after] = [png(8, 8, [200, 60, 60]), png(8, 8, [60, 60, 200])];
  for (const { idx } of dialogues) {
    folder.write(`bench/test/imgs/d${idx}_1.png`, before);
    folder.write(`bench/test/imgs/d${idx}_2.png`, after);
    folder.write(`result/m/imgs/d${idx}_2.png`, after);
    folder.write(`result/m/imgs/d${idx}_1_1.txt`, 'Blue.');
  }
  folder.write('bench/test/test.json', JSON.stringify(dialogues));
  folder.write('result/m/metrics.jsonl', dialogues.map((one) => `${metricsLine(one, scored)}\n`).join(''));
  return dialogues;
}

/** Such a benchmark whose model was not judged yet, where every request is to be told from every other by its body; its folders. */
export function writeUnjudged(folder: TempFolder, count: number): string[] {
  for (const { idx } of writeSmallBenchmark(folder, count)) {
    // Also after the pictures were made JPEG.
    const colour = (more: number): Buffer => png(8, 8, [28 * (idx % 8) + more, 28 * ((idx >> 3) % 8) + more, 28 * (idx >> 6) + more]);
    folder.write(`bench/test/imgs/d${idx}_1.png`, colour(0));
    folder.write(`bench/test/imgs/d${idx}_2.png`, colour(10));
    folder.write(`result/m/imgs/d${idx}_2.png`, colour(20));
    folder.write(`result/m/imgs/d${idx}_1_1.txt`, `Blue, like number ${idx}.`);
  }
  folder.write('result/m/metrics.jsonl', '');
  return [folder.at('bench'), folder.at('result')];
}

/** The first demo suite without the file in which all of its files lie together: each is fetched by itself. */
export async function fetchEach(page: Page): Promise<void> {
  await page.route('**/demo/weave/index.json', async (route) => {
    const response = await route.fetch();
    const { together, ...index } = (await response.json()) as Record<string, unknown>;
    if (together === undefined) throw new Error('They do not lie together.');
    await route.fulfill({ response, json: index });
  });
}
