/** Judges that replied to a part of the requests only. */
import type { Overview } from '../engine/types/Overview';
import type { PartialJudge } from '../engine/types/PartialJudge';
import type { ScoreOptions } from '../engine/types/ScoreOptions';

/** Judges that are left out for a part, and the chosen one; that an only judge lacks replies is told by the incidents and by n. */
export function partialToTell({ partial_judges: partial }: Overview, { judge: chosen }: ScoreOptions): PartialJudge[] {
  const out = new Set(partial.filter(({ is_left_out: isOut }) => isOut).map(({ judge }) => judge));
  return partial.filter(({ judge }) => out.has(judge) || judge === chosen);
}
