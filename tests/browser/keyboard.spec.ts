/** The sample view, the list and what can be closed by keyboard alone: it works, the focus is seen, and it is never lost. */
import { readFileSync } from 'node:fs';
import type { Download, Page } from '../../www/node_modules/@playwright/test';
import { TempFolder, goTo, openFolders, openPage, png, shown, writeSmallBenchmark } from './helpers';
import { JudgeServer } from './judge-server';
import { expect, test } from './visits';

/** What has the focus, below all shadow roots. */
interface Focus {
  tag: string;
  name: string;
  classes: string;
  testid: string;
  /** `data-value` or `data-field` of what has values. */
  value: string;
  /** Whether an outline or a shadow shows it: its own, or that of the label around it. */
  isSeen: boolean;
}

function focus(page: Page): Promise<Focus> {
  return page.evaluate(() => {
    let at: Element | null = document.activeElement;
    while (at?.shadowRoot?.activeElement != null) at = at.shadowRoot.activeElement;
    const outlined = (element: Element | null): boolean => {
      if (element === null) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
    };
    return {
      tag: at?.localName ?? '',
      name: at?.getAttribute('aria-label') ?? at?.textContent?.trim() ?? '',
      classes: at?.className ?? '',
      testid: at?.getAttribute('data-testid') ?? '',
      value: at?.getAttribute('data-value') ?? '',
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
  for (const [next, back] of [
    ['j', 'k'],
    ['ArrowRight', 'ArrowLeft'],
  ] as const) {
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
  await expect(page.getByRole('dialog', { name: 'Help' })).toBeVisible();
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
  await expect.poll(async () => (await focus(page)).name).toBe('second');
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
  for (const [key, mode] of [
    ['w', 'swipe'],
    ['o', 'onion'],
    ['d', 'difference'],
    ['m', 'map'],
    ['b', 'blink'],
    ['p', 'one'],
    ['s', 'side'],
  ] as const) {
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
  await expect(page.getByRole('dialog', { name: 'Help' })).toBeVisible();
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
  await expect(page).toHaveURL(/#\/about/);
  await shown(page);
  await expect(heading(page)).toBeVisible();
  await expect.poll(async () => (await focus(page)).name).toBe('What is computed, and how');
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Rate' }).press('Enter');
  await page.getByRole('link', { name: 'How far raters and judges agree' }).press('Enter');
  await expect(page).toHaveURL(/#\/agreement/);
  await expect(page.locator('#main')).toBeFocused();
});

test('clearing the filter by a key goes on in the field, by the pointer it does not', async ({ page }) => {
  for (const [q, name] of [
    ['id:none', 'Clear the filter in the list'],
    ['score<11', 'Clear the filter beside the count'],
  ] as const) {
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
    await dialog.getByLabel('Name of this view').fill(name);
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('link', { name })).toBeVisible();
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
  await expect(dialog.getByLabel('Name of this view')).toBeFocused();
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
  for (const name of ['one.zip', 'two.zip'])
    await page.getByTestId('input-files').setInputFiles({ name, mimeType: 'application/zip', buffer: Buffer.from('none') });
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

/**
 * Goes on with Tab until what is wanted has the focus: at every stop something in the page has it, and it is seen.
 *
 * Only behind the last stop the browser's own controls have it; a way that leads there is too long.
 */
async function walk(page: Page, what: string, wanted: (focus: Focus) => boolean, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < 160; step += 1) {
    await page.keyboard.press(key);
    const now = await focus(page);
    passed.push(`${now.tag} “${now.name.replace(/\s+/g, ' ').slice(0, 30)}” ${now.testid}`);
    expect(now.tag, `the focus on the way to ${what}, after ${passed.slice(-3).join(', ')}`).not.toBe('body');
    expect(now.isSeen, `the focus on ${passed.at(-1) ?? ''} is seen`).toBe(true);
    if (wanted(now)) return;
  }
  throw new Error(`Tab never reaches ${what}, but ${passed.join(', ')}.`);
}

/** Presses a key and gives what is downloaded. */
async function downloads(page: Page, key: string): Promise<{ name: string; text: string }> {
  const [download]: [Download, void] = await Promise.all([page.waitForEvent('download'), page.keyboard.press(key)]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'latin1') };
}

const byTestId =
  (id: string) =>
  ({ testid }: Focus) =>
    testid === id;
const named = (name: string) => (now: Focus) => now.name === name;

test('facets: a value is added and taken out, and the focus stays on it', async ({ page }) => {
  await openPage(page, '#/samples?demo=multibanana');
  const facet = page.locator('[data-testid="facet"][data-field="task"] [data-value]').first();
  await expect(facet).toBeVisible();
  const value = (await facet.getAttribute('data-value')) ?? '';
  const number = Number(await facet.locator('.num').textContent());
  await walk(page, 'the facet', (now) => now.value === value);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('filter')).toHaveValue(`task:${value}`);
  await expect(page.locator('juror-samples .count')).toContainText(`${number} of `);
  await expect(facet).toHaveAttribute('aria-pressed', 'true');
  await shown(page);
  expect((await focus(page)).value).toBe(value);
  await page.keyboard.press('Space');
  await expect(page.getByTestId('filter')).toHaveValue('');
  await shown(page);
  expect((await focus(page)).value).toBe(value);
});

const isExport = ({ name, classes }: Focus): boolean => name === 'Export' && classes.includes('trigger');

/** Opens the menu of a demo suite's scores by keys; its first entry has the focus. */
async function openExport(page: Page): Promise<void> {
  await openPage(page, '#/?demo=weave');
  await expect(page.getByTestId('overview-table')).toBeVisible();
  await walk(page, 'the menu', isExport);
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await focus(page)).testid).toBe('export-json');
}

test('export: the report and the tables, and the focus goes back to the menu', async ({ page }) => {
  await openExport(page);
  const report = await downloads(page, 'Enter');
  expect((JSON.parse(report.text) as { format: string; scores: unknown[] }).format).toBe('juror-report/1');
  await expect.poll(async () => isExport(await focus(page))).toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await focus(page)).testid).toBe('export-json');
  for (const id of ['export-csv', 'export-md']) {
    await page.keyboard.press('ArrowDown');
    await expect
      .poll(async () => {
        const { testid, isSeen } = await focus(page);
        return [testid, isSeen];
      })
      .toEqual([id, true]);
  }
  const tables = await downloads(page, 'Enter');
  expect(tables.name).toMatch(/\.md$/);
  expect(tables.text).toContain('|---|---:');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await focus(page)).testid).toBe('export-json');
  await page.keyboard.press('Escape');
  await expect.poll(async () => isExport(await focus(page))).toBe(true);
});

