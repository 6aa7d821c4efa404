/** The sample view, the list and what can be closed by keyboard alone: it works, the focus is seen, and it is never lost. */
import { expect, test, type Page } from '../../www/node_modules/@playwright/test';
import { openPage } from './helpers';

/** What has the focus, below all shadow roots. */
interface Focus {
  tag: string;
  name: string;
  classes: string;
  testid: string;
  /** Whether an outline shows it: its own, or that of the label around it. */
  isSeen: boolean;
}

function focus(page: Page): Promise<Focus> {
  return page.evaluate(() => {
    let at: Element | null = document.activeElement;
    while (at?.shadowRoot?.activeElement != null) at = at.shadowRoot.activeElement;
    const outlined = (element: Element | null): boolean => element !== null && getComputedStyle(element).outlineStyle !== 'none' && parseFloat(getComputedStyle(element).outlineWidth) > 0;
    return {
      tag: at?.localName ?? '',
      name: at?.getAttribute('aria-label') ?? at?.textContent?.trim() ?? '',
      classes: at?.className ?? '',
      testid: at?.getAttribute('data-testid') ?? '',
      isSeen: outlined(at) || outlined(at?.closest('label') ?? null),
    };
  });
}

/** Goes on with Tab until what is wanted has the focus; it must be seen on the way at every step. */
async function tabTo(page: Page, wanted: (focus: Focus) => boolean, key = 'Tab'): Promise<Focus> {
  for (let step = 0; step < 120; step += 1) {
    await page.keyboard.press(key);
    const now = await focus(page);
    if (now.tag === 'body') continue;
    expect(now.isSeen, `the focus on ${now.tag} “${now.name.slice(0, 60)}” is seen`).toBe(true);
    if (wanted(now)) return now;
  }
  throw new Error('Tab never reaches it.');
}

