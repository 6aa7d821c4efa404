import { defineConfig, type Plugin } from 'vite';
import { embed } from './build/embed';
import { manual } from './build/manual';
import { offline } from './build/offline';
import { styles } from './build/styles';
import { entriesAlone, threads } from './build/workers';
import { SUITES } from './src/engine/types/suites';

/** The dev server injects inline scripts and styles, which the page's policy forbids; builds keep the policy. */
function relaxPolicyInDev(): Plugin {
  return {
    name: 'juror-relax-policy-in-dev',
    apply: 'serve',
    transformIndexHtml: (html) => html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ''),
  };
}

/** What the name of a chunk begins with that is not loaded at first: a view, or an engine's script for the embed's preview, which is the only engine on the page's own thread. */
function comesLater(module: string): string {
  if (module.includes('/src/views/')) return 'view-';
  return module.includes('/pkg/first/') ? 'preview-' : '';
}

export default defineConfig({
  base: './',
  plugins: [relaxPolicyInDev(), styles(), manual(), embed(), offline([...SUITES.flatMap(({ id }) => [id, `${id}-extra`]), 'attention'])],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: {
      output: {
        // Told by name from what the first page loads, which alone `wasm-pack.toml` counts.
        chunkFileNames: ({ facadeModuleId }) => `assets/${comesLater(facadeModuleId ?? '')}[name]-[hash].js`,
        // What the first page needs comes in one script: many small ones compress worse, and each takes a request.
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] },
      },
    },
  },
  worker: { format: 'es', plugins: () => [entriesAlone()], rolldownOptions: { output: { codeSplitting: threads } } },
});
