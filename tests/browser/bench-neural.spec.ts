/**
 * What networks of CLIP's shapes take as Wasm in Chromium: on rten in the workers that the page runs them in, one and two of them, and
 * on onnxruntime-web's Wasm with one thread, which is given the picture's numbers and so neither decodes nor prepares anything.
 * `JUROR_BENCH_PROGRAM` writes the packs. Prints one Markdown table.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, test } from '../../www/node_modules/@playwright/test';
import type { Browser, Page } from '../../www/node_modules/@playwright/test';
import { TempFolder, openPage, pngOf } from './helpers';
import { DIST } from './server';

/** Shapes with the pictures that each is given; the packs are 0.35, 0.35 and 1.2 GB. */
const SHAPES: [string, number][] = [
  ['vit-b-32', 12],
  ['vit-b-16', 8],
  ['vit-l-14', 6],
];
const SIDE = 512;
const ORT = join(__dirname, '../../www/node_modules/onnxruntime-web/dist');

/** A worker that runs a graph on onnxruntime-web and says how long each run took. */
const ORT_WORKER = `
import * as ort from './ort.wasm.bundle.min.mjs';
ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = new URL('./', import.meta.url).href;
self.onmessage = async ({ data: { graph, weights, runs } }) => {
  try {
    const begun = performance.now();
    const bytes = async (file) => new Uint8Array(await file.arrayBuffer());
    const externalData = [{ path: 'image.data', data: await bytes(weights) }];
    const session = await ort.InferenceSession.create(await bytes(graph), { executionProviders: ['wasm'], externalData });
    const numbers = Float32Array.from({ length: 3 * 224 * 224 }, (_, at) => ((at * 7919) % 1000) / 250 - 2);
    const feeds = { pixel_values: new ort.Tensor('float32', numbers, [1, 3, 224, 224]) };
    await session.run(feeds);
    const load = performance.now() - begun;
    const took = [];
    for (let at = 0; at < runs; at += 1) {
      const before = performance.now();
      await session.run(feeds);
      took.push(performance.now() - before);
    }
    self.postMessage({ load, took });
  } catch (error) {
    self.postMessage({ message: String(error) });
  }
};`;

interface Timed {
  load: number;
  /** Milliseconds of each picture, the wait of one worker. */
  took: number[];
  /** Milliseconds of all of them. */
  whole: number;
}

function picture(seed: number): string {
  const row = (y: number): number[] => [0, ...Array.from({ length: 3 * SIDE }, (_, at) => (((at / 3) | 0) * (3 + seed) + y * 5 + (at % 3) * 40) % 256)];
  return pngOf(SIDE, SIDE, deflateSync(Uint8Array.from(Array.from({ length: SIDE }, (_, y) => row(y)).flat()))).toString('base64');
}

/** On rten, dealt out to so many workers. */
function onRten(page: Page, workers: number, count: number): Promise<Timed> {
  const script = readdirSync(join(DIST, 'assets')).find((name) => /^networks\.worker-.*\.js$/.test(name));
  return page.evaluate(
    async ({ script, pictures, workers }) => {
      const start = (): ((question: object) => Promise<unknown>) => {
        const worker = new Worker(`./assets/${script}`, { type: 'module' });
        let id = 0;
        return (question) =>
          new Promise((resolve, reject) => {
            worker.onmessage = ({ data }: MessageEvent<Record<string, unknown>>) => ('code' in data ? reject(new Error(String(data.message))) : resolve(data));
            worker.postMessage({ id: ++id, ...question });
          });
      };
      const files = [...((document.querySelector('#pack') as HTMLInputElement).files ?? [])];
      const packs = [{ paths: files.map((file) => file.webkitRelativePath), files }];
      const asks = Array.from({ length: workers }, start);
      const began = performance.now();
      await Promise.all(
        asks.map(async (ask) => {
          await ask({ profile: 'released', runner: 'cpu', packs, again: true });
          await ask({ check: 'clip' });
        }),
      );
      const load = performance.now() - began;
      const took: number[] = [];
      const waiting = pictures.map((one) => new Blob([Uint8Array.from(atob(one), (character) => character.charCodeAt(0))]));
      const dealt = performance.now();
      await Promise.all(
        asks.map(async (ask) => {
          for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
            const before = performance.now();
            await ask({ embed: 'clip', picture: one });
            took.push(performance.now() - before);
          }
        }),
      );
      return { load, took, whole: performance.now() - dealt };
    },
    { script, workers, pictures: Array.from({ length: count }, (_, at) => picture(at)) },
  );
}

