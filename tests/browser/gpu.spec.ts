/** Image metrics on WebGPU beside those in Wasm on the CPU, in the same page: SwiftShader stands in for a GPU. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { MetricsClient as Client } from '../../www/src/engine/metrics/client';
import { Feed } from '../../www/src/engine/metrics/feed';
import type { Brought, Rows } from '../../www/src/engine/metrics/planes';
import type { Measured } from '../../www/src/engine/types/Measured';
import type { StageTimes } from '../../www/src/engine/types/StageTimes';
import { expect, test, type Browser, type Page } from '../../www/node_modules/@playwright/test';
import { ROOT, TempFolder, pngOf } from './helpers';
import { launch, serveFolder, type ServedFolder } from './server';

test.use({ launchOptions: launch('--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan') });

const EXACT = ['mse', 'psnr', 'mae', 'edge_mse', 'changed', 'mask'];
const SSIMS = ['ssim', 'ssim_grey', 'ssim_gaussian', 'ssim_gaussian_grey', 'ssim_torchmetrics', 'ms_ssim', 'ms_ssim_pytorch'];
/** What the crate promises; the values are f32 on a GPU. */
const SSIM_TOLERANCE = 2e-5;
/** Around the sides of workgroups; the last one is large enough for every metric. */
const SIZES = [
  [1, 1],
  [7, 7],
  [8, 9],
  [63, 64],
  [65, 65],
  [1, 257],
  [257, 3],
  [180, 177],
] as const;

/** Put before a worker's own code: where the page asks for it, the device that it opened is lost once it has answered a first piece, as after a driver's fault. */
const LOSES_ITS_GPU = `{
  const ask = GPUAdapter.prototype.requestDevice;
  let lose = () => undefined;
  GPUAdapter.prototype.requestDevice = async function (...wanted) {
    const device = await ask.apply(this, wanted);
    lose = () => device.destroy();
    return device;
  };
  let isAsked = false;
  const channel = new BroadcastChannel('lose the GPU');
  channel.onmessage = () => {
    isAsked = true;
    channel.postMessage('understood');
  };
  const post = self.postMessage.bind(self);
  self.postMessage = (message) => {
    post(message);
    if (isAsked && 'rows' in message) lose();
  };
}
`;

type Row = Measured[];
type Pictures = { reference: number[]; candidate: number[] };

let folder: TempFolder;
let server: ServedFolder;
let address = '';
/** A page with clients that two tests share, as the GPU's shaders are compiled anew for each device. */
let kept: Page | undefined;

test.beforeAll(async () => {
  folder = new TempFolder();
  execFileSync(process.execPath, [join(__dirname, 'build-metrics.mjs'), folder.path], { stdio: ['ignore', 'ignore', 'inherit'] });
  server = await serveFolder(folder.path, (name, text) => (name.includes('worker') ? LOSES_ITS_GPU + text : text));
  ({ address } = server);
});

test.afterAll(async () => {
  await kept?.close();
  server.close();
  folder.remove();
});

/** A ramp with sharp wraps, and the same with a small grid of errors. */
function pictures(width: number, height: number): Pictures {
  const side = (isCandidate: boolean): number[] => {
    const rows = Buffer.alloc(height * (3 * width + 1));
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        for (let c = 0; c < 3; c += 1) {
          const base = ((3 * x * x + 5 * y * y + 7 * x * y + 320 * c) >> 3) & 255;
          const error = isCandidate ? ((7 * x + 13 * y + 5 * c) % 23) - 11 : 0;
          rows[y * (3 * width + 1) + 1 + 3 * x + c] = Math.min(255, Math.max(0, base + error));
        }
      }
    }
    return [...pngOf(width, height, deflateSync(rows))];
  };
  return { reference: side(false), candidate: side(true) };
}

async function keptPage(browser: Browser): Promise<Page> {
  if (kept === undefined) {
    kept = await browser.newPage();
    await kept.goto(address);
  }
  return kept;
}

/** How decoders feed one GPU here. */
const LIMITS = { ahead: 7, together: 4, submissions: 2, kept: [] as string[] };

