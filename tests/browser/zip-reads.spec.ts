/** What the viewer for other pages reads without an engine: one entry of a ZIP, by the browser's own inflating. */
import { expect, test } from '../../www/node_modules/@playwright/test';
import { lastEntries } from '../../www/src/embed/directory';
import { readEntry, type ZipFile } from '../../www/src/embed/entry';
import { zipOf, type Entry } from './zip';

/** The files of a ZIP. */
function opened(entries: Entry[]): ZipFile[] {
  const zip = new Uint8Array(zipOf(entries));
  const from = { read: (at: number, length: number) => Promise.resolve(zip.slice(at, at + length)) };
  return lastEntries(zip, 0).entries.map((entry) => ({ size: entry.size, entry, from }));
}

test('entries that lie about their size or are damaged are named, and no more than they declare is inflated', async () => {
  const large = Buffer.alloc(3_000_000, 7);
  const files = opened([
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
