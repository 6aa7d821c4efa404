/** Wasm as it is put into files. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { compress } from 'lzma1';
import { WWW } from './script';

/** A package's Wasm as LZMA, which takes a while: what was compressed last is kept beside the packages. */
export async function lzma(name: string, path: string): Promise<Uint8Array> {
  const wasm = await readFile(resolve(WWW, 'src/engine/pkg', path));
  const cache = resolve(WWW, 'node_modules/.juror/lzma');
  const [kept, hash] = [resolve(cache, `${name}.lzma`), createHash('sha256').update(wasm).digest('hex')];
  const known = await readFile(`${kept}.sha256`, 'utf8').catch(() => '');
  if (known !== hash) {
    await mkdir(cache, { recursive: true });
    await writeFile(kept, compress(wasm, 9));
    await writeFile(`${kept}.sha256`, hash);
  }
  return readFile(kept);
}
