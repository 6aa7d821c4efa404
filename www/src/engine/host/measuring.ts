/** Runs of image metrics in the engine's worker: the engine deals them out, the page's lanes measure. */
import type { Edge, Measuring } from '../edge';
import { EngineError } from '../errors';
import type { MeasuringMethods } from '../protocol';

/** What the page calls of runs, by the numbers that it gives them; each outlives the session that it was planned in. */
export function measuringMethods(full: () => Promise<Edge>): Answers {
  const runs = new Map<number, Measuring>();
  const known = (run: number): Measuring => {
    const found = runs.get(run);
    if (found === undefined) throw new EngineError('This run of image metrics has ended.', 'no_run');
    return found;
  };
  return {
    async startMeasuring(run, protocol, pairs, sizes) {
      const { Measuring } = await full();
      runs.set(run, new Measuring(protocol, pairs, sizes));
    },
    measurersStand: (run, standing, wanted) => known(run).stands(standing, wanted),
    nextPiece: (run, came) => known(run).next(came),
    async measuringTold(run) {
      const told = await known(run).told();
      if (told.state.progress.finished) {
        known(run).free();
        runs.delete(run);
      }
      return told;
    },
    controlMeasuring(run, what) {
      runs.get(run)?.control(what);
    },
    endMeasuring(run, why) {
      known(run).end(why ?? undefined);
    },
  };
}

type Answers = {
  [Name in keyof MeasuringMethods]: (
    ...args: Parameters<MeasuringMethods[Name]>
  ) => ReturnType<MeasuringMethods[Name]> | Promise<ReturnType<MeasuringMethods[Name]>>;
};
