/** What the numbers leave out is said above them: files that could not be read, judges with a part, results alone. */
import type { Page } from '../../www/node_modules/@playwright/test';
import { join } from 'node:path';
import { coverage, DEMO, fetchEach, goTo, openFolders, openPage, png, settled, showBelow, shown, still, TempFolder, writeSmallBenchmark } from './helpers';
import { holding } from './gates';
import { expect, test } from './visits';

/** While `unreadable` is set on the page, no file with that in its path gives its bytes, as after a folder was renamed. */
async function makeUnreadable(page: Page, part: string): Promise<void> {
  await page.addInitScript((name) => {
    const target = window as unknown as { unreadable: string };
    target.unreadable = name;
    const isGone = (blob: Blob): boolean => target.unreadable !== '' && blob instanceof File && blob.webkitRelativePath.includes(target.unreadable);
    const gone = (): DOMException =>
      new DOMException('A requested file or directory could not be found at the time an operation was processed.', 'NotFoundError');
    const { arrayBuffer, slice, stream } = Blob.prototype;
    Blob.prototype.arrayBuffer = function () {
      return isGone(this) ? Promise.reject(gone()) : arrayBuffer.call(this);
    };
    Blob.prototype.stream = function () {
      if (isGone(this)) throw gone();
      return stream.call(this);
    };
    Blob.prototype.slice = function (...range) {
      if (isGone(this)) throw gone();
      return slice.apply(this, range);
    };
  }, part);
}

test('files that cannot be read are told in red, count nowhere, and Retry brings the scores back', async ({ page }) => {
  await makeUnreadable(page, '/imgs/');
  await page.goto('./');
  await page.waitForSelector('html[data-engine="ready"]');
  await page.getByTestId('input-folder').setInputFiles(DEMO);
  await settled(page, 'weave');
  const banner = page.getByTestId('unread');
  await expect(banner).toHaveAttribute('role', 'alert');
  await expect(banner).toContainText(/\d+ files could not be read/);
  await expect(banner).toContainText('could not be found');
  await showBelow(page, 'incidents');
  await expect(page.locator('[data-testid="incident"][data-kind="inaccessible_output"]')).toBeVisible();
  // This model lacks nothing; what another one really lacks counts as lowest still.
  await expect(page.locator('juror-score-table tbody tr').filter({ hasText: 'aurora-synth' }).first()).not.toContainText('0.000');
  await page.evaluate(() => ((window as unknown as { unreadable: string }).unreadable = ''));
  await page.getByTestId('retry').click();
  await expect(banner).toHaveCount(0);
  await expect(page.locator('[data-testid="incident"][data-kind="inaccessible_output"]')).toHaveCount(0);
});

test('one pasted reply is told as a part, and can be removed again', async ({ page }) => {
  await openPage(page);
  const rows = page.locator('juror-score-table tbody tr');
  const before = await rows.count();
  await goTo(page, '#/sample/1');
  await page.getByTestId('open-request').first().click();
  await page.getByTestId('paste-text').fill('{"score": 7, "reasoning": "Nearly."}');
  await page.getByTestId('paste-save').click();
  await expect(page.getByTestId('paste-status')).toContainText(/Saved|Kept/);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('partial-judge')).toContainText('manual');
  await expect(page.getByTestId('partial-judge')).toContainText('1 of');
  const remove = page.getByTestId('remove-reply');
  // One of the verdicts is that of the pasted reply.
  for (const toggle of await page.locator('li.verdict .toggle').all()) {
    if ((await remove.count()) > 0) break;
    await toggle.click();
    await shown(page);
  }
  await remove.click();
  await expect(page.getByTestId('partial-judge')).toHaveCount(0);
  await goTo(page, '#/overview');
  await expect(rows).toHaveCount(before);
});

test('results without their benchmark are told to be perhaps incomplete', async ({ page }) => {
  await page.goto('./');
  await page.waitForSelector('html[data-engine="ready"]');
  await openFolders(page, [join(DEMO, 'result')]);
  await expect(page.getByTestId('benchmark-not-open')).toContainText('Benchmark not open: totals may be incomplete.');
  await showBelow(page, 'incidents');
  await expect(page.locator('juror-incidents')).toContainText('Not judged');
  await expect(page.locator('juror-incidents')).not.toContainText('every expected score is there');
});

