/** Charts of counted scores: each mark stands for samples that can be listed. */
import { scaleLinear } from 'd3-scale';
import { svg } from 'lit';
import { count, judgeScore, plural, signed, titleOf } from '../../state/format';
import type { CriterionInfo } from '../../engine/types/CriterionInfo';
import type { Estimate } from '../../engine/types/Estimate';
import type { Level } from '../../engine/types/Level';
import type { Plot } from '../../engine/types/Plot';
import type { PlotLine } from '../../engine/types/PlotLine';
import type { PlotMark } from '../../engine/types/PlotMark';
import type { Words } from '../../engine/types/Words';
import { bottomAxis, colourOf, fitted, leftAxis, round, short, widthOf, type Chart } from './chart';

const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

/** `4`, or `0.4 to 0.5`. */
export const rangeOf = ({ low, high }: { low: number; high: number }): string => (low === high ? judgeScore(low) : `${judgeScore(low)} to ${judgeScore(high)}`);

const nameOf = ({ model, judge }: PlotLine, several: boolean): string => (several ? `${model} · ${judge === '' ? 'judge not stated' : judge}` : model);

/** How often each score was given. */
export function distributionChart(plot: Plot, info: CriterionInfo): Chart {
  const several = new Set(plot.lines.map(({ judge }) => judge)).size > 1;
  const lines = plot.lines.map((line) => ({ line, name: nameOf(line, several) }));
  const models = [...new Set(plot.lines.map(({ model }) => model))];
  const most = Math.max(0.01, ...plot.lines.flatMap(({ n, marks }) => marks.map((mark) => mark.n / Math.max(1, n))));
  const FACET = 124;
  const sentences = lines.map(({ line, name }) => {
    const top = line.marks.reduce<PlotMark | null>((best, mark) => (mark.n > (best?.n ?? 0) ? mark : best), null);
    const missing = line.missing > 0 ? `, ${count(line.missing)} more missing` : '';
    if (top === null || line.mean === null) return `${name}: no score${line.missing > 0 ? `, ${count(line.missing)} missing` : ''}`;
    return `${name}: ${plural(line.n, 'score')}${missing}, their mean ${short(Number(line.mean.toFixed(3)))}, most often ${rangeOf(top)} (${percent(top.n, line.n)})`;
  });
  const ruled = plot.lines.some((line) => line.ruled > 0);
  const what = info.id === 'total' ? 'Each sample’s total, on the printed scale' : 'Each score, on the judge’s scale';
  return {
    title: `Distribution of ${titleOf(info).toLowerCase()}`,
    sentence: `${sentences.join('. ')}.`,
    note: `${what}; bars as shares of each model’s scores.${plot.is_binned ? ' A bar holds its lower end and not its upper one, the last holds both.' : ''}${ruled ? ' Hatched: missing outputs that the policy counts; no judge gave that score.' : ''}`,
    height: () => lines.length * FACET + 50,
    draw(width, ink, mark) {
      const [left, right] = [46, width - 14];
      const single = !plot.is_binned;
      const values = [...new Set(plot.lines.flatMap(({ marks }) => marks.map(({ low }) => low)))].sort((a, b) => a - b);
      const least = Math.min(1, ...values.slice(1).map((value, at) => value - (values[at] ?? value)));
      const pad = single ? Math.max(least, 1e-9) / 2 : 0;
      const x = scaleLinear([plot.min - pad, plot.max + pad], [left, right]);
      const ticks = (single && values.length <= width / 34 ? values : x.ticks(Math.max(3, Math.floor(width / 80)))).map((value) => ({
        at: x(value),
        label: short(value),
      }));
      const bottom = lines.length * FACET + 4;
      return svg`<defs>
          <pattern id="ruled" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="6" height="6" fill=${ink.surface} /><rect width="2.5" height="6" fill=${ink.muted} />
          </pattern>
        </defs>
        ${bottomAxis(ticks, [left, right, 4, bottom], ink, titleOf(info))}
        ${lines.map(({ line, name }, at) => {
          const [top, base] = [4 + at * FACET + 38, 4 + (at + 1) * FACET];
          const counted = ` (${plural(line.n, 'score')})`;
          const y = scaleLinear([0, most], [base, top]);
          return svg`<text unicode-bidi="plaintext" x=${left} y=${top - 9} fill=${ink.text} font-size="12" font-weight="600">${fitted(name, right - left - widthOf(counted))}${counted}</text>
            <line x1=${left} x2=${right} y1=${base} y2=${base} stroke=${ink.line} />
            ${y
              .ticks(2)
              .filter((value) => value > 0)
              .map(
                (value) =>
                  svg`<text x=${left - 6} y=${round(y(value) + 4)} fill=${ink.muted} font-size="10" text-anchor="end">${`${short(100 * value)} %`}</text>`,
              )}
            ${line.marks.map((one) => {
              if (one.n === 0) return '';
              const [from, to] = single ? [one.low - pad * 0.8, one.low + pad * 0.8] : [one.low, one.high];
              const [start, end] = [x(from) + (single ? 0 : 0.5), x(to) - (single ? 0 : 0.5)];
              const height = (n: number): number => base - y(n / Math.max(1, line.n));
              const told = one.n - one.ruled;
              return mark(
                `${name}, ${rangeOf(one)}: ${plural(one.n, 'score')}, ${percent(one.n, line.n)}${one.ruled > 0 ? `, of them ${one.ruled} by policy` : ''}`,
                { line: at, mark: one.id },
                svg`<rect x=${round(start)} y=${top} width=${round(end - start)} height=${base - top} fill="transparent" />
                  <rect x=${round(start)} y=${round(base - height(told))} width=${round(end - start)} height=${round(height(told))} fill=${colourOf({ colour: models.indexOf(line.model), shape: 0 }, ink)} />
                  ${one.ruled === 0 ? '' : svg`<rect x=${round(start)} y=${round(base - height(one.n))} width=${round(end - start)} height=${round(height(one.ruled))} fill="url(#ruled)" stroke=${ink.muted} />`}`,
              );
            })}
            ${line.mean === null ? '' : svg`<path d="M${round(x(line.mean))} ${base + 1} l-4 6 h8 Z" fill=${ink.text} />`}`;
        })}`;
    },
    head: ['model', 'judge', 'criterion', 'low', 'high', 'scores', 'by_policy', 'share'],
    rows: plot.lines.flatMap((line) =>
      line.marks.map((mark) => [line.model, line.judge, info.id, mark.low, mark.high, mark.n, mark.ruled, line.n === 0 ? null : mark.n / line.n]),
    ),
  };
}

