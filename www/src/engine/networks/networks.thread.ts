/** Runs networks off the page's thread, on the files where they lie. */
import { codeOf, EngineError, messageOf } from '../errors';
import { networks } from '../loader/networks';
import type { PicturePair } from '../metrics/protocol';
import type { Measured } from '../types/Measured';
import type { NetworkMeasurer } from './edge';
import type { FromNetworks, ToNetworks } from './protocol';

let measurer: NetworkMeasurer | null = null;

async function start(id: number, { profile, runner, packs }: Extract<ToNetworks, { packs: unknown }>): Promise<FromNetworks> {
  // First, as its messages are about this computer and not about packs.
  const host = runner === 'webgpu' ? await (await import('./onnxruntime')).webGpu() : undefined;
  const edge = await networks.edge();
  measurer?.free();
  const started = new edge.NetworkMeasurer(profile, host);
  measurer = started;
  return { id, opened: packs.map(({ paths, files }) => started.open(paths, files)), runner: started.runner() };
}

const bytes = async (file: Blob): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());

async function measure(metrics: string[], pairs: PicturePair[]): Promise<Measured[][]> {
  const rows: Measured[][] = [];
  for (const { reference, candidate, prompt = '', objects } of pairs) {
    const [counterpart, output] = await Promise.all([bytes(reference), bytes(candidate)]);
    const files = [output, ...(await Promise.all((objects?.files ?? []).map(bytes)))];
    const row: Measured[] = [];
    for (const metric of metrics)
      row.push(
        await (objects === undefined ? standing().measure(metric, prompt, counterpart, output) : standing().measure_objects(metric, files, objects.names)),
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
    if ('embed' in asked) return { id, feature: await standing().embed(asked.embed, await bytes(asked.picture)) };
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
