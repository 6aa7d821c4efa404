/** Blind rating by keys alone, files of ratings that merge, agreement, and the check of outputs before judging. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Page } from '../../www/node_modules/@playwright/test';
import { SCHEMES, axe } from './axe';
import { openAlone } from './alone';
import { TempFolder, juror, openFolders, png, pngOf, writeSmallBenchmark } from './helpers';
import { keepNotices, still } from './rest';
import { expect, test } from './visits';

let folder: TempFolder;
test.beforeEach(() => {
  folder = new TempFolder();
});
test.afterEach(() => folder.remove());

/** A name that occurs nowhere by chance. */
const SECRET = 'zyzzogeton';

/** Four dialogues and two models, one of them of a telling name. */
async function openTwo(page: Page): Promise<void> {
  for (const { idx } of writeSmallBenchmark(folder, 4)) {
    folder.write(`result/${SECRET}/imgs/d${idx}_2.png`, png(8, 8, [40 * idx, 120, 30]));
    folder.write(`result/${SECRET}/imgs/d${idx}_1_1.txt`, 'Green.');
  }
  await openAlone(page, [folder.at('bench'), folder.at('result')]);
  await page.goto('./#/rate');
}

interface Writes {
  /** Whether the engine is asked for no write. */
  isHeld: boolean;
  /** Asks for those that were held back. */
  release(): void;
  /** So many were answered. */
  answered: number;
}

declare global {
  interface Window {
    writes: Writes;
  }
}

/** Lets the test hold back what the page has the engine write of ratings. */
async function holdWrites(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const held: (() => void)[] = [];
    const post = Worker.prototype.postMessage as (this: Worker, ...message: unknown[]) => void;
    const writes: Writes = {
      isHeld: false,
      release() {
        writes.isHeld = false;
        for (const ask of held.splice(0)) ask();
      },
      answered: 0,
    };
    window.writes = writes;
    Worker.prototype.postMessage = function (this: Worker, ...message: unknown[]): void {
      const [asked] = message as [{ id?: number; method?: string }];
      const ask = (): void => post.apply(this, message);
      if (asked.method !== 'keepRatings') return ask();
      this.addEventListener('message', ({ data }: MessageEvent<{ id?: number }>) => {
        if (data.id === asked.id) writes.answered += 1;
      });
      if (writes.isHeld) held.push(ask);
      else ask();
    };
  });
}

/** Begins with the pictures' criteria alone. */
async function begin(page: Page, rater: string): Promise<void> {
  await page.getByTestId('rate-name').fill(rater);
  const accuracy = page.getByRole('checkbox', { name: 'Accuracy' });
  if (await accuracy.isChecked()) await accuracy.uncheck();
  await expect(page.getByTestId('rate-sum')).toContainText('8 outputs of 4');
  await page.getByTestId('rate-start').click();
  await expect(page.getByTestId('rate-progress')).toBeVisible();
}

const criterion = (page: Page, at: number) => page.getByTestId('rate-criterion').nth(at);
const kept = (page: Page, at: number) => expect(criterion(page, at)).toHaveAttribute('data-kept', 'kept');
const pressed = (page: Page, at: number) => criterion(page, at).locator('[aria-pressed="true"]');

/** Rates the output on the screen with one score for each of three criteria. */
async function rateOne(page: Page, keys: string): Promise<void> {
  for (let at = 0; at < 3; at += 1) {
    await page.keyboard.type(keys);
    await kept(page, at);
    await page.keyboard.press('Enter');
  }
}

async function csvOf(page: Page): Promise<string[][]> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('rate-export').click()]);
  return readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','));
}

/** Everything that the document holds, shadow roots included. */
const everything = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const of = (root: Document | ShadowRoot): string => {
      let text = root instanceof Document ? root.documentElement.outerHTML : root.innerHTML;
      for (const element of root.querySelectorAll('*')) if (element.shadowRoot !== null) text += of(element.shadowRoot);
      return text;
    };
    return `${document.title} ${location.href} ${of(document)}`;
  });

