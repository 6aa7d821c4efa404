/** Runs networks off the page's thread, on the files where they lie. */
import { codeOf, EngineError, messageOf } from '../errors';
import { networks } from '../loader/networks';
import type { PicturePair } from '../metrics/protocol';
import type { Measured } from '../types/Measured';
import type { NetworkPack } from '../types/NetworkPack';
import type { NetworkMeasurer, NetworkProfile } from './edge';
import type { FromNetworks, PackFiles, ToNetworks } from './protocol';

let measurer: NetworkMeasurer | null = null;

async function start(profile: NetworkProfile, packs: PackFiles[]): Promise<NetworkPack[]> {
  const edge = await networks.edge();
  measurer?.free();
  const started = new edge.NetworkMeasurer(profile);
  measurer = started;
  return packs.map(({ paths, files }) => started.open(paths, files));
}

const bytes = async (file: Blob): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());

async function measure(metrics: string[], pairs: PicturePair[]): Promise<Measured[][]> {
  const rows: Measured[][] = [];
  for (const { reference, candidate, prompt = '' } of pairs) {
    const [counterpart, output] = await Promise.all([bytes(reference), bytes(candidate)]);
    rows.push(metrics.map((metric) => standing().measure(metric, prompt, counterpart, output)));
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
    if ('packs' in asked) return { id, opened: await start(asked.profile, asked.packs) };
    if ('embed' in asked) return { id, feature: standing().embed(asked.embed, await bytes(asked.picture)) };
    if ('of' in asked) return { id, nearest: (await networks.edge()).nearest_of(asked.of, asked.among ?? undefined, asked.width) };
    if ('map' in asked) return { id, painted: standing().map(asked.map, await bytes(asked.frame), await bytes(asked.picture)) };
    return 'check' in asked ? { id, check: standing().check(asked.check) } : { id, rows: await measure(asked.metrics, asked.pairs) };
  } catch (error) {
    // A module that ran out of memory stops where it is, and says nothing that a reader would understand.
    const isDead = error instanceof WebAssembly.RuntimeError;
    const message = isDead
      ? 'The network stopped: the memory that this browser gives a page may be too small for it. Use fewer workers, or a smaller network.'
      : messageOf(error);
    return { id, message, code: isDead ? 'no_memory' : codeOf(error) };
  }
}

/** One question after another: a network that is at work is in nobody else's way. */
let turn: Promise<unknown> = Promise.resolve();

self.addEventListener('message', ({ data }: MessageEvent<ToNetworks>) => {
  turn = turn.then(async () => (self as unknown as { postMessage(message: FromNetworks): void }).postMessage(await answer(data)));
});
