/** Runs networks off the page's thread, on the files where they lie. */
import { codeOf, EngineError, messageOf } from '../errors';
import { networks } from '../loader/networks';
import type { PicturePair } from '../metrics/protocol';
import type { Measured } from '../types/Measured';
import type { NetworkMeasurer } from './edge';
import { keptOr } from './kept';
import type { FromNetworks, ToNetworks } from './protocol';

let measurer: NetworkMeasurer | null = null;
/** Whether what is kept in this browser is computed all the same. */
let isAgain = false;

async function start(id: number, { profile, runner, packs, again }: Extract<ToNetworks, { packs: unknown }>): Promise<FromNetworks> {
  // First, as its messages are about this computer and not about packs.
  const host = runner === 'webgpu' ? await (await import('./onnxruntime')).webGpu() : undefined;
  const edge = await networks.edge();
  measurer?.free();
  const started = new edge.NetworkMeasurer(profile, host);
  measurer = started;
  isAgain = again;
  return { id, opened: packs.map(({ paths, files }) => started.open(paths, files)), runner: started.runner() };
}

const bytes = async (file: Blob): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());

/** A value of files and words, kept in this browser where there is one. */
function value(metric: string, files: Uint8Array[], words: string[], compute: () => Promise<Measured>): Promise<Measured> {
  return keptOr(standing().key(metric, files, words), isAgain, compute, (found) => found.value !== null);
}

/** A picture's feature, kept in this browser. */
async function feature(task: string, kind: string, picture: Blob, compute: (picture: Uint8Array) => Promise<Float32Array>): Promise<Float32Array> {
  const file = await bytes(picture);
  return keptOr(
    standing().key(task, [file], [kind]),
    isAgain,
    () => compute(file),
    () => true,
  );
}

async function measure(metrics: string[], pairs: PicturePair[]): Promise<Measured[][]> {
  const rows: Measured[][] = [];
  for (const { reference, candidate, prompt = '', objects } of pairs) {
    const [counterpart, output] = await Promise.all([bytes(reference), bytes(candidate)]);
    const files = [output, ...(await Promise.all((objects?.files ?? []).map(bytes)))];
    const row: Measured[] = [];
    for (const metric of metrics)
      row.push(
        await (objects === undefined
          ? value(metric, [counterpart, output], ['value', prompt], () => standing().measure(metric, prompt, counterpart, output))
          : value(metric, files, ['objects'], () => standing().measure_objects(metric, files, objects.names))),
      );
    rows.push(row);
  }
  return rows;
}

function standing(): NetworkMeasurer {
  if (measurer === null) throw new EngineError('No pack is open yet.', 'not_started');
  return measurer;
}

async function answer(asked: ToNetworks): Promise<FromNetworks> {
  const { id } = asked;
  try {
    if ('packs' in asked) return await start(id, asked);
    if ('embed' in asked) return { id, feature: await feature(asked.embed, 'direction', asked.picture, (file) => standing().embed(asked.embed, file)) };
    if ('inception' in asked) return { id, feature: await feature('inception', 'features', asked.inception, (file) => standing().inception(file)) };
    if ('describe' in asked) return { id, described: standing().describe(asked.describe) };
    if ('reference' in asked) return { id, distance: (await networks.edge()).frechet_of(asked.reference, asked.candidate, asked.width) };
    if ('of' in asked) return { id, nearest: (await networks.edge()).nearest_of(asked.of, asked.among ?? undefined, asked.width) };
    if ('map' in asked) return { id, painted: await standing().map(asked.map, await bytes(asked.frame), await bytes(asked.picture)) };
    return 'check' in asked ? { id, check: await standing().check(asked.check) } : { id, rows: await measure(asked.metrics, asked.pairs) };
  } catch (error) {
    return failed(id, error);
  }
}

/** A module that ran out of memory stops where it is, and says nothing that a reader would understand. */
function failed(id: number, error: unknown): FromNetworks {
  const isDead = error instanceof WebAssembly.RuntimeError;
  const message = isDead
    ? 'The network stopped: the memory that this browser gives a page may be too small for it. Use fewer workers, or a smaller network.'
    : messageOf(error);
  return { id, message, code: isDead ? 'no_memory' : codeOf(error) };
}

/** A module that stops between two of its waits settles no promise; the browser reports it here. */
function stopped(): Promise<unknown> {
  return new Promise((resolve) => {
    const hear = (event: Event, error: unknown): void => {
      if (!(error instanceof WebAssembly.RuntimeError)) return;
      event.preventDefault();
      resolve(error);
    };
    self.addEventListener('error', (event) => hear(event, event.error));
    self.addEventListener('unhandledrejection', (event) => hear(event, event.reason));
  });
}

const dead = stopped();

/** One question after another: a network that is at work is in nobody else's way. */
let turn: Promise<unknown> = Promise.resolve();

self.addEventListener('message', ({ data }: MessageEvent<ToNetworks>) => {
  turn = turn.then(async () => {
    const answered = await Promise.race([answer(data), dead.then((error) => failed(data.id, error))]);
    (self as unknown as { postMessage(message: FromNetworks): void }).postMessage(answered);
  });
});
