/** Puts the loaders of a build in the place of the hosted app's. */
import type { Plugin } from 'vite';

/** `variant` names the files beside `page.ts`, `engine.ts` and the others in `src/engine/loader` and `src/shell/loader`: `page.<variant>.ts`. */
export function loaders(variant: string): Plugin {
  return {
    name: 'juror-loaders',
    enforce: 'pre',
    resolveId(source, importer) {
      // From outside the folder, or from beside.
      const isLoader =
        /\/loader\/(page|engine|viewer|workers|pixels|keeper|maker)$/.test(source) ||
        (/^\.\/(page|engine|viewer|workers|pixels)$/.test(source) && /\/engine\/loader\/[^/]+$/.test(importer ?? ''));
      return isLoader ? this.resolve(`${source}.${variant}`, importer, { skipSelf: true }) : null;
    },
  };
}

/** Takes the address of the Wasm out of wasm-bindgen's glue: such a build hands the bytes over, and nothing is beside it. */
export function bytesOnly(): Plugin {
  return {
    name: 'juror-bytes-only',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/engine\/pkg\/.*\.js$/.test(id)) return null;
      const address = /new URL\('\w+_bg\.wasm', import\.meta\.url\)/;
      if (!address.test(code)) throw new Error(`${id} names its Wasm in another way than before.`);
      return { code: code.replace(address, 'undefined'), map: null };
    },
  };
}

/** Leaves out what starts workers of zip.js: the viewer inflates where it is, with what the browser brings. */
export function withoutZipWorkers(): Plugin {
  const LEFT_OUT = '\0juror-no-zip-workers';
  return {
    name: 'juror-no-zip-workers',
    enforce: 'pre',
    resolveId: (source, importer) => (/\/zip-core-reader\.js$/.test(importer ?? '') && source.endsWith('/codec-worker-web.js') ? LEFT_OUT : null),
    load: (id) => (id === LEFT_OUT ? '' : null),
  };
}
