/** Evidence packs in the page: written, opened again, changed; the command line agrees on each of them. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '../../www/node_modules/@playwright/test';
import { axe } from './axe';
import { still } from './gates';
import {
  CLI,
  DEMO,
  TempFolder,
  closeAll,
  exportedReport,
  juror,
  numbers,
  openFolders,
  openPackDialog,
  openPage,
  showBelow,
  png,
  writePack,
  writeSmallBenchmark,
  isOfReplies,
} from './helpers';
import { unzip, zipOf, type Entry } from './zip';
import { expect, test } from './visits';

const FOLDERS = [join(DEMO, 'WEAVEBench'), join(DEMO, 'result')];

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
    const contents = (zip: Buffer): Record<string, string> =>
      Object.fromEntries(unzip(zip).map(({ name, data }) => [name, Buffer.from(data).toString('base64')]));
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

/** A pack of the command line's. */
function packed(folder: TempFolder, name: string, pictures: 'full' | 'none', folders = FOLDERS): Buffer {
  const path = folder.at(name);
  juror(['pack', ...folders, '--out', path, '--images', pictures]);
  return readFileSync(path);
}

/** The same pack with one entry changed. */
function changed(pack: Buffer, isMeant: (name: string) => boolean, change: (data: Buffer) => Uint8Array | string): Buffer {
  let done = 0;
  const entries = unzip(pack).map((entry): Entry => {
    if (done > 0 || !isMeant(entry.name)) return entry;
    done += 1;
    const data = Buffer.from(change(Buffer.from(entry.data)));
    expect(data.equals(Buffer.from(entry.data)), entry.name).toBe(false);
    return { name: entry.name, data };
  });
  expect(done).toBe(1);
  return zipOf(entries);
}

const inText =
  (from: string | RegExp, to: string) =>
  (data: Buffer): string =>
    data.toString('utf8').replace(from, to);

/** What a changed pack is answered with: by the page, whose list is as long as the command line's. */
async function expectDiffers(page: Page, folder: TempFolder, pack: Buffer, kinds: string[], about: string): Promise<void> {
  const file = folder.write('changed.zip', pack);
  const answer = spawnSync(CLI, ['verify', file], { encoding: 'utf8' });
  expect(answer.status).toBe(1);
  expect(answer.stdout).toContain(about);
  await reopen(page, 'changed.zip', pack);
  await expect(banner(page)).toContainText('Does not reproduce.');
  for (const kind of kinds) await expect(banner(page)).toContainText(kind);
  await banner(page)
    .locator('details')
    .evaluate((details: HTMLDetailsElement) => (details.open = true));
  await expect(banner(page).getByRole('row').filter({ hasText: about }).first()).toBeVisible();
}

/** Counts what the page asks of its engine, method by method. */
async function countCalls(page: Page): Promise<(method: string) => Promise<number>> {
  await page.addInitScript(() => {
    const calls: Record<string, number> = {};
    Object.assign(window, { calls });
    const post = Worker.prototype.postMessage as (this: Worker, ...message: unknown[]) => void;
    Worker.prototype.postMessage = function (this: Worker, ...message: unknown[]): void {
      const { method } = (message[0] ?? {}) as { method?: string };
      if (method !== undefined) calls[method] = (calls[method] ?? 0) + 1;
      post.apply(this, message);
    };
  });
  return (method) => page.evaluate((name) => (window as unknown as { calls: Record<string, number> }).calls[name] ?? 0, method);
}