test('plots: kind, criterion, marks, what is behind one, SVG and CSV', async ({ page }) => {
  await openPage(page, '#/plots?demo=vibe');
  await expect(page.locator('juror-plot-figure .mark').first()).toBeAttached();
  await walk(page, 'the kind', named('Distribution'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/plots\/distribution/);
  await hasFocus(page, 'after choosing a kind');
  await walk(page, 'the criterion', ({ tag }) => tag === 'select');
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/criterion=/);
  await shown(page);
  expect((await focus(page)).tag).toBe('select');
  const criterion = new URL(page.url()).hash;
  await page.keyboard.press('ArrowUp');
  await expect(page).not.toHaveURL(new RegExp(criterion.replace(/[^\w]/g, '.')));
  await shown(page);
  await walk(page, 'SVG', byTestId('svg'));
  const drawing = await downloads(page, 'Enter');
  expect(drawing.text).toContain('<svg');
  await walk(page, 'CSV', byTestId('csv'));
  const numbers = await downloads(page, 'Enter');
  expect(numbers.text.split('\n').length).toBeGreaterThan(3);
  await walk(page, 'a mark', ({ classes, tag }) => tag === 'g' || classes === 'mark');
  await page.keyboard.press('ArrowRight');
  const mark = await focus(page);
  expect([mark.tag, mark.isSeen]).toEqual(['g', true]);
  await expect(page.locator('juror-plot-figure .readout')).toHaveText(mark.name);
  await page.keyboard.press('Enter');
  const behind = page.getByRole('region', { name: 'Samples behind the mark' });
  await expect(behind).toBeFocused();
  await expect(behind.getByRole('link').first()).toBeVisible();
  await walk(page, 'a sample', ({ tag }) => tag === 'a');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/sample/);
  await hasFocus(page, 'in the sample');
  await expect(heading(page)).toBeFocused();
});

