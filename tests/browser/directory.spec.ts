/** What the embed reads of a ZIP's directory by itself, beside the core's reading of the same made-up ZIPs; no page is needed for it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../../www/node_modules/@playwright/test';
import { entriesOf, lastEntries } from '../../www/src/embed/directory';
import type { ArchiveEntry } from '../../www/src/engine/types/ArchiveEntry';
import { megapixelsIn } from '../../www/src/engine/loader/allowed';
import { ROOT } from './helpers';

/** Path, place of its header, size, packed size, checksum, whether it is deflated. */
type Row = [string, number, number, number, number, boolean];

interface Vector {
  zip: string;
  found: { entries: Row[]; refused: number } | { refusal: string };
}

const VECTORS = JSON.parse(readFileSync(join(ROOT, 'tests/golden/zips.json'), 'utf8')) as Vector[];
const bytesOf = (zip: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(zip, 'base64'));
const rowOf = ({ path, at, size, packed, crc32, is_deflated }: ArchiveEntry): Row => [path, at, size, packed, crc32, is_deflated];
/** The file that an entry at this place has: names are told by the core alone, but for those that the embed looks for. */
const LOOKED_FOR = ['report.json', 'manifest.json'];

test('every entry that the core takes is found by the embed at the same place, with the same sizes', () => {
  let looked = 0;
  for (const { zip, found } of VECTORS) {
    if ('refusal' in found) continue;
    const bytes = bytesOf(zip);
    const { entries, directory } = lastEntries(bytes, 0);
    const byPlace = new Map(entries.map((entry) => [entry.at, rowOf(entry)]));
    for (const [path, ...facts] of found.entries) {
      const own = byPlace.get(facts[0]);
      expect(own?.slice(1), path).toEqual(facts);
      if (LOOKED_FOR.includes(path)) expect(own?.[0]).toBe(path);
      looked += 1;
    }
    expect(entriesOf(bytes.slice(directory.at, directory.at + directory.length)).map(rowOf)).toEqual(entries.map(rowOf));
  }
  expect(looked).toBeGreaterThan(50);
});

test('of the end of a ZIP the embed finds its last entries, and never any that the whole does not have', () => {
  for (const { zip } of VECTORS) {
    const bytes = bytesOf(zip);
    const { entries, directory } = lastEntries(bytes, 0);
    const all = entries.map(rowOf);
    // As far as the end record, which stands behind the directory, is whole.
    for (let from = 1; from <= directory.at + directory.length; from += 13) {
      const some = lastEntries(bytes.slice(from), from).entries.map(rowOf);
      expect(some, `from ${from} of ${bytes.length}`).toEqual(all.slice(all.length - some.length));
    }
  }
});

test('a ZIP whose end is cut is refused by the embed too', () => {
  for (const { zip } of VECTORS) {
    const bytes = bytesOf(zip);
    expect(() => lastEntries(bytes.slice(0, -1), 0)).toThrow('This is no ZIP file');
  }
});

/** A ZIP that lists one entry without bytes, with an extra field. */
function listing(name: string, extra: number[]): Uint8Array<ArrayBuffer> {
  const letters = [...Buffer.from(name)];
  const record = [0x50, 0x4b, 1, 2, ...Array<number>(24).fill(0), letters.length, 0, extra.length, 0, ...Array<number>(14).fill(0), ...letters, ...extra];
  const end = [0x50, 0x4b, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0, record.length, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  return Uint8Array.from([...record, ...end]);
}

test('an entry with another name beside its own is left to the engine, which knows which one counts', () => {
  const pathOf = (extra: number[]): string | undefined => lastEntries(listing('report.json', extra), 0).entries[0]?.path;
  expect(pathOf([])).toBe('report.json');
  expect(pathOf([0xfe, 0xca, 2, 0, 7, 7])).toBe('report.json');
  expect(pathOf([0xfe, 0xca, 2, 0, 7, 7, 0x75, 0x70, 6, 0, 1, 0, 0, 0, 0, 0x61])).toBe('');
});

test('the address of the page says how large pictures may be, and a worker is told by its name', () => {
  expect(megapixelsIn('?megapixels=400')).toBe(400);
  expect(megapixelsIn('?a=1&megapixels=250')).toBe(250);
  expect(megapixelsIn('juror-decoder megapixels=400')).toBe(400);
  for (const text of ['', '?megapixels=', '?megapixels=x', '?megapixels=12345', 'juror-decoder']) expect(megapixelsIn(text), text).toBeNull();
});
