/** Messages between the page and the worker that measures pictures. */
import type { Handed } from '../loader/contract';
import type { Backend } from '../types/Backend';
import type { GpuTrial } from '../types/GpuTrial';
import type { MeasureStanding } from '../types/MeasureStanding';
import type { PictureChange } from '../types/PictureChange';
import type { PictureMap } from '../types/PictureMap';
import type { Sizes } from '../types/Sizes';
import type { MapMetric } from './edge';
import type { Brought, Rows } from './planes';

/** What computes: a backend, or for each metric the one that is faster. */
export type Choice = Backend | 'auto';

/** Two picture files that are compared. */
export interface PicturePair {
  reference: Blob;
  candidate: Blob;
  /** What the candidate was asked for by, where it is held against that; for networks alone. */
  prompt?: string;
  /** Where objects are compared, for networks only. */
  objects?: ObjectFiles;
}

/** Box files with the references whose objects are looked for in an output. */
export interface ObjectFiles {
  /** The output's box file, then each reference's picture and box file. */
  files: Blob[];
  /** Paths of the box files, in their order. */
  names: string[];
}

/** The same as a worker is handed them. */
export interface HandedPair {
  reference: Handed;
  candidate: Handed;
}

/** What is asked of one pair place by place; `key` says which pair it is, so that it is decoded once. */
export type PlaceQuestion = { key: string; pair: HandedPair } & ({ map: MapMetric } | { threshold: number; box: number[] | null; mask: Handed | null });

export type ToMeasurer =
  | { id: number; start: Choice; wanted: string[]; known: GpuTrial[] }
  | { id: number; metrics: string[]; pairs: HandedPair[]; sizes: Sizes }
  | { id: number; metrics: string[]; kept: string[]; decode: HandedPair; sizes: Sizes }
  | { id: number; metrics: string[]; complete: Brought[] }
  | { id: number; question: PlaceQuestion };

export type FromMeasurer =
  | { id: number; standing: MeasureStanding }
  | ({ id: number } & Rows)
  | { id: number; brought: Brought }
  | { id: number; map: PictureMap }
  | { id: number; change: PictureChange }
  | { id: number; message: string; code: string };
