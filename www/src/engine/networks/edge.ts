/** The package that runs networks, fetched when a pack is opened. It reads files as workers may, so only a worker calls it. */
import type { Measured } from '../types/Measured';
import type { NetworkCheck } from '../types/NetworkCheck';
import type { NetworkPack } from '../types/NetworkPack';
import type { PictureMap } from '../types/PictureMap';

/** Whose numbers networks give: those of the authors' code, or of the metric as its own paper defines it. */
export type NetworkProfile = 'released' | 'standard';

/** Packs that were opened, with what runs them. */
export interface NetworkMeasurer {
  /** A folder's files by their paths, or one ZIP. */
  open(paths: string[], files: Blob[]): NetworkPack;
  /** Holds every graph of a pack against its golden cases. */
  check(task: string): NetworkCheck;
  /** Against a prompt where there is one, else against the counterpart. */
  measure(task: string, prompt: string, counterpart: Uint8Array, output: Uint8Array): Measured;
  /** A picture's feature of length 1. */
  embed(task: string, picture: Uint8Array): Float32Array;
  /** What a network paints of the second picture, at the first one's size. */
  map(task: string, frame: Uint8Array, picture: Uint8Array): PictureMap;
  free(): void;
}

export interface NetworksEdge {
  NetworkMeasurer: new (profile: NetworkProfile) => NetworkMeasurer;
  /** For each feature the place of the nearest among others, or among its own kind, and their cosine, one after the other. */
  nearest_of(of: Float32Array, among: Float32Array | undefined, width: number): Float64Array;
  default: () => Promise<unknown>;
}
