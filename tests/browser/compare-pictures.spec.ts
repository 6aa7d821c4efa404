/** Two pictures over each other and any number side by side: what is seen, what is counted, and the address of it. */
import { deflateSync, inflateSync } from 'node:zlib';
import type { Locator, Page } from '../../www/node_modules/@playwright/test';
import { still } from './gates';
import { TempFolder, closeAll, dialogue, metricsLine, openFolders, openPage, png, pngOf } from './helpers';
import { expect, test } from './visits';

const SIZE = { width: 20, height: 10 };
const GOLD: Colour = [60, 60, 200];
type Colour = [number, number, number];
type Point = { x: number; y: number };

/** The expected picture with some pixels changed: their places and new colours. */
function changed(pixels: [x: number, y: number, colour: Colour][]): Buffer {
  const rows = Array.from({ length: SIZE.height }, (_, y) => {
    const row = Array.from({ length: SIZE.width }, (__, x) => pixels.find(([atX, atY]) => atX === x && atY === y)?.[2] ?? GOLD);
    return Buffer.from([0, ...row.flat()]);
  });
  return pngOf(SIZE.width, SIZE.height, deflateSync(Buffer.concat(rows)));
}

const SLIGHT: Colour = [61, 60, 200];
const STRONG: Colour = [60, 100, 200];
/** Seven pixels: three that differ by 1 in red, four by 40 in green. */
const SEVEN: [number, number, Colour][] = [
  [0, 0, SLIGHT],
  [1, 0, SLIGHT],
  [19, 9, SLIGHT],
  [3, 2, STRONG],
  [4, 2, STRONG],
  [3, 3, STRONG],
  [10, 5, STRONG],
];

const OUTPUTS: Record<string, Buffer> = {
  'a-seven': changed(SEVEN),
  'b-eight': changed([...SEVEN, [12, 7, STRONG]]),
  'c-same': changed([]),
  'd-red': png(SIZE.width, SIZE.height, [200, 60, 60]),
  'e-tall': png(10, 20, GOLD),
};

let folder: TempFolder;

test.beforeAll(() => {
  folder = new TempFolder();
  const one = dialogue(0);
  folder.write('bench/test/test.json', JSON.stringify([one, dialogue(1)]));
  for (const idx of [0, 1]) {
    folder.write(`bench/test/imgs/d${idx}_1.png`, png(8, 8, [200, 60, 60]));
    folder.write(`bench/test/imgs/d${idx}_2.png`, changed([]));
  }
  for (const [model, picture] of Object.entries(OUTPUTS)) {
    for (const idx of [0, 1]) folder.write(`${model}/imgs/d${idx}_2.png`, picture);
    folder.write(`${model}/imgs/d0_1_1.txt`, 'Blue.');
    folder.write(`${model}/metrics.jsonl`, `${metricsLine(one, 8)}\n`);
  }
});

test.afterAll(() => folder.remove());

const viewer = (page: Page): Locator => page.locator('juror-sample juror-lightbox dialog');

/** Opens the benchmark with some models, then a view of its first sample. */
async function see(page: Page, models: string[], query: string): Promise<void> {
  await openPage(page);
  await openFolders(page, [folder.at('bench'), ...models.map((model) => folder.at(model))]);
  await page.goto(`./#/sample/0?bench=weave&${query}`);
  await expect(viewer(page)).toBeVisible();
}

