/** The first seconds of a newcomer: the demo suite, scored, with every number the same as on the command line. */
import { test as alone, type Page } from '../../www/node_modules/@playwright/test';
import { cell, coverage, DEMO, freeze, goTo, jurorScore, openPage, overallTotal, showBelow, shown, shownMean, stepsBack } from './helpers';
import { expect, test } from './visits';

const MODELS = ['aurora-synth', 'basalt-synth', 'cinder-synth'];

/** The focused element, through all shadow roots. */
function focused(page: Page): Promise<{ testid: string; index: string; text: string; tag: string }> {
  return page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement != null) at = at.shadowRoot.activeElement;
    return {
      testid: at?.getAttribute('data-testid') ?? '',
      index: at?.getAttribute('data-index') ?? '',
      text: at?.textContent?.trim() ?? '',
      tag: at?.tagName.toLowerCase() ?? '',
    };
  });
}

async function tabTo(page: Page, testid: string): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press('Tab');
    const at = await focused(page);
    if (at.testid === testid) return;
    passed.push(at.testid === '' ? `${at.tag} ${at.text.slice(0, 20)}` : at.testid);
  }
  throw new Error(`Tab never came to ${testid}; it passed: ${passed.join(' | ')}`);
}

test('the totals on the first screen are those of juror score on the same folder', async ({ page }) => {
  await openPage(page);
  const report = jurorScore([DEMO]);
  for (const model of MODELS) await expect(shownMean(page, model)).toHaveText(overallTotal(report, model));
  await expect(page.getByTestId('overview-table').locator('tbody:not(.published) tr')).toHaveCount(MODELS.length);
  expect(new Set(MODELS.map((model) => overallTotal(report, model))).size, 'three models of different quality').toBe(3);
});

test('one click on Released shows the numbers of the authors’ code, and why one is missing', async ({ page }) => {
  await openPage(page);
  const [paper, released] = [jurorScore([DEMO]), jurorScore([DEMO], '--profile', 'released')];
  await page.getByTestId('profile-released').check();
  for (const model of MODELS) await expect(shownMean(page, model)).toHaveText(overallTotal(released, model));
  expect(MODELS.map((model) => overallTotal(released, model))).not.toEqual(MODELS.map((model) => overallTotal(paper, model)));
  await expect(page).toHaveURL(/profile=released/);

  await expect(shownMean(page, 'cinder-synth')).toHaveText('–');
  await cell(page, 'cinder-synth').getByRole('button').click();
  await expect(page.locator('juror-cell-dialog dialog .reason')).toContainText(/No number/);
  await page.keyboard.press('Escape');
  await page.getByTestId('profile-paper').check();
  for (const model of MODELS) await expect(shownMean(page, model)).toHaveText(overallTotal(paper, model));
});

test('every incident of the report is in the table of incidents', async ({ page }) => {
  await openPage(page);
  const report = jurorScore([DEMO]);
  const kinds = [...new Set(report.incidents.map(({ kind }) => kind))];
  expect(kinds.length).toBeGreaterThan(1);
  const models = report.provenance.models.map(({ name }) => name);
  await showBelow(page, 'incidents');
  await expect(page.getByTestId('incident')).toHaveCount(kinds.length);
  for (const kind of kinds) {
    const named = (n: number, unit: string): string => `${n} ${unit}${n === 1 ? '' : 's'}`;
    const counts = models.map((model) => {
      const own = report.incidents.filter((one) => one.kind === kind && one.model === model);
      if (own.length === 0) return '0';
      const scores = named(own.length, 'score');
      // What befell an output is counted in outputs, and in the scores that it would have had.
      return kind.endsWith('_output') ? `${named(new Set(own.map(({ sample, turn }) => `${sample} ${turn}`)).size, 'output')}${scores}` : scores;
    });
    await expect(page.locator(`[data-testid="incident"][data-kind="${kind}"] td`)).toHaveText(counts);
  }
});

test('the places where paper and code differ stand with their effects', async ({ page }) => {
  await openPage(page);
  await showBelow(page, 'rules');
  await expect(page.getByTestId('difference').first().locator('.effects strong').first()).toHaveText(/^[+−]\d|no number/);
  await expect.poll(() => page.getByTestId('difference').count()).toBeGreaterThan(3);
});

