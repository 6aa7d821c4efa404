/** Sources that are opened: files of the page, ZIPs, addresses and demo suites, each with an engine that can read it. */
import type { Recogniser, Redirects } from '../edge';
import { engine as loader } from '../loader/engine';
import type { Added, HeldFile } from '../protocol';
import type { Engine } from './engine';
import { filesOf, type Opened } from './opened';
import type { Packs } from './packs';

/** What opens them. */
export class Adding {
  readonly #engine: Engine;
  readonly #opened: Opened;
  readonly #packs: Packs;

  constructor(engine: Engine, opened: Opened, packs: Packs) {
    this.#engine = engine;
    this.#opened = opened;
    this.#packs = packs;
  }

  /** Files that the page holds. */
  async files(more: HeldFile[]): Promise<Added> {
    await this.#engine.readyFor(more);
    return { ...this.#engine.add(more), problems: [] };
  }

  async zip(blob: Blob, name: string): Promise<Added> {
    const check = this.#engine.untilClosed();
    const recogniser = await this.#recogniser();
    const zip = await (recogniser ?? (await this.#engine.whole())).Zip.list(blob, name);
    check();
    if (zip.manifest !== undefined) {
      const outline = recogniser === null ? null : await recogniser.outlineOf(zip);
      check();
      if (outline !== undefined) return this.#packs.add(blob, name, zip, outline);
    }
    const listed = filesOf(zip, name);
    await this.#engine.readyFor(listed);
    return { ...this.#engine.add(listed), problems: zip.problems() };
  }

  async zipUrl(url: string, redirects: Redirects): Promise<Added> {
    const check = this.#engine.untilClosed();
    const blob = await ((await this.#recogniser()) ?? (await this.#engine.whole())).downloaded(url, redirects);
    const name = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '') || 'archive.zip';
    check();
    return this.zip(blob, name);
  }

  /** What an engine is chosen by; `null` where the one with every question has come, or none of it could be fetched. */
  async #recogniser(): Promise<Recogniser | null> {
    return this.#engine.hasWhole ? null : this.#engine.engines.recogniser();
  }

  /** A benchmark's demo suite, or its extra, about which the views ask that only the engine with every question answers. */
  async demo(indexUrl: string, benchmark: string): Promise<Added> {
    this.#opened.isDemo = true;
    // The engine with every question may take over meanwhile.
    const check = this.#engine.untilClosed();
    if (this.#opened.files.length === 0) await this.#engine.startWith(benchmark);
    else await this.#engine.useFull();
    const packed = await loader.demo();
    if (packed !== null) {
      const zip = await (await this.#engine.whole()).Zip.list(packed, 'demo');
      check();
      return { ...this.#engine.add(filesOf(zip, 'demo')), problems: zip.problems() };
    }
    const [listed, contents] = await this.#engine.edge(this.#engine.generation).demoFiles(indexUrl);
    check();
    this.#opened.hold(listed, contents);
    return { ...this.#engine.add(listed), problems: [] };
  }
}
