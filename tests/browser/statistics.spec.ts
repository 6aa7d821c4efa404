/** What a benchmark is made of: reached from the overview, there without any model, and equal to the command line's. */
import { readFileSync, rmSync } from 'node:fs';
import type { Page } from '../../www/node_modules/@playwright/test';
import { DEMO, TempFolder, goTo, juror, openFolders, openPage, shown, writeSmallBenchmark } from './helpers';
import { expect, test } from './visits';

const table = (page: Page, id: string) => page.locator(`[data-testid="statistics-table"][data-table="${id}"]`);
const row = (page: Page, id: string, label: string) =>
  table(page, id)
    .locator('tbody tr')
    .filter({ has: page.getByRole('rowheader', { name: label, exact: true }) });

test('the overview leads to what the demo suite is made of, beside the paper’s totals, and the CSV is that of the command line', async ({ page }) => {
  await openPage(page);
  await page.getByTestId('to-statistics').click();
  await expect(page).toHaveURL(/#\/statistics$/);
  const wanted = juror(['inspect', DEMO, '--statistics', '--csv']).toString('utf8');
  const value = (start: string): string =>
    wanted
      .split('\n')
      .find((line) => line.startsWith(start))
      ?.split(',')[4] ?? '';
  await expect(row(page, 'whole', 'dialogues').locator('.n')).toHaveText(value('count,whole,samples,'));
  await expect(row(page, 'class', 'edit').locator('.n')).toContainText(value('count,class,edit,'));
  // A demo suite is a part of its benchmark: that is said, and is no error.
  await expect(page.getByTestId('statistics-sum')).toContainText(/\d+ of \d+ differ/);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByTestId('statistics-words').getByRole('listitem')).toHaveCount(60);
  await shown(page);
  const totals = page.getByTestId('statistics-totals');
  const few = await totals.locator('tbody tr').count();
  await totals.getByRole('button', { name: /^Show all/ }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => totals.locator('tbody tr').count()).toBeGreaterThan(few);
  await expect(totals.getByRole('button', { name: /^Show \d+ only/ })).toBeFocused();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('statistics-csv').click()]);
  expect(readFileSync(await download.path(), 'utf8')).toBe(wanted);
});

test('a benchmark without any model is counted, and a picture that is gone is missing there', async ({ page }) => {
  const folder = new TempFolder();
  try {
    writeSmallBenchmark(folder, 5);
    rmSync(folder.at('bench/test/imgs/d0_1.png'));
    await openPage(page);
    await openFolders(page, [folder.at('bench')]);
    await goTo(page, '#/statistics');
    for (const [label, n] of [
      ['dialogues', 5],
      ['picture turns', 5],
      ['text turns', 5],
      ['pictures named', 10],
      ['of them given as references', 5],
      ['of them not among the files', 1],
      ['different files of pictures', 9],
    ] as const) {
      await expect(row(page, 'whole', label).locator('.n')).toHaveText(String(n));
    }
    await expect(row(page, 'size', '8 × 8').locator('.n')).toContainText('9');
  } finally {
    folder.remove();
  }
});
