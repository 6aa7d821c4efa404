/** Every view on the generated benchmark of 1,000 samples with eight references: right numbers, and a page that stays usable. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test, type Page } from '../../www/node_modules/@playwright/test';
import { Gate } from './gates';
import { writeDeclared } from './generate';
import { cell, coverage, openPage, settled, TempFolder } from './helpers';

const MODELS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
const NUM_SAMPLES = 1000;
/** Student's t at 97.5 % with one degree of freedom less. */
const STUDENT_T = 1.962_341;
const TASKS = ['add', 'style', 'pose', 'scene'];

interface Verdict {
  fit: number;
  look: number;
  why: string;
}

let folder: TempFolder;
let pictures = 0;
/** By model and sample, as the files say. */
const verdicts = new Map<string, Map<string, Verdict>>();
/** A second judge's of the first model. */
const others = new Map<string, Verdict>();

test.beforeAll(() => {
  folder = new TempFolder();
  pictures = writeDeclared(folder.path, NUM_SAMPLES, MODELS);
  for (const model of MODELS) {
    const lines = readFileSync(folder.at(`eight/judged/${model}_gpt.jsonl`), 'utf8')
      .trim()
      .split('\n');
    verdicts.set(
      model,
      new Map(
        lines.map((line) => {
          const { sample, reply } = JSON.parse(line) as { sample: string; reply: string };
          return [sample, JSON.parse(reply) as Verdict];
        }),
      ),
    );
  }
  // The other judge is off by one in every third case, and silent in every tenth.
  for (const [at, [id, { fit, look }]] of [...of('alpha')].entries())
    if (at % 10 !== 0) others.set(id, { fit: at % 3 === 0 ? Math.max(1, fit - 1) : fit, look: 11 - look, why: 'Otherwise.' });
  writeFileSync(
    folder.at('eight/judged/alpha_gemini.jsonl'),
    [...others].map(([sample, reply]) => JSON.stringify({ sample, reply: JSON.stringify(reply) })).join('\n'),
  );
});

test.afterAll(() => folder.remove());

const of = (model: string): Map<string, Verdict> => verdicts.get(model) ?? new Map();
const total = ({ fit, look }: Verdict): number => (fit + look) / 2;
const mean = (values: number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
const grouped = (value: number): string => value.toLocaleString('en');
const idOf = (at: number): string => String(at).padStart(5, '0');
/** The task of a sample, by its place in the list. */
const taskOf = (id: string): string => TASKS[Number(id) % TASKS.length] ?? '';
const filter = (page: Page) => page.getByTestId('filter');
const counted = (page: Page) => page.locator('juror-samples .count');

/** An output that is missing counts the lowest, 1; the overall row is the mean of the tasks. */
function overall(own: Map<string, Verdict>, score: (verdict: Verdict) => number): number {
  const ids = Array.from({ length: NUM_SAMPLES }, (_, at) => idOf(at));
  return mean(TASKS.map((task) => mean(ids.filter((id) => taskOf(id) === task).map((id) => (own.has(id) ? score(own.get(id) as Verdict) : 1)))));
}

/** The page answers: what is asked of it meanwhile is done. */
async function answers(page: Page): Promise<void> {
  const before = await page.evaluate(() => document.documentElement.dataset.theme ?? 'system');
  await page.getByRole('button', { name: /^Theme: / }).click();
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme ?? 'system')).not.toBe(before);
}

/** The two judges' scores of one criterion, where both gave one. */
const pairsOf = (criterion: 'fit' | 'look'): [number, number][] =>
  [...others].map(([id, other]) => [other[criterion], (of('alpha').get(id) as Verdict)[criterion]]);

function pearson(pairs: [number, number][]): number {
  const [x, y] = [mean(pairs.map(([one]) => one)), mean(pairs.map(([, one]) => one))];
  const sum = (part: (a: number, b: number) => number): number => pairs.reduce((all, [a, b]) => all + part(a - x, b - y), 0);
  return sum((a, b) => a * b) / Math.sqrt(sum((a) => a * a) * sum((_, b) => b * b));
}

const hashOf = (path: string): string =>
  createHash('sha256')
    .update(readFileSync(folder.at(path)))
    .digest('hex');

