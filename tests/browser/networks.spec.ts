/** Networks of packs in the page: opened, held against their golden cases, refused where they are wrong, and the command line's numbers. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { axe } from './axe';
import { still } from './gates';
import { CLI, TempFolder, exportedReport, juror, openFolders, openPage, unfold, type Report } from './helpers';
import { expect, test } from './visits';
import { means, openPack, packOf, picture, writeColours, writeHungryPack, writeObjects, writeSamples } from './network-suite';
import { unzip } from './zip';
import type { LintFinding } from '../../www/src/engine/types/LintFinding';

let folder: TempFolder;
test.beforeEach(() => {
  folder = new TempFolder();
});
test.afterEach(() => folder.remove());

/** Equal but for the rounding of another processor's kernels. */
function expectAlike(page: Report, command: Report, criteria: string[]): void {
  const [found, wanted] = [means(page), means(command)];
  for (const criterion of criteria) {
    expect(wanted.get(criterion), criterion).toEqual(expect.any(Number));
    expect(Math.abs((found.get(criterion) ?? NaN) - (wanted.get(criterion) ?? NaN)), criterion).toBeLessThan(1e-5);
  }
}

test('outputs are measured by CLIP, DINO and LPIPS beside pixels, with the command line’s numbers', async ({ page }) => {
  test.slow();
  const folders = writeSamples(folder);
  await openPage(page);
  await openFolders(page, folders);
  await page.goto('./#/metrics');
  await expect(page.getByTestId('metric-ssim')).toBeVisible();
  await expect(page.getByTestId('metric-clip')).toHaveCount(0);
  for (const name of ['clip', 'dino', 'lpips']) {
    await openPack(page, name);
    await expect(page.getByTestId(`pack-${name}`).getByTestId('pack-state')).toContainText('on rten 0.27 cpu');
  }
  await expect(page.getByTestId('against-prompt')).toHaveCount(0);
  for (const name of ['clip', 'dino', 'lpips']) await page.getByTestId(`metric-${name}`).check();
  await page.getByTestId('metric-ssim').uncheck();
  await page.getByTestId('against-prompt').check();
  await unfold(page);
  await page.getByTestId('metrics-backend').selectOption('cpu');
  await page.getByTestId('networks-workers').fill('2');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await still(page);
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByTestId('metrics-start').click();
  await expect(page.getByTestId('metrics-start')).toBeDisabled();
  await expect(page.getByTestId('metrics-pairs')).toHaveText('0', {
    timeout: 60_000,
  });
  const report = await exportedReport(page);
  const packs = ['clip', 'dino', 'lpips'].flatMap((name) => ['--pack', packOf(name)]);
  const command = (...more: string[]): Report =>
    JSON.parse(
      juror(['score', ...folders, '--metrics', 'clip,dino,lpips,mse', '--against', 'golden', '--against', 'prompt', ...packs, ...more]).toString('utf8'),
    ) as Report;
  const measured = ['clip@golden', 'dino@golden', 'lpips@golden', 'mse@golden', 'clip@prompt'];
  expectAlike(report, command(), measured);
  expect(JSON.stringify(report)).toContain('clip-small sha256:');
  // Another profile is other numbers, or the comparison would show nothing.
  const other = means(command('--network-profile', 'standard'));
  expect(Math.abs((other.get('dino@golden') ?? NaN) - (means(report).get('dino@golden') ?? NaN))).toBeGreaterThan(1e-4);
  await page.getByTestId('networks-profile').selectOption('standard');
  await page.getByLabel('measure again').check();
  await page.getByTestId('metrics-start').click();
  await expect(page.getByTestId('metrics-run').getByRole('heading', { name: 'Done' })).toBeVisible({ timeout: 60_000 });
  await expect.poll(async () => means(await exportedReport(page)).get('dino@golden')).toBeCloseTo(other.get('dino@golden') ?? NaN, 5);
});

