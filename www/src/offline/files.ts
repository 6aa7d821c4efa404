/** What the service worker keeps; `build/offline.ts` writes it into the worker's script. */
export interface Files {
  /** A hash over all of the page's files. */
  version: string;
  /** What the first page loads. */
  first: [path: string, integrity: string][];
  /** The engine with every benchmark and the views that are fetched when they are opened. */
  later: [path: string, integrity: string][];
  /** The demo suites with a hash over each one's files, the one that is shown first coming first. */
  demos: [id: string, hash: string][];
}

/** The page to the worker: keep the rest as well, now that the page stands; or take over from the version before. */
export type ToKeeper = 'keep-the-rest' | 'take-over';

/** The worker to the page: everything is kept, as of now. */
export type FromKeeper = 'all-kept';
