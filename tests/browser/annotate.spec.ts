/** VIBE's instructions are drawn in the page: by mouse and by keys, checked by Rust, kept over a reload, equal to the command's files. */
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '../../www/node_modules/@playwright/test';
import { SCHEMES, axe } from './axe';
import { still } from './gates';
import { CLI, TempFolder, png } from './helpers';
import { expect, test } from './visits';
import { unzip } from './zip';

let folder: TempFolder;
test.beforeEach(() => {
  folder = new TempFolder();
  folder.write('fox.png', png(400, 300, [40, 90, 160]));
});
test.afterEach(() => folder.remove());

type Point = [x: number, y: number];

async function open(page: Page): Promise<void> {
  await page.goto('./#/make?bench=none');
  await page.waitForSelector('html[data-engine="ready"]');
  await expect(page.getByTestId('make-busy')).toHaveCount(0);
  await page.getByTestId('make-kind-annotation').check();
}

/** An item of a task over the picture. */
async function begin(page: Page, task: string, text: string): Promise<void> {
  await open(page);
  await page.getByTestId('annotate-files').setInputFiles(folder.at('fox.png'));
  await page.getByTestId('annotate-task').selectOption(task);
  await page.getByTestId('annotate-text').fill(text);
  await page.getByTestId('annotate-text').blur();
}

/** Drags from one place of the picture to another. */
async function drag(page: Page, from: Point, to: Point): Promise<void> {
  const board = page.getByTestId('mark-board');
  await board.scrollIntoViewIfNeeded();
  const box = await board.boundingBox();
  if (box === null) throw new Error('The board is not shown.');
  const at = ([x, y]: Point): Point => [Math.round(box.x + (x / 400) * box.width), Math.round(box.y + (y / 300) * box.height)];
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at(to), { steps: 4 });
  await page.mouse.up();
}

async function press(page: Page, key: string, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) await page.keyboard.press(key);
}

/** The files of a ZIP that a button saves. */
async function saved(page: Page, button: string): Promise<Record<string, Uint8Array>> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId(button).click()]);
  return Object.fromEntries(unzip(readFileSync(await file.path())).map(({ name, data }) => [name, data]));
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const marks = (page: Page) => page.getByTestId('annotate-marks').getByRole('listitem');