test('MICON’s Table 4 is computed from pictures and box files, with the command line’s numbers', async ({ page }) => {
  test.slow();
  const folders = writeObjects(folder);
  await openPage(page);
  await openFolders(page, folders);
  await page.goto('./#/metrics');
  await expect(page.getByTestId('metric-ssim')).toBeVisible();
  for (const name of ['clip', 'dino', 'lpips']) await openPack(page, name);
  await page.getByTestId('metric-mse').uncheck();
  // Pixels have no objects.
  await expect(page.getByTestId('against-objects')).toHaveCount(0);
  for (const name of ['clip', 'dino', 'lpips']) await page.getByTestId(`metric-${name}`).check();
  await page.getByTestId('metric-ssim').uncheck();
  await page.getByTestId('against-objects').check();
  await page.getByTestId('against-prompt').check();
  await page.getByTestId('against-reference:1').uncheck();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await still(page);
  expect((await axe(page).analyze()).violations).toEqual([]);
  const run = async (): Promise<Report> => {
    await page.getByTestId('metrics-start').click();
    await expect(page.getByTestId('metrics-run').getByRole('heading', { name: 'Done' })).toBeVisible({ timeout: 60_000 });
    await expect(page.getByTestId('metrics-pairs')).toHaveText('0', { timeout: 60_000 });
    return exportedReport(page);
  };
  const criteria = ['clip@objects', 'dino@objects', 'lpips@objects', 'clip@prompt'];
  const packs = ['clip', 'dino', 'lpips'].flatMap((name) => ['--pack', packOf(name)]);
  const command = (): Report =>
    JSON.parse(
      juror(['score', ...folders, '--metrics', 'clip,dino,lpips', '--against', 'objects', '--against', 'prompt', ...packs]).toString('utf8'),
    ) as Report;
  const report = await run();
  expectAlike(report, command(), criteria);
  expect(JSON.stringify(report)).toContain('boxes by a detector');
  // The output without a hat has no value, and says why.
  const row = page.getByTestId('metrics-table').locator('[data-criterion="lpips@objects"]');
  await expect(row).toContainText('1/2 cases');
  await expect(page.getByTestId('metrics-run')).toContainText('boxes/object_composition/case_0002.json has no box of hat');
  // Another box is another number, in both.
  const moved = { format: 'juror-boxes/1', detector: 'a detector', boxes: { cat: [8, 1, 48, 40], hat: [6, 4, 46, 40] } };
  folder.write('outputs/generations/alpha/boxes/object_composition/case_0001.json', JSON.stringify(moved));
  await page.reload();
  await openFolders(page, folders);
  await page.goto('./#/metrics');
  for (const name of ['clip', 'dino', 'lpips']) await openPack(page, name);
  for (const name of ['clip', 'dino', 'lpips']) await page.getByTestId(`metric-${name}`).check();
  for (const name of ['ssim', 'mse']) await page.getByTestId(`metric-${name}`).uncheck();
  await page.getByTestId('against-objects').check();
  await page.getByTestId('against-prompt').check();
  await page.getByTestId('against-reference:1').uncheck();
  const again = await run();
  expectAlike(again, command(), criteria);
  for (const criterion of criteria.slice(0, 3))
    expect(Math.abs((means(again).get(criterion) ?? NaN) - (means(report).get(criterion) ?? NaN)), criterion).toBeGreaterThan(1e-6);
});

test('MultiRef’s conditions are computed from pictures alone', async ({ page }) => {
  test.slow();
  const folders = writeSamples(folder);
  await openPage(page);
  await openFolders(page, folders);
  await page.goto('./#/metrics');
  await expect(page.getByTestId('conditions-start')).toBeDisabled();
  for (const name of ['clip', 'aesthetics', 'sketch', 'pose']) await openPack(page, name);
  await expect(page.getByTestId('conditions-networks')).toHaveText('10');
  await page.getByTestId('conditions-start').click();
  await expect(page.getByTestId('conditions-done')).toHaveText('10', {
    timeout: 60_000,
  });
  const report = await exportedReport(page);
  const packs = ['clip', 'aesthetics', 'sketch', 'pose'].flatMap((name) => ['--pack', packOf(name)]);
  expectAlike(report, JSON.parse(juror(['score', ...folders, '--conditions', ...packs]).toString('utf8')) as Report, [
    'subject',
    'caption',
    'aesthetics',
    'sketch',
    'pose',
  ]);
  // They are kept as replies are, and each names its network.
  await page.reload();
  await openFolders(page, folders);
  await page.goto('./#/metrics');
  await expect(page.getByTestId('conditions-done')).toHaveText('10');
});

