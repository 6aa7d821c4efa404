/** Charts of score rows: the same numbers as in the table, so that each mark opens the same formula. */
import { scaleLinear } from 'd3-scale';
import { line as path } from 'd3-shape';
import { svg, type SVGTemplateResult } from 'lit';
import { NOT_JUDGED, goodness, interval, keyLabel, lowerSign, mean, plural, rowInterval, titleOf, unitsOf } from '../../state/format';
import type { CriterionInfo } from '../../engine/types/CriterionInfo';
import type { Level } from '../../engine/types/Level';
import type { Overview } from '../../engine/types/Overview';
import type { ScoreRow } from '../../engine/types/ScoreRow';
import { isUnjudgedRow, isWhole, unjudgedModels, wholeLabel } from '../score-table/shape';
import { ends } from './axis';
import { bottomAxis, colourOf, dot, fitted, fittedName, leftAxis, legend, round, short, widthOf, type Chart, type Datum, type Ink, type Look } from './chart';

/** A model under one judge. */
export interface Line {
  model: string;
  judge: string;
  name: string;
  look: Look;
}

/** Every model and judge that has rows, of one criterion or of any, with the judge's name where there are several. */
export function linesOf(overview: Overview, criterion: string | null = null): Line[] {
  const seen = new Map<string, { model: string; judge: string }>();
  for (const row of overview.scores)
    if (criterion === null || row.criterion === criterion) seen.set(`${row.model}\n${row.judge}`, { model: row.model, judge: row.judge });
  const lines = [...seen.values()];
  // A model keeps its colour from plot to plot.
  const models = [...new Set(overview.scores.map(({ model }) => model))];
  const judges = [...new Set(lines.map(({ judge }) => judge))];
  const several = judges.length > 1;
  // A model has one colour; its judges differ in shape. Beyond six models colours come again with other shapes.
  const lookOf = (model: string, judge: string): Look => {
    const colour = models.indexOf(model);
    return { colour, shape: several ? judges.indexOf(judge) : colour + Math.floor(colour / 6) };
  };
  return lines.map(({ model, judge }) => ({
    model,
    judge,
    look: lookOf(model, judge),
    name: several ? `${model} · ${judge === '' ? 'judge not stated' : judge}` : model,
  }));
}

/** More models than this are named on their rows, best first; fewer stay in the order of the files, with a legend. */
const MOST_IN_LEGEND = 6;

/** The score rows of one scope and criterion, found by line and key. */
class Rows {
  readonly #at = new Map<string, number>();
  readonly #all: ScoreRow[];

  constructor(overview: Overview) {
    this.#all = overview.scores;
    this.#all.forEach((row, at) => this.#at.set([row.model, row.judge, row.scope, row.key, row.criterion].join('\n'), at));
  }

  find(line: Line, scope: string, key: string, criterion: string): { row: ScoreRow; at: number } | null {
    const at = this.#at.get([line.model, line.judge, scope, key, criterion].join('\n'));
    const row = at === undefined ? undefined : this.#all[at];
    return at === undefined || row === undefined ? null : { row, at };
  }
}

const HEAD = ['model', 'judge', 'scope', 'key', 'criterion', 'mean', 'n', 'expected', 'ci_low', 'ci_high'];
const datum = ({ model, judge, scope, key, criterion, mean: value, n, expected, ci_low: low, ci_high: high }: ScoreRow): Datum[] => [
  model,
  judge,
  scope,
  key,
  criterion,
  value,
  n,
  expected,
  low,
  high,
];

function words(overview: Overview, line: Line, row: ScoreRow, info: CriterionInfo | undefined, level: Level): string {
  if (isUnjudgedRow(overview, row)) return `${line.name}, ${keyLabel(row.scope, row.key)}: not judged`;
  return `${line.name}, ${keyLabel(row.scope, row.key)}: ${mean(row.mean, info)}, ${level} % interval ${rowInterval(row, info)}, ${row.n} of ${row.expected} ${unitsOf(overview, row)}`;
}

/** Best first, those without a number last. */
function ranked(lines: Line[], value: (line: Line) => number | null, info: CriterionInfo | undefined): Line[] {
  const key = (line: Line): number => {
    const found = value(line);
    return found === null ? -Infinity : info?.direction === 'down' ? -found : found;
  };
  return [...lines].sort((a, b) => key(b) - key(a) || 0);
}

