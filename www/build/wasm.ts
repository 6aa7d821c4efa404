/** Wasm as it is put into files. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { compress } from 'lzma1';
import { WWW } from './script';

/**
 * Packages' Wasm as one piece of LZMA: the number of modules and the length of each, as 32-bit whole numbers, then the modules.
 *
 * Modules that share code are smaller together. Compressing takes a while: what was compressed last is kept beside the packages.
 */
export async function lzma(name: string, ...paths: string[]): Promise<Uint8Array> {
  const modules = await Promise.all(paths.map((path) => readFile(resolve(WWW, 'src/engine/pkg', path))));
  const piece = Buffer.concat([Buffer.from(Uint32Array.of(modules.length, ...modules.map(({ length }) => length)).buffer), ...modules]);
  const cache = resolve(WWW, 'node_modules/.juror/lzma');
  const [kept, hash] = [resolve(cache, `${name}.lzma`), createHash('sha256').update(piece).digest('hex')];
  const known = await readFile(`${kept}.sha256`, 'utf8').catch(() => '');
  if (known !== hash) {
    await mkdir(cache, { recursive: true });
    await writeFile(kept, compress(piece, 9));
    await writeFile(`${kept}.sha256`, hash);
  }
  return readFile(kept);
}