test('what networks paint of a picture is seen in the viewer: lines of a sketch, people, and nothing without a pack', async ({ page }) => {
  test.slow();
  await openPage(page);
  await openFolders(page, writeSamples(folder));
  const at = (map: string): string => `./#/sample/synthetic%2Fanswer_0?see=map&pictures=p1,o0.alpha&map=${map}`;
  await page.goto(at('sketch_b'));
  const viewer = page.locator('juror-sample juror-lightbox dialog');
  await expect(viewer).toContainText('Open a pack that computes sketch under Metrics first.');
  const options = viewer.getByTestId('map-metric').locator('option');
  // What an address asks for stands there, and nothing else of networks.
  await expect(options).toHaveCount(5);
  await page.goto('./#/metrics');
  for (const name of ['sketch', 'pose']) await openPack(page, name);
  const seen = new Set<string>();
  for (const map of ['sketch_a', 'sketch_b', 'pose_b']) {
    await page.goto(at(map));
    await expect(viewer).toContainText('of the open pack for');
    await expect(viewer.getByTestId('map-download')).toBeEnabled();
    const [file] = await Promise.all([page.waitForEvent('download'), viewer.getByTestId('map-download').click()]);
    const npy = readFileSync(await file.path());
    expect(npy.toString('latin1')).toContain("'shape': (40, 48)");
    seen.add(npy.toString('base64'));
    await page.keyboard.press('Escape');
  }
  expect(seen.size).toBe(3);
});

test('copies are found: an output that is another sample’s reference, and two outputs that are the same', async ({ page }) => {
  test.slow();
  const folders = writeSamples(folder);
  folder.write('alpha/images/out_1.png', picture(4));
  await openPage(page);
  await openFolders(page, folders);
  await page.goto('./#/metrics');
  await expect(page.getByTestId('neighbours-start')).toHaveCount(0);
  await openPack(page, 'clip');
  await page.getByTestId('neighbours-start').click();
  await expect(page.getByTestId('neighbours-done')).toBeVisible({ timeout: 60_000 });
  // The subject of answer_0 is picture 4 as well.
  const first = page.getByTestId('neighbours-references').locator('li').first();
  await expect(first.locator('b')).toHaveText('1.0000');
  await expect(first).toContainText('synthetic/answer_1');
  await expect(first).toContainText('synthetic/answer_0, picture');
  const outputs = page.getByTestId('neighbours-outputs').locator('li');
  await expect(outputs).toHaveCount(1);
  await expect(outputs.locator('b')).not.toHaveText('1.0000');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await still(page);
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  // Two outputs that are one.
  folder.write('alpha/images/out_0.png', picture(4));
  await page.reload();
  await openFolders(page, folders);
  await page.goto('./#/metrics');
  await openPack(page, 'clip');
  await page.getByTestId('neighbours-start').click();
  await expect(page.getByTestId('neighbours-outputs').locator('b')).toHaveText('1.0000', { timeout: 60_000 });
});