for (const when of ['before the page is told that it closed', 'while the browser still steps back']) {
  alone(`who leaves a dialog and goes elsewhere ${when} is not led back`, async ({ page }) => {
    const made = await stepsBack(page);
    await page.clock.install();
    await openPage(page, '#/samples');
    await page.getByTestId('sample-row').first().click();
    await page.getByTestId('open-request').first().click();
    await expect(page.getByTestId('request-dialog')).toBeVisible();
    // A step back that takes long is not waited for.
    await freeze(page);
    await page.evaluate(async (isEarly) => {
      const sample = document.querySelector('juror-app')?.shadowRoot?.querySelector('juror-sample')?.shadowRoot;
      const host = sample?.querySelector('juror-request-dialog');
      const go = (): void => void (location.hash = '#/plots');
      const told = new Promise<void>((resolve) => host?.addEventListener('juror-dialog-closed', () => resolve(isEarly ? undefined : go()), { once: true }));
      host?.shadowRoot?.querySelector('dialog')?.close();
      if (isEarly) go();
      await told;
    }, when.startsWith('before'));
    const heading = page.getByRole('heading', { level: 1 });
    await made();
    await page.clock.resume();
    await shown(page);
    await expect(heading).toHaveText('Plots');
    expect(new URL(page.url()).hash).toMatch(/^#\/plots/);
  });
}

alone('who leaves a dialog and goes to two places stays at the second where the browser drops the step back for the first', async ({ page }) => {
  await page.clock.install();
  await openPage(page, '#/samples');
  await page.getByTestId('sample-row').first().click();
  await page.getByTestId('open-request').first().click();
  await expect(page.getByTestId('request-dialog')).toBeVisible();
  await freeze(page);
  await page.evaluate(async () => {
    const sample = document.querySelector('juror-app')?.shadowRoot?.querySelector('juror-sample')?.shadowRoot;
    const host = sample?.querySelector('juror-request-dialog');
    // The page has heard of the first place before this does.
    const there = new Promise((told) => addEventListener('hashchange', told, { once: true }));
    host?.addEventListener('juror-dialog-closed', () => (location.hash = '#/plots'), { once: true });
    history.go = () => undefined;
    host?.shadowRoot?.querySelector('dialog')?.close();
    await there;
  });
  await goTo(page, '#/compare');
  await page.clock.resume();
  await shown(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Compare');
  expect(new URL(page.url()).hash).toMatch(/^#\/compare/);
});

test('back and forward retrace the way, and an address leads to its sample', async ({ page }) => {
  await openPage(page);
  await page.getByRole('link', { name: 'Samples', exact: true }).click();
  await shown(page);
  const row = page.getByTestId('sample-row').nth(1);
  const id = await row.getAttribute('data-id');
  await row.click();
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText(`Sample ${id}`);
  const address = page.url();
  await page.goBack();
  await expect(heading).toHaveText('Samples');
  await page.goBack();
  await expect(page.getByTestId('overview-table')).toBeVisible();
  await page.goForward();
  await page.goForward();
  await expect(heading).toHaveText(`Sample ${id}`);

  const fresh = await page.context().newPage();
  await fresh.goto(`${address}?turn=0&models=basalt-synth&profile=released`);
  await expect(fresh.getByRole('heading', { level: 1 })).toHaveText(`Sample ${id}`);
  await expect(fresh.getByTestId('turn').first().locator('juror-output h3')).toHaveText(['basalt-synth']);
  await expect(fresh.getByTestId('profile-released')).toBeChecked();
  await fresh.close();
});

test('an address of a sample that is not there says so', async ({ page }) => {
  await openPage(page, '#/sample/no-such-sample');
  await expect(page.getByRole('alert')).toContainText('no-such-sample');
});

test('the page can be used without a pointer', async ({ page }) => {
  await openPage(page);
  await tabTo(page, 'profile-paper');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByTestId('profile-released')).toBeChecked();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByTestId('profile-paper')).toBeChecked();

  await page.keyboard.press('?');
  const help = page.locator('juror-help-dialog dialog');
  await expect(help).toBeVisible();
  await expect(help).toContainText('Next sample');
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();

  await goTo(page, '#/samples');
  const rows = page.getByTestId('sample-row');
  await expect(rows.first()).toBeVisible();
  await page.keyboard.press('j');
  await expect.poll(async () => (await focused(page)).index).toBe('0');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect.poll(async () => (await focused(page)).index).toBe('2');
  await page.keyboard.press('k');
  await expect.poll(async () => (await focused(page)).index).toBe('1');
  await shown(page);
  const [second, third] = [await rows.nth(1).getAttribute('data-id'), await rows.nth(2).getAttribute('data-id')];
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText(`Sample ${second}`);
  await page.keyboard.press('j');
  await expect(heading).toHaveText(`Sample ${third}`);
  await page.keyboard.press('1');
  await expect(page.getByRole('button', { name: MODELS[0] ?? '', exact: true })).toHaveAttribute('aria-pressed', 'false');

  await goTo(page, '#/samples');
  await expect(rows.first()).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('zzz nothing');
  await expect(page.getByText('No sample passes this filter')).toBeVisible();
});

test('the paper’s own numbers stand below the models, and one that does not follow from its parts says so', async ({ page }) => {
  await openPage(page);
  const published = page.getByTestId('published');
  const fold = published.getByRole('button', { name: 'Published results' });
  await expect(fold).toHaveAttribute('aria-expanded', 'false');
  await expect(published).toContainText(/25 rows of the paper, all by other judges, over\s+100 dialogues/u);
  await fold.focus();
  await page.keyboard.press('Enter');
  await expect(published.locator('.name')).toHaveCount(25);
  const cells = published.locator('tr').filter({ hasText: 'Nano Banana (complete context)' }).locator('td:not(.coverage)');
  await expect(cells.first()).toContainText('0.767');
  await expect(cells.first()).toContainText('≠ 0.769');
  await expect(cells.nth(1)).toContainText('Table 2');
  await cells.first().getByRole('button').click();
  await expect(page.locator('juror-cell-dialog dialog')).toContainText('does not follow from other printed numbers');
  await page.keyboard.press('Escape');
  // The best is first, as among the models, until another order is asked for.
  await expect(published.locator('.name').first()).toHaveText('Nano Banana (complete context)');
  await page.getByRole('button', { name: 'Overall', exact: true }).click();
  await expect(published.locator('.name').first()).not.toHaveText('Nano Banana (complete context)');
  // Where the replies state no judge, nobody knows whether it is the paper's.
  await goTo(page, '#/?demo=micon');
  await expect(published).toContainText('which may be by another judge: the replies here do not state theirs');
});

test('every count has its unit, and a sample counts in a filter only where there is one', async ({ page }) => {
  const units = {
    weave: ['12', 'dialogues', 'turns'],
    multibanana: ['13', 'sets', 'sets'],
    micon: ['12', 'cases', 'cases'],
    vibe: ['16', 'items', 'items × runs'],
    multiref: ['13', 'samples', 'samples'],
  };
  for (const [demo, [all = '', samples = '', counted = '']] of Object.entries(units)) {
    await openPage(page, `#/?demo=${demo}`);
    await expect(page.locator('juror-overview .facts')).toContainText(`${all} ${samples}`);
    const counts = page.getByTestId('overview-table').locator('tbody:not(.published) .count');
    await expect(counts.first()).toBeVisible();
    for (const text of await counts.allInnerTexts()) expect(text.replace(/\s+/g, ' ')).toMatch(new RegExp(`^(\\d+ requests?)? ?(\\d+/\\d+ ${counted})?$`));
    await expect(page.getByTestId('overview-table').locator('th.coverage')).toHaveText(`Scored ${counted}`);
    await goTo(page, `#/samples?demo=${demo}`);
    await expect(page.locator('juror-samples .count')).toHaveText(new RegExp(`^\\s*${all} of\\s+${all} ${samples}\\s*$`));
    await page.getByTestId('sample-row').first().click();
    await expect(page.locator('juror-sample .head .num').first()).toHaveText(`1 of ${all} ${samples}`);
    await goTo(page, `#/samples?demo=${demo}&sort=score_asc`);
    await page.getByTestId('sample-row').nth(1).click();
    await expect(page.locator('juror-sample .head .num').first()).toHaveText(`2 of ${all} ${samples} in this order`);
  }
  // One run of VIBE counts each item once.
  await openPage(page, '#/?demo=vibe&run=1');
  await expect(page.getByTestId('overview-table').locator('th.coverage')).toHaveText('Scored items');
  await expect(coverage(page, 'aurora-synth')).toHaveText(/^\d+\/14$/);
});

test('files are named after the benchmark and what they hold', async ({ page }) => {
  const saved = async (press: () => Promise<unknown>): Promise<string> => {
    const [file] = await Promise.all([page.waitForEvent('download'), press()]);
    return file.suggestedFilename();
  };
  const exported = (kind: string) => async (): Promise<void> => {
    await page.getByRole('button', { name: /^Export/ }).click();
    await page.getByTestId(`export-${kind}`).click();
  };
  for (const demo of ['weave', 'multibanana', 'micon', 'vibe', 'multiref']) {
    await openPage(page, `#/compare?demo=${demo}`);
    expect(await saved(exported('json'))).toBe(`juror-${demo}-report-paper.json`);
    expect(await saved(exported('csv'))).toBe(`juror-${demo}-report-paper.csv`);
    expect(await saved(exported('md'))).toBe(`juror-${demo}-tables-paper.md`);
    expect(await saved(exported('latex'))).toBe(`juror-${demo}-tables-paper.tex`);
    expect(await saved(exported('latex-intervals'))).toBe(`juror-${demo}-tables-intervals-paper.tex`);
    expect(await saved(() => page.getByTestId('compare-csv').click())).toBe(`juror-${demo}-compare.csv`);
  }
  const latex = page.getByRole('menuitem', { name: /LaTeX/ });
  await page.getByRole('button', { name: /^Export/ }).click();
  await expect(latex).toHaveText(['Tables as LaTeX: means', 'Tables as LaTeX: means with 95 % intervals']);
  await page.keyboard.press('Escape');
  await openPage(page, '#/plots?demo=weave&policy=exclude');
  expect(await saved(exported('json'))).toBe('juror-weave-report-paper-exclude.json');
  expect(await saved(() => page.getByTestId('svg').click())).toMatch(/^juror-weave-plot-[\w-]+\.svg$/);
  expect(await saved(() => page.getByTestId('csv').click())).toMatch(/^juror-weave-plot-[\w-]+\.csv$/);
  await exported('pack')();
  await page.getByTestId('pack-none').check();
  expect(await saved(() => page.getByTestId('pack-write').click())).toBe('juror-weave-evidence.zip');
});
