/** What the page does when a part of it does not arrive, and where the browser lets it keep nothing. */
import { cell, openPage } from './helpers';
import { expect, test } from './visits';

for (const [view, hash, name] of [
  ['incidents', '#/incidents', 'Incidents'],
  ['plots', '#/plots', 'Plots'],
] as const) {
  test(`${name}: a view that does not arrive says so in its place, and comes when it is tried again`, async ({ page }) => {
    await page.route(`**/assets/view-${view}-*.js`, (route) => route.abort());
    await openPage(page, hash);
    const failed = page.getByTestId('unloaded');
    await expect(failed.getByRole('heading')).toHaveText('This view could not be loaded');
    const again = failed.getByRole('button', { name: 'Try again' });
    await again.press('Enter');
    await expect(failed).toBeVisible();
    // Other views work, and what failed is tried anew when it is asked for again.
    await page.goto('./#/');
    await expect(cell(page, 'aurora-synth')).toBeVisible();
    await page.goto(`./${hash}`);
    await expect(failed).toBeVisible();
    await page.unroute(`**/assets/view-${view}-*.js`);
    await again.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(failed).toHaveCount(0);
    await expect(page.locator('#main')).toBeFocused();
  });
}

test('a browser that blocks the page’s storage stops nothing: the suite opens, themes and views can be chosen', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    });
  });
  await openPage(page);
  await expect(cell(page, 'aurora-synth')).toBeVisible();
  await page.getByRole('button', { name: 'Theme: as the system. Switch to light' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.getByRole('button', { name: 'Theme: light. Switch to dark' }).click();
  await page.getByRole('button', { name: 'Theme: dark. Switch to the system’s' }).click();
  await expect(page.locator('html')).not.toHaveAttribute('data-theme');
  await page.goto('./#/samples');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Name of this view').fill('Mine');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('The browser does not let this page keep anything.');
  expect(errors).toEqual([]);
});
