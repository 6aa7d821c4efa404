/** Image metrics over a suite: pool of workers, pause and stop, every kind of pair, results in every view, and the command line's numbers to the byte. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '../../www/node_modules/@playwright/test';
import { SCHEMES, axe } from './axe';
import { Gate, still } from './gates';
import {
  DEMO,
  TempFolder,
  closeAll,
  exported,
  exportedReport,
  juror,
  jurorScore,
  numbers,
  openFolders,
  openPage,
  png,
  unfold,
  writeSmallBenchmark,
} from './helpers';
import { expect, test } from './visits';

/** Pairs of pictures that runs are held back over. */
const PAIRS = 40;

/** Opens the view on the CPU, with this many workers. */
async function openMetrics(page: Page, workers: number): Promise<void> {
  await page.goto('./#/metrics');
  await expect(page.getByTestId('metrics-pairs')).toBeVisible();
  await unfold(page);
  await page.getByTestId('metrics-backend').selectOption('cpu');
  await page.getByTestId('metrics-workers').fill(String(workers));
}

/** Starts and waits for the end. */
async function measureAll(page: Page): Promise<void> {
  await page.getByTestId('metrics-start').click();
  // An earlier run's heading may still stand: nothing is left once this one has ended.
  await expect.poll(() => pairs(page), { timeout: 60_000 }).toBe(0);
  await expect(heading(page, 'Done')).toBeVisible();
  await expect(page.getByTestId('metrics-table')).toBeVisible();
}

const pairs = async (page: Page): Promise<number> => Number((await page.getByTestId('metrics-pairs').textContent())?.replaceAll(',', ''));

const answered = async (page: Page): Promise<number> => Number((await page.getByTestId('metrics-answered').textContent())?.split(' ')[0]);

/** Pairs with both values in what is exported. */
const valued = async (page: Page): Promise<number> =>
  (await exportedReport(page)).samples.filter(({ judge, score }) => judge === 'measured' && score !== null).length / 2;

/** A benchmark whose outputs are right and wrong by turns; its folders. */
function writePairs(folder: TempFolder): string[] {
  const [before, after] = [png(64, 64, [200, 60, 60]), png(64, 64, [60, 60, 200])];
  for (const { idx } of writeSmallBenchmark(folder, PAIRS)) {
    folder.write(`bench/test/imgs/d${idx}_2.png`, after);
    folder.write(`result/m/imgs/d${idx}_2.png`, idx % 2 === 0 ? before : after);
  }
  return [folder.at('bench'), folder.at('result')];
}

const run = (page: Page): Locator => page.getByTestId('metrics-run');
const heading = (page: Page, name: string): Locator => run(page).getByRole('heading', { name, exact: true });
const underWay = (page: Page): Locator => run(page).locator('dt', { hasText: 'In flight' }).locator('xpath=following-sibling::dd');

/** Opens such a benchmark and starts a run of which one piece is measured: all that is sent to the workers beyond it is held back. */
async function startHeld(page: Page, dirs: string[], workers: number): Promise<Gate> {
  const gate = await Gate.before(page, 'juror-metrics', 'metrics');
  await openPage(page);
  await openFolders(page, dirs);
  await openMetrics(page, workers);
  await expect.poll(() => pairs(page)).toBe(PAIRS);
  await gate.hold();
  await page.getByTestId('metrics-start').click();
  await gate.let(1);
  await expect.poll(() => answered(page)).toBeGreaterThan(0);
  // Each worker is given two pieces at once.
  await expect.poll(() => gate.waiting()).toBe(2 * workers);
  return gate;
}

test('SSIM and MSE over the demo suite equal the command line to the byte', async ({ page }) => {
  // As a folder, so that paths in the report are those of the command line.
  await openPage(page);
  await openFolders(page, [DEMO]);
  await openMetrics(page, 1);
  await expect.poll(() => pairs(page)).toBeGreaterThan(4);
  await measureAll(page);
  await expect(page.getByTestId('metrics-start')).toBeDisabled();
  const words = ['score', DEMO, '--metrics', 'ssim,mse'];
  expect((await exported(page, 'export-json')).toString('utf8')).toBe(juror(words).toString('utf8'));
  expect((await exported(page, 'export-csv')).toString('utf8')).toBe(juror([...words, '--format', 'csv']).toString('utf8'));
  // A report without them is another one.
  expect(juror(words).equals(juror(['score', DEMO]))).toBe(false);
});

