/** Whatever can be seen has an address that shows it again, and back and forward retrace choices. */
import { deflateSync } from 'node:zlib';
import { test as alone, type BrowserContext, type Locator, type Page } from '../../www/node_modules/@playwright/test';
import { TempFolder, dialogue, freeze, goTo, openFolders, openPage, png, pngOf, shown, stepsBack } from './helpers';
import { expect, test } from './visits';

/** Waits until a demo suite is read. */
async function ready(page: Page): Promise<void> {
  await page.waitForSelector('html[data-engine="ready"][data-phase="done"]');
  await shown(page);
}

/** A tab that knows nothing but the address. */
async function fresh(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  await ready(page);
  return page;
}

const cellDialog = (page: Page): Locator => page.locator('juror-cell-dialog dialog');
const table = (page: Page): Locator => page.getByTestId('overview-table');

/** Whether something in the content has the focus, and not nothing. */
const hasFocus = (page: Page): Promise<boolean> => page.evaluate(() => document.activeElement !== null && document.activeElement !== document.body);

test('the address of an open cell opens it in another tab, and one of no cell opens none', async ({ page, context }) => {
  await openPage(page, '#/?scope=domain');
  const cell = table(page).locator('tbody').first().locator('button.cell').nth(2);
  await cell.click();
  await expect(page).toHaveURL(/[?&]cell=[^,&]*,[^,&]*,domain,[^,&]+,total(&|$)/);
  const title = await cellDialog(page).locator('h2').innerText();
  const number = await cellDialog(page).locator('.big').innerText();
  const other = await fresh(context, page.url());
  await expect(cellDialog(other)).toBeVisible();
  await expect.poll(() => cellDialog(other).locator('h2').innerText()).toBe(title);
  await expect(cellDialog(other).locator('.big')).toHaveText(number);
  // Who came by the link closes it and stays.
  await other.keyboard.press('Escape');
  await expect(cellDialog(other)).toBeHidden();
  await expect(other).not.toHaveURL(/cell=/);
  await other.close();

  await page.goBack();
  await expect(cellDialog(page)).toBeHidden();
  await expect(cell).toBeFocused();
  await page.goForward();
  await expect(cellDialog(page)).toBeVisible();
  for (const bad of ['cell=a,b', 'cell=,,,,', 'cell=no-such,,overall,all,total', 'cell=%', 'print=a,b,c,d,e', 'published=some']) {
    await goTo(page, `#/?${bad}`);
    await expect(table(page)).toBeVisible();
    await expect(cellDialog(page)).toBeHidden();
    await expect(page.getByTestId('published').locator('.name')).toHaveCount(0);
  }
});

test('printed results beside the models and a printed number have addresses', async ({ page, context }) => {
  await openPage(page);
  await page.getByTestId('published').getByRole('button', { name: 'Published results' }).click();
  await expect(page).toHaveURL(/[?&]published=all(&|$)/);
  const names = page.getByTestId('published').locator('.name');
  await shown(page);
  const count = await names.count();
  expect(count).toBeGreaterThan(0);
  await page.getByTestId('published').locator('td button').first().click();
  await expect(cellDialog(page)).toContainText('printed in');
  await shown(page);
  const words = await cellDialog(page).innerText();
  const other = await fresh(context, page.url());
  await expect(other.getByTestId('published').locator('.name')).toHaveCount(count);
  await expect(cellDialog(other)).toBeVisible();
  await expect.poll(() => cellDialog(other).innerText()).toBe(words);
  await other.close();
  await page.keyboard.press('Escape');
  await expect(cellDialog(page)).toBeHidden();
  await page.goBack();
  await expect(names).toHaveCount(0);
  await expect.poll(() => hasFocus(page)).toBe(true);
  await page.goForward();
  await expect(names).toHaveCount(count);
});