/** Something in the page has the focus, not the page itself. */
async function hasFocus(page: Page, when: string): Promise<void> {
  await expect.poll(async () => (await focus(page)).tag, { message: `focus ${when}` }).not.toBe('body');
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const viewer = (page: Page) => page.locator('juror-sample juror-lightbox dialog');

/** A sample of MICON-Bench whose instruction speaks of two pictures. */
async function toSample(page: Page): Promise<void> {
  await openPage(page, '#/sample/object_composition%2Fcase_0001?demo=micon');
  await expect(heading(page)).toContainText('case_0001');
  await expect(page.locator('juror-output')).toHaveCount(3);
}

test('J and K, arrows and numbers: samples and models', async ({ page }) => {
  await toSample(page);
  await tabTo(page, ({ testid }) => testid === 'open-request');
  for (const [next, back] of [['j', 'k'], ['ArrowRight', 'ArrowLeft']] as const) {
    await page.keyboard.press(next);
    await expect(heading(page)).toContainText('case_0002');
    await hasFocus(page, `after ${next}`);
    await page.keyboard.press(back);
    await expect(heading(page)).toContainText('case_0001');
    await hasFocus(page, `after ${back}`);
  }
  await page.keyboard.press('2');
  await expect(page.locator('juror-output h3')).toHaveText(['aurora-synth', 'cinder-synth']);
  await expect(page).toHaveURL(/models=aurora-synth,cinder-synth/);
  await page.keyboard.press('2');
  await expect(page.locator('juror-output')).toHaveCount(3);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await page.keyboard.press('Escape');
  await hasFocus(page, 'after the list of keys');
});

test('a mention lights its picture and opens it; closing gives the focus back', async ({ page }) => {
  await toSample(page);
  const strip = page.locator('juror-sample .pictures li');
  const mention = await tabTo(page, ({ classes }) => classes.includes('mention'));
  expect(mention.name).toBe('first picture');
  await expect(strip.nth(0)).toHaveClass('lit');
  await page.keyboard.press('Tab');
  expect((await focus(page)).name).toBe('second');
  await expect(strip.nth(0)).not.toHaveClass('lit');
  await expect(strip.nth(1)).toHaveClass('lit');
  await page.keyboard.press('Enter');
  await expect(viewer(page).getByRole('heading')).toContainText('2 RB');
  await expect(page).toHaveURL(/see=one&pictures=p2/);
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toBeHidden();
  await expect.poll(async () => (await focus(page)).name).toBe('second');
  // The other way round: a picture lights its mention.
  await tabTo(page, ({ name }) => name.startsWith('Open picture 1'), 'Shift+Tab');
  await expect(page.locator('juror-turn .mention').nth(0)).toHaveClass(/lit/);
  await expect(page.locator('juror-turn .mention').nth(1)).not.toHaveClass(/lit/);
});

test('the viewer: modes, pictures, zoom, moving, the next sample', async ({ page }) => {
  await toSample(page);
  await page.keyboard.press('c');
  await expect(viewer(page)).toBeVisible();
  await expect(viewer(page).getByTestId('pane')).toHaveCount(4);
  for (const [key, mode] of [['w', 'swipe'], ['o', 'onion'], ['d', 'difference'], ['m', 'map'], ['b', 'blink'], ['p', 'one'], ['s', 'side']] as const) {
    await page.keyboard.press(key);
    await expect(viewer(page).getByTestId(`mode-${mode}`)).toBeChecked();
    await expect(page).toHaveURL(new RegExp(`see=${mode}`));
    await hasFocus(page, `after ${key}`);
  }
  await page.keyboard.press('2');
  await expect(viewer(page).getByTestId('pane')).toHaveCount(3);
  await page.keyboard.press('w');
  const [first, second] = [viewer(page).getByTestId('pick-a'), viewer(page).getByTestId('pick-b')].map((pick) => pick.locator('option:checked'));
  await expect(first ?? page).toHaveText('1 RA');
  await page.keyboard.press('3');
  await expect(second ?? page).toHaveText('cinder-synth');
  await page.keyboard.press('x');
  await expect(first ?? page).toHaveText('cinder-synth');

  const zoom = viewer(page).getByTestId('zoom');
  await page.keyboard.press('z');
  await expect(zoom).toHaveText('100 %');
  for (let step = 0; step < 7; step += 1) await page.keyboard.press('+');
  await expect(zoom).toHaveText('1200 %');
  await page.keyboard.press('-');
  await expect(zoom).toHaveText('800 %');
  await page.keyboard.press('ArrowRight');
  const pixel = viewer(page).getByTestId('pixel');
  await expect(pixel).toContainText(/x \d+, y \d+/);
  const before = Number(/x (\d+)/.exec((await pixel.textContent()) ?? '')?.[1]);
  await page.keyboard.press('ArrowRight');
  await expect(pixel).toContainText(`x ${before + 1},`);
  await page.keyboard.press('0');
  await expect(viewer(page).getByRole('button', { name: 'Fit' })).toHaveAttribute('aria-pressed', 'true');

  await page.keyboard.press('j');
  await expect(page).toHaveURL(/case_0002.*see=swipe/);
  await expect(viewer(page)).toBeVisible();
  await expect(first ?? page).toHaveText(/^cinder-synth/);
  await page.keyboard.press('k');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await page.keyboard.press('Escape');
  await tabTo(page, ({ name }) => name === 'Close');
  await page.keyboard.press('Enter');
  await expect(viewer(page)).toBeHidden();
  await hasFocus(page, 'after the viewer');
});

test('verdicts, replies, requests, generator input and the address', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await toSample(page);
  await tabTo(page, ({ classes }) => classes === 'toggle');
  await page.keyboard.press('Enter');
  const verdict = page.locator('juror-output').first().locator('.verdict').first();
  await expect(verdict.locator('.toggle')).toHaveAttribute('aria-expanded', 'true');
  await tabTo(page, ({ tag }) => tag === 'summary');
  await page.keyboard.press('Enter');
  await expect(verdict.locator('pre')).toContainText('checkpoint_results');

  await tabTo(page, ({ testid }) => testid === 'open-request', 'Shift+Tab');
  await page.keyboard.press('Enter');
  const request = page.getByTestId('request-dialog');
  await expect(request.getByTestId('copy-prompt')).toBeVisible();
  await expect(page).toHaveURL(/ask=0,[^,]+,aurora-synth/);
  await page.keyboard.press('Escape');
  await expect(request).toBeHidden();
  await expect(page).not.toHaveURL(/ask=/);
  await expect.poll(async () => (await focus(page)).testid).toBe('open-request');

  await tabTo(page, ({ name }) => name === 'Generator input', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('input-dialog')).toBeVisible();
  await expect(page).toHaveURL(/input=0/);
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await focus(page)).name).toBe('Generator input');

  await tabTo(page, ({ name }) => name === 'Copy the address of this sample', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/case_0001\?models=aurora-synth,basalt-synth,cinder-synth&demo=micon$/);
  await hasFocus(page, 'after copying');
});

test('an address opens a request; back goes on to where one was', async ({ page }) => {
  await openPage(page, '#/sample/object_composition%2Fcase_0001?ask=0,checkpoints,basalt-synth&demo=micon');
  const request = page.getByTestId('request-dialog');
  await expect(request).toContainText('basalt-synth');
  await page.keyboard.press('Escape');
  await expect(request).toBeHidden();
  await expect(page).toHaveURL(/case_0001\?demo=micon$/);
  await page.goBack();
  await expect(page).not.toHaveURL(/case_0001/);
});

