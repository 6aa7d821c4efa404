/** Evidence packs: written in one pass over the files, opened as a source, and checked in a session of their own. */
import type { Edge, PictureEdge, Session } from './edge';
import { EngineError, messageOf, type LeftOutFile } from './protocol';
import type { FoundEntry } from './types/FoundEntry';
import type { OpenedPack } from './types/OpenedPack';
import type { Packed } from './types/Packed';
import type { PackPictures } from './types/PackPictures';
import type { PackVerification } from './types/PackVerification';
import type { ScoreOptions } from './types/ScoreOptions';
import { readEntry, writeZip, type Piece, type ZipFile } from './zip';

const MANIFEST = 'manifest.json';
/** The longer side of a thumbnail, as on the command line. */
const THUMBNAIL_PX = 256;
/** Texts are deflated; pictures are that already. */
const TEXT_LEVEL = 6;
/** What the session asks for at once while a pack is checked. */
const BATCH = 64;

/** A pack that is open. */
export interface OpenPack {
  name: string;
  manifest: string;
  /** All its entries by their own names. */
  entries: Map<string, ZipFile>;
}

/** What writing a pack needs of the worker. */
export interface PackHost {
  session: Session;
  pictures: PictureEdge | null;
  sha256(bytes: Uint8Array): string;
  bytes(file: number): Promise<Uint8Array<ArrayBuffer>>;
  /** So many of all files are in; throws where nobody waits any more. */
  onProgress(done: number, total: number): void;
}

/** Writes a pack: files in the order of their paths, then the texts that rest on their hashes. */
export async function writePack(host: PackHost, options: ScoreOptions, pictures: PackPictures): Promise<Blob> {
  return writeZip(piecesOf(host, options, pictures), 'fixed');
}

async function* piecesOf(host: PackHost, options: ScoreOptions, pictures: PackPictures): AsyncGenerator<Piece> {
  const items = host.session.pack_items();
  const packed: Packed[] = [];
  for (const [at, { file, path, role }] of items.entries()) {
    host.onProgress(at, items.length);
    const bytes = await host.bytes(file);
    const one: Packed = { file, size: bytes.length, sha256: host.sha256(bytes), thumbnail_size: null, thumbnail_sha256: null };
    const isPicture = role === 'picture';
    if (!isPicture || pictures === 'full') {
      yield { name: path, data: bytes, level: isPicture ? 0 : TEXT_LEVEL };
    } else if (pictures === 'thumbnails') {
      const small = thumbnail(host, bytes);
      if (small !== null) {
        one.thumbnail_size = small.length;
        one.thumbnail_sha256 = host.sha256(small);
        yield { name: path, data: small };
      }
    }
    packed.push(one);
  }
  host.onProgress(items.length, items.length);
  for (const { path, text } of host.session.pack_texts(options, pictures, packed)) yield { name: path, data: text, level: TEXT_LEVEL };
}

/** One that cannot be decoded has no small form either: it is left out, and the manifest says what is wrong. */
function thumbnail({ pictures }: PackHost, bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  try {
    return pictures?.pack_thumbnail(bytes, THUMBNAIL_PX) ?? null;
  } catch {
    return null;
  }
}

/** Tells a pack from any other ZIP; refuses one of a later format. */
export async function packOf(edge: Edge, name: string, listed: ZipFile[]): Promise<OpenPack | null> {
  const entries = new Map(listed.map((file) => [file.entry.filename, file]));
  const found = entries.get(MANIFEST);
  if (found === undefined) return null;
  const manifest = new TextDecoder().decode(await readEntry(found, null));
  if (!/^\s*\{\s*"format"\s*:\s*"juror-pack\//.test(manifest)) return null;
  try {
    edge.pack_sources(manifest);
  } catch (error) {
    throw new EngineError(`${name}: ${messageOf(error)}`, 'bad_pack');
  }
  return { name, manifest, entries };
}

/** The files that a pack stands for, in the order in which the session numbers them. */
export function filesOf(edge: Edge, { manifest, entries }: OpenPack): (ZipFile | LeftOutFile)[] {
  return edge.pack_sources(manifest).map((path) => {
    const file = entries.get(path);
    return file === undefined ? { path, size: null, leftOut: true } : { ...file, path };
  });
}

/** The pack's own journal, if it has one. */
export async function journalOf(edge: Edge, pack: OpenPack): Promise<string> {
  const file = edge.pack_has_journal(pack.manifest) ? pack.entries.get('journal.jsonl') : undefined;
  return file === undefined ? '' : textOf(file);
}

async function textOf(file: ZipFile | undefined): Promise<string> {
  return file === undefined ? '' : new TextDecoder().decode(await readEntry(file, null));
}

/** Recomputes a pack from its raw replies, apart from whatever else is open. */
export async function checkPack(edge: Edge, pack: OpenPack, onProgress: (done: number, total: number) => void): Promise<PackVerification> {
  const session = new edge.Session();
  try {
    const found: FoundEntry[] = [];
    for (const [path, file] of pack.entries) {
      onProgress(found.length, pack.entries.size);
      if (path === MANIFEST) continue;
      const bytes = await readEntry(file, null);
      found.push({ path, size: bytes.length, sha256: edge.sha256(bytes) });
    }
    const first = session.add_pack(pack.manifest);
    const journal = await journalOf(edge, pack);
    if (journal !== '') session.add_pack_journal(journal);
    await readAll(session, first, filesOf(edge, pack));
    const opened: OpenedPack = {
      manifest: pack.manifest,
      report: await textOf(pack.entries.get('report.json')),
      requests: await textOf(pack.entries.get('requests.jsonl')),
      verdicts: await textOf(pack.entries.get('verdicts.jsonl')),
      entries: found,
    };
    return session.verify_pack(opened);
  } finally {
    session.free();
  }
}

async function readAll(session: Session, first: number, files: (ZipFile | LeftOutFile)[]): Promise<void> {
  for (;;) {
    const wants = session.wants(BATCH);
    if (wants.length === 0) return;
    for (const { file: number, head } of wants) {
      const file = files[number - first];
      if (file !== undefined && 'entry' in file) session.provide(number, await readEntry(file, head));
      else session.failed(number, 'The file is not in the pack.');
    }
  }
}
