/** What the engine's host promises: a crash loses nothing, and files that replace others do not do so in silence. */
import type { Page, Worker as PageWorker } from '../../www/node_modules/@playwright/test';
import {
  closeAll,
  dialogue,
  exported,
  exportedReport,
  metricsLine,
  openFolders,
  openPage,
  png,
  settled,
  showBelow,
  TempFolder,
  writeSmallBenchmark,
} from './helpers';
import { keepNotices } from './rest';
import { expect, test } from './visits';

/** Judge texts of our own under the names that the authors' script gives theirs. */
const PROMPTS = ['prompt_keypoint_checklist', 'prompt_visual_consistency', 'prompt_image_quality', 'prompt_txt_acc'];

const pack = (page: Page) => page.locator('juror-overview .pack select');
const chosenPack = (page: Page): Promise<string> => pack(page).evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.textContent?.trim() ?? '');
/** The worker that the engine runs in; those of decoders stand beside it. */
function engineOf(page: Page): PageWorker {
  const engine = page.workers().find((worker) => worker.url().includes('/engine.worker-'));
  if (engine === undefined) throw new Error('The page has no engine.');
  return engine;
}

const warning = (page: Page) => page.locator('juror-app .notice.warn');

test('reloading a crashed engine brings back files, pasted replies and the prompt pack', async ({ page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 3);
  folder.write('bench/eval/prompts.py', PROMPTS.map((name) => `${name} = """Rate ${name} from 0 to 10 as JSON."""\n`).join(''));
  await openPage(page);
  await closeAll(page);
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
  await expect.poll(() => chosenPack(page)).toContain('bench/eval/prompts.py');
  await pack(page).selectOption({ index: 0 });
  await expect.poll(() => chosenPack(page)).not.toContain('bench/eval/prompts.py');
  const chosen = await chosenPack(page);
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

  await engineOf(page).evaluate(() => {
    setTimeout(() => {
      throw new Error('made to fail');
    });
  });
  const banner = page.getByRole('alert').filter({ hasText: 'The engine stopped.' });
  await expect(banner).toContainText('made to fail');
  await banner.getByRole('button', { name: 'Reload engine' }).click();
  await expect(banner).toBeHidden();
  await settled(page, 'result');
  // Replies and pack come back when all files are read; the files alone would choose their own texts.
  await expect.poll(() => chosenPack(page)).toBe(chosen);
  expect((await exported(page, 'export-journal')).toString('utf8')).toBe(journal.toString('utf8'));
  expect(await exportedReport(page)).toEqual(report);
  folder.remove();
});

test('two folders of one name are told apart from one folder that is opened again', async ({ page }) => {
  await keepNotices(page);
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 4);
  const other = new TempFolder();
  for (let idx = 0; idx < 4; idx += 1) other.write(`result/m/imgs/d${idx}_2.png`, png(9, 9, [10 * idx, 200, 20]));
  other.write('result/m/metrics.jsonl', [0, 1, 2, 3].map((idx) => `${metricsLine(dialogue(idx), 1)}\n`).join(''));
  await openPage(page);
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
  await openFolders(page, [folder.at('result')]);
  await expect(page.locator('juror-app .notice.info')).toContainText('9 files of result were open already');
  await expect(warning(page)).toBeHidden();
  await showBelow(page, 'files');
  await expect(page.locator('juror-files')).toHaveText('No problems found.');

  await openFolders(page, [other.at('result')]);
  await expect(warning(page)).toContainText('5 files of result replaced what was opened before');
  await expect(page.getByTestId('problem')).toContainText(['5 files of result replaced']);
  const report = await exportedReport(page);
  expect(report.samples.filter(({ criterion, score }) => criterion === 'key_point' && score === 1)).toHaveLength(4);
  folder.remove();
  other.remove();
});

test('the demo suite needs the small engine alone; where the whole one cannot be fetched, opening says so and works later', async ({ context, page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 2);
  const asked: string[] = [];
  await context.route('**/juror_web*', (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  await openPage(page);
  await expect(page.getByTestId('overview-table')).toBeVisible();
  // Results alone do not tell which benchmark they are of.
  await page.getByTestId('input-folder').setInputFiles(folder.at('result'));
  await expect(page.locator('juror-app .notice.error')).toContainText('The rest of the engine could not be fetched');
  expect(asked.length).toBeGreaterThan(0);
  await context.unroute('**/juror_web*');
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
  expect((await exportedReport(page)).samples.length).toBeGreaterThan(0);
  folder.remove();
});

/** What the engine's worker is asked and answers, past the page's own client. */
interface Asker {
  ask(id: number, method: string, args: unknown[]): void;
  abort(id: number): void;
  /** Ids of answers, in the order in which they came. */
  answered: number[];
  /** The page's own client asks nothing more. */
  isAlone: boolean;
  /** What that client has asked and has no answer to. */
  asked: Set<number>;
}

declare global {
  interface Window {
    asker: Asker;
  }
}

/** Lets the test speak with the worker that the page starts first, its engine. */
async function listenIn(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // Numbers that the page's client does not come to.
    const isOurs = (id: number): boolean => id >= 1_000_000;
    let engine: Worker | null = null;
    const asker: Asker = {
      ask: (id, method, args) => engine?.postMessage({ id, method, args }),
      abort: (id) => engine?.postMessage({ abort: id }),
      answered: [],
      isAlone: false,
      asked: new Set(),
    };
    window.asker = asker;
    window.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        if (engine !== null) return;
        engine = this;
        this.addEventListener('message', ({ data }: MessageEvent<{ id?: number }>) => {
          if (data.id === undefined) return;
          if (isOurs(data.id)) asker.answered.push(data.id);
          else asker.asked.delete(data.id);
        });
      }

      override postMessage(message: { id?: number; method?: string; abort?: number }, more?: Transferable[] | StructuredSerializeOptions): void {
        if (message.abort !== undefined) asker.asked.delete(message.abort);
        if (this === engine && message.id !== undefined && message.method !== undefined && !isOurs(message.id)) {
          if (asker.isAlone) return;
          asker.asked.add(message.id);
        }
        super.postMessage(message, more as StructuredSerializeOptions);
      }
    };
  });
}

