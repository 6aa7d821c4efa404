/** Pictures that agents and generators made: in this browser's storage or in this tab alone, and among the files that are open. */
import type { Session } from '../ask';
import type { KeptFile } from '../protocol';
import type { GeneratedFile } from '../types/GeneratedFile';
import type { Engine } from './engine';

/** How often they are listed while a job makes more. */
const LISTED_EVERY_MS = 2000;

/** The generated pictures. */
export class Made {
  readonly #engine: Engine;
  /** Those that storage did not take, by content: hosts of jobs put them here. */
  readonly loose = new Map<string, Blob>();
  /** When they were listed last, and how long that took. */
  #listed = { at: 0, took: 0 };

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** One of them. */
  async picture(benchmark: string, sha256: string): Promise<Blob> {
    return (await this.#engine.kept()).picture(this.loose, benchmark, sha256);
  }

  /** Lists those that the session knows of and has no file for, as outputs of their models. */
  list(target: Session): void {
    const began = performance.now();
    const benchmark = target.benchmarkId();
    if (benchmark === null) return;
    const more = [...target.agentFiles(), ...this.#unlisted(target)].map(({ path, sha256 }): KeptFile => ({ path, size: null, sha256, benchmark }));
    if (more.length > 0) this.#engine.add(more);
    this.#listed = { at: performance.now(), took: performance.now() - began };
  }

  /** Generated outputs of models: those that are not among the open files, and those that were made again. */
  #unlisted(target: Session): GeneratedFile[] {
    const all = target.generatedFiles();
    if (all.length === 0) return all;
    const listed = new Map(this.#engine.files.flatMap((file) => ('sha256' in file ? [[file.path, file.sha256] as const] : [])));
    // A file of the user's own that is open under such a name stays.
    return all.filter(({ path, sha256, is_there: isThere }) => (isThere ? listed.has(path) && listed.get(path) !== sha256 : true));
  }

  /** The same now and then: it makes the session look at all files anew, so the longer that takes, the more rarely. */
  listRarely(target: Session): void {
    const { at, took } = this.#listed;
    if (performance.now() - at > Math.max(LISTED_EVERY_MS, 20 * took)) this.list(target);
  }

  /** A folder of the models' outputs in MultiBanana's own layout, with the records beside them. */
  async export(): Promise<Blob> {
    const session = await this.#engine.fullRead();
    const [whole, { beginZip }] = [await this.#engine.whole(), await import('../zip-writer')];
    const zip = beginZip('now');
    await whole.writeAgents(session, {
      bytes: (file) => this.#engine.loop().bytes(file),
      add: (name, data, level) => zip.add({ name, data, level }),
    });
    return zip.close();
  }

  /** A model's folder in its benchmark's own layout, with the journal next to it. */
  async exportFolder(model: string): Promise<Blob> {
    const session = await this.#engine.fullRead();
    const benchmark = session.benchmarkId() ?? '';
    const { texts, pictures } = session.generatedFolder(model);
    const { beginZip } = await import('../zip-writer');
    const zip = beginZip('now');
    for (const { path, text } of texts) await zip.add({ name: path, data: text, level: 6 });
    for (const { path, sha256 } of pictures) {
      const picture = await this.picture(benchmark, sha256);
      await zip.add({ name: path, data: new Uint8Array(await picture.arrayBuffer()), level: 0 });
    }
    return zip.close();
  }
}
