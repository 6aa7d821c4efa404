/** What `bench-metrics.spec.ts` asks of the page: Juror as Wasm and on WebGPU, and JavaScript packages on the same pictures. */
import init, { Bench } from '/juror.js';
import { ssim as blazediff } from '/blazediff.js';
import { hitchhikersSSIM } from '/hitchhikers.js';

/** A work is done again and again for so long, and at least once; the fastest counts. */
const VISIT_MS = 60;
/** Relative: sums in another order; f32 in a shader. */
const [SAME, SINGLE] = [1e-9, 1e-4];

await init();
/** opencv.js is there when its own Wasm is. */
const [cv] = await ready(globalThis.cv);
const { ssim: ssimJs } = globalThis.ssim;
/** The pair at hand. */
let bench;
let works = {};
let hasGpu = true;
let workers = [];

/** The module in an array: it may be a promise, or call back and have a `then` that makes `await` wait for ever. */
async function ready(module) {
  if (module instanceof Promise) return [await module];
  if (module.Mat === undefined) await new Promise((resolve) => (module.onRuntimeInitialized = resolve));
  return [module];
}

async function fastest(once) {
  const begin = performance.now();
  let [ms, value] = [Infinity, NaN];
  do {
    const start = performance.now();
    value = once();
    if (value instanceof Promise) value = await value;
    ms = Math.min(ms, performance.now() - start);
  } while (performance.now() - begin < VISIT_MS);
  return { ms, value };
}

function rgba(grey) {
  const out = new Uint8ClampedArray(4 * grey.length).fill(255);
  grey.forEach((value, at) => out.fill(value, 4 * at, 4 * at + 3));
  return out;
}

/** What the browser says of its GPU. */
async function adapter() {
  const { info } = await navigator.gpu.requestAdapter({ powerPreference: 'high-performance' });
  return [info.vendor, info.architecture, info.description].filter((word) => word !== '').join(' ');
}

/** What each package does: who, the work, and how its value differs in kind. */
function packages(side) {
  const [r, c, gr, gc] = ['r', 'c', 'gr', 'gc'].map((name) => bench.samples(name));
  const [one, other] = [rgba(gr), rgba(gc)];
  const [first, second] = [new ImageData(one, side, side), new ImageData(other, side, side)];
  const mat = (bytes, kind) => {
    const made = new cv.Mat(side, side, kind);
    made.data.set(bytes);
    return made;
  };
  const [mr, mc, mg, edges] = [mat(r, cv.CV_8UC3), mat(c, cv.CV_8UC3), mat(gr, cv.CV_8UC1), new cv.Mat()];
  const whole = { downsample: false };
  return {
    free: () => [mr, mc, mg, edges].forEach((matrix) => matrix.delete()),
    'MSE, RGB': [{ who: 'opencv.js', tolerance: SAME, once: () => cv.norm1(mr, mc, cv.NORM_L2) ** 2 / r.length }],
    'Canny, grey': [{ who: 'opencv.js', tolerance: SAME, once: () => (cv.Canny(mg, edges, 100, 200), cv.countNonZero(edges)) }],
    'SSIM 7 × 7, grey': [
      {
        who: 'ssim.js, weber',
        otherwise: 'makes grey of RGBA; population covariance, windows’ sums cut to whole numbers',
        once: () => ssimJs(first, second, { ...whole, ssim: 'weber', windowSize: 7 }).mssim,
      },
      {
        who: '@blazediff/ssim, hitchhikers, stride 1',
        otherwise: 'makes grey of RGBA; population covariance, squares in f32',
        once: () => hitchhikersSSIM(one, other, undefined, side, side, { windowSize: 7, windowStride: 1, covPooling: false }),
      },
    ],
    'SSIM Gaussian, grey': [
      { who: 'ssim.js, fast', otherwise: 'makes grey of RGBA', once: () => ssimJs(first, second, { ...whole, ssim: 'fast' }).mssim },
      {
        who: '@blazediff/ssim, ssim',
        isWholePackage: false,
        otherwise: 'less: shrinks the pictures to about 256 first; makes grey of RGBA; f32',
        once: () => blazediff(one, other, undefined, side, side),
      },
    ],
  };
}

/** The next message of a worker. */
function heard(worker) {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message || 'a worker failed'));
  });
}

/** Gives work to so many workers, and waits for all of them. */
function shared(num, give) {
  return Promise.all(
    workers.slice(0, num).map((worker, at) => {
      give(worker, at);
      return heard(worker);
    }),
  );
}

globalThis.bench = {
  /** Draws the pair of a size; gives the GPU's name, empty where there is none. */
  async draw(side) {
    works.free?.();
    bench?.free();
    bench = undefined;
    if (hasGpu) {
      try {
        bench = await Bench.with_gpu(side);
      } catch (error) {
        hasGpu = false;
        console.log(`SKIPPED: WebGPU: ${error.message}`);
      }
    }
    bench ??= Bench.draw(side);
    works = packages(side);
    return hasGpu ? await adapter() : '';
  },
  async wasm(work) {
    return [{ who: 'Wasm', ...(await fastest(() => bench.run(work))) }];
  },
  async packages(work) {
    const answers = [];
    for (const { once, ...rest } of works[work] ?? []) answers.push({ isWholePackage: true, ...rest, ...(await fastest(once)) });
    return answers;
  },
  async gpu(work) {
    if (!hasGpu) return [];
    // The first time shaders are compiled; where the CPU plays the GPU, that is nothing beside the work, and once is enough.
    const once = () => bench.run_on_gpu(work);
    const start = performance.now();
    const value = await once();
    const ms = performance.now() - start;
    if (Number.isNaN(value)) return [];
    return [{ who: 'WebGPU', tolerance: SINGLE, ...(ms > 1000 ? { ms, value } : await fastest(once)) }];
  },
  /** Starts workers that hold a decoded pair of this size each; before any clock starts they measure it so often, which compiles code. */
  async hire(num, side, backend, pairs) {
    for (const worker of workers) worker.terminate();
    workers = Array.from({ length: num }, () => new Worker('/bench-worker.mjs', { type: 'module' }));
    await Promise.all(workers.map(heard));
    await shared(num, (worker) => worker.postMessage({ side, backend, pairs }));
  },
  /** Milliseconds that so many pairs take on so many of them. */
  async batch(num, pairs) {
    const start = performance.now();
    await shared(num, (worker, at) => worker.postMessage({ pairs: Math.floor(((at + 1) * pairs) / num) - Math.floor((at * pairs) / num) }));
    return performance.now() - start;
  },
};
