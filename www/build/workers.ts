/** Keeps the entries of workers free of code, so that nothing imports from them. */
import { basename } from 'node:path';
import type { Plugin } from 'vite';

/** What a worker does goes into a chunk of its own, named after the worker, beside the entry that only imports it. */
export const threads = { groups: [{ test: /\.thread\.ts$/, name: (id: string): string => basename(id, '.thread.ts').concat('.worker.thread') }] };

/**
 * Refuses a worker whose chunks import from its entry.
 *
 * WebKit keeps no record of the script that a worker is started with, so it fetches and runs it once more for whatever
 * imports from it: then two engines answer every call.
 */
export function entriesAlone(): Plugin {
  return {
    name: 'juror-entries-alone',
    apply: 'build',
    generateBundle(_, bundle) {
      const parts = Object.values(bundle).filter((part) => part.type === 'chunk');
      const entries = new Set(parts.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
      for (const { fileName, imports, dynamicImports } of parts) {
        const entry = [...imports, ...dynamicImports].find((name) => entries.has(name));
        if (entry !== undefined)
          this.error(
            `${fileName} imports from ${entry}, the entry of a worker, which WebKit would run a second time. Let the entry do nothing but import a module *.thread.ts that holds the code.`,
          );
      }
    },
  };
}
