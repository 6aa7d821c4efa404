/** Grouped bars: a bar for each level of each group, with its interval. */
import { scaleLinear } from 'd3-scale';
import { svg, type SVGTemplateResult } from 'lit';
import { bottomAxis, colourOf, fitted, legend, round, short, type Action, type Chart, type Datum, type Ink, type Look, type Mark } from './chart';

/** One bar; without a value only its words are there. */
export interface Bar {
  value: number | null;
  /** Ends of the interval; without them there is none. */
  low: number | null;
  high: number | null;
  /** What it says when one points at it, or goes to it. */
  words: string;
  action: Action;
}

/** What is drawn. */
export interface Bars {
  title: string;
  sentence: string;
  note: string;
  /** What the axis is of. */
  axis: string;
  /** The ends of the axis; bars begin at the lower one, or at 0 where it lies between. */
  scale: [number, number];
  groups: string[];
  /** The levels of a group, in the order of its bars. */
  levels: { name: string; look: Look }[];
  /** The bar of a group and a level; none where there is nothing to be said. */
  bar: (group: number, level: number) => Bar | null;
  head: string[];
  rows: Datum[][];
}

const ROW = 18;
const HEAD = 24;
const GAP = 8;

/** Bars of groups below each other, so that long names have their place, with the levels of each side by side. */
export function barsChart({ title, sentence, note, axis, scale, groups, levels, bar, head, rows }: Bars): Chart {
  const height = HEAD + levels.length * ROW + GAP;
  return {
    title,
    sentence,
    note,
    head,
    rows,
    height: (width) => legend(levels, width).height + groups.length * height + 48,
    draw(width, ink, mark) {
      const key = legend(levels, width);
      const [left, right, top] = [10, width - 16, key.height + 4];
      const bottom = top + groups.length * height;
      const x = scaleLinear(scale, [left, right]);
      const ticks = x.ticks(Math.max(3, Math.floor(width / 90))).map((value) => ({ at: x(value), label: short(value) }));
      const foot = x(Math.min(Math.max(0, scale[0]), scale[1]));
      return svg`${key.draw(ink)}${bottomAxis(ticks, [left, right, top, bottom], ink, axis)}
        ${groups.map((name, group) => {
          const y = top + group * height;
          return svg`<text unicode-bidi="plaintext" x=${left} y=${y + 16} fill=${ink.text} font-size="12" font-weight="600">${fitted(name, right - left)}</text>
            ${levels.map(({ look }, level) => drawBar(bar(group, level), look, { left, right, y: y + HEAD + level * ROW, foot, x, scale }, ink, mark))}`;
        })}`;
    },
  };
}

/** Where a bar is drawn. */
interface Place {
  left: number;
  right: number;
  y: number;
  foot: number;
  x: (value: number) => number;
  scale: [number, number];
}

function drawBar(bar: Bar | null, look: Look, { left, right, y, foot, x, scale: [low, high] }: Place, ink: Ink, mark: Mark): SVGTemplateResult | string {
  if (bar === null) return '';
  const middle = y + ROW / 2 - 1;
  const area = svg`<rect x=${left} y=${y} width=${round(right - left)} height=${ROW} fill="transparent" />`;
  if (bar.value === null) return mark(bar.words, bar.action, svg`${area}<text x=${round(foot + 4)} y=${middle + 4} fill=${ink.muted} font-size="11">–</text>`);
  const inside = (value: number): number => x(Math.min(high, Math.max(low, value)));
  const end = inside(bar.value);
  const colour = colourOf(look, ink);
  const interval =
    bar.low === null || bar.high === null
      ? ''
      : svg`<line x1=${round(inside(bar.low))} x2=${round(inside(bar.high))} y1=${middle} y2=${middle} stroke=${ink.surface} stroke-width="4" />
        <line x1=${round(inside(bar.low))} x2=${round(inside(bar.high))} y1=${middle} y2=${middle} stroke=${ink.text} stroke-width="1.5" />
        ${[bar.low, bar.high].filter((value) => value >= low && value <= high).map((value) => svg`<line x1=${round(x(value))} x2=${round(x(value))} y1=${middle - 4} y2=${middle + 4} stroke=${ink.text} stroke-width="1.5" />`)}`;
  return mark(
    bar.words,
    bar.action,
    svg`${area}<rect x=${round(Math.min(foot, end))} y=${y + 2} width=${round(Math.max(1, Math.abs(end - foot)))} height=${ROW - 6} rx="2" fill=${colour} />${interval}`,
  );
}
