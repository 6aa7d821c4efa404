/** What the engine's host promises: a crash loses nothing, and files that replace others do not do so in silence. */
import { expect, test, type Page } from '../../www/node_modules/@playwright/test';
import { TempFolder, closeAll, dialogue, exported, exportedReport, metricsLine, openFolders, openPage, png, settled, writeSmallBenchmark } from './helpers';

/** Judge texts of our own under the names that the authors' script gives theirs. */
const PROMPTS = ['prompt_keypoint_checklist', 'prompt_visual_consistency', 'prompt_image_quality', 'prompt_txt_acc'];

const pack = (page: Page) => page.locator('juror-overview .pack select');
const chosenPack = (page: Page): Promise<string> => pack(page).evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.textContent?.trim() ?? '');
const warning = (page: Page) => page.locator('juror-app .notice.warn');

test('reloading a crashed engine brings back files, pasted replies and the prompt pack', async ({ page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 3);
  folder.write('bench/eval/prompts.py', PROMPTS.map((name) => `${name} = """Rate ${name} from 0 to 10 as JSON."""\n`).join(''));
  await openPage(page);
  await closeAll(page);
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
  await expect.poll(() => chosenPack(page)).toContain('official');
  await pack(page).selectOption({ index: 0 });
  await expect.poll(() => chosenPack(page)).not.toContain('official');
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

  const [engine] = page.workers();
  await engine?.evaluate(() => {
    setTimeout(() => {
      throw new Error('made to fail');
    });
  });
  const banner = page.getByRole('alert').filter({ hasText: 'The engine stopped.' });
  await expect(banner).toContainText('made to fail');
  await banner.getByRole('button', { name: 'Reload engine' }).click();
  await expect(banner).toBeHidden();
  await settled(page, 'result');
  // Replies and pack come back when all files are read; the files alone would choose the official texts.
  await expect.poll(() => chosenPack(page)).not.toContain('official');
  expect((await exported(page, 'export-journal')).toString('utf8')).toBe(journal.toString('utf8'));
  expect(await exportedReport(page)).toEqual(report);
  folder.remove();
});

test('two folders of one name are told apart from one folder that is opened again', async ({ page }) => {
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
  await expect(page.getByTestId('problem')).toHaveCount(0);

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
  await expect(page.locator('juror-app .notice.error')).toContainText('The engine with all benchmarks could not be fetched');
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
}

declare global {
  interface Window {
    asker: Asker;
  }
}

/** Lets the test speak with the worker that the page starts first, its engine. */
async function listenIn(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const answered: number[] = [];
    let engine: Worker | null = null;
    window.asker = {
      ask: (id, method, args) => engine?.postMessage({ id, method, args }),
      abort: (id) => engine?.postMessage({ abort: id }),
      answered,
    };
    window.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        if (engine !== null) return;
        engine = this;
        // Numbers that the page's client does not come to.
        this.addEventListener('message', ({ data }) => {
          if (typeof data?.id === 'number' && data.id >= 1_000_000) answered.push(data.id);
        });
      }
    };
  });
}

test('a long search is gone through in parts: other questions are answered meanwhile, and one that nobody wants any more ends', async ({ page }) => {
  const folder = new TempFolder();
  const dialogues = writeSmallBenchmark(folder, 200);
  // 12 MB of replies, none of which holds what is looked for.
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

  await page.evaluate(
    ([long, sample]) => {
      window.asker.ask(1_000_001, 'samples', [long]);
      window.asker.ask(1_000_002, 'sample', sample as unknown[]);
    },
    [query('reply~/[a-c]{3} [d-f]{3} [0-9]{4}/'), ['7', options]],
  );
  await expect.poll(answered).toEqual([1_000_002, 1_000_001]);

  await page.evaluate(
    ([long, other, sample]) => {
      window.asker.ask(1_000_003, 'samples', [long]);
      setTimeout(() => {
        window.asker.abort(1_000_003);
        window.asker.ask(1_000_004, 'samples', [other]);
        window.asker.ask(1_000_005, 'sample', sample as unknown[]);
      }, 1);
    },
    [query('reply~/[a-c]{3} [d-f]{3} [0-9]{5}/'), query('reply~/[a-c]{3} [d-f]{3} [0-9]{6}/'), ['8', options]],
  );
  await expect.poll(answered).toEqual([1_000_002, 1_000_001, 1_000_005, 1_000_004]);
  folder.remove();
});
