/** Finds out which pictures decode, off the engine's thread. */
import type { PictureEdge } from '../edge';
import { pictureEngine } from '../loader/engine';
import { messageOf } from '../errors';
import type { FromDecoder, Introduction, ToDecoder } from './protocol';

let edge: Promise<PictureEdge> | null = null;

async function answer({ pictures }: ToDecoder): Promise<FromDecoder> {
  try {
    const { check } = await (edge ??= pictureEngine());
    return { flaws: pictures.map((picture) => check(picture) ?? null) };
  } catch (error) {
    return { message: messageOf(error) };
  }
}

/** Where batches come from and answers go to. */
interface Asker {
  addEventListener(type: 'message', listener: (event: MessageEvent<ToDecoder | Introduction>) => void): void;
  postMessage(message: FromDecoder): void;
}

function serve(asker: Asker): void {
  asker.addEventListener('message', ({ data }) => {
    if (!('port' in data)) {
      void answer(data).then((message) => asker.postMessage(message));
      return;
    }
    serve(data.port);
    data.port.start();
  });
}

serve(self);
