/** The demo suite of each benchmark: found in the menu, with an address of its own, scored as on the command line. */
import { join } from 'node:path';
import type { Page } from '../../www/node_modules/@playwright/test';
import {
  chooseWayIn,
  closeAll,
  DEMO,
  exportedReport,
  jurorScore,
  openFolders,
  openPage,
  type Report,
  showBelow,
  shown,
  still,
  TempFolder,
  writeSmallBenchmark,
} from './helpers';
import { expect, test } from './visits';

const DEMOS = [
  ['weave', 'WEAVEBench'],
  ['multibanana', 'MultiBanana'],
  ['micon', 'MICON-Bench'],
  ['vibe', 'VIBE'],
  ['multiref', 'MultiRef-Bench'],
] as const;
const MODELS = ['aurora-synth', 'basalt-synth', 'cinder-synth'];

/** Waits until the demo suite of a benchmark is on the screen and read to the end. */
async function shows(page: Page, title: string): Promise<void> {
  await expect(page.getByTestId('benchmark')).toHaveText(title);
  await page.waitForSelector('html[data-phase="done"]');
  await shown(page);
}

for (const [id, title] of DEMOS) {
  test(`${title}: chosen in the menu, it shows models, numbers and incidents`, async ({ page }) => {
    await openPage(page);
    await chooseWayIn(page, `Demo: ${title}`);
    await shows(page, title);
    expect(new URL(page.url()).hash).toBe(id === 'weave' ? '#/' : `#/?demo=${id}`);
    const table = page.getByTestId('overview-table');
    for (const model of MODELS) {
      const row = table.locator('tr').filter({ hasText: model }).first();
      await expect(row).toBeVisible();
      await expect(row.locator('td').filter({ hasText: /\d/ }).first()).toBeVisible();
    }
    await showBelow(page, 'incidents');
    await expect.poll(() => page.getByTestId('incident').count()).toBeGreaterThan(1);
    // The number of each tab is how many its part lists.
    const numberOf = async (part: string): Promise<number> => Number(/\d+/.exec(await page.getByTestId(`below-${part}`).innerText())?.[0] ?? 0);
    expect(await page.getByTestId('incident').count()).toBe(await numberOf('incidents'));
    await showBelow(page, 'files');
    await expect(page.getByTestId('problem')).toHaveCount(await numberOf('files'));
    await showBelow(page, 'rules');
    await expect(page.locator('juror-differences article:not(.rest *)')).toHaveCount(await numberOf('rules'));
    const report = jurorScore([join(DEMO, '..', id)]);
    expect(report.incidents.length).toBeGreaterThan(3);
    // The page opens the suite without the folder around it, so paths in words differ.
    const shown = await exportedReport(page);
    expect({ scores: shown.scores, samples: shown.samples }).toEqual({ scores: report.scores, samples: report.samples });
    const kinds = (one: Report): string[] => one.incidents.map(({ kind, model, sample }) => `${kind} ${model} ${sample}`);
    expect(kinds(shown)).toEqual(kinds(report));
  });
}

test('an address leads to a sample of a demo suite, and back leads to the suite before', async ({ page }) => {
  await openPage(page, '#/sample/Billiards%2FBilliards_0001?demo=vibe');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Billiards_0001');
  await expect(page.locator('juror-output')).toHaveCount(3);
  const choices = page.locator('juror-app .demos a');
  await expect(choices).toHaveText(DEMOS.map(([, title]) => title));
  await choices.filter({ hasText: 'MICON-Bench' }).click();
  await shows(page, 'MICON-Bench');
  await expect(page).toHaveURL(/#\/\?demo=micon$/);
  await page.getByRole('link', { name: 'Samples', exact: true }).click();
  await expect(page).toHaveURL(/#\/samples\?demo=micon$/);
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Billiards_0001');
  await expect(page.locator('juror-output')).toHaveCount(3);
});

test('the menu is worked by keys, and an unknown demo suite in the address is the first one', async ({ page }) => {
  await openPage(page, '#/?demo=nothing');
  await shows(page, 'WEAVEBench');
  await page.getByRole('button', { name: 'More ways to open' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Files or ZIP…' })).toBeFocused();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Demo: MultiBanana' })).toBeFocused();
  await page.keyboard.press('Enter');
  await shows(page, 'MultiBanana');
});

test('own files end the demo suite and its address; the empty page offers the suites again', async ({ page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 2);
  await openPage(page, '#/?demo=multiref');
  await shows(page, 'MultiRef-Bench');
  await openFolders(page, [folder.at('bench')]);
  await shows(page, 'WEAVEBench');
  expect(page.url()).not.toContain('demo=');
  await expect(page.locator('juror-app .demos')).toHaveCount(0);
  await closeAll(page);
  await page.getByRole('button', { name: 'Demo: VIBE' }).click();
  await shows(page, 'VIBE');
  folder.remove();
});

test('at the width of a phone the suites can be chosen without scrolling sideways', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openPage(page);
  await still(page);
  await page.getByTestId('unfold').click();
  const choices = page.locator('juror-app .demos a');
  for (const choice of await choices.all()) {
    const box = await choice.boundingBox();
    expect(box?.x ?? -1).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
  }
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await choices.filter({ hasText: 'VIBE' }).click();
  await shows(page, 'VIBE');
});

for (const id of ['multiref', 'vibe'] as const) {
  test(`${id}: rows and columns that are not defined do not show, and each model has one row`, async ({ page }) => {
    await openPage(page, `#/?demo=${id}`);
    const table = page.getByTestId('overview-table');
    const check = async (): Promise<number> => {
      await shown(page);
      const names = await table.locator('tbody:not(.published) .name').allTextContents();
      expect(names.length).toBe(3);
      expect(new Set(names).size).toBe(3);
      const columns = await table.locator('thead th:not(.coverage)').count();
      for (let at = 1; at < columns; at += 1) expect(await table.locator(`tbody:not(.published) tr td:nth-child(${at + 2}) .cell`).count()).toBeGreaterThan(0);
      return columns;
    };
    expect(await check()).toBeGreaterThan(1);
    await page.getByRole('radio', { name: 'All', exact: true }).check();
    expect(await check()).toBeGreaterThan(5);
    const heads = (await table.locator('thead th').allTextContents()).join(' ');
    if (id === 'multiref') for (const criterion of ['IQ', 'IF', 'SF']) expect(heads).toContain(criterion);
  });
}
