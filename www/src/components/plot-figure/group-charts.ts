/** Charts of scores by group: with and without a tag, shares of each score, references within groups, steps of an agent's loop. */
import { scaleLinear } from 'd3-scale';
import { line as path } from 'd3-shape';
import { svg, type SVGTemplateResult } from 'lit';
import { judgeScore, keyLabel, lowerSign, mean, plural, printedScale, titleOf, unitsOf } from '../../state/format';
import { terms } from '../../state/router';
import type { CriterionInfo } from '../../engine/types/CriterionInfo';
import type { Grouped } from '../../engine/types/Grouped';
import type { GroupedCell } from '../../engine/types/GroupedCell';
import type { GroupedScale } from '../../engine/types/GroupedScale';
import type { Level } from '../../engine/types/Level';
import type { Overview } from '../../engine/types/Overview';
import type { ScopeInfo } from '../../engine/types/ScopeInfo';
import type { ScoreRow } from '../../engine/types/ScoreRow';
import { barsChart } from './bars';
import {
  bottomAxis,
  colourOf,
  dot,
  fitted,
  leftAxis,
  legend,
  round,
  short,
  type Action,
  type Chart,
  type Datum,
  type Ink,
  type Look,
  type Mark,
} from './chart';
import type { Line } from './table-charts';

/** A mark with nothing behind it. */
const NOTHING: Action = { row: -1 };

const WITHOUT = 'without ';

/** The tags of a scope that has a group of samples without each. */
export const pairedKeys = ({ keys }: ScopeInfo): string[] => keys.filter((key) => keys.includes(`${WITHOUT}${key}`));

const ROWS_HEAD = ['model', 'judge', 'scope', 'key', 'criterion', 'mean', 'n', 'expected', 'ci_low', 'ci_high'];