test('the samples behind a mark and the formula behind a dot of a plot have addresses', async ({ page, context }) => {
  await openPage(page, '#/plots/distribution?demo=vibe');
  const marks = page.locator('juror-plot-figure .mark');
  await marks.nth(1).click();
  await expect(page).toHaveURL(/[?&]mark=\d+\.\d+(&|$)/);
  const behind = page.getByTestId('behind').locator('li');
  await expect(behind.first()).toBeVisible();
  await shown(page);
  const [heading, list] = [await page.locator('juror-plots .behind h3').innerText(), await behind.allTextContents()];
  const other = await fresh(context, page.url());
  await expect(other.locator('juror-plots .behind h3')).toHaveText(heading);
  await expect(other.getByTestId('behind').locator('li')).toHaveText(list);
  await other.close();
  await page.goBack();
  await expect(behind).toHaveCount(0);
  await expect.poll(() => hasFocus(page)).toBe(true);
  await page.goForward();
  await expect(behind).toHaveCount(list.length);
  for (const bad of ['999.999', '-1.0', 'x']) {
    await goTo(page, `#/plots/distribution?demo=vibe&mark=${bad}`);
    await expect(marks.first()).toBeVisible();
    await expect(page.locator('juror-plots .behind')).toHaveCount(0);
  }

  await goTo(page, '#/plots?demo=vibe');
  await marks.first().click();
  await expect(cellDialog(page)).toBeVisible();
  const number = await cellDialog(page).locator('.big').innerText();
  const dot = await fresh(context, page.url());
  await expect(cellDialog(dot).locator('.big')).toHaveText(number);
  await dot.close();
});

test('the pair whose agreement is looked at has an address', async ({ page, context }) => {
  await openPage(page, '#/agreement?demo=multibanana');
  const buttons = page.getByTestId('agreement').first().locator('tbody button');
  await buttons.nth(1).click();
  await expect(page).toHaveURL(/[?&]pair=judge_judge,/);
  const detail = page.getByTestId('pair-detail');
  await expect(detail.getByTestId('confusion')).toBeVisible();
  const title = await detail.getAttribute('aria-label');
  const other = await fresh(context, page.url());
  await expect(other.getByTestId('pair-detail')).toHaveAttribute('aria-label', title ?? '');
  await other.close();
  await buttons.nth(0).click();
  await expect(detail).not.toHaveAttribute('aria-label', title ?? '');
  await page.goBack();
  await expect(detail).toHaveAttribute('aria-label', title ?? '');
  await page.goBack();
  await expect(detail).toHaveCount(0);
  await expect.poll(() => hasFocus(page)).toBe(true);
  await goTo(page, '#/agreement?demo=multibanana&pair=judge_judge,a,b');
  await expect(buttons.first()).toBeVisible();
  await expect(detail).toHaveCount(0);
});

test('by whom models are ranked, and on what, has an address', async ({ page, context }) => {
  await openPage(page, '#/agreement?demo=multibanana&scope=structure');
  const criterion = page.getByTestId('rankings-criterion');
  const usual = await criterion.inputValue();
  const other = (await criterion.locator('option').nth(1).getAttribute('value')) ?? '';
  expect(other).not.toBe(usual);
  await criterion.selectOption(other);
  const group = page.getByTestId('rankings').locator('tbody button').nth(1);
  await group.click();
  await expect(page).toHaveURL(new RegExp(`[?&]ranking=[^&]*,${other},`));
  const next = await fresh(context, page.url());
  await expect(next.getByTestId('rankings-criterion')).toHaveValue(other);
  await expect(next.getByTestId('rankings').locator('tbody button').nth(1)).toHaveAttribute('aria-pressed', 'true');
  await next.close();
  await page.goBack();
  await expect(group).toHaveAttribute('aria-pressed', 'false');
  await page.goBack();
  await expect(criterion).toHaveValue(usual);
  await goTo(page, '#/agreement?demo=multibanana&ranking=nobody,nobody,nothing&questions=nobody');
  await expect(criterion).toHaveValue(usual);
});

