/** A metric place by place in the viewer: the command line's number, the value of each pixel, the part in a box, and the numbers as a file. */
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import type { Locator, Page } from '../../www/node_modules/@playwright/test';
import { TempFolder, dialogue, juror, openFolders, openPage, png, pngOf } from './helpers';
import { expect, test } from './visits';

const [WIDTH, HEIGHT] = [40, 30];

/** A picture of these colours. */
function drawn(colour: (x: number, y: number) => number[], width = WIDTH): Buffer {
  const rows = Array.from({ length: HEIGHT }, (_, y) => Buffer.from([0, ...Array.from({ length: width }, (__, x) => colour(x, y)).flat()]));
  return pngOf(width, HEIGHT, deflateSync(Buffer.concat(rows)));
}

/** Stripes, and a square in some: (10, 8) to (19, 15). */
function picture(has: 'square' | 'nothing', width = WIDTH): Buffer {
  const colour = (x: number, y: number): number[] => {
    const isSquare = has === 'square' && x >= 10 && x < 20 && y >= 8 && y < 16;
    const level = isSquare ? 240 : x > 30 ? 180 : 40;
    return [level, level / 2, 60];
  };
  return drawn(colour, width);
}

let folder: TempFolder;

test.beforeAll(() => {
  folder = new TempFolder();
  folder.write('bench/test/test.json', JSON.stringify([dialogue(0)]));
  folder.write('bench/test/imgs/d0_1.png', picture('nothing'));
  folder.write('bench/test/imgs/d0_2.png', picture('nothing'));
  for (const [model, bytes] of Object.entries({
    'a-square': picture('square'),
    'b-same': picture('nothing'),
    'c-wide': picture('square', 45),
    'd-broken': Buffer.from('no picture'),
  })) {
    folder.write(`${model}/imgs/d0_2.png`, bytes);
    folder.write(`${model}/imgs/d0_1_1.txt`, 'Blue.');
  }
});

test.afterAll(() => folder.remove());

const viewer = (page: Page): Locator => page.locator('juror-sample juror-lightbox dialog');

/** Opens the map of the expected picture and a model's output. */
async function see(page: Page, model: string, metric: string): Promise<void> {
  await openPage(page);
  await openFolders(page, [folder.at('bench'), folder.at(model)]);
  await page.goto(`./#/sample/0?bench=weave&see=map&pictures=p2,o0.${model}&map=${metric}`);
  await expect(viewer(page)).toBeVisible();
}

const valueOf = (metric: string, model: string): string =>
  String(
    (JSON.parse(juror(['metric', metric, folder.at('bench/test/imgs/d0_2.png'), folder.at(`${model}/imgs/d0_2.png`)]).toString('utf8')) as { value: number })
      .value,
  );

/** Points at a pixel of the map, until the words below it are there: what comes above the map moves it meanwhile. */
async function pointUntil(page: Page, x: number, y: number, words: string | RegExp): Promise<void> {
  await expect(async () => {
    await pointAt(page, x, y);
    await expect(viewer(page).getByTestId('map-place')).toHaveText(words, { timeout: 1000 });
  }).toPass({ timeout: 30_000 });
}

/** Points at a pixel of the map. */
async function pointAt(page: Page, x: number, y: number): Promise<void> {
  const box = await viewer(page).locator('canvas').boundingBox();
  if (box === null) throw new Error('There is no map on the stage.');
  await page.mouse.move(box.x + ((x + 0.5) * box.width) / WIDTH, box.y + ((y + 0.5) * box.height) / HEIGHT);
}

test('a map has the number of juror metric, digit by digit, and keeps its metric in the address', async ({ page }) => {
  await see(page, 'a-square', 'ssim');
  const value = viewer(page).getByTestId('map-value');
  for (const metric of ['ssim', 'ssim_gaussian', 'edge_mse', 'changed']) {
    await viewer(page).getByTestId('map-metric').selectOption(metric);
    await expect(value).toHaveText(valueOf(metric, 'a-square'));
    await expect(page).toHaveURL(new RegExp(`[?&]map=${metric}(&|$)`));
    // Another output has another number.
    expect(valueOf(metric, 'b-same')).not.toBe(valueOf(metric, 'a-square'));
  }
  await page.reload();
  await openFolders(page, [folder.at('bench'), folder.at('a-square')]);
  await expect(value).toHaveText(valueOf('changed', 'a-square'));
  await expect(viewer(page).getByTestId('map-metric')).toHaveValue('changed');
});

test('the cursor tells what the map holds at a pixel, and the lowest window is a button away', async ({ page }) => {
  await see(page, 'a-square', 'ssim');
  const place = viewer(page).getByTestId('map-place');
  await expect(viewer(page).getByTestId('map-value')).toBeVisible();
  await pointUntil(page, 30, 25, 'SSIM 1.000000');
  await pointUntil(page, 1, 1, 'no whole window around this pixel');
  const lowest = viewer(page).getByTestId('map-lowest');
  const [, x = '', y = ''] = /at x (\d+), y (\d+)/.exec((await lowest.textContent()) ?? '') ?? [];
  expect(Number(x) >= 7 && Number(x) <= 22 && Number(y) >= 5 && Number(y) <= 18, `the square is there: ${x}, ${y}`).toBe(true);
  await lowest.press('Enter');
  await expect(viewer(page).getByTestId('pixel')).toContainText(`x ${x}, y ${y}`);
  await expect(async () => {
    const there = (await place.textContent()) ?? '';
    expect(there).toMatch(/^SSIM /);
    expect(await viewer(page).getByTestId('map-facts').textContent()).toContain(`Lowest ${there.replace('SSIM ', '')}`);
  }).toPass({ timeout: 30_000 });
  await viewer(page).getByRole('button', { name: 'Fit', exact: true }).click();
  await viewer(page).getByTestId('map-metric').selectOption('edge_mse');
  await expect(viewer(page).getByTestId('map-facts')).toContainText('of B alone');
  await pointUntil(page, 30, 25, /^(edge in both|no edge)$/);
});