test('sets of pictures have the command line’s Fréchet distance, and one that lacks a picture has none', async ({ page }) => {
  test.slow();
  const folders = writeSamples(folder);
  // The features of the small Inception hardly differ between pictures, those of the small CLIP do.
  for (const { name, data } of unzip(readFileSync(packOf('clip')))) {
    folder.write(`pack/${name}`, name === 'pack.json' ? Buffer.from(data).toString('utf8').replace('"task": "clip"', '"task": "inception"') : data);
  }
  const openFeatures = async (): Promise<void> => {
    await openFolders(page, folders);
    await page.goto('./#/metrics');
    await page.getByTestId('networks-folder').setInputFiles(folder.at('pack'));
    await expect(page.getByTestId('pack-inception').getByTestId('pack-state')).toContainText('on rten 0.27 cpu');
  };
  await openPage(page);
  await openFeatures();
  await page.getByTestId('sets-against').selectOption('golden');
  await page.getByTestId('sets-start').click();
  const row = page.getByTestId('sets-table').locator('[data-model="alpha"]');
  await expect(row.locator('td')).toHaveText([/\d/, '2', '2'], { timeout: 60_000 });
  await expect(page.getByTestId('sets-network')).toContainText('clip-small sha256:');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await still(page);
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1280, height: 720 });
  const saved = page.waitForEvent('download');
  await page.getByTestId('sets-export').click();
  const [found] = JSON.parse(readFileSync(await (await saved).path(), 'utf8')) as { value: number; network: string }[];
  for (const at of [0, 1]) for (const set of ['golden', 'other']) folder.write(`${set}/${at}.png`, picture(at + (set === 'golden' ? 0 : 4)));
  const command = (set: string): { value: number; network: string } =>
    JSON.parse(juror(['metric', 'fid', folder.at(set), folder.at('alpha/images'), '--pack', folder.at('pack')]).toString('utf8')) as {
      value: number;
      network: string;
    };
  const wanted = command('golden');
  expect(Math.abs((found?.value ?? NaN) - wanted.value)).toBeLessThan(1e-5 * wanted.value);
  expect(found?.network).toBe(wanted.network);
  // The distance from other pictures is another number.
  expect(Math.abs(command('other').value - wanted.value)).toBeGreaterThan(1e-2 * wanted.value);
  folder.write('alpha/images/out_1.png', 'no picture');
  await page.reload();
  await openFeatures();
  await page.getByTestId('sets-start').click();
  await expect(row).toContainText('that of another set', { timeout: 60_000 });
  await expect(row.locator('td').first()).toHaveText('–');
});

test('what networks computed is kept over a reload, for the same files only, and deleted or computed again when asked', async ({ page }) => {
  test.slow();
  const folders = writeSamples(folder);
  await openPage(page);
  const measured = async (isAgain: boolean): Promise<Map<string, number | null>> => {
    await page.reload();
    await openFolders(page, folders);
    await page.goto('./#/metrics');
    await openPack(page, 'clip');
    await page.getByTestId('metric-clip').check();
    for (const name of ['ssim', 'mse']) await page.getByTestId(`metric-${name}`).uncheck();
    await unfold(page);
    if (isAgain) await page.getByLabel('measure again').check();
    await page.getByTestId('metrics-start').click();
    await expect(page.getByTestId('metrics-run').getByRole('heading', { name: 'Done' })).toBeVisible({ timeout: 60_000 });
    return means(await exportedReport(page));
  };
  const first = (await measured(false)).get('clip@golden') ?? NaN;
  await expect(page.getByTestId('networks-kept')).toContainText('2 results of networks are kept');
  // What is kept gets a mark, by which it is known when it comes back.
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const request = indexedDB.open('juror-networks', 1);
        request.onsuccess = () => {
          const transaction = request.result.transaction('found', 'readwrite');
          transaction.oncomplete = () => {
            request.result.close();
            resolve();
          };
          transaction.objectStore('found').openCursor().onsuccess = ({ target }) => {
            const cursor = (target as IDBRequest<IDBCursorWithValue | null>).result;
            if (cursor === null) return;
            const kept = cursor.value as { key: string; found: { value: number } };
            cursor.update({ ...kept, found: { ...kept.found, value: 0.125 } });
            cursor.continue();
          };
        };
      }),
  );
  expect((await measured(false)).get('clip@golden')).toBe(0.125);
  // Of another file's bytes nothing is kept.
  folder.write('alpha/images/out_0.png', picture(10));
  folder.write('alpha/images/out_1.png', picture(9));
  const others = (await measured(false)).get('clip@golden') ?? NaN;
  expect(others).not.toBe(0.125);
  expect(others).not.toBe(first);
  for (const at of [0, 1]) folder.write(`alpha/images/out_${at}.png`, picture(9 + at));
  expect((await measured(true)).get('clip@golden')).toBe(first);
  await page.getByTestId('networks-forget').click();
  await expect(page.getByTestId('networks-kept')).toHaveCount(0);
  expect((await measured(false)).get('clip@golden')).toBe(first);
});

