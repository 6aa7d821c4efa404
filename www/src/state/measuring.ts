/** The one run of image metrics: it goes on while other views are looked at, and ends when what is open is closed. */
import { MetricsClient } from '../engine/metrics/client';
import type { Choice } from '../engine/metrics/protocol';
import { measureDealt, type Means } from '../engine/metrics/run';
import type { ConditionPlan } from '../engine/types/ConditionPlan';
import type { ConditionValue } from '../engine/types/ConditionValue';
import type { Measure } from '../engine/types/Measure';
import type { MeasurePair } from '../engine/types/MeasurePair';
import type { MeasurePlan } from '../engine/types/MeasurePlan';
import type { MeasureState } from '../engine/types/MeasureState';
import type { NetworkPair } from '../engine/types/NetworkPair';
import type { NetworkValue } from '../engine/types/NetworkValue';
import type { Sizes } from '../engine/types/Sizes';
import { networks } from './networks';
import { store } from './store';

/** How long measured values are gathered before scores are made of them: each time all of them are looked at. */
const TELL_EVERY_MS = 1500;

/** What is measured, by what, and what becomes of its values. */
interface Work extends Means {
  protocol: string;
  pairs: readonly MeasurePair[];
  take(records: Measure[]): void;
}

/** What pixels are measured by. */
function pixels(sizes: Sizes, backend: Choice, workers: number, pairs: readonly MeasurePair[]): Means {
  const metrics = [...new Set(pairs.flatMap((pair) => pair.metrics))];
  return { sizes, backend, workers, start: (on) => MetricsClient.start(on, metrics) };
}

/** What networks measure on; each worker has the pack in memory for itself. */
const onNetworks = (): Means => ({ sizes: 'equal', backend: 'cpu', workers: networks.workers, start: () => networks.start() });

/** Pairs metric by metric, so that a worker exchanges its network as seldom as can be. */
function byMetric(pairs: readonly MeasurePair[]): MeasurePair[] {
  const all = [...new Set(pairs.flatMap(({ metrics }) => metrics))];
  return all.flatMap((metric) => pairs.filter(({ metrics }) => metrics.includes(metric)).map((pair) => ({ ...pair, metrics: [metric] })));
}

/** A plan's pairs with those metrics alone that fit. */
function only(pairs: readonly MeasurePair[], fits: (metric: string) => boolean): MeasurePair[] {
  return pairs.map((pair) => ({ ...pair, metrics: pair.metrics.filter(fits) })).filter(({ metrics }) => metrics.length > 0);
}

const placeOf = ({ model, sample, turn }: { model: string; sample: string; turn: number }, criterion: string): string =>
  JSON.stringify([model, sample, turn, criterion]);

/** What a network is given of a pair: a file, a text, or the output alone. */
function pairOf({ pair: { model, sample, turn, criterion, candidate }, task, reference }: NetworkPair): MeasurePair {
  const file = typeof reference === 'object' ? ('map' in reference ? reference.map : 'picture' in reference ? reference.picture : candidate) : candidate;
  const prompt = typeof reference === 'object' && 'text' in reference ? { prompt: reference.text } : {};
  return { model, sample, turn, against: criterion, number: 0, output: candidate, counterpart: file, metrics: [task], ...prompt };
}

class Measuring extends EventTarget {
  /** Where the run stands that goes on or ended last. */
  state: MeasureState | null = null;
  /** The number of the run under way. */
  #run: number | null = null;
  #runs = 0;
  #fresh: Measure[] = [];
  #told = 0;

