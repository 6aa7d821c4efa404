/** Agents' calls on disk: records under their benchmark, pictures under benchmark and content, both written in one step before a call counts as done. */
import { PICTURES, TRAJECTORIES, allOf, database, refused, removeOf } from './database';
import type { TrajectoryRecord } from './types/TrajectoryRecord';

/** A picture that was generated. */
export interface Made {
  sha256: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Writes one call down, with its picture if it has one; resolves once both are on disk. */
export async function keepCall(benchmark: string, record: TrajectoryRecord, made: Made | null): Promise<void> {
  const db = await database();
  await new Promise<void>((resolve, reject) => {
    const transaction = db.transaction([TRAJECTORIES, PICTURES], 'readwrite', { durability: 'strict' });
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(refused(transaction.error)));
    transaction.addEventListener('error', () => reject(refused(transaction.error)));
    if (made !== null) transaction.objectStore(PICTURES).put({ benchmark, sha256: made.sha256, blob: new Blob([made.bytes]) });
    transaction.objectStore(TRAJECTORIES).add({ benchmark, record });
  });
}

/** The calls that were kept for a benchmark, oldest first. */
export async function keptCalls(benchmark: string): Promise<TrajectoryRecord[]> {
  return (await allOf<{ record: TrajectoryRecord }>(TRAJECTORIES, benchmark)).map(({ record }) => record);
}

/** A kept picture, or `null`. */
export async function keptPicture(benchmark: string, sha256: string): Promise<Blob | null> {
  const db = await database();
  return new Promise((resolve, reject) => {
    const request = db.transaction(PICTURES).objectStore(PICTURES).get([benchmark, sha256]);
    request.addEventListener('success', () => resolve((request.result as { blob: Blob } | undefined)?.blob ?? null));
    request.addEventListener('error', () => reject(refused(request.error)));
  });
}

/** Forgets the calls and pictures of a benchmark. */
export async function forgetCalls(benchmark: string): Promise<void> {
  await removeOf(TRAJECTORIES, benchmark);
  await removeOf(PICTURES, benchmark);
}
