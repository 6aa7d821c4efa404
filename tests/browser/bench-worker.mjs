/** A worker of `bench-page.mjs`: draws a pair when it is told a side, and measures so many of it, decoded. */
import init, { Bench } from '/juror.js';

await init();
let bench;
let isOnGpu = false;
onmessage = async ({ data: { side, backend, pairs } }) => {
  if (side !== undefined) {
    isOnGpu = backend === 'gpu';
    bench = isOnGpu ? await Bench.with_gpu(side) : Bench.draw(side);
  }
  postMessage(isOnGpu ? await bench.batch_on_gpu(pairs) : bench.batch(pairs));
};
postMessage('ready');
