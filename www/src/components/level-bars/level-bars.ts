/** Grouped bars of an experiment: for each row a bar for every level, with its interval; what the paper prints is a tick beside it. */
import { svg, type SVGTemplateResult } from 'lit';
import { mean, printedNumber, printedScale } from '../../state/format';
import type { CriterionInfo } from '../../engine/types/CriterionInfo';
import type { ExperimentBlock } from '../../engine/types/ExperimentBlock';
import type { ExperimentRow } from '../../engine/types/ExperimentRow';
import type { Experiments } from '../../engine/types/Experiments';
import type { LevelCell } from '../../engine/types/LevelCell';
import { bottomAxis, colourOf, fitted, legend, round, type Chart, type Ink, type Mark } from '../plot-figure/chart';

const BAR = 16;
const GAP = 14;
const TOP = 6;
const AXIS = 44;

const look = (at: number): { colour: number; shape: number } => ({ colour: at, shape: at });

/** Where an axis begins and ends so that every bar and interval is on it, and its ticks. */
export function axisOf(cells: readonly LevelCell[]): { low: number; high: number; ticks: number[] } {
  const ends = cells
    .flatMap(({ mean: own, printed }) => [own?.low, own?.high, own?.value, printed?.value])
    .filter((end): end is number => typeof end === 'number');
  const low = Math.min(0, ...ends);
  const high = Math.max(0, ...ends);
  const span = high - low || 1;
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * 10 ** Math.floor(Math.log10(span / 4))).find((one) => span / one <= 5) ?? span;
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
  return { low: first * step, high: last * step || step, ticks };
}

/** What a row is called: with the level of the second factor where there is one. */
const labelOf = ({ label, by_level }: ExperimentRow): string => (by_level === '' ? label : `${label}, ${by_level}`);

/** What a bar says. */
function words(row: ExperimentRow, level: string, { mean: own, n, expected, printed }: LevelCell, info: CriterionInfo | undefined): string {
  const number = (value: number): string => mean(value, info);
  const value = own === null ? 'no number' : number(own.value);
  const ends = own !== null && own.low !== null && own.high !== null ? `, from ${number(own.low)} to ${number(own.high)}` : '';
  return `${labelOf(row)}, ${level}: ${value}${ends}; n = ${n} of ${expected ?? '–'}${printed === null ? '' : `; printed ${printedNumber(printed)}`}`;
}

/** The rows of a block by the scale that their criterion is printed on: bars of another scale have no common axis. */
export function byScale(found: Experiments, { rows }: ExperimentBlock): ExperimentRow[][] {
  const groups = new Map<string, ExperimentRow[]>();
  for (const row of rows) {
    const { low, high } = printedScale(found.criteria.find(({ id }) => id === row.criterion));
    const key = `${low} ${high}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

/** The drawing of rows of one scale. */
export function levelBars(found: Experiments, block: ExperimentBlock, rows: readonly ExperimentRow[], title: string): Chart {
  const levels = found.levels.map(({ level }) => level);
  const info = (row: ExperimentRow): CriterionInfo | undefined => found.criteria.find(({ id }) => id === row.criterion);
  const { low, high, ticks } = axisOf(rows.flatMap(({ cells }) => cells));
  const group = levels.length * BAR + GAP;
  const bottom = TOP + rows.length * group;
  const key = (width: number): ReturnType<typeof legend> =>
    legend(
      levels.map((name, at) => ({ name, look: look(at) })),
      width,
    );
  const draw = (width: number, ink: Ink, mark: Mark): SVGTemplateResult => {
    const left = Math.max(80, Math.floor(width * 0.26));
    const right = width - 12;
    const x = (value: number): number => left + ((value - low) / (high - low)) * (right - left);
    const bar = (row: ExperimentRow, at: number, column: number): SVGTemplateResult => {
      const cell = row.cells[column];
      if (cell === undefined) return svg``;
      const y = TOP + at * group + column * BAR;
      const middle = y + BAR / 2;
      const own = cell.mean;
      const [from, to] = own === null ? [x(0), x(0)] : [Math.min(x(0), x(own.value)), Math.max(x(0), x(own.value))];
      const whisker =
        own === null || own.low === null || own.high === null
          ? svg``
          : svg`<path d=${`M${round(x(own.low))} ${middle}H${round(x(own.high))}M${round(x(own.low))} ${middle - 3}v6M${round(x(own.high))} ${middle - 3}v6`} stroke=${ink.text} stroke-width="1.2" fill="none" />`;
      const tick =
        cell.printed === null
          ? svg``
          : svg`<path d=${`M${round(x(cell.printed.value))} ${y + 1}v${BAR - 3}`} stroke=${ink.text} stroke-width="2.5" stroke-dasharray="2 2" fill="none" />`;
      return mark(
        words(row, levels[column] ?? '', cell, info(row)),
        { row: at },
        svg`<rect x=${left} y=${y} width=${right - left} height=${BAR} fill="transparent" />
          ${own === null ? svg`<text x=${round(x(0) + 4)} y=${y + 12} fill=${ink.muted} font-size="11">–</text>` : svg`<rect x=${round(from)} y=${y + 1} width=${round(Math.max(1, to - from))} height=${BAR - 3} fill=${colourOf(look(column), ink)} />`}
          ${whisker}${tick}`,
      );
    };
    const at = ticks.map((value) => ({ at: x(value), label: String(value) }));
    return svg`${bottomAxis(at, [left, right, TOP, bottom], ink, 'mean')}
      ${rows.map(
        (row, place) =>
          svg`<text unicode-bidi="plaintext" x=${left - 8} y=${round(TOP + place * group + (levels.length * BAR) / 2 + 4)} fill=${ink.text} font-size="12" text-anchor="end">${fitted(labelOf(row), left - 12)}</text>
            ${levels.map((_, column) => bar(row, place, column))}`,
      )}
      <g transform="translate(0,${bottom + AXIS})">${key(width).draw(ink)}</g>`;
  };
  const interval = `${found.level} % interval`;
  return {
    title,
    sentence: block.sentence,
    note: `Bars are means of each level’s own ${found.samples}, lines their ${interval}s by Student’s t; a dashed tick is what the paper prints. “–” is a level without a number.`,
    height: (width) => bottom + AXIS + key(width).height,
    draw,
    head: ['row', 'criterion', 'level', 'mean', 'low', 'high', 'n', 'expected', 'printed'],
    rows: rows.flatMap((row) =>
      row.cells.map((cell, column) => [
        labelOf(row),
        row.criterion,
        levels[column] ?? '',
        cell.mean?.value ?? null,
        cell.mean?.low ?? null,
        cell.mean?.high ?? null,
        cell.n,
        cell.expected,
        cell.printed?.value ?? null,
      ]),
    ),
  };
}