const rowDatum = ({ model, judge, scope, key, criterion, mean: value, n, expected, ci_low: low, ci_high: high }: ScoreRow): Datum[] => [
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

const interval = (low: number | null, high: number | null, info: CriterionInfo | undefined, level: Level): string =>
  low === null || high === null ? 'no interval, n too small' : `${level} % interval ${mean(low, info)} to ${mean(high, info)}`;

/** The scale as printed, or what values span where a figure has none. */
function ends(values: readonly (number | null)[], info: CriterionInfo | undefined): [number, number] {
  const { low, high } = printedScale(info);
  const known = values.filter((value) => value !== null);
  if (Number.isFinite(high - low)) return [Math.min(low, ...known), Math.max(high, ...known)];
  return known.length === 0 ? [0, 1] : [Math.min(0, ...known), Math.max(...known)];
}

/** Paired bars: the samples with a tag beside those without it. */
export function pairedChart(overview: Overview, scope: string, criterion: string, { model, judge, name }: Line, level: Level): Chart | null {
  const found = overview.scopes.find((one) => one.scope === scope);
  const tags = found === undefined ? [] : pairedKeys(found);
  if (tags.length === 0) return null;
  const info = overview.criteria.find(({ id }) => id === criterion);
  const label = info === undefined ? criterion : titleOf(info);
  const at = (key: string): number =>
    overview.scores.findIndex((row) => row.model === model && row.judge === judge && row.scope === scope && row.criterion === criterion && row.key === key);
  const pairs = tags.map((tag) => [at(tag), at(`${WITHOUT}${tag}`)]);
  const rowAt = (position: number): ScoreRow | undefined => overview.scores[position];
  const shown = pairs.flat().flatMap((position) => rowAt(position) ?? []);
  const told = tags.flatMap((tag, index) => {
    const [own, other] = (pairs[index] ?? []).map((position) => rowAt(position)?.mean ?? null);
    return own == null || other == null ? [] : [`${tag} ${mean(own, info)} against ${mean(other, info)}`];
  });
  return barsChart({
    title: `${name}: ${label} with and without each ${found?.label.toLowerCase() ?? scope}`,
    sentence:
      told.length === 0
        ? 'No tag has scores on both sides.'
        : `${label} of samples with the tag against those without: ${told.slice(0, 6).join('; ')}${told.length > 6 ? `; and ${told.length - 6} more` : ''}.`,
    note: `Bars are means, lines their ${level} % intervals; samples with a tag may differ from the others in other ways too.`,
    axis: label,
    scale: ends(
      shown.map((row) => row.mean),
      info,
    ),
    groups: tags,
    levels: [
      { name: 'with', look: { colour: 0, shape: 0 } },
      { name: 'without', look: { colour: 1, shape: 1 } },
    ],
    bar(group, side) {
      const position = pairs[group]?.[side] ?? -1;
      const row = rowAt(position);
      if (row === undefined) return null;
      const words = `${row.key}: ${row.mean === null ? 'no score' : `${mean(row.mean, info)}, ${interval(row.ci_low, row.ci_high, info, level)}`}, ${row.n} of ${row.expected} ${unitsOf(overview, row)}`;
      return { value: row.mean, low: row.ci_low, high: row.ci_high, words, action: { row: position } };
    },
    head: ROWS_HEAD,
    rows: shown.map(rowDatum),
  });
}

const CELLS_HEAD = ['model', 'judge', 'criterion', 'row', 'column', 'mean', 'n', 'expected', 'ci_low', 'ci_high'];

const cellDatum = ({ model, judge, criterion, row, column, mean: value, n, expected, ci_low: low, ci_high: high }: GroupedCell): Datum[] => [
  model,
  judge,
  criterion,
  row,
  column,
  value,
  n,
  expected,
  low,
  high,
];

/** What a value of a scale is called: itself, or its range. */
function valueName({ values, end }: GroupedScale, at: number): string {
  const from = values[at] ?? 0;
  return end === null ? judgeScore(from) : `${judgeScore(from)}–${judgeScore(values[at + 1] ?? end)}`;
}

/** The filter of a value of a scale: itself, or its range, of which the last holds both its ends. */
function valueTest(criterion: string, { values, end }: GroupedScale, at: number): string {
  const field = terms({ criterion });
  const from = values[at] ?? 0;
  if (end === null) return `${field}=${from}`;
  const to = values[at + 1];
  return `${field}>=${from} ${to === undefined ? `${field}<=${end}` : `${field}<${to}`}`;
}

/** Stacked shares: of each group's scores, how many have each value. */
export function sharesChart(found: Grouped, scope: ScopeInfo | undefined, info: CriterionInfo, { model, judge, name }: Line): Chart {
  const scale = found.scales.find(({ criterion }) => criterion === info.id) ?? { criterion: info.id, values: [], end: null };
  const cells = found.rows.map(
    (key) => found.cells.find((cell) => cell.row === key && cell.model === model && cell.judge === judge && cell.criterion === info.id) ?? null,
  );
  const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);
  const levels = scale.values.map((_, at) => ({ name: valueName(scale, at), look: { colour: 0, shape: 2 } }));
  const opacity = (at: number): number => round(0.15 + (0.85 * at) / Math.max(1, scale.values.length - 1));
  const best = scale.values.length - 1;
  const told = cells.flatMap((cell, at) =>
    cell === null || sum(cell.counts) === 0 ? [] : [`${found.rows[at] ?? ''} ${percent((cell.counts[best] ?? 0) / sum(cell.counts))}`],
  );
  const ROW = 30;
  return {
    title: `${name}: shares of each ${titleOf(info).toLowerCase()} score by ${scope?.label.toLowerCase() ?? 'group'}`,
    sentence:
      told.length === 0
        ? 'There are no scores to show.'
        : `Share of scores ${scale.end === null ? 'of' : 'in'} ${valueName(scale, best)}: ${told.slice(0, 6).join('; ')}${told.length > 6 ? `; and ${told.length - 6} more` : ''}.`,
    note: 'Each bar is all scores of a group, missing ones left out; the deeper the tint, the higher the score; a part of a bar opens its samples. n counts scores: a sample has one for each of its turns and runs.',
    height: (width) => 40 + shareKey(levels, width).height + found.rows.length * ROW,
    draw(width, ink, mark) {
      const first = Math.min(180, width * 0.34);
      const key = shareKey(levels, width);
      const [left, right, top] = [first, width - 52, key.height + 6];
      const x = scaleLinear([0, 1], [left, right]);
      return svg`${key.places.map(
        ({ x: at, y, name: text, level }) =>
          svg`<rect x=${at} y=${y + 2} width="14" height="12" fill=${ink.tint} fill-opacity=${opacity(level)} stroke=${ink.line} stroke-width="0.5" /><text x=${at + 19} y=${y + 12} fill=${ink.text} font-size="12">${text}</text>`,
      )}
        ${found.rows.map((row, index) => {
          const cell = cells[index];
          const y = top + index * ROW;
          const label = svg`<text unicode-bidi="plaintext" x=${first - 8} y=${y + 18} fill=${ink.text} font-size="12" text-anchor="end">${fitted(keyLabel(scope?.scope ?? '', row), first - 12)}</text>`;
          if (cell == null) return svg`${label}<text x=${left + 4} y=${y + 18} fill=${ink.muted} font-size="12">–</text>`;
          const all = sum(cell.counts);
          let from = 0;
          return svg`${label}${cell.counts.map((count, at) => {
            const [begin, end] = [from / Math.max(1, all), (from + count) / Math.max(1, all)];
            from += count;
            if (count === 0) return '';
            return mark(
              `${keyLabel(scope?.scope ?? '', row)}, ${valueName(scale, at)}: ${percent(count / all)}, ${count} of ${all} scores`,
              { group: row, test: valueTest(info.id, scale, at) },
              svg`<rect x=${round(x(begin))} y=${y + 3} width=${round(Math.max(0.5, x(end) - x(begin)))} height=${ROW - 8} fill=${ink.tint} fill-opacity=${opacity(at)} stroke=${ink.surface} stroke-width="1" />
                ${x(end) - x(begin) < 40 ? '' : svg`<text x=${round((x(begin) + x(end)) / 2)} y=${y + 18} fill=${ink.text} font-size="11" text-anchor="middle">${percent(count / all)}</text>`}`,
            );
          })}<text x=${right + 6} y=${y + 18} fill=${ink.muted} font-size="11">n ${all}</text>`;
        })}`;
    },
    head: ['model', 'judge', 'criterion', 'group', 'value', 'count', 'of', 'share', 'samples', 'expected'],
    rows: cells.flatMap((cell) =>
      cell === null
        ? []
        : cell.counts.map((count, at): Datum[] => {
            const all = sum(cell.counts);
            return [model, judge, info.id, cell.row, valueName(scale, at), count, all, all === 0 ? null : count / all, cell.n, cell.expected];
          }),
    ),
  };
}