test('compare: criterion, a pair, its samples, CSV', async ({ page }) => {
  await openPage(page, '#/compare?demo=vibe');
  await expect(page.getByTestId('compare-matrix')).toBeVisible();
  await walk(page, 'the criterion', byTestId('compare-criterion'));
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/criterion=/);
  await shown(page);
  expect((await focus(page)).testid).toBe('compare-criterion');
  await walk(page, 'the seed', ({ tag, classes }) => tag === 'input' && classes.includes('num'));
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Tab');
  await expect(page).toHaveURL(/seed=/);
  await shown(page);
  await hasFocus(page, 'behind the seed');
  if ((await focus(page)).testid !== 'compare-csv') await walk(page, 'CSV', byTestId('compare-csv'));
  const table = await downloads(page, 'Enter');
  expect(table.name).toMatch(/\.csv$/);
  await walk(page, 'a difference', ({ tag, name }) => tag === 'a' && / minus /.test(name));
  const pair = (await focus(page)).name;
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('compare-pair')).toBeVisible();
  const [, a, b] = /^(.+) minus (.+?):/.exec(pair) ?? [];
  await expect(page.getByTestId('compare-pair').getByRole('heading', { level: 2 })).toContainText(a ?? '');
  await expect(page.getByTestId('compare-pair').getByRole('heading', { level: 2 })).toContainText(b ?? '');
  await hasFocus(page, 'after choosing a pair');
  await walk(page, 'closing the pair', named('Close the pair'));
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('compare-pair')).toBeHidden();
  await expect.poll(async () => (await focus(page)).name).toBe(pair);
});

test('rating: the form, a score, leaving', async ({ page }) => {
  await openPage(page, '#/?demo=multibanana');
  await goTo(page, '#/rate?demo=multibanana');
  await expect(page.getByTestId('rate-sum')).toContainText('outputs');
  await walk(page, 'the name', byTestId('rate-name'));
  await page.keyboard.type('ann');
  // A group of radio buttons is one stop: its arrows choose. What is disabled behind it is none.
  await walk(page, 'the seed', byTestId('rate-seed'));
  await walk(page, 'the samples', ({ tag }) => tag === 'input', 'Shift+Tab');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByTestId('rate-some')).toBeChecked();
  await walk(page, 'the number', byTestId('rate-number'));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('2');
  await expect(page.getByTestId('rate-sum')).toContainText('of 2 ');
  await walk(page, 'the start', byTestId('rate-start'));
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('rate-progress')).toBeVisible();
  await hasFocus(page, 'on the desk');
  await page.keyboard.type('3');
  await expect(page.locator('juror-rating-desk [aria-pressed="true"], juror-rating-desk [aria-checked="true"]').first()).toBeVisible();
  await walk(page, 'leaving', byTestId('rate-leave'));
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('rater')).toContainText('ann');
  await expect(page.getByTestId('rater')).toContainText('1 rating');
  await hasFocus(page, 'after leaving');
});

