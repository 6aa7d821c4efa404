/** Models beside each other: the numbers and sentences of the command line, addresses, keyboard, and what cannot be compared. */
import { readFileSync } from 'node:fs';
import type { Page } from '../../www/node_modules/@playwright/test';
import { DEMO, TempFolder, closeAll, fetchEach, juror, metricsLine, openFolders, openPage, writeSmallBenchmark } from './helpers';
import { holding } from './gates';
import { expect, test } from './visits';

const MODELS = ['aurora-synth', 'basalt-synth', 'cinder-synth'];

interface Pair {
  a: string;
  b: string;
  sentence: string;
}

interface Comparison {
  sentence: string;
  models: { model: string; group: string }[];
  pairs: Pair[];
}

const compared = (...options: string[]): Comparison => JSON.parse(juror(['compare', DEMO, ...options]).toString('utf8')) as Comparison;

const table = (page: Page) => page.getByTestId('compare-models');
const cellOf = (page: Page, a: string, b: string) => page.getByTestId('compare-matrix').getByRole('link', { name: new RegExp(`^${a} minus ${b}:`) });

async function openCompare(page: Page, hash = '#/compare'): Promise<void> {
  await openPage(page, hash);
  await expect(table(page)).toBeVisible();
}

/** What the CSV button hands out. */
async function csv(page: Page): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('compare-csv').click()]);
  return readFileSync(await download.path(), 'utf8');
}