test('a rater rates by keys alone, sees no name, comes back after a reload, and the file holds every score', async ({ page }) => {
  await openTwo(page);
  await begin(page, 'ann');
  // The input and the output: no request shows the judge the golden answer here.
  await expect(page.locator('juror-blind-picture img')).toHaveCount(2);
  expect(await everything(page)).not.toContain(SECRET);
  expect(await everything(page)).not.toContain('Dialogue 0 gets');
  await page.keyboard.type('10');
  await kept(page, 0);
  await expect(pressed(page, 0)).toHaveText('10');
  await page.keyboard.type('7');
  await kept(page, 1);
  await page.keyboard.press('u');
  await expect(pressed(page, 1)).toHaveCount(0);
  await page.keyboard.type('4');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('3');
  await kept(page, 0);
  await expect(pressed(page, 0)).toHaveText('3');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('5');
  await kept(page, 2);
  await page.keyboard.press('n');
  await page.keyboard.type('Left, hand');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('rate-progress')).toHaveText('1 of 8 rated');
  // A skipped output comes again at the end.
  await page.keyboard.press('s');
  await expect(page.getByRole('heading', { name: 'Output 2 of 8' })).toBeVisible();
  await rateOne(page, '6');
  await expect(page.getByTestId('rate-progress')).toHaveText('2 of 8 rated');
  // What is open is not named while somebody rates, so it is opened from the overview.
  await page.goto('./#/');
  await page.reload();
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
  await page.goto('./#/rate');
  await expect(page.getByTestId('rater')).toContainText('ann');
  await expect(page.getByTestId('rate-kept')).toHaveText(/^\s*ann: 2 of 8 rated;\s*go on\s*$/);
  await page.getByTestId('rate-resume').click();
  await expect(page.getByTestId('rate-progress')).toHaveText('2 of 8 rated');
  for (let at = 0; at < 6; at += 1) await rateOne(page, '8');
  await expect(page.getByTestId('rate-end')).toContainText('All rated');
  await page.getByTestId('rate-leave').click();
  const rows = await csvOf(page);
  expect(rows[0]).toEqual(['sample', 'turn', 'model', 'criterion', 'rater', 'score', 'time', 'note', 'seed']);
  expect(rows).toHaveLength(1 + 8 * 3);
  const scores = rows.slice(1).map((row) => row[5]);
  expect(scores.filter((score) => score === '8')).toHaveLength(18);
  expect(scores.filter((score) => score === '6')).toHaveLength(3);
  expect(scores.filter((score) => ['3', '4', '5'].includes(score ?? '')).sort()).toEqual(['3', '4', '5']);
});

test('who comes back from another view reads how much is kept, and goes on from there', async ({ page }) => {
  await holdWrites(page);
  await openTwo(page);
  await expect(page.getByTestId('rate-sum')).toContainText('outputs');
  await expect(page.getByTestId('rate-kept')).toHaveCount(0);
  await begin(page, 'ann');
  await rateOne(page, '6');
  // Who leaves while scores are being written finds them counted once they are.
  await page.evaluate(() => (window.writes.isHeld = true));
  await page.keyboard.type('777');
  const away = async (): Promise<void> => {
    await page.goto('./#/samples');
    await expect(page.getByTestId('rate-progress')).toHaveCount(0);
    await page.goto('./#/rate');
  };
  await away();
  await expect(page.getByTestId('rate-kept')).toContainText('ann: 1 of 8 rated;');
  await page.evaluate(() => window.writes.release());
  await expect(page.getByTestId('rate-kept')).toContainText('ann: 2 of 8 rated;');
  await page.getByTestId('rate-go-on').click();
  await expect(page.getByRole('heading', { name: 'Output 3 of 8' })).toBeVisible();
  await page.keyboard.type('7');
  await kept(page, 0);
  await away();
  // An output of which one score is given is not rated yet.
  await expect(page.getByTestId('rate-kept')).toContainText('ann: 2 of 8 rated;');
  await page.getByTestId('rate-go-on').click();
  await expect(page.getByTestId('rate-progress')).toHaveText('2 of 8 rated');
  await expect(pressed(page, 0)).toHaveText('7');
  await page.keyboard.press('ArrowLeft');
  for (let at = 0; at < 6; at += 1) await rateOne(page, '8');
  await page.getByTestId('rate-leave').click();
  await expect(page.getByTestId('rate-kept')).toHaveText(/^\s*ann: 8 of 8 rated\.\s*$/);
  await expect(page.getByTestId('rate-go-on')).toHaveCount(0);
});

