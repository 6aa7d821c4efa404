/** A pack that is looked into: its samples and what stands behind each number, by an engine, from as few bytes as can be. */
import { filesOf, journalOf, checkPack, optionsOf, packOf, readAll, type OpenPack } from '../engine/pack';
import { mediaType } from '../engine/paths';
import { EngineError } from '../engine/errors';
import type { LeftOutFile } from '../engine/protocol';
import type { Overview } from '../engine/types/Overview';
import type { PackVerification } from '../engine/types/PackVerification';
import type { RowIncidents } from '../engine/types/RowIncidents';
import type { RowUnits } from '../engine/types/RowUnits';
import type { SampleView } from '../engine/types/SampleView';
import type { ScoreOptions } from '../engine/types/ScoreOptions';
import type { ScoreRow } from '../engine/types/ScoreRow';
import { listZip, readEntry, type ZipFile } from '../engine/zip';
import type { PictureUrls } from '../components/picture/urls';
import type { Engine, RemoteSession } from './remote';
import { reportOf, type ReportedScores } from './report';
import type { PackSource, Span } from './source';

/** What stands before an entry's bytes: 30 bytes, its name, and what a writer adds. */
const LOCAL_BYTES = 30 + 96;

/** So many of so many texts or files are read. */
export type OnProgress = (done: number, total: number) => void;

const ROW_KEY = ['model', 'judge', 'scope', 'key', 'criterion'] as const;
const keyOf = (row: ScoreRow): string => JSON.stringify(ROW_KEY.map((key) => row[key]));

/** The samples of one pack. */
export class PackLook implements PictureUrls {
  readonly overview: Overview;
  readonly #source: PackSource;
  readonly #session: RemoteSession;
  readonly #options: ScoreOptions;
  readonly #files: Map<number, ZipFile | LeftOutFile>;
  readonly #urls = new Map<number, Promise<string>>();

  private constructor(source: PackSource, session: RemoteSession, options: ScoreOptions, files: Map<number, ZipFile | LeftOutFile>, overview: Overview) {
    [this.#source, this.#session, this.#options, this.#files, this.overview] = [source, session, options, files, overview];
  }

  /** Reads everything but the pictures, for which the manifest's word is taken. */
  static async open(engine: Engine, source: PackSource, options: ScoreOptions, onProgress: OnProgress): Promise<PackLook> {
    const pack = await openPack(engine, source);
    const session = await engine.session();
    try {
      const files = await filesOf(engine.edge, pack);
      const first = await session.addPackAsStated(pack.manifest);
      const journal = await journalOf(engine.edge, pack);
      if (journal !== '') await session.addPackJournal(journal);
      await readAll(session, first, files, async (next) => {
        const { done, total } = await session.progress();
        onProgress(done, total);
        await source.readAhead(next.map(spanOf));
      });
      const numbered = new Map(files.map((file, at) => [first + at, file]));
      return new PackLook(source, session, options, numbered, await session.overview(options));
    } catch (error) {
      await session.free();
      throw error;
    }
  }

  /** The scores behind a row of the report; `null` where the replies give no such row. */
  async units(row: ScoreRow): Promise<RowUnits | null> {
    const key = keyOf(row);
    const at = this.overview.scores.findIndex((other) => keyOf(other) === key);
    return at < 0 ? null : this.#session.rowUnits(this.#options, at);
  }

  /** Incidents behind rows of the report, which does not count them itself. */
  incidents(rows: ScoreRow[]): RowIncidents[] {
    const { scores, row_incidents: found } = this.overview;
    const known = new Map(
      found.flatMap((one) => {
        const row = scores[one.row];
        return row === undefined ? [] : [[keyOf(row), one] as const];
      }),
    );
    return rows.flatMap((row, at) => {
      const of = known.get(keyOf(row));
      return of === undefined ? [] : [{ ...of, row: at }];
    });
  }

  sample(id: string): Promise<SampleView> {
    return this.#session.sample(id, this.#options);
  }

  hasUrl(file: number): boolean {
    return this.#urls.has(file);
  }

  /** An address for an `<img>`; the picture's bytes are read when it is first asked for. */
  fileUrl(file: number): Promise<string> {
    const url = this.#urls.get(file) ?? this.#picture(file).then((blob) => URL.createObjectURL(blob));
    this.#urls.set(file, url);
    url.catch(() => this.#urls.delete(file));
    return url;
  }

  forgetUrl(file: number): void {
    const url = this.#urls.get(file);
    this.#urls.delete(file);
    url?.then(
      (address) => URL.revokeObjectURL(address),
      () => undefined,
    );
  }

  /** Gives back what the engine and the browser hold of it. */
  close(): void {
    for (const file of [...this.#urls.keys()]) this.forgetUrl(file);
    void this.#session.free().catch(() => undefined);
  }

  async #picture(number: number): Promise<Blob> {
    const file = this.#files.get(number);
    if (file === undefined || 'leftOut' in file) throw new EngineError('This picture is not in the pack; the manifest has its hash and size.', 'left_out');
    await this.#source.readAhead([spanOf(file)]);
    return new Blob([await readEntry(file, null)], { type: mediaType(file.path) });
  }
}

/** What came of recomputing a pack: what differs, and the report that its replies come to. */
export interface Recomputed {
  verification: PackVerification;
  report: ReportedScores;
}

/** Recomputes a pack from its raw replies and holds every file against its hash; all of it has to be here for that. */
export async function verify(engine: Engine, source: PackSource, onProgress: OnProgress): Promise<Recomputed> {
  const session = await engine.session();
  try {
    const pack = await openPack(engine, source);
    const verification = await checkPack(engine.edge, session, pack, onProgress);
    const report = await session.report(optionsOf(pack), 'json');
    return { verification, report: reportOf(new TextDecoder().decode(report), source.name) };
  } finally {
    await session.free();
  }
}

async function openPack(engine: Engine, source: PackSource): Promise<OpenPack> {
  const pack = await packOf(engine.edge, source.name, await listZip(engine.edge, source, source.name));
  if (pack === null) throw new EngineError(`${source.name} has no manifest of an evidence pack.`, 'no_pack');
  return pack;
}

/** Where an entry lies, with what stands before its bytes. */
function spanOf({ entry }: ZipFile): Span {
  return { at: entry.at, length: LOCAL_BYTES + entry.name_bytes + entry.packed };
}