/** The colour of a point of the screen. */
async function colourAt(page: Page, x: number, y: number): Promise<number[]> {
  const shot = await page.screenshot({ clip: { x: Math.floor(x), y: Math.floor(y), width: 1, height: 1 } });
  const data: Buffer[] = [];
  for (let at = 8; at < shot.length; at += 12 + shot.readUInt32BE(at)) {
    if (shot.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(shot.subarray(at + 8, at + 8 + shot.readUInt32BE(at)));
  }
  // The only pixel of a picture is stored as it is, whatever the filter.
  return [...inflateSync(Buffer.concat(data)).subarray(1, 4)];
}

/** That colour comes to a point of the screen. */
async function expectColour(page: Page, { x, y }: Point, colour: number[]): Promise<void> {
  await expect.poll(() => colourAt(page, x, y)).toEqual(colour);
}

/** Where a pixel of the frame lies on the screen, once the picture is there and nothing moves any more. */
async function placeOf(page: Page, x: number, y: number, pane = 0): Promise<Point> {
  const picture = viewer(page).getByTestId('pane').nth(pane).locator('img').first();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(true);
  await still(page);
  const box = await picture.boundingBox();
  if (box === null) throw new Error('There is no picture on the stage.');
  return { x: box.x + ((x + 0.5) * box.width) / SIZE.width, y: box.y + ((y + 0.5) * box.height) / SIZE.height };
}

test('the difference counts the pixels that were changed: seven here, eight there, none of a copy', async ({ page }) => {
  await see(page, ['a-seven', 'b-eight', 'c-same'], 'see=difference&pictures=p2,o0.a-seven');
  const found = viewer(page).getByTestId('difference');
  await expect(found).toContainText('7 of 200 pixels differ (3.5 %).');
  await expect(found).toContainText('Largest difference R 1, G 40, B 0;');
  await expect(found).toContainText('mean R 0.01, G 0.80, B 0.00');
  await viewer(page).getByTestId('tolerance').fill('1');
  await expect(found).toContainText('4 of 200 pixels differ by more than 1 in a channel (2.0 %).');
  await viewer(page).getByTestId('tolerance').fill('40');
  await expect(found).toContainText('0 of 200 pixels differ by more than 40');
  await viewer(page).getByTestId('tolerance').fill('0');
  // The same question of another pair must have another answer.
  await viewer(page).getByTestId('pick-b').selectOption('b-eight, turn 1');
  await expect(found).toContainText('8 of 200 pixels differ');
  await expect(found).not.toContainText('7 of 200');
  await viewer(page).getByTestId('pick-b').selectOption('c-same, turn 1');
  await expect(found).toContainText('0 of 200 pixels differ.');
});

test('the difference is drawn as it is, and the gain multiplies it', async ({ page }) => {
  await see(page, ['a-seven'], 'see=difference&pictures=p2,o0.a-seven');
  await expect(viewer(page).getByTestId('difference')).toContainText('7 of 200');
  const strong = await placeOf(page, 10, 5);
  const slight = await placeOf(page, 19, 9);
  await expectColour(page, strong, [0, 40, 0]);
  await expectColour(page, slight, [1, 0, 0]);
  await viewer(page).getByTestId('gain').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expectColour(page, strong, [0, 160, 0]);
  await page.keyboard.press('End');
  await expectColour(page, slight, [255, 0, 0]);
});

test('the pixel below the cursor is told with its value in both pictures', async ({ page }) => {
  await see(page, ['a-seven'], 'see=difference&pictures=p2,o0.a-seven');
  await expect(viewer(page).getByTestId('difference')).toContainText('7 of 200');
  const at = await placeOf(page, 3, 2);
  await page.mouse.move(at.x, at.y);
  const pixel = viewer(page).getByTestId('pixel');
  await expect(pixel).toContainText('x 3, y 2');
  const words = async (): Promise<string> => ((await pixel.textContent()) ?? '').replace(/[\s\u2007]+/g, ' ');
  await expect.poll(words).toContain('A 60 60 200');
  await expect.poll(words).toContain('B 60 100 200');
  await expect.poll(words).toContain('Δ 0 40 0');
});

test('another size is laid into the frame of A, and the words say how', async ({ page }) => {
  await see(page, ['e-tall'], 'see=difference&pictures=p2,o0.e-tall');
  await expect(viewer(page).getByTestId('facts')).toContainText('B (10 × 20) is laid into the frame of A: reduced to 5 × 10 (50 %), with room left and right.');
  await expect(viewer(page).getByTestId('facts')).toContainText('The browser resampled it; only what both cover is compared.');
  await expect(viewer(page).getByTestId('difference')).toContainText('0 of 50 pixels differ.');
});

test('swipe, onion and blink show A, B or both, by range inputs and keys', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await see(page, ['d-red'], 'see=swipe&pictures=p2,o0.d-red');
  const left = await placeOf(page, 4, 5);
  const right = await placeOf(page, 15, 5);
  const RED = [200, 60, 60];
  await expectColour(page, left, GOLD);
  await expectColour(page, right, RED);
  const line = viewer(page).getByTestId('swipe');
  await expect(line).toHaveAttribute('aria-valuetext', /50 %: A left/);
  await line.focus();
  await page.keyboard.press('Home');
  await expectColour(page, left, RED);
  await page.keyboard.press('x');
  await expectColour(page, left, GOLD);
  await page.keyboard.press('x');

  await page.keyboard.press('o');
  const onion = viewer(page).getByTestId('onion');
  await onion.focus();
  await page.keyboard.press('End');
  await expectColour(page, left, RED);
  await page.keyboard.press('Home');
  await expectColour(page, left, GOLD);

  await page.keyboard.press('b');
  await expect(viewer(page).getByTestId('blink')).toHaveText('Blink');
  await expectColour(page, left, GOLD);
  await viewer(page).locator('juror-stage').focus();
  await page.keyboard.press('Space');
  await expectColour(page, left, RED);
});

test('blinking starts by itself only where motion is not reduced', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await see(page, ['d-red'], 'see=blink&pictures=p2,o0.d-red');
  await expect(viewer(page).getByTestId('blink')).toHaveText('Stop');
  await expect(viewer(page).getByTestId('blink-other')).toHaveText('Show A');
  await expect(viewer(page).getByTestId('blink-other')).toHaveText('Show B');
});