/** On onnxruntime-web's Wasm, in one worker with one thread. */
async function onOrt(page: Page, count: number): Promise<Timed> {
  await page.context().route('**/bench-ort/*', (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    const isScript = name === 'worker.mjs';
    const contentType = name.endsWith('.wasm') ? 'application/wasm' : 'text/javascript';
    return route.fulfill({ contentType, body: isScript ? ORT_WORKER : readFileSync(join(ORT, name)) });
  });
  const found = await page.evaluate(
    (runs) =>
      new Promise<{ load: number; took: number[] } | { message: string }>((resolve) => {
        const files = [...((document.querySelector('#pack') as HTMLInputElement).files ?? [])];
        const named = (name: string): File | undefined => files.find((file) => file.name === name);
        const worker = new Worker('./bench-ort/worker.mjs', { type: 'module' });
        worker.onerror = ({ message }) => resolve({ message });
        worker.onmessage = ({ data }: MessageEvent<{ load: number; took: number[] }>) => resolve(data);
        worker.postMessage({ graph: named('image.onnx'), weights: named('image.data'), runs });
      }),
    count,
  );
  if ('message' in found) throw new Error(found.message);
  return { ...found, whole: found.took.reduce((sum, one) => sum + one, 0) };
}

/** What a measurement in a page of its own gave, with the most memory of its process. */
async function alone(browser: Browser, pack: string, measure: (page: Page) => Promise<Timed>): Promise<Timed & { peak: number }> {
  // The page's rules let no script start a worker by its address.
  const page = await (await browser.newContext({ bypassCSP: true })).newPage();
  await openPage(page);
  await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<input type="file" id="pack" webkitdirectory>'));
  await page.locator('#pack').setInputFiles(pack);
  const found = await measure(page);
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const peaks = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1024);
  await page.context().close();
  return { ...found, peak: Math.max(...peaks) };
}

test('networks of CLIP’s shapes as Wasm', async ({ browser }) => {
  test.setTimeout(1_800_000);
  const rows: string[] = [];
  const ms = (value: number | undefined): string => `${(value ?? NaN).toFixed(0)} ms`;
  for (const [shape, count] of SHAPES) {
    const folder = new TempFolder();
    execFileSync(process.env.JUROR_BENCH_PROGRAM ?? '', ['pack', shape, folder.at('pack')]);
    const ways: [string, (page: Page) => Promise<Timed>][] = [
      ['rten 0.27, 1 worker', (page) => onRten(page, 1, count)],
      ['rten 0.27, 2 workers', (page) => onRten(page, 2, count)],
      ['onnxruntime-web, 1 thread', (page) => onOrt(page, count)],
    ];
    const throughputs: number[] = [];
    for (const [way, measure] of ways) {
      const { load, took, whole, peak } = await alone(browser, folder.at('pack'), measure);
      const sorted = [...took].sort((a, b) => a - b);
      expect(sorted).toHaveLength(count);
      throughputs.push(count / whole);
      const times = (throughputs.at(-1) ?? NaN) / (throughputs[0] ?? NaN);
      rows.push(
        `| ${shape}, ${way} | ${ms(load)} | ${ms(sorted[count / 2])} | ${ms(sorted[0])} | ${ms(sorted.at(-1))} | ${times.toFixed(2)} | ${peak.toFixed(0)} MiB |`,
      );
    }
    folder.remove();
  }
  const head =
    '| Wasm in Chromium | load and first run | a picture: median | least | most | pictures a second, over one worker of rten | peak memory of the page’s process |';
  console.log(['', head, '|---|---|---|---|---|---|---|', ...rows, ''].join('\n'));
});