test('Enter on a row opens the sample at its heading, and coming back finds the row', async ({ page }) => {
  await openPage(page, '#/samples?demo=weave');
  const rows = page.getByTestId('sample-row');
  await expect(rows.first()).toBeVisible();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('j');
  await expect(rows.nth(2)).toBeFocused();
  const id = (await rows.nth(2).getAttribute('data-id')) ?? '';
  await page.keyboard.press('Enter');
  await expect(heading(page)).toHaveText(`Sample ${id}`);
  await expect(heading(page)).toBeFocused();
  await page.goBack();
  await expect(rows.nth(2)).toBeFocused();
  await page.keyboard.press('j');
  await expect(rows.nth(3)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(heading(page)).toBeFocused();
  await tabTo(page, ({ name }) => name === 'Samples', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(rows.nth(3)).toBeFocused();
});

test('a link in a view leads the focus to the content, one outside of it keeps the focus', async ({ page }) => {
  await openPage(page);
  await page.getByRole('link', { name: 'What is computed, and how' }).press('Enter');
  await expect(heading(page)).toBeVisible();
  await expect.poll(async () => (await focus(page)).name).toBe('What is computed, and how');
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Rate' }).press('Enter');
  await page.getByRole('link', { name: 'How far raters and judges agree' }).press('Enter');
  await expect(page).toHaveURL(/#\/agreement/);
  await expect(page.locator('#main')).toBeFocused();
});

test('clearing the filter by a key goes on in the field, by the pointer it does not', async ({ page }) => {
  for (const [q, name] of [['id:none', 'Clear the filter in the list'], ['score<11', 'Clear the filter beside the count']] as const) {
    await openPage(page, `#/samples?q=${encodeURIComponent(q)}&demo=weave`);
    const clear = page.locator('juror-samples .main').getByRole('button', { name: 'Clear the filter' }).last();
    await clear.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('filter'), name).toBeFocused();
    await expect(page.getByTestId('filter')).toHaveValue('');
  }
  await openPage(page, '#/samples?q=score<11&demo=weave');
  await page.locator('juror-samples .main').getByRole('button', { name: 'Clear the filter' }).click();
  await expect(page.getByTestId('filter')).toHaveValue('');
  await expect(page.getByTestId('filter')).not.toBeFocused();
});

test('saved views: renaming and deleting go on in the list', async ({ page }) => {
  await openPage(page, '#/samples?demo=weave');
  await page.getByRole('button', { name: 'Views' }).press('Enter');
  const dialog = page.locator('juror-saved-views dialog');
  for (const name of ['Able', 'Baker', 'Candid']) {
    await dialog.getByLabel('Name of the present view').fill(name);
    await page.keyboard.press('Enter');
  }
  await dialog.getByRole('button', { name: 'Rename Able' }).press('Enter');
  await expect(dialog.getByLabel('New name of Able')).toBeFocused();
  await page.keyboard.type('Zealous');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Rename Zealous' })).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(dialog.getByRole('button', { name: 'Rename Zealous' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Delete Candid' }).press('Enter');
  await expect(dialog.getByRole('button', { name: 'Delete Zealous' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Delete Baker' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Name of the present view')).toBeFocused();
});

test('closing the samples behind a mark, by its button or Escape, goes back to the mark', async ({ page }) => {
  await openPage(page, '#/plots/distribution?demo=vibe');
  const mark = page.locator('juror-plot-figure .mark').nth(1);
  await mark.waitFor({ state: 'attached' });
  const behind = page.getByRole('region', { name: 'Samples behind the mark' });
  for (const close of [() => behind.getByRole('button', { name: 'Close' }).press('Enter'), () => page.keyboard.press('Escape')]) {
    await mark.focus();
    await page.keyboard.press('Enter');
    await expect(behind).toBeFocused();
    await close();
    await expect(behind).toBeHidden();
    await expect(mark).toBeFocused();
  }
});

test('dismissing a message goes on with the next one, and at last with the content', async ({ page }) => {
  await openPage(page);
  for (const name of ['one.zip', 'two.zip']) await page.getByTestId('input-files').setInputFiles({ name, mimeType: 'application/zip', buffer: Buffer.from('none') });
  const dismiss = page.getByRole('button', { name: 'Dismiss' });
  await expect(dismiss).toHaveCount(2);
  await dismiss.last().press('Enter');
  await expect(dismiss).toHaveCount(1);
  await expect(dismiss).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dismiss).toHaveCount(0);
  await expect(page.locator('#main')).toBeFocused();
});

test('letters do the same with Shift or Caps Lock, in the list and the sample', async ({ page }) => {
  await openPage(page, '#/samples?demo=weave');
  const rows = page.getByTestId('sample-row');
  await expect(rows.first()).toBeVisible();
  await page.keyboard.press('J');
  await page.keyboard.press('J');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('K');
  await expect(rows.nth(0)).toBeFocused();
  await toSample(page);
  await page.keyboard.press('J');
  await expect(heading(page)).toContainText('case_0002');
  await page.keyboard.press('K');
  await expect(heading(page)).toContainText('case_0001');
  await page.keyboard.press('C');
  await expect(viewer(page)).toBeVisible();
});
