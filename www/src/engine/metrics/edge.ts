/**
 * The Rust edge of image metrics as the page sees it, a package of its own that is fetched when pictures are measured.
 *
 * The package is built into `pkg/` and not committed; this file states the contract.
 */

import type { Sizes } from '../types/Sizes';

/** What computes. */
export type Backend = 'cpu' | 'gpu';

/** One metric of one pair. */
export interface Measured {
  metric: string;
  /** `null` where there is none; the PSNR of equal pictures is infinite. */
  value: number | null;
  backend: Backend;
  /** Why there is no value. */
  problem: string | null;
  /** Why the CPU stood in for the GPU. */
  fallback: string | null;
  /** The reference's size; 0 where it cannot be read. */
  width: number;
  height: number;
  /** SHA-256 of the two files. */
  reference: string;
  candidate: string;
}

/** What measures pictures. */
export interface Measurer {
  /** The GPU's name; empty on the CPU. */
  adapter(): string;
  /**
   * `pictures` are reference, candidate, reference, …; gives for each pair one entry for each metric.
   * With sizes `resized` a candidate is brought to its reference's size first.
   */
  measure(metrics: string[], pictures: Uint8Array[], sizes?: Sizes): Promise<Measured[][]>;
  free(): void;
}

/** The metrics that have a map. */
export type MapMetric = 'ssim' | 'ssim_gaussian' | 'edge_mse' | 'changed';

/** A metric place by place. */
export interface PictureMap {
  /** The metric of the whole pair. */
  value: number;
  width: number;
  height: number;
  /** The first place belongs to the pixel (`inset`, `inset`). */
  inset: number;
  /** Row by row. Edges: 0 none, 1 of the reference alone, 2 of the candidate alone, 3 of both. */
  places: Float32Array<ArrayBuffer>;
  /** The lowest number with its pixel. */
  lowest: [number, number, number] | null;
}

/** How much of a part changed. */
export interface ChangePart {
  pixels: number;
  changed: number;
  largest: number;
  mae: number | null;
  mse: number | null;
}

/** How much changed; `inside` and `outside` of a box or mask, if there is one. */
export interface Change {
  whole: ChangePart;
  inside: ChangePart | null;
  outside: ChangePart | null;
  /** Left, top, right, bottom of all that changed. */
  extent: [number, number, number, number] | null;
}

/** Two pictures that maps are made of; a candidate of another size is brought to the reference's by Pillow's bicubic. */
export interface MapPair {
  map(metric: MapMetric): PictureMap;
  /** `box` is left, top, right and bottom pixel; a mask, the bytes of a picture, counts instead of a box. */
  change(threshold: number, box?: Uint32Array, mask?: Uint8Array): Change;
  free(): void;
}

/** The package. */
export interface MetricsEdge {
  Measurer: { cpu(): Measurer; gpu(): Promise<Measurer> };
  MapPair: new (reference: Uint8Array, candidate: Uint8Array) => MapPair;
  default: () => Promise<unknown>;
}