test('a run that is paused stands still, goes on, and once stopped keeps what it has, which a second start completes', async ({ page }) => {
  const folder = new TempFolder();
  try {
    const dirs = writePairs(folder);
    const gate = await startHeld(page, dirs, 1);
    await run(page).getByRole('button', { name: 'Pause' }).click();
    await expect(heading(page, 'Paused')).toBeVisible();
    // What is under way is finished.
    await gate.open();
    await expect(underWay(page)).toHaveText('0');
    const atPause = await answered(page);
    const sent = await gate.passed();
    expect(atPause).toBeLessThan(PAIRS);
    // The engine answers other questions meanwhile, and deals nothing out.
    await valued(page);
    expect(await answered(page)).toBe(atPause);
    expect(await gate.passed()).toBe(sent);
    await gate.hold();
    await run(page).getByRole('button', { name: 'Resume' }).click();
    await expect(heading(page, 'Measuring')).toBeVisible();
    await gate.let(1);
    await expect.poll(() => answered(page)).toBeGreaterThan(atPause);
    await expect.poll(() => gate.waiting()).toBe(2);
    await run(page).getByRole('button', { name: 'Stop' }).click();
    await expect(run(page).getByRole('alert')).toContainText('It was stopped.');
    await gate.open();
    await expect(heading(page, 'Stopped')).toBeVisible();
    const kept = await valued(page);
    expect(kept).toBeGreaterThan(atPause);
    expect(kept).toBeLessThan(PAIRS);
    // What was measured before is there and is not measured again.
    await expect.poll(() => pairs(page)).toBe(PAIRS - kept);
    await measureAll(page);
    expect(await answered(page)).toBe(PAIRS - kept);
    expect(numbers(await exportedReport(page))).toEqual(numbers(jurorScore(dirs, '--metrics', 'ssim,mse')));
  } finally {
    folder.remove();
  }
});

test('a worker that dies ends the run with its message, and the next run measures what is left', async ({ page }) => {
  const folder = new TempFolder();
  try {
    const dirs = writePairs(folder);
    const gate = await startHeld(page, dirs, 2);
    expect(await gate.fail('Out of memory.')).toBe(2);
    await expect(heading(page, 'Stopped')).toBeVisible();
    await expect(run(page).getByRole('alert')).toContainText('Out of memory.');
    await expect(underWay(page)).toHaveText('0');
    const kept = await valued(page);
    expect(kept).toBe(await answered(page));
    expect(kept).toBeLessThan(PAIRS);
    await expect.poll(() => pairs(page)).toBe(PAIRS - kept);
    await gate.open();
    await measureAll(page);
    expect(numbers(await exportedReport(page))).toEqual(numbers(jurorScore(dirs, '--metrics', 'ssim,mse')));
  } finally {
    folder.remove();
  }
});

test('what is closed while it is measured leaves nothing behind, and what is opened then is measured from the start', async ({ page }) => {
  const folder = new TempFolder();
  try {
    const dirs = writePairs(folder);
    const gate = await startHeld(page, dirs, 1);
    // Lanes that wait in a pause end as well.
    await run(page).getByRole('button', { name: 'Pause' }).click();
    await expect(heading(page, 'Paused')).toBeVisible();
    await gate.open();
    await expect(underWay(page)).toHaveText('0');
    await closeAll(page);
    await openFolders(page, dirs);
    await openMetrics(page, 1);
    await expect(run(page)).toHaveCount(0);
    await expect.poll(() => pairs(page)).toBe(PAIRS);
    await measureAll(page);
    expect(await answered(page)).toBe(PAIRS);
    expect(numbers(await exportedReport(page))).toEqual(numbers(jurorScore(dirs, '--metrics', 'ssim,mse')));
  } finally {
    folder.remove();
  }
});

test('outputs are held against a reference, the mean of all references and another model’s output, as on the command line', async ({ page }) => {
  await openPage(page);
  await openFolders(page, [DEMO]);
  await openMetrics(page, 2);
  const against = ['reference:1', 'references', 'model:basalt-synth'];
  await page.getByTestId('against-golden').uncheck();
  for (const id of against) await page.getByTestId(`against-${id}`).check();
  for (const metric of ['mse', 'psnr', 'mae']) await page.getByTestId(`metric-${metric}`).check();
  await page.getByTestId('metric-ssim').uncheck();
  await measureAll(page);
  const report = await exportedReport(page);
  const words = ['--metrics', 'mse,psnr,mae', ...against.flatMap((id) => ['--against', id])];
  expect(numbers(report)).toEqual(numbers(jurorScore([DEMO], ...words)));
  const overall = (criterion: string, model: string): number | null | undefined =>
    report.scores.find((row) => row.scope === 'overall' && row.criterion === criterion && row.model === model)?.mean;
  const found = ['golden', ...against].map((id) => overall(`mse@${id}`, 'aurora-synth'));
  expect(found[0]).toBeUndefined();
  // Each is another number.
  expect(new Set(found.slice(1)).size).toBe(3);
  expect(found.slice(1).every((value) => value != null && value > 0)).toBe(true);
  // A model is not held against itself.
  expect(overall('mse@model:basalt-synth', 'basalt-synth')).toBeUndefined();
});