/** What a list of pairs comes to on a backend: by one worker on the CPU, or by one that decodes for the GPU of another. */
async function measured(page: Page, backend: 'cpu' | 'gpu', metrics: string[], pairs: Pictures[]) {
  return page.evaluate(
    async ([from, wanted, names, files, isKept, limits]) => {
      const { MetricsClient } = (await import(from)) as { MetricsClient: typeof Client };
      const known = ((window as { clients?: Map<string, Client> }).clients ??= new Map());
      const clientOf = async (on: 'cpu' | 'gpu'): Promise<Client> => {
        const client = known.get(on) ?? (await MetricsClient.start(on));
        return known.set(on, client).get(on) as Client;
      };
      const [client, cpu] = [await clientOf(wanted), await clientOf('cpu')];
      const [measurer = cpu] = wanted === 'gpu' ? client.fedBy([cpu], limits) : [];
      const blob = (bytes: number[]): Blob => new Blob([new Uint8Array(bytes)]);
      const list = files.map(({ reference, candidate }) => ({ reference: blob(reference), candidate: blob(candidate) }));
      const { rows } = await measurer.measurePiece(names, list, 'equal');
      const { standing } = measurer;
      if (!isKept) {
        for (const one of known.values()) one.stop();
        known.clear();
      }
      return { standing, rows };
    },
    [`${address}client.js`, backend, metrics, pairs, page === kept, LIMITS] as const,
  );
}

/** The values that differ between two lists of rows by more than is promised, and the largest difference of all. */
function differing(one: Row[], other: Row[]): { wrong: string[]; largest: number; count: number } {
  const wrong: string[] = [];
  let [largest, count] = [0, 0];
  one.forEach((row, index) =>
    row.forEach(({ metric, value, problem }, at) => {
      const twin = other[index]?.[at];
      if (value === null || twin?.value == null) {
        if (problem !== twin?.problem) wrong.push(`${index} ${metric}: ${problem} and ${twin?.problem}`);
        return;
      }
      count += 1;
      const difference = value === twin.value ? 0 : Math.abs(value - twin.value);
      largest = Math.max(largest, difference);
      if (!(difference <= (SSIMS.includes(metric) ? SSIM_TOLERANCE : 0))) wrong.push(`${index} ${metric}: ${value} and ${twin.value}`);
    }),
  );
  return { wrong, largest, count };
}

test('WebGPU gives what Wasm on the CPU gives: whole numbers to the bit, SSIM within its tolerance', async ({ browser }) => {
  const page = await keptPage(browser);
  const pairs = SIZES.map(([width, height]) => pictures(width, height));
  const metrics = [...EXACT, ...SSIMS];
  const gpu = await measured(page, 'gpu', metrics, pairs);
  const cpu = await measured(page, 'cpu', metrics, pairs);
  expect(gpu.standing).toMatchObject({ backend: 'gpu', fallback: null });
  expect(cpu.standing).toMatchObject({ backend: 'cpu', fallback: null });
  expect(gpu.rows.flat().filter(({ backend }) => backend !== 'gpu')).toEqual([]);
  expect(cpu.rows.flat().filter(({ backend }) => backend !== 'cpu')).toEqual([]);
  const { wrong, largest, count } = differing(gpu.rows, cpu.rows);
  console.log(`${gpu.standing.adapter}: ${count} values, largest difference ${largest.toExponential(1)}`);
  expect(wrong).toEqual([]);
  // Small pictures have no SSIM, in the same words on both; the largest has every metric.
  expect(count).toBeGreaterThan(8 * EXACT.length + SSIMS.length);
  expect(gpu.rows.at(-1)?.map(({ value }) => value)).not.toContain(null);
});

test('another candidate is told apart in every metric', async ({ browser }) => {
  const page = await keptPage(browser);
  const [first, second] = [pictures(180, 177), pictures(65, 64)];
  // The reference against itself, where the CPU has the candidate.
  const swapped = { reference: first.reference, candidate: first.reference };
  const metrics = [...EXACT, ...SSIMS];
  const gpu = await measured(page, 'gpu', metrics, [swapped, second]);
  const cpu = await measured(page, 'cpu', metrics, [first, second]);
  const { wrong } = differing(gpu.rows, cpu.rows);
  // `changed` counts differences above 16; the errors here are at most 11.
  expect(wrong).toHaveLength(metrics.length - 1);
  expect(wrong.every((line) => line.startsWith('0 '))).toBe(true);
  expect(gpu.rows[0]?.find(({ metric }) => metric === 'psnr')?.value).toBe(Infinity);
});

test('a metric without a twin and an unreadable picture are told as such', async ({ browser }) => {
  const page = await keptPage(browser);
  const good = pictures(64, 65);
  const broken = { reference: good.reference, candidate: [1, 2, 3] };
  const { rows } = await measured(page, 'gpu', ['mse', 'pose'], [broken, good]);
  expect(rows[0]?.map(({ value }) => value)).toEqual([null, null]);
  expect(rows[0]?.[0]?.problem).toContain('Expected a PNG');
  expect(rows[1]?.[0]).toMatchObject({ backend: 'gpu', problem: null, fallback: null });
  expect(rows[1]?.[1]).toMatchObject({ backend: 'cpu', problem: null, fallback: 'pose is computed on the CPU alone' });
});

