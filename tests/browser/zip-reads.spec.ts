/** The page's reader of ZIP files by itself: how often it asks the file, and what it makes of entries that lie. */
import { randomBytes } from 'node:crypto';
import { expect, test } from '../../www/node_modules/@playwright/test';
import { lastEntries } from '../../www/src/embed/directory';
import { BlobBytes, readEntry, type ZipFile } from '../../www/src/engine/zip';
import { zipOf, type Entry } from './zip';

/** The files of a ZIP, and how often parts of it were asked for. */
function opened(entries: Entry[]): { files: ZipFile[]; asked: () => number } {
  const zip = zipOf(entries);
  const blob = new Blob([new Uint8Array(zip)]);
  const slice = blob.slice.bind(blob);
  let slices = 0;
  blob.slice = (...args) => {
    slices += 1;
    return slice(...args);
  };
  const from = new BlobBytes(blob);
  const listed = lastEntries(new Uint8Array(zip), 0).entries;
  return { files: listed.map((entry) => ({ path: entry.path, size: entry.size, entry, from })), asked: () => slices };
}

test('small entries are read many at once: twice as many ask the file twice as often at most, and seldom', async () => {
  const asked = async (count: number): Promise<number> => {
    const entries = Array.from({ length: count }, (_, at) => ({ name: `data/${at}.png`, data: randomBytes(2000), stored: at % 2 === 0 }));
    const zip = opened(entries);
    for (const [at, file] of zip.files.entries()) expect(Buffer.from(await readEntry(file, null)).equals(entries[at]?.data ?? Buffer.of())).toBe(true);
    return zip.asked();
  };
  const [some, twice] = [await asked(1000), await asked(2000)];
  expect(some).toBeLessThan(1000 / 50);
  expect(twice).toBeLessThan(3 * some);
});

test('entries that lie about their size or are damaged are named, and no more than they declare is inflated', async () => {
  const large = Buffer.alloc(3_000_000, 7);
  const { files } = opened([
    { name: 'whole.bin', data: large },
    { name: 'more.bin', data: 'xxxxx', declares: 3 },
    { name: 'less.bin', data: 'xxxxx', declares: 9 },
  ]);
  const [whole, more, less] = files;
  if (whole === undefined || more === undefined || less === undefined) throw new Error('three entries');
  expect(Buffer.from(await readEntry(whole, null)).equals(large)).toBe(true);
  expect(await readEntry(whole, 5000)).toHaveLength(5000);
  await expect(readEntry(more, null)).rejects.toThrow('The entry “more.bin” is damaged: it inflates to more than it declares.');
  await expect(readEntry(less, null)).rejects.toThrow('The entry “less.bin” is damaged: it ends after 5 of 9 bytes.');
  await expect(readEntry({ ...whole, entry: { ...whole.entry, crc32: 1 } }, null)).rejects.toThrow('its bytes do not fit its checksum');
  await expect(readEntry({ ...whole, entry: { ...whole.entry, at: 4 } }, null)).rejects.toThrow('it does not begin where the ZIP’s list says');
});
