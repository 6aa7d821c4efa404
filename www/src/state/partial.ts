/** Judges that replied to a part of the requests only. */
import type { Overview } from '../engine/types/Overview';
import type { PartialJudge } from '../engine/types/PartialJudge';
import type { ScoreOptions } from '../engine/types/ScoreOptions';

/** Judges with a part beside fuller ones, and the chosen one; that an only judge lacks replies is told by the incidents and by n. */
export function partialToTell({ partial_judges: partial }: Overview, { judge: chosen }: ScoreOptions): PartialJudge[] {
  const told = new Set(partial.filter(({ has_fuller: hasFuller }) => hasFuller).map(({ judge }) => judge));
  return partial.filter(({ judge }) => told.has(judge) || judge === chosen);
}
