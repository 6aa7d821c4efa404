/** Judges that were named by hand for files of replies that state none, kept by benchmark. */
import { JUDGES, allOf, change, removeOf } from './database';
import type { JudgeName } from './types/JudgeName';

interface Kept extends JudgeName {
  benchmark: string;
}

/** Keeps names; for the same place the later one stands. */
export function keepJudgeNames(benchmark: string, names: readonly JudgeName[]): Promise<void> {
  return change(JUDGES, (store) => {
    for (const { path, judge } of names) store.put({ benchmark, path, judge } satisfies Kept);
  });
}

/** The names that were kept for a benchmark. */
export async function keptJudgeNames(benchmark: string): Promise<JudgeName[]> {
  return (await allOf<Kept>(JUDGES, benchmark)).map(({ path, judge }) => ({ path, judge }));
}

/** Forgets the names of these places. */
export function forgetJudgeNames(benchmark: string, places: readonly string[]): Promise<void> {
  return removeOf(JUDGES, benchmark, (one) => places.includes((one as Kept).path));
}