/** How the means of the score table look: one line each of slant, weight and ground. */
const looks = (page: Page): Promise<string[]> =>
  page.locator('juror-score-table td:has(button.cell:not(.empty))').evaluateAll((cells) =>
    cells.map((cell) => {
      const mean = cell.querySelector('.mean') ?? cell;
      const { fontStyle, fontWeight } = getComputedStyle(mean);
      return [fontStyle, fontWeight, getComputedStyle(cell).backgroundColor].join(' ');
    }),
  );

test('while pictures are still being checked the numbers look provisional, and once they are checked they do not', async ({ page, context }) => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await context.route('**/juror_pictures_bg*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('./');
  await page.waitForSelector('html[data-engine="ready"]');
  await page.getByTestId('input-folder').setInputFiles(DEMO);
  const table = page.locator('juror-score-table');
  await expect(table).toHaveAttribute('provisional');
  const said = page.getByText('Provisional: pictures are still being checked, so these numbers may change.');
  await expect(said).toBeVisible();
  await expect(page.getByTestId('progress')).toContainText('Scores are provisional');
  await showBelow(page, 'rules');
  await expect(page.locator('juror-differences')).not.toContainText('None of the differences changes a number');
  await still(page);
  // Slanted, light and without a tint, each like the next.
  const before = await looks(page);
  expect(before.length).toBeGreaterThan(5);
  expect(new Set(before).size).toBe(1);
  expect(before[0]).toMatch(/^italic 400 /);
  release();
  await settled(page, 'weave');
  await expect(said).toHaveCount(0);
  await expect(table).not.toHaveAttribute('provisional');
  await still(page);
  const after = await looks(page);
  expect(new Set(after).size).toBeGreaterThan(1);
  for (const look of after) expect(look).toMatch(/^normal (?!400)/);
});

test('a folder that is dropped while the second engine reads the demo suite anew is in the table before its own pictures are checked', async ({
  page,
  context,
}) => {
  const letCheck = await holding(context, '**/juror_pictures_bg*');
  const letTakeOver = await holding(context, '**/juror_web_bg-*.wasm');
  let asked = -Infinity;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  await page.route('**/demo/weave/**', async (route) => {
    asked += 1;
    // What took over does not come to the end of the suite here.
    if (asked > 3) await ended;
    await route.continue().catch(() => undefined);
  });
  await fetchEach(page);
  await page.goto('./');
  await page.waitForSelector('html[data-phase="done"]');
  // The pictures in sight have been asked for.
  await still(page);
  asked = 0;
  letTakeOver();
  await expect.poll(() => asked).toBeGreaterThan(3);
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 3);
  await page.getByTestId('input-folder').setInputFiles(folder.path);
  const table = page.locator('juror-score-table');
  await expect(table.locator('tbody .name')).toHaveText(['m']);
  await expect(table).toHaveAttribute('provisional');
  letCheck();
  await page.waitForSelector('html[data-phase="done"]');
  await shown(page);
  await expect(table).not.toHaveAttribute('provisional');
  folder.remove();
  end();
});

/** Opens a small benchmark with the model `m`, which a judge has replied about, and `new`, which nobody has. */
async function openWithUnjudged(page: Page): Promise<TempFolder> {
  const folder = new TempFolder();
  const dialogues = writeSmallBenchmark(folder, 3);
  for (const { idx } of dialogues) {
    folder.write(`result/new/imgs/d${idx}_2.png`, png(8, 8, [10, 20, 30]));
    folder.write(`result/new/imgs/d${idx}_1_1.txt`, 'Green.');
  }
  await page.goto('./');
  await page.waitForSelector('html[data-engine="ready"]');
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
  return folder;
}

