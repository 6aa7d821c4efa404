/** What every chart has: its words, its numbers, and a drawing that is the same on the page and on paper. */
import { svg, type SVGTemplateResult } from 'lit';
import { symbol, symbolCircle, symbolCross, symbolDiamond, symbolSquare, symbolTriangle, symbolWye } from 'd3-shape';
import { csvField } from '../../state/escape';
import { tailOf } from '../name/name';

/** Colours as presentation attributes take them. */
export interface Ink {
  text: string;
  muted: string;
  line: string;
  grid: string;
  surface: string;
  accent: string;
  tint: string;
  series: readonly string[];
}

const NUM_SERIES = 6;

/** The page's own, which follow its theme. */
export const PAGE: Ink = {
  text: 'var(--juror-text)',
  muted: 'var(--juror-text-2)',
  line: 'var(--juror-line-strong)',
  grid: 'var(--juror-line)',
  surface: 'var(--juror-surface)',
  accent: 'var(--juror-accent)',
  tint: 'var(--juror-tint)',
  series: Array.from({ length: NUM_SERIES }, (_, at) => `var(--juror-plot-${at + 1})`),
};

/** For a white sheet; the page's light theme as numbers, so that a file needs no style sheet. */
export const PAPER: Ink = {
  text: '#171c1d',
  muted: '#4a5557',
  line: '#86908d',
  grid: '#dde2e0',
  surface: '#ffffff',
  accent: '#0b6970',
  tint: '#3d9da2',
  series: ['#0072b2', '#c04a00', '#00795a', '#a3407f', '#8a6a00', '#4f4fc4'],
};

/** What a mark does: open a score row's formula, or list the samples behind a count; nothing where the row is below 0. */
export type Action = { row: number } | { line: number; mark: number } | GroupAction;

/** Opens the samples of a group that pass a test, as the filter of the list writes it. */
export interface GroupAction {
  group: string;
  test: string;
}

/** Makes a mark of a drawing: on the page one can go to it and open it, on paper it is only drawn. */
export type Mark = (words: string, action: Action, drawing: SVGTemplateResult) => SVGTemplateResult;

/** A cell of the table behind a plot. */
export type Datum = string | number | null;

/** One plot, ready to be drawn at any width. */
export interface Chart {
  /** For the heading and the file's name. */
  title: string;
  /** What there is to see, in words. */
  sentence: string;
  /** What one needs to know to read it. */
  note: string;
  height: (width: number) => number;
  draw: (width: number, ink: Ink, mark: Mark) => SVGTemplateResult;
  head: string[];
  rows: Datum[][];
}

const SHAPES = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolCross, symbolWye];

/** How a series is told from the others: by colour and by shape, so that neither has to be seen alone. */
export interface Look {
  colour: number;
  shape: number;
}

/** A symbol of a series at a point. */
export function dot(look: Look, x: number, y: number, ink: Ink, size = 64): SVGTemplateResult {
  const shape = SHAPES[look.shape % SHAPES.length] ?? symbolCircle;
  return svg`<path d=${symbol(shape, size)() ?? ''} transform="translate(${round(x)},${round(y)})" fill=${colourOf(look, ink)} stroke=${ink.surface} stroke-width="1" />`;
}

export const colourOf = ({ colour }: Look, ink: Ink): string => ink.series[colour % NUM_SERIES] ?? ink.text;

/** Letters that are as wide as high: Chinese, Japanese, Korean, emoji. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
/** Marks upon the letter before, which take no room. */
const MARK = /^\p{M}+$/u;
const LETTER = 0.58;

const emsOf = (letter: string): number => (MARK.test(letter) ? 0 : WIDE.test(letter) ? 1.02 : LETTER);

/** About as wide as a text of the size used here will be. */
export function widthOf(text: string, size = 12): number {
  let ems = 0;
  for (const letter of text) ems += emsOf(letter);
  return ems * size;
}

/** A text cut to a width, between two letters. */
export function fitted(text: string, width: number, size = 12): string {
  const most = Math.max(3 * LETTER * size, width);
  if (widthOf(text, size) <= most) return text;
  let used = LETTER * size;
  let end = 0;
  for (const letter of text) {
    used += emsOf(letter) * size;
    if (used > most) break;
    end += letter.length;
  }
  return `${text.slice(0, end)}…`;
}