test('1,000 samples of eight references: every view shows right numbers and goes on answering', async ({ page }) => {
  test.setTimeout(300_000);
  const gate = await Gate.before(page, 'juror-engine', 'read');
  await page.setViewportSize({ width: 1440, height: 900 });
  await openPage(page);
  await page.getByTestId('input-folder').setInputFiles(folder.at('eight'));
  await settled(page, 'eight');

  await test.step('overview', async () => {
    await page.goto('./#/');
    for (const model of MODELS) {
      const judge = model === 'alpha' ? 'gpt' : undefined;
      const mine = cell(page, model, 0, judge);
      await expect(coverage(page, model, judge)).toHaveText(`${grouped(NUM_SAMPLES)}/${grouped(NUM_SAMPLES)}`);
      const away = async (): Promise<number> => Math.abs(Number((await mine.innerText()).split('\n')[0]) - overall(of(model), total));
      await expect.poll(away, model).toBeLessThanOrEqual(0.000501);
    }
    await answers(page);
  });

  await test.step('plots', async () => {
    await page.goto('./#/plots/distribution?criterion=fit');
    await expect(page.getByRole('heading', { level: 2 })).toHaveText('Distribution of fit');
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('csv').click()]);
    const rows = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','));
    for (const model of MODELS) {
      for (let score = 1; score <= 10; score += 1) {
        const given = [...of(model).values()].filter(({ fit }) => fit === score).length;
        // What is missing counts the lowest, and the plot says how many those are.
        const missing = score === 1 ? NUM_SAMPLES - of(model).size : 0;
        const row = rows.find(([name, judge, , low]) => name === model && judge === 'gpt' && Number(low) === score);
        expect([row?.[5], row?.[6]], `${model} ${score}`).toEqual([String(given + missing), String(missing)]);
      }
    }
    await answers(page);
  });

  await test.step('compare', async () => {
    await page.goto('./#/compare?a=alpha&b=epsilon');
    const pair = page.getByTestId('compare-pair');
    await expect(pair).toBeVisible();
    const differences = Array.from({ length: NUM_SAMPLES }, (_, at) => idOf(at)).map((id) => {
      const [a, b] = ['alpha', 'epsilon'].map((model) => of(model).get(id)).map((one) => (one === undefined ? 1 : total(one)));
      return (b ?? 0) - (a ?? 0);
    });
    const middle = mean(differences);
    const sd = Math.sqrt(differences.reduce((sum, one) => sum + (one - middle) ** 2, 0) / (NUM_SAMPLES - 1));
    const half = (STUDENT_T * sd) / Math.sqrt(NUM_SAMPLES);
    const signed = (value: number): string => `${value < 0 ? '−' : ''}${Math.abs(value).toFixed(3)}`;
    await expect(pair).toContainText(
      `mean paired difference ${signed(middle)} over ${NUM_SAMPLES} cases, 95 % CI [${signed(middle - half)}, ${signed(middle + half)}] (Student’s t)`,
    );
    // The largest difference leads the list.
    const largest = Math.max(...differences.map(Math.abs));
    const first = page.getByTestId('compare-samples').locator('tbody tr').first();
    await expect(first).toContainText(largest.toFixed(3));
    await expect.poll(async () => Math.abs(differences[Number(await first.locator('th, td').first().innerText())] ?? NaN)).toBe(largest);
    await answers(page);
  });

  await test.step('rating setup', async () => {
    await page.goto('./#/rate');
    const outputs = MODELS.reduce((sum, model) => sum + of(model).size, 0);
    await expect(page.getByTestId('rate-sum')).toHaveText(
      `${grouped(outputs)} outputs of ${grouped(NUM_SAMPLES)} cases: ${grouped(2 * outputs)} scores to give. ${grouped(MODELS.length * NUM_SAMPLES - outputs)} outputs are missing or unreadable and left out.`,
    );
    await page.getByTestId('rate-name').fill('ann');
    await page.getByTestId('rate-some').check();
    await page.getByTestId('rate-number').fill('3');
    await expect(page.getByTestId('rate-sum')).toContainText('of 3 cases');
    await page.getByTestId('rate-start').click();
    await expect(page.getByTestId('rate-progress')).toBeVisible();
    await page.getByTestId('rate-leave').click();
    await answers(page);
  });

  await test.step('agreement', async () => {
    await page.goto('./#/agreement');
    const fit = page.getByTestId('agreement').locator('tbody tr').filter({ hasText: 'gemini – gpt' }).filter({ hasText: 'Fit' });
    const pairs = pairsOf('fit');
    await expect(fit).toBeVisible();
    const figures = (await fit.locator('td').allInnerTexts()).map((text) => text.split('\n')[0]);
    const away = pairs.map(([a, b]) => Math.abs(a - b));
    expect(figures[0]).toBe(String(others.size));
    expect(figures[6]).toBe(pearson(pairs).toFixed(3));
    expect(figures[7]).toBe(mean(away).toFixed(3));
    expect(figures[9]).toBe(`${Math.round((100 * away.filter((one) => one === 0).length) / away.length)} %`);
    await fit.getByRole('button').click();
    await expect(page.getByTestId('confusion')).toBeVisible();
    await answers(page);
  });

  await test.step('search and a saved view', async () => {
    await page.goto('./#/samples');
    await expect(counted(page)).toContainText(`${grouped(NUM_SAMPLES)} of`);
    const words = 'naïve blocks';
    const found = Array.from({ length: NUM_SAMPLES }, (_, at) => idOf(at)).filter(
      (id) => taskOf(id) === 'style' && MODELS.some((model) => of(model).get(id)?.why.includes(words) === true),
    );
    expect(found.length).toBeGreaterThan(10);
    await filter(page).fill(`"${words}" task:style`);
    await expect(counted(page)).toContainText(`${found.length} of ${grouped(NUM_SAMPLES)}`);
    await expect(page.getByTestId('sample-row').first()).toHaveAttribute('data-id', found[0] ?? '');
    await page.getByRole('button', { name: 'Views' }).click();
    const dialog = page.locator('juror-saved-views dialog');
    await dialog.getByLabel('Name of this view').fill('Blocks');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await filter(page).fill('');
    await expect(counted(page)).toContainText(`${grouped(NUM_SAMPLES)} of`);
    await page.getByRole('button', { name: 'Views' }).click();
    await dialog.getByRole('link', { name: 'Blocks' }).click();
    await expect(counted(page)).toContainText(`${found.length} of ${grouped(NUM_SAMPLES)}`);
    await answers(page);
  });

  await test.step('a random sample', async () => {
    await page.goto('./#/samples?sort=random&n=20&seed=7');
    await expect(counted(page)).toContainText('20 drawn at random with seed 7');
    // The first by the SHA-256 of SEED:ID, whatever the machine.
    const drawn = Array.from({ length: NUM_SAMPLES }, (_, at) => idOf(at))
      .map((id): [string, string] => [createHash('sha256').update(`7:${id}`).digest('hex').slice(0, 16), id])
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, 20)
      .map(([, id]) => id);
    const rows = page.getByTestId('sample-row');
    await expect(rows.first()).toHaveAttribute('data-id', drawn[0] ?? '');
    await expect.poll(() => rows.count()).toBeGreaterThan(5);
    const shown = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-id')));
    expect(shown).toEqual(drawn.slice(0, shown.length));
    await answers(page);
  });

  await test.step('lint', async () => {
    const outputs = MODELS.flatMap((model) => [...of(model).keys()].map((id) => ({ model, hash: hashOf(`eight/outputs/${model}/${id}.png`) })));
    const originals = new Set(Array.from({ length: 8 }, (_, at) => hashOf(`eight/bench/refs/${idOf(0)}_${at}.png`)));
    const group = (code: string) => page.locator(`[data-testid="lint-group"][data-code="${code}"] h2 .num`);
    await page.goto('./#/lint');
    await expect(page.getByTestId('lint-sum')).toContainText(`about ${grouped(outputs.length)} outputs`);
    await expect(group('missing_output')).toHaveText(grouped(MODELS.length * NUM_SAMPLES - outputs.length));
    // Held back, it shows how far it is and goes on, and the page answers meanwhile.
    await gate.hold();
    await page.getByTestId('lint-compare').click();
    const progress = page.locator('juror-lint .check .num');
    await expect(progress).toContainText(`of ${grouped(pictures)} files`);
    const first = await progress.innerText();
    await answers(page);
    const later = async (): Promise<string> => {
      await gate.step();
      return progress.innerText();
    };
    await expect.poll(later).not.toBe(first);
    await gate.open();
    await expect(page.getByTestId('lint-sum')).toContainText('All contents were compared', { timeout: 120_000 });
    await expect(group('copied_output')).toHaveText(grouped(outputs.filter(({ hash }) => originals.has(hash)).length));
    const different = MODELS.reduce((sum, model) => sum + new Set(outputs.filter((one) => one.model === model).map(({ hash }) => hash)).size, 0);
    await expect(group('repeated_output')).toHaveText(grouped(outputs.length - different));
    await page.locator('[data-code="copied_output"]').getByRole('button', { name: 'Show all' }).scrollIntoViewIfNeeded();
    await answers(page);
  });
});
