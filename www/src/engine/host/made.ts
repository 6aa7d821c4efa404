/** Pictures that agents made: in this browser's storage or in this tab alone, and among the files that are open. */
import type { Session } from '../ask';
import type { KeptFile } from '../protocol';
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

  /** Lists those that the session knows of and has no file for, as outputs of their steps' models. */
  list(target: Session): void {
    const began = performance.now();
    const benchmark = target.benchmarkId();
    if (benchmark === null) return;
    const more = target.agentFiles().map(({ path, sha256 }): KeptFile => ({ path, size: null, sha256, benchmark }));
    if (more.length > 0) this.#engine.add(more);
    this.#listed = { at: performance.now(), took: performance.now() - began };
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
}