/** The whole and the groups that have any of these rows; one of them where they are the same. */
function groupsOf(overview: Overview, scope: string, keys: string[], among: (row: ScoreRow) => boolean): { scope: string; key: string; label: string }[] {
  const whole = { scope: 'overall', key: 'all', label: keyLabel('overall', 'all') };
  if (scope === 'overall') return [whole];
  const own = keys.filter((key) => overview.scores.some((row) => row.scope === scope && row.key === key && among(row)));
  const [only] = own;
  if (only !== undefined && own.length === 1 && isWhole(overview, { scope, key: only }, among)) return [{ ...whole, label: wholeLabel({ scope, key: only }) }];
  return [whole, ...own.map((key) => ({ scope, key, label: keyLabel(scope, key) }))];
}

/** Scores with intervals, per group and model. */
export function scoresChart(overview: Overview, scope: string, criterion: string, level: Level): Chart {
  const info = overview.criteria.find(({ id }) => id === criterion);
  const label = overview.scopes.find((one) => one.scope === scope)?.label ?? scope;
  const rows = new Rows(overview);
  const overall = (line: Line): ScoreRow | null => rows.find(line, 'overall', 'all', criterion)?.row ?? null;
  const unordered = linesOf(overview, criterion);
  const order = ranked(unordered, (line) => overall(line)?.mean ?? null, info);
  const isLabelled = unordered.length > MOST_IN_LEGEND;
  const lines = isLabelled ? order : unordered;
  const keys = overview.scopes.find((one) => one.scope === scope)?.keys ?? [];
  const groups = groupsOf(overview, scope, keys, (row) => row.criterion === criterion).map((group) => ({
    ...group,
    found: lines.map((line, series) => ({ line, series, ...(rows.find(line, group.scope, group.key, criterion) ?? { row: null, at: -1 }) })),
  }));
  const shown = groups.flatMap(({ found }) => found.flatMap(({ row }) => (row === null ? [] : [row])));
  const [low, high] = ends(shown, info);
  const STEP = 16;
  const groupHeight = 26 + lines.length * STEP;
  const listed = order.slice(0, 6).map((line) => told(overview, line, overall(line), info));
  const direction = { up: 'higher is better', down: 'lower is better', neither: 'a figure that does not rate' }[info?.direction ?? 'up'];
  return {
    title: scope === 'overall' ? `${nameOf(info, criterion)}, overall` : `${nameOf(info, criterion)} by ${label.toLowerCase()}`,
    sentence: `Overall${info?.direction === 'neither' ? ', highest first' : ', best first'}, with ${level} % intervals${order.some((line) => overall(line)?.ci_low == null) ? ' where there are any' : ''}: ${listed.join('; ')}${order.length > 6 ? `; and ${order.length - 6} more` : ''}.${leaders(order, overall)}`,
    note: `Symbols are means, lines their ${level} % intervals; ${direction}. A symbol without a line has no interval, as with fewer than five values. A line without an end continues beyond the scale.`,
    height: (width) => (isLabelled ? 0 : legend(lines, width).height) + groups.length * groupHeight + 44,
    draw(width, ink, mark) {
      const key = isLabelled ? { height: 0, draw: () => [] } : legend(lines, width);
      const room = isLabelled ? Math.min(220, Math.round(width * 0.36)) : 0;
      const [left, right, top] = [10 + room, width - 14, key.height + 4];
      const bottom = top + groups.length * groupHeight;
      const x = scaleLinear([low, high], [left, right]);
      const ticks = x.ticks(Math.max(3, Math.floor(width / 90))).map((value) => ({ at: x(value), label: short(value) }));
      return svg`${key.draw(ink)}${bottomAxis(ticks, [left, right, top, bottom], ink, nameOf(info, ''))}
        ${groups.map((group, index) => {
          const y = top + index * groupHeight;
          return svg`${index === 0 ? '' : svg`<line x1=${left} x2=${right} y1=${y} y2=${y} stroke=${ink.grid} />`}
            <text unicode-bidi="plaintext" x="10" y=${y + 15} fill=${ink.text} font-size="12" font-weight="600">${fitted(group.label, width - 24)}</text>
            ${group.found.map(({ line, series, row, at }) => {
              const middle = y + 26 + series * STEP + 2;
              if (row === null) return '';
              const name = (fill: string): SVGTemplateResult | string =>
                isLabelled
                  ? svg`<text unicode-bidi="plaintext" x=${left - 8} y=${middle + 4} text-anchor="end" fill=${fill} font-size="11">${fittedName(line.name, room - 8, 11)}</text>`
                  : '';
              if (row.mean === null) {
                // Said once, beside the means over everything.
                if (group.scope !== 'overall' || !isUnjudgedRow(overview, row))
                  return isLabelled ? svg`${name(ink.muted)}<text x=${left + 4} y=${middle + 4} fill=${ink.muted} font-size="11">–</text>` : '';
                return svg`<text unicode-bidi="plaintext" x=${left} y=${middle + 4} fill=${ink.muted} font-size="11">${fitted(`${NOT_JUDGED}: ${line.name}`, right - left, 11)}</text>`;
              }
              const [from, to] = [Math.max(low, row.ci_low ?? row.mean), Math.min(high, row.ci_high ?? row.mean)];
              const isCut = (end: number): boolean => end !== row.ci_low && end !== row.ci_high;
              return mark(
                words(overview, line, row, info, level),
                { row: at },
                svg`<rect x=${left - room} y=${middle - STEP / 2} width=${right - left + room} height=${STEP} fill="transparent" />
                  ${name(ink.text)}
                  <line x1=${round(x(from))} x2=${round(x(to))} y1=${middle} y2=${middle} stroke=${colourOf(line.look, ink)} stroke-width="2" />
                  ${row.ci_low === null ? '' : [from, to].filter((end) => !isCut(end)).map((end) => svg`<line x1=${round(x(end))} x2=${round(x(end))} y1=${middle - 4} y2=${middle + 4} stroke=${colourOf(line.look, ink)} stroke-width="2" />`)}
                  ${dot(line.look, x(row.mean), middle, ink)}`,
              );
            })}`;
        })}`;
    },
    head: HEAD,
    rows: shown.map(datum),
  };
}

