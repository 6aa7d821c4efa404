/** Networks of packs on WebGPU by onnxruntime-web, next to those of rten on the CPU: SwiftShader takes the place of a GPU. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test, type Page } from '../../www/node_modules/@playwright/test';
import { axe } from './axe';
import { still } from './gates';
import { ROOT, TempFolder, exportedReport, openFolders, openPage } from './helpers';
import { means, openPack, packOf, writeSamples } from './network-suite';
import { launch } from './server';
import { unzip } from './zip';

test.use({ launchOptions: launch('--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan') });

const ON_CPU = 'rten 0.27 cpu';
const ON_GPU = 'onnxruntime-web 1.30.0 webgpu google swiftshader (software)';
/** What packs allow of their golden cases, of the largest number; values are cosines and distances of about 1. */
const TOLERANCE = 1e-4;
const SINGLE = process.env.JUROR_SINGLE ?? join(ROOT, 'www/dist-single/juror.html');

interface Line {
  sample: string;
  metric: string;
  backend: string;
  network?: string;
}

let folder: TempFolder;
test.beforeEach(() => {
  folder = new TempFolder();
});
test.afterEach(() => folder.remove());

async function openMetrics(page: Page): Promise<void> {
  await openPage(page);
  await openFolders(page, writeSamples(folder));
  await page.goto('./#/metrics');
  await expect(page.getByTestId('networks-runner')).toBeVisible();
}

/** What a pack’s line says after its golden cases. */
const stateOf = (page: Page, name: string) => page.getByTestId(`pack-${name}`).getByTestId('pack-state');

/** Runs a line in the worker of networks before its own code. */
async function inWorker(page: Page, line: string): Promise<void> {
  await page.route(/assets\/networks\.worker-[^/]*\.js$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `${line}\n${await answer.text()}` });
  });
}

async function runOn(page: Page, runner: 'cpu' | 'webgpu'): Promise<void> {
  await page.getByTestId('networks-runner').selectOption(runner);
  await expect(page.getByTestId('networks-busy')).toHaveCount(0, { timeout: 120_000 });
}

/** The measured values as the page exports them. */
async function lines(page: Page): Promise<Line[]> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('metrics-export').click()]);
  const text = readFileSync(await file.path(), 'utf8').trim();
  return text.split('\n').map((line) => JSON.parse(line) as Line);
}

/** Measures until there are so many values, each of them new. */
async function measure(page: Page, values: number, isNew: (line: Line) => boolean): Promise<Line[]> {
  await page.getByTestId('metrics-start').click();
  let found: Line[] = [];
  await expect
    .poll(
      async () => {
        found = await lines(page);
        return [found.length, found.filter(isNew).length];
      },
      { timeout: 120_000 },
    )
    .toEqual([values, values]);
  await expect(page.getByTestId('metrics-run').getByRole('heading', { name: 'Done' })).toBeVisible();
  return found;
}

const isOf = (runner: string, backend: string) => (line: Line) => line.backend === backend && line.network?.includes(runner) === true;

/** A pack as a folder, with one of its files changed; where it is `listed`, pack.json has the new file’s hash. */
function changedPack(name: string, file: string, change: (bytes: Buffer) => void, isListed: boolean): string {
  const files = new Map(unzip(readFileSync(packOf(name))).map((entry) => [entry.name, Buffer.from(entry.data)]));
  const bytes = files.get(file) ?? Buffer.alloc(0);
  change(bytes);
  if (isListed) {
    const list = JSON.parse((files.get('pack.json') ?? Buffer.alloc(0)).toString('utf8')) as { files: { name: string; sha256: string }[] };
    for (const one of list.files) if (one.name === file) one.sha256 = createHash('sha256').update(bytes).digest('hex');
    files.set('pack.json', Buffer.from(JSON.stringify(list)));
  }
  for (const [path, data] of files) {
    const to = folder.at(`${isListed ? 'listed' : 'changed'}/${path}`);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, data);
  }
  return folder.at(isListed ? 'listed' : 'changed');
}

