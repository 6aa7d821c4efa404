/** The one run of image metrics: it goes on while other views are looked at, and ends when what is open is closed. */
import { MeasureRun, type MeasureState } from '../engine/metrics/run';
import type { Backend } from '../engine/metrics/client';
import type { Measure } from '../engine/types/Measure';
import type { MeasurePlan } from '../engine/types/MeasurePlan';
import type { Sizes } from '../engine/types/Sizes';
import { store } from './store';

/** How long measured values are gathered before scores are made of them: each time all of them are looked at. */
const TELL_EVERY_MS = 1500;

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
    const run = new MeasureRun(plan, sizes, {
      blob: (file) => store.client.fileBlob(file),
      onRecords: (records) => {
        if (this.#run !== run) return;
        this.#fresh.push(...records);
        if (performance.now() - this.#told > TELL_EVERY_MS) void this.#tell(true);
      },
      onState: (state) => {
        if (this.#run === run) this.#show(state);
      },
    });
    this.#run = run;
    this.#told = performance.now();
    await run.run(backend, workers);
    if (this.#run !== run) return;
    await this.#tell(true);
    this.#run = null;
    this.dispatchEvent(new Event('change'));
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
