/** The slope of two rankings: each model a line from its place on one side to its place on the other. */
import { svg, type SVGTemplateResult } from 'lit';
import { mean, titleOf } from '../../state/format';
import type { RankedModel } from '../../engine/types/RankedModel';
import type { RankingRow } from '../../engine/types/RankingRow';
import type { Rankings } from '../../engine/types/Rankings';
import { colourOf, dot, fitted, legend, round, type Chart, type Ink, type Look, type Mark } from '../plot-figure/chart';

const ROW = 28;
const TOP = 34;
/** From this width on, means stand beside the names. */
const WIDE = 620;

const PLAIN = { look: { colour: 0, shape: 0 }, name: 'keeps its order with every model', width: 1.5 };
/** How a model’s line looks, by what it is exchanged with. */
const LOOKS: { look: Look; name: string; width: number }[] = [
  PLAIN,
  { look: { colour: 4, shape: 1 }, name: 'exchanged with another model', width: 2 },
  { look: { colour: 1, shape: 2 }, name: 'exchanged, and both sides’ tests find a significant difference', width: 3 },
];

/** Which of these looks a model has. */
export function lookOf(model: string, { exchanged }: RankingRow): number {
  const own = exchanged.filter((pair) => pair.model === model || pair.other === model);
  if (own.some((pair) => pair.by_a.separated && pair.by_b.separated)) return 2;
  return own.length > 0 ? 1 : 0;
}

/** Models from the first place of a side on; equal ones as the other side has them, so that a tie crosses nothing. */
function placed(models: readonly RankedModel[], side: 'a' | 'b'): RankedModel[] {
  const [own, other] = side === 'a' ? (['rank_a', 'rank_b'] as const) : (['rank_b', 'rank_a'] as const);
  return [...models].sort((x, y) => x[own] - y[own] || x[other] - y[other]);
}

/** The drawing of one group's rankings. */
export function slopeChart(found: Rankings, row: RankingRow, names: { a: string; b: string; group: string }, sentence: string): Chart {
  const { criterion } = found;
  const left = placed(row.models, 'a');
  const right = placed(row.models, 'b');
  const looks = LOOKS.filter((_, at) => row.models.some((one) => lookOf(one.model, row) === at));
  const bottom = TOP + row.models.length * ROW;
  const y = (at: number): number => TOP + (at + 0.5) * ROW;
  const words = (one: RankedModel): string =>
    `${one.model}: place ${one.rank_a} by ${names.a} with ${mean(one.mean_a, criterion)}, place ${one.rank_b} by ${names.b} with ${mean(one.mean_b, criterion)}; ${one.n} of ${one.expected} samples`;
  const draw = (width: number, ink: Ink, mark: Mark): SVGTemplateResult => {
    const side = Math.max(70, Math.floor(width * 0.34));
    const [from, to] = [side, width - side];
    const label = (one: RankedModel, rank: number, value: number): string =>
      fitted(`${rank} ${one.model}${width < WIDE ? '' : ` ${mean(value, criterion)}`}`, side - 14);
    const line = (one: RankedModel, at: number): SVGTemplateResult => {
      const kind = LOOKS[lookOf(one.model, row)] ?? PLAIN;
      const colour = kind.look.colour === 0 ? ink.muted : colourOf(kind.look, ink);
      const [start, end] = [y(at), y(right.indexOf(one))];
      return mark(
        words(one),
        { row: row.models.indexOf(one) },
        svg`<line x1=${from} y1=${round(start)} x2=${to} y2=${round(end)} stroke=${colour} stroke-width=${kind.width} />
          <line x1=${from} y1=${round(start)} x2=${to} y2=${round(end)} stroke="transparent" stroke-width="14" />
          ${dot(kind.look, from, start, ink)}${dot(kind.look, to, end, ink)}
          <text unicode-bidi="plaintext" x=${from - 10} y=${round(start + 4)} fill=${ink.text} font-size="12" text-anchor="end">${label(one, one.rank_a, one.mean_a)}</text>
          <text unicode-bidi="plaintext" x=${to + 10} y=${round(end + 4)} fill=${ink.text} font-size="12">${label(one, one.rank_b, one.mean_b)}</text>`,
      );
    };
    const key = legend(looks, width);
    return svg`<text unicode-bidi="plaintext" x=${from - 10} y="18" fill=${ink.muted} font-size="12" text-anchor="end">${fitted(names.a, side - 14)}</text>
      <text unicode-bidi="plaintext" x=${to + 10} y="18" fill=${ink.muted} font-size="12">${fitted(names.b, side - 14)}</text>
      <line x1=${from} x2=${from} y1=${TOP} y2=${bottom} stroke=${ink.grid} /><line x1=${to} x2=${to} y1=${TOP} y2=${bottom} stroke=${ink.grid} />
      ${left.map(line)}
      <g transform="translate(0,${bottom + 12})">${key.draw(ink)}</g>`;
  };
  return {
    title: `Places by ${names.a} and ${names.b}: ${titleOf(criterion)}${names.group === '' ? '' : `, ${names.group}`}`,
    sentence,
    note: 'Best on top; lines that cross are models that the two sides put in opposite order. Numbers are places; equal means share theirs.',
    height: (width) => bottom + 16 + legend(looks, width).height,
    draw,
    head: ['model', 'n', 'expected', `mean ${found.a}`, `mean ${found.b}`, `place ${found.a}`, `place ${found.b}`, 'difference', 'low', 'high'],
    rows: row.models.map((one) => [
      one.model,
      one.n,
      one.expected,
      one.mean_a,
      one.mean_b,
      one.rank_a,
      one.rank_b,
      one.difference.value,
      one.difference.low,
      one.difference.high,
    ]),
  };
}
