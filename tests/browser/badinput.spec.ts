/** Broken files: each is told with its name and the place in it, and the rest still loads. */
import { readFileSync } from 'node:fs';
import type { Page } from '../../www/node_modules/@playwright/test';
import {
  coverage,
  type Dialogue,
  exportedReport,
  goTo,
  jurorScore,
  metricsLine,
  numbers,
  openFolders,
  openPage,
  overallTotal,
  pngOf,
  showBelow,
  shownMean,
  TempFolder,
  writeSmallBenchmark,
} from './helpers';
import { expect, test } from './visits';

const COUNT = 60;

let folder: TempFolder;
let dialogues: Dialogue[];

test.beforeEach(() => {
  folder = new TempFolder();
  dialogues = writeSmallBenchmark(folder, COUNT);
});

test.afterEach(() => folder.remove());

async function openAll(page: Page): Promise<void> {
  await openPage(page);
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
}

/** The one problem of this kind, which has to name the file and the place. */
async function expectProblem(page: Page, code: string, path: string, place: string, words: RegExp): Promise<void> {
  await showBelow(page, 'files');
  const found = page.locator(`[data-testid="problem"][data-code="${code}"]`);
  await expect(found).toHaveCount(1);
  await found.scrollIntoViewIfNeeded();
  await expect(found).toBeVisible();
  await expect(found.locator('.path')).toHaveText(path);
  await expect(found.locator('.where')).toHaveText(place === '' ? path : `${path}, ${place}`);
  await expect(found.locator('.message')).toHaveText(words);
}

/** What is shown after all is what the command line makes of the same files. */
async function expectSameAsNative(page: Page): Promise<void> {
  const native = jurorScore([folder.at('bench'), folder.at('result')]);
  await expect(shownMean(page, 'm')).toHaveText(overallTotal(native, 'm'));
  expect(numbers(await exportedReport(page))).toEqual(numbers(native));
}

test('a folder without a fault has no problem to show', async ({ page }) => {
  await openAll(page);
  await expect(coverage(page, 'm')).toHaveText(`${2 * COUNT}/${2 * COUNT}`);
  await showBelow(page, 'files');
  await expect(page.locator('juror-files')).toHaveText('No problems found.');
  await expectSameAsNative(page);
});

test('a test.json that is not JSON is named with line and column, and replies are still scored', async ({ page }) => {
  const text = JSON.stringify(dialogues, null, 1);
  const at = text.indexOf('"domain"');
  folder.write('bench/test/test.json', `${text.slice(0, at)}domain${text.slice(at + 8)}`);
  await openAll(page);
  await expectProblem(page, 'bad_json', 'bench/test/test.json', 'line 4, column 3', /not JSON/);
  await expect(coverage(page, 'm')).toHaveText(`${2 * COUNT}/${2 * COUNT}`);
  await expectSameAsNative(page);
});

test('a wrong type in the 50th item is named, and the other 59 load', async ({ page }) => {
  const broken: unknown[] = structuredClone(dialogues);
  broken[49] = { ...dialogues[49], images: 7 };
  folder.write('bench/test/test.json', JSON.stringify(broken));
  await openAll(page);
  await expectProblem(page, 'bad_item', 'bench/test/test.json', 'item 50 (idx 49), images', /^Expected a list of paths/);
  await expect(page.locator('juror-overview .facts')).toContainText(`${COUNT - 1} dialogues`);
  await expect(page.locator('juror-overview .facts')).toContainText('1 dialogue unreadable');
  await expectSameAsNative(page);
});

test('a picture that the list names and nobody has is named with its dialogue', async ({ page }) => {
  const broken = structuredClone(dialogues);
  const other = broken[7];
  if (other === undefined) throw new Error('There is no eighth dialogue.');
  other.images[0] = 'imgs/nowhere.png';
  folder.write('bench/test/test.json', JSON.stringify(broken));
  await openAll(page);
  await expectProblem(page, 'missing_picture', 'bench/test/test.json', 'idx 7, Image #1', /bench\/test\/imgs\/nowhere\.png/);
  await expect(page.locator('juror-overview .facts')).toContainText('1 missing');
  await expectSameAsNative(page);
});

