/** Measures pictures off the page's thread: on the GPU where there is one, else on the CPU, and says which. */
import { EngineError, codeOf, messageOf } from '../protocol';
import type { Sizes } from '../types/Sizes';
import type { Backend, Measured, Measurer, MetricsEdge } from './edge';
import type { FromMeasurer, PicturePair, Standing, ToMeasurer } from './protocol';

let measurer: Measurer | null = null;

async function start(backend: Backend): Promise<Standing> {
  const edge = (await import('../pkg/gpu/juror_gpu.js')) as unknown as MetricsEdge;
  await edge.default();
  measurer?.free();
  measurer = null;
  if (backend === 'gpu') {
    try {
      measurer = await edge.Measurer.gpu();
      return { backend, adapter: measurer.adapter(), fallback: null };
    } catch (error) {
      measurer = edge.Measurer.cpu();
      return { backend: 'cpu', adapter: '', fallback: messageOf(error) };
    }
  }
  measurer = edge.Measurer.cpu();
  return { backend, adapter: '', fallback: null };
}

async function measure(metrics: string[], pairs: PicturePair[], sizes: Sizes): Promise<Measured[][]> {
  if (measurer === null) throw new EngineError('Nothing measures yet.', 'not_started');
  const pictures = await Promise.all(pairs.flatMap(({ reference, candidate }) => [reference, candidate]).map(async (blob) => new Uint8Array(await blob.arrayBuffer())));
  return measurer.measure(metrics, pictures, sizes);
}

async function answer(asked: ToMeasurer): Promise<FromMeasurer> {
  const { id } = asked;
  try {
    return 'start' in asked ? { id, standing: await start(asked.start) } : { id, rows: await measure(asked.metrics, asked.pairs, asked.sizes) };
  } catch (error) {
    return { id, message: messageOf(error), code: codeOf(error) };
  }
}

self.addEventListener('message', (event: MessageEvent<ToMeasurer>) => {
  void answer(event.data).then((message) => (self as unknown as { postMessage(message: FromMeasurer): void }).postMessage(message));
});