test('what came of checking and comparing packs is there again after rating, and is asked again once something else is open', async ({ page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 4);
  const folders = [folder.at('bench'), folder.at('result')];
  const first = packed(folder, 'first.zip', 'none', folders);
  const second = changed(first, isOfReplies, (data) => data.toString('utf8').replace('"score":8', '"score":9'));
  const calls = await countCalls(page);
  await openPage(page);
  await reopen(page, 'second.zip', second);
  await expect(banner(page)).toContainText('Does not reproduce.');
  const told = await banner(page).innerText();
  expect(told).toContain('Changed file: 1');
  for (const view of ['rate', 'samples', 'rate', '']) {
    await page.goto(`./#/${view}`);
    await expect(page.locator('juror-pack-banner')).toHaveCount(view === 'rate' ? 0 : 1);
  }
  await expect.poll(() => banner(page).innerText()).toBe(told);
  expect(await calls('checkPacks')).toBe(1);

  // A second pack: both are checked, and compared once.
  await page.getByTestId('input-files').setInputFiles({ name: 'first.zip', mimeType: 'application/zip', buffer: first });
  await expect(banner(page)).toHaveCount(2);
  const beside = page.getByTestId('pack-comparison');
  await expect(beside).toContainText('first.zip beside second.zip.');
  const differs = await beside.innerText();
  await page.goto('./#/rate');
  await expect(beside).toHaveCount(0);
  await page.goto('./#/');
  await expect.poll(() => beside.innerText()).toBe(differs);
  expect([await calls('checkPacks'), await calls('comparePacks')]).toEqual([2, 1]);

  // Another pack under the same name is another question.
  await reopen(page, 'second.zip', first);
  await expect(banner(page)).toContainText('Reproduced.');
  expect(await calls('checkPacks')).toBe(3);
  folder.remove();
});

test('what differs of a pack is not shown to who rates', async ({ page }) => {
  const folder = new TempFolder();
  const replies = isOfReplies;
  const other = (data: Buffer): string =>
    data.toString('utf8').replace(/("score": ?)(\d+)/, (_, key: string, score: string) => `${key}${score === '10' ? 1 : 10}`);
  const pack = changed(packed(folder, 'own.zip', 'none'), replies, other);
  await openPage(page);
  await reopen(page, 'changed.zip', pack);
  await expect(banner(page)).toContainText('Does not reproduce.');
  await page.goto('./#/rate');
  await expect(page.getByRole('heading', { level: 1, name: 'Rate' })).toBeVisible();
  await expect(page.locator('juror-pack-banner')).toHaveCount(0);
  await page.goto('./#/');
  await expect(banner(page)).toContainText('Does not reproduce.');
  folder.remove();
});

