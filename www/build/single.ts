/**
 * The whole app as one HTML file that works from `file://`.
 *
 * There a page may start neither modules nor workers from files, and fetch nothing. So everything is inside: code,
 * Wasm and a demo suite, compressed, as base64 in elements of an unknown type, which browsers leave alone. A few lines of
 * inline script unpack the page. The policy knows the three scripts by their hashes.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import type { Plugin } from 'vite';
import { bytesOnly, loaders } from './loaders';
import { manual } from './manual';
import { WWW, script } from './script';
import { lzma } from './wasm';

/** The smallest suite: the file is to open onto something, and to be mailed. */
const DEMO = 'micon';

/** What the page may do, and why. */
const policy = (scripts: string[], styles: string[]): string =>
  [
    "default-src 'none'",
    // The scripts of this file alone, and Wasm.
    `script-src ${scripts.map(hashOf).join(' ')} 'wasm-unsafe-eval'`,
    `style-src ${styles.map(hashOf).join(' ')}`,
    // Pictures that were opened or are inside.
    'img-src blob: data:',
    // For what the user starts: a judge's or generator's service, which may run on this machine, and a ZIP by its address.
    'connect-src https: http://localhost:* http://127.0.0.1:*',
    // The engine.
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    // Text becomes code by the named policies alone: Lit's templates, workers from Blobs, and the two scripts unpacked here.
    "require-trusted-types-for 'script'",
    'trusted-types lit-html juror juror-page juror-engine default',
  ].join('; ');

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const part = (entry: string): Promise<string> => script(entry, { __JUROR_DEMOS__: [DEMO] }, [loaders('single'), manual(), bytesOnly()]);

/** The demo suite as a ZIP whose entries are stored: the whole is compressed anyway. */
async function demo(): Promise<Uint8Array> {
  const folder = resolve(WWW, 'public/demo', DEMO);
  const { files } = JSON.parse(await readFile(resolve(folder, 'index.json'), 'utf8')) as { files: { path: string }[] };
  const writer = new ZipWriter(new Uint8ArrayWriter(), { level: 0, extendedTimestamp: false, lastModDate: new Date(2020, 0, 1), useWebWorkers: false });
  for (const { path } of files) await writer.add(path, new Uint8ArrayReader(await readFile(resolve(folder, path))));
  return writer.close();
}

const element = (name: string, bytes: Uint8Array): string =>
  `<script type="application/octet-stream" id="juror-payload-${name}">${Buffer.from(bytes).toString('base64')}</script>`;

const piece = (name: string, bytes: string | Uint8Array): string => element(name, gzipSync(bytes, { level: 9 }));

const wasmPiece = async (name: string, ...paths: string[]): Promise<string> => element(name, await lzma(name, ...paths));

/** Text that ends no inline element and starts no comment in one. */
function inline(text: string): string {
  if (/\r|\0/.test(text)) throw new Error('HTML would change a carriage return or a NUL in this text.');
  return text.replace(/<(?=\/script|\/style|script|!--)/gi, '\\x3C');
}

/** Turns the built page into one file, `juror.html`. */
export function single(): Plugin {
  return {
    name: 'juror-single',
    enforce: 'post',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const icon = (await readFile(resolve(WWW, 'public/icon.svg'))).toString('base64');
        return html
          .replace(/<link rel="icon"[^>]*>/, `<link rel="icon" href="data:image/svg+xml;base64,${icon}" />`)
          .replace(/\n\s*<link rel="(manifest|apple-touch-icon)"[^>]*>/g, '');
      },
    },
    async generateBundle(_, bundle) {
      const parts = Object.values(bundle);
      const page = parts.find((part) => part.type === 'asset' && part.fileName === 'index.html');
      const css = parts.filter((part) => part.type === 'asset' && part.fileName.endsWith('.css'));
      if (page?.type !== 'asset') throw new Error('The page was not built.');
      const style = inline(css.map((part) => (part.type === 'asset' ? part.source.toString() : '')).join('\n'));
      const [theme, boot, app, engine, decoder, difference, metrics, tensors] = [
        inline(await readFile(resolve(WWW, 'public/theme.js'), 'utf8')),
        inline(await part('src/engine/loader/boot.single.ts')),
        await part('src/main.ts'),
        await part('src/engine/engine.worker.ts'),
        await part('src/engine/decode/decoder.worker.ts'),
        await part('src/components/compare-pictures/difference.worker.ts'),
        await part('src/engine/metrics/metrics.worker.ts'),
        await part('src/engine/dar/dar.worker.ts'),
      ];
      const pieces = [
        piece('page', app),
        piece('engine', engine),
        piece('decoder', decoder),
        piece('difference', difference),
        piece('metrics', metrics),
        piece('tensors', tensors),
        await wasmPiece('session', 'session/juror_web_bg.wasm'),
        await wasmPiece('pixels', 'pictures/juror_pictures_bg.wasm', 'gpu/juror_gpu_bg.wasm'),
        piece('demo', await demo()),
        // `juror score --format html` and the page's own export put an evidence pack here.
        element('report', new Uint8Array()),
      ];
      const html = page.source
        .toString()
        .replace(
          /(http-equiv="Content-Security-Policy"\s+content=")[^"]*"/,
          (_whole, start: string) => `${start}${policy([theme, boot, app, engine], [style])}"`,
        )
        .replace(/\s*<script type="module"[^>]*><\/script>/g, '')
        .replace(/<script src="\.\/theme\.js"><\/script>/, () => `<script>${theme}</script>`)
        .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`)
        .replace('</body>', () => `${pieces.join('\n')}\n<script>${boot}</script>\n</body>`);
      const outside = /\s(?:src|href)="(?!data:)[^"]*"/.exec(html);
      if (outside !== null) throw new Error(`juror.html refers to something outside of it:${outside[0]}`);
      for (const name of Object.keys(bundle)) Reflect.deleteProperty(bundle, name);
      this.emitFile({ type: 'asset', fileName: 'juror.html', source: html });
    },
  };
}
