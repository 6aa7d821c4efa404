/**
 * The Rust edge of image metrics as the page sees it, a package of its own that is fetched when pictures are measured.
 *
 * The package is built into `pkg/` and not committed; this file states the contract.
 */

import type { Measured } from '../types/Measured';
import type { PictureChange } from '../types/PictureChange';
import type { PictureMap } from '../types/PictureMap';
import type { Sizes } from '../types/Sizes';
import type { Brought } from './planes';

/** What has the GPU, or says that there is none. */
export interface Measurer {
  /** The GPU's name; empty on the CPU. */
  adapter(): string;
  /** Whether the GPU is a program on the CPU. */
  is_software(): boolean;
  /** Fills in what is `null` in the rows, in one submission; all pairs want the same metrics. */
  complete(metrics: string[], pairs: Pick<Brought, 'row' | 'planes'>[]): Promise<Measured[][]>;
  free(): void;
}

/** Two files that are decoded; a candidate is brought to its reference's size first where sizes are `resized`. */
export interface DecodedPair {
  /** The CPU's values; with `kept` `null` for each metric that has a twin on the GPU and is not in it. */
  row(metrics: string[], kept?: string[]): Brought['row'];
  /** Copies of the samples; `null` where the two are no pictures. */
  planes(): Brought['planes'];
  free(): void;
}

/** The metrics that have a map. */
export type MapMetric = 'ssim' | 'ssim_gaussian' | 'edge_mse' | 'changed';

/** What a network paints of one of two pictures. */
export type NetworkMap = `${'depth' | 'sketch' | 'pose'}_${'a' | 'b'}`;

/** Two pictures that maps are made of; a candidate of another size is brought to the reference's by Pillow's bicubic. */
export interface MapPair {
  map(metric: MapMetric): PictureMap;
  /** `box` is left, top, right and bottom pixel; a mask, the bytes of a picture, counts instead of a box. */
  change(threshold: number, box?: Uint32Array, mask?: Uint8Array): PictureChange;
  free(): void;
}

/** The package. */
export interface MetricsEdge {
  Measurer: { cpu(): Measurer; gpu(): Promise<Measurer> };
  DecodedPair: new (reference: Uint8Array, candidate: Uint8Array, sizes?: Sizes) => DecodedPair;
  MapPair: new (reference: Uint8Array, candidate: Uint8Array) => MapPair;
  default: () => Promise<unknown>;
}