test('the navigation leads to the table, the best model first, with its tie groups in a sentence', async ({ page }) => {
  await openPage(page);
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await expect(page).toHaveURL(/#\/compare$/);
  const wanted = compared();
  await expect(table(page).locator('tbody th')).toHaveText(wanted.models.map(({ model }) => model));
  await expect(table(page).locator('tbody .group')).toHaveText(wanted.models.map(({ group }) => group));
  await expect(page.getByTestId('compare-groups')).toHaveText(wanted.sentence);
});

test('the CSV is that of the command line to the byte, and another seed gives another one', async ({ page }) => {
  await openCompare(page, '#/compare?criterion=image_quality&cluster=domain&correction=benjamini_hochberg&seed=7');
  const options = ['--criterion', 'image_quality', '--cluster', 'domain', '--correction', 'bh', '--format', 'csv', '--seed'];
  const shown = await csv(page);
  expect(shown).toBe(juror(['compare', DEMO, ...options, '7']).toString('utf8'));
  expect(shown).not.toBe(juror(['compare', DEMO, ...options, '8']).toString('utf8'));
});

test('a CSV that is asked for while pictures are still read waits for them', async ({ page }) => {
  await fetchEach(page);
  const release = await holding(page, '**/demo/weave/**/*.png');
  await page.goto('./#/compare');
  await expect(table(page)).toBeVisible();
  await expect(page.locator('html')).not.toHaveAttribute('data-phase', 'done');
  const before = await table(page).innerText();
  let came = false;
  const asked = page.waitForEvent('download').finally(() => (came = true));
  await page.getByTestId('compare-csv').click();
  // What is asked later is answered meanwhile, of fewer files.
  await cellOf(page, 'aurora-synth', 'cinder-synth').click();
  await expect(page.getByTestId('compare-samples').locator('tbody tr').first()).toBeVisible();
  expect(came).toBe(false);
  release();
  expect(readFileSync(await (await asked).path(), 'utf8')).toBe(juror(['compare', DEMO, '--format', 'csv']).toString('utf8'));
  await expect(page.locator('html')).toHaveAttribute('data-phase', 'done');
  // What stood there when it was asked for was of fewer files.
  await expect.poll(() => table(page).innerText()).not.toBe(before);
});

test('every choice is in the address and comes back from it', async ({ page }) => {
  await openCompare(page);
  await page.getByTestId('compare-criterion').selectOption('key_point');
  await page.getByTestId('compare-group').selectOption({ label: 'Science' });
  await page.getByTestId('compare-cluster').selectOption('domain');
  await page.getByTestId('compare-correction').selectOption('none');
  await page.getByLabel('Seed').fill('42');
  await page.getByLabel('Seed').press('Tab');
  await expect(page).toHaveURL(/#\/compare\?scope=category&key=Science&criterion=key_point&cluster=domain&correction=none&seed=42$/);
  const options = ['--scope', 'category', '--key', 'Science', '--criterion', 'key_point', '--cluster', 'domain', '--correction', 'none', '--seed', '42'];
  const wanted = compared(...options);
  await expect(page.getByTestId('compare-groups')).toHaveText(wanted.sentence);
  await page.reload();
  await expect(page.getByTestId('compare-groups')).toHaveText(wanted.sentence);
  await expect(page.getByTestId('compare-criterion')).toHaveValue('key_point');
  await expect(page.getByLabel('Seed')).toHaveValue('42');
});

test('intervals at 90 and 99 % are those of the command line, and everything on the page says which they are', async ({ page }) => {
  await openCompare(page, '#/compare?criterion=image_quality');
  await expect(table(page).locator('thead')).toContainText('95 % by t');
  for (const level of ['90', '99']) {
    await page.getByTestId('compare-interval').selectOption(level);
    await expect(page).toHaveURL(new RegExp(`interval=${level}$`));
    await expect(table(page).locator('thead')).toContainText(`${level} % by bootstrap`);
    expect(await csv(page)).toBe(juror(['compare', DEMO, '--criterion', 'image_quality', '--interval', level, '--format', 'csv']).toString('utf8'));
  }
  const wanted = compared('--criterion', 'image_quality', '--interval', '99');
  await cellOf(page, 'aurora-synth', 'cinder-synth').click();
  const pair = page.getByTestId('compare-pair');
  await expect(page.getByTestId('compare-sentence')).toHaveText(wanted.pairs.find(({ a, b }) => `${a} ${b}` === 'aurora-synth cinder-synth')?.sentence ?? '');
  await expect(pair).toContainText('99 % by Student’s t');
  await pair.getByText('How both intervals are computed').click();
  await expect(pair.getByTestId('compare-steps')).toContainText('t(0.995;');
  await expect(pair.getByTestId('step-shares')).toContainText('2.575829');
  await page.reload();
  await expect(page.getByTestId('compare-interval')).toHaveValue('99');
  await expect(table(page).locator('thead')).toContainText('99 % by t');
  await expect(page.locator('juror-compare')).not.toContainText('95 % by');
});

test('a judge chosen in Compare is Compare’s own after a reload too, and one chosen for every view wins', async ({ page }) => {
  const own = page.getByTestId('compare-judge');
  const ofAll = page.getByLabel('Judge whose replies are scored');
  await openCompare(page, '#/compare?demo=multibanana');
  await own.selectOption('gpt');
  await expect(page.getByTestId('compare-groups')).toContainText('(judge: gpt)');
  await page.reload();
  await expect(page.getByTestId('compare-groups')).toContainText('(judge: gpt)');
  await expect(own).toHaveValue('gpt');
  await expect(ofAll).toHaveValue('all');
  await ofAll.selectOption('gemini');
  await expect(page.getByTestId('compare-groups')).toContainText('(judge: gemini)');
  await expect(own).toHaveCount(0);
  await ofAll.selectOption('all');
  await expect(own).toHaveValue('gpt');
  await page.goto('./#/plots/difference?demo=multibanana&line=.gpt');
  await page.getByTestId('plot-compare').click();
  await expect(page.getByTestId('compare-groups')).toContainText('(judge: gpt)');
  await expect(own).toHaveValue('gpt');
  await expect(ofAll).toHaveValue('all');
});

test('a pair is chosen by keyboard, its sentence is copied, and its samples open with both models', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openCompare(page);
  const [best, , last] = MODELS;
  const cell = cellOf(page, best ?? '', last ?? '');
  await cell.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/a=aurora-synth&b=cinder-synth/);
  await expect(cell).toHaveAttribute('aria-current', 'true');
  const wanted = compared().pairs.find(({ a, b }) => a === best && b === last);
  const sentence = page.getByTestId('compare-sentence');
  await expect(sentence).toHaveText(wanted?.sentence ?? '');
  await page.getByTestId('compare-pair').getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(wanted?.sentence);
  const differences = page.getByTestId('compare-samples').locator('tbody td.main');
  await expect.poll(() => differences.count()).toBeGreaterThan(3);
  const sizes = (await differences.allTextContents()).map((text) => Math.abs(Number(text.replace('−', '-'))));
  expect(sizes).toEqual([...sizes].sort((x, y) => y - x));
  const first = page.getByTestId('compare-samples').locator('tbody a').first();
  const id = (await first.textContent()) ?? '';
  await first.click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(id);
  await expect(page.locator('juror-output .name, juror-output h3, juror-output h4').first()).toBeVisible();
  await expect(page).toHaveURL(/models=aurora-synth,cinder-synth/);
  await page.goBack();
  await expect(sentence).toHaveText(wanted?.sentence ?? '');
});

