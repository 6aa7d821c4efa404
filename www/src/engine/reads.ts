/** Reads of files: what is asked of the page, what came, and how reading stands. */

/** A read of a file that the page holds: its first bytes, or all of them. */
export interface HeldRead {
  held: number;
  head: number | null;
}

/** What a read gave; the reason where it gave nothing. */
export type ReadBytes = { bytes: Uint8Array<ArrayBuffer> } | { message: string; damaged?: { zip: string; entry: string; why: string } };

/** How reading stands. */
export type Reading = 'idle' | 'reading' | 'cancelled' | 'done';