test('a model that nobody has judged is said not to be in every cell of its row, and one with a reply is not', async ({ page }) => {
  const folder = await openWithUnjudged(page);
  const row = (model: string) =>
    page.locator('juror-score-table tbody tr').filter({ has: page.locator('.name', { hasText: new RegExp(`^\\s*${model}\\s*$`) }) });
  const means = row('new').locator('.mean');
  await expect(means.first()).toHaveText('Not judged');
  await shown(page);
  expect(new Set(await means.allTextContents())).toEqual(new Set(['Not judged']));
  await expect(row('m').locator('.mean').first()).not.toHaveText(/judged/);
  await row('new').locator('button.cell').first().click();
  await expect(page.locator('juror-cell-dialog')).toContainText('this judge has given no reply about this model yet');
  folder.remove();
});

test('the list of samples says of a model that nobody has judged what the overview says', async ({ page }) => {
  const folder = await openWithUnjudged(page);
  await goTo(page, '#/samples');
  const scores = (model: string) =>
    page
      .getByTestId('sample-row')
      .locator('.cell', { has: page.locator('.name', { hasText: new RegExp(`^\\s*${model}\\s*$`) }) })
      .locator('.score');
  await expect(scores('new')).toHaveText(['Not judged', 'Not judged', 'Not judged']);
  await expect(scores('m').first()).toHaveText(/^[\d.–]+$/);
  await expect(
    page
      .getByTestId('sample-row')
      .first()
      .getByRole('img', { name: /^new: not judged, 0 of \d+ replies/ }),
  ).toHaveCount(1);
  await page.getByRole('radio', { name: 'Pictures' }).check({ force: true });
  const captions = page.getByTestId('sample-row').first().locator('.caption');
  await expect(captions.filter({ hasText: /^\s*new/ }).locator('.num')).toHaveText('Not judged');
  await expect(captions.filter({ hasText: /^\s*m/ }).locator('.num')).not.toHaveText('Not judged');
  folder.remove();
});

test('plots say of a model that nobody has judged what the overview says', async ({ page }) => {
  const folder = await openWithUnjudged(page);
  await goTo(page, '#/plots');
  await expect(page.getByTestId('sentence')).toContainText('new (not judged)');
  await expect(page.getByTestId('sentence')).not.toContainText('m (not judged)');
  await expect(page.locator('juror-plot-figure svg.chart')).toContainText('Not judged: new');
  await goTo(page, '#/plots/heat?line=new');
  await expect(page.getByTestId('sentence')).toHaveText('new is not judged, so it has no numbers yet.');
  const cells = page.locator('juror-plot-figure .mark text');
  expect(new Set(await cells.allTextContents())).toEqual(new Set(['Not judged']));
  await page.getByLabel('Model').selectOption('m');
  await expect(page.getByTestId('sentence')).not.toContainText('not judged');
  await shown(page);
  expect(await cells.allTextContents()).not.toContain('Not judged');
  folder.remove();
});

test('what could change a number is said above the numbers, one line for each kind', async ({ page }) => {
  const folder = new TempFolder();
  await page.goto('./');
  await page.waitForSelector('html[data-engine="ready"]');
  writeSmallBenchmark(folder, 3);
  folder.write('bench/old/results.json', '{"a": 1}');
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
  const notices = page.getByTestId('notices');
  await expect(notices).toContainText('could change a number');
  await notices.locator('summary').click();
  await expect(notices.locator('[data-finding="unread_files"]')).toContainText('results.json');
  // Who rates blindly reads no paths.
  await goTo(page, '#/rate');
  await expect(notices).toHaveCount(0);
});

test('what a model is judged on can be said beside it, and left to its files again', async ({ page }) => {
  await openPage(page);
  const models = page.locator('juror-models li.model').first();
  const model = (await models.locator('h3').textContent()) ?? '';
  const kind = models.getByTestId('kind');
  await expect(kind.locator('option').first()).toHaveText('pictures and texts');
  await expect(coverage(page, model)).toHaveText('32/32');
  // Without its texts the model has the turns that ask for a picture.
  await kind.selectOption('img');
  await expect(coverage(page, model)).toHaveText('25/25');
  await expect(kind.locator('option:checked')).toHaveText('pictures, chosen here');
  await kind.selectOption('');
  await expect(coverage(page, model)).toHaveText('32/32');
});