test('a sample shows what its outputs look like most, once a network has looked', async ({ page }) => {
  test.slow();
  const folders = writeSamples(folder);
  await openPage(page);
  await openFolders(page, folders);
  await page.goto('./#/sample/synthetic%2Fanswer_0');
  await page.getByTestId('nearest').locator('summary').click();
  await expect(page.getByTestId('nearest-closed')).toBeVisible();
  await page.goto('./#/metrics');
  await openPack(page, 'clip');
  await page.goto('./#/sample/synthetic%2Fanswer_0');
  await page.getByTestId('nearest-start').click();
  const nearest = page.getByTestId('nearest-outputs').locator('li');
  await expect(nearest).toHaveCount(1, { timeout: 60_000 });
  await expect(nearest).toContainText('synthetic/answer_1');
  await expect(nearest.locator('b')).not.toHaveText('1.0000');
  await expect(page.getByTestId('nearest-references').locator('li')).toHaveCount(1);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await still(page);
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  // The other sample has its own.
  await page.goto('./#/sample/synthetic%2Fanswer_1');
  await expect(nearest).toContainText('synthetic/answer_0');
  // What another pack would find is not known yet.
  await page.goto('./#/metrics');
  const other = unzip(readFileSync(packOf('clip')));
  for (const { name, data } of other)
    folder.write(`other/${name}`, name === 'pack.json' ? Buffer.from(data).toString('utf8').replace('"clip-small"', '"another"') : data);
  await page.getByTestId('networks-folder').setInputFiles(folder.at('other'));
  await expect(page.getByTestId('pack-clip')).toContainText('another');
  await expect(page.getByTestId('pack-clip').getByTestId('pack-state')).toContainText('on rten 0.27 cpu');
  await page.goto('./#/sample/synthetic%2Fanswer_1');
  await expect(page.getByTestId('nearest-start')).toBeVisible();
  await expect(nearest).toHaveCount(0);
});

/** The command's findings: code and the two files. */
function linted(folders: string[]): string[][] {
  const { stdout } = spawnSync(CLI, ['lint', ...folders, '--pack', packOf('clip')], { encoding: 'utf8' });
  return (JSON.parse(stdout) as LintFinding[]).map(({ code, message }) => [code, message]);
}

test('the output check names outputs that a network hardly tells apart, as the command does, and nothing of sound ones', async ({ page }) => {
  test.slow();
  const [red, green, blue, white] = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    [255, 255, 255],
  ];
  const folders = writeColours(folder, [
    [red, green, [1, 253, 1]],
    [blue, white, [253, 1, 1]],
  ]);
  await openPage(page);
  await openFolders(page, folders);
  await page.goto('./#/lint');
  await expect(page.getByTestId('lint-sum')).toContainText('No problems found');
  await expect(page.getByTestId('alike-start')).toHaveCount(0);
  await page.getByTestId('alike-open').click();
  await openPack(page, 'clip');
  await page.goto('./#/lint');
  await page.getByTestId('alike-start').click();
  await expect(page.getByTestId('alike-done')).toHaveText('6 pictures compared.', { timeout: 60_000 });
  const findings = page.getByTestId('lint-finding');
  const wanted = linted(folders);
  expect(wanted.map(([code]) => code)).toEqual(['alike_input', 'alike_reference']);
  await expect(findings).toHaveCount(wanted.length);
  for (const [code, message] of wanted) await expect(page.locator(`[data-testid="lint-group"][data-code="${code}"]`)).toContainText(message ?? '');
  await expect(findings.first().locator('juror-picture')).toHaveCount(2);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await still(page);
  expect((await axe(page).analyze()).violations).toEqual([]);
  // Outputs of their own are no findings, by the same network.
  writeColours(folder, [
    [red, green, blue],
    [blue, white, [0, 0, 0]],
  ]);
  folder.write('alpha/images/out_0.png', picture(3));
  await page.reload();
  await openFolders(page, folders);
  await page.goto('./#/metrics');
  await openPack(page, 'clip');
  await page.goto('./#/lint');
  await page.getByTestId('alike-start').click();
  await expect(page.getByTestId('alike-done')).toBeVisible({ timeout: 60_000 });
  expect(linted(folders)).toEqual([]);
  await expect(findings).toHaveCount(0);
});

