/** One script on somebody else's page: the worker is made from a Blob, and the page's own thread stands in where that is refused. */
import type { ViewerLoader } from './contract';
import { wholeEngine } from './engine';
import { blobWorker, carried } from './payload';

export const viewer: ViewerLoader = {
  startWorker: (wasm) => blobWorker('host', carried('session') === null ? [] : ['session', 'decoders'], { 'wasm-address': wasm }),
  edge(wasm) {
    globalThis.jurorPayload = { ...globalThis.jurorPayload, 'wasm-address': wasm };
    return wholeEngine();
  },
};
