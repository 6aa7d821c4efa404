/**
 * The other four benchmarks, each from a folder in its authors' layout to a report that equals the command line's,
 * and one that a `juror.json` declares.
 */
import type { Page } from '../../www/node_modules/@playwright/test';
import { exported, goTo, juror, jurorScore, openFolders, openPage, type Report, showBelow, TempFolder } from './helpers';
import { SUITES, type Suite } from './suites';
import { expect, test } from './visits';

for (const [name, write] of Object.entries(SUITES)) {
  test.describe(name, () => {
    let folder: TempFolder;
    let suite: Suite;
    let paths: string[];

    test.beforeAll(() => {
      folder = new TempFolder();
      suite = write(folder);
      paths = suite.folders.map((one) => folder.at(one));
    });
    test.afterAll(() => folder.remove());

    const open = async (page: Page): Promise<void> => {
      await openPage(page);
      await openFolders(page, paths);
    };

    test('the folder is recognised, and both models stand in the table', async ({ page }) => {
      await open(page);
      await expect(page.getByTestId('benchmark')).toHaveText(suite.title);
      for (const model of ['alpha', 'beta'])
        await expect(
          page
            .getByTestId('overview-table')
            .locator('th .name')
            .filter({ hasText: new RegExp(`^${model}$`) })
            .first(),
        ).toBeVisible();
      const report = jurorScore(paths);
      const kinds = new Set(report.incidents.filter(({ model }) => model === 'beta').map(({ kind }) => kind));
      for (const kind of suite.incidents) expect(kinds).toContain(kind);
      // VIBE has an overall score only where every task of a level is there, so the first total at hand is taken.
      const total = (model: string): number =>
        report.scores.find((row) => row.model === model && row.criterion === 'total' && row.mean !== null)?.mean ?? Number.NaN;
      expect(total('alpha')).toBeGreaterThan(total('beta'));
    });

    test('a sample shows its references, both outputs and the request as the judge sees it', async ({ page }) => {
      await open(page);
      const report = jurorScore(paths);
      const id = suite.sample === '' ? (report.samples[0]?.sample ?? '') : suite.sample;
      await goTo(page, `#/sample/${encodeURIComponent(id)}`);
      await expect(page.getByRole('heading', { level: 1 })).toContainText(id);
      await expect(page.locator('juror-turn .said')).toContainText(suite.instruction);
      await expect(page.locator('juror-output')).toHaveCount(2);
      const verdict = page.locator(`juror-output li.verdict[data-criterion="${suite.request.id}"]`).first();
      await verdict.getByTestId('open-request').click();
      const dialog = page.getByTestId('request-dialog');
      await expect(dialog.getByTestId('copy-prompt')).toBeVisible();
      await expect(dialog.locator('juror-parts .image')).toHaveCount(suite.request.pictures);
      await expect(dialog.locator('juror-parts .image img')).toHaveCount(suite.request.pictures);
      await dialog.getByTestId('paste-text').fill('Nothing of the kind.');
      await expect(dialog.getByTestId('paste-status')).toHaveAttribute('data-status', 'incident');
    });

    for (const profile of ['paper', 'released'] as const) {
      test(`the export is juror score’s to the byte (${profile})`, async ({ page }) => {
        await open(page);
        await page.getByTestId(`profile-${profile}`).check();
        for (const [format, what] of [
          ['json', 'export-json'],
          ['csv', 'export-csv'],
        ] as const) {
          const expected = juror(['score', ...paths, '--profile', profile, '--format', format]);
          const downloaded = await exported(page, what);
          expect(downloaded.toString('utf8')).toBe(expected.toString('utf8'));
          expect(expected.length).toBeGreaterThan(500);
        }
      });
    }

    test('the two profiles differ, and the page says where', async ({ page }) => {
      await open(page);
      await showBelow(page, 'rules');
      const reports: Report[] = (['paper', 'released'] as const).map((profile) => jurorScore(paths, '--profile', profile));
      if (suite.oneProfile === true) {
        expect(reports[0]?.scores.map(({ mean }) => mean)).toEqual(reports[1]?.scores.map(({ mean }) => mean));
        await expect(page.locator('juror-differences')).toBeAttached();
        await expect(page.getByTestId('difference')).toHaveCount(0);
        return;
      }
      expect(reports[0]?.scores.map(({ mean }) => mean)).not.toEqual(reports[1]?.scores.map(({ mean }) => mean));
      await expect.poll(() => page.getByTestId('difference').count()).toBeGreaterThan(2);
    });
  });
}

