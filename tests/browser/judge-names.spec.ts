/** Judges of files that state none: named manually on the page, kept with the benchmark, told as such in packs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '../../www/node_modules/@playwright/test';
import { TempFolder, closeAll, exportedReport, juror, metricsLine, openFolders, openPage, writeSmallBenchmark } from './helpers';
import { expect, test } from './visits';

const JUDGE = 'gpt-4o-2024-08-06';

interface Named {
  provenance: { judge_names?: { path: string; judge: string }[] };
}

const models = (page: Page) => page.locator('juror-models');
const source = (page: Page) => models(page).locator('.source').first();

/** Two models whose metrics.jsonl states no judge. */
function unstated(folder: TempFolder): string[] {
  const dialogues = writeSmallBenchmark(folder, 3);
  folder.write('result/other/metrics.jsonl', dialogues.map((one) => `${metricsLine(one, 5)}\n`).join(''));
  return [folder.at('bench'), folder.at('result')];
}

test('the judge of a metrics.jsonl is named on the page, is kept with the benchmark, and a pack says who named it', async ({ page }) => {
  const folder = new TempFolder();
  const folders = unstated(folder);
  await openPage(page);
  await closeAll(page);
  await openFolders(page, folders);
  await expect(source(page)).toContainText('Judge not stated');
  await page.getByTestId('name-judge').first().click();
  await page.getByTestId('judge-naming').getByRole('combobox').fill(JUDGE);
  await page.getByTestId('judge-naming').getByRole('button', { name: 'Name' }).click();
  await expect(source(page)).toContainText(`Judged by ${JUDGE} (named manually)`);
  await expect(models(page).getByText(`${JUDGE} (named manually)`)).toHaveCount(2);
  const report = (await exportedReport(page)) as unknown as Named;
  expect(report.provenance.judge_names).toEqual([
    { path: 'result/m/metrics.jsonl', judge: JUDGE },
    { path: 'result/other/metrics.jsonl', judge: JUDGE },
  ]);
  await page.getByRole('button', { name: /^Export/ }).click();
  await page.getByTestId('export-pack').click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('pack-write').click()]);
  const path = join(folder.path, 'named.zip');
  writeFileSync(path, readFileSync(await download.path()));
  const checked = JSON.parse(juror(['verify', path]).toString('utf8')) as { reproduced: boolean; notes: string[] };
  expect(checked.reproduced).toBe(true);
  expect(checked.notes.join(' ')).toContain(`Named by whoever packed it, as the files of replies state no judge: ${JUDGE} for result/m/metrics.jsonl`);
  await page.reload();
  await page.waitForSelector('html[data-engine="ready"]');
  // The address is of the reader's own files: no demo suite opens by itself.
  await openFolders(page, folders);
  await expect(source(page)).toContainText(`Judged by ${JUDGE} (named manually)`);
  await page.getByTestId('unname-judge').first().click();
  await expect(source(page)).toContainText('Judge not stated');
  folder.remove();
});

test('where a file states its judge there is nothing to name', async ({ page }) => {
  const folder = new TempFolder();
  const dialogues = writeSmallBenchmark(folder, 3);
  folder.write('result/m/metrics.jsonl', '');
  folder.write('result/m/metrics_gpt-4.1.jsonl', dialogues.map((one) => `${metricsLine(one, 5)}\n`).join(''));
  await openPage(page);
  await closeAll(page);
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
  await expect(source(page)).toContainText('Judged by gpt-4.1');
  await expect(source(page)).not.toContainText('named manually');
  await expect(page.getByTestId('name-judge')).toHaveCount(0);
  folder.remove();
});
