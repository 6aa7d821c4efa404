/** Foreign names in CSV and HTML, by the rules of the core's own escapers; `tests/golden/escapes.json` holds both to the same answers. */

/** What a spreadsheet would run as a formula; a number is none, whatever its sign. */
function isFormula(text: string): boolean {
  const bare = text.replace(/^[ \u00a0\ufeff]+/, '');
  const isNumber = /^[+-].*\d$/s.test(bare) && /^[+-][\d.eE+-]+$/.test(bare) && Number.isFinite(Number(bare));
  return /^[=+\-@\t\r\n＝＋－＠]/.test(bare) && !isNumber;
}

/** A field of a CSV: a text that a spreadsheet would run as a formula gets a quote mark in front, and what must be quoted is. */
export function csvField(text: string): string {
  const guarded = isFormula(text.replace(/^'+/, '')) ? `'${text}` : text;
  return /[",\n\r]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** Controls but for tabs and line ends, separators of lines, what turns the direction of all that follows, and what XML forbids. */
// eslint-disable-next-line no-control-regex -- these are what has to be found
const DISRUPTIVE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;

/** Text in HTML, between tags and in quoted attributes. */
export function html(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter).replaceAll(DISRUPTIVE, '\ufffd');
}
