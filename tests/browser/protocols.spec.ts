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
