/** The one run of image metrics: it goes on while other views are looked at, and ends when what is open is closed. */
import { MeasureRun, type MeasureState } from '../engine/metrics/run';
import type { Backend } from '../engine/metrics/client';
import type { ConditionPlan } from '../engine/types/ConditionPlan';
import type { ConditionValue } from '../engine/types/ConditionValue';
import type { Measure } from '../engine/types/Measure';
import type { MeasurePlan } from '../engine/types/MeasurePlan';
import type { Sizes } from '../engine/types/Sizes';
import { store } from './store';

/** How long measured values are gathered before scores are made of them: each time all of them are looked at. */
const TELL_EVERY_MS = 1500;

/** How a plan is worked through, and what becomes of its values. */
interface Work {
  sizes: Sizes;
  backend: Backend;
  workers: number;
  take(records: Measure[]): void;
  end(): Promise<void>;
}

const placeOf = ({ model, sample, turn }: { model: string; sample: string; turn: number }, criterion: string): string =>
  JSON.stringify([model, sample, turn, criterion]);

class Measuring extends EventTarget {
  /** The run that goes on or ended last. */
  state: MeasureState | null = null;
  #run: MeasureRun | null = null;
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
  async start(plan: MeasurePlan, sizes: Sizes, backend: Backend, workers: number): Promise<void> {
    if (this.#run !== null) return;
    await store.client.addMeasures(plan.refused, false);
    this.#told = performance.now();
    const take = (records: Measure[]): void => {
      this.#fresh.push(...records);
      if (performance.now() - this.#told > TELL_EVERY_MS) void this.#tell(true);
    };
    await this.#work(plan, { sizes, backend, workers, take, end: () => this.#tell(true) });
  }

  /** Computes conditions from files made elsewhere; they count as the evaluator's replies once all are computed. */
  async startConditions(plan: ConditionPlan, workers: number): Promise<void> {
    if (this.#run !== null) return;
    const pairs = new Map(plan.pairs.map((pair) => [placeOf(pair, pair.criterion), pair]));
    const values: ConditionValue[] = [];
    const measured: MeasurePlan = {
      protocol: '',
      pairs: plan.pairs.map(({ model, sample, turn, criterion, metric, candidate, reference }) => ({
        model,
        sample,
        turn,
        against: criterion,
        number: 0,
        output: candidate,
        counterpart: reference,
        metrics: [metric],
      })),
      values: plan.pairs.length,
      done: 0,
      pictures: 0,
      refused: [],
      odd_sizes: 0,
    };
    const take = (records: Measure[]): void => {
      for (const record of records) {
        const pair = pairs.get(placeOf(record, record.against));
        if (pair !== undefined && record.value !== null) values.push({ pair, value: record.value });
      }
    };
    const end = async (): Promise<void> => {
      if (values.length > 0) await store.pasteReplies(await store.client.conditionJournal(values, new Date().toISOString()));
    };
    await this.#work(measured, { sizes: 'equal', backend: 'cpu', workers, take, end });
  }

  async #work(plan: MeasurePlan, { sizes, backend, workers, take, end }: Work): Promise<void> {
    const run = new MeasureRun(plan, sizes, {
      blob: (file) => store.client.fileBlob(file),
      onRecords: (records) => {
        if (this.#run === run) take(records);
      },
      onState: (state) => {
        if (this.#run === run) this.#show(state);
      },
    });
    this.#run = run;
    await run.run(backend, workers);
    if (this.#run !== run) return;
    try {
      await end();
    } finally {
      this.#run = null;
      this.dispatchEvent(new Event('change'));
    }
  }

  get isRunning(): boolean {
    return this.#run !== null;
  }

  control(what: 'pause' | 'resume' | 'cancel'): void {
    if (what === 'pause') this.#run?.pause();
    else if (what === 'resume') this.#run?.resume();
    else this.#run?.cancel();
    if (what === 'pause') void this.#tell(true);
  }

  async #tell(isLast: boolean): Promise<void> {
    this.#told = performance.now();
    await store.client.addMeasures(this.#fresh.splice(0), isLast);
  }

  #leave(): void {
    const run = this.#run;
    this.#run = null;
    this.#fresh = [];
    run?.cancel('What was measured was closed.');
    this.state = null;
    this.dispatchEvent(new Event('change'));
  }

  #show(state: MeasureState): void {
    this.state = state;
    this.dispatchEvent(new Event('change'));
  }
}

export const measuring = new Measuring();