  constructor() {
    super();
    store.addEventListener('change', () => {
      // File numbers are those of what was open when the plan was made.
      const { opened, engine } = store.state;
      if (this.#run !== null && (opened.length === 0 || engine !== 'ready')) this.#leave();
    });
  }

  /** Measures a plan; ends once all is measured and scores show it. */
  async start({ protocol, pairs, refused }: MeasurePlan, sizes: Sizes, backend: Choice, workers: number, ofNetworks: ReadonlySet<string>): Promise<void> {
    if (this.#run !== null) return;
    await store.client.addMeasures(refused, false);
    this.#told = performance.now();
    const take = (records: Measure[]): void => {
      this.#fresh.push(...records);
      if (performance.now() - this.#told > TELL_EVERY_MS) void this.#tell(true);
    };
    const seen = only(pairs, (metric) => !ofNetworks.has(metric));
    const fed = byMetric(only(pairs, (metric) => ofNetworks.has(metric)));
    await this.#work(
      [
        { ...pixels(sizes, backend, workers, seen), protocol, pairs: seen, take },
        { ...onNetworks(), protocol, pairs: fed, take },
      ],
      () => this.#tell(true),
    );
  }

  /** Computes conditions from files made elsewhere, then by networks; they count as the evaluator's replies once all are computed. */
  async startConditions(plan: ConditionPlan, byNetworks: readonly NetworkPair[], workers: number): Promise<void> {
    if (this.#run !== null) return;
    const wanted = new Map(plan.pairs.map((pair) => [placeOf(pair, pair.criterion), pair]));
    const values: ConditionValue[] = [];
    const pairs = plan.pairs.map(({ model, sample, turn, criterion, metric, candidate, reference }): MeasurePair => ({
      model,
      sample,
      turn,
      against: criterion,
      number: 0,
      output: candidate,
      counterpart: reference,
      metrics: [metric],
    }));
    const take = (records: Measure[]): void => {
      for (const record of records) {
        const pair = wanted.get(placeOf(record, record.against));
        if (pair !== undefined && record.value !== null) values.push({ pair, value: record.value });
      }
    };
    const ofNetworks: NetworkValue[] = [];
    const fed = new Map(byNetworks.map((one) => [placeOf(one.pair, one.pair.criterion), one.pair]));
    const takeOfNetworks = (records: Measure[]): void => {
      for (const { value, network, ...record } of records) {
        const pair = fed.get(placeOf(record, record.against));
        if (pair !== undefined && value !== null) ofNetworks.push({ found: { pair, value }, network: network ?? '' });
      }
    };
    const end = async (): Promise<void> => {
      const time = new Date().toISOString();
      if (values.length > 0) await store.pasteReplies(await store.client.conditionJournal(values, time));
      if (ofNetworks.length > 0) await store.pasteReplies(await store.client.networkJournal(ofNetworks, time));
    };
    await this.#work(
      [
        { ...pixels('equal', 'cpu', workers, pairs), protocol: '', pairs, take },
        { ...onNetworks(), protocol: '', pairs: byMetric(byNetworks.map(pairOf)), take: takeOfNetworks },
      ],
      end,
    );
  }

  /** Does one after the other; what is stopped ends all. */
  async #work(works: readonly Work[], end: () => Promise<void>): Promise<void> {
    const { client } = store;
    const there = works.filter(({ pairs }) => pairs.length > 0);
    let run = this.#runs;
    try {
      for (const { protocol, pairs, take, ...means } of there) {
        run = ++this.#runs;
        this.#run = run;
        await client.startMeasuring(run, protocol, pairs, means.sizes);
        await Promise.all([measureDealt(client, run, means), this.#hear(run, take)]);
        if (this.#run !== run) return;
        if (this.state !== null && this.state.progress.stopped !== null) break;
      }
      await end();
    } catch (error) {
      // Nobody waits for what was closed meanwhile.
      if (this.#run === run) throw error;
    } finally {
      if (this.#run === run) {
        this.#run = null;
        this.dispatchEvent(new Event('change'));
      }
    }
  }

  /** Takes what the engine tells of a run until that has ended. */
  async #hear(run: number, take: (records: Measure[]) => void): Promise<void> {
    for (let isOver = false; !isOver;) {
      const { state, records } = await store.client.measuringTold(run);
      isOver = state.progress.finished;
      if (this.#run !== run) continue;
      take(records);
      this.state = state;
      this.dispatchEvent(new Event('change'));
    }
  }

  get isRunning(): boolean {
    return this.#run !== null;
  }

  control(what: 'pause' | 'resume' | 'cancel'): void {
    if (this.#run === null) return;
    this.#ask(this.#run, what);
    if (what === 'pause') void this.#tell(true);
  }

  #ask(run: number, what: 'pause' | 'resume' | 'cancel'): void {
    // An engine that died took the run along.
    store.client.controlMeasuring(run, what).catch(() => undefined);
  }

  async #tell(isLast: boolean): Promise<void> {
    this.#told = performance.now();
    await store.client.addMeasures(this.#fresh.splice(0), isLast);
  }

  #leave(): void {
    const run = this.#run;
    this.#run = null;
    this.#fresh = [];
    if (run !== null) this.#ask(run, 'cancel');
    this.state = null;
    this.dispatchEvent(new Event('change'));
  }
}

export const measuring = new Measuring();
