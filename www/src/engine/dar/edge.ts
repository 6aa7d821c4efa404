/**
 * The Rust edge of attention rebalancing, a part of the package that measures pictures.
 *
 * The package is built into `pkg/` and not committed; this file states the contract.
 */
import type { Measurer, MetricsEdge } from '../metrics/edge';

/** What the method leaves to be chosen; names and meanings are those of `juror dar`. */
export interface DarOptions {
  samples: number;
  gamma: number;
  high: number;
  low: number;
  extent: 'joint' | 'per_reference';
  flat: 'unchanged' | 'lowest';
  others: 'left_out' | 'unweighted';
  heads: 'equal' | 'grouped';
}

/** What is asked of two files. */
export interface DarAsked {
  q_file: string;
  k_file: string;
  q_tensor: string;
  k_tensor: string;
  layout: 'tokens_heads' | 'heads_tokens';
  references: string;
  options: DarOptions;
}

/** One reference image in sums. */
export interface DarReference {
  start: number;
  height: number;
  width: number;
  relevance: number;
  raised: number;
  lowered: number;
  before: number;
  after: number;
}

/** One number for each reference token, in the order of K. */
export interface DarTokens {
  relevance: number[];
  normalised: (number | null)[];
  weights: number[];
  before: number[];
  after: number[];
}

/** `juror-dar/1`. */
export interface DarReport {
  format: string;
  /** Tokens, heads and numbers of a head. */
  q: [number, number, number];
  k: [number, number, number];
  options: DarOptions;
  focus: { row: number | null; head: number | null };
  backend: 'cpu' | 'gpu';
  other_keys: number;
  others_before: number | null;
  others_after: number | null;
  against: { raised_but_lost: number; lowered_but_gained: number };
  references: DarReference[];
  rows: number[];
  tokens: DarTokens;
}

/** One attention call. */
export interface DarCall {
  report(measurer: Measurer, row: number | undefined, head: number | undefined): Promise<{ json: string; fallback: string | null | undefined }>;
  free(): void;
}

/** The package. */
export interface DarEdge extends MetricsEdge {
  DarCall: new (q: Uint8Array, k: Uint8Array, asked: string) => DarCall;
  names_of_tensors(bytes: Uint8Array): string[];
}
