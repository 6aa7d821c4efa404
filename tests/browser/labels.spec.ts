/** Failure labels: set by key while rating and in a sample, kept over a reload, found by the filter, counted and compared; the CSV goes out and comes in. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Page } from '../../www/node_modules/@playwright/test';
import { axe } from './axe';
import { TempFolder, openFolders, openPage, png, writeSmallBenchmark } from './helpers';
import { expect, test } from './visits';

let folder: TempFolder;
test.beforeEach(() => {
  folder = new TempFolder();
});
test.afterEach(() => folder.remove());

/** Four dialogues and two models. */
async function openSmall(page: Page): Promise<void> {
  for (const { idx } of writeSmallBenchmark(folder, 4)) {
    folder.write(`result/n/imgs/d${idx}_2.png`, png(8, 8, [40 * idx, 120, 30]));
    folder.write(`result/n/imgs/d${idx}_1_1.txt`, 'Green.');
  }
  await openPage(page);
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
}

const pressed = (page: Page) => page.locator('juror-failure-labels .label[aria-pressed="true"]');

async function downloaded(page: Page, testId: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId(testId).click()]);
  return readFileSync(await download.path(), 'utf8');
}

test('labels are set by key at the desk and in a sample, and counted as the command line counts them', async ({ page }) => {
  await openSmall(page);
  await page.goto('./#/rate');
  await page.getByTestId('rate-name').fill('ann');
  await page.getByTestId('rate-start').click();
  await expect(page.locator('juror-failure-labels .label').first()).toBeVisible();
  // The mark of no failure gives way to a label, and a second press takes the label back.
  await page.keyboard.press('.');
  await expect(pressed(page)).toHaveText([/No failure/]);
  const first = page.locator('juror-failure-labels .label').nth(1);
  const key = (await first.getAttribute('aria-keyshortcuts')) ?? '';
  await page.keyboard.press(key);
  await expect(first).toHaveAttribute('aria-pressed', 'true');
  await expect(pressed(page)).toHaveCount(1);
  await page.keyboard.press(key);
  await expect(pressed(page)).toHaveCount(0);
  await page.keyboard.press(key);
  await expect(pressed(page)).toHaveCount(1);
  await page.getByTestId('rate-leave').click();
  // In a sample, in own words.
  await page.goto('./#/samples');
  await page.locator('a[href*="#/sample/"]').first().click();
  await page.getByTestId('labels').locator('summary').first().click();
  await expect(page.getByTestId('label-name')).toHaveValue('ann');
  const output = page.getByTestId('labelled').first();
  await output.getByTestId('label-own').fill('odd hands');
  await page.keyboard.press('Enter');
  await expect(output.getByRole('button', { name: 'odd hands' })).toHaveAttribute('aria-pressed', 'true');
  await output.getByRole('button', { name: 'Artefact' }).focus();
  await page.keyboard.press((await output.getByRole('button', { name: 'Artefact' }).getAttribute('aria-keyshortcuts')) ?? '');
  await expect(output.getByRole('button', { name: 'Artefact' })).toHaveAttribute('aria-pressed', 'true');
  expect((await axe(page).analyze()).violations).toEqual([]);
  // All of it is there after a reload, and found by the filter.
  await page.goto('./#/');
  await page.reload();
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
  await page.goto('./#/samples?q=label%3A%22odd%20hands%22');
  await expect(page.getByText('1 of 4').first()).toBeVisible();
  await page.goto('./#/agreement');
  const counts = page.getByTestId('label-counts');
  await expect(counts.locator('tr[data-label="artefact"] td').first()).toContainText('1 of');
  expect((await axe(page).analyze()).violations).toEqual([]);
  // The page's CSVs are the command line's, to the byte.
  const [table, labels] = [await downloaded(page, 'labels-counts-csv'), await downloaded(page, 'labels-csv')];
  folder.write('labels/labels.csv', labels);
  const dirs = [folder.at('bench'), folder.at('result'), folder.at('labels')];
  const cli = (...args: string[]): string => execFileSync(process.env.JUROR_CLI ?? 'juror', ['labels', ...dirs, ...args], { encoding: 'utf8' });
  expect(cli()).toBe(table);
  expect(cli('--what', 'set')).toBe(labels);
});

test('a file of labels in an opened folder counts, two people are compared, and an imported one is kept', async ({ page }) => {
  const dialogues = writeSmallBenchmark(folder, 4);
  const rows = dialogues.flatMap(({ idx }) => [`${idx},0,m,${idx === 1 ? 'artefact' : 'none'},ann`, `${idx},0,m,${idx < 3 ? 'artefact' : 'none'},bob`]);
  for (const { idx } of dialogues) folder.write(`result/m/imgs/d${idx}_2.png`, png(8, 8, [40 * idx, 120, 30]));
  folder.write('labels/labels.csv', `sample,turn,model,label,rater\n${rows.join('\n')}\n`);
  await openPage(page);
  await openFolders(page, [folder.at('bench'), folder.at('result'), folder.at('labels')]);
  await page.goto('./#/agreement');
  await expect(page.getByTestId('label-agreement').locator('tbody tr').first()).toContainText('ann');
  await page.getByTestId('labels-rater').selectOption('ann');
  await expect(page.getByTestId('label-counts').locator('tr[data-label="artefact"] td').first()).toContainText('of 4');
  await page.goto('./#/rate');
  folder.write('more.csv', 'sample,turn,model,label,rater\n1,0,m,text-wrong,eve\n');
  await page.getByTestId('rate-import').setInputFiles(folder.at('more.csv'));
  await expect(page.getByText('1 failure label of more.csv').first()).toBeVisible();
  expect(await downloaded(page, 'rate-labels')).toContain('text-wrong,eve,set');
});

test('a label that is not offered has no button and no key, and one that is set stays; the choice is kept', async ({ page }) => {
  await openSmall(page);
  const label = async (name: string) => {
    await page.goto('./#/samples');
    await page.locator('a[href*="#/sample/"]').first().click();
    await page.getByTestId('labels').locator('summary').first().click();
    return page.getByTestId('labelled').first().getByRole('button', { name });
  };
  const artefact = await label('Artefact');
  await page.getByTestId('label-name').fill('ann');
  await page.getByTestId('label-name').press('Enter');
  const key = (await artefact.getAttribute('aria-keyshortcuts')) ?? '';
  await artefact.click();
  await expect(artefact).toHaveAttribute('aria-pressed', 'true');
  await page.getByTestId('label-list').locator('summary').click();
  await page.getByTestId('label-list').getByLabel('Artefact').uncheck();
  await expect(artefact).toHaveAttribute('aria-pressed', 'true');
  // Taken back, it is gone, and its key means nothing.
  await artefact.click();
  await expect(artefact).toHaveCount(0);
  await page.getByTestId('labelled').first().getByRole('button', { name: 'No failure' }).focus();
  await page.keyboard.press(key);
  await expect(pressed(page)).toHaveCount(0);
  await page.reload();
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
  const gone = await label('Artefact');
  await expect(page.getByTestId('labelled').first().getByRole('button', { name: 'Style break' })).toBeVisible();
  await expect(gone).toHaveCount(0);
});
