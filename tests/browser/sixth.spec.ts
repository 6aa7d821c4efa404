/**
 * A sixth benchmark in the page, from one folder of the tests: `tests/tests/rules/sixth/duel`.
 *
 * The page is the built one. In it, the engine with every benchmark is another build of the same crate, into which one more
 * benchmark is registered, and the generated list of demo suites is the one which that registration gives. Nothing else is
 * changed. `cargo xtask test browser` builds the engine and names its folder by `JUROR_SIXTH`.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test, type Page } from '../../www/node_modules/@playwright/test';
import { DEMO, cell, chooseWayIn, exportedReport, openPage, shownMean } from './helpers';
import { serveFolder } from './server';

// What a service worker keeps would come instead of what is served here.
test.use({ serviceWorkers: 'block' });

const FOLDER = process.env.JUROR_SIXTH ?? resolve(__dirname, '../../www/node_modules/.juror/sixth');
const ASSETS = join(DEMO, '../../assets');

interface Module {
  default(): Promise<unknown>;
  suites(): string;
  demo_paths(): string[];
  demo_bytes(at: number): Uint8Array;
}

/** What the registration gives: the list of demo suites, and the sixth one's files in Base64. */
let given: { suites: { id: string; title: string }[]; files: [path: string, base64: string][] };
/** Built scripts by name, each with the sixth one's entry in the list of demo suites. */
let scripts: Map<string, string>;

test.beforeAll(async ({ browser }) => {
  if (process.env.JUROR_SIXTH === undefined && !existsSync(join(FOLDER, 'sixth.js'))) {
    console.log(`SKIPPED: ${FOLDER} is absent; \`cargo xtask test browser\` builds it`);
    test.skip();
  }
  const served = await serveFolder(FOLDER);
  const page = await browser.newPage();
  await page.goto(served.address);
  given = await page.evaluate(async (from) => {
    const module = (await import(from)) as Module;
    await module.default();
    const base64 = (at: number): string => btoa(String.fromCharCode(...module.demo_bytes(at)));
    return {
      suites: JSON.parse(module.suites()) as { id: string; title: string }[],
      files: module.demo_paths().map((path, at): [string, string] => [path, base64(at)]),
    };
  }, `${served.address}sixth.js`);
  await page.close();
  served.close();
  scripts = scriptsWith(given.suites.at(-1)!, given.suites.at(-2)!);
});

/** The built scripts that hold the list of demo suites, with one more after the last. */
function scriptsWith(suite: { id: string; title: string }, last: { id: string; title: string }): Map<string, string> {
  const entry = new RegExp(`\\{id:[\`"]${last.id}[\`"],title:[\`"]${last.title}[\`"].*?\\]\\}`);
  const found = new Map<string, string>();
  for (const name of readdirSync(ASSETS).filter((name) => name.endsWith('.js'))) {
    const text = readFileSync(join(ASSETS, name), 'utf8');
    const own = entry.exec(text)?.[0];
    if (own !== undefined) found.set(name, text.replace(own, `${own},${JSON.stringify(suite)}`));
  }
  if (found.size === 0) throw new Error('No script of the page has the list of demo suites.');
  return found;
}

test.beforeEach(async ({ page }) => {
  const javascript = { contentType: 'text/javascript' };
  for (const [name, body] of scripts) await page.route(`**/assets/${name}`, (route) => route.fulfill({ ...javascript, body }));
  await page.route('**/assets/juror_web-*.js', (route) => route.fulfill({ ...javascript, path: join(FOLDER, 'sixth.js') }));
  await page.route('**/assets/sixth_bg.wasm', (route) => route.fulfill({ contentType: 'application/wasm', path: join(FOLDER, 'sixth_bg.wasm') }));
  const files = new Map(given.files.map(([path, base64]) => [path, Buffer.from(base64, 'base64')]));
  await page.route('**/demo/duelbench/**', (route) => {
    const path = decodeURIComponent(new URL(route.request().url()).pathname.split('/demo/duelbench/')[1] ?? '');
    const listed = [...files].map(([path, { length: size }]) => ({ path, size }));
    const body = path === 'index.json' ? Buffer.from(JSON.stringify({ name: 'Demo · DuelBench', files: listed })) : files.get(path);
    return body === undefined ? route.fulfill({ status: 404 }) : route.fulfill({ body });
  });
});

/** Opens the sixth benchmark's demo suite at a place of the page. */
async function open(page: Page, hash = '#/'): Promise<void> {
  await openPage(page, `${hash}${hash.includes('?') ? '&' : '?'}demo=duelbench`);
}

