/** A study with people: they answer the judge's own questions by keys alone and stand in the tables beside the judge. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '../../www/node_modules/@playwright/test';
import { DEMO, TempFolder, cell, coverage, exported, goTo, juror, openFolders, openPage, shown, shownMean } from './helpers';
import { expect, test } from './visits';

const MICON = join(DEMO, '../micon');
const MODEL = 'aurora-synth';
/** Of the three models of the suite, those whose outputs are all there. */
const MODELS = [MODEL, 'cinder-synth'];

interface Rankings {
  rows: { n: number; expected: number; models: { model: string; rank_a: number; rank_b: number }[] }[];
}

let folder: TempFolder;
test.beforeEach(() => {
  folder = new TempFolder();
});
test.afterEach(() => folder.remove());

/** Answers everything that is asked about the outputs of the plan: no to each checkpoint whose place `isNo` says, yes to the others. */
async function answerAll(page: Page, outputs: number, isNo: (at: number, output: number) => boolean): Promise<number> {
  let answers = 0;
  const asked = page.getByTestId('rate-criterion');
  for (let output = 0; output < outputs; output += 1) {
    await expect(
      page.getByRole('heading', {
        name: new RegExp(`^Output ${output + 1} of ${outputs}$`),
      }),
    ).toBeVisible();
    await expect(asked.first()).toBeVisible();
    const questions = await asked.count();
    for (let at = 0; at < questions; at += 1) {
      const isCandidate = (await asked.nth(at).getAttribute('data-criterion')) === 'candidate';
      await page.keyboard.type(isCandidate ? '7' : isNo(at, output) ? '0' : '1');
      await page.keyboard.press('Enter');
      answers += 1;
    }
  }
  return answers;
}

test('two samples of each task are drawn for two models, their questions answered by keys, and the person is a judge in the tables, per question, in the rankings and on the command line', async ({
  page,
}) => {
  test.setTimeout(600_000);
  await openPage(page);
  await openFolders(page, [MICON]);
  await goTo(page, `#/rate?models=${MODELS.join(',')}&n=2&per=task`);
  await page.getByTestId('rate-name').fill('ann');
  await page.getByTestId('rate-atoms').check();
  await expect(page.getByTestId('rate-sum')).toContainText(/^24 outputs of 12 /);
  await expect(page).toHaveURL(/items=atoms/);
  await page.getByTestId('rate-start').click();
  // The judge's questions, not the names of criteria.
  await expect(page.getByTestId('rate-criterion').first()).toContainText('?');
  const answers = await answerAll(page, 24, (at, output) => at === 0 || (at === 1 && output % 3 === 0));
  await expect(page.getByTestId('rate-progress')).toContainText('24 of 24');
  await page.getByTestId('rate-leave').click();
  await expect(page.getByTestId('rater')).toContainText(`${answers} ratings`);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('rate-export').click()]);
  const ratings = folder.write('people/ratings.csv', readFileSync(await download.path()));

  // Beside the judge nothing changes until the person is chosen.
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await shown(page);
  const judged = (await shownMean(page, MODEL).textContent()) ?? '';
  await page.getByLabel('Judge whose replies are scored').selectOption({ label: 'ann' });
  for (const model of MODELS) await expect(coverage(page, model)).toHaveText(/^12\//);
  await expect(shownMean(page, MODEL)).not.toHaveText(judged);
  expect(decodeURIComponent(page.url())).toContain('judge=people:ann');
  const csv = await exported(page, 'export-csv');
  const expected = juror(['score', MICON, ratings, '--judge', 'people:ann', '--format', 'csv']);
  expect(csv.toString('utf8')).toBe(expected.toString('utf8'));
  const everybody = juror(['score', MICON, ratings, '--judge', 'people', '--format', 'csv']);
  expect(everybody.toString('utf8')).not.toBe(expected.toString('utf8'));

  // Question by question: the first of each sample was answered no throughout.
  await goTo(page, '#/agreement');
  const table = page.getByTestId('atom-agreement');
  await expect(table.locator('tbody tr').first()).toContainText('A_check_1');
  const byQuestion = JSON.parse(juror(['agreement', MICON, ratings, '--questions', 'people:ann', await judgeOf(page)]).toString('utf8')) as {
    id: string;
    equal: number;
  }[];
  expect(byQuestion[0]?.id).toBe('A_check_1');
  const first = (await table.locator('tbody tr').first().locator('td').nth(2).textContent()) ?? '';
  expect(first).toBe(`${(100 * (byQuestion[0]?.equal ?? NaN)).toFixed(1)} %`);

  // Model by model: where the person and the judge rank each, drawn as slopes.
  const other = await judgeOf(page);
  await page.getByTestId('rankings-a').selectOption('people:ann');
  await page.getByTestId('rankings-b').selectOption(other);
  await shown(page);
  const [ranked] = (JSON.parse(juror(['agreement', MICON, ratings, '--rankings', 'people:ann', other]).toString('utf8')) as Rankings).rows;
  expect(ranked?.models.map(({ model }) => model).sort()).toEqual(MODELS);
  const models = page.getByTestId('rankings-models').locator('tbody tr');
  await expect(models).toHaveCount(MODELS.length);
  const places = await models.evaluateAll((rows) =>
    rows.map((row) => [row.getAttribute('data-model'), ...[2, 3].map((at) => Number(row.children[at]?.textContent))]),
  );
  expect(places).toEqual(ranked?.models.map((one) => [one.model, one.rank_a, one.rank_b]));
  await expect(page.locator('juror-rankings juror-plot-figure .mark')).toHaveCount(MODELS.length);
});

/** The judge that people are compared with. */
async function judgeOf(page: Page): Promise<string> {
  return page.getByLabel('The other').inputValue();
}

test('who stops before the last question of a sample has no score of it', async ({ page }) => {
  await openPage(page);
  await openFolders(page, [MICON]);
  await goTo(page, '#/rate?items=atoms');
  await page.getByTestId('rate-name').fill('bob');
  await page.getByTestId('rate-start').click();
  await expect(page.getByTestId('rate-criterion').first()).toBeVisible();
  await page.keyboard.type('1');
  await expect(page.getByTestId('rate-criterion').first()).toHaveAttribute('data-kept', 'kept');
  await page.getByTestId('rate-leave').click();
  await expect(page.getByTestId('rater')).toContainText('1 rating');
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await expect(cell(page, MODEL)).toBeVisible();
  await shown(page);
  await expect(page.getByLabel('Judge whose replies are scored').locator('option', { hasText: 'bob' })).toHaveCount(0);
});
