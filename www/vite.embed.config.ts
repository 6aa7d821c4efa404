/** `cargo xtask build embed`: the scripts for other people's pages alone, in `dist-embed/embed`. */
import { defineConfig } from 'vite';
import { embed } from './build/embed';
import { bytesOnly, loaders } from './build/loaders';
import { styles } from './build/styles';

export default defineConfig({
  publicDir: false,
  define: { __JUROR_DEMOS__: '[]' },
  plugins: [styles(), loaders('embed'), bytesOnly(), embed('alone')],
  build: { outDir: 'dist-embed', target: 'es2022', modulePreload: false, reportCompressedSize: false, rolldownOptions: { input: 'src/embed/main.ts' } },
});