/** The tints of a scale with their values, in as many lines as they need. */
function shareKey(levels: readonly { name: string }[], width: number): { height: number; places: { x: number; y: number; name: string; level: number }[] } {
  const places: { x: number; y: number; name: string; level: number }[] = [];
  let [x, y] = [4, 0];
  levels.forEach(({ name }, level) => {
    const own = 34 + 7 * name.length;
    if (x > 4 && x + own > width) [x, y] = [4, y + 20];
    places.push({ x, y, name, level });
    x += own;
  });
  return { height: y + 22, places };
}

const percent = (share: number): string => `${(100 * share).toFixed(share > 0 && share < 0.01 ? 1 : 0)} %`;

/** A mean for a number of references, and its row of the score table; -1 where it has none. */
interface CellMean {
  number: number;
  cell: GroupedCell;
  mean: number;
  row: number;
}

/** Where a line is drawn, and what its marks say. */
interface CurveFrame {
  x: (number: number) => number;
  y: (value: number) => number;
  top: number;
  bottom: number;
  /** What the drawing is of. */
  name: string;
  info: CriterionInfo;
  level: Level;
  samples: string;
}

function drawCurve(line: Line, points: CellMean[], { x, y, top, bottom, name, info, level, samples }: CurveFrame, ink: Ink, mark: Mark): SVGTemplateResult {
  const stroke = colourOf(line.look, ink);
  const curve =
    path<CellMean>(
      (point) => round(x(point.number)),
      (point) => round(y(point.mean)),
    )(points) ?? '';
  return svg`<path d=${curve} fill="none" stroke=${stroke} stroke-width="1.5" stroke-opacity="0.7" />
    ${points.map(({ number, cell, mean: value, row }) =>
      mark(
        `${line.name}, ${name}, ${plural(number, 'reference')}: ${mean(value, info)}, ${interval(cell.ci_low, cell.ci_high, info, level)}, ${cell.n} of ${cell.expected} ${samples}`,
        { row },
        svg`<rect x=${round(x(number) - 8)} y=${round(y(value) - 8)} width="16" height="16" fill="transparent" />
          ${cell.ci_low === null || cell.ci_high === null ? '' : svg`<line x1=${round(x(number))} x2=${round(x(number))} y1=${round(Math.min(bottom, y(cell.ci_low)))} y2=${round(Math.max(top, y(cell.ci_high)))} stroke=${stroke} stroke-width="1.5" />`}
          ${dot(line.look, x(number), y(value), ink, 40)}`,
      ),
    )}`;
}