test('lint: pictures are compared, a picture is enlarged, a sample is opened', async ({ page }) => {
  const folder = new TempFolder();
  try {
    writeSmallBenchmark(folder, 3);
    folder.write('bench/test/imgs/d1_1.png', png(8, 8, [9, 200, 60]));
    folder.write('result/m/imgs/d1_2.png', png(8, 8, [9, 200, 60]));
    await openPage(page);
    await openFolders(page, [folder.at('bench'), folder.at('result')]);
    await goTo(page, '#/lint');
    await walk(page, 'comparing', byTestId('lint-compare'));
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('lint-sum')).toContainText('All contents were compared');
    await hasFocus(page, 'after comparing');
    await walk(page, 'a sample', named('idx 1, turn 1'));
    await walk(page, 'a picture', ({ classes }) => classes === 'picture');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeVisible();
    await hasFocus(page, 'in the viewer');
    await page.keyboard.press('Escape');
    await expect.poll(async () => (await focus(page)).classes).toBe('picture');
    await walk(page, 'the sample', named('idx 1, turn 1'), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(heading(page)).toHaveText('Sample 1');
    await expect(heading(page)).toBeFocused();
  } finally {
    folder.remove();
  }
});

test('saved views: a view is saved and opened again', async ({ page }) => {
  await openPage(page, '#/samples?q=score%3C0.5&demo=weave');
  await expect(page.getByTestId('sample-row').first()).toBeVisible();
  await walk(page, 'the views', named('Views'));
  await page.keyboard.press('Enter');
  const dialog = page.locator('juror-saved-views dialog');
  await expect(dialog).toBeVisible();
  await walk(page, 'the name', ({ tag }) => tag === 'input');
  await page.keyboard.type('Low ones');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('link', { name: 'Low ones' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await focus(page)).name).toBe('Views');
  await page.keyboard.press('/');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await expect(page).not.toHaveURL(/q=/);
  // Until the list is there, a button that clears the filter is as well.
  await expect(page.getByRole('button', { name: 'Clear the filter' })).toHaveCount(0);
  await walk(page, 'the views', named('Views'));
  await page.keyboard.press('Enter');
  await walk(page, 'the saved view', named('Low ones'));
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByTestId('filter')).toHaveValue('score<0.5');
  await hasFocus(page, 'after opening a view');
});

test('the theme goes round, and its button keeps the focus', async ({ page }) => {
  await openPage(page);
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme ?? 'system');
  await walk(page, 'the theme', ({ name }) => name.startsWith('Theme: '));
  for (const expected of ['light', 'dark', 'system']) {
    await page.keyboard.press('Enter');
    await expect.poll(theme).toBe(expected);
    await shown(page);
    const now = await focus(page);
    expect([now.name.startsWith('Theme: '), now.isSeen]).toEqual([true, true]);
  }
});

test('packing: the choice of pictures, writing, and the focus goes back', async ({ page }) => {
  await openExport(page);
  for (let step = 0; step < 12 && (await focus(page)).testid !== 'export-pack'; step += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const dialog = page.locator('juror-pack-dialog dialog');
  await expect(dialog).toBeVisible();
  await expect(dialog.getByTestId('pack-size-none')).toContainText('about');
  await hasFocus(page, 'in the dialog');
  await walk(page, 'the pictures', ({ testid }) => testid === 'pack-full');
  for (let step = 0; step < 3 && !(await dialog.getByTestId('pack-none').isChecked()); step += 1) await page.keyboard.press('ArrowDown');
  await expect(dialog.getByTestId('pack-none')).toBeChecked();
  await expect(dialog.getByTestId('pack-write')).toBeEnabled();
  await walk(page, 'writing', byTestId('pack-write'));
  const pack = await downloads(page, 'Enter');
  expect(pack.name).toMatch(/evidence.*\.zip$/);
  expect(pack.text.startsWith('PK')).toBe(true);
  await expect(page.getByTestId('pack-status')).toContainText('Written');
  await hasFocus(page, 'after writing');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect.poll(async () => isExport(await focus(page))).toBe(true);
});

test('publishing: the lines for a page are chosen and copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openPage(page, '#/embed?demo=weave');
  await expect(heading(page)).toHaveText('Embed');
  await walk(page, 'the name of the pack', byTestId('embed-pack'));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('mine.zip');
  await walk(page, 'the theme', ({ testid, tag }) => testid === 'embed-theme' || tag === 'select');
  await walk(page, 'copying', byTestId('embed-copy-snippet'));
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('src="mine.zip"');
  await hasFocus(page, 'after copying');
  await walk(page, 'the preview', byTestId('embed-preview'));
  await page.keyboard.press('Enter');
  await expect(page.locator('juror-viewer')).toBeVisible();
  await hasFocus(page, 'after the preview');
});

