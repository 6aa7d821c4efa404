/** Groups of samples and of turns in tables, Compare and its means by group: what the command line says of the same folders. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '../../www/node_modules/@playwright/test';
import { Gate } from './gates';
import { DEMO, TempFolder, juror, openPage } from './helpers';
import { expect, test } from './visits';

interface Means {
  keys: string[];
  level: string;
  models: {
    model: string;
    sentence: string;
    groups: { n: number; expected: number }[];
  }[];
}

const MICON = join(DEMO, '../micon');

const means = (folder: string, ...options: string[]): Means => JSON.parse(juror(['compare', folder, '--by', ...options]).toString('utf8')) as Means;

async function downloaded(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId(button).click()]);
  return readFileSync(await download.path(), 'utf8');
}

test('turns of one class are a group in the table and in Compare, whose CSV is the command line’s', async ({ page }) => {
  await openPage(page, '#/compare?scope=class&key=edit');
  await expect(page.getByTestId('compare-group').locator('option:checked')).toHaveText('edit');
  const edits = await downloaded(page, 'compare-csv');
  expect(edits).toBe(juror(['compare', DEMO, '--scope', 'class', '--key', 'edit', '--format', 'csv']).toString('utf8'));
  await page.getByTestId('compare-group').selectOption({ label: 'fusion' });
  await expect(page).toHaveURL(/key=fusion/);
  expect(await downloaded(page, 'compare-csv')).not.toBe(edits);
  await openPage(page, '#/?scope=history');
  await expect(page.getByRole('radio', { name: 'Earlier pictures' })).toBeVisible();
});

test('each model’s means by group stand with n, intervals and a sentence, at the level that is chosen', async ({ page }) => {
  await openPage(page, '#/compare');
  await page.getByTestId('by-scope').selectOption('class');
  const table = page.getByTestId('by-table');
  const at95 = means(DEMO, 'class');
  await expect(table.locator('thead th')).toHaveText(['Model', ...at95.keys]);
  await expect(page.getByTestId('by-sentences').locator('li')).toHaveText(at95.models.map(({ sentence }) => sentence));
  const first = at95.models[0]?.groups[0];
  await expect(table.locator('tbody tr').first().locator('td').first()).toContainText(`${first?.n}/${first?.expected} dialogues`);
  const shown = await downloaded(page, 'by-csv');
  expect(shown).toBe(juror(['compare', DEMO, '--by', 'class', '--format', 'csv']).toString('utf8'));
  await page.getByTestId('by-level').focus();
  await page.getByTestId('by-level').selectOption('99');
  await expect(table.locator('caption')).toContainText('intervals at 99 %');
  const wider = await downloaded(page, 'by-csv');
  expect(wider).toBe(juror(['compare', DEMO, '--by', 'class', '--interval', '99', '--format', 'csv']).toString('utf8'));
  expect(wider).not.toBe(shown);
});

test('a file of means that is written after its view was left is saved, and none is before', async ({ page }) => {
  const gate = await Gate.before(page, 'juror-engine', 'method', 'groupMeansCsv');
  await openPage(page, '#/compare');
  await expect(page.getByTestId('by-table')).toBeVisible();
  const saved: string[] = [];
  page.on('download', (download) => saved.push(download.suggestedFilename()));
  await gate.hold();
  await page.getByTestId('by-csv').click();
  await expect.poll(() => gate.waiting()).toBe(1);
  await page.goto('./#/about');
  await expect(page.getByRole('heading', { level: 1, name: 'What Juror computes' })).toBeVisible();
  await expect(page.getByTestId('by-csv')).toHaveCount(0);
  expect(saved).toEqual([]);
  await gate.open();
  await expect.poll(() => saved).toEqual([expect.stringMatching(/^juror-.*groups.*\.csv$/)]);
});

test('sets are grouped by where their references come from, with intervals at 99 % and a verdict for each model', async ({ page }) => {
  await openPage(page, '#/?demo=multibanana&scope=origin');
  await expect(page.getByRole('radio', { name: 'Origin of references' })).toBeChecked();
  const origins = ['GPT-Image-1 only', 'Nano Banana only', 'both', 'with real'];
  await openPage(page, '#/compare?demo=multibanana');
  await page.getByTestId('by-scope').selectOption('origin');
  const found = means(join(DEMO, '../multibanana'), 'origin');
  expect([found.level, found.keys]).toEqual(['99', origins]);
  const table = page.getByTestId('by-table');
  await expect(table.locator('thead th')).toHaveText(['Model', ...origins]);
  await expect(table.locator('caption')).toContainText('intervals at 99 %');
  await expect(table.locator('tbody tr').first().locator('td').first()).toContainText('[');
  await expect(table.locator('tbody tr').first().locator('td').nth(2)).not.toContainText('[');
  const verdicts = page.getByTestId('by-sentences').locator('li');
  await expect(verdicts).toHaveText(found.models.map(({ sentence }) => sentence));
  await expect(verdicts.first()).toContainText('99 % interval');
  await expect(verdicts.first()).toContainText('Without an interval: both (n = 1), with real (n = 1).');
});

test('seconds of two models are paired by case, beside the printed ones, as the command line has them', async ({ page }) => {
  const folder = new TempFolder();
  const cases = readdirSync(join(MICON, 'Evaluation/data/object_composition/cases')).map((name) => `object_composition/${name.replace(/\..*$/, '')}`);
  const rows = cases.flatMap((one, at) => [`BAGEL,${one},${50 + at}`, `BAGEL+DAR,${one},${54 + 2 * at}`]);
  writeFileSync(folder.at('seconds.csv'), ['model,sample,seconds', ...rows, 'BAGEL,nowhere/1,3', ''].join('\n'));
  await openPage(page, '#/compare?demo=micon');
  await page.getByTestId('seconds-file').setInputFiles(folder.at('seconds.csv'));
  const table = page.getByTestId('seconds-table');
  await expect(table.locator('tbody tr').first()).toContainText(`of ${cases.length}`);
  await expect(table).toContainText('printed: BAGEL, BAGEL + DAR (Table 7, one A800)');
  await expect(page.getByTestId('seconds-problems')).toContainText('seconds.csv, line');
  await expect(page.getByTestId('seconds-problems')).toContainText('no sample nowhere/1');
  expect(await downloaded(page, 'seconds-csv')).toBe(juror(['compare', MICON, '--seconds', folder.at('seconds.csv'), '--format', 'csv']).toString('utf8'));
  writeFileSync(folder.at('other.csv'), 'a,b\n1,2\n');
  await page.getByTestId('seconds-file').setInputFiles(folder.at('other.csv'));
  await expect(page.getByRole('alert')).toContainText('columns model, sample and seconds');
  folder.remove();
});
