/** Evidence packs: written in one pass over the files, opened as a source, and checked in a session of their own. */
import type { Session } from './ask';
import type { Edge, PictureEdge } from './edge';
import { EngineError, messageOf } from './errors';
import type { LeftOutFile } from './protocol';
import type { FoundEntry } from './types/FoundEntry';
import type { OpenedPack } from './types/OpenedPack';
import type { Packed } from './types/Packed';
import type { PackComparison } from './types/PackComparison';
import type { PackPictures } from './types/PackPictures';
import type { PackVerification } from './types/PackVerification';
import type { Policy } from './types/Policy';
import type { Profile } from './types/Profile';
import type { ScoreOptions } from './types/ScoreOptions';
import { readEntry, type Listed, type ZipFile } from './zip';
import { writeZip, type Piece } from './zip-writer';

const MANIFEST = 'manifest.json';
/** The longer side of a thumbnail, as on the command line. */
const THUMBNAIL_PX = 256;
/** Texts are deflated; pictures are that already. */
const TEXT_LEVEL = 6;
/** What the session asks for at once while a pack is checked. */
const BATCH = 256;

/** A pack that is open. */
export interface OpenPack {
  name: string;
  manifest: string;
  /** All its entries by the names that the manifest has. */
  entries: Map<string, ZipFile>;
  /** How many names are written in other Unicode characters in the ZIP. */
  renamed: number;
  /** It is open already or has other versions of files that are, so it can only be compared with them. */
  isApart?: true;
}

/** Methods of an engine that may be in another thread, and then answers later. */
export type Eventual<Of> = { [Name in keyof Of]: Of[Name] extends (...args: infer Args) => infer Result ? (...args: Args) => Result | Promise<Result> : never };

/** What opening a pack needs of an engine. */
export type PackEdge = Eventual<Pick<Edge, 'pack_sources' | 'pack_has_journal' | 'settle_names' | 'sha256'>>;

/** What reading a pack needs of a session. */
export type ReadingSession = Eventual<Pick<Session, 'wants' | 'provide' | 'provide_decoded' | 'failed'>>;

/** What checking a pack needs of a session. */
export type CheckingSession = ReadingSession & Eventual<Pick<Session, 'addPack' | 'addPackJournal' | 'verifyPack'>>;

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
  const items = host.session.packItems();
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
  for (const { path, text } of host.session.packTexts(options, pictures, packed)) yield { name: path, data: text, level: TEXT_LEVEL };
}

/** One that cannot be decoded has no small form either: it is left out, and the manifest says what is wrong. */
function thumbnail({ pictures }: PackHost, bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  try {
    return pictures?.pack_thumbnail(bytes, THUMBNAIL_PX) ?? null;
  } catch {
    return null;
  }
}