test('judging: the form is filled in, the job runs, its journal is saved', async ({ page }) => {
  const server = new JudgeServer();
  const address = await server.start();
  const folder = new TempFolder();
  try {
    writeSmallBenchmark(folder, 2);
    folder.write('result/m/metrics.jsonl', '');
    await openPage(page);
    await openFolders(page, [folder.at('bench'), folder.at('result')]);
    await goTo(page, '#/judge');
    await expect(page.getByTestId('judge-requests')).toHaveText('8');
    for (const [field, value] of [
      ['judge-base', address],
      ['judge-model', 'judge-1'],
      ['judge-key', 'sk-1'],
    ] as const) {
      await walk(page, field, byTestId(field));
      await page.keyboard.type(value);
    }
    await walk(page, 'the parameters', byTestId('fold-parameters'));
    await page.keyboard.press('Enter');
    await walk(page, 'the temperature', byTestId('judge-temperature'));
    await page.keyboard.type('0');
    // While requests are counted it cannot be reached.
    await expect(page.getByTestId('judge-start')).toBeEnabled();
    await walk(page, 'the start', byTestId('judge-start'));
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('job').getByRole('heading', { name: 'Done' })).toBeVisible();
    expect(server.total).toBe(8);
    await hasFocus(page, 'after the job');
    const isJournal = byTestId('judge-journal');
    await walk(page, 'the journal', isJournal);
    const journal = await downloads(page, 'Enter');
    expect(journal.text.trim().split('\n')).toHaveLength(8);
    await hasFocus(page, 'after saving the journal');
  } finally {
    await server.stop();
    folder.remove();
  }
});

test('metrics: a metric is chosen, measured and saved', async ({ page }) => {
  await openPage(page, '#/metrics?demo=micon');
  await expect(page.getByTestId('metric-mse')).toBeVisible();
  await walk(page, 'the metric', byTestId('metric-mse'));
  const was = await page.getByTestId('metric-mse').isChecked();
  await page.keyboard.press('Space');
  await expect(page.getByTestId('metric-mse')).toBeChecked({ checked: !was });
  if (was) await page.keyboard.press('Space');
  await shown(page);
  expect((await focus(page)).testid).toBe('metric-mse');
  await walk(page, 'how', byTestId('fold-how'));
  await page.keyboard.press('Enter');
  await walk(page, 'the sizes', byTestId('metrics-sizes'));
  await page.keyboard.press('ArrowDown');
  await expect(page.getByTestId('metrics-sizes')).toHaveValue('resized');
  await expect(page.getByTestId('metrics-start')).toBeEnabled();
  await walk(page, 'the start', byTestId('metrics-start'));
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('metrics-table').locator('tr[data-criterion$="+resized"]').first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByTestId('metrics-run').getByRole('heading', { name: 'Done' })).toBeVisible();
  await hasFocus(page, 'after measuring');
  await walk(page, 'saving', byTestId('metrics-export'));
  const values = await downloads(page, 'Enter');
  expect(values.text).toContain('"mse"');
});