test('change is counted above a threshold, and in a box apart from the rest, by numbers and by dragging', async ({ page }) => {
  await see(page, 'a-square', 'changed');
  const found = viewer(page).getByTestId('map-facts');
  await expect(found).toContainText('80 of 1,200 pixels (6.7 %), mean |Δ| 6.67, at most 200. All of it lies within x 10 to 19, y 8 to 15.');
  await viewer(page).getByTestId('map-threshold').fill('200');
  await viewer(page).getByTestId('map-threshold').press('Enter');
  await expect(found).toContainText('0 of 1,200 pixels');
  await viewer(page).getByTestId('map-threshold').fill('0');
  await viewer(page).getByTestId('map-threshold').press('Enter');
  await viewer(page).getByTestId('map-box').click();
  for (const [side, length] of [
    ['left', 10],
    ['top', 8],
    ['width', 5],
    ['height', 8],
  ] as const) {
    await viewer(page).getByTestId(`map-box-${side}`).fill(String(length));
    await viewer(page).getByTestId(`map-box-${side}`).press('Enter');
  }
  await expect(found).toContainText('inside the box 40 of 40 pixels (100.0 %)');
  await expect(found).toContainText('outside 40 of 1,160 pixels (3.4 %)');
  await pointUntil(page, 10, 8, 'Δ 200');
  // These words have moved the map, too.
  await pointAt(page, 10, 8);
  await page.keyboard.down('Shift');
  await page.mouse.down();
  await pointAt(page, 19, 15);
  await expect(found).toContainText(/inside the box 80 of/);
  await pointAt(page, 19, 15);
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await expect(found).toContainText('inside the box 80 of 80 pixels (100.0 %)');
  await expect(found).toContainText('outside 0 of 1,120 pixels');
});

test('change is counted in a mask apart from the rest, as by juror change; a mask of another size is named', async ({ page }) => {
  await see(page, 'a-square', 'changed');
  const found = viewer(page).getByTestId('map-facts');
  const isSquare = (x: number, y: number): boolean => x >= 10 && x < 15 && y >= 8 && y < 16;
  folder.write(
    'mask.png',
    drawn((x, y) => (isSquare(x, y) ? [255, 255, 255] : [0, 0, 0])),
  );
  await viewer(page).getByTestId('map-mask-file').setInputFiles(folder.at('mask.png'));
  await expect(found).toContainText('inside the mask 40 of 40 pixels (100.0 %)');
  await expect(found).toContainText('outside 40 of 1,160 pixels (3.4 %)');
  await expect(viewer(page).getByTestId('map-mask')).toHaveText('Mask: mask.png');
  const { inside, outside } = JSON.parse(
    juror(['change', folder.at('bench/test/imgs/d0_2.png'), folder.at('a-square/imgs/d0_2.png'), '--mask', folder.at('mask.png')]).toString('utf8'),
  ) as Record<'inside' | 'outside', { changed: number; pixels: number }>;
  expect([inside.changed, inside.pixels, outside.changed, outside.pixels]).toEqual([40, 40, 40, 1160]);
  folder.write('small.png', png(8, 8, [255, 255, 255]));
  await viewer(page).getByTestId('map-mask').click();
  await expect(found).toContainText('all 80 of 1,200 pixels');
  await viewer(page).getByTestId('map-mask-file').setInputFiles(folder.at('small.png'));
  await expect(found).toContainText('8 × 8');
});

test('the numbers of a map are an NPY file whose mean is the metric', async ({ page }) => {
  await see(page, 'a-square', 'ssim');
  await expect(viewer(page).getByTestId('map-value')).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent('download'), viewer(page).getByTestId('map-download').click()]);
  expect(download.suggestedFilename()).toBe('juror-weave-map-ssim.npy');
  const bytes = readFileSync(await download.path());
  expect(bytes.subarray(0, 8)).toEqual(Buffer.from('\x93NUMPY\x01\x00', 'latin1'));
  const start = 10 + bytes.readUInt16LE(8);
  expect(start % 64).toBe(0);
  expect(bytes.toString('latin1', 10, start)).toMatch(/^{'descr': '<f4', 'fortran_order': False, 'shape': \(24, 34\), } *\n$/);
  const places = Array.from({ length: 24 * 34 }, (_, at) => bytes.readFloatLE(start + 4 * at));
  expect(bytes.length).toBe(start + 4 * places.length);
  expect(places.reduce((sum, place) => sum + place, 0) / places.length).toBeCloseTo(Number(valueOf('ssim', 'a-square')), 6);
});

test('an output of another size is resized as metrics do, and one that is no picture is named', async ({ page }) => {
  await see(page, 'c-wide', 'ssim');
  await expect(viewer(page).getByTestId('facts')).toContainText('B was brought to the size of A by Pillow’s bicubic');
  juror([
    'score',
    folder.at('bench'),
    folder.at('c-wide'),
    '--metrics',
    'ssim',
    '--resize',
    '--measures',
    folder.at('wide.jsonl'),
    '--out',
    folder.at('report.json'),
  ]);
  const measured = readFileSync(folder.at('wide.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { metric: string; value: number });
  expect(measured.map(({ metric }) => metric)).toEqual(['ssim']);
  await expect(viewer(page).getByTestId('map-value')).toHaveText(String(measured[0]?.value));
  await see(page, 'd-broken', 'ssim');
  await expect(viewer(page).locator('juror-stage').getByRole('status')).toContainText('There is no map of these pictures: B:');
});