/** Means by number of references, in one small drawing for each criterion and group. */
export function multiplesChart(overview: Overview, found: Grouped, scope: ScopeInfo | undefined, lines: Line[], subject: string, level: Level): Chart {
  const numbers = found.rows
    .map((key) => ({ key, number: Number.parseFloat(key) }))
    .filter(({ number }) => Number.isFinite(number))
    .sort((a, b) => a.number - b.number);
  const at = new Map(found.cells.map((cell) => [[cell.model, cell.judge, cell.criterion, cell.row, cell.column].join('\n'), cell]));
  const infos = found.scales.flatMap(({ criterion }) => overview.criteria.find(({ id }) => id === criterion) ?? []);
  const panels = infos.flatMap((info) => found.columns.map((column) => ({ info, column })));
  const nameOf = ({ info, column }: (typeof panels)[number]): string =>
    [...(infos.length > 1 ? [`${info.label}${lowerSign(info)}`] : []), ...(column === '' ? [] : [keyLabel(scope?.scope ?? '', column)])].join(', ');
  const [PANEL, HEIGHT] = [210, 190];
  const perRow = (width: number): number =>
    Math.max(1, Math.min(panels.length, found.columns.length > 1 ? found.columns.length : infos.length, Math.floor(width / PANEL)));
  const [first, last] = [numbers[0], numbers.at(-1)];
  const told = panels.flatMap((panel) =>
    lines.slice(0, 1).flatMap((line) => {
      const [from, to] = [first, last].map((one) => at.get([line.model, line.judge, panel.info.id, one?.key ?? '', panel.column].join('\n'))?.mean ?? null);
      return from == null || to == null || first === last ? [] : [`${nameOf(panel)} from ${mean(from, panel.info)} to ${mean(to, panel.info)}`];
    }),
  );
  const meansOf = (line: Line, { info, column }: (typeof panels)[number]): CellMean[] =>
    numbers.flatMap(({ key: row, number }) => {
      const cell = at.get([line.model, line.judge, info.id, row, column].join('\n'));
      if (cell?.mean == null) return [];
      const isOfCell = (one: ScoreRow): boolean =>
        one.model === line.model && one.judge === line.judge && one.scope === 'references' && one.key === row && one.criterion === info.id;
      return [{ number, cell, mean: cell.mean, row: column === '' ? overview.scores.findIndex(isOfCell) : -1 }];
    });
  const frame = { level, samples: overview.benchmark?.words.samples ?? 'samples' };
  return {
    title: subject,
    sentence:
      told.length === 0
        ? 'No group has scores for two numbers of references.'
        : `${lines[0]?.name ?? ''}, from ${plural(first?.number ?? 0, 'reference')} to ${last?.number ?? 0}: ${told.slice(0, 4).join('; ')}${told.length > 4 ? `; and ${told.length - 4} more` : ''}.`,
    note: `Symbols are means over samples, each counting once, bars their ${level} % intervals; every drawing has the criterion’s whole scale. A row of the score table may weigh samples otherwise.`,
    height: (width) => legend(lines, width).height + 8 + Math.ceil(panels.length / perRow(width)) * HEIGHT,
    draw(width, ink, mark) {
      const key = legend(lines, width);
      const columns = perRow(width);
      const step = width / columns;
      return svg`${key.draw(ink)}${panels.map((panel, index) => {
        const { info } = panel;
        const [x0, y0] = [(index % columns) * step, key.height + 8 + Math.floor(index / columns) * HEIGHT];
        const [left, right, top, bottom] = [40, step - 10, 24, HEIGHT - 44];
        const x = scaleLinear([(first?.number ?? 0) - 0.5, (last?.number ?? 1) + 0.5], [left, right]);
        const y = scaleLinear(ends([], info), [bottom, top]);
        const ticks = numbers.map(({ number }) => ({ at: x(number), label: short(number) }));
        const values = y.ticks(3).map((value) => ({ at: y(value), label: short(value) }));
        return svg`<g transform="translate(${round(x0)},${round(y0)})">
          <text unicode-bidi="plaintext" x=${left} y="14" fill=${ink.text} font-size="12" font-weight="600">${fitted(nameOf(panel), right - left)}</text>
          ${leftAxis(values, [left, right, top, bottom], ink, '')}${bottomAxis(ticks, [left, right, top, bottom], ink, 'References')}
          ${lines.map((line) => drawCurve(line, meansOf(line, panel), { ...frame, x, y, top, bottom, name: nameOf(panel), info }, ink, mark))}
        </g>`;
      })}`;
    },
    head: CELLS_HEAD,
    rows: found.cells.filter((cell) => lines.some((line) => line.model === cell.model && line.judge === cell.judge)).map(cellDatum),
  };
}

