/** Measures a plan on a pool of workers or on the GPU: pieces are dealt out, it pauses and ends between them, and loses nothing. */
import { messageOf } from '../errors';
import type { JobProgress } from '../types/JobProgress';
import type { Measure } from '../types/Measure';
import type { MeasurePair } from '../types/MeasurePair';
import type { MeasurePlan } from '../types/MeasurePlan';
import type { Sizes } from '../types/Sizes';
import { LANES, MetricsClient, PIECE, type Backend, type Measured, type Standing } from './client';

/** A pair that came to no value. */
export interface Unmeasured {
  kind: string;
  message: string;
  pair: MeasurePair;
  metric: string;
}

/** How a run stands. */
export interface MeasureState {
  progress: JobProgress;
  incidents: Unmeasured[];
  /** What measures; `null` before it stands. */
  standing: Standing | null;
  workers: number;
  values: number;
  /** Why the CPU stood in for the GPU, with how often. */
  fallbacks: Record<string, number>;
}

/** What a run needs of its host. */
export interface MeasureHost {
  blob(file: number): Promise<Blob>;
  onRecords(records: Measure[]): void;
  onState(state: MeasureState): void;
}

const MAX_INCIDENTS = 200;
/** The rate is that of so long a time. */
const RATE_MS = 10_000;

/** One run over a plan. */
export class MeasureRun {
  readonly #plan: MeasurePlan;
  readonly #sizes: Sizes;
  readonly #host: MeasureHost;
  readonly #state: MeasureState;
  readonly #done: { at: number; pairs: number }[] = [];
  #clients: MetricsClient[] = [];
  #next = 0;
  #wake: (() => void)[] = [];

