/** Finds out which pictures decode, off the engine's thread. */
import type { PictureEdge } from '../edge';
import { pictureEngine } from '../loader/engine';
import { messageOf } from '../errors';
import type { FromDecoder, ToDecoder } from './protocol';

let edge: Promise<PictureEdge> | null = null;

async function answer({ pictures }: ToDecoder): Promise<FromDecoder> {
  try {
    const { check } = await (edge ??= pictureEngine());
    return { flaws: pictures.map((picture) => check(picture) ?? null) };
  } catch (error) {
    return { message: messageOf(error) };
  }
}

self.addEventListener('message', (event: MessageEvent<ToDecoder>) => {
  void answer(event.data).then((message) => (self as unknown as { postMessage(message: FromDecoder): void }).postMessage(message));
});