/** Differences of two models on the same samples. */
export function differenceChart(
  plot: Plot,
  info: CriterionInfo,
  a: string,
  b: string,
  { sample, samples }: Pick<Words, 'sample' | 'samples'>,
  level: Level,
): Chart {
  const line = plot.lines[0];
  const [above = 0, equal = 0, below = 0] = line?.signs ?? [];
  const wins = info.direction === 'down' ? below : above;
  const losses = info.direction === 'down' ? above : below;
  const better = info.direction === 'neither' ? ['higher', 'lower'] : ['better', 'worse'];
  const range =
    line?.ci_low == null || line.ci_high == null ? 'no interval' : `${level} % interval [${signed(line.ci_low, info)}, ${signed(line.ci_high, info)}]`;
  const verdict =
    line?.ci_low == null || line.ci_high == null
      ? ''
      : line.ci_low <= 0 && line.ci_high >= 0
        ? ' The interval contains 0: this may be chance.'
        : ' The interval does not contain 0.';
  const most = Math.max(1, ...(line?.marks ?? []).map(({ n }) => n));
  return {
    title: `${titleOf(info)}: ${a} − ${b}`,
    sentence:
      line?.mean == null
        ? `No ${samples} have a score of both models.`
        : `On the ${count(line.n)} ${samples} that have both, ${a} minus ${b} is ${signed(line.mean, info)} on average (${range}). ${a} is ${better[0] ?? ''} in ${count(wins)}, equal in ${count(equal)}, ${better[1] ?? ''} in ${count(losses)}.${line.missing > 0 ? ` ${count(line.missing)} more lack a score of one of the two, or of both, and are left out.` : ''}${verdict}`,
    note: `Differences by ${samples}, each counted once, on the printed scale; the interval is Student’s t over them, the same as in Compare, which also tests the difference. A mean over groups, as in the table, can differ from it. The bar in the middle is exactly no difference.${info.direction === 'down' ? ' Lower is better.' : ''}`,
    height: () => 330,
    draw(width, ink, mark) {
      const [left, right, top, bottom] = [46, width - 14, 40, 286];
      const x = scaleLinear([plot.min, plot.max], [left, right]);
      const y = scaleLinear([0, most], [bottom, top]).nice(4);
      const ticks = x.ticks(Math.max(3, Math.floor(width / 90))).map((value) => ({ at: x(value), label: short(value) }));
      const counts = y
        .ticks(4)
        .filter(Number.isInteger)
        .map((value) => ({ at: y(value), label: count(value) }));
      const box: [number, number, number, number] = [left, right, top, bottom];
      return svg`${leftAxis(counts, box, ink, '')}${bottomAxis(ticks, box, ink, `${a} − ${b}`)}
        <text unicode-bidi="plaintext" x=${left} y="16" fill=${ink.muted} font-size="12">${fitted(`← higher: ${b}`, (right - left) / 2 - 8)}</text>
        <text unicode-bidi="plaintext" x=${right} y="16" fill=${ink.muted} font-size="12" text-anchor="end">${fitted(`higher: ${a} →`, (right - left) / 2 - 8)}</text>
        ${(line?.marks ?? []).map((one) => {
          if (one.n === 0) return '';
          const isNone = one.low === 0 && one.high === 0;
          const width_ = Math.abs(x(plot.max) - x(0)) / 10;
          const [start, end] = isNone ? [x(0) - width_ * 0.2, x(0) + width_ * 0.2] : [x(one.low) + 1, x(one.high) - 1];
          // Beside the bar for none, so that neither hides the other.
          const from = !isNone && one.low === 0 ? start + width_ * 0.2 : start;
          const to = !isNone && one.high === 0 ? end - width_ * 0.2 : end;
          return mark(
            `${isNone ? 'No difference' : `Difference ${rangeOf(one)}`}: ${plural(one.n, sample, samples)}`,
            { line: 0, mark: one.id },
            svg`<rect x=${round(from)} y=${top} width=${round(to - from)} height=${bottom - top} fill="transparent" />
              <rect x=${round(from)} y=${round(y(one.n))} width=${round(to - from)} height=${round(bottom - y(one.n))} fill=${isNone ? ink.muted : colourOf({ colour: one.low >= 0 ? 0 : 1, shape: 0 }, ink)} />`,
          );
        })}
        <line x1=${round(x(0))} x2=${round(x(0))} y1=${top} y2=${bottom} stroke=${ink.text} stroke-dasharray="3 3" />
        ${
          line?.mean == null
            ? ''
            : svg`${line.ci_low === null || line.ci_high === null ? '' : svg`<line x1=${round(x(line.ci_low))} x2=${round(x(line.ci_high))} y1="30" y2="30" stroke=${ink.text} stroke-width="3" />`}
            <circle cx=${round(x(line.mean))} cy="30" r="5" fill=${ink.text} stroke=${ink.surface} />`
        }`;
    },
    head: ['a', 'b', 'criterion', 'low', 'high', 'samples'],
    rows: (line?.marks ?? []).map((mark) => [a, b, info.id, mark.low, mark.high, mark.n]),
  };
}