test('a sixth benchmark has a demo suite in the menu, and its numbers in the overview', async ({ page }) => {
  await openPage(page);
  await chooseWayIn(page, 'Demo: DuelBench');
  await expect(page.getByTestId('benchmark')).toHaveText('DuelBench');
  await expect(page).toHaveURL(/#\/\?demo=duelbench$/);
  await page.waitForSelector('html[data-phase="done"]');
  await expect(page.locator('main')).toContainText('4 rounds');
  // Worked out by hand in `tests/rules/sixth`: the mean of (10, 8), (0, 9) capped at 3, (5, 7) and (10, 10); and of 1 and 5.5 and an output that is not there.
  await expect(shownMean(page, 'amber')).toHaveText('7.00');
  await expect(shownMean(page, 'birch')).toHaveText('2.17');
  const table = page.getByTestId('overview-table');
  for (const name of ['sea', 'city']) await expect(table.locator('thead')).toContainText(name);
  await cell(page, 'amber').locator('button').click();
  await expect(page.locator('juror-cell-dialog dialog')).toContainText('(duel + look) / 2, at most 3 once the duel is lost');
  await page.keyboard.press('Escape');
  const report = await exportedReport(page);
  expect(report.scores.find(({ model, key, criterion }) => model === 'amber' && key === 'sea' && criterion === 'total')?.mean).toBe(6);
  expect(report.incidents.map(({ kind, model, sample }) => [kind, model, sample])).toEqual(
    expect.arrayContaining([
      ['unparsable', 'birch', 'r3'],
      ['missing_output', 'birch', 'r4'],
    ]),
  );
});

test('a sample of a sixth benchmark shows its reference, both outputs and what the judge was asked and said', async ({ page }) => {
  await open(page, '#/samples');
  await expect(page.getByTestId('sample-row')).toHaveCount(4);
  await page.locator('[data-testid="sample-row"][data-id="r2"]').click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('r2');
  await expect(page.locator('juror-turn .said')).toContainText('A boat.');
  await expect(page.locator('juror-output')).toHaveCount(2);
  await expect(page.locator('juror-output .picture img')).toHaveCount(2);
  const duel = page.locator('juror-output li.verdict[data-criterion="duel"]').first();
  await duel.locator('.toggle').click();
  await expect(duel).toContainText('Verdict: loss');
  await duel.getByTestId('open-request').click();
  const dialog = page.getByTestId('request-dialog');
  await expect(dialog).toContainText("Does it beat this prompt's reference? A boat.");
  // The reference first, then the output.
  await expect(dialog.locator('juror-parts .image img')).toHaveCount(2);
});

test('a pasted reply of a sixth benchmark is read by its own grammar and counts; another is told what is wrong', async ({ page }) => {
  await open(page, '#/sample/r3');
  const look = page.locator('juror-output').nth(1).locator('li.verdict[data-criterion="look"]');
  await look.getByTestId('open-request').click();
  await page.getByTestId('paste-text').fill('eleven');
  await expect(page.getByTestId('paste-status')).toHaveAttribute('data-status', 'incident');
  await expect(page.getByTestId('paste-status')).toContainText('a number from 0 to 10');
  await page.getByTestId('paste-text').fill('4');
  await page.getByTestId('paste-judge').fill('ann');
  await expect(page.getByTestId('paste-status')).toHaveAttribute('data-status', 'ok');
  await page.getByTestId('paste-save').click();
  await expect(page.getByTestId('request-dialog')).toContainText('Saved');
  await page.keyboard.press('Escape');
  // One of the replies that another judge has given: named as a part.
  await page.goto('./#/?demo=duelbench');
  await expect(page.getByTestId('partial-judge')).toContainText('ann');
  await page.goto('./#/?demo=duelbench&judge=ann');
  await expect(cell(page, 'amber')).toContainText('Not judged');
  const { scores } = await exportedReport(page);
  const of = (name: string) => scores.find(({ model, judge, key, criterion }) => model === name && judge === 'ann' && key === 'all' && criterion === 'look');
  // The other output of two is missing, which counts as lowest.
  expect([of('birch')?.mean, of('birch')?.n]).toEqual([2, 2]);
  expect(of('amber')?.mean ?? null).toBeNull();
});

test('models of a sixth benchmark are compared', async ({ page }) => {
  await open(page, '#/compare');
  const table = page.getByTestId('compare-models');
  await expect(table).toContainText('7.00');
  await expect(table).toContainText('2.17');
  await expect(page.locator('juror-compare')).toContainText('amber');
  await expect(page.locator('juror-compare')).toContainText('birch');
});

test('the built page without that registration knows no such benchmark', async ({ page }) => {
  await page.unrouteAll();
  await openPage(page, '#/?demo=duelbench');
  await expect(page.getByTestId('benchmark')).toHaveText('WEAVEBench');
  await page.getByRole('button', { name: 'More ways to open' }).click();
  await expect(page.getByRole('menuitem', { name: /DuelBench/ })).toHaveCount(0);
});
