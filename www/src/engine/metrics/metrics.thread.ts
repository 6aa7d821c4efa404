/** Measures pictures off the page's thread: on the GPU where there is one, else on the CPU, and says which. */
import { bytesOf } from '../handing';
import { pixels } from '../loader/pixels';
import { codeOf, EngineError, messageOf } from '../errors';
import type { GpuTrial } from '../types/GpuTrial';
import type { Measured } from '../types/Measured';
import type { MeasureStanding } from '../types/MeasureStanding';
import type { Sizes } from '../types/Sizes';
import type { StageTimes } from '../types/StageTimes';
import type { MapPair, Measurer, MetricsEdge } from './edge';
import { samplesOf, type Brought, type Rows } from './planes';
import type { Choice, FromMeasurer, HandedPair, PlaceQuestion, ToMeasurer } from './protocol';
import { trialOf } from './trial';

let edge: MetricsEdge | null = null;
let measurer: Measurer | null = null;
let placed: { key: string; pair: MapPair } | null = null;

async function start(choice: Choice, metrics: string[], known: GpuTrial[]): Promise<MeasureStanding> {
  edge = await pixels.metrics();
  measurer?.free();
  measurer = null;
  const onCpu = (fallback: string | null): MeasureStanding => ({ backend: 'cpu', adapter: '', fallback, trial: null, runner: null });
  if (choice === 'cpu') {
    measurer = edge.Measurer.cpu();
    return onCpu(null);
  }
  try {
    measurer = await edge.Measurer.gpu();
  } catch (error) {
    measurer = edge.Measurer.cpu();
    return onCpu(messageOf(error));
  }
  // Where nothing can be compared, the GPU computes all that it can.
  const trial = choice === 'auto' ? await trialOf(edge, measurer, metrics, known).catch(() => null) : null;
  if (trial?.is_software === true) {
    measurer.free();
    measurer = edge.Measurer.cpu();
    return { ...onCpu(null), trial };
  }
  return { backend: 'gpu', adapter: measurer.adapter(), fallback: null, trial, runner: null };
}

/** Until when this worker's time is counted. */
let counted = 0;

/** Milliseconds of a stage that began then; time that two stages share is counted once. */
function since(begun: number): number {
  const [from, now] = [Math.max(begun, counted), performance.now()];
  counted = now;
  return now - from;
}

const times = (some: Partial<StageTimes>): StageTimes => ({ reading_ms: 0, decoding_ms: 0, computing_ms: 0, gpu_ms: 0, ...some });

/** Decodes a pair and computes its metrics on the CPU; with `kept` some are left to the worker with the GPU. */
async function decode(metrics: string[], kept: string[] | undefined, { reference, candidate }: HandedPair, sizes: Sizes): Promise<Brought> {
  if (edge === null) throw new EngineError('Nothing measures yet.', 'not_started');
  const begun = performance.now();
  const [r, c] = await Promise.all([bytesOf(reference), bytesOf(candidate)]);
  const reading_ms = since(begun);
  const decoded = new edge.DecodedPair(r, c, sizes);
  const decoding_ms = since(begun);
  try {
    const row = decoded.row(metrics, kept);
    const planes = row.includes(null) ? decoded.planes() : null;
    return { row, planes, spent: times({ reading_ms, decoding_ms, computing_ms: since(begun) }) };
  } finally {
    decoded.free();
  }
}

/** Computes pairs on the CPU, whatever this worker has. */
async function measure(metrics: string[], pairs: HandedPair[], sizes: Sizes): Promise<Rows> {
  const all: Brought[] = [];
  for (const pair of pairs) all.push(await decode(metrics, undefined, pair, sizes));
  return { rows: all.map(({ row }) => row as Measured[]), spent: all.map(({ spent }) => spent) };
}

async function complete(metrics: string[], pairs: Brought[]): Promise<Rows> {
  if (measurer === null) throw new EngineError('Nothing measures yet.', 'not_started');
  const begun = performance.now();
  const rows = await measurer.complete(metrics, pairs);
  return { rows, spent: [times({ gpu_ms: since(begun) })] };
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
  if ('start' in asked) return { id, standing: await start(asked.start, asked.wanted, asked.known) };
  if ('decode' in asked) return { id, brought: await decode(asked.metrics, asked.kept, asked.decode, asked.sizes) };
  if ('complete' in asked) return { id, ...(await complete(asked.metrics, asked.complete)) };
  return { id, ...(await measure(asked.metrics, asked.pairs, asked.sizes)) };
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
