/**
 * What a network of ViT-B/32's shape takes on rten as Wasm, in the worker that the page runs networks in: loading it, a picture,
 * memory. `JUROR_BENCH_PROGRAM` writes its pack. Prints one Markdown table.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, test } from '../../www/node_modules/@playwright/test';
import { TempFolder, openPage, pngOf } from './helpers';
import { DIST } from './server';

const NUM_PICTURES = 12;
const SIDE = 512;

function picture(seed: number): string {
  const row = (y: number): number[] => [0, ...Array.from({ length: 3 * SIDE }, (_, at) => (((at / 3) | 0) * (3 + seed) + y * 5 + (at % 3) * 40) % 256)];
  return pngOf(SIDE, SIDE, deflateSync(Uint8Array.from(Array.from({ length: SIDE }, (_, y) => row(y)).flat()))).toString('base64');
}

test('a network of ViT-B/32’s shape as Wasm', async ({ browser }) => {
  const folder = new TempFolder();
  execFileSync(process.env.JUROR_BENCH_PROGRAM ?? '', ['pack', folder.at('pack')]);
  // The page's rules let no script start a worker by its address.
  const page = await (await browser.newContext({ bypassCSP: true })).newPage();
  await openPage(page);
  const script = readdirSync(join(DIST, 'assets')).find((name) => /^networks\.worker-.*\.js$/.test(name));
  await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<input type="file" id="pack" webkitdirectory>'));
  await page.locator('#pack').setInputFiles(folder.at('pack'));
  const found = await page.evaluate(
    async ({ script, pictures }) => {
      const worker = new Worker(`./assets/${script}`, { type: 'module' });
      let id = 0;
      const ask = (question: object): Promise<Record<string, unknown>> =>
        new Promise((resolve, reject) => {
          worker.onmessage = ({ data }: MessageEvent<Record<string, unknown>>) => ('code' in data ? reject(new Error(String(data.message))) : resolve(data));
          worker.postMessage({ id: ++id, ...question });
        });
      const files = [...((document.querySelector('#pack') as HTMLInputElement).files ?? [])];
      const start = performance.now();
      await ask({ profile: 'released', runner: 'cpu', packs: [{ paths: files.map((file) => file.webkitRelativePath), files }] });
      await ask({ check: 'clip' });
      const load = performance.now() - start;
      const took: number[] = [];
      for (const one of pictures) {
        const blob = new Blob([Uint8Array.from(atob(one), (character) => character.charCodeAt(0))]);
        const before = performance.now();
        await ask({ embed: 'clip', picture: blob });
        took.push(performance.now() - before);
      }
      return { load, took };
    },
    { script, pictures: Array.from({ length: NUM_PICTURES }, (_, at) => picture(at)) },
  );
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const peaks = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1024);
  const sorted = [...found.took].sort((a, b) => a - b);
  expect(sorted).toHaveLength(NUM_PICTURES);
  const ms = (value: number | undefined): string => `${(value ?? NaN).toFixed(0)} ms`;
  console.log(
    [
      '',
      '| rten 0.27 as Wasm, one worker in Chromium | load and golden case | a picture: median | least | most | peak memory of the page’s process |',
      '|---|---|---|---|---|---|',
      `| 1 thread | ${ms(found.load)} | ${ms(sorted[NUM_PICTURES / 2])} | ${ms(sorted[0])} | ${ms(sorted.at(-1))} | ${Math.max(...peaks).toFixed(0)} MiB |`,
      '',
    ].join('\n'),
  );
  await page.context().close();
  folder.remove();
});
