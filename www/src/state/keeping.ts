/** How long the browser keeps what Juror stored: it may clear a site's data when its disk fills up, unless it promised not to. */

/** The browser's answer. */
export type Keeping = 'lasting' | 'evictable' | 'unknown';

/** Asks for a promise; some browsers ask the reader in turn. */
export async function askToKeep(): Promise<Keeping> {
  // Absent where the page came over plain http from another machine, and in some WebKits.
  const { storage } = navigator as { storage?: Partial<StorageManager> };
  if (storage?.persist === undefined || storage.persisted === undefined) return 'unknown';
  try {
    return (await storage.persisted()) || (await storage.persist()) ? 'lasting' : 'evictable';
  } catch {
    return 'unknown';
  }
}

/** What is told of it. */
export const KEEPING: Record<Keeping, string> = {
  lasting: 'until you delete them: this browser will not clear them by itself',
  evictable: 'for now: this browser may clear them when its disk fills up, so export the journal',
  unknown: 'as long as this browser keeps the page’s data, which is not guaranteed, so export the journal',
};
