/** Messages between the engine and the workers that decode pictures. */

/** What keeps a picture from being decoded; `null` where it decodes. */
export type Flaw = { message: string; hint: string } | null;

export interface ToDecoder {
  id: number;
  pictures: Uint8Array<ArrayBuffer>[];
}

/** One flaw or none for each picture, or why nothing could be said. */
export type FromDecoder = { id: number; flaws: Flaw[] } | { id: number; message: string };
