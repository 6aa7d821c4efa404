import { defineConfig, type Plugin } from 'vite';
import { embed } from './build/embed';
import { manual } from './build/manual';
import { offline } from './build/offline';
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

export default defineConfig({
  base: './',
  plugins: [relaxPolicyInDev(), manual(), embed(), offline(SUITES.map(({ id }) => id))],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    // Views are told by name from what the first page loads: `wasm-pack.toml` counts that alone.
    rolldownOptions: {
      output: { chunkFileNames: ({ facadeModuleId }) => `assets/${facadeModuleId?.includes('/src/views/') ? 'view-' : ''}[name]-[hash].js` },
    },
  },
  worker: { format: 'es', plugins: () => [entriesAlone()], rolldownOptions: { output: { codeSplitting: threads } } },
});
