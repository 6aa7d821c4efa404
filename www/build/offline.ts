/** Writes the service worker `sw.js` with the list of the built files, each with its hash. */
import { createHash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { Plugin } from 'vite';
import type { Files } from '../src/offline/files';
import { script } from './script';

/** Beside the page's own chunks the first visit needs the engine's worker and the first engine of the first demo suite. */
const firstToo = (demo: string): RegExp => new RegExp(`^assets/(engine\\.worker|juror_${demo}(_bg)?-|update)`);

/**
 * First engines, for which without a connection the one with every question stands in, and what runs packs of
 * networks: as large as the engine, on WebGPU several times so, and of use to few.
 */
const notKept = (demos: readonly string[]): RegExp =>
  new RegExp(`^assets/((preview-)?juror_(${[...demos, 'networks'].join('|')})(_bg)?-|ort[.-]|onnxruntime-)`);

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();

/** Runs last: the list is of what lies in the folder in the end. */
export function offline(demos: readonly string[]): Plugin {
  const [first, own] = [firstToo(demos[0] ?? ''), notKept(demos)];
  let dist = '';
  /** The page's script and what it imports at once. */
  const linked = new Set<string>();
  return {
    name: 'juror-offline',
    apply: 'build',
    configResolved(config) {
      dist = resolve(config.root, config.build.outDir);
    },
    generateBundle(_, bundle) {
      const link = (name: string): void => {
        const part = bundle[name];
        if (linked.has(name) || part?.type !== 'chunk') return;
        linked.add(name);
        part.imports.forEach(link);
      };
      for (const part of Object.values(bundle)) if (part.type === 'chunk' && part.isEntry) link(part.fileName);
    },
    async closeBundle() {
      const files: Files = { version: '', first: [], later: [], demos: [] };
      const suites = new Map(demos.map((id) => [id, createHash('sha256')]));
      const names = await readdir(dist, { recursive: true, withFileTypes: true });
      const paths = names.filter((entry) => entry.isFile()).map((entry) => relative(dist, join(entry.parentPath, entry.name)).split(sep).join('/'));
      for (const path of paths.sort()) {
        const bytes = await readFile(join(dist, path));
        const [top, id = ''] = path.split('/');
        if (top === 'demo') suites.get(id)?.update(path).update(sha256(bytes));
        // What lies there is for other people's pages.
        else if (path !== 'sw.js' && top !== 'embed') {
          const isFirst = !path.startsWith('assets/') || path.endsWith('.css') || linked.has(path) || first.test(path);
          if (!isFirst && own.test(path)) continue;
          files[isFirst ? 'first' : 'later'].push([path === 'index.html' ? './' : path, `sha256-${sha256(bytes).toString('base64')}`]);
        }
      }
      files.demos = [...suites].map(([id, hash]) => [id, hash.digest('hex').slice(0, 16)]);
      files.version = sha256(JSON.stringify(files)).toString('hex').slice(0, 16);
      await writeFile(join(dist, 'sw.js'), await script('src/offline/keeper.ts', { __JUROR_FILES__: files }));
    },
  };
}