/** A name cut to a width in its middle, as names that are alike differ at their ends. */
export function fittedName(name: string, width: number, size = 12): string {
  if (widthOf(name, size) <= width) return name;
  const long = tailOf(name);
  const at = widthOf(name.slice(long), size) * 2 > width ? tailOf(name, 4, 7) : long;
  const tail = name.slice(at);
  return `${fitted(name.slice(0, at), width - widthOf(tail, size), size)}${tail}`;
}

export const round = (value: number): number => Math.round(value * 100) / 100;

/** Names with their symbols, in as many lines as they need. */
export function legend(all: { name: string; look: Look }[], width: number): { height: number; draw: (ink: Ink) => SVGTemplateResult[] } {
  const places: { x: number; y: number; name: string; look: Look }[] = [];
  let [x, y] = [0, 0];
  for (const { name: full, look } of all) {
    const name = fittedName(full, width - 24);
    const own = widthOf(name) + 34;
    if (x > 0 && x + own > width) [x, y] = [0, y + 20];
    places.push({ x, y, name, look });
    x += own;
  }
  return {
    height: y + 26,
    draw: (ink) =>
      places.map(
        (place) =>
          svg`${dot(place.look, place.x + 7, place.y + 8, ink)}<text unicode-bidi="plaintext" x=${round(place.x + 18)} y=${place.y + 12} fill=${ink.text} font-size="12">${place.name}</text>`,
      ),
  };
}

/** Vertical grid lines with their values below. */
export function bottomAxis(
  ticks: { at: number; label: string }[],
  [left, right, top, bottom]: [number, number, number, number],
  ink: Ink,
  title: string,
): SVGTemplateResult {
  return svg`${ticks.map(
    ({ at, label }) => svg`<line x1=${round(at)} x2=${round(at)} y1=${top} y2=${bottom} stroke=${ink.grid} />
      <text x=${round(at)} y=${bottom + 15} fill=${ink.muted} font-size="11" text-anchor="middle">${label}</text>`,
  )}
    <line x1=${left} x2=${right} y1=${bottom} y2=${bottom} stroke=${ink.line} />
    <text x=${(left + right) / 2} y=${bottom + 32} fill=${ink.muted} font-size="12" text-anchor="middle">${title}</text>`;
}

/** Horizontal grid lines with their values on the left. */
export function leftAxis(
  ticks: { at: number; label: string }[],
  [left, right, top, bottom]: [number, number, number, number],
  ink: Ink,
  title: string,
): SVGTemplateResult {
  const middle = (top + bottom) / 2;
  return svg`${ticks.map(
    ({ at, label }) => svg`<line x1=${left} x2=${right} y1=${round(at)} y2=${round(at)} stroke=${ink.grid} />
      <text x=${left - 6} y=${round(at + 4)} fill=${ink.muted} font-size="11" text-anchor="end">${label}</text>`,
  )}
    <text x="11" y=${middle} transform="rotate(-90 11 ${middle})" fill=${ink.muted} font-size="12" text-anchor="middle">${title}</text>`;
}

/** A number as an axis writes it. */
export const short = (value: number): string => String(Number(value.toPrecision(6))).replace('-', '−');

/** The table as CSV: a text that a spreadsheet would run as a formula gets a quote mark in front. */
export function csv({ head, rows }: Pick<Chart, 'head' | 'rows'>): string {
  const field = (datum: Datum): string => {
    if (datum === null) return '';
    return typeof datum === 'number' ? String(datum) : csvField(datum);
  };
  return [head, ...rows].map((row) => `${row.map(field).join(',')}\n`).join('');
}

/** The words of a mark that lists samples; empty where the drawing has no such mark. */
export function markWords(chart: Chart, { line, mark }: { line: number; mark: number }): string {
  let found = '';
  chart.draw(MARKS_WIDTH, PAGE, (words, action, drawing) => {
    if ('line' in action && action.line === line && action.mark === mark) found = words;
    return drawing;
  });
  return found;
}

/** Which marks there are does not depend on the width. */
const MARKS_WIDTH = 720;