test('marks drawn by mouse are the files of the command to the byte, keys draw the same marks, and a reload loses nothing', async ({ page }) => {
  await begin(page, 'TR', 'Move the fox along the arrow.');
  await drag(page, [160, 130], [240, 170]);
  await expect(marks(page)).toHaveText(['Box from 160, 130 to 240, 170']);
  await drag(page, [220, 150], [300, 150]);
  await expect(marks(page)).toHaveText(['Box from 160, 130 to 240, 170', 'Arrow from 220, 150 to 300, 150']);
  await expect(page.getByTestId('annotate-sum')).toHaveText('None has a fault.');

  const byMouse = await saved(page, 'annotate-marks-zip');
  expect(Object.keys(byMouse)).toEqual(['marks/TR_real-world_01.json', 'marks/fox.png']);
  for (const [path, data] of Object.entries(byMouse)) {
    mkdirSync(dirname(folder.at(path)), { recursive: true });
    writeFileSync(folder.at(path), data);
  }
  execFileSync(CLI, ['make', 'annotate', 'marks', '--out', 'made'], { cwd: folder.path, stdio: 'pipe' });
  const made = readdirSync(folder.at('made'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = made.map((entry) => join(entry.parentPath, entry.name).slice(folder.path.length + 1)).sort();
  const inShell = Object.fromEntries(paths.map((path) => [path, sha256(readFileSync(folder.at(path)))]));
  const zip = await saved(page, 'annotate-zip');
  const hashes = (files: Record<string, Uint8Array>) => Object.fromEntries(Object.entries(files).map(([path, data]) => [path, sha256(data)]));
  expect(Object.keys(zip)).toHaveLength(3);
  expect(hashes(zip)).toEqual(inShell);

  // The same by keys: the first point begins in the middle.
  for (let left = 2; left > 0; left -= 1) {
    await page.getByTestId('annotate-delete').first().click();
    await expect(marks(page)).toHaveCount(left - 1);
  }
  await page.reload();
  await open(page);
  await page.getByTestId('annotate-tool-box').click();
  await page.getByTestId('mark-board').focus();
  await press(page, 'ArrowLeft', 10);
  await press(page, 'ArrowUp', 5);
  await press(page, 'Enter');
  await expect(page.getByTestId('mark-next')).toHaveText('box, opposite corner: 160, 130 of 400 × 300; 1 set');
  await press(page, 'Escape');
  await expect(page.getByTestId('mark-next')).toHaveText('box, first corner: 160, 130 of 400 × 300');
  await press(page, 'Enter');
  await press(page, 'ArrowRight', 20);
  await press(page, 'ArrowDown', 10);
  await press(page, 'Enter');
  await expect(page.getByTestId('annotate-tool-arrow')).toHaveAttribute('aria-pressed', 'true');
  await press(page, 'ArrowLeft', 5);
  await press(page, 'ArrowUp', 5);
  await press(page, 'Enter');
  await press(page, 'ArrowRight', 20);
  await press(page, 'Enter');
  await expect(marks(page)).toHaveCount(2);
  expect(hashes(await saved(page, 'annotate-marks-zip'))).toEqual(hashes(byMouse));

  await page.reload();
  await open(page);
  await expect(marks(page)).toHaveCount(2);
  await expect(page.getByTestId('annotate-text')).toHaveValue('Move the fox along the arrow.');
  expect(hashes(await saved(page, 'annotate-zip'))).toEqual(inShell);
  // Another arrow is another file.
  await page.getByTestId('annotate-delete').last().click();
  await drag(page, [220, 150], [310, 150]);
  await expect(marks(page)).toHaveCount(2);
  expect(hashes(await saved(page, 'annotate-zip'))).not.toEqual(inShell);
  await page.getByTestId('annotate-suite').click();
  await expect(page.getByTestId('benchmark')).toHaveText('VIBE');
});

test('each fault is named while it is there, marks are undone, and files that belong together come together', async ({ page }) => {
  await begin(page, 'LC', 'Light the fox.');
  const faults = page.getByTestId('annotate-faults').getByRole('listitem');
  await expect(faults.first()).toHaveText('LC real-world_01: it has no arrow; draw one.');
  await expect(page.getByTestId('annotate-zip')).toBeDisabled();
  await drag(page, [100, 100], [112, 100]);
  await expect(faults.first()).toContainText('the arrow is 12 pixels long; draw it at least 25 pixels long');
  await page.getByTestId('annotate-undo').click();
  await expect(marks(page)).toHaveCount(0);
  await drag(page, [100, 100], [200, 100]);
  await expect(faults).toHaveCount(1);
  await expect(faults).toContainText('nobody confirmed that the light differs');
  await page.getByTestId('annotate-differs').check();
  await expect(faults).toHaveCount(0);
  await page.getByTestId('annotate-name').fill('Ada');
  await page.getByTestId('annotate-bad').click();
  await expect(faults).toHaveText(['LC real-world_01: Ada rejects it; change it and ask for a new review.']);
  await page.getByTestId('annotate-good').click();
  await expect(faults).toHaveCount(0);

  const files = await saved(page, 'annotate-marks-zip');
  for (const [path, data] of Object.entries(files)) writeFileSync(folder.at(path.replace('marks/', '')), data);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByTestId('annotate-clear').click();
  await expect(page.getByTestId('mark-board')).toHaveCount(0);
  await page.getByTestId('annotate-files').setInputFiles(folder.at('LC_real-world_01.json'));
  await expect(page.getByTestId('annotate-problem')).toContainText('LC_real-world_01.json: its picture fox.png is not among the files; choose both together.');
  await page.getByTestId('annotate-files').setInputFiles([folder.at('LC_real-world_01.json'), folder.at('fox.png')]);
  await expect(marks(page)).toHaveText(['Arrow from 100, 100 to 200, 100']);
  await expect(page.getByTestId('annotate-items').locator('option')).toHaveCount(1);
});

test('marks drawn one right after another are both kept, and an item that cannot be read hides no other', async ({ page }) => {
  await begin(page, 'TR', 'Move the fox along the arrow.');
  await drag(page, [160, 130], [240, 170]);
  await drag(page, [220, 150], [300, 150]);
  await expect(marks(page)).toHaveText(['Box from 160, 130 to 240, 170', 'Arrow from 220, 150 to 300, 150']);
  await expect(page.getByTestId('annotate-undo')).toBeEnabled();
  await page.evaluate(async () => {
    const request = indexedDB.open('juror');
    await new Promise((resolve) => (request.onsuccess = resolve));
    const put = request.result.transaction('making', 'readwrite').objectStore('making');
    const bytes = new TextEncoder().encode('{"format": "juror-marks/9"}').buffer;
    await new Promise((resolve) => (put.put({ path: '/annotated/item/000007', bytes }).onsuccess = resolve));
    request.result.close();
  });
  await page.reload();
  await open(page);
  await expect(page.getByTestId('annotate-unread')).toContainText('1 item of this browser cannot be read and is kept as it is');
  await expect(marks(page)).toHaveCount(2);
  // A new item takes no place of it.
  await page.getByTestId('annotate-again').click();
  await expect(page.getByTestId('annotate-items').locator('option')).toHaveCount(2);
  await page.reload();
  await open(page);
  await expect(page.getByTestId('annotate-items').locator('option')).toHaveCount(2);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Discard what cannot be read' }).click();
  await expect(page.getByTestId('annotate-unread')).toHaveCount(0);
  await page.reload();
  await open(page);
  await expect(page.getByTestId('annotate-items').locator('option')).toHaveCount(2);
  await expect(page.getByTestId('annotate-unread')).toHaveCount(0);
});

test('a board on a small screen cuts nothing off and has no fault of accessibility, light and dark', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await begin(page, 'TR', 'Move the fox along the arrow.');
  await drag(page, [160, 130], [240, 170]);
  await drag(page, [220, 150], [300, 150]);
  await expect(marks(page)).toHaveCount(2);
  for (const [colorScheme, rules] of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await still(page);
    expect((await axe(page, rules).analyze()).violations).toEqual([]);
  }
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  const cut = await page.getByTestId('mark-board').evaluate((board) => board.getBoundingClientRect().right > innerWidth);
  expect(cut).toBe(false);
});
