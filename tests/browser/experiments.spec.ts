/** Levels of a factor beside each other: the page says what the command line says, and its address holds the choice. */
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DEMO, TempFolder, goTo, juror, metricsLine, openFolders, openPage, png, writeSmallBenchmark, type Dialogue } from './helpers';
import { expect, test } from './visits';
import { unzip } from './zip';

interface Found {
  levels: { level: string }[];
  blocks: {
    sentence: string;
    rows: { key: string; cells: { n: number; mean: { value: number } | null; difference: { n: number; value: { value: number } } | null }[] }[];
  }[];
}

interface Crossed {
  by_levels: string[];
  blocks: { sentence: string; rows: { key: string; by_level: string; cells: { interaction: { value: { value: number } } | null }[] }[] }[];
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

test('two factors are crossed as on the command line, with an empty cell said and the choice in the address', async ({ page }) => {
  const folder = new TempFolder();
  try {
    const dialogues = writeSmallBenchmark(folder, NUM, 6);
    const scores: Record<string, (idx: number) => number> = {
      'm@order=switched': (idx) => 7 + (idx % 2),
      'm@format=png': () => 5,
      'm@order=switched@format=png': (idx) => 9 + (idx % 2),
      'm@format=jpg': () => 4,
    };
    for (const [model, score] of Object.entries(scores)) {
      for (const { idx } of dialogues) folder.write(`result/${model}/imgs/d${idx}_2.png`, png(8, 8, [20 * idx, 60, 200]));
      folder.write(`result/${model}/metrics.jsonl`, dialogues.map((one) => `${metricsLine(one, score(one.idx))}\n`).join(''));
    }
    const folders = [folder.at('bench'), folder.at('result')];
    const options = ['experiments', ...folders, '--factor', 'order', '--by-factor', 'format'];
    const wanted = JSON.parse(juror([...options, '--json']).toString('utf8')) as Crossed;
    expect(wanted.by_levels).toEqual(['base', 'jpg', 'png']);
    await openPage(page);
    await openFolders(page, folders);
    await goTo(page, '#/experiments?of=factor%3Dorder');
    await expect(page.getByTestId('experiment')).toHaveCount(2);
    await expect(page.getByTestId('experiments-notes')).toContainText('format differ as well');
    await expect(page.getByTestId('experiments-by-factor')).toHaveValue('');
    await page.getByTestId('experiments-by-factor').selectOption('format');
    await expect(page).toHaveURL(/by-factor/);
    const block = page.getByTestId('experiment');
    await expect(block).toHaveCount(1);
    await expect(block.getByTestId('experiment-sentence')).toHaveText(wanted.blocks[0]?.sentence ?? '');
    const cells = wanted.blocks[0]?.rows.find((row) => row.key === 'image_quality' && row.by_level === 'png')?.cells ?? [];
    const apart = cells[1]?.interaction?.value.value ?? Number.NaN;
    expect(apart).toBeGreaterThan(0.1);
    const rowAt = (level: string) => block.locator(`tr[data-row="image_quality"][data-level="${level}"]`);
    await expect(rowAt('png').getByTestId('interaction')).toContainText(`+${apart.toFixed(3)}`);
    await expect(rowAt('base').getByTestId('interaction')).toHaveCount(0);
    await expect(rowAt('jpg').locator('td').nth(2)).toContainText('–');
    await expect(page.getByTestId('experiments-notes')).toContainText('order = switched with format = jpg');

    await page.reload();
    await openFolders(page, folders);
    await expect(page.getByTestId('experiments-by-factor')).toHaveValue('format');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('experiments-csv').click()]);
    expect(readFileSync(await download.path(), 'utf8')).toBe(juror([...options, '--csv']).toString('utf8'));
    await page.getByTestId('experiments-by-factor').selectOption('');
    await expect(block).toHaveCount(2);
    await expect(page).not.toHaveURL(/by-factor/);
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

test('levels are judged by several judges together, as on the command line', async ({ page }) => {
  const folder = new TempFolder();
  try {
    const dialogues = writeSmallBenchmark(folder, NUM, 6);
    const records: string[] = [];
    for (const model of ['m', 'm@context=no'])
      for (const { idx } of dialogues)
        for (const [at, judge] of ['a', 'b', 'c'].entries()) {
          folder.write(`result/${model}/imgs/d${idx}_2.png`, png(8, 8, [20 * idx, 60, 200]));
          const score = { score: model === 'm' ? [3, 8, 8][at] : [9, 4, idx % 2 === 0 ? 4 : 5][at], reasoning: 'r' };
          records.push(
            JSON.stringify({
              format: 'juror-journal/1',
              protocol: 'weave',
              model,
              sample: String(idx),
              turn: 0,
              criterion: 'image_quality',
              judge,
              run: 1,
              time: '',
              reply: JSON.stringify(score),
              error: null,
            }),
          );
        }
    folder.write('result/m/metrics.jsonl', '');
    folder.write('replies/journal.jsonl', `${records.join('\n')}\n`);
    const folders = [folder.at('bench'), folder.at('result'), folder.at('replies')];
    await openPage(page);
    await openFolders(page, folders);
    await goTo(page, '#/experiments?of=factor%3Dcontext');
    const block = page.getByTestId('experiment');
    await expect(block).toHaveCount(1);
    await page.getByTestId('experiments-judge').selectOption({ label: 'several together…' });
    const dialog = page.getByRole('dialog', { name: 'Judges together' });
    await dialog.getByLabel('Majority').check();
    await dialog.getByTestId('panel-score').click();
    await expect(dialog).toBeHidden();
    const panel = 'panel:majority(a,b,c)';
    await expect(page.getByTestId('experiments-judge')).toHaveValue(panel);
    const wanted = JSON.parse(juror(['experiments', ...folders, '--factor', 'context', '--judge', panel, '--json']).toString('utf8')) as Found;
    expect(wanted.blocks).toHaveLength(1);
    await expect(block.getByTestId('experiment-sentence')).toHaveText(wanted.blocks[0]?.sentence ?? '');
    const cells = wanted.blocks[0]?.rows.find(({ key }) => key === 'image_quality')?.cells ?? [];
    await expect(block.locator('tr[data-row="image_quality"] td').first()).toContainText(cells[0]?.mean?.value.toFixed(3) ?? 'none');
    await page.getByTestId('experiments-judge').selectOption({ label: 'who scored most' });
    await expect(page).not.toHaveURL(/panel/);
  } finally {
    folder.remove();
  }
});

test('the ZIP of varied inputs is the folder of the command line, of the samples that the list has', async ({ page }) => {
  const folder = new TempFolder();
  try {
    const suite = join(DEMO, '../multiref');
    const written = (name: string, ...options: string[]): Map<string, Buffer> => {
      const out = folder.at(name);
      juror(['inputs', suite, '--model', 'aurora-synth', '--vary', 'bbox_format=white', '--out', out, ...options]);
      const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
      return new Map(
        files.map((one): [string, Buffer] => {
          const path = join(one.parentPath, one.name);
          return [relative(out, path), readFileSync(path)];
        }),
      );
    };
    const zipped = async (): Promise<Map<string, Buffer>> => {
      const dialog = page.getByTestId('input-dialog');
      await page.getByRole('button', { name: 'Generator input' }).first().click();
      await dialog.getByTestId('input-variant').selectOption({ index: 1 });
      await expect(dialog.locator('juror-parts').first()).toBeVisible();
      const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByTestId('input-all').click()]);
      const entries = unzip(readFileSync(await file.path()));
      await page.keyboard.press('Escape');
      return new Map(entries.map(({ name, data }): [string, Buffer] => [name, Buffer.from(data as Uint8Array)]));
    };
    await openPage(page);
    await openFolders(page, [suite]);
    for (const [name, hash, ...options] of [
      ['whole', ''],
      ['part', '?q=id~corner', '--filter', 'id~corner'],
    ] as const) {
      await goTo(page, `#/sample/synthetic%2Fcorner${hash}`);
      const [found, wanted] = [await zipped(), written(name, ...options)];
      expect([...found.keys()].sort()).toEqual([...wanted.keys()].sort());
      for (const [path, bytes] of wanted) expect(found.get(path)?.equals(bytes), path).toBe(true);
      const list = wanted.get('inputs.jsonl')?.toString('utf8').trimEnd().split('\n');
      expect(list).toHaveLength(name === 'whole' ? 2 : 1);
    }
  } finally {
    folder.remove();
  }
});
