/** What a demo suite has besides: one button fills the views that it leaves empty, until the suite is left. */
import type { Page } from '../../www/node_modules/@playwright/test';
import { SCHEMES, axe } from './axe';
import { exportedReport, goTo, numbers, openPage, settled, shown, still } from './helpers';
import { expect, test } from './visits';

const SUITES = ['weave', 'multibanana', 'micon', 'vibe', 'multiref'] as const;
const OTHER = 'other-judge';
/** What the page calls the source. */
const SOURCE = 'another judge and ratings';

const address = (view: string, suite: string): string => `#/${view}${suite === 'weave' ? '' : `?demo=${suite}`}`;
const withExtra = (view: string, suite: string): string => `#/${view}?${suite === 'weave' ? '' : `demo=${suite}&`}extra=1`;
const names = (page: Page) => page.getByTestId('overview-table').locator('tbody:not(.published) .name');
const blocks = (page: Page) => page.getByTestId('overview-table').getByTestId('judge-block');

async function opens(page: Page, hash: string): Promise<void> {
  await openPage(page, hash);
  await settled(page, SOURCE);
}

/** The counts of the tables with these words as their title. */
async function counts(page: Page, title: RegExp): Promise<number[]> {
  const rows = page
    .getByTestId('agreement')
    .filter({ has: page.locator('caption', { hasText: title }) })
    .locator('tbody tr td:first-of-type');
  return (await rows.allTextContents()).map((text) => Number.parseInt(text, 10));
}

for (const suite of SUITES) {
  test(`${suite}: one button compares judges and people, a reload keeps it, and it goes away with the demo`, async ({ page }) => {
    await openPage(page, address('', suite));
    await expect(names(page).first()).toBeVisible();
    const [before, own] = [numbers(await exportedReport(page)), await names(page).count()];
    await goTo(page, address('agreement', suite));
    await page.getByTestId('add-extra').click();
    await settled(page, SOURCE);
    await expect(page).toHaveURL(/[?&]extra=1/);
    await expect(page.getByTestId('add-extra')).toHaveCount(0);
    const compared = async (): Promise<void> => {
      for (const title of [/^Agreement between judges/, /^People and judges/, /^Agreement between people/]) {
        await expect.poll(async () => Math.max(0, ...(await counts(page, title)))).toBeGreaterThan(7);
      }
    };
    await compared();
    await page.reload();
    await settled(page, SOURCE);
    await compared();

    // MultiRef-Bench's totals are the evaluator's.
    await goTo(page, `${withExtra('', suite)}&judges=all${suite === 'multiref' ? '&criterion=IQ' : ''}`);
    await expect(blocks(page).filter({ hasText: OTHER })).toHaveCount(1);
    await expect.poll(() => names(page).count()).toBeGreaterThan(own);

    // Without it in the address the suite is as it was; and another suite has none of it.
    await goTo(page, address('', suite));
    await expect(page.locator('juror-app .sources')).not.toContainText(SOURCE);
    await settled(page, 'Demo suite');
    expect(numbers(await exportedReport(page))).toEqual(before);
    await goTo(page, withExtra('agreement', suite));
    await settled(page, SOURCE);
    const next = suite === 'vibe' ? 'MICON-Bench' : 'VIBE';
    await page.locator('juror-app .demos a').filter({ hasText: next }).click();
    await expect(page.getByTestId('benchmark')).toHaveText(next);
    await settled(page, 'Demo suite');
    expect(page.url()).not.toContain('extra=');
    await expect(page.locator('juror-app .sources')).not.toContainText(SOURCE);
  });

  test(`${suite}: Attention shows the demo's tensors over their pictures, and drops them with the demo`, async ({ page }) => {
    await openPage(page, address('dar', suite));
    await expect(page.getByTestId('compute')).toBeDisabled();
    await page.getByTestId('add-extra').click();
    await expect(page.getByTestId('dar-table').locator('tbody tr')).toHaveCount(2);
    await expect(page.getByTestId('heat-map')).toHaveCount(6);
    await expect(page.getByTestId('dar-table').locator('tbody tr').first()).toContainText('0–195');
    await goTo(page, withExtra('agreement', suite));
    await goTo(page, withExtra('dar', suite));
    await expect(page.getByTestId('heat-map')).toHaveCount(6);
    await goTo(page, address('dar', suite));
    await expect(page.getByTestId('heat-map')).toHaveCount(0);
    await expect(page.getByTestId('references')).toHaveValue('');
    await expect(page.getByTestId('compute')).toBeDisabled();
  });
}

