/** Messages between the page and the worker that measures pictures. */
import type { Sizes } from '../types/Sizes';
import type { Backend, Measured } from './edge';

/** Two picture files that are compared. */
export interface PicturePair {
  reference: Blob;
  candidate: Blob;
}

/** What measures, once it stands. */
export interface Standing {
  backend: Backend;
  /** The GPU's name; empty on the CPU. */
  adapter: string;
  /** Why it is the CPU though the GPU was asked for. */
  fallback: string | null;
}

export type ToMeasurer = { id: number; start: Backend } | { id: number; metrics: string[]; pairs: PicturePair[]; sizes: Sizes };

export type FromMeasurer = { id: number; standing: Standing } | { id: number; rows: Measured[][] } | { id: number; message: string; code: string };
