/** Evidence packs in the page: written, opened again, changed; the command line agrees on each of them. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type Page } from '../../www/node_modules/@playwright/test';
import { DEMO, TempFolder, closeAll, juror, openFolders, openPage } from './helpers';
import { unzip, zipOf } from './zip';

const FOLDERS = [join(DEMO, 'WEAVEBench'), join(DEMO, 'result')];

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Export/ }).click();
  await page.getByTestId('export-pack').click();
}

async function writePack(page: Page, pictures: 'full' | 'thumbnails' | 'none'): Promise<Buffer> {
  await openDialog(page);
  await page.getByTestId(`pack-${pictures}`).check();
  await expect(page.getByTestId(`pack-size-${pictures}`)).toContainText('about');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('pack-write').click()]);
  await expect(page.getByTestId('pack-status')).toContainText('Written');
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  return readFileSync(await download.path());
}

async function reopen(page: Page, name: string, bytes: Buffer): Promise<void> {
  await closeAll(page);
  await page.getByTestId('input-files').setInputFiles({ name, mimeType: 'application/zip', buffer: bytes });
}

const banner = (page: Page) => page.getByTestId('pack-banner');

test('a pack that the page writes reproduces in the page and on the command line, which writes the same manifest', async ({ page }) => {
  await openPage(page);
  await closeAll(page);
  await openFolders(page, FOLDERS);
  const folder = new TempFolder();
  for (const pictures of ['none', 'thumbnails', 'full'] as const) {
    const pack = await writePack(page, pictures);
    const path = join(folder.path, `${pictures}.zip`);
    writeFileSync(path, pack);
    expect((JSON.parse(juror(['verify', path]).toString('utf8')) as { reproduced: boolean }).reproduced, pictures).toBe(true);
    const own = join(folder.path, `own-${pictures}.zip`);
    juror(['pack', ...FOLDERS, '--out', own, '--images', pictures]);
    const contents = (zip: Buffer): Record<string, string> => Object.fromEntries(unzip(zip).map(({ name, data }) => [name, Buffer.from(data).toString('base64')]));
    expect(contents(pack)['manifest.json'], pictures).toBe(contents(readFileSync(own))['manifest.json']);
    expect(contents(pack)).toEqual(contents(readFileSync(own)));
  }
  const again = await writePack(page, 'full');
  expect(again.equals(readFileSync(join(folder.path, 'full.zip')))).toBe(true);
  await reopen(page, 'evidence.zip', again);
  await expect(banner(page)).toContainText('Reproduced.');
  await reopen(page, 'evidence.zip', readFileSync(join(folder.path, 'none.zip')));
  await expect(banner(page)).toContainText('Reproduced.');
  await expect(banner(page)).toContainText('as the manifest states them');
});

test('a changed pack differs, names what does and leads to the sample', async ({ page }) => {
  const folder = new TempFolder();
  const path = join(folder.path, 'own.zip');
  juror(['pack', ...FOLDERS, '--out', path, '--images', 'none']);
  const entries = unzip(readFileSync(path));
  const at = entries.findIndex(({ name }) => name.endsWith('metrics.jsonl'));
  const text = Buffer.from(entries[at]?.data ?? '').toString('utf8');
  const changed = text.replace(/("score": ?)(\d+)/, (_, key: string, score: string) => `${key}${score === '10' ? 1 : 10}`);
  expect(changed).not.toBe(text);
  entries[at] = { name: entries[at]?.name ?? '', data: changed };
  const tampered = zipOf(entries);
  const file = join(folder.path, 'changed.zip');
  writeFileSync(file, tampered);
  expect(() => execFileSync(process.env.JUROR_CLI ?? '', ['verify', file], { stdio: 'pipe' })).toThrow();

  await openPage(page);
  await reopen(page, 'changed.zip', tampered);
  await expect(banner(page)).toContainText('Differs, here.');
  await expect(banner(page)).toContainText('Changed file: 1');
  await banner(page).locator('details').evaluate((details: HTMLDetailsElement) => (details.open = true));
  const row = banner(page).getByRole('row').filter({ hasText: 'Verdict' }).first();
  await row.getByRole('link').click();
  await expect(page).toHaveURL(/#\/sample/);

  const newer = entries.map(({ name, data }) => ({ name, data: name === 'manifest.json' ? Buffer.from(data).toString('utf8').replace('juror-pack/1', 'juror-pack/2') : data }));
  await reopen(page, 'newer.zip', zipOf(newer));
  await expect(page.getByRole('alert').filter({ hasText: 'juror-pack/2' })).toBeVisible();
});
