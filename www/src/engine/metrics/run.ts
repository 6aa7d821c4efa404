/** The lanes of a run of image metrics: workers of the page measure what the engine deals out. */
import type { EngineClient } from '../client';
import { messageOf } from '../errors';
import type { GpuFeed } from '../types/GpuFeed';
import type { MeasuredPiece } from '../types/MeasuredPiece';
import type { MeasurePiece } from '../types/MeasurePiece';
import type { Sizes } from '../types/Sizes';
import type { MeasureStanding } from '../types/MeasureStanding';
import type { Rows } from './planes';
import type { Choice, PicturePair } from './protocol';

/** What deals a run out, and has its files. */
type Dealer = Pick<EngineClient, 'measurersStand' | 'nextPiece' | 'endMeasuring' | 'fileBlob'>;

/** A worker that measures pairs, whatever computes. */
export interface PieceMeasurer {
  readonly standing: MeasureStanding;
  /** A row of values for each pair. */
  measurePiece(metrics: string[], pairs: PicturePair[], sizes: Sizes): Promise<Rows>;
  /** What measures where others decode for this one's GPU; one for each of them. */
  fedBy?(decoders: readonly PieceMeasurer[], limits: GpuFeed): PieceMeasurer[];
  stop(): void;
}

/** What measures. */
export interface Means {
  sizes: Sizes;
  backend: Choice;
  /** So many on the CPU, where they compute or decode for the GPU. */
  workers: number;
  /** Starts one of them. */
  start(on: Choice): Promise<PieceMeasurer>;
}

/** Measures until nothing more is dealt out, or a worker dies; tells the engine so. */
export async function measureDealt(engine: Dealer, run: number, { sizes, backend, workers, start: begin }: Means): Promise<void> {
  const clients: PieceMeasurer[] = [];
  const lane = async (client: PieceMeasurer): Promise<void> => {
    for (let piece = await engine.nextPiece(run, null); piece !== null;) piece = await engine.nextPiece(run, await measured(engine, client, piece, sizes));
  };
  const start = async (on: Choice): Promise<PieceMeasurer> => {
    const client = await begin(on);
    clients.push(client);
    return client;
  };
  let why: string | null = null;
  try {
    const first = await start(backend);
    const { more, each, feed } = await engine.measurersStand(run, first.standing, workers);
    const started = await Promise.allSettled(Array.from({ length: more }, () => start('cpu')));
    for (const one of started) if (one.status === 'rejected') throw one.reason;
    const fed = feed === null ? undefined : first.fedBy?.(clients.slice(1), feed);
    // Each worker has a first piece before any has a second one.
    const rounds = Array.from({ length: each }, () => fed ?? clients);
    await Promise.all(rounds.flat().map(lane));
  } catch (error) {
    why = messageOf(error);
  }
  for (const client of clients) client.stop();
  await engine.endMeasuring(run, why);
}

async function measured(engine: Dealer, client: PieceMeasurer, { id, metrics, pairs }: MeasurePiece, sizes: Sizes): Promise<MeasuredPiece> {
  const read = await Promise.all(
    pairs.map(async ({ counterpart, output, prompt, objects, box_files: names = [] }): Promise<PicturePair | { unreadable: string }> => {
      try {
        const [reference, candidate] = await Promise.all([engine.fileBlob(counterpart), engine.fileBlob(output)]);
        const files = await Promise.all((objects ?? []).map((file) => engine.fileBlob(file)));
        return { reference, candidate, ...(prompt === undefined ? {} : { prompt }), ...(files.length === 0 ? {} : { objects: { files, names } }) };
      } catch (error) {
        return { unreadable: messageOf(error) };
      }
    }),
  );
  const files = read.flatMap((one) => ('unreadable' in one ? [] : [one]));
  const { rows, spent } = files.length === 0 ? { rows: [], spent: [] } : await client.measurePiece(metrics, files, sizes);
  return { id, pairs: read.map((one) => ('unreadable' in one ? one : { values: rows.shift() ?? [] })), spent };
}