/** The pauses of a worker's script in which it lets messages in, held back until it is told to go on. */
interface Pauses {
  held: (() => void)[];
  release(): void;
}

/** Holds such pauses back from now on. */
async function holdPauses(engine: PageWorker): Promise<{ count(): Promise<number>; end(count: number): Promise<void>; release(): Promise<void> }> {
  await engine.evaluate(() => {
    const own = globalThis.setTimeout;
    const held: (() => void)[] = [];
    globalThis.setTimeout = ((call: () => void, ms = 0) => (ms === 0 ? held.push(call) : own(call, ms))) as typeof setTimeout;
    const release = (): void => {
      globalThis.setTimeout = own;
      for (const end of held.splice(0)) end();
    };
    Object.assign(globalThis, { pauses: { held, release } satisfies Pauses });
  });
  return {
    count: () => engine.evaluate(() => (globalThis as unknown as { pauses: Pauses }).pauses.held.length),
    end: (count) =>
      engine.evaluate((first) => {
        for (const end of (globalThis as unknown as { pauses: Pauses }).pauses.held.splice(0, first)) end();
      }, count),
    release: () => engine.evaluate(() => (globalThis as unknown as { pauses: Pauses }).pauses.release()),
  };
}

test('a long search is gone through in parts: other questions are answered meanwhile, and one that nobody wants any more ends', async ({ page }) => {
  const folder = new TempFolder();
  const dialogues = writeSmallBenchmark(folder, 20);
  // 1.2 MB of replies, none of which holds what is looked for: several times a search's first part.
  const verdict = { score: 8, reasoning: 'abc def 123 '.repeat(1700) };
  const line = ({ idx, domain }: (typeof dialogues)[number]): string =>
    JSON.stringify({
      idx,
      domain,
      'turn 0': { key_point: verdict, visual_consistency: verdict, image_quality: verdict },
      'turn 1': { accuracy: { score: 10, reasoning: 'Right.' } },
    });
  folder.write('result/m/metrics.jsonl', dialogues.map((one) => `${line(one)}\n`).join(''));
  await listenIn(page);
  await openPage(page);
  await closeAll(page);
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
  const options = { profile: 'paper', policy: null, judge: null, run: null };
  const query = (q: string) => ({ options, q, sort: 'index', criterion: '', seed: 1, limit: 0, a: '', b: '', from: 0, len: 10, around: '' });
  const answered = (): Promise<number[]> => page.evaluate(() => window.asker.answered);
  const search = (id: number, q: string) => page.evaluate(([id, long]) => window.asker.ask(id as number, 'samples', [long]), [id, query(q)] as const);
  const sample = (id: number, name: string) => page.evaluate(([id, ...asked]) => window.asker.ask(id as number, 'sample', asked), [id, name, options] as const);
  const engine = engineOf(page);
  await page.evaluate(() => (window.asker.isAlone = true));
  await expect.poll(() => page.evaluate(() => window.asker.asked.size)).toBe(0);
  // What was withdrawn before this is over with it.
  await sample(1_000_000, '1');
  await expect.poll(answered).toEqual([1_000_000]);
  await page.evaluate(() => (window.asker.answered.length = 0));

  let pauses = await holdPauses(engine);
  await search(1_000_001, 'reply~/[a-c]{3} [d-f]{3} [0-9]{4}/');
  await expect.poll(pauses.count).toBe(1);
  await sample(1_000_002, '7');
  await expect.poll(pauses.count).toBe(2);
  // The search looks into its first part and pauses; then comes the other question.
  await pauses.end(1);
  await expect.poll(pauses.count).toBe(2);
  await pauses.end(1);
  await expect.poll(answered).toEqual([1_000_002]);
  await pauses.release();
  await expect.poll(answered).toEqual([1_000_002, 1_000_001]);

  pauses = await holdPauses(engine);
  await search(1_000_003, 'reply~/[a-c]{3} [d-f]{3} [0-9]{5}/');
  await expect.poll(pauses.count).toBe(1);
  await pauses.end(1);
  await expect.poll(pauses.count).toBe(1);
  await page.evaluate(() => window.asker.abort(1_000_003));
  await search(1_000_004, 'reply~/[a-c]{3} [d-f]{3} [0-9]{6}/');
  await sample(1_000_005, '8');
  await expect.poll(pauses.count).toBe(3);
  // It looks into no other part; the two others have not begun.
  await pauses.end(1);
  await expect.poll(pauses.count).toBe(2);
  await pauses.release();
  await expect.poll(answered).toEqual([1_000_002, 1_000_001, 1_000_005, 1_000_004]);
  folder.remove();
});
