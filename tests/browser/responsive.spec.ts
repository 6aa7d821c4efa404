/** A folder of 3,000 files loads while the page goes on answering. */
import { basename } from 'node:path';
import { expect, test, type Page } from '../../www/node_modules/@playwright/test';
import { Gate } from './gates';
import { writeSuite } from './generate';
import { TempFolder, exportedReport, jurorScore, numbers, openPage, settled } from './helpers';
import { readClock, startClock } from './probe';

const MODELS = ['alpha', 'beta', 'gamma'];

let folder: TempFolder;

test.beforeAll(() => {
  folder = new TempFolder();
  const files = writeSuite(folder.path, 185, MODELS);
  expect(files).toBeGreaterThan(3000);
});

test.afterAll(() => folder.remove());

/** Gives the folder to the page, which is held back in the middle of reading. */
async function readHalf(page: Page, gate: Gate): Promise<void> {
  await gate.hold();
  await page.getByTestId('input-folder').setInputFiles(folder.at('suite'));
  const phase = async (): Promise<string | null> => {
    await gate.step();
    return page.locator('html').getAttribute('data-phase');
  };
  await expect.poll(phase, { intervals: [20] }).toBe('pictures');
}

test('a click is answered while thousands of files are read', async ({ page }) => {
  const gate = await Gate.before(page, 'juror-engine', 'read');
  await openPage(page);
  await startClock(page, {});
  const tab = await page.getByRole('link', { name: 'Samples', exact: true }).boundingBox();
  if (tab === null) throw new Error('There is no tab for samples.');
  await readHalf(page, gate);
  await page.mouse.click(tab.x + tab.width / 2, tab.y + tab.height / 2);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Samples');
  await expect(page.locator('html')).toHaveAttribute('data-phase', 'pictures');
  await gate.open();
  await settled(page, basename(folder.at('suite')));
  const { click, phases, longestGap } = await readClock(page);
  console.log(`3,000 files: read in ${Math.round(phases['done'] ?? NaN)} ms, longest time without a frame ${Math.round(longestGap)} ms`);
  expect(click).not.toBeNull();
  expect(click ?? Infinity).toBeLessThan(phases['done'] ?? -Infinity);
  await expect(page.getByText('185 of 185 dialogues')).toBeVisible();
});

test('reading can be cancelled and taken up again, and ends with the same report', async ({ page }) => {
  const gate = await Gate.before(page, 'juror-engine', 'read');
  await openPage(page);
  await readHalf(page, gate);
  const progress = page.getByTestId('progress');
  await progress.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForSelector('html[data-phase="cancelled"]');
  await expect(progress).toContainText('cancelled');
  await expect(progress).toContainText('partial');
  await gate.open();
  await progress.getByRole('button', { name: 'Resume' }).click();
  await settled(page, 'suite');
  await expect(progress).toBeHidden();
  expect(numbers(await exportedReport(page))).toEqual(numbers(jurorScore([folder.at('suite')])));
});
