/** Messages between the engine and the workers that decode pictures. */

/** What keeps a picture from being decoded; `null` where it decodes. */
export type Flaw = { message: string; hint: string } | null;

/** A batch; a worker has one at a time. */
export interface ToDecoder {
  pictures: Uint8Array<ArrayBuffer>[];
}

/** One flaw or none for each picture, or why nothing could be said. */
export type FromDecoder = { flaws: Flaw[] } | { message: string };
