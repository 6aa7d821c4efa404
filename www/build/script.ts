/** Builds one script by itself: a service worker, or what is put into a file as text. */
import { resolve } from 'node:path';
import { build, type Plugin } from 'vite';
import { styles } from './styles';

/** The folder of the page. */
export const WWW = resolve(import.meta.dirname, '..');

/** A classic script with everything that it needs. */
export async function script(entry: string, define: Record<string, unknown>, plugins: Plugin[] = []): Promise<string> {
  const built = await build({
    configFile: false,
    root: WWW,
    logLevel: 'warn',
    publicDir: false,
    define: Object.fromEntries(Object.entries(define).map(([name, value]) => [name, JSON.stringify(value)])),
    plugins: [styles(), ...plugins],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: resolve(WWW, entry),
        output: { format: 'iife', codeSplitting: false },
        // A classic script has no address of its own, and nothing in it may need one.
        transform: { define: { 'import.meta': '{}' } },
      },
    },
  });
  const outputs = Array.isArray(built) ? built.flatMap(({ output }) => output) : 'output' in built ? built.output : [];
  const [only, ...more] = outputs;
  if (only?.type !== 'chunk' || more.length > 0)
    throw new Error(`${entry} became ${outputs.length} files: ${outputs.map(({ fileName }) => fileName).join(', ')}.`);
  return only.code;
}
