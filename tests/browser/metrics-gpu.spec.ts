/** A suite measured on WebGPU, in the hosted page and in the one file from disk: SwiftShader stands in for a GPU. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import { expect, test, type Page } from '../../www/node_modules/@playwright/test';
import { ROOT, TempFolder, exported, exportedReport, juror, openFolders, openPage, pngOf, settled, unfold, writeSmallBenchmark } from './helpers';
import { launch } from './server';

test.use({ launchOptions: launch('--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan') });

const FILE = process.env.JUROR_SINGLE ?? join(ROOT, 'www/dist-single/juror.html');
const COUNT = 6;
/** What the crate promises of SSIM; MSE is exact. */
const SSIM_TOLERANCE = 2e-5;

type Scored = { criterion: string; model: string; sample: string; turn?: number; score: number | null; judge: string };

let folder: TempFolder;

/** Stripes with a square of this side, 24 × 20. */
function picture(side: number): Buffer {
  const pixel = (x: number, y: number): number[] => (x < side && y < side ? [240, 200, 10 * side] : [(x * 9) & 255, 60, (y * 11) & 255]);
  const rows = Array.from({ length: 20 }, (_, y) => Buffer.from([0, ...Array.from({ length: 24 }, (__, x) => pixel(x, y)).flat()]));
  return pngOf(24, 20, deflateSync(Buffer.concat(rows)));
}

test.beforeAll(() => {
  folder = new TempFolder();
  for (const { idx } of writeSmallBenchmark(folder, COUNT)) {
    folder.write(`bench/test/imgs/d${idx}_2.png`, picture(0));
    folder.write(`result/m/imgs/d${idx}_2.png`, picture(2 + 3 * idx));
  }
});

test.afterAll(() => folder.remove());

const folders = (): string[] => [folder.at('bench'), folder.at('result/m')];
const words = (): string[] => ['score', ...folders(), '--metrics', 'ssim,mse'];

/** Opens the view, chooses a backend and measures all. */
async function measure(page: Page, backend: 'auto' | 'cpu' | 'gpu'): Promise<void> {
  await page.evaluate(() => (location.hash = '#/metrics'));
  await expect(page.getByTestId('metrics-pairs')).toBeVisible();
  await unfold(page);
  await page.getByTestId('metrics-backend').selectOption(backend);
  await page.getByTestId('metrics-start').click();
  await expect(page.getByTestId('metrics-run').getByRole('heading', { name: 'Done' })).toBeVisible({ timeout: 80_000 });
}

const measuredOf = (report: { samples: unknown[] }): Scored[] =>
  (report.samples as Scored[]).filter(({ judge, score }) => judge === 'measured' && score !== null);

/** Holds a report of the GPU against the command line's. */
async function expectGpu(page: Page): Promise<void> {
  await expect(page.getByTestId('metrics-run')).toContainText('GPU');
  const found = measuredOf(await exportedReport(page));
  const expected = measuredOf(JSON.parse(juror(words()).toString('utf8')) as { samples: unknown[] });
  expect(found.length).toBe(expected.length);
  expect(found.length).toBe(2 * COUNT);
  const apart = found.map((one, at) => ({ criterion: one.criterion, by: Math.abs((one.score ?? NaN) - (expected[at]?.score ?? NaN)) }));
  for (const { criterion, by } of apart) expect(by, criterion).toBeLessThanOrEqual(criterion.startsWith('ssim') ? SSIM_TOLERANCE : 0);
  // Values of neighbours are further apart than that, so that a mix-up would be seen.
  const ssims = expected.filter(({ criterion }) => criterion.startsWith('ssim')).map(({ score }) => score ?? 0);
  expect(Math.max(...ssims) - Math.min(...ssims)).toBeGreaterThan(100 * SSIM_TOLERANCE);
}

