/** Four first visits, step by step: a newcomer, a researcher with two judges, a reviewer with a pack, the author of a project page. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { axe } from './axe';
import {
  DEMO,
  TempFolder,
  cell,
  closeAll,
  coverage,
  exported,
  juror,
  jurorScore,
  metricsLine,
  openFolders,
  openPage,
  overallTotal,
  png,
  showBelow,
  shown,
  shownMean,
  writeSmallBenchmark,
  isOfReplies,
} from './helpers';
import { serveFiles, servePage } from './pages';
import { unzip, zipOf } from './zip';
import { expect, test } from './visits';

let folder: TempFolder;
test.beforeEach(() => {
  folder = new TempFolder();
});
test.afterEach(() => folder.remove());

test('a newcomer sees what the page is, opens a number, comes to the judge’s reply, and finds what is known besides', async ({ page }) => {
  await openPage(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('See why a model got its score.');
  const best = page.getByTestId('intro-number');
  const total = (await best.textContent()) ?? '';
  await best.click();
  // The number is the one of the table, with its formula and its samples.
  const dialog = page.locator('juror-cell-dialog dialog');
  await expect(dialog.getByTestId('mean-filled')).toContainText(total);
  await dialog.getByText('turns have a score').click();
  await dialog.getByTestId('row-units').getByRole('link').first().click();
  await expect(page.getByTestId('turn').first()).toBeVisible();
  const verdict = page.locator('li.verdict').first();
  await verdict.locator('.toggle').first().click();
  await verdict.locator('summary').first().click();
  await expect(verdict.locator('pre').first()).toBeVisible();
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await shown(page);
  for (const [part, words] of [
    ['rules', 'Effect of each single rule'],
    ['incidents', 'What kept a score from being read'],
    ['files', 'picture'],
  ] as const) {
    await showBelow(page, part);
    await expect(page.locator('juror-overview .below')).toContainText(words);
    expect((await axe(page).analyze()).violations, part).toEqual([]);
  }
  // The address keeps what is shown below.
  await page.reload();
  await expect(page.locator('juror-files')).toBeVisible();
  await page.locator('juror-overview .to-manual').first().click();
  await expect(page.locator('juror-manual h1')).toHaveText('Scores');
});

test('a researcher opens three models with two judges: one judge’s ranks at a time, one model judged in part, the file as on the command line', async ({
  page,
}) => {
  const dialogues = writeSmallBenchmark(folder, 6);
  for (const [model, score] of [
    ['m2', 5],
    ['m3', 3],
  ] as const) {
    for (const { idx } of dialogues) folder.write(`result/${model}/imgs/d${idx}_2.png`, png(8, 8, [20 * idx, 90, 200]));
    // Of the last model half of the replies are there.
    const own = model === 'm3' ? dialogues.slice(3) : dialogues;
    folder.write(`result/${model}/metrics.jsonl`, own.map((one) => `${metricsLine(one, score)}\n`).join(''));
  }
  // The second judge has the first model low, and has not seen the third.
  for (const [model, score] of [
    ['m', 1],
    ['m2', 9],
  ] as const) {
    folder.write(`result/${model}/metrics_other-judge.jsonl`, dialogues.map((one) => `${metricsLine(one, score)}\n`).join(''));
  }
  const dirs = [folder.at('bench'), folder.at('result')];
  await openPage(page);
  await closeAll(page);
  await openFolders(page, dirs);
  const table = page.getByTestId('overview-table');
  const names = table.locator('tbody:not(.published) .name');
  await expect(names).toHaveText(['m', 'm2', 'm3']);
  await expect(coverage(page, 'm3')).toHaveClass(/partial/);
  // The samples worth a look are chosen by the same judge.
  await expect(page.getByTestId('highlights-judge')).toHaveText('scores by judge not stated');
  await page.getByTestId('judge-block').getByRole('button', { name: 'Judge other-judge' }).click();
  await expect(names).toHaveText(['m', 'm2', 'm3', 'm2', 'm']);
  await expect(table.locator('tbody:not(.published) .rank')).toContainText(['1', '2', '3', '1', '2']);
  await page.reload();
  await openFolders(page, dirs);
  await expect(names).toHaveCount(5);
  // The order by score is of one judge's scores: by both judges' means the two models would be equal.
  await page.getByRole('link', { name: 'Samples', exact: true }).click();
  await expect(page.getByTestId('sample-row').first()).toBeVisible();
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await shown(page);
  await page.getByLabel('Judge whose replies are scored').selectOption({ label: 'other-judge' });
  const report = jurorScore(dirs, '--judge', 'other-judge');
  for (const model of ['m', 'm2']) await expect(shownMean(page, model)).toHaveText(overallTotal(report, model));
  const csv = await exported(page, 'export-csv');
  expect(csv.toString('utf8')).toBe(juror(['score', ...dirs, '--judge', 'other-judge', '--format', 'csv']).toString('utf8'));
});

test('a reviewer opens a pack, sees that it reproduces and that a changed one does not, rates ten outputs by keys, and the command line reads what was typed', async ({
  page,
}) => {
  const dialogues = writeSmallBenchmark(folder, 10);
  const dirs = [folder.at('bench'), folder.at('result')];
  const path = folder.at('evidence.zip');
  juror(['pack', ...dirs, '--out', path, '--images', 'full']);
  const pack = readFileSync(path);
  await openPage(page);
  const open = async (bytes: Buffer): Promise<void> => {
    await closeAll(page);
    await page.getByTestId('input-files').setInputFiles({ name: 'evidence.zip', mimeType: 'application/zip', buffer: bytes });
  };
  const banner = page.getByTestId('pack-banner');
  const raised = unzip(pack).map(({ name, data }) => {
    const text = Buffer.from(data).toString('utf8');
    return { name, data: isOfReplies(name) ? Buffer.from(text.replace(/("score": ?)8/, '$110')) : Buffer.from(data) };
  });
  await open(zipOf(raised));
  await expect(banner).toContainText('Does not reproduce.');
  await open(pack);
  await expect(banner).toContainText('Reproduced.');
  await page.getByRole('link', { name: 'Rate', exact: true }).click();
  await page.getByTestId('rate-name').fill('reviewer-2');
  const accuracy = page.getByRole('checkbox', { name: 'Accuracy' });
  if (await accuracy.isChecked()) await accuracy.uncheck();
  await page.getByTestId('rate-start').click();
  const typed: string[] = [];
  for (let at = 0; at < dialogues.length; at += 1) {
    await expect(page.getByRole('heading', { name: `Output ${at + 1} of ${dialogues.length}` })).toBeVisible();
    const keys = [at % 10, (at + 3) % 10, (at + 7) % 10].map((score) => (score === 1 ? 2 : score));
    typed.push(...keys.map(String));
    await page.keyboard.type(keys.join(''));
    await expect(page.getByTestId('rate-criterion').nth(2)).toHaveAttribute('data-kept', 'kept');
    await page.keyboard.press('Enter');
  }
  await expect(page.getByTestId('rate-end')).toContainText('All rated');
  await page.getByTestId('rate-leave').click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('rate-export').click()]);
  const ratings = folder.at('people/ratings.csv');
  folder.write('people/ratings.csv', readFileSync(await download.path()));
  const rows = readFileSync(ratings, 'utf8').trim().split('\n').slice(1);
  expect(rows.map((row) => row.split(',')[5]).sort()).toEqual([...typed].sort());
  // Each mean of the person is that of what was typed.
  const report = jurorScore([...dirs, ratings], '--judge', 'people:reviewer-2');
  const criteria = ['key_point', 'visual_consistency', 'image_quality'];
  for (const [at, criterion] of criteria.entries()) {
    const own = rows.filter((row) => row.split(',')[3] === criterion).map((row) => Number(row.split(',')[5]));
    expect(own, criterion).toHaveLength(dialogues.length);
    expect(
      own.reduce((sum, score) => sum + score, 0),
      `${criterion} ${at}`,
    ).toBe(report.samples.filter((one) => one.criterion === criterion).reduce((sum, { score }) => sum + (score ?? 0), 0));
  }
});

test('an author copies the lines for a project page, and readers there see the numbers of the pack', async ({ page }) => {
  const pack = folder.at('evidence.zip');
  juror(['pack', join(DEMO, 'WEAVEBench'), join(DEMO, 'result'), '--out', pack, '--images', 'none']);
  const script = join(dirname(dirname(DEMO)), 'embed');
  const files = ['juror-viewer.js', 'juror-viewer.light.js', 'juror-viewer.wasm'].map((name) => [name, readFileSync(join(script, name))] as const);
  const server = await serveFiles({ ...Object.fromEntries(files), 'evidence.zip': readFileSync(pack) }, { ranges: true });
  await openPage(page);
  const means = new Map<string, string>();
  for (const model of ['aurora-synth', 'basalt-synth', 'cinder-synth']) means.set(model, (await shownMean(page, model).textContent()) ?? '');
  await page.getByTestId('tools').click();
  await page.getByRole('link', { name: /^Embed/ }).click();
  await page.getByTestId('embed-pack').fill(`${server.address}/evidence.zip`);
  await page.getByTestId('embed-script').last().fill(`${server.address}/juror-viewer.js`);
  const lines = await page.getByTestId('embed-snippet').inputValue();
  const host = await servePage(
    `<!doctype html><html lang="en"><head><title>A project</title><link rel="icon" href="data:,"></head><body><h1>A project</h1>${lines}</body></html>`,
  );
  const reader = await page.context().newPage();
  await reader.goto(host.address);
  await expect(reader.locator('.status')).toContainText('Reproduced.');
  for (const [model, mean] of means) await expect(shownMean(reader, model)).toHaveText(mean);
  await cell(reader, 'aurora-synth').getByRole('button').click();
  await expect(reader.locator('.unit').first()).toBeVisible();
  await reader.close();
  await Promise.all([server.stop(), host.stop()]);
});
