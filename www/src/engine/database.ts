/** This browser's storage: one database, whose version grows with its stores. */
import { EngineError } from './errors';

const NAME = 'juror';
/** Grows whenever a store is added. */
const VERSION = 5;
/** Judge replies, by benchmark. */
export const REPLIES = 'replies';
/** Calls of agent loops, by benchmark. */
export const TRAJECTORIES = 'trajectories';
/** The pictures that they brought, by benchmark and content. */
export const PICTURES = 'pictures';
/** People’s ratings, by benchmark. */
export const RATINGS = 'ratings';
/** What each rater set out to rate, by benchmark and name. */
export const RATERS = 'raters';

/** Judges that were named by hand, by benchmark and path. */
export const JUDGES = 'judges';
/** Folders and files that were opened, as handles. */
export const OPENED = 'opened';

/** Every store with its key; each has an index by benchmark. */
const STORES: [string, IDBObjectStoreParameters][] = [
  [REPLIES, { autoIncrement: true }],
  [TRAJECTORIES, { autoIncrement: true }],
  [PICTURES, { keyPath: ['benchmark', 'sha256'] }],
  [RATINGS, { autoIncrement: true }],
  [RATERS, { keyPath: ['benchmark', 'rater'] }],
  [JUDGES, { keyPath: ['benchmark', 'path'] }],
  [OPENED, { keyPath: 'id' }],
];

let opened: Promise<IDBDatabase> | null = null;

/** Opens the database. */
export function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.addEventListener('upgradeneeded', () => {
      const db = request.result;
      // Whatever version this browser had: what is missing is made, and what is there stays.
      for (const [name, key] of STORES) if (!db.objectStoreNames.contains(name)) db.createObjectStore(name, key).createIndex('benchmark', 'benchmark');
    });
    request.addEventListener('success', () => {
      const db = request.result;
      // A later version in another tab must not wait for this one.
      db.addEventListener('versionchange', () => {
        db.close();
        opened = null;
      });
      resolve(db);
    });
    request.addEventListener('error', () => reject(refused(request.error)));
    request.addEventListener('blocked', () => reject(refused(null)));
  }).catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}

/** What went wrong, in words. */
export function refused(error: DOMException | null): EngineError {
  return new EngineError(
    `The browser’s storage cannot be used (${error?.message ?? 'another tab blocks it'}), so replies, ratings and pictures could be lost. Allow this site to store data, or leave the private window.`,
    'storage',
  );
}

/** Carries out changes of one store; resolves once they are on disk. */
export async function change(store: string, carryOut: (store: IDBObjectStore) => void): Promise<void> {
  const db = await database();
  await new Promise<void>((resolve, reject) => {
    const transaction = db.transaction(store, 'readwrite', { durability: 'strict' });
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(refused(transaction.error)));
    transaction.addEventListener('error', () => reject(refused(transaction.error)));
    carryOut(transaction.objectStore(store));
  });
}

/** Everything that a store has of a benchmark, oldest first. */
export function allOf<T>(store: string, benchmark: string): Promise<T[]> {
  return all(store, (objects) => objects.index('benchmark').getAll(benchmark));
}

/** Everything that a store has, by its keys. */
export function everyOf<T>(store: string): Promise<T[]> {
  return all(store, (objects) => objects.getAll());
}

async function all<T>(store: string, ask: (objects: IDBObjectStore) => IDBRequest<unknown[]>): Promise<T[]> {
  const db = await database();
  return new Promise((resolve, reject) => {
    const request = ask(db.transaction(store).objectStore(store));
    request.addEventListener('success', () => resolve(request.result as T[]));
    request.addEventListener('error', () => reject(refused(request.error)));
  });
}

/** Removes what a store has of a benchmark, or those of it that are meant. */
export function removeOf(store: string, benchmark: string, isMeant: (one: unknown) => boolean = () => true): Promise<void> {
  return change(store, (objects) => {
    const cursor = objects.index('benchmark').openCursor(benchmark);
    cursor.addEventListener('success', () => {
      const at = cursor.result;
      if (at === null) return;
      if (isMeant(at.value)) at.delete();
      at.continue();
    });
  });
}