/** What a list of pairs comes to where three workers decode it for one GPU; `kept` is what they compute themselves. */
async function fed(
  page: Page,
  metrics: string[],
  pairs: Pictures[],
  { kept = [] as string[], sizes = 'equal' as 'equal' | 'resized', isLost = false } = {},
): Promise<Row[]> {
  return page.evaluate(
    async ([from, names, files, limits, rule, loses]) => {
      const { MetricsClient } = (await import(from)) as { MetricsClient: typeof Client };
      const gpu = await MetricsClient.start('gpu');
      const channel = new BroadcastChannel('lose the GPU');
      if (loses) {
        const understood = new Promise((resolve) => (channel.onmessage = resolve));
        channel.postMessage('after the first submission');
        await understood;
      }
      // Started later, they do not hear each other.
      const decoders = await Promise.all(Array.from({ length: 3 }, () => MetricsClient.start('cpu')));
      const measurers = gpu.fedBy(decoders, limits);
      const blob = (bytes: number[]): Blob => new Blob([new Uint8Array(bytes)]);
      const list = files.map(({ reference, candidate }) => ({ reference: blob(reference), candidate: blob(candidate) }));
      const rows: Row[] = [];
      let next = 0;
      const lane = async (at: number): Promise<void> => {
        for (let first = next; first < list.length; first = next) {
          next = first + 4;
          const piece = await measurers[at % 3]?.measurePiece(names, list.slice(first, first + 4), rule);
          piece?.rows.forEach((row, place) => (rows[first + place] = row));
        }
      };
      await Promise.all(Array.from({ length: 6 }, (_, at) => lane(at)));
      for (const one of [gpu, ...decoders]) one.stop();
      channel.close();
      return rows;
    },
    [`${address}client.js`, metrics, pairs, { ...LIMITS, kept }, sizes, isLost] as const,
  );
}

/** An array of four numbers, as NumPy saves it. */
function array(numbers: number[]): number[] {
  const head = "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }".padEnd(117) + '\n';
  const magic = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, head.length & 255, head.length >> 8]);
  return [...magic, ...Buffer.from(head), ...new Uint8Array(Float32Array.from(numbers).buffer)];
}

test('pairs that several workers decode for one GPU have the rows that one worker brings', async ({ page }) => {
  await page.goto(address);
  const { files } = JSON.parse(readFileSync(join(ROOT, 'tests/golden/jpeg.json'), 'utf8')) as { files: { jpeg: string }[] };
  const jpeg = [...Buffer.from(files[0]?.jpeg ?? '', 'hex')];
  const [one, other] = [pictures(65, 64), pictures(33, 40)];
  const odd: Pictures[] = [
    { reference: one.reference, candidate: other.candidate },
    { reference: one.reference, candidate: [1, 2, 3] },
    { reference: jpeg, candidate: jpeg },
    { reference: jpeg, candidate: one.candidate },
    { reference: array([1, 0, 0, 1]), candidate: array([0, 1, 0, 1]) },
    { reference: one.reference, candidate: array([0, 1, 0, 1]) },
  ];
  const even = Array.from({ length: 18 }, (_, at) => pictures(40 + at, 64));
  const metrics = ['mse', 'phash', 'ssim', 'cosine', 'edge_mse', 'depth'];
  const all = [...odd, ...even];
  const direct = await measured(page, 'gpu', metrics, all);
  const rows = await fed(page, metrics, all);
  expect(rows).toEqual(direct.rows);
  expect(rows.at(-1)?.map(({ backend }) => backend)).toEqual(['gpu', 'cpu', 'gpu', 'cpu', 'gpu', 'cpu']);
  expect(rows.at(-1)?.[1]?.fallback).toContain('phash is computed on the CPU');
  expect(rows[1]?.every(({ problem }) => problem?.startsWith('Expected a PNG') === true)).toBe(true);
  expect(rows[4]?.[3]).toMatchObject({ backend: 'cpu', problem: null, fallback: null });
  expect(rows[4]?.[3]?.value).toBeCloseTo(0.5);
  // The pairs are not each other's.
  expect(new Set(rows.slice(odd.length).map((row) => row[0]?.candidate)).size).toBe(even.length);
  // Only the first pair has two sizes.
  expect(rows[0]?.[0]?.value).toBeNull();
  const [resized] = await fed(page, metrics, odd.slice(0, 1), { sizes: 'resized' });
  expect(resized?.map(({ value }) => value !== null)).toEqual([true, true, true, false, true, true]);
  // What decoders keep is the CPU's by choice.
  const [kept] = await fed(page, metrics, even.slice(0, 1), { kept: ['mse', 'phash', 'cosine', 'edge_mse', 'depth'] });
  expect(kept?.map(({ backend, fallback }) => [backend, fallback])).toEqual(metrics.map((metric) => [metric === 'ssim' ? 'gpu' : 'cpu', null]));
});