function told(overview: Overview, { name }: Line, row: ScoreRow | null, info: CriterionInfo | undefined): string {
  if (row !== null && isUnjudgedRow(overview, row)) return `${name} (not judged)`;
  const range = row?.ci_low == null || row.ci_high === null ? '' : ` ${interval(row.ci_low, row.ci_high, info)}`;
  return `${name} ${mean(row?.mean ?? null, info)}${range}`;
}

/** A criterion's name in a drawing. */
const nameOf = (info: CriterionInfo | undefined, id: string): string => (info === undefined ? id : titleOf(info));

/** Whether the first is ahead by more than the intervals say. */
function leaders(order: Line[], row: (line: Line) => ScoreRow | null): string {
  const [first, second] = order.slice(0, 2).map((line) => ({ line, row: row(line) }));
  if (first?.row?.ci_low == null || second?.row?.ci_low == null || first.row.ci_high === null || second.row.ci_high === null) return '';
  const overlap = first.row.ci_low <= second.row.ci_high && second.row.ci_low <= first.row.ci_high;
  return overlap
    ? ` The intervals of the first two overlap; as both are judged on the same samples, their paired difference says more.`
    : ` The intervals of the first two do not overlap.`;
}

/** Scores by the number of references. */
export function referencesChart(overview: Overview, criterion: string, level: Level): Chart | null {
  const info = overview.criteria.find(({ id }) => id === criterion);
  const scope = overview.scopes.find((one) => one.scope === 'references');
  const numbers = (scope?.keys ?? []).map((key) => ({ key, number: Number.parseFloat(key) })).filter(({ number }) => Number.isFinite(number));
  if (numbers.length === 0) return null;
  numbers.sort((a, b) => a.number - b.number);
  const lines = linesOf(overview, criterion);
  const rows = new Rows(overview);
  const series = lines.map((line) => ({
    line,
    points: numbers.flatMap(({ key, number }) => {
      const found = rows.find(line, 'references', key, criterion);
      return found?.row.mean == null ? [] : [{ number, mean: found.row.mean, ...found }];
    }),
  }));
  const shown = series.flatMap(({ points }) => points.map(({ row }) => row));
  const [low, high] = ends(shown, info);
  const from = numbers[0]?.number ?? 0;
  const to = numbers.at(-1)?.number ?? 1;
  const unjudged = unjudgedModels(overview);
  const trend = series.flatMap(({ line, points }) => {
    if (points.length === 0 && unjudged.has(line.model)) return [`${line.name} is not judged`];
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined || first === last) return [];
    return [`${line.name} goes from ${mean(first.mean, info)} with ${plural(first.number, 'reference')} to ${mean(last.mean, info)} with ${last.number}`];
  });
  return {
    title: `${nameOf(info, criterion)} by number of references`,
    sentence:
      trend.length === 0
        ? numbers.length === 1
          ? 'All samples have the same number of references.'
          : 'No model has scores for two numbers of references.'
        : `${trend.slice(0, 6).join('; ')}${trend.length > 6 ? `; and ${trend.length - 6} more` : ''}.`,
    note: `Symbols are means, bars their ${level} % intervals; samples with more references may differ in other ways too.`,
    height: (width) => legend(lines, width).height + 300,
    draw(width, ink, mark) {
      const key = legend(lines, width);
      const [left, right, top, bottom] = [52, width - 14, key.height + 8, key.height + 256];
      // Series stand side by side, or bars would hide each other.
      const gap = Math.min(9, (right - left) / (numbers.length * (lines.length + 2)));
      const x = scaleLinear([from - 0.5, to + 0.5], [left, right]);
      const y = scaleLinear([low, high], [bottom, top]);
      const ticks = numbers.map(({ number }) => ({ at: x(number), label: short(number) }));
      const values = y.ticks(5).map((value) => ({ at: y(value), label: short(value) }));
      const box: [number, number, number, number] = [left, right, top, bottom];
      return svg`${key.draw(ink)}${leftAxis(values, box, ink, nameOf(info, ''))}${bottomAxis(ticks, box, ink, 'References')}
        ${series.map(({ line, points }, at) => {
          const shift = (at - (lines.length - 1) / 2) * gap;
          const stroke = colourOf(line.look, ink);
          const curve =
            path<(typeof points)[number]>(
              (point) => round(x(point.number) + shift),
              (point) => round(y(point.mean)),
            )(points) ?? '';
          return svg`<path d=${curve} fill="none" stroke=${stroke} stroke-width="1.5" stroke-opacity="0.7" />
            ${points.map((point) => {
              const middle = round(x(point.number) + shift);
              return mark(
                words(overview, line, point.row, info, level).replace(`, ${point.row.key}:`, `, ${plural(point.number, 'reference')}:`),
                { row: point.at },
                svg`<rect x=${middle - 10} y=${round(y(point.mean)) - 10} width="20" height="20" fill="transparent" />
                  ${point.row.ci_low === null || point.row.ci_high === null ? '' : svg`<line x1=${middle} x2=${middle} y1=${round(y(Math.max(low, point.row.ci_low)))} y2=${round(y(Math.min(high, point.row.ci_high)))} stroke=${stroke} stroke-width="2" />`}
                  ${dot(line.look, middle, y(point.mean), ink)}`,
              );
            })}`;
        })}`;
    },
    head: HEAD,
    rows: shown.map(datum),
  };
}

