/** Times how long 20,000 small pictures take to be checked in Chromium, from a folder and from a ZIP; prints one Markdown table. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test, type Page } from '../../www/node_modules/@playwright/test';
import { writeSuite, type Pictures } from './generate';
import { TempFolder, openPage, settled } from './helpers';
import { readClock, startClock } from './probe';
import { zipOf } from './zip';

const MODELS = ['alpha', 'beta', 'gamma'];
/** Four pictures of the data set and three of each model. */
const NUM_DIALOGUES = 1540;
const NUM_PICTURES = 13 * NUM_DIALOGUES;
/** Pictures of each kind that differ. */
const KINDS = 64;
const RUNS = 1;

const rows: string[][] = [];
let folder: TempFolder;

test.afterAll(() => {
  folder.remove();
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  console.log(
    [
      '',
      line(['in Chromium', 'all checked', 'longest time without a frame', 'an answer of the engine meanwhile: slowest of how many']),
      '|---|---|---|---|',
      ...rows.map(line),
      '',
    ].join('\n'),
  );
});

/** Noise over a gradient, as the browser encodes it: a few kilobytes each. */
async function drawn(page: Page): Promise<Pictures> {
  const made = await page.evaluate(async (count) => {
    const of = async (type: string, seed: number): Promise<string> => {
      const canvas = new OffscreenCanvas(96, 72);
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('no canvas');
      const pixels = context.createImageData(96, 72);
      let state = seed + 1;
      for (let at = 0; at < pixels.data.length; at += 1) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        pixels.data[at] = at % 4 === 3 ? 255 : ((at >> 2) % 96) + (state >>> 27);
      }
      context.putImageData(pixels, 0, 0);
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type, quality: 0.75 })).arrayBuffer());
      return btoa(String.fromCharCode(...bytes));
    };
    const all = (type: string): Promise<string[]> => Promise.all(Array.from({ length: count }, (_, seed) => of(type, seed)));
    return { jpg: await all('image/jpeg'), png: await all('image/png') };
  }, KINDS);
  return Object.fromEntries(Object.entries(made).map(([kind, texts]) => [kind, texts.map((text) => new Uint8Array(Buffer.from(text, 'base64')))]));
}

test.beforeAll(async ({ browser }) => {
  folder = new TempFolder();
  const page = await browser.newPage();
  await openPage(page);
  const pictures = await drawn(page);
  await page.close();
  writeSuite(folder.path, NUM_DIALOGUES, MODELS, pictures);
  const files = readdirSync(folder.at('suite'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  writeFileSync(folder.at('suite.zip'), zipOf(files.map((path) => ({ name: relative(folder.path, path), data: readFileSync(path) }))));
});

/** Filters asked one after another while pictures are checked, as long as each answer took. */
async function answers(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; (await page.getAttribute('html', 'data-phase')) === 'decoding'; at += 1) {
    const count = NUM_DIALOGUES;
    times.push(
      await page.evaluate(
        async ({ q, all }) => {
          const list = document.querySelector('juror-app')?.shadowRoot?.querySelector('juror-samples')?.shadowRoot;
          const input = list?.querySelector('juror-filter-field')?.shadowRoot?.querySelector('input');
          if (list == null || input == null) return 0;
          const shown = (): string => list.querySelector('.count > span')?.textContent ?? '';
          const before = shown();
          const start = performance.now();
          input.value = q;
          input.dispatchEvent(new Event('input', { bubbles: true }));
          input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
          while (shown() === before || list.querySelector('.rows[aria-busy]') !== null) {
            if (performance.now() - start > 60_000) throw new Error(`${q}: nothing changed from ${before} of ${all}`);
            await new Promise(requestAnimationFrame);
          }
          return performance.now() - start;
        },
        { q: at % 2 === 0 ? 'domain:edit' : '', all: count },
      ),
    );
    await page.waitForTimeout(300);
  }
  return times;
}

for (const [source, input] of [
  ['suite', 'input-folder'],
  ['suite.zip', 'input-files'],
] as const) {
  test(`20,000 small pictures from ${source}`, async ({ browser }) => {
    const runs: { done: number; phases: Record<string, number>; gap: number; asked: number[] }[] = [];
    for (let run = 0; run < 2 * RUNS; run += 1) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await openPage(page, '#/samples');
      await startClock(page, {});
      await page.getByTestId(input).setInputFiles(folder.at(source));
      await page.waitForSelector('html[data-phase="decoding"]');
      // Every other run is left alone.
      const asked = run % 2 === 0 ? [] : await answers(page);
      await settled(page, source);
      await expect(
        page.getByText(`${NUM_DIALOGUES.toLocaleString('en')} of ${NUM_DIALOGUES.toLocaleString('en')} dialogues`).or(page.getByText(' of 1,540 dialogues')),
      ).toBeVisible();
      const { phases, longestGap } = await readClock(page);
      runs.push({ done: phases['done'] ?? NaN, phases, gap: longestGap, asked });
      console.log(`${source}: ${JSON.stringify(runs.at(-1))}`);
      await context.close();
    }
    const alone = runs.filter((_, at) => at % 2 === 0);
    const asked = runs.flatMap((run) => run.asked);
    const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
    rows.push([
      `${NUM_PICTURES.toLocaleString('en')} pictures from a ${source.endsWith('.zip') ? 'ZIP' : 'folder'}`,
      seconds(Math.min(...alone.map(({ done }) => done))),
      seconds(Math.min(...alone.map(({ gap }) => gap))),
      `${seconds(Math.max(...asked))} of ${asked.length}`,
    ]);
  });
}
