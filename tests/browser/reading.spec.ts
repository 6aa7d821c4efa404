/** The tolerant reading of replies: offered where the strict one refuses, chosen on the page, told with every number. */
import type { Page } from '../../www/node_modules/@playwright/test';
import { TempFolder, closeAll, exportedReport, goTo, jurorScore, openFolders, openPage, overallTotal, png, shownMean } from './helpers';
import { expect, test } from './visits';

const LABELS = ['Instruction Alignment', 'Reference Consistency', 'Background-Subject Match', 'Physical Realism', 'Visual Quality'];

const block = (values: number[], line = (label: string, value: number): string => `${label}: ${value}`): string =>
  LABELS.map((label, at) => line(label, values[at] ?? 0)).join('\n');

const bold = (label: string, value: number): string => `**${label}**: ${value}`;

/** Three sets: thoughts before the verdict, a bold verdict, and two verdicts that differ. */
function reasoned(folder: TempFolder): string[] {
  const picture = png(8, 8, [10, 20, 30]);
  const replies = [
    `<think>\n${block([3, 2, 4, 3, 4])}\n</think>\n${block([9, 8, 9, 8, 9])}`,
    block([9, 8, 9, 8, 9], bold),
    `${block([3, 2, 4, 3, 4], bold)}\n\n${block([9, 8, 9, 8, 9], bold)}`,
  ];
  replies.forEach((reply, at) => {
    const set = `00${at + 1}`;
    for (const place of [0, 1]) folder.write(`data/add/${set}_${place}.png`, picture);
    folder.write(`data/add/${set}_prompt.txt`, 'Put the two together.\n');
    folder.write(`outputs/model-a/add/${set}_generated.png`, picture);
    folder.write(`outputs/model-a/add/${set}_gpt_judge.txt`, reply);
  });
  return [folder.at('data'), folder.at('outputs')];
}

const offer = (page: Page) => page.getByTestId('reading');
const choice = (page: Page) => page.getByTestId('reply-reading');

test('replies with thoughts and bold are offered, read once that is chosen, and told with the numbers', async ({ page }) => {
  const folder = new TempFolder();
  const folders = reasoned(folder);
  await openPage(page);
  await closeAll(page);
  await openFolders(page, folders);
  await expect(offer(page)).toContainText('2 more replies of gpt can be read: thoughts set aside 1, bold 1.');
  await expect(choice(page)).toHaveValue('strict');
  await page.getByTestId('choose-reading').click();
  await expect(choice(page)).toHaveValue('tolerant');
  await expect(offer(page)).toContainText('2 replies of gpt are read tolerantly: thoughts set aside 1, bold 1.');
  await expect(page).toHaveURL(/reading=tolerant/);
  await expect(shownMean(page, 'model-a')).toBeVisible();
  const report = await exportedReport(page);
  const native = jurorScore(folders, '--reading', 'tolerant');
  expect(overallTotal(report, 'model-a')).toBe(overallTotal(native, 'model-a'));
  expect((report as unknown as { provenance: { reading?: string } }).provenance.reading).toBe('tolerant');
  await page.getByTestId('choose-reading').click();
  await expect(choice(page)).toHaveValue('strict');
  expect(overallTotal(await exportedReport(page), 'model-a')).not.toBe(overallTotal(native, 'model-a'));
  folder.remove();
});

test('the released profile reads as the authors’ code does and offers no other reading', async ({ page }) => {
  const folder = new TempFolder();
  await openPage(page);
  await closeAll(page);
  await openFolders(page, reasoned(folder));
  await expect(offer(page)).toBeVisible();
  await page.getByTestId('profile-released').check();
  await expect(offer(page)).toHaveCount(0);
  await expect(choice(page)).toHaveCount(0);
  folder.remove();
});

test('an address with the tolerant reading chooses it', async ({ page }) => {
  const folder = new TempFolder();
  await openPage(page);
  await closeAll(page);
  await openFolders(page, reasoned(folder));
  await goTo(page, `${new URL(page.url()).hash}${page.url().includes('?') ? '&' : '?'}reading=tolerant`);
  await expect(choice(page)).toHaveValue('tolerant');
  folder.remove();
});
