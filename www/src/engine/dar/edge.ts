/**
 * The Rust edge of attention rebalancing, a part of the package that measures pictures.
 *
 * The package is built into `pkg/` and not committed; this file states the contract.
 */
import type { Measurer, MetricsEdge } from '../metrics/edge';

/** One attention call. */
export interface DarCall {
  /** What each setting changes; axes as `gamma=0.05,0.15`, one a line. */
  sweep(axes: string, row: number | undefined, head: number | undefined): { json: string; csv: string };
  report(measurer: Measurer, row: number | undefined, head: number | undefined): Promise<{ json: string; fallback: string | null | undefined }>;
  free(): void;
}

/** The package. */
export interface DarEdge extends MetricsEdge {
  DarCall: new (q: Uint8Array, k: Uint8Array, asked: string) => DarCall;
  names_of_tensors(bytes: Uint8Array): string[];
}