test('the list behind a pair has the samples of its group, by the difference of the two', async ({ page }) => {
  await openCompare(page, '#/compare?scope=category&key=Science&a=cinder-synth&b=aurora-synth');
  const pair = page.getByTestId('compare-pair');
  const rows = pair.getByTestId('compare-samples').locator('tbody tr');
  await expect(rows.first()).toBeVisible();
  const differences = (await rows.locator('td.main').allTextContents()).map((text) => Number(text.replace('−', '-')));
  const [first = ''] = await rows
    .nth(differences.indexOf(Math.max(...differences)))
    .locator('th')
    .allTextContents();
  await pair.getByRole('link', { name: 'of Science, by the difference of total scores' }).click();
  await expect(page).toHaveURL(/#\/samples\?q=category:Science&sort=difference&a=aurora-synth&b=cinder-synth$/);
  await expect(page.getByTestId('sort')).toHaveValue('difference');
  await expect(page.locator('juror-samples')).toContainText(first);
  await expect(page.getByRole('combobox', { name: 'Model that is ahead' })).toHaveValue('aurora-synth');
});

test('the list behind a pair goes by the criterion that the pair was compared on', async ({ page }) => {
  await openCompare(page, '#/compare?criterion=image_quality&a=aurora-synth&b=cinder-synth');
  const pair = page.getByTestId('compare-pair');
  const rows = pair.getByTestId('compare-samples').locator('tbody tr');
  await expect(rows.first()).toBeVisible();
  const first = rows.filter({ has: page.locator('td.main', { hasText: '+' }) }).first();
  const id = await first.locator('th').innerText();
  const difference = await first.locator('td.main').innerText();
  await pair.getByRole('link', { name: 'by the difference in Image Quality' }).click();
  await expect(page).toHaveURL(/sort=difference&a=aurora-synth&b=cinder-synth&by=image_quality$/);
  await expect(page.getByTestId('sort-by')).toHaveValue('image_quality');
  await expect(page.locator(`[data-testid="sample-row"][data-id="${id}"] .chip.accent`)).toHaveText(difference);
});

test('the transposed cell shows the same pair with the other sign', async ({ page }) => {
  await openCompare(page);
  const text = async (a: string, b: string): Promise<string> => (await cellOf(page, a, b).locator('.value').textContent()) ?? '';
  // Both are read again where the table was drawn anew in between.
  await expect(async () => {
    const there = await text('aurora-synth', 'basalt-synth');
    expect(there).toMatch(/^\+/);
    expect(await text('basalt-synth', 'aurora-synth')).toBe(there.replace('+', '−'));
  }).toPass({ timeout: 30_000 });
});

test('an address of a model that is not open says so', async ({ page }) => {
  await openCompare(page, '#/compare?a=aurora-synth&b=nobody');
  await expect(page.getByTestId('absent-models')).toHaveText(/The address also names nobody, which is not open/);
  await cellOf(page, 'aurora-synth', 'cinder-synth').click();
  await expect(page.getByTestId('compare-pair')).toBeVisible();
  await expect(page.getByTestId('absent-models')).toHaveCount(0);
});

test('one model alone has its interval and nothing to be compared with', async ({ page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 4);
  await openPage(page);
  await closeAll(page);
  await page.goto('./#/compare');
  await expect(page.getByText('Nothing is open yet.')).toBeVisible();
  await openFolders(page, [folder.at('bench')]);
  await expect(page.getByRole('heading', { name: 'No model yet' })).toBeVisible();
  await openFolders(page, [folder.at('result')]);
  await expect(page.getByTestId('compare-groups')).toContainText('there is no other model');
  await expect(page.getByTestId('compare-matrix')).toHaveCount(0);
  folder.remove();
});

test('models without a common sample are told to have none, and neither is ahead', async ({ page }) => {
  const folder = new TempFolder();
  const dialogues = writeSmallBenchmark(folder, 4);
  const lines = (from: number, to: number): string =>
    dialogues
      .slice(from, to)
      .map((one) => `${metricsLine(one, 5 + one.idx)}\n`)
      .join('');
  folder.write('result/m/metrics.jsonl', lines(0, 2));
  folder.write('result/k/metrics.jsonl', lines(2, 4));
  await openPage(page);
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
  await page.goto('./#/compare?a=k&b=m');
  await expect(cellOf(page, 'k', 'm')).toContainText('no overlap');
  await expect(page.getByTestId('compare-sentence')).toContainText('no dialogue has a score for both');
  await expect(table(page).locator('tbody .group')).toHaveText(['a', 'a']);
  folder.remove();
});

test('an address of a group that is not there says so and leads back', async ({ page }) => {
  await openPage(page, '#/compare?scope=domain&key=nowhere');
  await expect(page.getByRole('alert')).toContainText('There is no group domain nowhere.');
  await page.getByRole('button', { name: 'Compare everything instead' }).click();
  await expect(table(page)).toBeVisible();
  await expect(page).toHaveURL(/#\/compare$/);
});

for (const demo of ['multibanana', 'micon', 'vibe', 'multiref']) {
  test(`${demo}: what the page compares is what the command line compares`, async ({ page }) => {
    await openCompare(page, `#/compare?demo=${demo}`);
    expect(await csv(page)).toBe(juror(['compare', DEMO.replace(/weave$/, demo), '--format', 'csv']).toString('utf8'));
  });
}

test('a mean says what it is over, and one of the score table that differs says over what that is', async ({ page }) => {
  await openCompare(page, '#/compare?demo=weave');
  const heads = table(page).locator('thead th');
  await expect(heads.filter({ hasText: /^Mean/ })).toHaveText(['Mean over dialogues', 'Mean over turns, as in the score table']);
  const own = table(page).locator('tbody tr').first();
  expect(await own.locator('td.main').textContent()).not.toBe(await own.locator('td').last().textContent());
  await openCompare(page, '#/compare?demo=vibe');
  await expect(heads.filter({ hasText: /^Mean/ })).toHaveText(['Mean over items', 'Mean by formula, as in the score table']);
  // Where both are the same there is one.
  await openCompare(page, '#/compare?demo=micon');
  await expect(heads.filter({ hasText: /^Mean/ })).toHaveText(['Mean over cases']);
  await openCompare(page, '#/compare?demo=multiref');
  await expect(page.locator('juror-compare .panel-head').first()).toContainText('8 of 13 samples with this criterion');
});
