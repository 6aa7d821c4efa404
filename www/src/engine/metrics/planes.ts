/** Decoded pictures on their way between workers. */
import type { Measured } from '../types/Measured';
import type { StageTimes } from '../types/StageTimes';

/** A decoded picture on its way to the GPU. */
export interface Plane {
  width: number;
  height: number;
  is_jpeg: boolean;
  /** Three bytes for each pixel. */
  samples: Uint8Array<ArrayBuffer>;
}

/** A pair as its decoder brings it: an entry for each metric, `null` for those that the GPU computes from the planes. */
export interface Brought {
  row: (Measured | null)[];
  /** `null` where nothing is left to the GPU. */
  planes: { hashes: [string, string]; pictures: [Plane, Plane] } | null;
  /** The time that it took so far. */
  spent: StageTimes;
}

/** Rows of values, and the time that they took, in parts. */
export interface Rows {
  rows: Measured[][];
  spent: StageTimes[];
}

/** The buffers of a pair's samples, which a message takes along. */
export const samplesOf = ({ planes }: Brought): ArrayBuffer[] => planes?.pictures.map(({ samples }) => samples.buffer) ?? [];