/** One line of a chart by step: a criterion over everything, or one criterion in a group. */
interface StepLine {
  name: string;
  scope: string;
  key: string;
  info: CriterionInfo;
  look: Look;
}

/** A line with its means. */
interface Steps {
  line: StepLine;
  points: Point[];
}

/** Where the steps of a line are drawn, and what their marks say. */
interface StepFrame {
  x: (step: number) => number;
  y: (value: number) => number;
  /** Ends of the axis. */
  low: number;
  high: number;
  /** Lines are drawn next to each other. */
  shift: number;
  /** Whether values are means of judges, which have no interval. */
  isMean: boolean;
  units: string;
}

function drawSteps({ line, points }: Steps, { x, y, low, high, shift, isMean, units }: StepFrame, ink: Ink, mark: Mark): SVGTemplateResult {
  const stroke = colourOf(line.look, ink);
  const curve =
    path<Point>(
      (point) => round(x(point.step) + shift),
      (point) => round(y(point.value)),
    )(points) ?? '';
  return svg`<path d=${curve} fill="none" stroke=${stroke} stroke-width="1.5" stroke-opacity="0.7" />
    ${points.map((point) => {
      const middle = round(x(point.step) + shift);
      return mark(
        `${line.name}, step ${point.step}: ${mean(point.value, line.info)}${isMean ? '' : `, ${interval(point.low, point.high, line.info, '95')}`}, ${point.n} of ${point.expected} ${units}`,
        NOTHING,
        svg`<rect x=${middle - 10} y=${round(y(point.value)) - 10} width="20" height="20" fill="transparent" />
          ${point.low === null || point.high === null ? '' : svg`<line x1=${middle} x2=${middle} y1=${round(y(Math.max(low, point.low)))} y2=${round(y(Math.min(high, point.high)))} stroke=${stroke} stroke-width="2" />`}
          ${dot(line.look, middle, y(point.value), ink)}`,
      );
    })}`;
}

