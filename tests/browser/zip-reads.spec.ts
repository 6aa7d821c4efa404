/** What the viewer for other pages reads without an engine: the files of a ZIP of every kind, and what is wrong with a damaged one. */
import { join } from 'node:path';
import { expect, test } from '../../www/node_modules/@playwright/test';
import { build } from '../../www/node_modules/vite/dist/node/index.js';
import { withoutZipWorkers } from '../../www/build/loaders';
import type * as Zips from '../../www/src/embed/zip';
import { ROOT } from './helpers';
import { zipOf, type Entry, type Layout } from './zip';

type ZipBytes = Zips.ZipBytes;
let [entriesOf, readEntry] = [] as unknown as [typeof Zips.entriesOf, typeof Zips.readEntry];

// Bundled as the viewer is: the library under it is a module, and what loads these tests is none.
test.beforeAll(async () => {
  const lib = { entry: join(ROOT, 'www/src/embed/zip.ts'), formats: ['cjs' as const] };
  const [built] = [
    await build({ configFile: false, logLevel: 'silent', publicDir: false, plugins: [withoutZipWorkers()], build: { write: false, minify: false, lib } }),
  ].flat();
  const code = 'output' in (built ?? {}) ? (built as { output: [{ code: string }] }).output[0].code : '';
  const module = { exports: {} as typeof Zips };
  new Function('module', 'exports', code)(module, module.exports);
  ({ entriesOf, readEntry } = module.exports);
});

/** The bytes of a ZIP as a server gives parts of it; notes each part. */
function served(zip: Buffer): ZipBytes & { parts: [number, number][] } {
  const parts: [number, number][] = [];
  const read = (at: number, length: number): Promise<Uint8Array<ArrayBuffer>> => {
    parts.push([at, length]);
    return Promise.resolve(new Uint8Array(zip.subarray(at, at + length)));
  };
  return { size: zip.length, read, parts };
}

/** The files of a ZIP by their names, or what is said of it. */
async function filesOf(zip: Buffer): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await entriesOf(served(zip))) files[entry.filename] = Buffer.from(await readEntry(entry, null)).toString('utf8');
  return files;
}

const TEXT = 'A report. '.repeat(4000);
const ENTRIES: Entry[] = [
  { name: 'report.json', data: TEXT },
  { name: 'stored.txt', data: 'As it is.', stored: true },
];
const FILES = { 'report.json': TEXT, 'stored.txt': 'As it is.' };
const withAll = (more: Partial<Entry>): Entry[] => ENTRIES.map((entry) => ({ ...entry, ...more }));

/** Each kind of ZIP, with what it holds. */
const KINDS: [kind: string, entries: Entry[], layout: Layout, files?: Record<string, string>][] = [
  ['plain', ENTRIES, {}],
  ['of 64 bits', ENTRIES, { zip64: true }],
  ['with sizes behind the bytes', withAll({ descriptor: true }), {}],
  ['of 64 bits with sizes behind the bytes', withAll({ descriptor: true }), { zip64: true }],
  ['behind a program', ENTRIES, { prefix: Buffer.from('#!/bin/sh\nexit 0\n') }],
  ['of 64 bits behind a program', ENTRIES, { zip64: true, prefix: Buffer.alloc(70_000, 7) }],
  [
    'with names of their own field',
    [{ name: 'r?sum?.json', rawName: Buffer.from('r?sum?.json'), flags: 0, unicodePath: 'résumé.json', data: TEXT }],
    {},
    { 'résumé.json': TEXT },
  ],
];

for (const [kind, entries, layout, files = FILES] of KINDS) {
  test(`a ZIP ${kind} is read, and its damaged sibling is named`, async () => {
    const zip = zipOf(entries, layout);
    expect(await filesOf(zip)).toEqual(files);
    const first = Object.keys(files)[0] ?? '';
    const packed = zip.indexOf(Buffer.from('PK\x03\x04', 'latin1')) + 30 + Buffer.byteLength(entries[0]?.name ?? '') + 60;
    const spoiled = Buffer.from(zip);
    spoiled[packed] = (spoiled[packed] ?? 0) ^ 0x10;
    await expect(filesOf(spoiled)).rejects.toThrow(`The entry “${first}” is damaged: its bytes do not`);
    await expect(filesOf(zip.subarray(0, -1))).rejects.toThrow('This is no ZIP file, or its end is cut off.');
    const list = Buffer.from(zip);
    list.write('XX', list.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1')), 'latin1');
    await expect(filesOf(list)).rejects.toThrow('The ZIP’s list of files is damaged.');
  });
}

test('of a large file in a ZIP no more is read than its beginning', async () => {
  const large = Buffer.alloc(20_000_000);
  for (let at = 0; at < large.length; at += 4) large.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at);
  const zip = zipOf([{ name: 'a.bin', data: large }, ...ENTRIES, { name: 'b.bin', data: large }]);
  const source = served(zip);
  const last = (await entriesOf(source)).at(-1);
  if (last === undefined) throw new Error('there are entries');
  expect(Buffer.from(await readEntry(last, 5000)).equals(large.subarray(0, 5000))).toBe(true);
  const sum = source.parts.reduce((sum, [, length]) => sum + length, 0);
  expect(sum).toBeLessThan(2_000_000);
});

test('entries that lie about their size or place are named, and no more than they declare is inflated', async () => {
  const entries = [
    { name: 'whole.bin', data: Buffer.alloc(3_000_000, 7) },
    { name: 'more.bin', data: 'xxxxx', declares: 3 },
    { name: 'less.bin', data: 'xxxxx', declares: 9 },
    { name: 'stored.bin', data: 'xxxxx', declares: 9, stored: true },
  ];
  const zip = zipOf(entries);
  const [whole, more, less, stored] = await entriesOf(served(zip));
  if (whole === undefined || more === undefined || less === undefined || stored === undefined) throw new Error('four entries');
  expect(await readEntry(whole, null)).toHaveLength(3_000_000);
  expect(await readEntry(whole, 5000)).toHaveLength(5000);
  await expect(readEntry(more, null)).rejects.toThrow('The entry “more.bin” is damaged: it inflates to more than it declares.');
  await expect(readEntry(less, null)).rejects.toThrow('The entry “less.bin” is damaged: its bytes do not fit its checksum.');
  await expect(readEntry(stored, null)).rejects.toThrow('The entry “stored.bin” is damaged:');
  const moved = Buffer.from(zip);
  moved.write('XX', 0, 'latin1');
  const [first] = await entriesOf(served(moved));
  if (first === undefined) throw new Error('four entries');
  await expect(readEntry(first, null)).rejects.toThrow('it does not begin where the ZIP’s list says');
});
