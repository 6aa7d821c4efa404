/** Measures pictures off the page's thread: on the GPU where there is one, else on the CPU, and says which. */
import { bytesOf } from '../handing';
import { pixels } from '../loader/pixels';
import { codeOf, EngineError, messageOf } from '../errors';
import type { Backend } from '../types/Backend';
import type { Measured } from '../types/Measured';
import type { MeasureStanding } from '../types/MeasureStanding';
import type { Sizes } from '../types/Sizes';
import type { MapPair, Measurer, MetricsEdge } from './edge';
import type { FromMeasurer, HandedPair, PlaceQuestion, ToMeasurer } from './protocol';

let edge: MetricsEdge | null = null;
let measurer: Measurer | null = null;
let placed: { key: string; pair: MapPair } | null = null;

async function start(backend: Backend): Promise<MeasureStanding> {
  edge = await pixels.metrics();
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

async function measure(metrics: string[], pairs: HandedPair[], sizes: Sizes): Promise<Measured[][]> {
  if (measurer === null) throw new EngineError('Nothing measures yet.', 'not_started');
  const pictures = await Promise.all(pairs.flatMap(({ reference, candidate }) => [reference, candidate]).map(bytesOf));
  return measurer.measure(metrics, pictures, sizes);
}

/** Pictures are decoded anew only where others are asked about. */
async function pairOf({ key, pair }: PlaceQuestion): Promise<MapPair> {
  if (placed?.key === key) return placed.pair;
  if (edge === null) throw new EngineError('Nothing measures yet.', 'not_started');
  const [reference, candidate] = await Promise.all([bytesOf(pair.reference), bytesOf(pair.candidate)]);
  placed?.pair.free();
  placed = null;
  const opened = new edge.MapPair(reference, candidate);
  placed = { key, pair: opened };
  return opened;
}

async function place(id: number, question: PlaceQuestion): Promise<FromMeasurer> {
  const pair = await pairOf(question);
  if ('map' in question) return { id, map: pair.map(question.map) };
  const { threshold, box, mask } = question;
  return { id, change: pair.change(threshold, box === null ? undefined : Uint32Array.from(box), mask === null ? undefined : await bytesOf(mask)) };
}

/** One question after another: a pair must not be given back while an earlier one is answered from it. */
let turn: Promise<unknown> = Promise.resolve();

function placeInTurn(id: number, question: PlaceQuestion): Promise<FromMeasurer> {
  const mine = turn.then(() => place(id, question));
  turn = mine.catch(() => undefined);
  return mine;
}

async function answer(asked: ToMeasurer): Promise<FromMeasurer> {
  const { id } = asked;
  try {
    if ('question' in asked) return await placeInTurn(id, asked.question);
    return 'start' in asked ? { id, standing: await start(asked.start) } : { id, rows: await measure(asked.metrics, asked.pairs, asked.sizes) };
  } catch (error) {
    return { id, message: messageOf(error), code: codeOf(error) };
  }
}

self.addEventListener('message', (event: MessageEvent<ToMeasurer>) => {
  void answer(event.data).then((message) => (self as unknown as { postMessage(message: FromMeasurer): void }).postMessage(message));
});
