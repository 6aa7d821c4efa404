/** Messages between the page and the worker that measures pictures. */
import type { Handed } from '../loader/contract';
import type { Sizes } from '../types/Sizes';
import type { Backend, Change, MapMetric, Measured, PictureMap } from './edge';

/** Two picture files that are compared. */
export interface PicturePair {
  reference: Blob;
  candidate: Blob;
}

/** The same as a worker is handed them. */
export interface HandedPair {
  reference: Handed;
  candidate: Handed;
}

/** What measures, once it stands. */
export interface Standing {
  backend: Backend;
  /** The GPU's name; empty on the CPU. */
  adapter: string;
  /** Why it is the CPU though the GPU was asked for. */
  fallback: string | null;
}

/** What is asked of one pair place by place; `key` says which pair it is, so that it is decoded once. */
export type PlaceQuestion = { key: string; pair: HandedPair } & ({ map: MapMetric } | { threshold: number; box: number[] | null; mask: Handed | null });

export type ToMeasurer =
  { id: number; start: Backend } | { id: number; metrics: string[]; pairs: HandedPair[]; sizes: Sizes } | { id: number; question: PlaceQuestion };

export type FromMeasurer =
  | { id: number; standing: Standing }
  | { id: number; rows: Measured[][] }
  | { id: number; map: PictureMap }
  | { id: number; change: Change }
  | { id: number; message: string; code: string };
