/** Finds where an instruction speaks of a picture, in the ways in which the benchmarks write it. */
import type { PictureView } from '../engine/types/PictureView';
import type { Span } from '../engine/types/Span';

/** A piece of text; with a picture's number where it speaks of one. */
export interface Mention {
  text: string;
  picture: number | null;
  /** It names a number that no picture of the sample has. */
  broken: boolean;
}

interface Found {
  start: number;
  end: number;
  /** The place among the inputs, from 1, or the picture itself. */
  place: number;
}

const NOUN = '(?:images?|imgs?|pictures?|pics?|photographs?|photos?|figures?|figs?\\.?)';
const QUALIFIER = '(?:(?:reference|input|source|given)\\s+)?';
const WORDS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
const ORDINAL = `(?:${WORDS.join('|')}|1st|2nd|3rd|[4-9]th|10th)`;
/** `image 2`, `Image #2`, `<image_3>`, `[Figure 2]`, `reference image 1`. */
const NUMBERED = new RegExp(`(?:<\\|?|\\[)?\\b${QUALIFIER}(${NOUN})[\\s_#-]*(\\d{1,2})\\b(?:\\|?>|\\])?`, 'giu');
/** What may follow the number of a plural: `images 1, 2 and 3`. */
const FURTHER = /(?:\s*,\s*(?:and\s+)?|\s+(?:and|or|&)\s+)#?(\d{1,2})\b/uy;
/** `the first picture`, `first and second images`. */
const ORDINALS = new RegExp(`\\b${ORDINAL}(?:(?:\\s*,\\s*|\\s*,?\\s+(?:and|or)\\s+)(?:the\\s+)?${ORDINAL})*\\s+${QUALIFIER}${NOUN}(?![\\w-])`, 'giu');
/** `the colours of the second`, where the noun was said before. */
const ELLIPTIC = new RegExp(
  `\\b(?:of|from|in|on|onto|into|with|behind|before|to|like)\\s+the\\s+(${ORDINAL})(?=\\s*(?:[.,;:!?)]|$)|\\s+(?:and|or|on|onto|in|into|to|with|at|under|over|behind|above|below|beside|but|while|as)\\b)`,
  'giu',
);
/** Labels that are names in a text: `<canny_image>`, `RA`. */
const NAME = /^(?:<[^<>]+>|[A-Z][A-Z0-9]+)$/u;

/**
 * The spans of the engine, with what it leaves as plain text searched for further ways to speak of a picture.
 *
 * Only where all pictures are there from the start (one turn): in a dialogue “the first picture” may be any of them.
 * A number beyond the inputs stays text.
 */
export function mentions(spans: readonly Span[], pictures: readonly PictureView[], turns: number): Mention[] {
  const known = new Set(pictures.map(({ number }) => number));
  return spans.flatMap(({ text, picture }) => {
    if (picture !== null) return [{ text, picture, broken: !known.has(picture) }];
    return turns === 1 ? cut(text, pictures) : [{ text, picture: null, broken: false }];
  });
}

function cut(text: string, pictures: readonly PictureView[]): Mention[] {
  const inputs = pictures.filter(({ produced_by: by }) => by === null);
  const found = [...named(text, inputs), ...numbered(text), ...ordinals(text)]
    .filter(({ place }) => place >= 1 && place <= inputs.length)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const out: Mention[] = [];
  let done = 0;
  for (const { start, end, place } of found) {
    if (start < done) continue;
    if (start > done) out.push({ text: text.slice(done, start), picture: null, broken: false });
    out.push({ text: text.slice(start, end), picture: inputs[place - 1]?.number ?? null, broken: false });
    done = end;
  }
  if (done < text.length) out.push({ text: text.slice(done), picture: null, broken: false });
  return out;
}

function named(text: string, inputs: readonly PictureView[]): Found[] {
  return inputs.flatMap(({ label }, index) => {
    if (!NAME.test(label)) return [];
    const escaped = label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const pattern = label.startsWith('<') ? escaped : `\\b${escaped}\\b`;
    return [...text.matchAll(new RegExp(pattern, 'gu'))].map(({ index: start }) => ({ start, end: start + label.length, place: index + 1 }));
  });
}

function numbered(text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(NUMBERED)) {
    let end = match.index + match[0].length;
    found.push({ start: match.index, end, place: Number(match[2]) });
    if (!/s$/i.test(match[1] ?? '')) continue;
    for (;;) {
      FURTHER.lastIndex = end;
      const further = FURTHER.exec(text);
      if (further === null) break;
      const digits = further[1] ?? '';
      end = FURTHER.lastIndex;
      found.push({ start: end - digits.length, end, place: Number(digits) });
    }
  }
  return found;
}

function ordinals(text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(ORDINALS)) {
    const words = [...match[0].matchAll(new RegExp(`\\b${ORDINAL}\\b`, 'giu'))];
    words.forEach((word, at) => {
      const start = match.index + word.index;
      const end = at === words.length - 1 ? match.index + match[0].length : start + word[0].length;
      found.push({ start, end, place: placeOf(word[0]) });
    });
  }
  // Without a noun an ordinal may count anything: only where pictures were counted before.
  if (found.length === 0) return found;
  for (const match of text.matchAll(ELLIPTIC)) {
    const word = match[1] ?? '';
    const end = match.index + match[0].length;
    found.push({ start: end - word.length, end, place: placeOf(word) });
  }
  return found;
}

function placeOf(ordinal: string): number {
  const at = WORDS.indexOf(ordinal.toLowerCase());
  return at === -1 ? Number.parseInt(ordinal, 10) : at + 1;
}
