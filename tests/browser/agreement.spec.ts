/** Judges and people beside each other, as rankings, by group and question by question: the page says what the command line says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO, TempFolder, juror, openFolders, openPage } from './helpers';
import { expect, test } from './visits';

const SUITE = join(DEMO, '../multibanana');

interface Row {
  key: string;
  n: number;
  expected: number;
  rho: number | null;
  models: {
    model: string;
    rank_a: number;
    rank_b: number;
    difference: { low: number | null };
  }[];
  exchanged: { model: string; other: string }[];
}

interface Rankings {
  rows: Row[];
}

const rankings = (...options: string[]): Rankings =>
  JSON.parse(juror(['agreement', SUITE, '--rankings', 'gemini', 'gpt', ...options]).toString('utf8')) as Rankings;

test('rankings, groups and intervals are those of the command line, and each line of the drawing leads to its model', async ({ page }) => {
  await openPage(page, '#/agreement?demo=multibanana');
  const line = page.getByTestId('rankings').locator('tbody tr');
  const [all] = rankings().rows;
  await expect(line).toHaveCount(1);
  await expect(line.first()).toContainText(`${all?.n ?? 0}of ${all?.expected ?? 0}`);
  await expect(line.first()).toContainText(all?.rho?.toFixed(3).replace('-', '−') ?? '–');
  const models = page.getByTestId('rankings-models').locator('tbody tr');
  await expect(models).toHaveCount(all?.models.length ?? 0);
  const places = await models.evaluateAll((rows) =>
    rows.map((row) => [row.getAttribute('data-model'), ...[2, 3].map((at) => Number(row.children[at]?.textContent))]),
  );
  expect(places).toEqual(all?.models.map((one) => [one.model, one.rank_a, one.rank_b]));
  await expect(page.getByTestId('rankings-exchanged').locator('tbody tr')).toHaveCount(all?.exchanged.length ?? 0);

  // The drawing by keys: Tab reaches a line, Enter its model.
  const marks = page.locator('juror-rankings juror-plot-figure .mark');
  await expect(marks).toHaveCount(all?.models.length ?? 0);
  await marks.first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('rankings-models').locator('tr.here')).toHaveAttribute('data-model', all?.models[0]?.model ?? '');

  // By group: a line for each key, in the table of pairs too, and in the address.
  const pairs = page.getByTestId('agreement').first().locator('tbody tr');
  const before = await pairs.count();
  await page.getByTestId('agreement-scope').selectOption('category');
  await expect(page).toHaveURL(/[?&]scope=category/);
  const byGroup = rankings('--scope', 'category').rows;
  await expect(line).toHaveCount(byGroup.length);
  await expect.poll(() => pairs.count()).toBeGreaterThan(before);
  const last = byGroup.at(-1);
  await line.last().getByRole('button').click();
  await expect(models).toHaveCount(last?.models.length ?? 0);

  // A surer interval is another one.
  const words = await pairs.first().textContent();
  await page.getByTestId('agreement-interval').selectOption('99');
  await expect(page).toHaveURL(/[?&]interval=99/);
  await expect.poll(() => pairs.first().textContent()).not.toBe(words);
  const surer = rankings('--interval', '99').rows[0]?.models[0]?.difference.low ?? 0;
  expect(surer).toBeLessThan(all?.models[0]?.difference.low ?? 0);
});

test('what the paper prints stands beside one’s own figures of its kind, and the CSV is that of the command line', async ({ page }) => {
  interface Printed {
    figure: { kind: string; criterion: string; value: number; source: string };
    own: {
      a: string;
      b: string;
      value: number;
      n: number;
      expected: number;
      is_same_judge: boolean;
      difference: number | null;
    }[];
  }
  const printed = JSON.parse(juror(['agreement', SUITE, '--printed']).toString('utf8')) as Printed[];
  const beside = printed.filter(({ own }) => own.length > 0);
  // Gemini and GPT are the paper's judges; nobody rated, and its other figures are of no kind that is found here.
  expect(beside.map(({ figure }) => figure.kind).every((kind) => kind === 'pearson_parts' || kind === 'standard_error')).toBe(true);
  expect(beside.length).toBeGreaterThan(0);
  await openPage(page, '#/agreement?demo=multibanana');
  const lines = page.getByTestId('printed-figures').locator('tbody tr');
  await expect(lines).toHaveCount(beside.reduce((sum, { own }) => sum + own.length, 0));
  const [first] = beside;
  const own = first?.own[0];
  await expect(lines.first()).toContainText(String(first?.figure.value));
  await expect(lines.first()).toContainText(own?.value.toFixed(3).replace('-', '−') ?? '');
  await expect(lines.first()).toContainText(`${own?.n ?? 0} of ${own?.expected ?? 0}`);
  await page.getByRole('button', { name: /^Show the other \d+ too$/ }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => lines.count()).toBeGreaterThan(printed.length - 1);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('printed-csv').click()]);
  const csv = readFileSync(await download.path(), 'utf8');
  expect(csv).toBe(juror(['agreement', SUITE, '--printed', '--format', 'csv']).toString('utf8'));
});

test('who answered the judge’s questions has its criteria and totals beside it, questions go out by group, and several stand together as a side', async ({
  page,
}) => {
  const micon = join(DEMO, '../micon');
  const folder = new TempFolder();
  const ratings = folder.write('people/ratings.csv', '');
  juror(['agreement', micon, '--questions', '--template', ratings]);
  // Yes to every checkpoint, and seven of ten to every story.
  const lines = readFileSync(ratings, 'utf8').trimEnd().split('\n');
  const answered = lines.slice(1).map((line) => line.replace(/,,$/, line.includes(',candidate,') ? ',ann,7' : ',ann,1'));
  folder.write('people/ratings.csv', [lines[0], ...answered, ''].join('\n'));
  interface Pair {
    kind: string;
    a: string;
    b: string;
    model: string;
    criterion: string;
    n: number;
    expected: number;
  }
  const { pairs } = JSON.parse(juror(['agreement', micon, ratings]).toString('utf8')) as { pairs: Pair[] };
  const total = pairs.find((row) => row.kind === 'human_judge' && row.criterion === 'total' && row.model === '');
  expect(total?.n ?? 0).toBeGreaterThan(0);

  await openPage(page);
  await openFolders(page, [micon, join(ratings, '..')]);
  await page.goto('./#/agreement');
  const people = page.getByRole('region', { name: 'People and judges' });
  const line = people.locator('tbody tr', { hasText: `ann – ${total?.b ?? ''}` }).filter({ hasText: 'Total' });
  await expect(line.first()).toContainText(`${total?.n ?? 0}of ${total?.expected ?? 0}`);
  // The dimensions that the checkpoints make are there too.
  const dimensions = pairs.filter((row) => row.kind === 'human_judge' && row.model === '' && row.criterion !== 'total');
  expect(dimensions.length).toBeGreaterThan(4);

  await page.getByTestId('questions-a').selectOption('people:ann');
  await page.getByTestId('questions-b').selectOption(total?.b ?? '');
  await page.getByTestId('agreement-scope').selectOption('domain');
  await expect(page.getByTestId('atom-agreement').locator('thead')).toContainText('Group');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('questions-csv').click()]);
  const csv = readFileSync(await download.path(), 'utf8');
  const options = ['--questions', 'people:ann', total?.b ?? '', '--scope', 'domain', '--format', 'csv'];
  expect(csv).toBe(juror(['agreement', micon, ratings, ...options]).toString('utf8'));
  expect(csv.split('\n')[0]).toContain(',key,n,expected,');

  await page.getByTestId('rankings-a').selectOption({ label: 'several together…' });
  const dialog = page.getByRole('dialog', { name: 'Judges together' });
  await dialog.getByLabel('ann', { exact: true }).check();
  await dialog.getByRole('button', { name: 'Compare together' }).click();
  await expect(page.getByTestId('rankings-a')).toHaveValue(/^panel:median\(.*people:ann.*\)$/);
  await expect(page.getByTestId('rankings-models').locator('tbody tr').first()).toBeVisible();
  folder.remove();
});
