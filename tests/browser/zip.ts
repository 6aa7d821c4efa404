/** ZIP files written byte by byte, so that names and sizes can lie: the library that the page reads with would not write such ones. */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

/** One entry; what it declares can differ from what it holds. */
export interface Entry {
  name: string;
  data: Uint8Array | string;
  /** Uncompressed size to declare instead of the true one. */
  declares?: number;
  /** Not compressed. */
  stored?: boolean;
  /** The name's bytes, where they are not the name in UTF-8. */
  rawName?: Uint8Array;
  /** Flags; that names are UTF-8 if not given. */
  flags?: number;
  /** Sizes and checksum stand behind the bytes, as programs write them that cannot go back. */
  descriptor?: boolean;
  /** Another name in a field of its own, as programs write it that know no UTF-8 names. */
  unicodePath?: string;
}

/** How a ZIP is laid out. */
export interface Layout {
  /** With sizes and places of 64 bits. */
  zip64?: boolean;
  /** Bytes before the first entry, which no place counts. */
  prefix?: Uint8Array;
}

/** A number of 16, 32 and 64 bits as ZIPs have it. */
const u16 = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8]);
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
/** A field of an entry. */
const extra = (id: number, ...parts: Buffer[]): Buffer => {
  const data = Buffer.concat(parts);
  return Buffer.concat([u16(id), u16(data.length), data]);
};
const sign = (letters: string): Buffer => Buffer.from(`PK${letters}`, 'latin1');
/** In the place of a number that stands in a field of 64 bits. */
const ELSEWHERE = 0xffffffff;

/** A ZIP of these entries, deflated unless they are to be stored. */
export function zipOf(entries: Entry[], { zip64 = false, prefix = new Uint8Array() }: Layout = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, declares, stored = false, rawName, flags = 0x0800, descriptor = false, unicodePath } of entries) {
    const bytes = Buffer.from(data);
    const packed = stored ? bytes : deflateRawSync(bytes, { level: 9 });
    const nameBytes = Buffer.from(rawName ?? Buffer.from(name, 'utf8'));
    const sizes = [packed.length, declares ?? bytes.length] as const;
    const path = unicodePath === undefined ? [] : [extra(0x7075, Buffer.from([1]), u32(crc32(nameBytes)), Buffer.from(unicodePath))];
    // Version, flags, method, 1980-01-01.
    const head = [u16(zip64 ? 45 : 20), u16(descriptor ? flags | 8 : flags), u16(stored ? 0 : 8), u16(0), u16(0x21)];
    const header = (start: Buffer, [check, ...own]: [number, number, number], fields: Buffer, middle: Buffer[] = []): Buffer => {
      const extras = Buffer.concat([fields, ...path]);
      return Buffer.concat([start, ...head, u32(check), ...own.map(u32), u16(nameBytes.length), u16(extras.length), ...middle, nameBytes, extras]);
    };
    const check = crc32(bytes);
    const shown: [number, number, number] = zip64 ? [check, ELSEWHERE, ELSEWHERE] : [check, ...sizes];
    const inField = zip64 ? extra(1, u64(sizes[1]), u64(sizes[0])) : Buffer.alloc(0);
    const local = Buffer.concat([
      header(sign('\x03\x04'), descriptor ? [0, 0, 0] : shown, descriptor ? Buffer.alloc(0) : inField),
      packed,
      ...(descriptor ? [sign('\x07\x08'), u32(check), ...sizes.map(zip64 ? u64 : u32)] : []),
    ]);
    const listed = zip64 ? extra(1, u64(sizes[1]), u64(sizes[0]), u64(offset)) : inField;
    // No comment, the first disk, no attributes, the place.
    const middle = [u16(0), u16(0), u16(0), u32(0), u32(zip64 ? ELSEWHERE : offset)];
    directory.push(header(Buffer.concat([sign('\x01\x02'), u16(20)]), shown, listed, middle));
    locals.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const count = entries.length;
  const end64 = [sign('\x06\x06'), u64(44), u16(45), u16(45), u32(0), u32(0), u64(count), u64(count), u64(list.length), u64(offset)];
  const locator = [sign('\x06\x07'), u32(0), u64(offset + list.length), u32(1)];
  const counted = zip64 ? 0xffff : count;
  const places = zip64 ? [u32(ELSEWHERE), u32(ELSEWHERE)] : [u32(list.length), u32(offset)];
  return Buffer.concat([
    prefix,
    ...locals,
    list,
    ...(zip64 ? [...end64, ...locator] : []),
    sign('\x05\x06'),
    u32(0),
    u16(counted),
    u16(counted),
    ...places,
    u16(0),
  ]);
}

/** The entries of a sound ZIP. */
export function unzip(zip: Buffer): Entry[] {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const entries: Entry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, packed, name, extra, comment, local] = [
      zip.readUInt16LE(at + 10),
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
      zip.readUInt32LE(at + 42),
    ];
    const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(data, data + packed);
    entries.push({ name: zip.toString('utf8', at + 46, at + 46 + name), data: method === 0 ? bytes : inflateRawSync(bytes) });
    at += 46 + name + extra + comment;
  }
  return entries;
}
