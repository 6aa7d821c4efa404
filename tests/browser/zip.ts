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
}

/** A ZIP of these entries, deflated unless they are to be stored. */
export function zipOf(entries: Entry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, declares, stored = false, rawName, flags = 0x0800 } of entries) {
    const bytes = Buffer.from(data);
    const packed = stored ? bytes : deflateRawSync(bytes, { level: 9 });
    const nameBytes = Buffer.from(rawName ?? Buffer.from(name, 'utf8'));
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0); // version needed
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(stored ? 0 : 8, 4); // deflate
    fields.writeUInt16LE(0x21, 8); // 1980-01-01
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(declares ?? bytes.length, 18);
    fields.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, nameBytes, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, tail, nameBytes]));
    locals.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, list, Buffer.from('PK\x05\x06', 'latin1'), end]);
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
