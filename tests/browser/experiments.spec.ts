/** Levels of a factor beside each other: the page says what the command line says, and its address holds the choice. */
import { readFileSync } from 'node:fs';
import { TempFolder, juror, metricsLine, openFolders, openPage, png, writeSmallBenchmark, type Dialogue } from './helpers';
import { expect, test } from './visits';

interface Found {
  levels: { level: string }[];
  blocks: {
    sentence: string;
    rows: { key: string; cells: { n: number; mean: { value: number } | null; difference: { n: number; value: { value: number } } | null }[] }[];
  }[];
}

const NUM = 6;

/** A model, a level by its name with one reply missing, and one by its file without any reply. */
function writeLevels(folder: TempFolder): string[] {
  const dialogues = writeSmallBenchmark(folder, NUM, 6);
  const write = (model: string, judged: Dialogue[]): void => {
    for (const { idx } of dialogues) folder.write(`result/${model}/imgs/d${idx}_2.png`, png(8, 8, [20 * idx, 60, 200]));
    folder.write(`result/${model}/metrics.jsonl`, judged.map((one) => `${metricsLine(one, one.idx % 2 === 0 ? 8 : 7)}\n`).join(''));
  };
  write('m@context=no', dialogues.slice(1));
  write('other', []);
  folder.write('result/other/variant.json', JSON.stringify({ base: 'm', levels: { context: 'partial' } }));
  return [folder.at('bench'), folder.at('result')];
}

test('levels stand beside each other as on the command line, with a level that nobody judged', async ({ page }) => {
  const folder = new TempFolder();
  try {
    const folders = writeLevels(folder);
    const wanted = JSON.parse(juror(['experiments', ...folders, '--json']).toString('utf8')) as Found;
    expect(wanted.levels.map(({ level }) => level)).toEqual(['base', 'no', 'partial']);
    await openPage(page);
    await openFolders(page, folders);
    await page.getByTestId('tools').click();
    await page.getByRole('link', { name: /^Experiments/ }).click();
    await expect(page).toHaveURL(/#\/experiments/);
    const block = page.getByTestId('experiment');
    await expect(block).toHaveCount(1);
    await expect(block.getByTestId('experiment-sentence')).toHaveText(wanted.blocks[0]?.sentence ?? '');
    const quality = block.locator('tr[data-row="image_quality"] td');
    const cells = wanted.blocks[0]?.rows.find(({ key }) => key === 'image_quality')?.cells ?? [];
    expect(cells.map(({ n }) => n)).toEqual([NUM, NUM - 1, 0]);
    await expect(quality.nth(0)).toContainText(`n = ${NUM}/${NUM}`);
    await expect(quality.nth(1)).toContainText(`n = ${NUM - 1}/${NUM}`);
    await expect(quality.nth(2)).toContainText(cells[1]?.difference?.value.value.toFixed(3) ?? 'none');
    await expect(quality.nth(3)).toContainText('–');
    await expect(quality.nth(3)).toContainText(`n = 0/${NUM}`);

    // The drawing by keys, as elsewhere.
    const marks = block.locator('juror-plot-figure .mark');
    await expect(marks).toHaveCount((wanted.blocks[0]?.rows.length ?? 0) * 3);
    await marks.first().focus();
    await page.keyboard.press('ArrowRight');
    await expect(marks.nth(1)).toBeFocused();

    // Another level first: differences turn, and the address keeps the choice.
    await page.getByTestId('experiments-first').selectOption('no');
    await expect(page).toHaveURL(/of=.*first/);
    await expect(block.locator('thead th').nth(1)).toContainText('first: no');
    await expect(quality.nth(2)).toContainText('−');
    await page.reload();
    await openFolders(page, folders);
    await expect(block.locator('thead th').nth(1)).toContainText('first: no');

    const csv = juror(['experiments', ...folders, '--factor', 'context', '--first', 'no', '--csv']).toString('utf8');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('experiments-csv').click()]);
    expect(readFileSync(await download.path(), 'utf8')).toBe(csv);

    // What the paper prints of the factor, with its place.
    await expect(page.getByTestId('experiments-printed')).toContainText('Figure 6a');
  } finally {
    folder.remove();
  }
});

test('without any level the page says how one is stated', async ({ page }) => {
  const folder = new TempFolder();
  try {
    writeSmallBenchmark(folder, 2);
    await openPage(page);
    await openFolders(page, [folder.at('bench'), folder.at('result')]);
    await page.goto('./#/experiments');
    await expect(page.getByTestId('experiments-none')).toContainText('variant.json');
    await expect(page.getByRole('alert')).toHaveCount(0);
  } finally {
    folder.remove();
  }
});