alone('what is to be rated has an address, but for who rates', async ({ page, context }) => {
  await page.clock.install();
  await page.goto('./#/rate');
  await ready(page);
  await page.getByTestId('rate-name').fill('ann-the-rater');
  const model = page.getByRole('group', { name: 'Models' }).getByRole('checkbox').first();
  await model.click();
  await page.getByTestId('rate-some').click();
  // What is typed after a longer pause is a step of its own.
  await freeze(page);
  await page.getByTestId('rate-number').fill('3');
  await page.getByTestId('rate-seed').fill('77');
  await page.clock.resume();
  await expect(page).toHaveURL(/[?&]models=[^&]+&n=3&seed=77(&|$)/);
  expect(page.url()).not.toContain('ann-the-rater');
  await shown(page);
  const sum = await page.getByTestId('rate-sum').innerText();
  const other = await fresh(context, page.url());
  await expect(other.getByTestId('rate-sum')).toHaveText(sum);
  await expect(other.getByTestId('rate-number')).toHaveValue('3');
  await expect(other.getByTestId('rate-seed')).toHaveValue('77');
  await expect(other.getByTestId('rate-name')).toHaveValue('');
  await other.close();
  const isChosen = await model.isChecked();
  // The number and the seed were typed, the rest chosen.
  await page.goBack();
  await expect(page).not.toHaveURL(/seed=/);
  await page.goBack();
  await expect(page.getByTestId('rate-some')).not.toBeChecked();
  await page.goBack();
  await expect(model).toBeChecked({ checked: !isChosen });
  await expect(page.getByTestId('rate-name')).toHaveValue('ann-the-rater');
  await goTo(page, '#/rate?models=no-such&criteria=none&n=-4&seed=x');
  await page.reload();
  await ready(page);
  await expect(page.getByTestId('rate-seed')).toHaveValue('1');
  await expect(page.getByTestId('rate-start')).toBeEnabled();
});