test('digits fill one criterion after another, none is overwritten, and ten has two ways', async ({ page }) => {
  await openTwo(page);
  await begin(page, 'ann');
  const scores = async (wanted: string[]): Promise<void> => {
    for (const [at, score] of wanted.entries()) await expect(pressed(page, at)).toHaveText(score);
  };
  const output = (number: number) => expect(page.getByRole('heading', { name: `Output ${number} of 8` })).toBeVisible();
  await page.keyboard.type('789');
  await scores(['7', '8', '9']);
  await expect(page.getByTestId('rate-full')).toContainText('Every score is given');
  // A digit more belongs to no criterion.
  await page.keyboard.type('4');
  await scores(['7', '8', '9']);
  await page.keyboard.press('Enter');
  await output(2);
  await page.keyboard.type('10x1');
  await scores(['10', '10', '1']);
  await page.keyboard.press('Enter');
  await output(3);
  // A one that no nought follows is a one.
  await page.keyboard.type('115');
  await scores(['1', '1', '5']);
  await page.keyboard.press('u');
  await page.keyboard.press('u');
  await expect(pressed(page, 0)).toHaveText('1');
  await expect(pressed(page, 1)).toHaveCount(0);
  await expect(pressed(page, 2)).toHaveCount(0);
  // Enter after a score confirms it; a second one passes over a criterion.
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  await page.keyboard.type('2');
  await scores(['1', '3', '2']);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('6');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.type('0');
  await scores(['6', '3', '0']);
  await kept(page, 2);
  await page.getByTestId('rate-leave').click();
  const of = (await csvOf(page)).slice(1).map((row) => row[5]);
  expect(of.sort()).toEqual(['0', '1', '10', '10', '3', '6', '7', '8', '9']);
});

test('an empty sheet has the samples that the choice draws, as on the command line', async ({ page }) => {
  await openTwo(page);
  const template = page.getByTestId('rate-template');
  const sheet = async (): Promise<string> => {
    const [file] = await Promise.all([page.waitForEvent('download'), template.click()]);
    return readFileSync(await file.path(), 'utf8');
  };
  const written = (...options: string[]): string => {
    const path = join(folder.at('bench'), '..', 'sheet.csv');
    juror(['agreement', folder.at('bench'), folder.at('result'), '--template', path, ...options]);
    return readFileSync(path, 'utf8');
  };
  expect(await sheet()).toBe(written());
  await page.goto('./#/rate?n=2&seed=5');
  await expect(page.getByTestId('rate-seed')).toHaveValue('5');
  const part = await sheet();
  expect(part).toBe(written('--per', 'all=2', '--seed', '5'));
  expect(
    new Set(
      part
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[0]),
    ).size,
  ).toBe(2);
});

test('a digit that the scale lacks is said to be none of it and changes nothing', async ({ page }) => {
  await page.goto('./#/rate?demo=micon');
  await page.getByTestId('rate-atoms').check();
  await page.getByTestId('rate-name').fill('ann');
  await page.getByTestId('rate-start').click();
  await page.getByTestId('rate-criterion').first().waitFor();
  await page.keyboard.type('7');
  await expect(page.getByTestId('rate-refused')).toContainText(/7 is not on this scale: \d for /);
  await expect(page.locator('juror-rating-desk [aria-pressed="true"].step')).toHaveCount(0);
  await page.keyboard.type('1');
  await expect(page.getByTestId('rate-refused')).toHaveCount(0);
  await kept(page, 0);
  await expect(page.locator('juror-rating-desk [aria-pressed="true"].step')).toHaveCount(1);
});