/** A side in words: `people`, a judge, a rater. */
export function sideName(side: string): string {
  if (side === 'people') return 'people (mean of raters)';
  const [kind = '', ...rest] = side.split(':');
  const name = rest.join(':');
  return kind === 'rater' ? `rater ${name}` : name === '' ? 'judge not stated' : name;
}

const estimate = (name: string, one: Estimate | null): string =>
  one === null
    ? `${name} not defined`
    : `${name} ${one.value.toFixed(2)}${one.low === null || one.high === null ? '' : ` [${one.low.toFixed(2)}, ${one.high.toFixed(2)}]`}`;

/** Two judges, or a judge and people, on the same outputs. */
export function scatterChart(plot: Plot, info: CriterionInfo, a: string, b: string, level: Level): Chart {
  const line = plot.lines[0];
  const marks = line?.marks ?? [];
  const most = Math.max(1, ...marks.map(({ n }) => n));
  const same = marks.filter((mark) => !plot.is_binned && mark.low === mark.y_low).reduce((sum, mark) => sum + mark.n, 0);
  const [nameA, nameB] = [sideName(a), sideName(b)];
  const total = line?.n ?? 0;
  const { agreement } = plot;
  return {
    title: `${titleOf(info)}: ${nameA} and ${nameB}`,
    sentence:
      agreement === null || total === 0
        ? `Nothing was rated by both ${nameA} and ${nameB}.`
        : `${count(total)} outputs were rated by both${(line?.missing ?? 0) > 0 ? ` (${count(line?.missing ?? 0)} more by one alone)` : ''}: ${estimate('Pearson r', agreement.pearson)}, ${estimate('Spearman ρ', agreement.spearman)}, ${estimate('mean absolute difference', agreement.mae)}${plot.is_binned ? '' : `; the same score in ${percent(same, total)}`}. Intervals are at ${level} %.`,
    note: `Scores are few, so outputs fall on the same point: an area shows how many, and nothing is jittered.${plot.is_binned ? ' Here each point is the middle of a cell of a 30 × 30 grid.' : ''} On the dashed line both say the same. Runs and raters are averaged; what is missing is left out, whatever the policy.`,
    height: (width) => Math.min(560, width) + 10,
    draw(width, ink, mark) {
      const side = Math.min(560, width) - 62;
      const [left, top] = [52, 10];
      const [right, bottom] = [left + side, top + side];
      const margin = (plot.max - plot.min) * 0.06 || 0.5;
      const x = scaleLinear([plot.min - margin, plot.max + margin], [left, right]);
      const y = scaleLinear([plot.min - margin, plot.max + margin], [bottom, top]);
      const values = x.ticks(6).filter((value) => value >= plot.min && value <= plot.max);
      const box: [number, number, number, number] = [left, right, top, bottom];
      const largest = most === 1 ? 5 : Math.min(18, side / 24);
      const middle = (low: number, high: number): number => (low + high) / 2;
      return svg`${leftAxis(
        values.map((value) => ({ at: y(value), label: short(value) })),
        box,
        ink,
        fitted(nameB, side),
      )}
        ${bottomAxis(
          values.map((value) => ({ at: x(value), label: short(value) })),
          box,
          ink,
          fitted(nameA, side),
        )}
        <line x1=${round(x(plot.min))} y1=${round(y(plot.min))} x2=${round(x(plot.max))} y2=${round(y(plot.max))} stroke=${ink.muted} stroke-dasharray="5 4" />
        ${marks.map((one) =>
          mark(
            `${nameA} ${rangeOf(one)}, ${nameB} ${rangeOf({ low: one.y_low, high: one.y_high })}: ${plural(one.n, 'output')}`,
            { line: 0, mark: one.id },
            svg`<circle cx=${round(x(middle(one.low, one.high)))} cy=${round(y(middle(one.y_low, one.y_high)))} r=${round(Math.max(3, largest * Math.sqrt(one.n / most)))} fill=${colourOf({ colour: 0, shape: 0 }, ink)} fill-opacity="0.55" stroke=${colourOf({ colour: 0, shape: 0 }, ink)} />`,
          ),
        )}`;
    },
    head: ['a', 'b', 'criterion', 'a_low', 'a_high', 'b_low', 'b_high', 'outputs'],
    rows: marks.map((mark) => [nameA, nameB, info.id, mark.low, mark.high, mark.y_low, mark.y_high, mark.n]),
  };
}
