/** Metrics place by place, as the viewer asks for them: in a worker that lives while the viewer is open. */
import { networks } from '../../state/networks';
import type { EngineClient } from '../../engine/client';
import type { PictureChange } from '../../engine/types/PictureChange';
import type { PictureMap } from '../../engine/types/PictureMap';
import type { MapMetric } from '../../engine/metrics/edge';
import { MetricsClient } from '../../engine/metrics/client';
import type { NetworksClient } from '../../engine/networks/client';
import type { MapSettings } from './maps';
import { taskOf, type SeenMetric } from './slides';

/** Finished maps that are kept. */
const MAX_MAPS = 6;

/** Where files of the session come from. */
type Files = Pick<EngineClient, 'fileBlob'>;

export class Mapper {
  #client: Promise<MetricsClient> | null = null;
  #networks: Promise<NetworksClient> | null = null;
  readonly #maps = new Map<string, Promise<PictureMap>>();

  /** The map of two files of the session; the second is brought to the first's size. */
  map(session: Files, first: number, second: number, metric: SeenMetric): Promise<PictureMap> {
    const key = `${first} ${second} ${metric}`;
    const known = this.#maps.get(key);
    if (known !== undefined) return known;
    const made = this.#made(session, first, second, metric);
    made.catch(() => this.#maps.delete(key));
    this.#maps.set(key, made);
    for (const oldest of this.#maps.keys()) if (this.#maps.size > MAX_MAPS) this.#maps.delete(oldest);
    return made;
  }

  #made(session: Files, first: number, second: number, metric: SeenMetric): Promise<PictureMap> {
    const task = taskOf(metric);
    if (task !== null) return this.#painted(session, task, first, metric.endsWith('_a') ? first : second);
    return this.#ask(session, first, second, (client, pair, files) => client.map(pair, files, metric as MapMetric));
  }

  /** What a network paints of a picture; it stays in memory while the viewer is open. */
  async #painted(session: Files, task: string, first: number, file: number): Promise<PictureMap> {
    if (!networks.ready.has(task)) throw new Error(`Open a pack that computes ${task} under Metrics first.`);
    const started = (this.#networks ??= networks.start());
    started.catch(() => (this.#networks === started ? (this.#networks = null) : null));
    const [client, frame, picture] = await Promise.all([started, session.fileBlob(first), session.fileBlob(file)]);
    return client.map(task, frame, picture);
  }

  /** How much changed; `box` is left, top, width and height. */
  change(session: Files, first: number, second: number, { threshold, box, mask }: Pick<MapSettings, 'threshold' | 'box' | 'mask'>): Promise<PictureChange> {
    const extent = box === null ? null : [box[0], box[1], box[0] + box[2] - 1, box[1] + box[3] - 1];
    return this.#ask(session, first, second, (client, pair, files) => client.change(pair, files, threshold, extent, mask));
  }

  /** Gives up what is held: file numbers mean something else once other folders are open. */
  clear(): void {
    void this.#client?.then(
      (client) => client.stop(),
      () => undefined,
    );
    void this.#networks?.then(
      (client) => client.stop(),
      () => undefined,
    );
    this.#client = null;
    this.#networks = null;
    this.#maps.clear();
  }

  async #ask<Answer>(
    session: Files,
    first: number,
    second: number,
    ask: (client: MetricsClient, pair: string, files: { reference: Blob; candidate: Blob }) => Promise<Answer>,
  ): Promise<Answer> {
    const started = (this.#client ??= MetricsClient.start('cpu'));
    // Where it could not be started, the next question tries anew.
    started.catch(() => (this.#client === started ? (this.#client = null) : null));
    const [client, reference, candidate] = await Promise.all([started, session.fileBlob(first), session.fileBlob(second)]);
    return ask(client, `${first} ${second}`, { reference, candidate });
  }
}
