/**
 * `<juror-viewer>` as one script for other people's pages: `embed/juror-viewer.js`; `<juror-compare>`, the slider, as another.
 *
 * Code, worker and Wasm are in it, as a page of another origin may neither start a worker from our address nor be asked
 * to allow one more connection. `embed/juror-viewer.light.js` is the same without the Wasm, which it fetches from beside
 * itself when somebody wants numbers recomputed.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { bytesOnly, loaders, withoutZipWorkers } from './loaders';
import { WWW, script } from './script';
import { lzma } from './wasm';

const part = (entry: string, further: Plugin[] = []): Promise<string> =>
  script(entry, { __JUROR_DEMOS__: [] }, [...further, loaders('embed'), bytesOnly(), withoutZipWorkers()]);

/** What the script carries stands in a variable around it, not among the page's globals. */
function ownPayload(): Plugin {
  return {
    name: 'juror-own-payload',
    enforce: 'pre',
    transform: (code, id) =>
      /\/loader\/(payload|viewer\.embed)\.ts$/.test(id) ? { code: code.replaceAll('globalThis.jurorPayload', 'jurorPayload'), map: null } : null,
  };
}

/** Nothing happens where the element is known already: the script may stand in a page twice. */
const wrapped = (code: string, pieces: Record<string, string>): string =>
  `/*! Juror’s <juror-viewer>. MIT or Apache-2.0. */(()=>{if(customElements.get("juror-viewer"))return;let jurorPayload=${JSON.stringify(pieces)};\n${code}})();\n`;

/** Adds the scripts to what is built, or builds them `alone`. */
export function embed(what: 'beside' | 'alone' = 'beside'): Plugin {
  return {
    name: 'juror-embed',
    apply: 'build',
    async generateBundle(_, bundle) {
      if (what === 'alone') for (const name of Object.keys(bundle)) Reflect.deleteProperty(bundle, name);
      const [code, worker] = [await part('src/embed/main.ts', [ownPayload()]), await part('src/embed/host.worker.ts')];
      const host = gzipSync(worker, { level: 9 }).toString('base64');
      const [wasm, decoders] = ['session/juror_web_bg.wasm', 'pictures/juror_pictures_bg.wasm'];
      const inside = async (name: string, path: string): Promise<string> => Buffer.from(await lzma(name, path)).toString('base64');
      const emit = (name: string, source: string | Uint8Array): void => void this.emitFile({ type: 'asset', fileName: `embed/${name}`, source });
      emit('juror-viewer.js', wrapped(code, { host, session: await inside('session', wasm), decoders: await inside('decoders', decoders) }));
      emit('juror-viewer.light.js', wrapped(code, { host }));
      emit('juror-compare.js', `/*! Juror’s <juror-compare>. MIT or Apache-2.0. */${await script('src/embed/compare.ts', {})}`);
      emit('juror-viewer.wasm', await readFile(resolve(WWW, 'src/engine/pkg', wasm)));
      emit('juror-viewer.pictures.wasm', await readFile(resolve(WWW, 'src/engine/pkg', decoders)));
    },
  };
}