test('both runners give the same values, and each value names its runner and GPU', async ({ page }) => {
  test.slow();
  await openMetrics(page);
  for (const name of ['clip', 'dino', 'lpips']) await openPack(page, name);
  for (const name of ['clip', 'dino', 'lpips']) {
    await expect(stateOf(page, name)).toContainText(`on ${ON_CPU}`);
    await page.getByTestId(`metric-${name}`).check();
  }
  await page.getByTestId('metric-ssim').uncheck();
  await page.getByTestId('metric-mse').uncheck();
  // Ids of a text are whole numbers of 64 bits.
  await page.getByTestId('against-prompt').check();
  const criteria = ['clip@golden', 'clip@prompt', 'dino@golden', 'lpips@golden'];
  const values = 2 * criteria.length;
  await measure(page, values, isOf(ON_CPU, 'cpu'));
  const cpu = means(await exportedReport(page));
  await runOn(page, 'webgpu');
  for (const name of ['clip', 'dino', 'lpips']) await expect(stateOf(page, name)).toContainText(`on ${ON_GPU}`);
  await page.locator('details.fold').filter({ hasText: 'measure again' }).locator('summary').click();
  await page.getByLabel('measure again').check();
  await measure(page, values, isOf(ON_GPU, 'gpu'));
  await expect(page.getByTestId('metrics-standing')).toContainText(ON_GPU);
  const gpu = means(await exportedReport(page));
  const apart = (a: typeof cpu, b: typeof cpu): number[] => criteria.map((criterion) => Math.abs((a.get(criterion) ?? NaN) - (b.get(criterion) ?? NaN)));
  for (const difference of apart(cpu, gpu)) expect(difference).toBeLessThan(TOLERANCE);
  // The comparison finds other numbers: those of the standard profile, on the same runner.
  await page.getByTestId('networks-profile').selectOption('standard');
  await measure(page, values, (line) => isOf(ON_GPU, 'gpu')(line) && line.network?.endsWith('standard') === true);
  const standard = means(await exportedReport(page));
  expect(Math.max(...apart(gpu, standard))).toBeGreaterThan(TOLERANCE);
});

test('values of both runners in one criterion are a finding', async ({ page }) => {
  test.slow();
  await openMetrics(page);
  await openPack(page, 'dino');
  await page.getByTestId('metric-dino').check();
  await page.getByTestId('metric-ssim').uncheck();
  await page.getByTestId('metric-mse').uncheck();
  const [first] = await measure(page, 2, isOf(ON_CPU, 'cpu'));
  expect(JSON.stringify(await exportedReport(page))).not.toContain('was computed by 2 networks');
  // One value of the CPU stays, and WebGPU computes what is missing.
  await page.getByTestId('metrics-drop').click();
  await expect(page.getByTestId('metrics-table')).toHaveCount(0);
  await page.getByTestId('metrics-import').setInputFiles(folder.write('one.jsonl', `${JSON.stringify(first)}\n`));
  await expect(page.getByTestId('metrics-table')).toBeVisible();
  await runOn(page, 'webgpu');
  const both = await measure(page, 2, (line) => isOf(ON_CPU, 'cpu')(line) || isOf(ON_GPU, 'gpu')(line));
  expect(both.map(({ backend }) => backend).sort()).toEqual(['cpu', 'gpu']);
  await expect(page.getByText('1 criterion has values of both CPU and GPU')).toBeVisible();
  expect(JSON.stringify(await exportedReport(page))).toContain('was computed by 2 networks');
});

test('a changed weight and a changed golden number are refused on WebGPU, and what only rten computes otherwise is not', async ({ page }) => {
  test.slow();
  await openMetrics(page);
  await runOn(page, 'webgpu');
  const flip = (bytes: Buffer): void => void (bytes[777]! ^= 1);
  await page.getByTestId('networks-folder').setInputFiles(changedPack('dino', 'image.data', flip, false));
  await expect(page.getByTestId('pack-dino')).toContainText('image.data is not the file that pack.json was written for', { timeout: 120_000 });
  await expect(page.getByTestId('metric-dino')).toHaveCount(0);
  // Its hash fits, and its number does not.
  const raise = (bytes: Buffer): void => void bytes.writeFloatLE(bytes.readFloatLE(bytes.length - 4) + 0.01, bytes.length - 4);
  await page.getByTestId('networks-folder').setInputFiles(changedPack('clip', 'golden/image-0-embeds.npy', raise, true));
  await expect(page.getByTestId('pack-clip')).toContainText(`clip-small on onnxruntime-web 1.30.0: golden case 1 of image is off by`, { timeout: 120_000 });
  await expect(page.getByTestId('metric-clip')).toHaveCount(0);
  // A cubic Resize, and an ArgMax over equal numbers.
  for (const name of ['cubic', 'argmax']) {
    await openPack(page, name);
    await expect(stateOf(page, 'dino')).toContainText(`on ${ON_GPU}`, { timeout: 120_000 });
  }
  await runOn(page, 'cpu');
  await expect(page.getByTestId('pack-dino')).toContainText('golden case 1 of image is off by');
  await expect(page.getByTestId('metric-dino')).toHaveCount(0);
});

