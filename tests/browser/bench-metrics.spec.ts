/**
 * Times image metrics beside other tools and prints Markdown tables; `cargo xtask bench metrics` runs it.
 *
 * For each work and size everyone who does it is asked by turns, so that a busy machine hits all alike: Juror natively and
 * in Chromium, JavaScript packages in the same page, Python tools in a process of their own. The fastest of all turns counts,
 * and values are held together. `JUROR_PYTHON` names the Python with the tools (else `python3`); `JUROR_BENCH_SIDES`,
 * `JUROR_BENCH_TURNS` and `JUROR_BENCH_PAIRS` make a run shorter.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test, type Page } from '../../www/node_modules/@playwright/test';
import { ROOT, TempFolder } from './helpers';
import { serve, type Server } from './pages';
import { launch } from './server';

test.use({ launchOptions: launch('--enable-unsafe-webgpu', '--enable-features=Vulkan') });

const env = (name: string, otherwise: string): string => process.env[`JUROR_BENCH_${name}`] ?? otherwise;
const SIDES = env('SIDES', '512,1024,2048').split(',').map(Number);
const TURNS = Number(env('TURNS', '3'));
const PAIRS = Number(env('PAIRS', '1000'));
/** The size of the aims, which gets three times as many turns. */
const MAIN = 1024;
/** One worker and two take turns with parts of a batch. */
const PARTS = Math.min(25, PAIRS);
/** How Juror itself computes: on a core and on the GPU, in a process and in a page. */
const OWN = ['native', 'native GPU', 'Wasm', 'WebGPU'] as const;
const MODULES = join(ROOT, 'www/node_modules');
const FILES: Record<string, string> = {
  'ssim.js': join(MODULES, 'ssim.js/dist/ssim.web.js'),
  'blazediff.js': join(MODULES, '@blazediff/ssim/dist/ssim.mjs'),
  'hitchhikers.js': join(MODULES, '@blazediff/ssim/dist/hitchhikers-ssim.mjs'),
  'opencv.js': join(MODULES, '@techstark/opencv-js/dist/opencv.js'),
  'bench-page.mjs': join(__dirname, 'bench-page.mjs'),
  'bench-worker.mjs': join(__dirname, 'bench-worker.mjs'),
};

/** What one of those asked answers. */
interface Answer {
  who: string;
  ms: number;
  value: number;
  /** How far the value may lie from Juror's, relative; none where it must be equal to the bit. */
  tolerance?: number;
  /** What it does otherwise, so that its value is another. */
  otherwise?: string;
  /** A JavaScript package that visits every window or pixel. */
  isWholePackage?: boolean;
}

/** A process that answers a line with a line. */
class Asked {
  readonly #lines: AsyncIterator<string>;
  readonly #child;

