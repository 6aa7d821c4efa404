/** Drawings of scores by group: what is drawn is the score table's numbers where it has them, and exports say the same. */
import { readFileSync } from 'node:fs';
import type { Page } from '../../www/node_modules/@playwright/test';
import { openPage } from './helpers';
import { expect, test } from './visits';

async function csvOf(page: Page): Promise<Record<string, string>[]> {
  await expect(page.locator('juror-plot-figure .mark').first()).toBeAttached();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('csv').click()]);
  const [head = '', ...lines] = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((field, at) => [names[at] ?? '', field])));
}

test('references are drawn within a group, and as small multiples whose samples add up to the group’s', async ({ page }) => {
  await openPage(page, '#/plots/references?demo=multibanana');
  const all = await csvOf(page);
  const group = page.getByTestId('plot-references-group');
  const value = await group.locator('optgroup option').first().getAttribute('value');
  await group.selectOption(value ?? '');
  await expect(page.getByRole('heading', { level: 2 }).first()).toContainText('by number of references, ');
  const own = await csvOf(page);
  expect(own.length).toBeGreaterThan(0);
  for (const cell of own.filter(({ n }) => n !== '0')) {
    const whole = all.find((row) => row.model === cell.model && row.judge === cell.judge && row.key === cell.row);
    expect(whole, JSON.stringify(cell)).toBeDefined();
    expect(Number(cell.expected)).toBeLessThanOrEqual(Number(whole?.expected));
  }
  await page.goto('./#/plots/multiples?demo=multibanana');
  const cells = await csvOf(page);
  expect(new Set(cells.map(({ criterion }) => criterion)).size).toBeGreaterThan(1);
  expect(new Set(cells.map(({ column }) => column)).size).toBeGreaterThan(1);
});

test('who saves a drawing while newer numbers are on their way gets those once they are here, and only once', async ({ page }) => {
  await openPage(page, '#/plots/pairs?demo=multibanana');
  await expect(page.locator('juror-plot-figure .mark').first()).toBeAttached();
  // Another one of the same drawing, to which the page says nothing.
  await page.locator('juror-plot-figure').evaluate((element) => {
    const { chart } = element as unknown as { chart: object };
    document.body.prepend(Object.assign(document.createElement('juror-plot-figure'), { id: 'own', chart }));
  });
  const figure = page.locator('#own');
  const saved: string[] = [];
  page.on('download', (file) => saved.push(file.suggestedFilename()));
  const set = (partial: boolean, title?: string) =>
    figure.evaluate(
      async (element, now) => {
        const drawing = element as unknown as { partial: boolean; chart: { title: string }; updateComplete: Promise<boolean> };
        drawing.partial = now.partial;
        if (now.title !== undefined) drawing.chart = { ...drawing.chart, title: now.title };
        await drawing.updateComplete;
      },
      { partial, title },
    );
  await set(true);
  for (const kind of ['csv', 'svg', 'csv']) await figure.getByTestId(kind).click();
  await expect(figure.getByRole('status')).toHaveText('Saved once the newer numbers are here.');
  expect(saved).toEqual([]);
  await set(false, 'Newer');
  await expect.poll(() => [...saved].sort()).toEqual([expect.stringMatching(/newer\.csv$/), expect.stringMatching(/newer\.svg$/)]);
  await expect(figure.getByRole('status')).toHaveCount(0);
  await set(false, 'Newest');
  await figure.getByTestId('svg').click();
  await expect.poll(() => saved.slice(2)).toEqual([expect.stringMatching(/newest\.svg$/)]);
});

test('bars with and without a tag are the table’s rows, and Enter opens what is behind one', async ({ page }) => {
  await openPage(page, '#/plots/pairs?demo=multibanana');
  const rows = await csvOf(page);
  for (const { key } of rows.filter(({ key }) => !key?.startsWith('without '))) expect(rows.map((row) => row.key)).toContain(`without ${key}`);
  await page.locator('juror-plot-figure .mark').first().focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('juror-cell-dialog dialog[open]')).toBeVisible();
});

test('shares of scores add up to one in every group', async ({ page }) => {
  await openPage(page, '#/plots/shares?demo=multibanana');
  const rows = await csvOf(page);
  const groups = [...new Set(rows.map(({ group }) => group))];
  expect(groups.length).toBeGreaterThan(1);
  for (const group of groups) {
    const own = rows.filter((row) => row.group === group && row.of !== '0');
    const sum = own.reduce((all, { share }) => all + Number(share), 0);
    if (own.length > 0) expect(sum).toBeCloseTo(1, 9);
  }
  // A part of a bar opens the samples that have such a score.
  const first = rows.find(({ count }) => Number(count) > 0);
  const mark = page.locator('juror-plot-figure .mark').first();
  await expect(mark).toHaveAttribute('role', 'button');
  await mark.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/samples\?.*criterion/);
  expect(decodeURIComponent(page.url())).toContain(`model:${first?.model}`);
  const listed = page.getByTestId('sample-row');
  await expect(listed.first()).toBeVisible();
  const all = Number(first?.count);
  expect(await listed.count()).toBeLessThanOrEqual(all);
});