test('the keyboard reaches the choice, and its part of the page has no barrier', async ({ page }) => {
  test.slow();
  await openMetrics(page);
  await openPack(page, 'dino');
  const choice = page.getByTestId('networks-runner');
  const isReached = () => choice.evaluate((field) => field.matches(':focus'));
  for (let pressed = 0; pressed < 150 && !(await isReached()); pressed += 1) await page.keyboard.press('Tab');
  await expect(choice).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(stateOf(page, 'dino')).toContainText(`on ${ON_GPU}`, { timeout: 120_000 });
  await still(page);
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('without WebGPU, or without a GPU, the page says so and the CPU goes on', async ({ page }) => {
  test.slow();
  await inWorker(page, 'GPU.prototype.requestAdapter = () => Promise.resolve(null);');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await openMetrics(page);
  await openPack(page, 'dino');
  await runOn(page, 'webgpu');
  await expect(page.getByTestId('networks-runner-problem')).toContainText('gives no GPU');
  await expect(page.getByTestId('networks-runner-problem')).toContainText('graphics acceleration');
  await expect(page.getByTestId('networks-runner')).toHaveValue('cpu');
  await expect(stateOf(page, 'dino')).toContainText(`on ${ON_CPU}`);
  // Nothing of onnxruntime-web is fetched in vain.
  expect(asked.filter((url) => /\/assets\/ort/.test(url))).toEqual([]);
  // A page that is not encrypted, or an older browser.
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'gpu'));
  await page.reload();
  await openMetrics(page);
  await expect(page.getByTestId('networks-runner-hint')).toContainText('offers no WebGPU here, so networks run on the CPU');
  await expect(page.getByTestId('networks-runner').locator('option[value="webgpu"]')).toBeDisabled();
  await openPack(page, 'dino');
  await expect(stateOf(page, 'dino')).toContainText(`on ${ON_CPU}`);
});

test('onnxruntime-web comes from the page’s own address, and only once it is chosen', async ({ page, context, baseURL }) => {
  test.slow();
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  await openMetrics(page);
  await openPack(page, 'dino');
  const ofRuntime = (): string[] => asked.filter((url) => /\/ort[.-]/.test(url));
  expect(ofRuntime()).toEqual([]);
  await runOn(page, 'webgpu');
  await expect(stateOf(page, 'dino')).toContainText(`on ${ON_GPU}`);
  expect(ofRuntime().some((url) => url.endsWith('.wasm'))).toBe(true);
  expect(asked.filter((url) => !url.startsWith(baseURL ?? 'none') && !/^(blob|data):/.test(url))).toEqual([]);
});

test('a browser that cannot wait for a GPU inside Wasm gets the build that can, and no other', async ({ page }) => {
  test.slow();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await inWorker(page, "Reflect.deleteProperty(WebAssembly, 'Suspending');");
  await openMetrics(page);
  await openPack(page, 'dino');
  await runOn(page, 'webgpu');
  await expect(stateOf(page, 'dino')).toContainText(`on ${ON_GPU}`);
  const builds = asked.flatMap((url) => /\/ort-wasm-simd-threaded\.(\w+)-[^/]*\.wasm$/.exec(url)?.[1] ?? []);
  expect(builds).toEqual(['asyncify']);
});

test('the page in one file says that it runs no networks, and how to go on', async ({ page }) => {
  if (!existsSync(SINGLE)) throw new Error(`${SINGLE} is missing: npm run build:single in www builds it.`);
  await page.goto(pathToFileURL(SINGLE).href);
  await page.waitForSelector('html[data-engine="ready"]');
  await openFolders(page, writeSamples(folder));
  await page.goto(`${pathToFileURL(SINGLE).href}#/metrics`);
  await expect(page.getByTestId('networks-runner-hint')).toContainText('has no WebGPU runner');
  await expect(page.getByTestId('networks-runner-hint')).toContainText('use the hosted page');
  for (const option of await page.getByTestId('networks-runner').locator('option').all()) await expect(option).toBeDisabled();
  await page.getByTestId('networks-zip').setInputFiles(packOf('dino'));
  await expect(page.getByTestId('networks-problem')).toContainText('runs no networks, neither on the CPU nor by WebGPU');
  // Pixels are measured all the same.
  await expect(page.getByTestId('metric-ssim')).toBeVisible();
});
