/** The manual in the page: each view leads to its chapter, words are found in it, and nothing of it leads nowhere. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '../../www/node_modules/@playwright/test';
import { ROOT, goTo, openPage } from './helpers';
import { expect, test } from './visits';

const FOLDER = join(ROOT, 'www/manual');

/** Titles of the chapters, as their files begin. */
const TITLES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.md'))
  .sort()
  .map((file) => /^# (.+)$/m.exec(readFileSync(join(FOLDER, file), 'utf8'))?.[1] ?? file);

/** Each view with the heading that its “?” leads to; agents are MultiBanana’s alone. */
const VIEWS: [place: string, tag: string, heading: string][] = [
  ['/', 'juror-overview', 'Scores'],
  ['/samples', 'juror-samples', 'Find samples'],
  ['/sample', 'juror-sample', 'Look at a sample'],
  ['/plots', 'juror-plots', 'Plots'],
  ['/compare', 'juror-compare', 'Comparing models'],
  ['/incidents', 'juror-incidents-view', 'Incidents and missing outputs'],
  ['/judge', 'juror-judge', 'Judge from the page'],
  ['/metrics', 'juror-metrics', 'Image metrics'],
  ['/rate', 'juror-rate', 'Rate by hand'],
  ['/agreement', 'juror-agreement-view', 'Agreement'],
  ['/generate', 'juror-generate', 'Outputs of a generator'],
  ['/agents', 'juror-agents', 'Agent loops'],
  ['/lint', 'juror-lint', 'Output check'],
  ['/statistics', 'juror-statistics', 'What a benchmark is made of'],
  ['/experiments', 'juror-experiments', 'Experiments'],
  ['/embed', 'juror-embed-view', 'On your own page'],
  ['/dar', 'juror-dar', 'Attention rebalancing'],
];

const heading = (page: Page, name: string) => page.locator('juror-manual article').getByRole('heading', { name, exact: true });

test('the “?” behind each view’s heading leads to its part of the manual, and back leads to the view', async ({ page }) => {
  await openPage(page, '#/?demo=multibanana');
  await page.goto('./#/samples?demo=multibanana');
  await page.getByTestId('sample-row').first().click();
  await expect(page.locator('juror-sample h1')).toBeVisible();
  const sample = await page.evaluate(() => location.hash);
  for (const [place, tag, title] of VIEWS) {
    const hash = place === '/sample' ? sample : `#${place}?demo=multibanana`;
    await page.evaluate((to) => (location.hash = to), hash);
    await page.locator(tag).locator('.to-manual').first().click();
    await expect(heading(page, title)).toBeInViewport();
    await page.goBack();
    await expect(page.locator(tag).locator('h1').first()).toBeVisible();
  }
});

test('words are found in headings and text, the section opens from the keyboard, and no chapter is missing', async ({ page }) => {
  await openPage(page);
  await page.evaluate(() => (location.hash = '#/manual'));
  await expect(page.getByRole('navigation', { name: 'Chapters' }).locator('> ul > li > a')).toHaveText(TITLES);
  const field = page.getByTestId('manual-search');
  await field.fill('bootstrap models');
  await expect(page.getByTestId('manual-found')).toHaveText(/^\d+ sections?:$/);
  await page.getByRole('link', { name: 'Scores: Comparing models' }).focus();
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Comparing models')).toBeFocused();
  expect(page.url()).toContain('#/manual/scores/comparing-models');
  await field.fill('no section says zyzzyva');
  await expect(page.getByTestId('manual-found')).toHaveText('No section has all of these words.');
});

test('the manual begins with what Juror is, and each drawing has its description', async ({ page }) => {
  await openPage(page);
  await goTo(page, '#/manual');
  await expect(heading(page, 'What Juror is')).toBeVisible();
  const figures = page.locator('juror-manual article svg.figure');
  await expect(figures).toHaveCount(3);
  for (const figure of await figures.all()) {
    expect((await figure.getAttribute('aria-label'))?.length).toBeGreaterThan(40);
    // Each label is inside of its drawing.
    const bounds = await figure.evaluate((svg) => {
      const outer = svg.getBoundingClientRect();
      return [...svg.querySelectorAll('text')].map((text) => {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        return left >= outer.left && right <= outer.right && top >= outer.top && bottom <= outer.bottom;
      });
    });
    expect(bounds.length).toBeGreaterThan(3);
    expect(bounds).not.toContain(false);
  }
});

test('every link inside the manual leads to a heading that is there, and keeps the demo suite', async ({ page }) => {
  await openPage(page, '#/?demo=micon');
  await page.evaluate(() => (location.hash = '#/manual?demo=micon'));
  const seen = new Set<string>();
  for (const title of TITLES) {
    await page.getByRole('navigation', { name: 'Chapters' }).getByRole('link', { name: title, exact: true }).click();
    await expect(heading(page, title)).toBeVisible();
    for (const href of await page
      .locator('juror-manual article section a[href^="#/manual/"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? '')))
      seen.add(href);
  }
  expect(seen.size).toBeGreaterThan(5);
  for (const href of seen) {
    const [, , chapter = '', section = ''] = href.split('/');
    await page.evaluate((to) => (location.hash = to), `${href}?demo=micon`);
    await expect(page.locator(`juror-manual ${section === '' ? 'h1' : `#${section}`}`).first(), `${chapter} ${section}`).toBeInViewport();
  }
  await expect(page.locator('juror-app .demos [aria-current]')).toHaveText('MICON-Bench');
});
