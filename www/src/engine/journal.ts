/** Replies on disk: each is written to IndexedDB before it counts as done, and kept under its benchmark. */
import { REPLIES, allOf, change, removeOf } from './database';
import type { JournalRecord } from './types/JournalRecord';

/** Writes one reply; resolves once it is on disk. */
export const keep = (benchmark: string, record: JournalRecord): Promise<void> => keepAll(benchmark, [record]);

/** Writes replies, all or none; resolves once they are on disk. */
export function keepAll(benchmark: string, records: JournalRecord[]): Promise<void> {
  return change(REPLIES, (store) => {
    for (const record of records) store.add({ benchmark, record });
  });
}

/** The replies that were kept for a benchmark, oldest first. */
export async function kept(benchmark: string): Promise<JournalRecord[]> {
  return (await allOf<{ record: JournalRecord }>(REPLIES, benchmark)).map(({ record }) => record);
}

/** Forgets these replies of a benchmark, every copy. */
export function forgetSome(benchmark: string, records: JournalRecord[]): Promise<void> {
  const meant = new Set(records.map(placeOf));
  return removeOf(REPLIES, benchmark, (one) => meant.has(placeOf((one as { record: JournalRecord }).record)));
}

/** What tells a reply from every other one. */
function placeOf(record: JournalRecord): string {
  const { protocol, model, sample, turn, criterion, judge, run, time, reply } = record;
  return JSON.stringify([protocol, model, sample, turn, criterion, judge, run, time, reply]);
}

/** Forgets the replies of a benchmark. */
export function forget(benchmark: string): Promise<void> {
  return removeOf(REPLIES, benchmark);
}
