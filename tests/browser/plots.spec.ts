/** Plots and the choice of judge and run: marks that keys reach and that open what is behind them, exports that say the same. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Download, Page } from '../../www/node_modules/@playwright/test';
import { fitted, widthOf } from '../../www/src/components/plot-figure/chart';
import { SCHEMES, axe } from './axe';
import { DEMO, exportedReport, goTo, jurorScore, numbers, openPage, shown, still } from './helpers';
import { expect, test } from './visits';

const KINDS = ['', '/references', '/distribution', '/heat', '/multiples', '/pairs', '/shares', '/difference', '/scatter'];

async function figure(page: Page): Promise<void> {
  await shown(page);
  await expect(page.getByTestId('sentence')).toBeVisible();
  await expect(page.locator('juror-plot-figure .mark').first()).toBeAttached();
}

async function saved(page: Page, what: 'svg' | 'csv'): Promise<string> {
  const [file]: [Download, void] = await Promise.all([page.waitForEvent('download'), page.getByTestId(what).click()]);
  return readFileSync(await file.path(), 'utf8');
}

/** Rows of a CSV without quoted fields. */
function rowsOf(csv: string): Record<string, string>[] {
  const [head = '', ...lines] = csv.trimEnd().split('\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((field, at) => [names[at] ?? '', field])));
}

for (const kind of KINDS) {
  test(`plot ${kind === '' ? 'of scores' : kind.slice(1)}: no accessibility violation in light and dark, nothing sticks out at 390 px`, async ({ page }) => {
    await openPage(page, `#/plots${kind}?demo=multibanana`);
    await figure(page);
    for (const [colorScheme, rules] of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await still(page);
      const { violations, passes } = await axe(page, rules).analyze();
      expect(passes.length).toBeGreaterThan(0);
      expect
        .soft(
          violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`)),
          colorScheme,
        )
        .toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await figure(page);
  });
}

test('in a plot’s key names in Chinese are given the room that they take, and are cut between letters', () => {
  const [latin, chinese, emoji] = ['model-under-test'.repeat(4), '多模态统一图像生成模型'.repeat(6), '🍌'.repeat(40)];
  expect(widthOf(chinese)).toBeGreaterThanOrEqual(12 * chinese.length);
  expect(widthOf(latin)).toBeLessThan(12 * latin.length);
  for (const name of [latin, chinese, emoji]) {
    const cut = fitted(name, 200);
    expect(cut).toMatch(/^.+…$/u);
    expect(widthOf(cut)).toBeLessThanOrEqual(200);
    expect(name.startsWith(cut.slice(0, -1))).toBe(true);
    expect(cut.isWellFormed()).toBe(true);
    expect(fitted(name, widthOf(name))).toBe(name);
  }
});

test('a plot is found in the menu, and its marks are walked by the arrow keys and opened by Enter', async ({ page }) => {
  await openPage(page);
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Plots' }).click();
  await figure(page);
  const marks = page.locator('juror-plot-figure .mark');
  await expect.poll(() => marks.count()).toBeGreaterThan(6);
  await page.getByTestId('csv').focus();
  await page.keyboard.press('Tab');
  await expect(marks.nth(0)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(marks.nth(1)).toBeFocused();
  const words = (await marks.nth(1).getAttribute('aria-label')) ?? '';
  await expect(page.locator('juror-plot-figure .readout')).toHaveText(words);
  await page.keyboard.press('Enter');
  const dialog = page.locator('juror-plots juror-cell-dialog dialog');
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Samples behind this number' })).toBeVisible();
  expect(words).toContain(await dialog.locator('.big').innerText());
  await page.keyboard.press('Escape');
  await expect(marks.nth(1)).toBeFocused();
  await page.keyboard.press('End');
  await expect(marks.last()).toBeFocused();
  // One stop for Tab, however many marks.
  await expect(page.locator('juror-plot-figure .mark[tabindex="0"]')).toHaveCount(1);
});

test('the CSV of a plot of scores has the means of the command line', async ({ page }) => {
  await openPage(page, '#/plots?demo=micon');
  await figure(page);
  const rows = rowsOf(await saved(page, 'csv'));
  const report = jurorScore([join(DEMO, '../micon')]);
  expect(rows.length).toBeGreaterThan(6);
  for (const row of rows) {
    const mine = report.scores.find(
      (one) => [one.model, one.judge, one.scope, one.key, one.criterion].join() === [row.model, row.judge, row.scope, row.key, row.criterion].join(),
    );
    expect(row.mean).toBe(mine?.mean === null ? '' : String(mine?.mean));
    expect([row.n, row.expected]).toEqual([String(mine?.n), String(mine?.expected)]);
  }
});

test('an SVG stands alone: one drawing, every colour a number, nothing of the page in it', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const kind of KINDS) {
    await openPage(page, `#/plots${kind}?demo=multibanana`);
    await figure(page);
    const marks = await page.locator('juror-plot-figure .mark').count();
    const text = await saved(page, 'svg');
    expect(text).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<svg /);
    expect(text).not.toMatch(/var\(|class=|tabindex|role="button"|<!--|style=|light-dark/);
    expect(text).toContain('font-family="Helvetica, Arial, sans-serif"');
    // Beside the page, whose policy lets nobody parse markup.
    const beside = await page.context().newPage();
    const sheet = await beside.evaluate((source) => {
      const parsed = new DOMParser().parseFromString(source, 'image/svg+xml');
      return {
        fault: parsed.querySelector('parsererror')?.textContent ?? '',
        titles: parsed.querySelectorAll('g > title').length,
        ground: parsed.querySelector('rect')?.getAttribute('fill') ?? '',
      };
    }, text);
    await beside.close();
    expect(sheet).toEqual({ fault: '', titles: marks, ground: '#ffffff' });
  }
});

test('bars of a distribution hold all scores, and the samples behind one are as many as it says', async ({ page }) => {
  await openPage(page, '#/plots/distribution?demo=vibe');
  await figure(page);
  const rows = rowsOf(await saved(page, 'csv'));
  const report = jurorScore([join(DEMO, '../vibe')]);
  const sentence = await page.getByTestId('sentence').innerText();
  for (const { name } of report.provenance.models) {
    const counted = rows.filter(({ model }) => model === name).reduce((sum, row) => sum + Number(row.scores), 0);
    expect(counted).toBeGreaterThan(10);
    expect(sentence).toContain(`${name}: ${counted} scores`);
  }
  const mark = page.locator('juror-plot-figure .mark').nth(1);
  const words = (await mark.getAttribute('aria-label')) ?? '';
  await mark.click();
  const behind = page.getByTestId('behind').locator('li');
  await expect(behind).toHaveCount(Number(/: (\d+) scores?,/.exec(words)?.[1]));
  await behind.first().getByRole('link').click();
  await expect(page.getByTestId('turn').first()).toBeVisible();
  await page.goBack();
  await figure(page);
});

test('a turn has the same number in every view, counted from 1 in words and from 0 in addresses', async ({ page }) => {
  await openPage(page, '#/plots/distribution?criterion=key_point');
  await figure(page);
  const link = page
    .getByTestId('behind')
    .getByRole('link', { name: /, turn \d+/ })
    .first();
  const marks = page.locator('juror-plot-figure .mark');
  for (let at = 0; at < (await marks.count()) && !(await link.isVisible()); at += 1) {
    await marks.nth(at).click();
    // What was behind the mark before stands there until this is known.
    await shown(page);
    await expect(page.getByTestId('behind').locator('li').first()).toBeVisible();
  }
  const [, turn = ''] = /turn (\d+)/.exec(await link.innerText()) ?? [];
  await link.click();
  await expect(page).toHaveURL(new RegExp(`[?&]turn=${Number(turn) - 1}(&|$)`));
  await expect(page.locator(`[data-testid="turn"][data-turn="${Number(turn) - 1}"]`).getByRole('heading', { level: 2 })).toHaveText(`Turn ${turn}`);
  await goTo(page, '#/?scope=turn');
  await expect(
    page
      .getByTestId('overview-table')
      .getByRole('columnheader', { name: /^Turn / })
      .first(),
  ).toHaveAccessibleName('Turn 1');
});

test('two models: the sentence has the hand-computed mean of the differences, and swaps with them', async ({ page }) => {
  await openPage(page, '#/plots/difference?demo=micon&a=aurora-synth&b=cinder-synth');
  await figure(page);
  const first = await page.getByTestId('sentence').innerText();
  const [, n, mean] = /On the (\d+) \S+ that have both, .* is ([+−][\d.]+) on average/.exec(first) ?? [];
  const rows = rowsOf(await saved(page, 'csv'));
  expect(rows.reduce((sum, row) => sum + Number(row.samples), 0)).toBe(Number(n));
  await page.getByLabel('First').selectOption('cinder-synth');
  await expect(page).toHaveURL(/a=cinder-synth&b=aurora-synth/);
  const swapped = (mean ?? '').startsWith('+') ? `−${(mean ?? '').slice(1)}` : `+${(mean ?? '').slice(1)}`;
  await expect(page.getByTestId('sentence')).toContainText(`is ${swapped} on average`);
});

test('a model of the address that is not open is named, and judges that were compared are not taken for models', async ({ page }) => {
  await openPage(page, '#/plots/difference?demo=multibanana&a=nobody&b=cinder-synth');
  await figure(page);
  await expect(page.getByTestId('absent-models')).toHaveText(/The address also names nobody, which is not open/);
  await page.getByLabel('First').selectOption('basalt-synth');
  await expect(page.getByTestId('absent-models')).toHaveCount(0);
  await goTo(page, '#/plots/scatter?demo=multibanana&a=judge:gemini&b=judge:gpt');
  await figure(page);
  await page.getByRole('link', { name: 'Two models' }).click();
  await figure(page);
  await expect(page.getByTestId('absent-models')).toHaveCount(0);
});

test('the difference of two models in a group is the one that Compare tests, to which a link leads', async ({ page }) => {
  await openPage(page, '#/plots/difference?demo=micon&a=aurora-synth&b=cinder-synth');
  await figure(page);
  const all = await page.getByTestId('sentence').innerText();
  const groups = page.getByTestId('plot-group').locator('optgroup option');
  await page.getByTestId('plot-group').selectOption({ label: (await groups.first().textContent()) ?? '' });
  await expect(page.getByTestId('sentence')).not.toHaveText(all);
  await shown(page);
  const sentence = await page.getByTestId('sentence').innerText();
  const plotted = /On the (\d+) .* is (\S+) on average \(95 % interval \[(\S+), (\S+)\]\)/.exec(sentence)?.slice(1) ?? [];
  expect(plotted).toHaveLength(4);
  await page.getByTestId('plot-compare').click();
  const pair = page.getByTestId('compare-pair');
  await expect(pair).toBeVisible();
  await shown(page);
  const figureOf = (name: string) => pair.locator('.figures > div', { hasText: name }).locator('dd').innerText();
  const compared = [await figureOf('compared'), await figureOf('Mean of'), await figureOf('Student’s t')].join(' ');
  const sizes = (text: string): number[] => (text.replaceAll(/[−–]/g, ' ').match(/\d+(?:\.\d+)?/g) ?? []).map(Number).sort((x, y) => x - y);
  expect(sizes(compared)).toEqual(sizes(plotted.join(' ')));
});

test('intervals of plots are at the chosen level, wider at 99 % than at 90 %, and the words and the address say so', async ({ page }) => {
  const widths = async (): Promise<number[]> =>
    rowsOf(await saved(page, 'csv')).flatMap(({ ci_low: low = '', ci_high: high = '' }) => (low === '' ? [] : [Number(high) - Number(low)]));
  for (const [kind, suite] of [
    ['', 'weave'],
    ['/pairs', 'multibanana'],
    ['/multiples', 'multibanana'],
  ] as const) {
    await openPage(page, `#/plots${kind}?demo=${suite}&interval=90`);
    await figure(page);
    await expect(page.locator('juror-plot-figure')).toContainText('90 % interval');
    const narrow = await widths();
    await page.getByLabel('Intervals').selectOption('99');
    await expect(page).toHaveURL(/interval=99/);
    await expect(page.locator('juror-plot-figure')).toContainText('99 % interval');
    await figure(page);
    const wide = await widths();
    expect(wide).toHaveLength(narrow.length);
    expect(narrow.some((width) => width > 0)).toBe(true);
    for (const [at, width] of wide.entries()) expect(width).toBeGreaterThanOrEqual(narrow[at] ?? Infinity);
    expect(wide.some((width, at) => width > (narrow[at] ?? Infinity))).toBe(true);
    await expect(page.locator('juror-plot-figure')).not.toContainText('95 %');
  }
  await openPage(page, '#/plots/distribution?demo=weave&interval=99');
  await figure(page);
  await expect(page.getByLabel('Intervals')).toHaveCount(0);
});

test('samples behind a number of any group are listed', async ({ page }) => {
  await openPage(page, '#/plots?demo=multibanana&scope=structure');
  await figure(page);
  await page.locator('juror-plot-figure .mark').last().click();
  const dialog = page.locator('juror-plots juror-cell-dialog dialog');
  await expect(dialog.locator('.units summary')).toContainText('have a score');
  const units = dialog.getByTestId('row-units').locator('li');
  const ids = new Set(await units.locator('a').allTextContents());
  expect(ids.size).toBeGreaterThan(1);
  await dialog.getByRole('link', { name: 'Samples behind this number' }).click();
  await expect(page).toHaveURL(/#\/samples\?q=structure:/);
  await expect(page.locator('juror-samples .count')).toContainText(`${ids.size} of `);
});

test('samples behind a sub-score are ordered by it', async ({ page }) => {
  await openPage(page, '#/plots?criterion=key_point');
  await figure(page);
  await page.locator('juror-plot-figure .mark').first().click();
  await page.locator('juror-plots juror-cell-dialog dialog').getByRole('link', { name: 'Samples behind this number' }).click();
  await expect(page).toHaveURL(/&sort=score_asc&by=key_point$/);
  await expect(page.getByTestId('sort-by')).toHaveValue('key_point');
  const chips = page.locator('juror-samples .chip.accent');
  await expect(chips.first()).toBeVisible();
  await shown(page);
  const values = (await chips.allInnerTexts()).map((text) => Number(text.split(' ').at(-1)));
  expect(new Set(values).size).toBeGreaterThan(1);
  expect(values).toEqual([...values].sort((x, y) => x - y));
});

test('a criterion stays on the way from tab to tab, where the benchmark knows it', async ({ page }) => {
  const tab = (name: string) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true });
  await openPage(page, '#/?criterion=image_quality');
  await tab('Plots').click();
  await figure(page);
  await expect(page.getByLabel('Criterion')).toHaveValue('image_quality');
  await tab('Compare').click();
  await expect(page.getByTestId('compare-criterion')).toHaveValue('image_quality');
  await tab('Samples').click();
  await page.getByTestId('sort').selectOption('score_asc');
  await expect(page.getByTestId('sort-by')).toHaveValue('image_quality');
  await page.getByTestId('sample-row').first().click();
  await tab('Overview').click();
  await expect(page).toHaveURL(/#\/\?criterion=image_quality$/);
  // Nothing is written that goes without saying, nor what no other view has.
  for (const criterion of ['total', 'all', 'nothing_known']) {
    await goTo(page, `#/?criterion=${criterion}`);
    await expect(tab('Plots')).toHaveAttribute('href', '#/plots');
  }
});

test('one judge is chosen for every view, its report is that of the command line, and the address keeps it', async ({ page }) => {
  await openPage(page, '#/?demo=multibanana');
  const table = page.getByTestId('overview-table');
  // One judge's models are shown, the others' when they are asked for: each judge's best first.
  await expect(table.locator('tbody:not(.published) .judge')).toHaveText(['gemini', 'gemini', 'gemini']);
  await page.getByTestId('judge-block').getByRole('button', { name: 'Judge gpt', exact: true }).click();
  await expect(page).toHaveURL(/judges=all/);
  const blocks = table.locator('tbody:not(.published)');
  await expect(page.getByTestId('judge-block')).toHaveText(['Judge gemini', 'Judge gpt3 models', 'Judge gemini + gpt3 models']);
  for (const judge of ['gemini', 'gpt', 'gemini + gpt']) {
    const block = blocks.filter({ has: page.getByTestId('judge-block').getByText(judge, { exact: true }) });
    await expect(block.locator('.judge')).toHaveText([judge, judge, judge]);
    await expect(block.locator('.rank')).toContainText(['1', '2', '3']);
  }
  await page.getByLabel('Judge whose replies are scored').selectOption({ label: 'gemini' });
  await expect(page).toHaveURL(/judge=gemini/);
  await expect(table.locator('tbody:not(.published) .judge', { hasText: 'gpt' })).toHaveCount(0);
  await expect(page.getByTestId('judge-block')).toHaveCount(0);
  const report = jurorScore([join(DEMO, '../multibanana')], '--judge', 'gemini');
  expect(report.scores.every(({ judge }) => judge === 'gemini')).toBe(true);
  const shown = await exportedReport(page);
  expect({ scores: shown.scores, samples: shown.samples }).toEqual({ scores: report.scores, samples: report.samples });
  // The other judge's numbers are other numbers.
  expect(numbers(jurorScore([join(DEMO, '../multibanana')], '--judge', 'gpt')).scores).not.toEqual(report.scores);
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Plots' }).click();
  await figure(page);
  await expect(page.getByTestId('sentence')).not.toContainText('gpt');
  await page.reload();
  await figure(page);
  await expect(page.getByLabel('Judge whose replies are scored')).toHaveValue('.gemini');
});

test('where judges are compared, one that is chosen for the other views is neither left alone nor claimed', async ({ page }) => {
  await openPage(page, '#/plots/scatter?demo=multibanana');
  await figure(page);
  await expect(page.getByTestId('all-compared')).toHaveCount(0);
  const sentence = await page.getByTestId('sentence').innerText();
  await page.getByLabel('Judge whose replies are scored').selectOption('gemini');
  await expect(page.getByTestId('all-compared')).toContainText('All judges and runs are compared here, whatever is chosen above.');
  await expect(page.getByTestId('sentence')).toHaveText(sentence);
  const descOf = (svg: string): string => /<desc>([^]*?)<\/desc>/.exec(svg)?.[1] ?? '';
  const scatter = descOf(await saved(page, 'svg'));
  expect(scatter).toContain('paper profile');
  expect(scatter).not.toMatch(/judge gemini|policy zero/);
  await page.getByRole('link', { name: 'Distribution' }).click();
  await expect(page.getByTestId('all-compared')).toHaveCount(0);
  await figure(page);
  expect(descOf(await saved(page, 'svg'))).toContain('judge gemini');
  await goTo(page, '#/agreement?demo=multibanana&judge=gemini');
  await expect(page.getByTestId('agreement').first()).toContainText('gpt');
  await expect(page.getByTestId('all-compared')).toBeVisible();
});

test('one run is chosen, and each run expects as much', async ({ page }) => {
  await openPage(page, '#/?demo=vibe');
  await page.getByLabel('Run that is scored').selectOption('2');
  await expect(page).toHaveURL(/run=2/);
  const report = jurorScore([join(DEMO, '../vibe')], '--run', '2');
  const shown = await exportedReport(page);
  expect({ scores: shown.scores, samples: shown.samples }).toEqual({ scores: report.scores, samples: report.samples });
  expect(new Set(report.samples.map((row) => (row as unknown as { run: number }).run))).toEqual(new Set([2]));
});

test('the best model stands first, the table is sorted by any column, by names too, and the address keeps the order', async ({ page }) => {
  await openPage(page, '#/?sort=files');
  const table = page.getByTestId('overview-table');
  const names = table.locator('tbody:not(.published) .name');
  await expect(names.first()).toBeVisible();
  const files = await names.allInnerTexts();
  const head = table.locator('thead th').nth(2);
  const means = async (): Promise<number[]> => (await table.locator('tbody:not(.published) tr td:nth-of-type(2) .mean').allInnerTexts()).map(Number);
  await expect(head).toHaveAttribute('aria-sort', 'none');
  await head.getByRole('button').press('Enter');
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  await expect(page).not.toHaveURL(/sort=/);
  await shown(page);
  const falling = await means();
  expect(falling).toEqual([...falling].sort((a, b) => b - a));
  await expect(table.locator('tbody .rank').first()).toHaveText(/^Rank 1/);
  await head.getByRole('button').click();
  await expect(head).toHaveAttribute('aria-sort', 'ascending');
  await expect(page).toHaveURL(/sort=asc(:|%3A)total/);
  await shown(page);
  const rising = await means();
  expect(rising).toEqual([...rising].sort((a, b) => a - b));
  await expect(table.locator('tbody:not(.published) .rank').last()).toHaveText(/^Rank 1/);
  await page.reload();
  await expect(head).toHaveAttribute('aria-sort', 'ascending');
  const other = table.locator('thead th').nth(3);
  await other.getByRole('button').click();
  await expect(other).toHaveAttribute('aria-sort', 'descending');
  await expect(head).toHaveAttribute('aria-sort', 'none');
  const model = table.locator('thead th').first();
  await model.getByRole('button').click();
  await expect(model).toHaveAttribute('aria-sort', 'ascending');
  await model.getByRole('button').click();
  await expect(names).toHaveText([...files].sort().reverse());
  await model.getByRole('button').click();
  await expect(names).toHaveText(files);
});

test('names in plots and words of findings are laid out by their own direction, whichever letters they have', async ({ page }) => {
  const name = 'نموذج (v2)';
  await openPage(page, '#/plots?demo=weave');
  await figure(page);
  const labels = page.locator('juror-plot-figure svg text[unicode-bidi]');
  await expect.poll(() => labels.count()).toBeGreaterThan(1);
  for (const label of await labels.all()) expect(await label.evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe('plaintext');
  // A label that is not of data has none, so the sentence above is no matter of course.
  const axis = page.locator('juror-plot-figure svg text:not([unicode-bidi])').first();
  expect(await axis.evaluate((element) => getComputedStyle(element).unicodeBidi)).not.toBe('plaintext');
  await goTo(page, '#/overview?below=files');
  const finding = page.locator('[data-testid="problem"]').first();
  await expect(finding.locator('.message')).toHaveAttribute('dir', 'auto');
  const direction = (text: string): Promise<string> =>
    finding.locator('.message').evaluate((element, words) => {
      element.textContent = words;
      return getComputedStyle(element).direction;
    }, text);
  await expect(finding.locator('.message')).toHaveCSS('direction', 'ltr');
  // The overview is drawn anew while files are still being read.
  await expect.poll(() => direction(name)).toBe('rtl');
});
