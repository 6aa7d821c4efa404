/**
 * Each view of the demo suite once, in the browser as people have it: it is there, with nothing thrown. `cargo xtask test --quick`
 * runs these alone, by their tag.
 */
import { goTo, openPage } from './helpers';
import { launchWhole } from './server';
import { expect, test } from './visits';

test.use({ launchOptions: [launchWhole('--process-per-site'), { scope: 'worker' }] });

/** What a reader sees of a view that works, by its address. */
const VIEWS: [hash: string, heading: RegExp, shows: string][] = [
  ['#/', /^See why a model got its score\.$/, '[data-testid="overview-table"] tbody tr'],
  ['#/samples', /^Samples$/, '[data-testid="sample-row"]'],
  ['#/plots', /^Plots$/, 'juror-plots svg'],
  ['#/compare', /^Compare$/, 'juror-compare table'],
  ['#/incidents', /^Incidents$/, 'juror-incidents-view table'],
  ['#/judge', /^Judge$/, 'juror-judge button'],
  ['#/metrics', /^Metrics$/, '[data-testid="metrics-start"]'],
  ['#/generate', /^Generate$/, '[data-testid="generate-model"]'],
  ['#/agents', /^Agents$/, 'juror-agents p'],
  ['#/rate', /^Rate$/, '[data-testid="rate-name"]'],
  ['#/agreement', /^Judges and people$/, 'juror-agreement-view p'],
  ['#/lint', /^Output check$/, 'juror-lint p'],
  ['#/statistics', /^Statistics$/, 'juror-statistics table'],
  ['#/experiments', /^Experiments$/, 'juror-experiments p'],
  ['#/dar', /^Attention rebalancing$/, '[data-testid="file-q"]'],
  ['#/make', /^Make a benchmark$/, 'juror-make p'],
  ['#/embed', /^Embed$/, 'juror-embed-view p'],
  ['#/manual', /./, 'juror-manual section'],
  ['#/about', /^What Juror computes$/, 'juror-about p'],
];

for (const [hash, heading, shows] of VIEWS) {
  test(`${hash} is shown`, { tag: '@smoke' }, async ({ page }) => {
    const thrown: string[] = [];
    page.on('pageerror', ({ message }) => thrown.push(message));
    await openPage(page);
    await goTo(page, hash);
    await expect(page.locator('#main h1').first()).toHaveText(heading);
    await expect(page.locator(shows).first()).toBeVisible();
    expect(thrown).toEqual([]);
  });
}
