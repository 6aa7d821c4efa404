/** Messages between the page and the worker that runs networks. */
import type { PicturePair } from '../metrics/protocol';
import type { NetworkProfile, NetworkRunner } from './edge';
import type { Measured } from '../types/Measured';
import type { NetworkCheck } from '../types/NetworkCheck';
import type { NetworkPack } from '../types/NetworkPack';
import type { PictureMap } from '../types/PictureMap';

/** The files of one pack: a folder's by their paths, or one ZIP. */
export interface PackFiles {
  paths: string[];
  files: Blob[];
}

export type ToNetworks = { id: number } & (
  | { profile: NetworkProfile; runner: NetworkRunner; packs: PackFiles[]; again: boolean }
  | { check: string }
  | { metrics: string[]; pairs: PicturePair[] }
  | { map: string; frame: Blob; picture: Blob }
  | { embed: string; picture: Blob }
  | { inception: Blob }
  | { describe: string }
  | { reference: Float32Array; candidate: Float32Array; width: number }
  | { of: Float32Array; among: Float32Array | null; width: number }
);

export type FromNetworks = { id: number } & (
  | { opened: NetworkPack[]; runner: string }
  | { check: NetworkCheck }
  | { rows: Measured[][] }
  | { painted: PictureMap }
  | { feature: Float32Array }
  | { nearest: Float64Array }
  | { described: string }
  | { distance: number }
  | { message: string; code: string }
);
