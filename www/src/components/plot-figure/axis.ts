/** Where the axis of a plot begins and ends. */
import { printedScale } from '../../state/format';
import type { CriterionInfo } from '../../engine/types/CriterionInfo';
import type { ScoreRow } from '../../engine/types/ScoreRow';

/**
 * The ends of an axis: the printed scale, or what means go beyond it where a figure has no scale of its own.
 * Intervals may end beyond the scale; their lines are cut off there, and their numbers tell the rest.
 */
export function ends(rows: Pick<ScoreRow, 'mean' | 'ci_low' | 'ci_high'>[], info: CriterionInfo | undefined): [number, number] {
  const { low, high } = printedScale(info);
  const isScale = Number.isFinite(high - low);
  const values = rows.flatMap((row) => (isScale ? [row.mean] : [row.mean, row.ci_low, row.ci_high])).filter((value) => value !== null);
  if (!isScale && values.length === 0) return [0, 1];
  const finite = (end: number): number[] => (Number.isFinite(end) ? [end] : []);
  return [Math.min(...finite(low), ...values), Math.max(...finite(high), ...values)];
}
