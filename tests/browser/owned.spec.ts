/** Whose folder speaks for whom, in the page: files of every kind in a model's folder change nothing of its rivals. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '../../www/node_modules/@playwright/test';
import { CLI, DEMO, TempFolder, closeAll, exportedReport, goTo, openPage, settled, shown } from './helpers';
import { expect, test } from './visits';

/** Writes the suites: built by `cargo xtask test` beside the command line. */
const FORGE = process.env.JUROR_FORGE ?? join(dirname(CLI), 'forge');
const RIVALS = ['aurora-synth', 'cinder-synth'];

test.describe.configure({ timeout: 300_000 });

const folder = new TempFolder();

test.beforeAll(() => {
  const made = spawnSync(FORGE, ['--additions', folder.path], { encoding: 'utf8', env: { ...process.env, JUROR_CLI: CLI, JUROR_DEMO: dirname(DEMO) } });
  expect(made.status, made.stderr).toBe(0);
});

test.afterAll(() => folder.remove());

/** All that a report says of the rivals, and what judges would be asked with. */
async function ofRivals(page: Page, path: string): Promise<unknown[]> {
  await page.getByTestId('input-folder').setInputFiles(path);
  await settled(page, path.slice(path.lastIndexOf('/') + 1));
  await shown(page);
  const { scores, samples, incidents, provenance } = await exportedReport(page);
  await closeAll(page);
  const isOfRival = ({ model }: { model: string }): boolean => RIVALS.includes(model);
  const names = provenance.models.map(({ name }) => name).filter((name) => RIVALS.includes(name));
  return [names, (provenance as { prompts?: unknown }).prompts, ...scores.filter(isOfRival), ...samples.filter(isOfRival), ...incidents.filter(isOfRival)];
}

test('files of every kind in a model’s folder change nothing of a rival in the page, and a journal beside the models does', async ({ page }) => {
  await openPage(page);
  await closeAll(page);
  const suites = readdirSync(folder.path).sort();
  expect(suites).toHaveLength(5);
  for (const suite of suites) {
    const before = await ofRivals(page, folder.at(`${suite}/plain/suite`));
    expect(before.length, suite).toBeGreaterThan(50);
    for (const name of ['own', 'deeper']) expect(await ofRivals(page, folder.at(`${suite}/${name}/suite`)), `${suite}, ${name}`).toEqual(before);
    // The sibling that must fail.
    expect(await ofRivals(page, folder.at(`${suite}/root/suite`)), suite).not.toEqual(before);
  }
});

test('Judge says whose texts a judge is asked with, and never calls files official by their names', async ({ page }) => {
  await openPage(page);
  await closeAll(page);
  const toldOf = async (name: string): Promise<string> => {
    await page.getByTestId('input-folder').setInputFiles(folder.at(`multibanana/${name}/suite`));
    await settled(page, 'suite');
    await goTo(page, '#/judge');
    const told = await page.getByTestId('judge-texts').innerText();
    await closeAll(page);
    return told;
  };
  expect(await toldOf('plain')).toMatch(/^Judge texts: juror's wording, juror-multibanana\/\d+ \([0-9a-f]+\)$/);
  expect(await toldOf('texts')).toMatch(/^Judge texts: texts from suite\/\S+ \([0-9a-f]+\)$/);
});