test('letters do the same with Shift or Caps Lock while rating', async ({ page }) => {
  await holdWrites(page);
  await openTwo(page);
  await begin(page, 'ann');
  await page.keyboard.type('7');
  await kept(page, 0);
  await page.evaluate(() => (window.writes.isHeld = true));
  await page.keyboard.press('U');
  await expect(pressed(page, 0)).toHaveCount(0);
  await page.keyboard.press('S');
  await expect(page.getByRole('status').filter({ hasText: 'Skipped' })).toBeAttached();
  // It stays said also when what was undone has been written.
  await page.evaluate(() => window.writes.release());
  await expect.poll(() => page.evaluate(() => window.writes.answered)).toBe(2);
  await expect(page.getByRole('status').filter({ hasText: 'Skipped' })).toBeAttached();
  await page.keyboard.press('N');
  await expect(page.getByTestId('rate-note')).toBeFocused();
  await expect(page.getByTestId('rate-note')).toHaveValue('');
});

test('files of two raters merge, the later score counts, and agreement leads to the sample', async ({ page }) => {
  await keepNotices(page);
  await openTwo(page);
  const head = 'sample,turn,model,criterion,rater,score,time\n';
  const rows = (rater: string, scores: number[], time: string): string =>
    scores.map((score, at) => `${at},0,m,image_quality,${rater},${score},${time}\n`).join('');
  const files = [
    { name: 'a.csv', text: head + rows('ann', [8, 8, 7, 1], '2026-11-20T11:00:00.000Z') },
    { name: 'b.csv', text: head + rows('bob', [8, 7, 7, 2], '2026-11-20T11:00:00.000Z') },
    { name: 'old.csv', text: head + rows('ann', [0, 0, 0, 0], '2026-11-19T11:00:00.000Z') },
  ];
  for (const { name, text } of files) {
    await page.getByTestId('rate-import').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    await expect(page.getByRole('region', { name: 'Messages' }).getByText(`4 ratings of ${name} are kept`).first()).toBeVisible();
  }
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('4 of them differ from what was kept before');
  await expect(page.getByTestId('rater')).toHaveCount(2);
  const ann = (await csvOf(page)).filter((row) => row[4] === 'ann').map((row) => row[5]);
  expect(ann).toEqual(['8', '8', '7', '1']);
  await page.goto('./#/agreement');
  await expect(page.getByTestId('people')).toContainText('Image quality');
  const pair = page.getByTestId('agreement').first().locator('tbody tr').filter({ hasText: 'ann – judge not stated' }).filter({ hasText: 'Image quality' });
  await pair.first().getByRole('button').click();
  await expect(page.getByTestId('pair-detail')).toContainText('4 outputs rated by both');
  await expect(page.getByTestId('confusion').locator('tbody tr')).toHaveCount(11);
  const link = page.getByTestId('disagreements').locator('tbody a').first();
  await expect(link).toHaveText('3');
  await link.click();
  await expect(page).toHaveURL(/#\/sample\/3\?/);
});

test('of many disagreements it is said how many there are, and all can be listed', async ({ page }) => {
  await keepNotices(page);
  writeSmallBenchmark(folder, 120);
  const head = 'sample,turn,model,criterion,rater,score,time\n';
  const rows = (rater: string, of: (at: number) => number, n: number): string =>
    Array.from({ length: n }, (_, at) => `${at},0,m,image_quality,${rater},${of(at)},2026-11-20T11:00:00.000Z\n`).join('');
  await openAlone(page, [folder.at('bench'), folder.at('result')]);
  // Two of thirty scores are equal, then ten of 120.
  for (const [n, numEqual, listed, button] of [
    [30, 2, '25 of 28', 'Show all 28'],
    [120, 10, '25 of 110', 'Show the first 100'],
  ] as const) {
    await page.goto('./#/rate');
    for (const [rater, score] of [
      ['ann', () => 8],
      ['bob', (at: number) => (at < numEqual ? 8 : 3 + (at % 4))],
    ] as const) {
      await page
        .getByTestId('rate-import')
        .setInputFiles({ name: `${rater}${n}.csv`, mimeType: 'text/csv', buffer: Buffer.from(head + rows(rater, score, n)) });
      await expect(page.getByRole('region', { name: 'Messages' }).getByText(`${n} ratings of ${rater}${n}.csv are kept`).first()).toBeVisible();
    }
    await page.goto('./#/agreement');
    const pair = page.getByTestId('agreement').locator('tbody tr').filter({ hasText: 'ann – bob' }).filter({ hasText: 'Image quality' });
    await pair.first().getByRole('button').click();
    await expect(page.getByTestId('pair-detail')).toContainText(`${n} outputs rated by both`);
    const list = page.getByTestId('disagreements').locator('tbody tr');
    await expect(list).toHaveCount(25);
    await expect(page.getByTestId('disagreements-count')).toHaveText(listed);
    await page.getByTestId('pair-detail').getByRole('button', { name: button }).press('Enter');
    await expect(list).toHaveCount(n === 30 ? 28 : 100);
    await expect(list.nth(25).getByRole('link')).toBeFocused();
    await expect(page.getByTestId('disagreements-count')).toHaveText(n === 30 ? '28' : '100 of 110');
  }
});

/** A picture of many levels, each of its 64 × 64 pixels so many times as wide and high. */
function patterned(times: number): Buffer {
  const side = 64 * times;
  const row = (y: number): number[] => [
    0,
    ...Array.from({ length: side }, (_, x) => Math.floor(x / times)).flatMap((x) => [20 + x + y, 200 - 3 * x, (x * y) % 97]),
  ];
  return pngOf(side, side, deflateSync(Buffer.from(Array.from({ length: side }, (_, y) => row(Math.floor(y / times))).flat())));
}

test('the check finds copies of inputs, byte for byte and scaled, and their pictures can be enlarged', async ({ page }) => {
  writeSmallBenchmark(folder, 4);
  folder.write('bench/test/imgs/d0_1.png', patterned(1));
  folder.write('result/m/imgs/d0_2.png', patterned(2));
  await openAlone(page, [folder.at('bench'), folder.at('result')]);
  await page.goto('./#/lint');
  await expect(page.getByTestId('lint-sum')).toContainText('8 outputs');
  const found = (code: string) => page.locator(`[data-code="${code}"] [data-testid="lint-finding"]`);
  await expect(found('near_copy')).toHaveCount(0);
  await page.getByTestId('lint-compare').click();
  await expect(page.getByTestId('lint-sum')).toContainText('All contents were compared');
  await expect(found('near_copy')).toHaveCount(1);
  await expect(found('near_copy').locator('.path')).toHaveText('result/m/imgs/d0_2.png');
  await expect(found('near_copy').locator('figcaption')).toHaveText(['Output of m', 'bench/test/imgs/d0_1.png']);
  expect(Number(/^(\d+) of 64 bits$/.exec(await found('near_copy').locator('.chip.num').innerText())?.[1])).toBeLessThanOrEqual(6);
  // The other pictures of model m are one and the same, and the benchmark's as well.
  await expect(found('copied_output')).toHaveCount(3);
  await expect(found('copied_output').locator('img')).toHaveCount(6);
  // What was compared stays so, whichever view was looked at since.
  await page.goto('./#/rate');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Rate');
  await page.goto('./#/lint');
  await expect(page.getByTestId('lint-sum')).toContainText('All contents were compared');
  await expect(found('near_copy')).toHaveCount(1);
  await expect(page.getByTestId('lint-renames')).toBeDisabled();
  const second = found('near_copy').getByRole('button', { name: 'Open bench/test/imgs/d0_1.png' });
  await second.press('Enter');
  const viewer = page.getByRole('dialog');
  await expect(viewer.getByRole('heading')).toContainText('bench/test/imgs/d0_1.png');
  await page.keyboard.press('Escape');
  await expect(viewer).toBeHidden();
  await expect(second).toBeFocused();
});

test('the check names a misnamed output with its sample, and downloads the rename as a script', async ({ page }) => {
  writeSmallBenchmark(folder, 2);
  rmSync(folder.at('result/m/imgs/d1_2.png'));
  folder.write('result/m/imgs/D1-02 output.png', png(8, 8, [1, 2, 3]));
  await openAlone(page, [folder.at('bench'), folder.at('result')]);
  await page.goto('./#/lint');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('lint-renames').click()]);
  expect(readFileSync(await download.path(), 'utf8')).toBe("#!/bin/sh\nmv -n -- 'result/m/imgs/D1-02 output.png' 'result/m/imgs/d1_2.png'\n");
  const misnamed = page.locator('[data-code="misnamed_output"] [data-testid="lint-finding"]');
  await expect(misnamed.locator('.path')).toHaveText('result/m/imgs/d1_2.png');
  await misnamed.getByRole('link').click();
  await expect(page).toHaveURL(/#\/sample\/1\?/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sample 1');
});