test('what was chosen last is measured, not what was counted before', async ({ page }) => {
  const gate = await Gate.before(page, 'juror-engine', 'method', 'measurePlan');
  await openPage(page);
  await openFolders(page, [DEMO]);
  await openMetrics(page, 2);
  const start = page.getByTestId('metrics-start');
  await expect(start).toBeEnabled();
  await gate.hold();
  await page.getByTestId('metric-psnr').check();
  await page.getByTestId('metric-ssim').uncheck();
  await expect.poll(() => gate.waiting()).toBeGreaterThan(0);
  await expect(start).toBeDisabled();
  await gate.open();
  await measureAll(page);
  const measured = (await exportedReport(page)).scores.filter(({ judge }) => judge === 'measured').map(({ criterion }) => criterion);
  expect(new Set(measured)).toEqual(new Set(['mse@golden', 'psnr@golden']));
});

test('the values are a file that another visit reads, and they stand in the table, in the list and beside the output', async ({ page }) => {
  await openPage(page);
  await openMetrics(page, 2);
  await measureAll(page);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('metrics-export').click()]);
  const text = readFileSync(await download.path(), 'utf8');
  const folder = new TempFolder();
  try {
    juror(['score', DEMO, '--metrics', 'ssim,mse', '--measures', folder.at('cli.jsonl'), '--out', folder.at('report.json')]);
    expect(text).toBe(readFileSync(folder.at('cli.jsonl'), 'utf8'));
    const path = folder.write('values.jsonl', text);
    await page.getByTestId('metrics-table').getByRole('link', { name: /^SSIM/ }).click();
    await expect(page.getByTestId('overview-table').locator('.judge').first()).toHaveText('measured');
    await expect(page.getByText('has no value and is left out')).toBeVisible();
    await expect(page.getByText('scores as lowest on its scale')).toBeHidden();
    const report = await exportedReport(page);
    const row = report.scores.find(({ scope, criterion }) => scope === 'overall' && criterion === 'ssim@golden');
    await expect(page.getByTestId('overview-table').locator('.mean').first()).toHaveText(row?.mean?.toFixed(4) ?? '');
    // A plot of it has no empty lines of those who judged other criteria.
    await page.goto('./#/plots?criterion=ssim%40golden');
    await expect(page.getByTestId('sentence')).toContainText(/best first.*: aurora-synth 0\.\d+.*; basalt-synth 0\.\d+.*; cinder-synth 0\.\d+/);
    await expect(page.getByTestId('sentence')).not.toContainText('judge not stated');
    await page.goto('./#/samples?sort=score_asc&by=ssim%40golden');
    const lowest = page.getByTestId('sample-row').first();
    await expect(lowest).toContainText('SSIM · golden');
    await lowest.click();
    await expect(page.getByTestId('measures').first()).toContainText('SSIM · golden');
    // Forgotten, then read from the file.
    await page.goto('./#/metrics');
    await page.getByTestId('metrics-drop').click();
    await expect(page.getByTestId('metrics-table')).toHaveCount(0);
    await page.getByTestId('metrics-import').setInputFiles(path);
    await expect(page.getByTestId('metrics-table')).toBeVisible();
    expect(numbers(await exportedReport(page))).toEqual(numbers(report));
  } finally {
    folder.remove();
  }
});

test('an output of another size is an incident, and resized it has a value under another name', async ({ page }) => {
  const folder = new TempFolder();
  try {
    for (const { idx } of writeSmallBenchmark(folder, 3)) {
      if (idx === 1) folder.write('result/m/imgs/d1_2.png', png(10, 8, [60, 60, 200]));
    }
    const dirs = [folder.at('bench'), folder.at('result')];
    await openPage(page);
    await openFolders(page, dirs);
    await openMetrics(page, 1);
    await expect(page.getByTestId('metrics-left-out')).toContainText('as sizes differ');
    await measureAll(page);
    const report = await exportedReport(page);
    expect(report.incidents.filter(({ kind }) => kind === 'size_differs').map(({ sample }) => sample)).toEqual(['1', '1']);
    expect(numbers(report)).toEqual(numbers(jurorScore(dirs, '--metrics', 'ssim,mse')));
    await page.getByTestId('metrics-sizes').selectOption('resized');
    await expect.poll(() => pairs(page)).toBe(3);
    await measureAll(page);
    const resized = (await exportedReport(page)).scores.find(({ scope, criterion }) => scope === 'overall' && criterion === 'ssim@golden+resized');
    expect([resized?.n, resized?.expected]).toEqual([3, 3]);
  } finally {
    folder.remove();
  }
});

for (const [scheme, rules] of SCHEMES) {
  test(`axe finds nothing in the metrics view, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await openPage(page);
    await openMetrics(page, 2);
    await measureAll(page);
    const shots = process.env.JUROR_SHOTS;
    if (shots !== undefined) {
      for (const [width, height] of [
        [390, 844],
        [1440, 900],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.screenshot({ path: join(shots, `metrics-${scheme}-${width}.png`), fullPage: width < 500 });
      }
    }
    await still(page);
    const { violations } = await axe(page, rules).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual([]);
  });
}
