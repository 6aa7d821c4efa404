/** This browser's storage as the page opens it for folders that were opened; what is kept of a benchmark, the engine keeps. */
import { EngineError } from './errors';
import { NAME, STORES, VERSION } from './types/database';

/** Folders and files that were opened, as handles. */
export const OPENED = 'opened';
/** Packs of networks that were opened, as handles. */
export const PACKS = 'packs';
/** The files of the benchmark that is being made, by path. */
export const MAKING = 'making';

let opened: Promise<IDBDatabase> | null = null;

/** Opens the database. */
function database(): Promise<IDBDatabase> {
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
function refused(error: DOMException | null): EngineError {
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

/** Everything that a store has, by its keys. */
export async function everyOf<T>(store: string): Promise<T[]> {
  const db = await database();
  return new Promise((resolve, reject) => {
    const request = db.transaction(store).objectStore(store).getAll();
    request.addEventListener('success', () => resolve(request.result as T[]));
    request.addEventListener('error', () => reject(refused(request.error)));
  });
}

/** What a store has under a key; `null` where it has nothing. */
export async function oneOf<T>(store: string, key: string): Promise<T | null> {
  const db = await database();
  return new Promise((resolve, reject) => {
    const request = db.transaction(store).objectStore(store).get(key);
    request.addEventListener('success', () => resolve((request.result as T | undefined) ?? null));
    request.addEventListener('error', () => reject(refused(request.error)));
  });
}