const BETTER = 'better';

/** The words in a cell of the heat map, in two lines where the cell is narrow. */
function notJudged(middle: number, top: number, width: number, ink: Ink): SVGTemplateResult {
  const [first, second] = NOT_JUDGED.split(' ');
  if (widthOf(NOT_JUDGED, 12) <= width)
    return svg`<text x=${round(middle)} y=${top + 18} fill=${ink.muted} font-size="12" text-anchor="middle">${NOT_JUDGED}</text>`;
  return svg`<text fill=${ink.muted} font-size="10" text-anchor="middle"><tspan x=${round(middle)} y=${top + 12}>${first} </tspan><tspan x=${round(middle)} y=${top + 23}>${second}</tspan></text>`;
}

/** One model's means, criterion by group. */
export function heatChart(overview: Overview, scope: string, line: Line): Chart {
  const info = overview.scopes.find((one) => one.scope === scope);
  const rows = new Rows(overview);
  const groups = groupsOf(overview, scope, info?.keys ?? [], ({ model, judge }) => model === line.model && judge === line.judge);
  const cells = overview.criteria.map((criterion) => ({
    criterion,
    found: groups.map((group) => ({ group, ...(rows.find(line, group.scope, group.key, criterion.id) ?? { row: null, at: -1 }) })),
  }));
  // Rows are groups, of which there are many, and columns criteria, of which there are few.
  const shown = cells.flatMap(({ criterion, found }) => found.flatMap(({ row }) => (row === null ? [] : [{ row, criterion }])));
  const rated = shown.filter(
    ({ row, criterion }) => row.mean !== null && criterion.direction !== 'neither' && (row.scope !== 'overall' || groups.length === 1),
  );
  const sorted = [...rated].sort((a, b) => goodness(a.row.mean ?? 0, a.criterion) - goodness(b.row.mean ?? 0, b.criterion));
  const tell = (one: (typeof rated)[number] | undefined): string =>
    one === undefined
      ? ''
      : `${titleOf(one.criterion)}${one.row.scope === 'overall' ? '' : ` of ${keyLabel(one.row.scope, one.row.key)}`} (${mean(one.row.mean, one.criterion)})`;
  const ROW = 30;
  return {
    title: `${line.name}: criteria by ${info?.label.toLowerCase() ?? scope}`,
    sentence:
      sorted.length < 2
        ? shown.length > 0 && shown.every(({ row }) => isUnjudgedRow(overview, row))
          ? `${line.name} is not judged, so it has no numbers yet.`
          : 'There are too few numbers to compare.'
        : `For its scale, ${line.name} does worst in ${tell(sorted[0])} and best in ${tell(sorted.at(-1))}.`,
    note: 'The deeper the tint, the better the mean on its criterion’s own scale; numbers are on the printed scale.',
    height: () => 58 + groups.length * ROW,
    draw(width, ink, mark) {
      const first = Math.min(180, width * 0.3);
      const step = (width - first) / Math.max(1, cells.length);
      return svg`${cells.map(
        ({ criterion }, at) =>
          svg`<text x=${round(first + (at + 0.5) * step)} y="16" fill=${ink.text} font-size="12" font-weight="600" text-anchor="middle">${fitted(criterion.id === 'total' ? 'Total' : criterion.short, step - 6 - widthOf(lowerSign(criterion)))}${lowerSign(criterion)}</text>`,
      )}
        ${groups.map((group, index) => svg`<text unicode-bidi="plaintext" x=${first - 8} y=${24 + index * ROW + 19} fill=${ink.text} font-size="12" text-anchor="end">${fitted(group.label, first - 10)}</text>`)}
        ${cells.map(({ criterion, found }, at) =>
          found.map(({ row, at: position }, index) => {
            const [x, y] = [round(first + at * step + 1), 24 + index * ROW + 1];
            if (row === null) return '';
            const part = row.mean === null || criterion.direction === 'neither' ? 0 : goodness(row.mean, criterion);
            return mark(
              `${titleOf(criterion)}, ${words(overview, line, row, criterion, '95')}`,
              { row: position },
              svg`<rect x=${x} y=${y} width=${round(step - 2)} height=${ROW - 2} rx="3" fill=${ink.tint} fill-opacity=${round(0.04 + part * 0.42)} />
                ${isUnjudgedRow(overview, row) ? notJudged(x + step / 2 - 1, y, step, ink) : svg`<text x=${round(x + step / 2 - 1)} y=${y + 18} fill=${ink.text} font-size="12" text-anchor="middle">${fitted(mean(row.mean, criterion), step)}</text>`}`,
            );
          }),
        )}
        <g transform="translate(${round(Math.max(0, Math.min(first, width - 168 - widthOf(BETTER, 11))))} ${34 + groups.length * ROW})">
          <text x="0" y="10" fill=${ink.muted} font-size="11">worse</text>
          ${[0, 0.25, 0.5, 0.75, 1].map((part, at) => svg`<rect x=${52 + at * 22} y="0" width="22" height="12" fill=${ink.tint} fill-opacity=${round(0.04 + part * 0.42)} />`)}
          <text x="168" y="10" fill=${ink.muted} font-size="11">${BETTER}</text>
        </g>`;
    },
    head: HEAD,
    rows: shown.map(({ row }) => datum(row)),
  };
}