/** Means by step of an agent's loop: lines are criteria, or the groups of a scope under one criterion. */
export function stepsChart(
  overview: Overview,
  models: readonly string[],
  { judge, scope, criterion }: { judge: string | null; scope: string; criterion: string },
): Chart | null {
  const groups = overview.scopes.find((one) => one.scope === scope)?.keys ?? [];
  const one = overview.criteria.find(({ id }) => id === criterion);
  const lines: StepLine[] =
    scope === '' || one === undefined
      ? overview.criteria
          .filter(({ id }) => id !== 'total' || overview.criteria.length === 1)
          .map((info, at) => ({ name: titleOf(info), scope: 'overall', key: 'all', info, look: { colour: at, shape: at + Math.floor(at / 6) } }))
      : groups.map((key, at) => ({ name: keyLabel(scope, key), scope, key, info: one, look: { colour: at, shape: at + Math.floor(at / 6) } }));
  const series = lines
    .map((line) => ({ line, points: models.flatMap((model, at) => pointOf(overview, model, at + 1, line, judge) ?? []) }))
    .filter(({ points }) => points.length > 0);
  if (series.length === 0) return null;
  const all = series.flatMap(({ points }) => points);
  const own = series.map(({ line }) => line);
  // Criteria of several scales share an axis that holds them all.
  const scales = own.map(({ info }) => ends([], info));
  const [low, high] = [
    Math.min(...scales.map(([from]) => from), ...all.map(({ value }) => value)),
    Math.max(...scales.map(([, to]) => to), ...all.map(({ value }) => value)),
  ];
  const told = series.flatMap(({ line, points }) => {
    const [first, last] = [points[0], points.at(-1)];
    return first === undefined || last === undefined || first === last
      ? []
      : [`${line.name} goes from ${mean(first.value, line.info)} at step ${first.step} to ${mean(last.value, line.info)} at step ${last.step}`];
  });
  return {
    title: `${scope === '' ? 'Criteria' : one === undefined ? criterion : titleOf(one)} by step${judge === null ? ', mean of judges' : ''}`,
    sentence:
      told.length === 0 ? 'Fewer than two steps have scores.' : `${told.slice(0, 6).join('; ')}${told.length > 6 ? `; and ${told.length - 6} more` : ''}.`,
    note:
      judge === null
        ? 'Symbols are the means of the judges’ means, each judge counting once; so they have no interval.'
        : 'Symbols are means, bars their 95 % intervals.',
    height: (width) => legend(own, width).height + 290,
    draw(width, ink, mark) {
      const key = legend(own, width);
      const [left, right, top, bottom] = [52, width - 14, key.height + 8, key.height + 246];
      const gap = Math.min(9, (right - left) / (models.length * (own.length + 2)));
      const x = scaleLinear([0.5, models.length + 0.5], [left, right]);
      const y = scaleLinear([low, high], [bottom, top]);
      const box: [number, number, number, number] = [left, right, top, bottom];
      const ticks = models.map((_, at) => ({ at: x(at + 1), label: String(at + 1) }));
      const values = y.ticks(5).map((value) => ({ at: y(value), label: short(value) }));
      return svg`${key.draw(ink)}${leftAxis(values, box, ink, scope === '' ? 'Mean' : one === undefined ? '' : titleOf(one))}${bottomAxis(ticks, box, ink, 'Step')}
        ${series.map((one, at) => drawSteps(one, { x, y, low, high, shift: (at - (own.length - 1) / 2) * gap, isMean: judge === null, units: overview.benchmark?.words.units ?? 'units' }, ink, mark))}`;
    },
    head: ['step', 'model', 'judge', 'scope', 'key', 'criterion', 'mean', 'n', 'expected', 'ci_low', 'ci_high'],
    rows: series.flatMap(({ line, points }) =>
      points.map((point): Datum[] => [
        point.step,
        models[point.step - 1] ?? '',
        judge ?? 'mean of judges',
        line.scope,
        line.key,
        line.info.id,
        point.value,
        point.n,
        point.expected,
        point.low,
        point.high,
      ]),
    ),
  };
}

/** A mean of one step. */
interface Point {
  step: number;
  value: number;
  low: number | null;
  high: number | null;
  n: number;
  expected: number;
}

/** What a line has at a step: one judge's mean, or the mean of all judges' means with the least count among them. */
function pointOf(overview: Overview, model: string, step: number, { scope, key, info }: StepLine, judge: string | null): Point | null {
  const rows = overview.scores.filter(
    (row) =>
      row.model === model &&
      row.scope === scope &&
      row.key === key &&
      row.criterion === info.id &&
      row.mean !== null &&
      (judge === null || row.judge === judge),
  );
  const [first] = rows;
  if (first === undefined) return null;
  const value = rows.reduce((sum, row) => sum + (row.mean ?? 0), 0) / rows.length;
  const isOne = judge !== null;
  return {
    step,
    value,
    low: isOne ? first.ci_low : null,
    high: isOne ? first.ci_high : null,
    n: Math.min(...rows.map((row) => row.n)),
    expected: Math.max(...rows.map((row) => row.expected)),
  };
}