test.describe('the viewer', () => {
  const [WIDTH, HEIGHT] = [40, 30];
  let folder: TempFolder;

  /** A plain picture, with a square at (10, 8) to (19, 15) or none. */
  function picture(has: 'square' | 'nothing'): Buffer {
    const rows = Array.from({ length: HEIGHT }, (_, y) =>
      Buffer.from([
        0,
        ...Array.from({ length: WIDTH }, (__, x) => (has === 'square' && x >= 10 && x < 20 && y >= 8 && y < 16 ? [240, 120, 60] : [40, 20, 60])).flat(),
      ]),
    );
    return pngOf(WIDTH, HEIGHT, deflateSync(Buffer.concat(rows)));
  }

  test.beforeAll(() => {
    folder = new TempFolder();
    folder.write('bench/test/test.json', JSON.stringify([dialogue(0)]));
    folder.write('bench/test/imgs/d0_1.png', png(WIDTH, HEIGHT, [9, 9, 9]));
    folder.write('bench/test/imgs/d0_2.png', picture('nothing'));
    folder.write('alpha/imgs/d0_2.png', picture('square'));
    folder.write('alpha/imgs/d0_1_1.txt', 'Blue.');
    folder.write('mask.png', picture('square'));
  });
  test.afterAll(() => folder.remove());

  const viewer = (page: Page): Locator => page.locator('juror-sample juror-lightbox dialog');

  async function see(page: Page, query: string): Promise<void> {
    await page.goto(`./#/sample/0?bench=weave&pictures=p2,o0.alpha&${query}`);
    await openFolders(page, [folder.at('bench'), folder.at('alpha')]);
    await expect(viewer(page)).toBeVisible();
  }

  const STATES: [mode: string, testId: string, value: string, written: RegExp][] = [
    ['swipe', 'swipe', '20', /[?&]split=20(&|$)/],
    ['onion', 'onion', '85', /[?&]over=85(&|$)/],
    ['difference', 'gain', '4', /[?&]gain=16(&|$)/],
    ['difference', 'tolerance', '7', /[?&]above=7(&|$)/],
    ['blink', 'blink-speed', '1200', /[?&]pace=1200(&|$)/],
    ['map', 'map-under', '30', /[?&]under=30(&|$)/],
  ];
  for (const [mode, testId, value, written] of STATES) {
    test(`keeps ${testId} of ${mode} in its address, as one entry however far it is moved`, async ({ page, context }) => {
      await see(page, `see=${mode}`);
      const before = await page.evaluate(() => history.length);
      await viewer(page)
        .getByTestId(testId)
        .fill(testId === 'blink-speed' ? '500' : '3');
      await viewer(page).getByTestId(testId).fill(value);
      await expect(page).toHaveURL(written);
      expect(await page.evaluate(() => history.length)).toBe(before);
      const other = await context.newPage();
      await other.goto(page.url());
      await openFolders(other, [folder.at('bench'), folder.at('alpha')]);
      await expect(viewer(other).getByTestId(testId)).toHaveValue(value);
      await other.close();
    });
  }

  test('keeps threshold and box of the map of change, and says that a mask is in no address', async ({ page, context }) => {
    await see(page, 'see=map&map=changed');
    await viewer(page).getByTestId('map-threshold').fill('100');
    await viewer(page).getByTestId('map-threshold').press('Enter');
    await viewer(page).getByTestId('map-box').click();
    await viewer(page).getByTestId('map-box-left').fill('12');
    await viewer(page).getByTestId('map-box-left').press('Enter');
    await expect(page).toHaveURL(/[?&]above=100&box=12,7,20,15(&|$)/);
    const facts = await viewer(page).getByTestId('map-facts').innerText();
    expect(facts).toContain('inside the box');
    const other = await context.newPage();
    await other.goto(page.url());
    await openFolders(other, [folder.at('bench'), folder.at('alpha')]);
    await expect(viewer(other).getByTestId('map-facts')).toHaveText(facts);
    await other.close();

    await viewer(page).getByTestId('map-mask-file').setInputFiles(folder.at('mask.png'));
    await expect(viewer(page).getByTestId('map-facts')).toContainText('inside the mask');
    await expect(page).toHaveURL(/[?&]mask=mask\.png(&|$)/);
    await expect(page).not.toHaveURL(/box=/);
    const lost = await context.newPage();
    await lost.goto(page.url());
    await openFolders(lost, [folder.at('bench'), folder.at('alpha')]);
    await expect(viewer(lost).getByTestId('lost-mask')).toContainText('mask.png');
    await viewer(lost).getByTestId('map-mask-file').setInputFiles(folder.at('mask.png'));
    await expect(viewer(lost).getByTestId('map-facts')).toContainText('inside the mask');
    await expect(viewer(lost).getByTestId('lost-mask')).toHaveCount(0);
    await lost.close();
  });

  test('passes over settings that cannot be, and brings a box into the picture', async ({ page }) => {
    await see(page, 'see=difference&gain=3&above=999');
    await expect(viewer(page).getByTestId('gain')).toHaveValue('0');
    await expect(viewer(page).getByTestId('tolerance')).toHaveValue('0');
    await goTo(page, '#/sample/0?bench=weave&pictures=p2,o0.alpha&see=map&map=changed&box=30,20,500,0');
    await expect(viewer(page).getByTestId('map-box')).toHaveAttribute('aria-pressed', 'false');
    await goTo(page, '#/sample/0?bench=weave&pictures=p2,o0.alpha&see=map&map=changed&box=30,20,500,500');
    await expect(viewer(page).getByTestId('map-box-width')).toHaveValue('10');
    await expect(viewer(page).getByTestId('map-facts')).toContainText('of 100 pixels');
  });

  alone('steps back through its modes, and closes out of all of them at once', async ({ page }) => {
    const made = await stepsBack(page);
    await page.clock.install();
    await openPage(page);
    await openFolders(page, [folder.at('bench'), folder.at('alpha')]);
    await goTo(page, '#/sample/0?bench=weave');
    await page.getByTestId('compare').click();
    await expect(viewer(page)).toBeVisible();
    for (const key of ['w', 'o', 'd']) await page.keyboard.press(key);
    await expect(viewer(page).getByTestId('mode-difference')).toBeChecked();
    await page.goBack();
    await expect(viewer(page).getByTestId('mode-onion')).toBeChecked();
    await page.goForward();
    await expect(viewer(page).getByTestId('mode-difference')).toBeChecked();
    // A step back that takes long is not waited for.
    await freeze(page);
    await page.keyboard.press('Escape');
    await expect(viewer(page)).toBeHidden();
    await expect(page).not.toHaveURL(/see=/);
    await made();
    await page.clock.resume();
    await shown(page);
    await expect(viewer(page)).toBeHidden();
  });
});

