/** Replies on disk: each is written to IndexedDB before it counts as done, and kept under its benchmark. */
import { EngineError } from './protocol';
import type { JournalRecord } from './types/JournalRecord';

const NAME = 'juror';
const STORE = 'replies';

let opened: Promise<IDBDatabase> | null = null;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(STORE, { autoIncrement: true }).createIndex('benchmark', 'benchmark');
    });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(refused(request.error)));
    request.addEventListener('blocked', () => reject(refused(null)));
  }).catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}

function refused(error: DOMException | null): EngineError {
  return new EngineError(`The browser’s storage cannot be used (${error?.message ?? 'another tab blocks it'}), so replies could be lost. Allow this site to store data, or leave the private window.`, 'storage');
}

/** Writes one reply; resolves once it is on disk. */
export async function keep(benchmark: string, record: JournalRecord): Promise<void> {
  const db = await database();
  await new Promise<void>((resolve, reject) => {
    const transaction = db.transaction(STORE, 'readwrite', { durability: 'strict' });
    transaction.objectStore(STORE).add({ benchmark, record });
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(refused(transaction.error)));
    transaction.addEventListener('error', () => reject(refused(transaction.error)));
  });
}

/** The replies that were kept for a benchmark, oldest first. */
export async function kept(benchmark: string): Promise<JournalRecord[]> {
  const db = await database();
  return new Promise((resolve, reject) => {
    const request = db.transaction(STORE).objectStore(STORE).index('benchmark').getAll(benchmark);
    request.addEventListener('success', () => resolve((request.result as { record: JournalRecord }[]).map(({ record }) => record)));
    request.addEventListener('error', () => reject(refused(request.error)));
  });
}

/** Forgets the replies of a benchmark. */
export async function forget(benchmark: string): Promise<void> {
  const db = await database();
  await new Promise<void>((resolve, reject) => {
    const transaction = db.transaction(STORE, 'readwrite');
    const cursor = transaction.objectStore(STORE).index('benchmark').openKeyCursor(benchmark);
    cursor.addEventListener('success', () => {
      const at = cursor.result;
      if (at === null) return;
      transaction.objectStore(STORE).delete(at.primaryKey);
      at.continue();
    });
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(refused(transaction.error)));
  });
}
