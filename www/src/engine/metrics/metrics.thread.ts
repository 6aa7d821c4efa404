/** Measures pictures off the page's thread: on the GPU where there is one, else on the CPU, and says which. */
import { bytesOf } from '../handing';
import { pixels } from '../loader/pixels';
import { codeOf, EngineError, messageOf } from '../errors';
import type { Backend } from '../types/Backend';
import type { Measured } from '../types/Measured';
import type { MeasureStanding } from '../types/MeasureStanding';
import type { Sizes } from '../types/Sizes';
import type { MapPair, Measurer, MetricsEdge } from './edge';
import { samplesOf, type Brought } from './planes';
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

/** Decodes a pair for the worker with the GPU, and computes what that leaves to the CPU. */
async function decode(metrics: string[], kept: string[], { reference, candidate }: HandedPair, sizes: Sizes): Promise<Brought> {
  if (edge === null) throw new EngineError('Nothing measures yet.', 'not_started');
  const [r, c] = await Promise.all([bytesOf(reference), bytesOf(candidate)]);
  const decoded = new edge.DecodedPair(r, c, sizes);
  try {
    const row = decoded.row(metrics, kept);
    return { row, planes: row.includes(null) ? decoded.planes() : null };
  } finally {
    decoded.free();
  }
}

async function complete(metrics: string[], pairs: Brought[]): Promise<Measured[][]> {
  if (measurer === null) throw new EngineError('Nothing measures yet.', 'not_started');
  return measurer.complete(metrics, pairs);
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

async function answered(asked: ToMeasurer): Promise<FromMeasurer> {
  const { id } = asked;
  if ('question' in asked) return placeInTurn(id, asked.question);
  if ('start' in asked) return { id, standing: await start(asked.start) };
  if ('decode' in asked) return { id, brought: await decode(asked.metrics, asked.kept, asked.decode, asked.sizes) };
  if ('complete' in asked) return { id, rows: await complete(asked.metrics, asked.complete) };
  return { id, rows: await measure(asked.metrics, asked.pairs, asked.sizes) };
}

async function answer(asked: ToMeasurer): Promise<FromMeasurer> {
  try {
    return await answered(asked);
  } catch (error) {
    return { id: asked.id, message: messageOf(error), code: codeOf(error) };
  }
}

self.addEventListener('message', (event: MessageEvent<ToMeasurer>) => {
  void answer(event.data).then((message) => {
    const port = self as unknown as { postMessage(message: FromMeasurer, transfer: ArrayBuffer[]): void };
    port.postMessage(message, 'brought' in message ? samplesOf(message.brought) : []);
  });
});
