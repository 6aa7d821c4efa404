/** A pack that is looked into: its samples and what stands behind each number, by an engine, from as few bytes as can be. */
import type { PackedFile } from '../engine/types/PackedFile';
import { mediaType } from '../engine/paths';
import { EngineError } from '../engine/errors';
import type { Overview } from '../engine/types/Overview';
import type { PackVerification } from '../engine/types/PackVerification';
import type { RowIncidents } from '../engine/types/RowIncidents';
import type { RowUnits } from '../engine/types/RowUnits';
import type { SampleView } from '../engine/types/SampleView';
import type { ScoreOptions } from '../engine/types/ScoreOptions';
import type { ScoreRow } from '../engine/types/ScoreRow';
import type { PictureUrls } from '../components/picture/urls';
import type { Engine, OnProgress, RemotePack, RemoteSession } from './remote';
import { reportOf, type ReportedScores } from './report';
import type { PackSource } from './source';

const ROW_KEY = ['model', 'judge', 'scope', 'key', 'criterion'] as const;
const keyOf = (row: ScoreRow): string => JSON.stringify(ROW_KEY.map((key) => row[key]));

/** The samples of one pack. */
export class PackLook implements PictureUrls {
  readonly overview: Overview;
  readonly #pack: RemotePack;
  readonly #session: RemoteSession;
  readonly #options: ScoreOptions;
  readonly #files: Map<number, PackedFile>;
  readonly #urls = new Map<number, Promise<string>>();

  private constructor(pack: RemotePack, session: RemoteSession, options: ScoreOptions, files: Map<number, PackedFile>, overview: Overview) {
    [this.#pack, this.#session, this.#options, this.#files, this.overview] = [pack, session, options, files, overview];
  }

  /** Reads everything but the pictures, for which the manifest's word is taken. */
  static async open(engine: Engine, source: PackSource, options: ScoreOptions, onProgress: OnProgress): Promise<PackLook> {
    const pack = await engine.pack(source, onProgress);
    try {
      const files = await pack.files();
      const { session, first } = await pack.look();
      const numbered = new Map(files.map((file, at) => [first + at, file]));
      return new PackLook(pack, session, options, numbered, await session.overview(options));
    } catch (error) {
      pack.close();
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
    this.#pack.close();
  }

  async #picture(number: number): Promise<Blob> {
    const file = this.#files.get(number);
    if (file === undefined || file.entry === null) throw new EngineError('This picture is not in the pack; the manifest has its hash and size.', 'left_out');
    return new Blob([await this.#pack.read(file.entry)], { type: mediaType(file.path) });
  }
}

/** What came of recomputing a pack: what differs, and the report that its replies come to. */
export interface Recomputed {
  verification: PackVerification;
  report: ReportedScores;
}

/** Recomputes a pack from its raw replies and holds every file against its hash; all of it has to be here for that. */
export async function verify(engine: Engine, source: PackSource, onProgress: OnProgress): Promise<Recomputed> {
  const pack = await engine.pack(source, onProgress);
  try {
    const { session, verification } = await pack.check();
    try {
      const report = await session.report(await pack.options(), 'json');
      return { verification, report: reportOf(new TextDecoder().decode(report), source.name) };
    } finally {
      await session.free();
    }
  } finally {
    pack.close();
  }
}
