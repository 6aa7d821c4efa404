/** Judges and people beside each other, as rankings, by group and question by question: the page says what the command line says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openAlone } from './alone';
import { DEMO, TempFolder, juror, openFolders, openPage, writeSmallBenchmark } from './helpers';
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

/** A figure of a pair as the page writes it. */
interface Figure {
  value: number;
  low: number | null;
  high: number | null;
}

interface Compared {
  kind: string;
  a: string;
  b: string;
  model: string;
  criterion: string;
  key: string;
  n: number;
  equal: number;
  weighted_kappa: Figure | null;
  pearson: Figure | null;
}

const compared = (...paths: string[]): Compared[] =>
  (JSON.parse(juror(['agreement', ...paths]).toString('utf8')) as { pairs: Compared[] }).pairs.filter(({ model, key }) => model === '' && key === '');

/** With three decimals; nothing has no sign. */
const rounded = (value: number): string => value.toFixed(3).replace(/^-(0\.0+)$/, '$1');

/** A figure with its interval. */
function inWords(figure: Figure | null): string {
  if (figure === null) throw new Error('There is no such figure.');
  const { value, low, high } = figure;
  return `${rounded(value)}${low === null || high === null ? '' : ` [${rounded(low)}, ${rounded(high)}]`}`;
}

test('of two sides the result comes first as a sentence, with the figures of the table and the command line', async ({ page }) => {
  const total = compared(SUITE).find(({ criterion }) => criterion === 'total');
  await openPage(page, '#/agreement?demo=multibanana');
  const result = page.getByTestId('agreement-result');
  await expect(result).toHaveText(
    `${total?.a} and ${total?.b} give equal scores to ${(100 * (total?.equal ?? 0)).toFixed(0)} % of ${total?.n} outputs on Total; quadratic κ ${inWords(total?.weighted_kappa ?? null)}.`,
  );
  // The table has the same digits, and comes later; two sides need no picture.
  const row = page.getByTestId('agreement').first().locator('tbody tr').filter({ hasText: 'Total' }).first();
  await expect(row).toContainText(total?.weighted_kappa?.value.toFixed(3) ?? 'no figure');
  await expect(page.getByTestId('agreement-matrix')).toHaveCount(0);
  const isBefore = await result.evaluate((one) => {
    const table = (one.getRootNode() as ShadowRoot).querySelector('[data-testid="agreement"]');
    return table !== null && (one.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  });
  expect(isBefore).toBe(true);
});

test('of three sides or more a matrix shows who agrees with whom by the chosen figure, and a cell opens its pair', async ({ page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 12);
  const rated = (rater: string, n: number, score: (at: number) => number): string =>
    Array.from({ length: n }, (_, at) => `${at},0,m,image_quality,${rater},${score(at)}\n`).join('');
  folder.write(
    'people/ratings.csv',
    `sample,turn,model,criterion,rater,score\n${rated('ann', 12, (at) => at % 6)}${rated('bob', 12, (at) => (at % 6) + (at === 3 ? 1 : 0))}${rated('eve', 2, (at) => 9 - 4 * at)}`,
  );
  const paths = [folder.at('bench'), folder.at('result'), folder.at('people')];
  const pairs = compared(...paths).filter(({ criterion }) => criterion === 'image_quality');
  const pair = (a: string, b: string): Compared => {
    const found = pairs.find((one) => one.a === a && one.b === b);
    if (found === undefined) throw new Error(`${a} and ${b} are not compared.`);
    return found;
  };
  const best = pair('ann', 'bob');
  await openAlone(page, paths);
  await page.goto('./#/agreement');
  const result = page.getByTestId('agreement-result');
  await expect(result).toContainText(
    `Of ${pairs.length} pairs on Image quality, ann and bob (quadratic κ ${inWords(best.weighted_kappa)}; 12 outputs) agree most`,
  );
  const matrix = page.getByTestId('agreement-matrix');
  const cells = matrix.getByRole('button');
  await expect(cells).toHaveCount(pairs.length);
  for (const { a, b, weighted_kappa: kappa, n } of pairs) {
    const shown = n < 5 ? 'too few' : kappa === null ? 'not defined' : rounded(kappa.value);
    const name = (side: string): string => (side === '' ? 'judge not stated' : side);
    await expect(cells.and(page.getByLabel(`${name(a)} and ${name(b)}:`))).toHaveText(shown);
  }

  // Another figure has other cells, another sentence and an address; where nothing varies there is none.
  await page.getByTestId('agreement-figure').selectOption('pearson');
  await expect(page).toHaveURL(/[?&]matrix=pearson,image_quality/);
  await expect(result).toContainText(`ann and bob (r ${inWords(best.pearson)}; 12 outputs)`);
  await expect(cells.and(page.getByLabel('ann and bob:'))).toHaveText(best.pearson?.value.toFixed(3) ?? '–');
  expect(pair('eve', '').pearson).toBeNull();
  await expect(cells.and(page.getByLabel('eve and judge not stated:'))).toHaveText('too few');
  expect(pair('ann', '').pearson).toBeNull();
  await expect(cells.and(page.getByLabel('ann and judge not stated:'))).toHaveText('not defined');
  const few = pairs.filter(({ n }) => n < 5).length;
  const flat = pairs.filter(({ n, pearson }) => n >= 5 && pearson === null).length;
  await expect(result).toContainText(`${few} pairs have too few outputs, ${flat} pairs have no r, as a side gives only one score.`);
  await page.getByTestId('agreement-figure').selectOption('equal');
  await expect(cells.and(page.getByLabel('ann and bob:'))).toHaveText('92 %');

  await cells.and(page.getByLabel('ann and bob:')).press('Enter');
  await expect(page.getByTestId('pair-detail')).toContainText('12 outputs rated by both');
  await expect(page.getByTestId('pair-detail')).toContainText(`quadratic κ ${inWords(best.weighted_kappa)}`);
  await expect(page.getByTestId('pair-detail')).toBeInViewport();
  await expect(cells.and(page.getByLabel('ann and bob:'))).toHaveAttribute('aria-expanded', 'true');
  folder.remove();
});
