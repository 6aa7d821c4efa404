/** Fills a formula's symbols with values, and only where the result proves to be the number that it explains. */
import type { CriterionInfo } from '../engine/types/CriterionInfo';
import type { ScoreRow } from '../engine/types/ScoreRow';

/** A sum of weighted sub-scores, as `0.4·KP + 0.1·VC`. */
interface Term {
  weight: number;
  short: string;
}

const TERM = /^(?:(\d*\.?\d+)\s*[·*×]\s*)?([A-Z]{2,})$/;

/**
 * `0.4·0.613 + 0.1·0.720` for the alternative of the formula that gives `total.mean`; `null` if none does.
 *
 * A formula may hold several alternatives (with and without accuracy), so each weighted sum in the text is tried.
 */
export function filledIn(text: string, total: ScoreRow, parts: ScoreRow[], criteria: CriterionInfo[]): string | null {
  if (total.mean === null) return null;
  const values = new Map<string, number>();
  for (const { id, short } of criteria) {
    const value = parts.find(({ criterion }) => criterion === id)?.mean;
    if (value != null && id !== 'total') values.set(short, value);
  }
  for (const terms of sums(text)) {
    if (terms.length !== values.size || !terms.every(({ short }) => values.has(short))) continue;
    const sum = terms.reduce((all, { weight, short }) => all + weight * (values.get(short) ?? 0), 0);
    if (Math.abs(sum - total.mean) > 0.00051) continue;
    return terms.map(({ weight, short }) => `${terms.length === 1 && weight === 1 ? '' : `${weight}·`}${(values.get(short) ?? 0).toFixed(3)}`).join(' + ');
  }
  return null;
}

function sums(text: string): Term[][] {
  const found: Term[][] = [];
  // A run of weighted symbols joined by plus signs, wherever it stands in the sentence.
  const run = /(?:\d*\.?\d+\s*[·*×]\s*)?[A-Z]{2,}(?:\s*\+\s*(?:\d*\.?\d+\s*[·*×]\s*)?[A-Z]{2,})*/g;
  for (const [match] of text.matchAll(run)) {
    const terms = match.split('+').map((part) => TERM.exec(part.trim()));
    if (terms.every((term) => term !== null)) {
      found.push(terms.map((term) => ({ weight: term[1] === undefined ? 1 : Number(term[1]), short: term[2] ?? '' })));
    }
  }
  return found;
}
