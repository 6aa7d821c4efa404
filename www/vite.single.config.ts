/** `cargo xtask build single`: the page as one HTML file, `dist-single/juror.html`. */
import { defineConfig } from 'vite';
import { loaders } from './build/loaders';
import { manual } from './build/manual';
import { single } from './build/single';
import { styles } from './build/styles';

export default defineConfig({
  base: './',
  publicDir: false,
  define: { __JUROR_DEMOS__: '[]' },
  plugins: [styles(), loaders('single'), manual(), single()],
  build: {
    outDir: 'dist-single',
    target: 'es2022',
    modulePreload: false,
    reportCompressedSize: false,
    // Built again by `single()` as one classic script; here the page's own scripts are of no use.
    rolldownOptions: { output: { codeSplitting: false } },
  },
});