test('Agents shows a whole loop over every set, judged step by step, and each other suite leads to the one that has it', async ({ page }) => {
  await openPage(page, address('agents', 'multibanana'));
  await page.getByTestId('add-extra').click();
  await settled(page, SOURCE);
  await expect(page.getByTestId('agents-begun')).toContainText('13 sets');
  await expect(page.getByTestId('strip')).toHaveCount(10);
  const pictures = page.getByTestId('strip').first().locator('.steps img');
  await expect(pictures).toHaveCount(3);
  await expect.poll(() => pictures.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth))).toEqual([384, 384, 384]);
  for (const judge of ['gemini', 'gpt', OTHER]) {
    const means = page
      .getByTestId('agents-table')
      .locator('tbody tr')
      .filter({ has: page.getByRole('rowheader', { name: judge, exact: true }) })
      .locator('td');
    await expect(means).toHaveCount(3);
    const values = (await means.allTextContents()).map((text) => Number.parseFloat(text));
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(values[0]).toBeLessThan(values[2] ?? 0);
  }
  for (const suite of SUITES.filter((one) => one !== 'multibanana')) {
    await goTo(page, address('agents', suite));
    await settled(page, 'Demo suite');
    await expect(page.getByTestId('agents-none').getByRole('link')).toHaveAttribute('href', '#/?demo=multibanana');
  }
});

test('what is closed takes the demo’s tensors and the button with it', async ({ page }) => {
  await opens(page, withExtra('dar', 'micon'));
  await expect(page.getByTestId('heat-map')).toHaveCount(6);
  await page.locator('.take .path').first().waitFor();
  await page.getByRole('button', { name: 'More ways to open' }).click();
  await page.getByRole('menuitem', { name: 'Close all' }).click();
  await shown(page);
  await goTo(page, '#/dar');
  await expect(page.getByTestId('heat-map')).toHaveCount(0);
  await expect(page.getByTestId('add-extra')).toHaveCount(0);
});

for (const [colorScheme, rules] of SCHEMES) {
  test(`axe finds nothing wrong with the button and with what it adds, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    const faults = async (): Promise<string[]> => {
      await still(page);
      const { violations } = await axe(page, rules).analyze();
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(' ')}`);
    };
    for (const view of ['agreement', 'dar', 'agents']) {
      await openPage(page, address(view, 'multibanana'));
      await page.getByTestId('add-extra').waitFor();
      expect(await faults(), view).toEqual([]);
      // Its tables are those of any benchmark.
      if (view === 'agreement') continue;
      await opens(page, withExtra(view, 'multibanana'));
      expect(await faults(), `${view} with the extra`).toEqual([]);
    }
  });
}

test('of very many pairs those over all models are shown first, the others on a click', async ({ page }) => {
  await opens(page, withExtra('agreement', 'micon'));
  const section = page.getByRole('region', { name: /^People and judges/ });
  const rows = section.getByTestId('agreement').locator('tbody tr');
  await expect(rows.first()).toBeVisible();
  const before = await rows.count();
  expect(before).toBeLessThanOrEqual(60);
  // The second column names the model.
  for (const model of await rows.locator('th:nth-child(2)').allInnerTexts()) expect(model).toBe('all');
  await page
    .locator('p', { hasText: `${before} of` })
    .getByTestId('agreement-all')
    .first()
    .click();
  await expect.poll(() => rows.count()).toBeGreaterThan(60);
});