test('a picture that is none is named, and its turn is an incident', async ({ page }) => {
  folder.write('result/m/imgs/d3_2.png', '<html>503 Service Unavailable</html>');
  await openAll(page);
  await expectProblem(page, 'not_a_picture', 'result/m/imgs/d3_2.png', '', /Expected a PNG/i);
  await showBelow(page, 'incidents');
  await expect(page.locator('[data-testid="incident"][data-kind="unreadable_output"] td')).toHaveText('1 output3 scores');
  await expectSameAsNative(page);
  await goTo(page, '#/sample/3');
  await expect(page.locator('juror-turn[data-turn="0"] juror-output')).toContainText(/Expected a PNG/i);
});

test('a picture that is cut off behind a sound header is found, and counts as unreadable in the page and the command line', async ({ page }) => {
  const whole = readFileSync(folder.at('result/m/imgs/d3_2.png'));
  folder.write('result/m/imgs/d3_2.png', whole.subarray(0, whole.length - 30));
  await openAll(page);
  await expectProblem(page, 'corrupt_picture', 'result/m/imgs/d3_2.png', '', /pixels cannot be decoded|cut off/i);
  await showBelow(page, 'incidents');
  await expect(page.locator('[data-testid="incident"][data-kind="unreadable_output"] td')).toHaveText('1 output3 scores');
  await expectSameAsNative(page);
});

test('a picture that claims 20,000 × 20,000 pixels is refused by its header', async ({ page }) => {
  folder.write('result/m/imgs/d3_2.png', pngOf(20_000, 20_000, Buffer.alloc(64)));
  await openAll(page);
  await expectProblem(page, 'not_a_picture', 'result/m/imgs/d3_2.png', '', /20,?000 × 20,?000/);
  await expectSameAsNative(page);
});

test('half a line in metrics.jsonl is named by its number, and the other lines count', async ({ page }) => {
  const lines = dialogues.map((one) => metricsLine(one, 8));
  lines[30] = (lines[30] ?? '').slice(0, 90);
  folder.write('result/m/metrics.jsonl', `${lines.join('\n')}\n`);
  await openAll(page);
  await expectProblem(page, 'bad_line', 'result/m/metrics.jsonl', 'line 31', /not JSON/);
  await expect(coverage(page, 'm')).toHaveText(`${2 * (COUNT - 1)}/${2 * COUNT}`);
  await expectSameAsNative(page);
});

test('with everything broken at once nothing hides another', async ({ page }) => {
  const broken: unknown[] = structuredClone(dialogues);
  broken[49] = { ...dialogues[49], chats: 'none' };
  broken[7] = { ...dialogues[7], images: ['imgs/nowhere.png', 'imgs/d7_2.png'] };
  folder.write('bench/test/test.json', JSON.stringify(broken));
  folder.write('bench/test/imgs/d5_1.png', 'text');
  folder.write('result/m/imgs/d3_2.png', pngOf(20_000, 20_000, Buffer.alloc(64)));
  const lines = dialogues.map((one) => metricsLine(one, 8));
  folder.write('result/m/metrics.jsonl', `${lines.slice(0, -1).join('\n')}\n${(lines.at(-1) ?? '').slice(0, 50)}`);
  await openAll(page);
  await showBelow(page, 'files');
  const codes = async (): Promise<string[]> => [
    ...new Set(await page.getByTestId('problem').evaluateAll((all) => all.map((one) => one.getAttribute('data-code') ?? ''))),
  ];
  // Dialogue 49 is left out, so its line and its outputs are about a dialogue that the benchmark does not have.
  await expect
    .poll(async () => (await codes()).sort())
    .toEqual(['bad_item', 'bad_line', 'misnamed_files', 'missing_picture', 'not_a_picture', 'unknown_dialogue', 'unrecognised_answers']);
  await expectSameAsNative(page);
});
