/** What changed from one text to the next, word by word. */

/** A run of text that stayed, came or went. */
export interface Change {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Beyond so many words either side is shown whole: a table of all pairs would be too large. */
const MAX_WORDS = 1200;

/** The changes from `before` to `after`, by the longest common run of words; white space goes with the word before it. */
export function changes(before: string, after: string): Change[] {
  const words = (text: string): string[] => text.match(/\S+\s*|^\s+/g) ?? [];
  const [a, b] = [words(before), words(after)];
  if (a.length > MAX_WORDS || b.length > MAX_WORDS) {
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
  }
  const same = (x: string | undefined, y: string | undefined): boolean => x?.trim() === y?.trim();
  // lengths[i][j]: the longest common run of a from i on and b from j on.
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row !== undefined) row[j] = same(a[i], b[j]) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const out: Change[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && same(a[i], b[j])) {
      out.push({ kind: 'same', text: b[j] ?? '' });
      i += 1;
      j += 1;
    } else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1))) {
      out.push({ kind: 'removed', text: a[i] ?? '' });
      i += 1;
    } else {
      out.push({ kind: 'added', text: b[j] ?? '' });
      j += 1;
    }
  }
  return joined(settled(joined(out)));
}

/** One word that stayed between two that did not is no help to a reader: it counts as changed as well. */
function settled(all: readonly Change[]): Change[] {
  const [removed, added]: [Change[], Change[]] = [[], []];
  const out: Change[] = [];
  const flush = (): void => {
    out.push(...removed.splice(0), ...added.splice(0));
  };
  all.forEach((one, at) => {
    const isLone = one.kind === 'same' && at > 0 && at < all.length - 1 && one.text.trim().split(/\s+/).length < 2;
    if (one.kind === 'removed' || isLone) removed.push({ kind: 'removed', text: one.text });
    if (one.kind === 'added' || isLone) added.push({ kind: 'added', text: one.text });
    if (one.kind === 'same' && !isLone) {
      flush();
      out.push(one);
    }
  });
  flush();
  return out;
}

function joined(all: readonly Change[]): Change[] {
  const out: Change[] = [];
  for (const one of all) {
    const last = out.at(-1);
    if (last?.kind === one.kind) last.text += one.text;
    else out.push({ ...one });
  }
  return out;
}
