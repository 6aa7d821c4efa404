/** Builds the client of the image metrics with its worker and Wasm into a folder: `node build-metrics.mjs FOLDER`. */
import { resolve } from 'node:path';
import { build } from '../../www/node_modules/vite/dist/node/index.js';

const root = resolve(import.meta.dirname, '../../www');

await build({
  configFile: false,
  root,
  base: './',
  logLevel: 'warn',
  publicDir: false,
  worker: { format: 'es' },
  build: {
    outDir: process.argv[2],
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: resolve(root, 'src/engine/metrics/client.ts'),
      preserveEntrySignatures: 'strict',
      output: { entryFileNames: 'client.js' },
    },
  },
});