test('a pack opens as a folder too; what is no pack, is cut off, changed or computed wrongly here is refused in words', async ({ page }) => {
  test.slow();
  const folders = writeSamples(folder);
  for (const { name, data } of unzip(readFileSync(packOf('dino')))) {
    for (const kind of ['whole', 'changed']) {
      const to = folder.at(`${kind}/${name}`);
      mkdirSync(dirname(to), { recursive: true });
      const bytes = Buffer.from(data);
      if (kind === 'changed' && name.endsWith('.onnx')) bytes[bytes.length - 9]! ^= 1;
      writeFileSync(to, bytes);
    }
  }
  folder.write('half.zip', readFileSync(packOf('dino')).subarray(0, 50_000));
  await openPage(page);
  await openFolders(page, folders);
  await page.goto('./#/metrics');
  const problem = page.getByTestId('networks-problem');
  await page.getByTestId('networks-folder').setInputFiles(folder.at('alpha'));
  await expect(problem).toContainText('pack.json of the pack cannot be read: it is not there');
  await page.getByTestId('networks-zip').setInputFiles(folder.at('half.zip'));
  await expect(problem).toContainText('its end is cut off');
  await page.getByTestId('networks-folder').setInputFiles(folder.at('changed'));
  await expect(page.getByTestId('pack-dino')).toContainText('is not the file that pack.json was written for');
  await expect(page.getByTestId('metric-dino')).toHaveCount(0);
  await openPack(page, 'cubic');
  await expect(page.getByTestId('pack-dino')).toContainText('cubic kernel');
  await openPack(page, 'argmax');
  await expect(page.getByTestId('pack-dino')).toContainText('golden case 1 of image is off by');
  await page.getByTestId('networks-folder').setInputFiles(folder.at('whole'));
  await expect(page.getByTestId('pack-dino').getByTestId('pack-state')).toContainText('on rten');
  await expect(page.getByTestId('metric-dino')).toBeVisible();
  await page.getByRole('button', { name: 'Close dino-small' }).click();
  await expect(page.getByTestId('metric-dino')).toHaveCount(0);
});

test('weights that do not fit into a tab’s memory are refused in words, and another pack is opened after them', async ({ page }) => {
  const folders = writeSamples(folder);
  const bytes = 3 * 2 ** 30;
  for (const { name, data } of unzip(readFileSync(packOf('clip')))) {
    const list = Buffer.from(data).toString('utf8');
    folder.write(`large/${name}`, name === 'pack.json' ? list.replace(/("name": "image.data",\s*"bytes": )\d+/, `$1${bytes}`) : data);
  }
  // Nothing but the length is ever read, so that the file takes no room on the disk.
  truncateSync(folder.at('large/image.data'), bytes);
  await openPage(page);
  await openFolders(page, folders);
  await page.goto('./#/metrics');
  await page.getByTestId('networks-folder').setInputFiles(folder.at('large'));
  const pack = page.getByTestId('pack-clip');
  await expect(pack).toContainText(`image.data takes ${bytes} bytes of memory, and there is not as much here`, { timeout: 60_000 });
  await expect(page.getByTestId('metric-clip')).toHaveCount(0);
  await openPack(page, 'clip');
  await expect(pack.getByTestId('pack-state')).toContainText('on rten 0.27 cpu');
  await expect(page.getByTestId('metric-clip')).toBeVisible();
});

test('a network that stops the module at work is refused in words, and another pack is opened after it', async ({ page }) => {
  const folders = writeSamples(folder);
  writeHungryPack(folder, 'hungry');
  await openPage(page);
  await openFolders(page, folders);
  await page.goto('./#/metrics');
  await page.getByTestId('networks-folder').setInputFiles(folder.at('hungry'));
  const pack = page.getByTestId('pack-dino');
  await expect(pack).toContainText('The network stopped: the memory that this browser gives a page may be too small for it', { timeout: 60_000 });
  await expect(page.getByTestId('metric-dino')).toHaveCount(0);
  await openPack(page, 'dino');
  await expect(pack.getByTestId('pack-state')).toContainText('on rten 0.27 cpu');
  await expect(page.getByTestId('metric-dino')).toBeVisible();
});