test('back undoes profile, policy, judge, criterion, columns and order one by one, and forward does them again', async ({ page }) => {
  await openPage(page, '#/?demo=multibanana');
  const profile = page.getByTestId('profile-released');
  const judge = page.getByRole('combobox', { name: 'Judge whose replies are scored' });
  const policy = page.getByRole('combobox', { name: /^Policy/ });
  const columns = page.getByRole('group', { name: 'Columns' });
  const criteria = page.getByRole('group', { name: 'Criterion' });
  const order = table(page).locator('thead th').nth(2);
  const states: [what: string, act: () => Promise<unknown>, shown: () => Promise<void>][] = [
    ['profile', () => profile.click(), () => expect(profile).toBeChecked()],
    ['policy', () => policy.selectOption('exclude'), () => expect(policy).toHaveValue('exclude')],
    ['judge', () => judge.selectOption('.gpt'), () => expect(judge).toHaveValue('.gpt')],
    ['criterion', () => criteria.getByRole('radio').nth(1).click(), () => expect(criteria.getByRole('radio').nth(1)).toBeChecked()],
    ['columns', () => columns.getByRole('radio').nth(1).click(), () => expect(columns.getByRole('radio').nth(1)).toBeChecked()],
    ['order', () => order.getByRole('button').click(), () => expect(order).toHaveAttribute('aria-sort', 'ascending')],
  ];
  const addresses = [page.url()];
  for (const [, act, shown] of states) {
    await act();
    await shown();
    addresses.push(page.url());
  }
  expect(new Set(addresses).size).toBe(states.length + 1);
  const before: (() => Promise<void>)[] = [
    () => expect(profile).not.toBeChecked(),
    () => expect(policy).toHaveValue(''),
    () => expect(judge).toHaveValue('all'),
    () => expect(criteria.getByRole('radio').first()).toBeChecked(),
    () => expect(columns.getByRole('radio').first()).toBeChecked(),
    () => expect(order).toHaveAttribute('aria-sort', 'descending'),
  ];
  for (let at = states.length - 1; at >= 0; at -= 1) {
    await page.goBack();
    await before[at]?.();
    expect(page.url(), `before ${states[at]?.[0]}`).toBe(addresses[at]);
    await expect.poll(() => hasFocus(page), `focus before ${states[at]?.[0]}`).toBe(true);
  }
  for (const [at, [what, , shown]] of states.entries()) {
    await page.goForward();
    await shown();
    expect(page.url(), what).toBe(addresses[at + 1]);
  }
});

alone('what is typed into the filter is one step back, and a choice of the list another', async ({ page }) => {
  await page.clock.install();
  await openPage(page, '#/samples');
  const rows = page.getByTestId('sample-row');
  await expect(rows.first()).toBeVisible();
  const before = await page.evaluate(() => history.length);
  await freeze(page);
  await page.keyboard.press('/');
  // With a pause after which the list is asked for, and which is too short for a step of its own.
  await page.keyboard.type('inci');
  await page.clock.runFor(500);
  await expect(page).toHaveURL(/[?&]q=inci(&|$)/);
  await page.keyboard.type('dent');
  await page.clock.runFor(500);
  await expect(page).toHaveURL(/[?&]q=incident(&|$)/);
  expect(await page.evaluate(() => history.length)).toBe(before + 1);
  await page.clock.resume();
  await page.getByTestId('sort').selectOption('score_asc');
  await expect(page).toHaveURL(/sort=score_asc/);
  await page.goBack();
  await expect(page.getByTestId('sort')).toHaveValue('index');
  await expect(page).toHaveURL(/[?&]q=incident(&|$)/);
  await page.goBack();
  await expect(page).not.toHaveURL(/q=/);
  await expect(rows.first()).toBeVisible();
  await expect.poll(() => hasFocus(page)).toBe(true);
  await page.goForward();
  await expect(page).toHaveURL(/[?&]q=incident(&|$)/);
});