test('the hosted page measures a suite on the GPU, and its values say so', async ({ page }) => {
  await page.addInitScript(() => {
    const decoders: number[] = [];
    let count = 0;
    Object.assign(window, { decoders });
    window.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        const number = count++;
        const send = this.postMessage.bind(this) as (...args: unknown[]) => void;
        this.postMessage = (...args: unknown[]) => {
          if ('decode' in (args[0] as object) && options?.name === 'juror-metrics') decoders.push(number);
          send(...args);
        };
      }
    };
  });
  await openPage(page);
  await openFolders(page, folders());
  await page.evaluate(() => (location.hash = '#/metrics'));
  await unfold(page);
  await page.getByTestId('metrics-workers').fill('3');
  await measure(page, 'gpu');
  await expectGpu(page);
  await expect(page.getByTestId('metrics-standing')).toContainText('2 workers to decode');
  await expect(page.getByTestId('metrics-stages')).toHaveText(
    /^reading \d+ %, decoding \d+ %, measuring \d+ %; limited by (reading files|decoding|computing on the CPU|the GPU)$/,
  );
  // Six pairs are two pieces: two workers decode them, and the one with the GPU none.
  const decoders = await page.evaluate(() => (window as unknown as { decoders: number[] }).decoders);
  expect(decoders).toHaveLength(COUNT);
  expect(new Set(decoders).size).toBe(2);
});

test('by itself the page leaves nothing to a software GPU, says so, and has the command line’s numbers', async ({ page }) => {
  await openPage(page);
  await openFolders(page, folders());
  await page.evaluate(() => (location.hash = '#/metrics'));
  await unfold(page);
  await expect(page.getByTestId('metrics-backend')).toHaveValue('auto');
  await page.getByTestId('metrics-workers').fill('1');
  await measure(page, 'auto');
  await expect(page.getByTestId('metrics-places')).toHaveText('SSIM, MSE on the CPU; software GPU: the CPU is faster');
  // The worker that would have had the GPU computes as well.
  await expect(page.getByTestId('metrics-standing')).toHaveText('CPU, 2 workers');
  expect((await exported(page, 'export-json')).toString('utf8')).toBe(juror(words()).toString('utf8'));
});

test('a GPU that is faster at one metric computes that one, and the page says which', async ({ page }) => {
  const time = (metric: string, gpu_ms: number, cpu_ms: number): object => ({ metric, gpu_ms, cpu_ms });
  const trial = { adapter: 'google swiftshader', is_software: false, decoding_ms: 40, times: [time('ssim', 1, 90), time('mse', 1, 0.5)] };
  await page.addInitScript((kept) => localStorage.setItem('juror-gpu-trials', JSON.stringify([kept])), trial);
  // SwiftShader does not say there that it is no GPU.
  await page.route('**/assets/metrics.worker*', async (route) => {
    const response = await route.fetch();
    const pretends = "Object.defineProperty(GPUAdapterInfo.prototype, 'isFallbackAdapter', { get: () => false });\n";
    await route.fulfill({ response, body: pretends + (await response.text()) });
  });
  await openPage(page);
  await openFolders(page, folders());
  await measure(page, 'auto');
  await expect(page.getByTestId('metrics-places')).toHaveText('MSE on the CPU, SSIM on the GPU');
  await expectGpu(page);
  const on = (metric: string) => page.getByTestId('metrics-table').locator(`[data-criterion="${metric}@golden"] td`).last();
  await expect(on('mse')).toHaveText('CPU');
  await expect(on('ssim')).toHaveText('GPU');
  // The choice of the CPU is none of a GPU that failed.
  await expect(page.getByTestId('metrics-run')).not.toContainText('On the CPU instead');
});

test('the one file from disk measures on the GPU and on the CPU, and has maps and attention, without asking anybody', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(FILE).href);
  await page.waitForSelector('html[data-engine="ready"]');
  await settled(page, 'Demo suite');
  await openFolders(page, folders());
  await measure(page, 'gpu');
  await expectGpu(page);
  await page.reload();
  await page.waitForSelector('html[data-engine="ready"]');
  await openFolders(page, folders());
  await measure(page, 'cpu');
  expect((await exported(page, 'export-json')).toString('utf8')).toBe(juror(words()).toString('utf8'));
  await page.evaluate(() => (location.hash = '#/samples'));
  await page.getByTestId('sample-row').first().click();
  await page.getByTestId('compare').click();
  await expect(page.locator('juror-sample juror-lightbox dialog')).toBeVisible();
  await page.keyboard.press('m');
  await expect(page.locator('juror-sample').getByTestId('map-value')).toHaveText(/^0\.\d+$/);
  await page.keyboard.press('Escape');
  // The way back to the sample is a step of the history of its own.
  await expect(page).not.toHaveURL(/see=map/);
  await page.evaluate(() => (location.hash = '#/dar'));
  await expect(page.getByTestId('file-q')).toBeAttached();
  expect(asked.filter((url) => !/^(blob|data):/.test(url) && !url.startsWith(pathToFileURL(FILE).href))).toEqual([]);
});
