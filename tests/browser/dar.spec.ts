/** Attention rebalancing in the page: what it shows and downloads is what `juror dar` prints, by mouse and by keyboard. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from '../../www/node_modules/@playwright/test';
import { SCHEMES, axe } from './axe';
import { TempFolder, goTo, juror, npy, openPage, png, shown, still } from './helpers';
import { launch } from './server';
import { expect, test } from './visits';

interface Numbers {
  tokens: { relevance: number[]; weights: number[]; before: number[]; after: number[] };
}

const REFERENCES = '4x6,30:5x4';

let folder: TempFolder;

test.beforeAll(() => {
  folder = new TempFolder();
  writeFileSync(folder.at('q.npy'), npy([70, 2, 8], 37));
  writeFileSync(folder.at('k.npy'), npy([60, 2, 8], 53));
  writeFileSync(folder.at('narrow.npy'), npy([60, 2, 7], 53));
  writeFileSync(folder.at('first.png'), png(60, 40, [200, 120, 40]));
  writeFileSync(folder.at('second.png'), png(40, 50, [40, 120, 200]));
});

test.afterAll(() => folder.remove());

async function open(page: Page): Promise<void> {
  await openPage(page, '#/dar');
  await page.getByTestId('file-q').setInputFiles(folder.at('q.npy'));
  await page.getByTestId('file-k').setInputFiles(folder.at('k.npy'));
  await page.getByTestId('references').fill(REFERENCES);
}

async function compute(page: Page): Promise<void> {
  await page.getByTestId('compute').click();
  // Another button takes its place while it computes.
  await shown(page);
  await expect(page.getByTestId('compute')).toBeVisible();
}

async function downloaded(page: Page): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('download').click()]);
  return readFileSync(await download.path(), 'utf8');
}

const inShell = (...more: string[]): string =>
  juror(['dar', '--q', folder.at('q.npy'), '--k', folder.at('k.npy'), '--references', REFERENCES, ...more]).toString('utf8');

test('the numbers are the command line’s to the byte, with every option', async ({ page }) => {
  await open(page);
  await compute(page);
  await expect(page.getByTestId('dar-table').locator('tbody tr')).toHaveCount(2);
  const usual = await downloaded(page);
  expect(usual).toBe(inShell());
  // Another view in between loses nothing.
  await goTo(page, '#/about');
  await expect(page.getByTestId('dar-result')).toHaveCount(0);
  await goTo(page, '#/dar');
  await expect(page.getByTestId('dar-table').locator('tbody tr')).toHaveCount(2);
  expect(await downloaded(page)).toBe(usual);
  await page.getByTestId('extent').selectOption('per_reference');
  await page.getByTestId('others').selectOption('unweighted');
  await page.getByTestId('gamma').fill('0.3');
  await page.getByTestId('head').fill('1');
  await compute(page);
  await expect(page.getByTestId('dar-table')).toContainText('other keys');
  const chosen = await downloaded(page);
  expect(chosen).toBe(inShell('--extent', 'per_reference', '--others', 'unweighted', '--gamma', '0.3', '--head', '1'));
  expect(chosen).not.toBe(usual);
});

test('a token’s values are told under the cursor and by the arrow keys', async ({ page }) => {
  await open(page);
  await compute(page);
  const report = JSON.parse(inShell()) as { tokens: { weights: number[]; before: number[] } };
  const maps = page.getByTestId('heat-map');
  await expect(maps).toHaveCount(6);
  const readout = page.getByTestId('readout');
  await maps.first().scrollIntoViewIfNeeded();
  const box = (await maps.first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  // Row 2, column 3 of 4 × 6.
  await page.mouse.move(box.x + (box.width * 3.5) / 6, box.y + (box.height * 2.5) / 4);
  await expect(readout).toContainText(`Reference 1, row 2, column 3, key 15: attention ${Number(report.tokens.before[15]?.toPrecision(5))} before`);
  await expect(readout).toContainText(`w ${report.tokens.weights[15]}.`);
  // The first map of the second reference, 24 tokens later.
  await maps.nth(3).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(readout).toContainText('Reference 2, row 1, column 1, key 35:');
  await expect(readout).toContainText(`w ${report.tokens.weights[29]}.`);
  await expect(maps.nth(3)).toHaveAttribute('aria-valuetext', /Reference 2, row 1, column 1/);
  // What the pointer leaves is not what the keys went to.
  await page.mouse.move(1, 1);
  await expect(readout).toContainText('Reference 2, row 1, column 1, key 35:');
});

test('keys that come faster than the page draws each count', async ({ page }) => {
  await open(page);
  await compute(page);
  const map = page.getByTestId('heat-map').nth(3);
  await map.evaluate((element) => {
    for (const key of ['Home', 'ArrowDown', 'ArrowRight', 'ArrowRight'])
      element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
  });
  await expect(page.getByTestId('readout')).toContainText('Reference 2, row 1, column 2, key 36:');
});

test('several settings stand beside each other and beside the printed scores, as the command line has them', async ({ page }) => {
  await open(page);
  await page.getByTestId('sweep-gamma').fill('0.05,0.15,0.2');
  await page.getByTestId('sweep').click();
  const table = page.getByTestId('sweep-table');
  await expect(table.locator('tbody tr')).toHaveCount(3);
  await expect(table.locator('tbody tr').first()).toContainText('86.11');
  await expect(table.locator('tbody tr').last()).toContainText('–');
  const csv = async (): Promise<string> => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('sweep-csv').click()]);
    return readFileSync(await download.path(), 'utf8');
  };
  const strengths = await csv();
  expect(strengths).toBe(inShell('--sweep', 'gamma=0.05,0.15,0.2', '--csv'));
  // Two parameters, by the keyboard alone.
  await page.getByTestId('sweep-high').fill('0.6,0.8');
  await page.getByTestId('sweep').focus();
  await page.keyboard.press('Enter');
  await expect(table.locator('tbody tr')).toHaveCount(6);
  await expect(table).not.toContainText('Table 8');
  const both = await csv();
  expect(both).toBe(inShell('--sweep', 'gamma=0.05,0.15,0.2', '--sweep', 'high=0.6,0.8', '--csv'));
  expect(both).not.toBe(strengths);
  await page.getByTestId('sweep-gamma').fill('strong');
  await page.getByTestId('sweep').click();
  await expect(page.getByRole('alert')).toContainText('gamma=strong');
  await expect(table.locator('tbody tr')).toHaveCount(6);
});

test('tensors that do not fit are told with their shape, and nothing is shown', async ({ page }) => {
  await open(page);
  await page.getByTestId('file-k').setInputFiles(folder.at('narrow.npy'));
  await compute(page);
  await expect(page.getByRole('alert')).toContainText('expected K of 8 numbers in a head, as Q has, found the shape [60, 2, 7]');
  await expect(page.getByTestId('dar-result')).toHaveCount(0);
  await page.getByTestId('file-k').setInputFiles(folder.at('first.png'));
  await expect(page.getByRole('alert')).toContainText('first.png: expected an NPY or a whole safetensors file');
});

test('without a GPU the CPU computes, and the page says so', async ({ page }) => {
  await open(page);
  await page.getByTestId('backend').selectOption('gpu');
  await compute(page);
  await expect(page.getByTestId('dar-result')).toContainText('CPU instead of the GPU: expected a GPU');
  expect(await downloaded(page)).toBe(inShell());
});

test('WebGPU gives the maps within 2e-5 of the CPU’s, and the CPU’s own weights', async ({ playwright, baseURL }) => {
  const browser = await playwright.chromium.launch(launch('--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan'));
  const page = await (await browser.newContext({ ...(baseURL === undefined ? {} : { baseURL }), acceptDownloads: true })).newPage();
  await open(page);
  await page.getByTestId('backend').selectOption('gpu');
  await compute(page);
  await expect(page.getByTestId('dar-result')).toContainText('computed on the GPU');
  const gpu = JSON.parse(await downloaded(page)) as Numbers;
  const cpu = JSON.parse(inShell()) as Numbers;
  const plain = JSON.parse(inShell('--gamma', '0')) as Numbers;
  const largest = (one: number[], other: number[]): number => Math.max(...one.map((value, at) => Math.abs(value - (other[at] ?? NaN))));
  const found = Math.max(largest(gpu.tokens.before, cpu.tokens.before), largest(gpu.tokens.after, cpu.tokens.after));
  console.log(`attention on WebGPU: largest difference ${found.toExponential(1)}`);
  expect(found).toBeLessThanOrEqual(2e-5);
  expect([gpu.tokens.weights, gpu.tokens.relevance]).toEqual([cpu.tokens.weights, cpu.tokens.relevance]);
  // Without weights it would be another map.
  expect(largest(gpu.tokens.after, plain.tokens.after)).toBeGreaterThan(2e-5);
  await browser.close();
});

for (const [colorScheme, rules] of SCHEMES) {
  test(`axe finds nothing wrong, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await open(page);
    await page.locator('input[accept="image/*"]').setInputFiles([folder.at('first.png'), folder.at('second.png')]);
    await compute(page);
    await expect(page.getByTestId('dar-table')).toBeVisible();
    await page.getByTestId('sweep').click();
    await expect(page.getByTestId('sweep-table')).toBeVisible();
    await still(page);
    const { violations } = await axe(page, rules).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(' ')}`)).toEqual([]);
    if (process.env.JUROR_SHOTS !== undefined) {
      for (const [width, height] of [
        [1440, 900],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.screenshot({ path: `${process.env.JUROR_SHOTS}/dar-${colorScheme}-${width}.png`, fullPage: true });
      }
    }
  });
}
