/** Pictures are decoded by a pool of workers: what the pool does by itself, and the page whose workers fail. */
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Page } from '../../www/node_modules/@playwright/test';
import { DecoderPool } from '../../www/src/engine/decode/pool';
import type { FromDecoder, ToDecoder } from '../../www/src/engine/decode/protocol';
import { DEMO, TempFolder, exported, juror, openFolders } from './helpers';
import { expect, test } from './visits';

const DIST = join(DEMO, '../..');

/** A worker that answers when it is told to. */
class Fake extends EventTarget {
  asked: ToDecoder[] = [];
  isEnded = false;
  postMessage(message: ToDecoder): void {
    this.asked.push(structuredClone(message));
  }
  terminate(): void {
    this.isEnded = true;
  }
  /** Finds a flaw in pictures that begin with 0. */
  answer(): void {
    const next = this.asked.shift();
    if (next === undefined) throw new Error('Nothing was asked.');
    const flaws = next.pictures.map((picture) => (picture[0] === 0 ? { message: 'broken', hint: 'mend' } : null));
    this.dispatchEvent(new MessageEvent<FromDecoder>('message', { data: { flaws } }));
  }
  trap(): void {
    this.dispatchEvent(new MessageEvent<FromDecoder>('message', { data: { message: 'unreachable' } }));
  }
  die(): void {
    this.dispatchEvent(new Event('error', { cancelable: true }));
  }
}

function poolOf(most: number): { pool: DecoderPool; made: Fake[] } {
  const made: Fake[] = [];
  const pool = new DecoderPool(() => {
    const fake = new Fake();
    made.push(fake);
    return Promise.resolve(fake as unknown as Worker);
  }, most);
  return { pool, made };
}

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const batch = (...first: number[]): Uint8Array<ArrayBuffer>[] => first.map((one) => Uint8Array.of(one, 7));
const broken = { message: 'broken', hint: 'mend' };

test('no more workers are started than there is work for, and each answer goes to its own batch', async () => {
  const { pool, made } = poolOf(3);
  const first = pool.check(batch(1, 0));
  await soon();
  expect(made).toHaveLength(1);
  const others = [batch(0), batch(2), batch(3)].map((one) => pool.check(one));
  await soon();
  expect(made).toHaveLength(3);
  made[2]?.answer();
  made[1]?.answer();
  // The fourth batch waited for whoever was ready first.
  made[2]?.answer();
  made[0]?.answer();
  expect(await first).toEqual([null, broken]);
  expect(await Promise.all(others)).toEqual([[broken], [null], [null]]);
});

test('what a worker is given is a copy of the picture alone, not of the ZIP around it', async () => {
  const { pool, made } = poolOf(1);
  const zip = new Uint8Array(1000).fill(5);
  void pool.check([zip.subarray(10, 13)]);
  await soon();
  const given = made[0]?.asked[0]?.pictures[0];
  expect(given?.buffer.byteLength).toBe(3);
  expect(zip.byteLength).toBe(1000);
  pool.stop();
});

test('a batch whose worker dies or traps is given back, and the others go on', async () => {
  const { pool, made } = poolOf(1);
  const [first, second, third] = [pool.check(batch(1)), pool.check(batch(0)), pool.check(batch(2))];
  await soon();
  made[0]?.die();
  expect(await first).toBeNull();
  expect(made[0]?.isEnded).toBe(true);
  await soon();
  made[1]?.answer();
  expect(await second).toEqual([broken]);
  made[1]?.trap();
  expect(await third).toBeNull();
  expect(made[1]?.isEnded).toBe(true);
});

test('where workers are refused or die again and again, everything is given back and no more are started', async () => {
  const refused = new DecoderPool(() => Promise.resolve(null), 4);
  expect(await Promise.all([refused.check(batch(1)), refused.check(batch(0))])).toEqual([null, null]);
  const { pool, made } = poolOf(1);
  const all = Promise.all(Array.from({ length: 5 }, () => pool.check(batch(1))));
  for (let at = 0; at < 3; at += 1) {
    await soon();
    made[at]?.die();
  }
  expect(await all).toEqual([null, null, null, null, null]);
  expect(made).toHaveLength(3);
});

test('a worker that never begins holds nobody up, and ends if it comes after all', async () => {
  let come = (_: Worker): void => undefined;
  const fake = new Fake();
  const pool = new DecoderPool(() => new Promise((resolve) => (come = resolve)), 1, 1);
  expect(await pool.check(batch(1))).toBeNull();
  come(fake as unknown as Worker);
  await soon();
  expect(fake.isEnded).toBe(true);
  expect(fake.asked).toEqual([]);
});

