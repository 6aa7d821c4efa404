/** Lists of files as they cross to the engine: in columns, as tens of thousands of objects take longer to read than their names do. */

/** A file as whoever opened it lists it. */
export interface Listed {
  path: string;
  /** In bytes; `null` where that is not known before the file is read. */
  size: number | null;
  /** Its number on the page, which holds it. */
  held?: number;
  /** Its address. */
  url?: string;
  /** The ZIP that it lies in; the files of one follow each other. */
  zip?: string;
}

/** The same in columns, one entry for each file. */
export interface FileColumns {
  /** Paths, with a NUL between two. */
  paths: string;
  /** Sizes; below 0 where one is not known. */
  sizes: Float64Array;
  /** Numbers on the page, `NOT_HELD` for what it does not hold. */
  held: Uint32Array;
  /** Where the others lie; one that is not named is kept by this browser. */
  elsewhere: { zips: { name: string; first: number; files: number }[]; addresses: { file: number; url: string }[] };
}

const NOT_HELD = 0xffffffff;

export function columnsOf(files: readonly Listed[]): FileColumns {
  const elsewhere: FileColumns['elsewhere'] = { zips: [], addresses: [] };
  for (const [at, { zip, url }] of files.entries()) {
    if (url !== undefined) elsewhere.addresses.push({ file: at, url });
    if (zip === undefined) continue;
    const last = elsewhere.zips.at(-1);
    if (last?.name === zip && last.first + last.files === at) last.files += 1;
    else elsewhere.zips.push({ name: zip, first: at, files: 1 });
  }
  return {
    // No name holds a NUL but one that was made to.
    paths: files.map(({ path }) => path.replaceAll('\0', '\ufffd')).join('\0'),
    sizes: Float64Array.from(files, ({ size }) => size ?? -1),
    held: Uint32Array.from(files, ({ held }) => held ?? NOT_HELD),
    elsewhere,
  };
}