test('side by side, a wheel over one picture zooms all of them to the same place, pixel by pixel', async ({ page }) => {
  await see(page, ['a-seven', 'b-eight', 'c-same'], 'see=side&pictures=p2,o0.a-seven,o0.b-eight,o0.c-same');
  const panes = viewer(page).getByTestId('pane');
  await expect(panes).toHaveCount(4);
  const places = (): Promise<string[]> =>
    panes.evaluateAll((all) =>
      all.map((pane) => {
        const image = pane.querySelector('img')?.getBoundingClientRect();
        const own = pane.getBoundingClientRect();
        return image === undefined ? 'none' : [image.left - own.left, image.top - own.top, image.width].map(Math.round).join(' ');
      }),
    );
  await placeOf(page, 0, 0);
  const before = await places();
  const at = await placeOf(page, 3, 2, 1);
  await page.mouse.move(at.x, at.y);
  await page.mouse.wheel(0, -800);
  await expect.poll(async () => (await places())[0]).not.toBe(before[0]);
  const different = async (): Promise<number> => new Set(await places()).size;
  await expect.poll(different).toBe(1);
  await still(page);
  const zoomed = (await places())[0];
  const zoom = (await viewer(page).getByTestId('zoom').textContent()) ?? '';
  await page.mouse.down();
  await page.mouse.move(at.x - 40, at.y - 30);
  await page.mouse.up();
  await expect.poll(async () => (await places())[0]).not.toBe(zoomed);
  await expect.poll(different).toBe(1);
  await expect(viewer(page).getByTestId('zoom')).toHaveText(zoom);
  await expect(panes.nth(2).locator('img')).toHaveCSS('image-rendering', 'pixelated');
  await expect(viewer(page).getByTestId('facts')).toContainText('not smoothed');
  await page.keyboard.press('0');
  await expect.poll(async () => (await places())[0]).toBe(before[0]);
});

test('a copied address says what to open, and then shows the very view, zoom included', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await see(page, ['a-seven', 'd-red'], 'see=swipe&pictures=o0.d-red,o0.a-seven');
  await viewer(page).locator('juror-stage').focus();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('+');
  await still(page);
  const zoom = (await viewer(page).getByTestId('zoom').textContent()) ?? '';
  await viewer(page).getByRole('button', { name: 'Copy the address of this view' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('bench=weave');
  const address = await page.evaluate(() => navigator.clipboard.readText());
  expect(address).toContain('models=a-seven,d-red');
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toBeHidden();
  await closeAll(page);

  const other = await context.newPage();
  await other.goto(address);
  const needs = other.getByTestId('missing-data');
  await expect(needs.getByRole('heading')).toHaveText('Open WEAVEBench to see this');
  await expect(needs).toContainText('Sample 0: two pictures with a line to swipe.');
  await expect(needs.getByRole('listitem')).toHaveText([/The benchmark: WEAVEBench/, /Results of a-seven/, /Results of d-red/]);
  await openFolders(other, [folder.at('a-seven')]);
  await openFolders(other, [folder.at('bench')]);
  await expect(other.getByTestId('absent-models')).toContainText('d-red');
  await expect(viewer(other)).toBeVisible();
  await openFolders(other, [folder.at('d-red')]);
  await expect(viewer(other).getByTestId('mode-swipe')).toBeChecked();
  await expect(viewer(other).getByTestId('pick-a').locator('option:checked')).toHaveText('d-red, turn 1');
  await expect(viewer(other).getByTestId('pick-b').locator('option:checked')).toHaveText('a-seven, turn 1');
  await expect(viewer(other).getByTestId('zoom')).toHaveText(zoom);
});

test('back closes what was opened, forward opens it again, and closing leaves no step behind', async ({ page }) => {
  await openPage(page);
  await openFolders(page, [folder.at('bench'), folder.at('a-seven')]);
  await page.getByRole('link', { name: 'Samples', exact: true }).click();
  await page.getByTestId('sample-row').first().click();
  await page.getByTestId('compare').click();
  await expect(viewer(page)).toBeVisible();
  await page.keyboard.press('d');
  await expect(page).toHaveURL(/see=difference&pictures=p2,o0\.a-seven/);
  // The mode that was chosen is a step of its own.
  await page.goBack();
  await expect(viewer(page).getByTestId('mode-difference')).not.toBeChecked();
  await page.goBack();
  await expect(viewer(page)).toBeHidden();
  await page.goForward();
  await expect(viewer(page)).toBeVisible();
  await page.goForward();
  await expect(viewer(page).getByTestId('mode-difference')).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toBeHidden();
  await expect(page).toHaveURL(/#\/sample\/0\?bench=weave$/);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Samples');
});