test('a changed reply, picture, score row or manifest is named in the page and on the command line, and leads to the sample', async ({ page }) => {
  const folder = new TempFolder();
  const pack = packed(folder, 'own.zip', 'full');
  await openPage(page);
  const replies = isOfReplies;
  const [replied = ''] = unzip(pack)
    .map(({ name }) => name)
    .filter(replies);
  const other = (data: Buffer): string =>
    data.toString('utf8').replace(/("score": ?)(\d+)/, (_, key: string, score: string) => `${key}${score === '10' ? 1 : 10}`);
  await expectDiffers(page, folder, changed(pack, replies, other), ['Changed file: 1', 'Verdict: 1'], replied);
  const row = banner(page).getByRole('row').filter({ hasText: 'Verdict' }).first();
  await row.getByRole('link').click();
  await expect(page).toHaveURL(/#\/sample/);

  const isPicture = (name: string): boolean => /result\/.*\.png$/.test(name);
  const [picture = ''] = unzip(pack)
    .map(({ name }) => name)
    .filter(isPicture);
  await expectDiffers(
    page,
    folder,
    changed(pack, isPicture, () => png(9, 9, [1, 2, 3])),
    ['Changed file: 1', 'Request: '],
    picture,
  );

  const mean = /"mean":(0\.\d+)/.exec(Buffer.from(unzip(pack).find(({ name }) => name === 'report.json')?.data ?? '').toString('utf8'))?.[1] ?? '';
  await expectDiffers(
    page,
    folder,
    changed(pack, (name) => name === 'report.json', inText(`"mean":${mean}`, '"mean":0.987654')),
    ['Changed file: 1', 'Score: 1'],
    '0.987654',
  );

  await expectDiffers(
    page,
    folder,
    changed(pack, (name) => name === 'manifest.json', inText(/"samples": \d+/, '"samples": 99999')),
    ['Manifest: 2'],
    '99999',
  );
  folder.remove();
});

test('a pack of a later version is refused with the version that reads it', async ({ page }) => {
  const folder = new TempFolder();
  const later = (data: Buffer): string =>
    data
      .toString('utf8')
      .replace('juror-pack/1', 'juror-pack/2')
      .replace(/"juror": "[^"]*"/, '"juror": "7.0.0"');
  await openPage(page);
  await reopen(
    page,
    'newer.zip',
    changed(packed(folder, 'own.zip', 'none'), (name) => name === 'manifest.json', later),
  );
  await expect(page.getByRole('alert').filter({ hasText: 'juror-pack/2' })).toContainText('Check it with Juror 7.0.0 or later');
  folder.remove();
});

test('an unpacked pack of thumbnails is named, and cannot be packed as if its pictures were the judged ones', async ({ page }) => {
  const folder = new TempFolder();
  juror(['pack', ...FOLDERS, '--out', folder.at('small.zip'), '--images', 'thumbnails']);
  for (const { name, data } of unzip(readFileSync(folder.at('small.zip')))) folder.write(`unpacked/${name}`, Buffer.from(data));
  await openPage(page);
  await closeAll(page);
  await openFolders(page, [folder.at('unpacked')]);
  await openPackDialog(page);
  await expect(page.getByRole('alert').filter({ hasText: 'as thumbnails' })).toContainText('Pack the folders that it was made of');
  await expect(page.getByTestId('pack-write')).toBeDisabled();
  folder.remove();
});

test('a second pack is compared with the first, whose numbers stay; the same pack is the same', async ({ page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 4);
  const folders = [folder.at('bench'), folder.at('result')];
  const first = packed(folder, 'first.zip', 'none', folders);
  const lines = readFileSync(folder.at('result/m/metrics.jsonl'), 'utf8');
  folder.write('result/m/metrics.jsonl', lines.replace('"score":8', '"score":9'));
  const second = packed(folder, 'second.zip', 'none', folders);
  const compared = spawnSync(CLI, ['verify', folder.at('first.zip'), folder.at('second.zip')], { encoding: 'utf8' });
  const { comparison } = JSON.parse(compared.stdout) as {
    comparison: {
      same_requests: number;
      other_verdicts: number;
      scores: { scope: string; criterion: string; old: string; new: string; difference: number | null }[];
    };
  };
  expect(comparison.other_verdicts).toBe(1);

  await openPage(page);
  await reopen(page, 'first.zip', first);
  await expect(banner(page)).toContainText('Reproduced.');
  const before = numbers(await exportedReport(page));
  await page.getByTestId('input-files').setInputFiles({ name: 'second.zip', mimeType: 'application/zip', buffer: second });
  const beside = page.getByTestId('pack-comparison');
  await expect(beside).toContainText(
    `Same 4 samples. 1 file changed. Same ${comparison.same_requests} requests. 1 verdict changed. ${comparison.scores.length} score rows changed.`,
  );
  await expect(banner(page)).toHaveCount(2);
  // Effect and cause come first, and the total is in no list again.
  const total = comparison.scores.find(({ scope, criterion }) => scope === 'overall' && criterion === 'total');
  if (total === undefined) throw new Error('No total changed.');
  await expect(beside.getByTestId('pack-models').getByRole('listitem')).toHaveText([
    `m ${parseFloat(total.old).toFixed(3)} → ${parseFloat(total.new).toFixed(3)} (+${total.difference?.toFixed(3)}); 1 file and 1 verdict changed`,
  ]);
  expect((await beside.innerText()).split('\n').filter((line) => line.trim() !== '')[1]).toContain('→');
  const others = comparison.scores.filter(({ scope, criterion }) => scope !== 'overall' || criterion !== 'total');
  expect(others).toHaveLength(comparison.scores.length - 1);
  await beside.locator('details').evaluateAll((all) => all.forEach((one) => ((one as HTMLDetailsElement).open = true)));
  const verdict = beside.getByRole('region', { name: 'Verdicts that differ' }).locator('tbody tr');
  await expect(verdict).toHaveCount(1);
  await expect(verdict.locator('td').nth(1)).toHaveText('8');
  await expect(verdict.locator('td').nth(2)).toHaveText('9');
  await expect(verdict.getByRole('link')).toHaveAttribute('href', /#\/sample\/0/);
  await expect(beside.getByRole('region', { name: 'Scores that differ' }).locator('tbody tr')).toHaveCount(others.length);
  await expect(beside.getByRole('region', { name: 'Files that differ' }).locator('tbody tr th')).toHaveText(['result/m/metrics.jsonl']);
  expect(numbers(await exportedReport(page))).toEqual(before);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await still(page);
  expect((await axe(page).analyze()).violations).toEqual([]);

  await reopen(page, 'first.zip', first);
  await expect(banner(page)).toContainText('Reproduced.');
  await page.getByTestId('input-files').setInputFiles({ name: 'again.zip', mimeType: 'application/zip', buffer: first });
  await expect(beside).toContainText('The same: 4 samples');
  folder.remove();
});

test('of several models the largest change comes first, and a model that one pack lacks is named once', async ({ page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 4);
  const lines = readFileSync(folder.at('result/m/metrics.jsonl'), 'utf8');
  const write = (model: string, score: string): void => {
    for (const { path, data } of ['imgs/d0_2.png', 'imgs/d1_2.png'].map((path) => ({ path, data: readFileSync(folder.at(`result/m/${path}`)) })))
      folder.write(`result/${model}/${path}`, data);
    folder.write(`result/${model}/metrics.jsonl`, lines.replaceAll('"score":8', `"score":${score}`));
  };
  write('large', '8');
  write('gone', '8');
  const folders = [folder.at('bench'), folder.at('result')];
  const first = packed(folder, 'first.zip', 'none', folders);
  rmSync(folder.at('result/gone'), { recursive: true });
  write('large', '3');
  folder.write('result/m/metrics.jsonl', lines.replace('"score":8', '"score":9'));
  const second = packed(folder, 'second.zip', 'none', folders);
  await openPage(page);
  await reopen(page, 'first.zip', first);
  await expect(banner(page)).toContainText('Reproduced.');
  await page.getByTestId('input-files').setInputFiles({ name: 'second.zip', mimeType: 'application/zip', buffer: second });
  const beside = page.getByTestId('pack-comparison');
  const models = beside.getByTestId('pack-models').getByRole('listitem');
  await expect(models).toHaveCount(3);
  await expect(models.nth(0)).toContainText(/^large 0\.\d{3} → 0\.\d{3} \(−0\.\d{3}\); 1 file and \d+ verdicts changed$/);
  await expect(models.nth(1)).toContainText(/^m 0\.\d{3} → 0\.\d{3} \(\+0\.\d{3}\); 1 file and 1 verdict changed$/);
  await expect(models.nth(2)).toContainText(/^gone only in first\.zip; /);
  // The setting of models would say the same.
  await expect(beside.getByRole('region', { name: 'Settings that differ' })).toHaveCount(0);
  folder.remove();
});

test('a damaged picture of a pack is named in the page as on the command line', async ({ page }) => {
  const folder = new TempFolder();
  const pack = packed(folder, 'own.zip', 'full');
  const name =
    unzip(pack)
      .map((entry) => entry.name)
      .find((path) => /result\/.*\.png$/.test(path)) ?? '';
  // Its own header is the first place where the name stands.
  pack[pack.indexOf(name) + name.length + 20]! ^= 1;
  const said = spawnSync(CLI, ['verify', folder.write('damaged.zip', pack)], { encoding: 'utf8' });
  expect(said.status).toBe(2);
  expect(said.stderr).toContain(`"${name}" is damaged: its bytes do not fit its checksum`);
  await openPage(page);
  await reopen(page, 'damaged.zip', pack);
  await expect(banner(page)).toContainText(`“${name}” is damaged: its bytes do not fit its checksum`);
  folder.remove();
});

test('a protocol file in a model’s folder is named, and counts where the reader says so', async ({ page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 3);
  const declared = {
    format: 'juror-protocol/1',
    id: 'mine',
    title: 'Mine',
    samples: [{ id: '1', instruction: 'Do.' }],
    criteria: [{ id: 'fit', range: [0, 10] }],
    requests: [{ id: 'judge', reply: { form: 'lines' } }],
  };
  folder.write('result/m/juror.json', JSON.stringify(declared));
  await openPage(page);
  await closeAll(page);
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
  await showBelow(page, 'files');
  const problem = page.locator('[data-code="protocol_not_used"]').first();
  await expect(problem).toContainText('a submission does not declare how it is scored');
  await problem.getByRole('button', { name: 'Use this benchmark' }).click();
  await expect(page.getByText('Mine', { exact: true }).first()).toBeVisible();
  folder.remove();
});

test('the pack dialog of a demo suite counts its pictures and bytes before anything is written', async ({ page }) => {
  await openPage(page);
  await openPackDialog(page);
  const size = page.getByTestId('pack-size-full');
  await expect(size).toContainText('pictures');
  const told = /about ([\d.,]+) kB, (\d+) pictures/.exec((await size.textContent()) ?? '');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('pack-write').click()]);
  const manifest = unzip(readFileSync(await download.path())).find(({ name }) => name === 'manifest.json');
  const { entries } = JSON.parse(Buffer.from(manifest?.data ?? []).toString('utf8')) as { entries: { role: string; size: number }[] };
  const pictures = entries.filter(({ role }) => role === 'picture');
  expect(pictures.length).toBeGreaterThan(0);
  expect(Number(told?.[2])).toBe(pictures.length);
  const own = ['report', 'requests', 'verdicts', 'pasted'];
  const bytes = entries.filter(({ role }) => !own.includes(role)).reduce((sum, { size }) => sum + size, 0);
  expect(Number(told?.[1]?.replace(',', ''))).toBeCloseTo(bytes / 1000, 0);
});

test('a damaged entry of a plain ZIP is told as damaged, with the ZIP and the entry, on the page as on the command line', async ({ page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 3);
  const entries = ['bench/test/test.json', 'bench/test/imgs/d0_1.png', 'bench/test/imgs/d0_2.png', 'result/m/imgs/d0_2.png', 'result/m/metrics.jsonl'].map(
    (name): Entry => ({ name, data: readFileSync(folder.at(name)) }),
  );
  const zip = zipOf(entries);
  const name = 'result/m/imgs/d0_2.png';
  // Its own header is the first place where the name stands.
  zip[zip.indexOf(name) + name.length + 20]! ^= 1;
  const words = `The entry “${name}” of plain.zip is damaged: its bytes do not fit its checksum.`;
  const said = spawnSync(CLI, ['lint', folder.write('plain.zip', zip)], { encoding: 'utf8' });
  expect(`${said.stdout}${said.stderr}`).toContain(words);
  await openPage(page);
  await reopen(page, 'plain.zip', zip);
  await showBelow(page, 'files');
  await expect(page.getByText(words).filter({ visible: true }).first()).toBeVisible();
  await expect(page.getByText('Download or copy the ZIP again, or create it again').filter({ visible: true }).first()).toBeVisible();
  folder.remove();
});
