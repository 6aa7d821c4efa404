/**
 * What was opened in this browser, to be opened again: handles of folders and files, which hold no content and are of no
 * use without the reader's leave.
 */
import type { Source } from './client';
import { OPENED, PACKS, change, everyOf } from './database';
import { sourcesOf } from './sources';

/** Kept at most; the oldest goes first. */
const MAX_KEPT = 6;

/** Folders and files that were open together. */
export interface Remembered {
  id: string;
  name: string;
  handles: readonly FileSystemHandle[];
  /** When, in milliseconds since 1970. */
  time: number;
}

declare global {
  interface FileSystemHandle {
    queryPermission?: (options: { mode: 'read' }) => Promise<PermissionState>;
    requestPermission?: (options: { mode: 'read' }) => Promise<PermissionState>;
  }
}

/** What can be opened again, the newest first; a store holds benchmarks or packs. */
export async function remembered(store: string = OPENED): Promise<Remembered[]> {
  return (await everyOf<Remembered>(store)).sort((a, b) => b.time - a.time);
}

/** Keeps what is open now under its own id, in the place of the same folders kept before. */
export async function remember(id: string, handles: readonly FileSystemHandle[], store: string = OPENED): Promise<void> {
  const known = (await remembered(store)).filter((one) => one.id !== id);
  const old = known.slice(MAX_KEPT - 1);
  for (const one of known) if (await isSame(one.handles, handles)) old.push(one);
  const now: Remembered = { id, name: handles.map(({ name }) => name).join(', '), handles, time: Date.now() };
  await change(store, (objects) => {
    for (const one of old) objects.delete(one.id);
    objects.put(now);
  });
}

/** Forgets everything. */
export async function forgetAll(): Promise<void> {
  for (const store of [OPENED, PACKS]) await change(store, (objects) => objects.clear());
}

async function isSame(a: readonly FileSystemHandle[], b: readonly FileSystemHandle[]): Promise<boolean> {
  if (a.length !== b.length) return false;
  for (const [at, one] of a.entries()) if (!(await one.isSameEntry(b[at] ?? one))) return false;
  return true;
}

/** Asks for leave where it takes that, and gives the sources; `null` if it was refused. */
export async function openAgain({ handles }: Remembered): Promise<Source[] | null> {
  for (const handle of handles) {
    const before = await handle.queryPermission?.({ mode: 'read' });
    const now = before === 'prompt' ? await handle.requestPermission?.({ mode: 'read' }) : before;
    if (now === 'denied' || now === 'prompt') return null;
  }
  return sourcesOf(handles);
}