  constructor(plan: MeasurePlan, sizes: Sizes, host: MeasureHost) {
    this.#plan = plan;
    this.#sizes = sizes;
    this.#host = host;
    this.#state = {
      progress: {
        total: plan.pairs.length,
        answered: 0,
        failed: 0,
        sent: 0,
        waiting: 0,
        retries: 0,
        input_tokens: 0,
        output_tokens: 0,
        spent: 0,
        reserved: 0,
        uncounted: 0,
        implausible: 0,
        per_minute: 0,
        secs_left: null,
        paused: false,
        stopped: null,
        finished: false,
        failures: {},
      },
      incidents: [],
      standing: null,
      workers: 0,
      values: 0,
      fallbacks: {},
    };
  }

  /** Measures until all is done or somebody ends it. */
  async run(backend: Backend, workers: number): Promise<void> {
    const { progress } = this.#state;
    try {
      const first = await MetricsClient.start(backend);
      this.#clients = [first];
      this.#state.standing = first.standing;
      // A GPU has one queue; a CPU as many as it has cores.
      const more = first.standing.backend === 'gpu' ? 0 : Math.min(workers, Math.ceil(this.#plan.pairs.length / PIECE)) - 1;
      this.#clients.push(...(await Promise.all(Array.from({ length: Math.max(0, more) }, () => MetricsClient.start('cpu')))));
      this.#state.workers = this.#clients.length;
      this.#tell();
      await Promise.all(this.#clients.flatMap((client) => Array.from({ length: LANES }, () => this.#lane(client))));
    } catch (error) {
      progress.stopped ??= messageOf(error);
    } finally {
      for (const client of this.#clients) client.stop();
      progress.finished = true;
      progress.paused = false;
      this.#tell();
    }
  }

  /** What is under way is finished; nothing more is begun. */
  pause(): void {
    this.#state.progress.paused = true;
    this.#done.length = 0;
    this.#tell();
  }

  resume(): void {
    this.#state.progress.paused = false;
    this.#wakeAll();
    this.#tell();
  }

  /** Ends it; what is measured stays measured. */
  cancel(why = 'It was stopped. What is measured is kept; starting again measures the rest.'): void {
    if (this.#state.progress.finished) return;
    this.#state.progress.stopped ??= why;
    this.#wakeAll();
    this.#tell();
  }

  #wakeAll(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  async #lane(client: MetricsClient): Promise<void> {
    const { progress } = this.#state;
    for (;;) {
      while (progress.paused && progress.stopped === null) await new Promise<void>((resolve) => this.#wake.push(resolve));
      const pairs = progress.stopped === null ? this.#take() : [];
      if (pairs.length === 0) return;
      progress.sent += pairs.length;
      try {
        await this.#measure(client, pairs);
      } finally {
        progress.sent -= pairs.length;
      }
      this.#tell();
    }
  }

  /** The next pairs that want the same metrics. */
  #take(): MeasurePair[] {
    const { pairs } = this.#plan;
    const first = pairs[this.#next];
    if (first === undefined) return [];
    const key = first.metrics.join();
    const piece: MeasurePair[] = [];
    for (let pair = pairs[this.#next]; pair !== undefined && piece.length < PIECE && pair.metrics.join() === key; pair = pairs[this.#next]) {
      piece.push(pair);
      this.#next += 1;
    }
    return piece;
  }

  async #measure(client: MetricsClient, pairs: MeasurePair[]): Promise<void> {
    const { progress } = this.#state;
    const read = await Promise.all(
      pairs.map(async (pair) => {
        try {
          const [reference, candidate] = await Promise.all([this.#host.blob(pair.counterpart), this.#host.blob(pair.output)]);
          return { pair, files: { reference, candidate }, problem: '' };
        } catch (error) {
          return { pair, files: null, problem: `The file cannot be read: ${messageOf(error)}` };
        }
      }),
    );
    const there = read.flatMap(({ pair, files }) => (files === null ? [] : [{ pair, files }]));
    const rows =
      there.length === 0
        ? []
        : await client.measurePiece(
            pairs[0]?.metrics ?? [],
            there.map(({ files }) => files),
            this.#sizes,
          );
    const records = there.flatMap(({ pair }, at) => (rows[at] ?? []).map((one) => this.#record(pair, one)));
    for (const { pair, files, problem } of read) {
      if (files === null) for (const metric of pair.metrics) this.#incident({ kind: 'unreadable', message: problem, pair, metric });
    }
    const withValue = new Set(records.filter(({ value }) => value !== null).map((one) => placeOf(one)));
    const measured = pairs.filter((pair) => withValue.has(placeOf(pair))).length;
    progress.answered += measured;
    progress.failed += pairs.length - measured;
    this.#state.values += records.filter(({ value }) => value !== null).length;
    this.#done.push({ at: performance.now(), pairs: pairs.length });
    this.#host.onRecords(records);
  }

  #record(pair: MeasurePair, one: Measured): Measure {
    if (one.problem !== null) this.#incident({ kind: 'no_value', message: one.problem, pair, metric: one.metric });
    if (one.fallback !== null) this.#state.fallbacks[one.fallback] = (this.#state.fallbacks[one.fallback] ?? 0) + 1;
    return {
      format: 'juror-measures/1',
      protocol: this.#plan.protocol,
      model: pair.model,
      sample: pair.sample,
      turn: pair.turn,
      metric: one.metric,
      against: pair.against,
      number: pair.number,
      sizes: this.#sizes,
      value: one.value,
      ...(one.problem === null ? {} : { problem: one.problem }),
      backend: one.backend,
      width: one.width,
      height: one.height,
      output: one.candidate,
      counterpart: one.reference,
    };
  }

  #incident(incident: Unmeasured): void {
    this.#state.incidents.push(incident);
    if (this.#state.incidents.length > MAX_INCIDENTS) this.#state.incidents.shift();
  }

  #tell(): void {
    const { progress } = this.#state;
    const now = performance.now();
    while (this.#done.length > 2 && now - (this.#done[0]?.at ?? now) > RATE_MS) this.#done.shift();
    const first = this.#done[0];
    const since = first === undefined ? 0 : now - first.at;
    const pairs = this.#done.slice(1).reduce((sum, one) => sum + one.pairs, 0);
    progress.per_minute = since > 0 ? (pairs / since) * 60_000 : 0;
    const left = progress.total - progress.answered - progress.failed;
    progress.secs_left = progress.per_minute > 0 ? (left / progress.per_minute) * 60 : null;
    this.#host.onState({ ...this.#state, progress: { ...progress }, incidents: [...this.#state.incidents] });
  }
}

/** Tells one pair from the others of a plan. */
const placeOf = ({ model, sample, turn, against, number }: Pick<Measure, 'model' | 'sample' | 'turn' | 'against' | 'number'>): string =>
  JSON.stringify([model, sample, turn, against, number]);