test.describe('half of MultiRef-Bench', () => {
  let folder: TempFolder;
  test.beforeAll(() => (folder = new TempFolder()));
  test.afterAll(() => folder.remove());

  test('the half that is not in the folder is said to be missing, and the other one is one column with the whole', async ({ page }) => {
    const suite = SUITES.multiref?.(folder);
    await openPage(page, '#/?demo=multiref');
    const missing = page.getByTestId('missing-groups');
    // The demo suite has both halves; its conditions are in one of them.
    await expect(page.getByTestId('overview-table')).toBeVisible();
    await expect(missing).toHaveCount(0);
    const heads = page.getByTestId('overview-table').locator('thead th:not(.model) bdi');
    await expect(heads).toHaveText(['Overall: synthetic']);
    await goTo(page, '#/?demo=multiref&criterion=IQ');
    await expect(heads).toHaveText(['synthetic', 'real-world']);
    await goTo(page, '#/?demo=multiref&scope=references');
    await expect(heads).toHaveText(['Overall', '2', '3']);
    await openFolders(page, suite?.folders.map((one) => folder.at(one)) ?? []);
    await goTo(page, '#/');
    await expect(missing).toHaveText('Missing here: subset real-world, which the paper has');
    await expect(heads).toHaveText(['Overall: synthetic']);
    // What the paper prints of the half is in the same column.
    await page.getByTestId('published').getByRole('button', { name: 'Published results' }).click();
    await expect(page.getByTestId('published').locator('td .cell .mean').first()).toHaveText(/^0\.\d{3}$/);
  });
});

test('a criterion of which less is better says so wherever its numbers are', async ({ page }) => {
  await openPage(page, '#/?demo=multiref&criterion=all');
  const head = (name: RegExp) => page.getByTestId('overview-table').getByRole('columnheader', { name });
  await expect(head(/^Depth.*lower is better/)).toContainText('Depth ↓');
  await expect(head(/^Pose/)).not.toContainText('↓');
  await goTo(page, '#/sample/synthetic%2Fstill_life?demo=multiref');
  const verdict = (id: string) => page.locator(`juror-output li.verdict[data-criterion="${id}"] .short`).first();
  await expect(verdict('depth')).toHaveText(/^Depth\s↓$/);
  await expect(verdict('subject')).toHaveText('Subject');
  await goTo(page, '#/compare?demo=multiref&criterion=depth');
  await expect(page.locator('#models')).toHaveText('Depth (lower is better)');
  await expect(page.getByTestId('compare-criterion').locator('option:checked')).toHaveText('Depth (lower is better)');
  await goTo(page, '#/compare?demo=multiref&criterion=pose');
  await expect(page.locator('#models')).toHaveText('Pose');
  for (const plot of ['', '/distribution', '/references', '/shares', '/difference']) {
    await goTo(page, `#/plots${plot}?demo=multiref&criterion=depth`);
    await expect(page.locator('juror-plot-figure h2, juror-plot-figure h3').first()).toContainText(/depth \(lower is better\)/i);
  }
  await goTo(page, '#/plots/heat?demo=multiref');
  await expect(page.locator('juror-plot-figure svg text', { hasText: /^Depth ↓$/ })).toHaveCount(1);
  await expect(page.locator('juror-plot-figure svg text', { hasText: /^(Overall|synthetic)/ })).toHaveText(['Overall: synthetic']);
  await goTo(page, '#/samples?demo=multiref&sort=score_asc&by=depth');
  await expect(page.getByTestId('sort-by').locator('option:checked')).toHaveText('by Depth ↓');
  await expect(page.getByTestId('sample-row').first().locator('.chip.accent')).toHaveText(/^Depth ↓ 0\.\d{3}$/);
});

test('placeholders of pictures stay in one line, in the list and in a sample', async ({ page }) => {
  /** The lines that each placeholder takes, by its text. */
  const lines = (selector: string) =>
    page
      .locator(selector)
      .evaluateAll((all) =>
        all.map((one) => [one.textContent, new Set([...one.getClientRects()].map(({ top }) => Math.round(top))).size, one.scrollWidth <= one.clientWidth]),
      );
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await openPage(page, '#/samples?demo=multiref');
    await expect(page.getByTestId('sample-row').first().locator('.token').first()).toBeVisible();
    const listed = await lines('[data-testid="sample-row"] .token');
    expect(listed).toContainEqual(['<canny_image>', 1, true]);
    expect(listed.filter(([, number, whole]) => number !== 1 || whole !== true)).toEqual([]);
    await goTo(page, '#/sample/synthetic%2Fshore?demo=multiref');
    await expect(page.locator('.mention').first()).toBeVisible();
    if (width === 390) continue;
    const named = await lines('.legend .token');
    expect(named).toContainEqual(['<semantic_image>', 1, true]);
    expect(named.filter(([, number, whole]) => number !== 1 || whole !== true)).toEqual([]);
  }
  expect(new Set((await lines('.mention')).map(([, number]) => number))).toEqual(new Set([1]));
});
