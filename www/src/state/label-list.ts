/** Which of a benchmark's failure labels its reader leaves out of the list: kept by benchmark in this browser. */

const NAME = 'juror-labels-left-out';

function all(): Record<string, string[]> {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(NAME) ?? '{}');
    if (typeof read !== 'object' || read === null) return {};
    return Object.fromEntries(Object.entries(read).filter((entry): entry is [string, string[]] => isList(entry[1])));
  } catch {
    // Storage that cannot be read leaves nothing out.
    return {};
  }
}

/** The labels that are left out. */
export const leftOut = (benchmark: string): readonly string[] => all()[benchmark] ?? [];

/** Leaves a label out of the list, or takes it in again. */
export function leaveOut(benchmark: string, label: string, isOut: boolean): void {
  const others = leftOut(benchmark).filter((known) => known !== label);
  try {
    localStorage.setItem(NAME, JSON.stringify({ ...all(), [benchmark]: isOut ? [...others, label] : others }));
  } catch {
    // Without storage the list stays whole.
  }
}

const isList = (value: unknown): value is string[] => Array.isArray(value) && value.every((one) => typeof one === 'string');