  constructor(program: string, args: string[]) {
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface(this.#child.stdout);
    this.#child.on('error', () => lines.close());
    this.#child.stdin.on('error', () => undefined);
    this.#lines = lines[Symbol.asyncIterator]();
  }

  /** The next line as JSON; undefined where the process ended. */
  async hear<T>(): Promise<T | undefined> {
    const { value, done } = (await this.#lines.next()) as IteratorResult<string, undefined>;
    return done === true ? undefined : (JSON.parse(value) as T);
  }

  async ask(line: string): Promise<Answer[]> {
    this.#child.stdin.write(`${line}\n`);
    const answers = await this.hear<Answer[]>();
    if (answers === undefined) throw new Error(`A process ended when it was asked for ${line}.`);
    return answers;
  }

  stop(): void {
    this.#child.stdin.end();
  }
}

/** All answers of one work and size, by who gave them: the fastest. */
class Times {
  readonly #rows = new Map<string, Answer>();

  static key(work: string, side: number, who: string): string {
    return [work, side, who].join('|');
  }

  add(work: string, side: number, answer: Answer): void {
    const key = Times.key(work, side, answer.who);
    const known = this.#rows.get(key);
    if (known === undefined || answer.ms < known.ms) this.#rows.set(key, answer);
  }

  of(work: string, side: number, who: string): Answer | undefined {
    return this.#rows.get(Times.key(work, side, who));
  }

  ms(work: string, side: number, who: string): number | undefined {
    return this.of(work, side, who)?.ms;
  }

  /** Those who do a work besides Juror. */
  peers(work: string): string[] {
    const own: readonly string[] = OWN;
    const whose = [...this.#rows.keys()].map((key) => key.split('|')).filter(([of]) => of === work);
    return [...new Set(whose.map(([, , who]) => who ?? ''))].filter((who) => !own.includes(who));
  }

  /** Fails where a value is not Juror's. */
  holdTogether(work: string, side: number): void {
    const own = this.of(work, side, 'native')?.value ?? NaN;
    for (const who of [...this.peers(work), ...OWN.slice(1)]) {
      const answer = this.of(work, side, who);
      if (answer === undefined || answer.otherwise !== undefined) continue;
      const allowed = (answer.tolerance ?? 0) * Math.abs(own);
      expect(Math.abs(answer.value - own), `${work} ${side}: ${who} has ${answer.value}, Juror ${own}`).toBeLessThanOrEqual(allowed);
    }
  }
}

let folder: TempFolder;
let server: Server;

test.beforeAll(async () => {
  folder = new TempFolder();
  const wasm = process.env.JUROR_BENCH_WASM ?? '';
  server = await serve((request, response) => {
    const name = (request.url ?? '/').slice(1);
    const path = name === '' ? undefined : [FILES[name], join(wasm, name)].find((one) => one !== undefined && existsSync(one));
    // A page of its own origin alone has the fine clock.
    response
      .setHeader('cache-control', 'no-store')
      .setHeader('cross-origin-opener-policy', 'same-origin')
      .setHeader('cross-origin-embedder-policy', 'require-corp');
    if (name === '')
      response
        .setHeader('content-type', 'text/html')
        .end(
          '<!doctype html><meta charset="utf-8"><title>bench</title><link rel="icon" href="data:,"><script src="ssim.js"></script><script src="opencv.js"></script>',
        );
    else if (path === undefined) response.writeHead(404).end();
    else response.setHeader('content-type', name.endsWith('.wasm') ? 'application/wasm' : 'text/javascript; charset=utf-8').end(readFileSync(path));
  });
});

test.afterAll(async () => {
  await server.stop();
  folder.remove();
});

/** What `bench-page.mjs` gives to the page. */
interface InPage {
  bench: Record<string, (...given: unknown[]) => unknown>;
}

function inPage<T>(page: Page, call: string, ...args: unknown[]): Promise<T> {
  return page.evaluate(([name, given]) => (globalThis as unknown as InPage).bench[name]!(...given) as Promise<T>, [call, args] as const);
}

const shown = (value: number | undefined): string => (value === undefined ? '–' : value >= 100 ? value.toFixed(0) : value.toPrecision(value < 1 ? 2 : 3));
const ratio = (upper: number | undefined, lower: number | undefined): number | undefined =>
  upper === undefined || lower === undefined ? undefined : upper / lower;

function table(head: string[], rows: string[][]): void {
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  console.log(['', line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line), ''].join('\n'));
}

/** Seconds of all parts of a batch, and of a pair in the fastest part. */
interface Batch {
  secs: number;
  fastest: number;
}

interface Batches {
  one: Batch;
  two: Batch;
  gpu: { side: number; pairs: number; secs: number } | undefined;
  adapter: string;
}

const isPlayed = (adapter: string): boolean => /swiftshader|llvmpipe/i.test(adapter);

/** Decoded pairs on one worker and on two by turns, and on the GPU; one that the CPU plays takes half a minute for a small pair. */
async function batch(page: Page, adapter: string): Promise<Batches> {
  const [one, two] = [1, 2].map(() => ({ secs: 0, fastest: Infinity }));
  await inPage(page, 'hire', 2, MAIN, 'cpu', 2);
  for (let part = 0; part < PARTS; part += 1) {
    const pairs = Math.floor(((part + 1) * PAIRS) / PARTS) - Math.floor((part * PAIRS) / PARTS);
    for (const [num, sum] of [
      [1, one],
      [2, two],
    ] as const) {
      const secs = (await inPage<number>(page, 'batch', num, pairs)) / 1e3;
      sum!.secs += secs;
      sum!.fastest = Math.min(sum!.fastest, secs / pairs);
    }
  }
  const played = isPlayed(adapter);
  const [side, pairs] = played ? [512, 1] : [MAIN, PAIRS];
  if (adapter === '') return { one: one!, two: two!, gpu: undefined, adapter: 'none' };
  await inPage(page, 'hire', 1, side, 'gpu', played ? 0 : 2);
  return { one: one!, two: two!, gpu: { side, pairs, secs: (await inPage<number>(page, 'batch', 1, pairs)) / 1e3 }, adapter };
}

function aims(times: Times, { one, two, gpu, adapter }: Batches): string[][] {
  const at = (work: string, who: string): number | undefined => times.ms(work, MAIN, who);
  const rows: string[][] = [];
  const add = (aim: string, found: number | undefined, least: number, isMost = false): void => {
    const verdict = found === undefined ? 'not measured' : (isMost ? found <= least : found >= least) ? 'met' : '**missed**';
    rows.push([aim, isMost ? `≤ ${least}` : `≥ ${least}`, shown(found), verdict]);
  };
  const everyWindow = ['SSIM 7 × 7, grey', 'SSIM Gaussian, grey'].flatMap((work) =>
    times
      .peers(work)
      .filter((who) => times.of(work, MAIN, who)?.isWholePackage === true)
      .map((who) => ratio(at(work, who), at(work, 'Wasm')) ?? NaN),
  );
  add('Wasm SSIM 7 × 7 RGB: times scikit-image', ratio(at('SSIM 7 × 7, RGB', 'scikit-image'), at('SSIM 7 × 7, RGB', 'Wasm')), 12);
  add('Wasm SSIM Gaussian RGB: times scikit-image', ratio(at('SSIM Gaussian, RGB', 'scikit-image'), at('SSIM Gaussian, RGB', 'Wasm')), 6);
  add('Wasm SSIM grey: times the fastest package that visits every window', everyWindow.length === 0 ? undefined : Math.min(...everyWindow), 1);
  add('Wasm Canny: times opencv.js', ratio(at('Canny, grey', 'opencv.js'), at('Canny, grey', 'Wasm')), 1.5);
  add('Wasm MSE: times opencv.js', ratio(at('MSE, RGB', 'opencv.js'), at('MSE, RGB', 'Wasm')), 1);
  add('native Canny: its time over OpenCV’s', ratio(at('Canny, grey', 'native'), at('Canny, grey', 'OpenCV')), 2, true);
  add('native MSE: its time over that of reading both pictures', ratio(at('MSE, RGB', 'native'), at('reading both, RGB', 'native')), 2, true);
  add(`${PAIRS} decoded pairs in Wasm (MSE, SSIM 7 × 7 RGB, Canny): two workers over one`, one.fastest / two.fastest, 1.8);
  for (const format of ['PNG', 'JPEG']) {
    const alone = at(`decode two ${format}`, 'Wasm');
    for (const ssim of ['RGB', 'grey'])
      add(
        `two ${format} in Wasm: decoding, MSE, SSIM 7 × 7 ${ssim}, Canny over decoding alone`,
        ratio(at(`decode two ${format}; MSE, SSIM 7 × 7 ${ssim}, Canny`, 'Wasm'), alone),
        1.5,
        true,
      );
  }
  const played = isPlayed(adapter);
  add(
    `batch on WebGPU: times one CPU core in Wasm${played ? ` (here the CPU plays the GPU: ${adapter})` : ''}`,
    played || gpu === undefined ? undefined : (gpu.pairs / gpu.secs) * one.fastest,
    10,
  );
  return rows;
}

test('image metrics beside other tools', async ({ page, browser }) => {
  const native = new Asked(process.env.JUROR_BENCH_PROGRAM ?? '', [folder.path, ...SIDES.map(String)]);
  const said = await native.hear<{ works: string[]; adapter: string }>();
  if (said === undefined) throw new Error('JUROR_BENCH_PROGRAM is not the program.');
  const { works } = said;
  console.log(`native GPU: ${said.adapter || 'none'}`);
  const program = process.env.JUROR_PYTHON ?? 'python3';
  const python = new Asked(program, [join(ROOT, 'tests/src/bin/bench_metrics.py'), folder.path]);
  const tools = (await python.hear<Record<string, string>>()) ?? {};
  for (const wanted of ['OpenCV', 'scikit-image', 'torchmetrics'])
    if (tools[wanted] === undefined) console.log(`SKIPPED: ${wanted}, which ${program} does not have`);
  page.on('console', (said) => console.log(said.text()));
  await page.goto(server.address);
  await page.addScriptTag({ url: '/bench-page.mjs', type: 'module' });
  await page.waitForFunction(() => 'bench' in globalThis);

  const times = new Times();
  let adapter = '';
  for (const side of SIDES) {
    adapter = await inPage<string>(page, 'draw', side);
    for (const work of works) {
      for (let turn = 0; turn < (side === MAIN ? 3 * TURNS : TURNS); turn += 1) {
        const askPython = Object.keys(tools).length > 0 ? python.ask(`${side} ${work}`) : Promise.resolve([]);
        const answers = [
          await askPython,
          await native.ask(`${side} ${work}`),
          await inPage<Answer[]>(page, 'wasm', work),
          await inPage<Answer[]>(page, 'packages', work),
        ];
        for (const answer of answers.flat()) times.add(work, side, answer);
      }
      if (!isPlayed(adapter) || side === Math.min(...SIDES)) for (const answer of await inPage<Answer[]>(page, 'gpu', work)) times.add(work, side, answer);
      times.holdTogether(work, side);
      console.log(`${work} ${side}: ${[...OWN, ...times.peers(work)].map((who) => `${who} ${shown(times.ms(work, side, who))}`).join(', ')}`);
    }
  }
  native.stop();
  python.stop();

  const batches = await batch(page, adapter);

  const columns = OWN.flatMap((who) => SIDES.map((side) => [who, side] as const)).filter(([who, side]) =>
    works.some((work) => times.of(work, side, who) !== undefined),
  );
  console.log(
    `Chromium ${browser.version()}; ${cpus()[0]?.model ?? ''}, ${cpus().length} cores; native GPU: ${said.adapter || 'none'}; WebGPU: ${batches.adapter}; ${Object.entries(
      tools,
    )
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}`,
  );
  table(
    ['Juror alone, ms, on a square pair of this side (native GPU: its share of a batch)', ...columns.map(([who, side]) => `${who} ${side}`)],
    works.map((work) => [work, ...columns.map(([who, side]) => shown(times.ms(work, side, who)))]),
  );
  table(
    ['the same work by', 'of', ...SIDES.map((side) => `ms at ${side}`), `× native at ${MAIN}`, `× Wasm at ${MAIN}`, 'otherwise'],
    works.flatMap((work) =>
      times
        .peers(work)
        .map((peer) => [
          peer,
          work,
          ...SIDES.map((side) => shown(times.ms(work, side, peer))),
          ...['native', 'Wasm'].map((one) => shown(ratio(times.ms(work, MAIN, peer), times.ms(work, MAIN, one)))),
          times.of(work, MAIN, peer)?.otherwise ?? '',
        ]),
    ),
  );
  const { one, two, gpu } = batches;
  table(
    ['decoded pairs: MSE, SSIM 7 × 7 RGB, Canny', 'side', 'pairs', 's', 'pairs / s', `ms a pair, fastest of ${PARTS} parts`],
    [
      ...[one, two].map(({ secs, fastest }, at) => [
        `Wasm, ${['one worker', 'two workers'][at] ?? ''}`,
        String(MAIN),
        String(PAIRS),
        shown(secs),
        shown(PAIRS / secs),
        shown(1e3 * fastest),
      ]),
      ...(gpu === undefined ? [] : [[`WebGPU, ${adapter}`, String(gpu.side), String(gpu.pairs), shown(gpu.secs), shown(gpu.pairs / gpu.secs), '']]),
    ],
  );
  table(['aim at 1024²', '', 'found', 'verdict'], aims(times, batches));
});
