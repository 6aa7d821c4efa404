/** Messages between the engine and the workers that decode pictures. */

/** What keeps a picture from being decoded; `null` where it decodes. */
export type Flaw = { message: string; hint: string } | null;

/** A batch; a worker has one at a time. */
export interface ToDecoder {
  pictures: Uint8Array<ArrayBuffer>[];
}

/** Through which the engine talks to a worker that the page has started for it. */
export interface Introduction {
  port: MessagePort;
}

/** A decoder as the engine sees it: a worker of its own, or one of the page's. */
export type Decoder = Pick<Worker, 'addEventListener' | 'terminate'> & { postMessage(message: ToDecoder, transfer: Transferable[]): void };

/** One flaw or none for each picture, or why nothing could be said. */
export type FromDecoder = { flaws: Flaw[] } | { message: string };
