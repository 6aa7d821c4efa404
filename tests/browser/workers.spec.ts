/** The scripts of the workers as they are built: nothing may import from a worker's entry, which WebKit runs once more for that. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../../www/node_modules/@playwright/test';
import { megapixelsIn } from '../../www/src/engine/loader/allowed';
import { DEMO, ROOT, TempFolder } from './helpers';

const ASSETS = join(DEMO, '../../assets');

/** Scripts that import from an entry of a worker, as `script: entry`, and the entries. */
function look(folder: string): { entries: string[]; importers: string[] } {
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const texts = new Map(scripts.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const named = (text: string, pattern: RegExp): string[] =>
    [...text.matchAll(pattern)].map(([, name]) => (name ?? '').slice((name ?? '').lastIndexOf('/') + 1));
  const entries = [...new Set([...texts.values()].flatMap((text) => named(text, /new Worker\((?:new URL\()+[`"']([^`"']+\.js)[`"']/g)))].sort();
  const importers = [...texts].flatMap(([name, text]) =>
    named(text, /(?:from|import)\s*\(?\s*[`"']([^`"']+\.js)[`"']/g)
      .filter((from) => entries.includes(from))
      .map((from) => `${name}: ${from}`),
  );
  return { entries, importers };
}

/** Workers' scripts, or scripts that they import, that start a worker: `entry: script`. Firefox under automation may stop for good in one. */
function nested(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const texts = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const found: string[] = [];
  for (const entry of look(folder).entries) {
    const seen = new Set([entry]);
    for (const name of seen) {
      const text = texts.get(name) ?? '';
      if (/new\s+(?:(?:self|globalThis)\.)?Worker\(/.test(text)) found.push(`${entry}: ${name}`);
      for (const other of names) if (text.includes(other)) seen.add(other);
    }
  }
  return found;
}

test('no script imports from the entry of a worker, so no engine is started twice', () => {
  expect(existsSync(ASSETS), ASSETS).toBe(true);
  const { entries, importers } = look(ASSETS);
  expect(entries.map((name) => name.replace(/-[\w-]{8}\.js$/, ''))).toEqual([
    'billiards.worker',
    'dar.worker',
    'decoder.worker',
    'difference.worker',
    'engine.worker',
    'host.worker',
    'metrics.worker',
    'networks.worker',
  ]);
  expect(importers).toEqual([]);
});

test('one that does is found', () => {
  const folder = new TempFolder();
  folder.write('page-1.js', 'new Worker(new URL("/assets/engine.worker-1.js",import.meta.url),{type:"module"});');
  folder.write('engine.worker-1.js', 'import"./own-1.js";export{a};');
  folder.write('own-1.js', 'import("./zip-1.js")');
  folder.write('zip-1.js', 'import{a}from"./engine.worker-1.js";');
  expect(look(folder.path)).toEqual({ entries: ['engine.worker-1.js'], importers: ['zip-1.js: engine.worker-1.js'] });
  folder.remove();
});

test('no worker starts another worker', () => {
  // zip.js and onnxruntime-web can start workers, and both have them switched off.
  const isAble = (found: string): boolean => /: (zip-writer|ort\.(jspi|webgpu)\.bundle\.min)-[\w-]{8}\.js$/.test(found);
  expect(nested(ASSETS).filter((found) => !isAble(found))).toEqual([]);
  const source = (name: string): string => readFileSync(join(ROOT, 'www/src/engine', name), 'utf8');
  expect(source('zip-writer.ts')).toContain('useWebWorkers: false');
  for (const line of ['env.wasm.numThreads = 1;', 'env.wasm.proxy = false;']) expect(source('networks/onnxruntime.ts')).toContain(line);
});

test('one that does is found, also behind an import', () => {
  const folder = new TempFolder();
  folder.write(
    'page-1.js',
    'new Worker(new URL("/assets/engine.worker-1.js",import.meta.url)),new Worker(new URL("/assets/decoder.worker-1.js",import.meta.url));',
  );
  folder.write('engine.worker-1.js', 'import"./own-1.js";');
  folder.write('own-1.js', 'import("./pool-1.js")');
  folder.write('pool-1.js', 'new Worker(u)');
  folder.write('decoder.worker-1.js', 'postMessage(1)');
  expect(nested(folder.path)).toEqual(['engine.worker-1.js: pool-1.js']);
  folder.remove();
});

test('the address of the page says how large pictures may be, and a worker is told by its name', () => {
  expect(megapixelsIn('?megapixels=400')).toBe(400);
  expect(megapixelsIn('?a=1&megapixels=250')).toBe(250);
  expect(megapixelsIn('juror-decoder megapixels=400')).toBe(400);
  for (const text of ['', '?megapixels=', '?megapixels=x', '?megapixels=12345', 'juror-decoder']) expect(megapixelsIn(text), text).toBeNull();
});