test('a GPU that is lost on the way leaves the rest to the CPU, with the reason at each value and no other number', async ({ page }) => {
  await page.goto(address);
  const list = Array.from({ length: 40 }, (_, at) => pictures(30 + at, 33));
  const metrics = ['mse', 'ssim', 'phash'];
  const rows = await fed(page, metrics, list, { isLost: true });
  const cpu = await measured(page, 'cpu', metrics, list);
  const { wrong, count } = differing(rows, cpu.rows);
  expect(wrong).toEqual([]);
  expect(count).toBe(list.length * metrics.length);
  const twins = rows.map((row) => row.slice(0, 2));
  const left = twins.flat().filter(({ backend }) => backend === 'cpu');
  // A second submission was on its way; all that came later is the CPU's.
  expect(left.length).toBeGreaterThan(40);
  expect(left.length).toBeLessThan(2 * list.length);
  expect(twins.at(-1)?.map(({ backend }) => backend)).toEqual(['cpu', 'cpu']);
  expect(left.filter(({ fallback }) => fallback?.startsWith('the GPU was lost: ') !== true)).toEqual([]);
});

/** A GPU and decoders by hand: each call is answered when the test says so. */
function handFed(limits: typeof LIMITS) {
  const value = (metric: string): Measured =>
    ({ metric, value: 1, backend: 'cpu', problem: null, fallback: null, width: 1, height: 1, reference: '', candidate: '' }) as Measured;
  const time = (some: Partial<StageTimes>): StageTimes => ({ reading_ms: 0, decoding_ms: 0, computing_ms: 0, gpu_ms: 0, ...some });
  const submissions: { metrics: string[]; pairs: Brought[]; end(error?: Error): void }[] = [];
  let decoded = 0;
  const feed = new Feed(
    {
      complete: (metrics, pairs) =>
        new Promise((resolve, reject) =>
          submissions.push({
            metrics,
            pairs,
            end: (error) => (error === undefined ? resolve({ rows: pairs.map(() => metrics.map(value)), spent: [time({ gpu_ms: 8 })] }) : reject(error)),
          }),
        ),
    },
    limits,
  );
  const decoder = {
    decode: (metrics: string[]): Promise<Brought> => {
      decoded += 1;
      // A pair of arrays is the decoder's own.
      const isWhole = metrics.includes('cosine');
      return Promise.resolve({ row: metrics.map((metric) => (isWhole ? value(metric) : null)), planes: null, spent: time({ decoding_ms: 3 }) });
    },
  };
  const measure = (metrics: string[], count: number): Promise<Rows> =>
    feed.measurePiece(
      decoder,
      metrics,
      Array.from({ length: count }, () => ({ reference: new Blob(), candidate: new Blob() })),
      'equal',
    );
  return { submissions, measure, decoded: () => decoded };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test('few decoded pairs wait for the GPU, and several go into one submission', async () => {
  const { submissions, measure, decoded } = handFed(LIMITS);
  const pieces = Array.from({ length: 6 }, () => measure(['ssim'], 4));
  await settle();
  // Two submissions are with the GPU; seven pairs are decoded and wait, and no more are.
  expect(submissions.map(({ pairs }) => pairs.length)).toEqual([1, 1]);
  expect(decoded()).toBe(2 + LIMITS.ahead);
  submissions[0]?.end();
  await settle();
  expect(submissions.map(({ pairs }) => pairs.length)).toEqual([1, 1, 4]);
  expect(decoded()).toBe(6 + LIMITS.ahead);
  for (let at = 1; at < submissions.length; at += 1) {
    submissions[at]?.end();
    await settle();
  }
  const came = await Promise.all(pieces);
  expect(came.map(({ rows }) => rows.length)).toEqual([4, 4, 4, 4, 4, 4]);
  // Each pair's decoding is counted, and each submission once.
  const spent = came.flatMap((piece) => piece.spent);
  expect(spent.reduce((sum, { decoding_ms }) => sum + decoding_ms, 0)).toBe(3 * 24);
  expect(spent.reduce((sum, { gpu_ms }) => sum + gpu_ms, 0)).toBe(8 * submissions.length);
  expect(submissions.every(({ pairs }) => pairs.length <= LIMITS.together)).toBe(true);
  expect(submissions.reduce((sum, { pairs }) => sum + pairs.length, 0)).toBe(24);
});

test('pairs that want other metrics go into another submission, and rows that are whole into none', async () => {
  const { submissions, measure } = handFed({ ...LIMITS, submissions: 1 });
  const [first, ...others] = [measure(['ssim'], 1), measure(['ssim'], 1), measure(['mse'], 1), measure(['ssim'], 1)];
  expect((await measure(['cosine'], 3)).rows).toHaveLength(3);
  await settle();
  submissions[0]?.end();
  expect((await first)?.rows).toHaveLength(1);
  const failed = Promise.allSettled(others);
  for (let at = 1; at < 4; at += 1) {
    await settle();
    submissions[at]?.end(at === 2 ? new Error('lost') : undefined);
  }
  expect(submissions.map(({ metrics }) => metrics[0])).toEqual(['ssim', 'ssim', 'mse', 'ssim']);
  expect((await failed).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

/** What a choice of whichever is faster finds out, in a page of this address. */
const found = (page: Page, from: string, metrics: string[]) =>
  page.evaluate(
    async ([client, names]) => {
      const { MetricsClient } = (await import(client)) as { MetricsClient: typeof Client };
      const started = await MetricsClient.start('auto', names);
      started.stop();
      return { standing: started.standing, kept: JSON.parse(localStorage.getItem('juror-gpu-trials') ?? '[]') as unknown[] };
    },
    [`${from}client.js`, metrics] as const,
  );

test('a software GPU is known as one without a trial', async ({ page }) => {
  await page.goto(address);
  const { standing, kept } = await found(page, address, ['mse', 'ssim']);
  expect(standing).toMatchObject({ backend: 'cpu', fallback: null, trial: { is_software: true, times: [] } });
  expect(kept).toEqual([]);
});

test('another GPU is compared with the CPU once for each metric, and the times are kept by its name', async ({ page }) => {
  const pretends = "Object.defineProperty(GPUAdapterInfo.prototype, 'isFallbackAdapter', { get: () => false });\n";
  const other = await serveFolder(folder.path, (name, text) => (name.includes('worker') ? pretends + text : text));
  try {
    await page.goto(other.address);
    const first = await found(page, other.address, ['mse', 'phash']);
    const { trial } = first.standing;
    expect(trial).toMatchObject({ adapter: 'google swiftshader', is_software: false });
    expect(trial?.times.map(({ metric, gpu_ms }) => [metric, gpu_ms === null])).toEqual([
      ['mse', false],
      ['phash', true],
    ]);
    const numbers = [trial?.decoding_ms, ...(trial?.times.flatMap(({ gpu_ms, cpu_ms }) => [gpu_ms ?? 0, cpu_ms]) ?? [])];
    expect(numbers.every((ms) => ms !== undefined && Number.isFinite(ms) && ms >= 0)).toBe(true);
    expect(first.kept).toEqual([trial]);
    // What is known is not timed again: the very numbers come back, with those of another metric behind them.
    const second = await found(page, other.address, ['phash', 'changed']);
    expect(second.standing.trial?.times.slice(0, 2)).toEqual(trial?.times);
    expect(second.standing.trial?.times.map(({ metric }) => metric)).toEqual(['mse', 'phash', 'changed']);
    const third = await found(page, other.address, ['mse', 'changed']);
    expect(third.standing.trial).toEqual(second.standing.trial);
    expect(third.kept).toEqual([third.standing.trial]);
  } finally {
    other.close();
  }
});

test('without WebGPU the CPU stands in and says why', async ({ playwright }) => {
  const browser = await playwright.chromium.launch(launch('--disable-blink-features=WebGPU'));
  const page = await browser.newPage();
  await page.goto(address);
  const { standing, rows } = await measured(page, 'gpu', ['mse'], [pictures(9, 8)]);
  expect(standing.backend).toBe('cpu');
  expect(standing.fallback).toContain('expected a GPU');
  expect(rows[0]?.[0]).toMatchObject({ backend: 'cpu', problem: null });
  await browser.close();
});