test('copies and odd sizes lead to their sample; where no size is usual the sizes are counted', async ({ page }) => {
  writeSmallBenchmark(folder, 4);
  folder.write('bench/test/imgs/d3_1.png', png(8, 8, [9, 200, 60]));
  folder.write('result/m/imgs/d3_2.png', png(8, 8, [9, 200, 60]));
  folder.write('result/m/imgs/d1_2.png', png(20, 10, [1, 2, 3]));
  await openAlone(page, [folder.at('bench'), folder.at('result')]);
  await page.goto('./#/lint');
  const found = (code: string) => page.locator(`[data-code="${code}"] [data-testid="lint-finding"]`);
  await expect(found('odd_size')).toContainText('The picture is 20 × 10, while 3 of 4 outputs are 8 × 8');
  await expect(found('mixed_sizes')).toHaveCount(0);
  await found('odd_size').getByRole('link', { name: 'idx 1, turn 1' }).click();
  await expect(page).toHaveURL(/#\/sample\/1\?.*models=m/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sample 1');
  await page.goto('./#/lint');
  await page.getByTestId('lint-compare').click();
  const copy = found('copied_output').filter({ hasText: 'result/m/imgs/d3_2.png' });
  await copy.getByRole('link', { name: 'idx 3, turn 1' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sample 3');
  // Two and two: no size is that of most.
  folder.write('result/m/imgs/d0_2.png', png(24, 12, [1, 2, 3]));
  await openAlone(page, [folder.at('bench'), folder.at('result')]);
  await page.goto('./#/lint');
  await expect(found('mixed_sizes')).toContainText(
    'The 4 outputs have mixed sizes, and no size is that of most of them: 2 of 8 × 8, 1 of 20 × 10, 1 of 24 × 12. The size of 2 is not that of any picture of its own sample either.',
  );
  await expect(found('odd_size')).toHaveCount(2);
  await expect(found('odd_size').first()).toContainText("while the data set's picture in its place is 8 × 8: another shape");
});

test('rating, agreement and check have no accessibility violation in light and dark', async ({ page }) => {
  const softly = expect.configure({ soft: true });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openTwo(page);
  const check = async (name: string): Promise<void> => {
    for (const [colorScheme, rules] of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await still(page);
      const { violations, passes } = await axe(page, rules).analyze();
      expect(passes.length).toBeGreaterThan(0);
      expect
        .soft(
          violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary ?? ''}`)),
          `${name}, ${colorScheme}`,
        )
        .toEqual([]);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
        const over = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        await softly.poll(over, `${name} at ${width}`).toBeLessThanOrEqual(0);
        if (process.env.JUROR_RATE_SHOTS !== undefined)
          await page.screenshot({ path: `${process.env.JUROR_RATE_SHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: width === 390 });
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    }
  };
  await expect(page.getByTestId('rate-sum')).toContainText('outputs');
  await check('rate-setup');
  await begin(page, 'ann');
  await page.keyboard.type('7');
  await kept(page, 0);
  await check('rate-desk');
  await page.keyboard.press('ArrowLeft');
  for (let at = 0; at < 8; at += 1) await rateOne(page, String(at));
  await page.getByTestId('rate-leave').click();
  await page.goto('./#/agreement');
  await page.getByTestId('agreement').first().locator('tbody button').first().click();
  await expect(page.getByTestId('confusion')).toBeVisible();
  await check('agreement');
  await page.goto('./#/lint');
  await page.getByTestId('lint-compare').click();
  await expect(page.getByTestId('lint-sum')).toContainText('All contents were compared');
  await check('lint');
});
