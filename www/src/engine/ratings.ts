/** Ratings on disk: each is written to IndexedDB before it is shown as kept; of two of one place the later counts. */
import { RATERS, RATINGS, allOf, change, removeOf } from './database';
import type { RateScope } from './types/RateScope';
import type { Rating } from './types/Rating';

/** What a rater set out to rate, so that it can be gone on with. */
export interface RaterSession {
  benchmark: string;
  rater: string;
  scope: RateScope;
  /** When it was begun or gone on with, ISO 8601. */
  time: string;
}

/** Writes ratings; resolves once they are on disk. */
export function keepRatings(benchmark: string, ratings: readonly Rating[]): Promise<void> {
  return change(RATINGS, (store) => {
    for (const rating of ratings) store.add({ benchmark, rating });
  });
}

/** The ratings that were kept for a benchmark, oldest first, those included that others took the place of. */
export async function keptRatings(benchmark: string): Promise<Rating[]> {
  return (await allOf<{ rating: Rating }>(RATINGS, benchmark)).map(({ rating }) => rating);
}

/** Forgets a rater's ratings of a benchmark, and what was set out to. */
export async function forgetRater(benchmark: string, rater: string): Promise<void> {
  await removeOf(RATINGS, benchmark, (one) => (one as { rating: Rating }).rating.rater === rater);
  await removeOf(RATERS, benchmark, (one) => (one as RaterSession).rater === rater);
}

/** Remembers what a rater sets out to rate. */
export function keepSession(session: RaterSession): Promise<void> {
  return change(RATERS, (store) => void store.put(session));
}

/** What raters set out to rate. */
export function keptSessions(benchmark: string): Promise<RaterSession[]> {
  return allOf<RaterSession>(RATERS, benchmark);
}