test('the criterion stays on the way through views that go by none', async ({ page }) => {
  await openPage(page, '#/?criterion=image_quality');
  const nav = page.getByRole('navigation', { name: 'Views' });
  for (const through of ['Incidents', 'Judge', 'Rate']) {
    await nav.getByRole('link', { name: through, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await nav.getByRole('link', { name: 'Plots', exact: true }).click();
    await expect(page).toHaveURL(/[?&]criterion=image_quality(&|$)/);
  }
  await nav.getByRole('link', { name: 'Incidents', exact: true }).click();
  await nav.getByRole('link', { name: 'Overview', exact: true }).click();
  await expect(page).toHaveURL(/[?&]criterion=image_quality(&|$)/);
  // A sample that was opened from a mean goes by no criterion either.
  await table(page).locator('tbody').first().locator('button.cell').first().click();
  await cellDialog(page).locator('.units summary').click();
  await cellDialog(page).getByTestId('row-units').getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Sample');
  await nav.getByRole('link', { name: 'Overview', exact: true }).click();
  await expect(page).toHaveURL(/[?&]criterion=image_quality(&|$)/);
  // The total is a choice as well, and stays too.
  await page.getByRole('group', { name: 'Criterion' }).getByRole('radio').first().click();
  await nav.getByRole('link', { name: 'Incidents', exact: true }).click();
  await nav.getByRole('link', { name: 'Plots', exact: true }).click();
  await expect(page).not.toHaveURL(/criterion=/);
});

alone('a picture that is opened at once when a dialog was closed stands alone, and leads back to the sample', async ({ page }) => {
  const made = await stepsBack(page);
  await page.clock.install();
  await openPage(page, '#/sample/0?demo=weave');
  const start = page.url();
  const [dialog, viewer] = [page.getByTestId('input-dialog'), page.locator('juror-sample juror-lightbox dialog')];
  for (const when of ['before the dialog is told to be closed', 'once it is told', 'a task later', 'once the browser has stepped back']) {
    await page.getByRole('button', { name: 'Generator input' }).first().click();
    await expect(dialog).toBeVisible();
    // A step back that takes long is not waited for.
    await freeze(page);
    await page
      .locator('juror-output .picture')
      .first()
      .evaluate(async (picture: HTMLElement, moment) => {
        const deep = (root: Document | ShadowRoot, found: HTMLDialogElement[] = []): HTMLDialogElement[] => {
          for (const one of root.querySelectorAll('*')) {
            if (one instanceof HTMLDialogElement && one.open) found.push(one);
            if (one.shadowRoot !== null) deep(one.shadowRoot, found);
          }
          return found;
        };
        const open = deep(document);
        // The page is told of both before this is.
        const told = Promise.all(open.map((one) => new Promise((resolve) => one.addEventListener('close', resolve, { once: true }))));
        const stepped = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
        for (const one of open) one.close();
        if (!moment.startsWith('before')) await told;
        if (moment === 'a task later')
          await new Promise((resolve) => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = resolve;
            port2.postMessage(null);
          });
        if (moment.endsWith('stepped back')) await stepped;
        picture.click();
      }, when);
    await expect(viewer).toBeVisible();
    await made();
    await page.clock.resume();
    await shown(page);
    await expect(dialog, when).toBeHidden();
    await expect(viewer).toBeVisible();
    expect(page.url()).not.toContain('input=');
    await freeze(page);
    await page.keyboard.press('Escape');
    await expect(viewer).toBeHidden();
    await made();
    await page.clock.resume();
    await shown(page);
    await expect(dialog).toBeHidden();
    await expect.poll(() => page.url()).toBe(start);
  }
});
