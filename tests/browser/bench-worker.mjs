/** A worker of `bench-page.mjs`: measures so many decoded pairs when it is asked to. */
import init, { Bench } from '/juror.js';

await init();
let bench;
onmessage = async ({ data: { side, backend, pairs } }) => {
  bench ??= backend === 'gpu' ? await Bench.with_gpu(side) : Bench.draw(side);
  postMessage(backend === 'gpu' ? await bench.batch_on_gpu(pairs) : bench.batch(pairs));
};
postMessage('ready');
