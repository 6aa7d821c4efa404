/**
 * What networks computed of pictures, kept in this browser by what they were given: a run that was ended by a reload or a crash goes
 * on where it was. The key holds the network, its runner and the files' hashes, so that what is kept is never of anything else.
 */

const NAME = 'juror-networks';
const STORE = 'found';

let opened: Promise<IDBDatabase> | null = null;

/** A database of its own, as the engine's knows nothing of networks. */
function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE, { keyPath: 'key' }));
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The browser’s storage cannot be used.')));
  });
  return opened;
}

async function carryOut<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const db = await database();
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(STORE, mode);
    const request = ask(transaction.objectStore(STORE));
    transaction.addEventListener('complete', () => resolve(request.result));
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('The browser’s storage is full.')));
  });
}

/** What is kept under a key, else what is computed and kept then. A browser that keeps nothing computes each time. */
export async function keptOr<T>(key: string, isAgain: boolean, compute: () => Promise<T>, isWorthKeeping: (found: T) => boolean): Promise<T> {
  const known = isAgain ? undefined : await carryOut('readonly', (store) => store.get(key) as IDBRequest<{ found: T } | undefined>).catch(() => undefined);
  if (known !== undefined) return known.found;
  const found = await compute();
  if (isWorthKeeping(found)) await carryOut('readwrite', (store) => store.put({ key, found })).catch(() => undefined);
  return found;
}

/** How many results are kept. */
export const numKept = (): Promise<number> => carryOut('readonly', (store) => store.count());

/** Deletes them. */
export const forget = (): Promise<undefined> => carryOut('readwrite', (store) => store.clear());