test('when everything is closed, all workers end and nobody waits for them', async () => {
  const { pool, made } = poolOf(2);
  const all = [pool.check(batch(1)), pool.check(batch(1)), pool.check(batch(1))];
  await soon();
  pool.stop();
  expect(await Promise.all(all)).toEqual([null, null, null]);
  expect(made.map(({ isEnded }) => isEnded)).toEqual([true, true]);
  const again = pool.check(batch(0));
  await soon();
  made[2]?.answer();
  expect(await again).toEqual([broken]);
});

test('a worker that is heard after it was ended is given nothing more', async () => {
  const { pool, made } = poolOf(1);
  const before = pool.check(batch(1));
  await soon();
  pool.stop();
  expect(await before).toBeNull();
  made[0]?.answer();
  const after = pool.check(batch(0));
  await soon();
  expect(made[0]?.asked).toEqual([]);
  made[1]?.answer();
  expect(await after).toEqual([broken]);
});

test('a worker that never answers is ended, and its batch given back', async () => {
  const fake = new Fake();
  const pool = new DecoderPool(() => Promise.resolve(fake as unknown as Worker), 1, 1000, 1);
  expect(await pool.check(batch(1))).toBeNull();
  expect(fake.isEnded).toBe(true);
});

/** The demo suite as a folder of the user's own, with one picture cut off and another one that is none. */
function spoiled(folder: TempFolder): string {
  const root = folder.at('spoiled');
  cpSync(DEMO, root, { recursive: true });
  const pictures = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => /\.(png|jpe?g)$/.test(entry.name) && entry.parentPath.includes('/result/'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const [first = '', second = ''] = pictures;
  const bytes = readFileSync(first);
  writeFileSync(first, bytes.subarray(0, Math.floor(bytes.length / 2)));
  const other = readFileSync(second);
  other.fill(0, Math.floor(other.length / 3), Math.floor(other.length / 2));
  writeFileSync(second, other);
  return root;
}

/** The built page with the script of the decoders changed; counts how often that was fetched. */
async function served(change: (script: string) => string): Promise<{ address: string; fetched: () => number; close(): void }> {
  const types: Record<string, string> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.json': 'application/json',
    '.wasm': 'application/wasm',
    '.svg': 'image/svg+xml',
  };
  let count = 0;
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '/').split('?')[0] ?? '/').slice(1) || 'index.html';
    try {
      const bytes = readFileSync(join(DIST, name));
      const isDecoder = /assets\/decoder\.worker-/.test(name);
      if (isDecoder) count += 1;
      response.setHeader('content-type', types[extname(name)] ?? 'application/octet-stream').end(isDecoder ? change(bytes.toString('utf8')) : bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    fetched: () => count,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What the page makes of the folder, as JSON. */
async function scored(page: Page, address: string, folder: string): Promise<string> {
  await page.goto(address);
  await page.waitForSelector('html[data-engine="ready"]');
  await page.waitForSelector('html[data-phase="done"]');
  await openFolders(page, [folder]);
  return (await exported(page, 'export-json')).toString('utf8');
}

/** A decoder that answers every batch with this expression of JavaScript, of `data`, through the port that it is handed. */
const answering = (answer: string): string => `self.onmessage = ({ data: { port } }) => (port.onmessage = ({ data }) => port.postMessage(${answer}));`;

for (const [what, change] of [
  ['decode', (script: string) => script],
  ['die at once', () => 'throw new Error("gone");'],
  ['trap at every picture', () => answering('{ message: "unreachable" }')],
] as const) {
  test(`damaged pictures count as the command line counts them where the workers ${what}`, async ({ page }) => {
    const folder = new TempFolder();
    const [root, server] = [spoiled(folder), await served(change)];
    try {
      expect(await scored(page, server.address, root)).toBe(juror(['score', root]).toString('utf8'));
      expect(server.fetched()).toBeGreaterThan(0);
    } finally {
      server.close();
      folder.remove();
    }
  });
}

test('it is the workers’ word that counts: ones that find every picture broken change the report', async ({ page }) => {
  const folder = new TempFolder();
  const [root, server] = [spoiled(folder), await served(() => answering('{ flaws: data.pictures.map(() => ({ message: "broken", hint: "mend" })) }'))];
  try {
    expect(await scored(page, server.address, root)).not.toBe(juror(['score', root]).toString('utf8'));
  } finally {
    server.close();
    folder.remove();
  }
});