/** Tells a pack from any other ZIP; refuses one of a later format, and one with entries that are refused. */
export async function packOf(edge: PackEdge, name: string, { files, problems, pack: folder }: Listed): Promise<OpenPack | null> {
  if (folder === null) return null;
  const all = files.filter(({ entry }) => !entry.is_leftover);
  const found = all.find(({ entry }) => entry.path === folder + MANIFEST);
  if (found === undefined) return null;
  const manifest = await textOf(found);
  if (!/^\s*\{\s*"format"\s*:\s*"juror-pack\//.test(manifest)) return null;
  const [refused] = problems;
  if (refused !== undefined) throw new EngineError(`${refused.path}: ${refused.message}`, 'bad_pack');
  try {
    const { paths, renamed } = await edge.settle_names(
      manifest,
      all.map(({ entry }) => entry.path.slice(folder.length)),
    );
    const entries = new Map(paths.flatMap((path, at) => (all[at] === undefined ? [] : [[path, all[at]]])));
    return { name, manifest, entries, renamed };
  } catch (error) {
    throw new EngineError(`${name}: ${messageOf(error)}`, 'bad_pack');
  }
}

/** Whether a pack cannot stand among those that are open: it is one of them, or has other versions of their files. */
export function standsApart(edge: Edge, { manifest }: OpenPack, open: readonly OpenPack[]): boolean {
  return open.some((other) => other.isApart !== true && (other.manifest === manifest || edge.pack_conflicts(other.manifest, manifest).length > 0));
}

/** The choices that a pack's scores rest on; a policy that is the profile's own is none. */
export function optionsOf({ manifest }: OpenPack): ScoreOptions {
  const {
    profile,
    policy,
    only_judge = null,
    only_run = null,
  } = JSON.parse(manifest) as { profile: Profile; policy: Policy; only_judge?: string; only_run?: number };
  const usual: Policy = profile === 'paper' ? 'zero' : 'upstream';
  return { profile, policy: policy === usual ? null : policy, judge: only_judge, run: only_run };
}

/** The files that a pack stands for, in the order in which the session numbers them. */
export async function filesOf(edge: PackEdge, { manifest, entries }: OpenPack): Promise<(ZipFile | LeftOutFile)[]> {
  return (await edge.pack_sources(manifest)).map((path) => {
    const file = entries.get(path);
    return file === undefined ? { path, size: null, leftOut: true } : { ...file, path };
  });
}

/** The pack's own journal, if it has one. */
export async function journalOf(edge: PackEdge, pack: OpenPack): Promise<string> {
  const file = (await edge.pack_has_journal(pack.manifest)) ? pack.entries.get('journal.jsonl') : undefined;
  return file === undefined ? '' : textOf(file);
}

async function textOf(file: ZipFile | undefined): Promise<string> {
  if (file === undefined) return '';
  try {
    // A byte order mark is part of what is checked.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readEntry(file, null));
  } catch (error) {
    throw error instanceof EngineError ? error : new EngineError(`${file.entry.path} is not UTF-8.`, 'bad_pack');
  }
}

/** What a pack states, with what was found in it. */
async function openedPack({ manifest, entries, renamed }: OpenPack, found: FoundEntry[]): Promise<OpenedPack> {
  return {
    manifest,
    report: await textOf(entries.get('report.json')),
    requests: await textOf(entries.get('requests.jsonl')),
    verdicts: await textOf(entries.get('verdicts.jsonl')),
    entries: found,
    renamed,
  };
}

/** Compares two packs by what they state. */
export async function comparePacks(edge: Edge, first: OpenPack, second: OpenPack): Promise<PackComparison> {
  return edge.compare_packs(await openedPack(first, []), await openedPack(second, []));
}

/** Recomputes a pack from its raw replies in a session of its own, which is the caller's to free. */
export async function checkPack(
  edge: PackEdge,
  session: CheckingSession,
  pack: OpenPack,
  onProgress: (done: number, total: number) => void,
  decoders?: Decoders,
): Promise<PackVerification> {
  const found: FoundEntry[] = [];
  for (const [path, file] of pack.entries) {
    onProgress(found.length, pack.entries.size);
    if (path === MANIFEST) continue;
    const bytes = await readEntry(file, null);
    found.push({ path, size: bytes.length, sha256: await edge.sha256(bytes) });
  }
  const first = await session.addPack(pack.manifest);
  const journal = await journalOf(edge, pack);
  if (journal !== '') await session.addPackJournal(journal);
  await readAll(session, first, await filesOf(edge, pack), undefined, decoders);
  return session.verifyPack(await openedPack(pack, found));
}

/** What decodes pictures, fetched when the first one is to be; where there is none, the manifest's word stands. */
export type Decoders = () => Promise<Pick<PictureEdge, 'check'> | null>;

/** Reads what a session wants; `ahead` is told of the entries that come next. */
export async function readAll(
  session: ReadingSession,
  first: number,
  files: (ZipFile | LeftOutFile)[],
  ahead?: (next: ZipFile[]) => Promise<void>,
  decoders?: Decoders,
): Promise<void> {
  const fileOf = (number: number): ZipFile | null => {
    const file = files[number - first];
    return file !== undefined && 'entry' in file ? file : null;
  };
  for (;;) {
    const wants = await session.wants(BATCH);
    if (wants.length === 0) return;
    await ahead?.(wants.flatMap(({ file }) => fileOf(file) ?? []));
    for (const { file: number, head, phase } of wants) {
      const file = fileOf(number);
      const pictures = phase === 'decoding' ? ((await decoders?.()) ?? null) : null;
      if (file !== null && pictures !== null) {
        const wrong = pictures.check(await readEntry(file, null));
        await session.provide_decoded(number, wrong?.message, wrong?.hint);
      } else if (file !== null) await session.provide(number, await readEntry(file, head));
      else await session.failed(number, 'The file is not in the pack.');
    }
  }
}
