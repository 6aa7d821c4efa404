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

/** The package. */
export interface MetricsEdge {
  Measurer: { cpu(): Measurer; gpu(): Promise<Measurer> };
  default: () => Promise<unknown>;
}
