/** Evidence packs: opened, written, checked and compared, through the engine with every question. */
import { columnsOf } from '../columns';
import { readingPage } from '../decode/reading';
import type { Zip } from '../edge';
import { EngineError } from '../errors';
import { engine as loader } from '../loader/engine';
import type { Added, LeftOutFile, PackFile, ZipFile } from '../protocol';
import type { PackBeside } from '../types/PackBeside';
import type { PackCheck } from '../types/PackCheck';
import type { PackedFile } from '../types/PackedFile';
import type { PackOutline } from '../types/PackOutline';
import type { PackPictures } from '../types/PackPictures';
import type { ScoreOptions } from '../types/ScoreOptions';
import type { Engine } from './engine';
import { filesOf, type Opened, type OpenPack } from './opened';
import type { Page } from './page';
import { decoders } from './decoding';

/** What is done with packs. */
export class Packs {
  readonly #page: Page;
  readonly #engine: Engine;
  readonly #opened: Opened;

  constructor(page: Page, engine: Engine, opened: Opened) {
    this.#page = page;
    this.#engine = engine;
    this.#opened = opened;
  }

  /** Adds one, as it was outlined; without an outline a ZIP that may be one. */
  async add(blob: Blob, name: string, zip: Zip, outline: PackOutline | null): Promise<Added> {
    const { benchmark, files: plain } = outline ?? { benchmark: null, files: null };
    const mine = await this.#engine.readyForPack(benchmark, plain === null ? 'full' : 'first');
    if (outline === null || plain === null || this.#engine.isFull) return this.#addWhole(blob, name, mine);
    const files = packedFiles(plain.files, zip, name);
    const added = this.#engine.add(files, mine);
    this.#opened.addPack({ name, blob, manifest: outline.manifest, first: this.#opened.files.length - files.length, count: files.length });
    return { ...added, problems: zip.problems(), pack: 'added', options: plain.options };
  }

  /** Adds what an engine with every question makes of it. */
  async #addWhole(blob: Blob, name: string, mine: number): Promise<Added> {
    const whole = await this.#engine.whole();
    const zip = await whole.Zip.list(blob, name);
    const pack = await whole.Pack.open(zip);
    this.#engine.mustBe(mine);
    const problems = zip.problems();
    if (pack === undefined) return { ...this.#engine.add(filesOf(zip, name), mine), problems };
    const { manifest, size } = pack;
    const isApart = pack.standsApart(this.#opened.packs.flatMap((other) => (other.first === null ? [] : [other.manifest])));
    if (isApart) {
      this.#opened.addPack({ name, blob, manifest, first: null, count: 0 });
      return { files: size, problems, replaced: { files: 0, some: [] }, pack: 'apart' };
    }
    const journal = await pack.journal();
    const held = packedFiles(pack.files(), zip, name);
    let first = 0;
    const added = this.#engine.add(held, mine, () => {
      first = this.#engine.open().addPack(manifest);
      this.#engine.loop().take(columnsOf(held));
      return first;
    });
    if (journal !== '') this.#engine.open().addPackJournal(journal);
    this.#opened.addPack({ name, blob, manifest, first, count: held.length });
    return { ...added, problems, pack: 'added', options: pack.options() };
  }

  /** The files that a pack of what is open would hold. */
  async files(): Promise<PackFile[]> {
    const session = await this.#engine.fullRead();
    // A thumbnail is not the picture that was judged: packed anew, it would stand under its own hash.
    if (this.#opened.packs.some(({ manifest, first }) => first !== null && !manifest.includes('"pictures": "full"'))) {
      throw new EngineError(
        'What is open is an evidence pack without its pictures. Open the folders that it was made of to write another one.',
        'partial_pack',
      );
    }
    return session.packItems().map((item) => {
      const file = this.#opened.at(item.file);
      return { ...item, size: item.size ?? file.size, held: 'held' in file ? file.held : null };
    });
  }

  /** Writes one; tells how far it is. */
  async write(options: ScoreOptions, pictures: PackPictures): Promise<Blob> {
    const session = await this.#engine.fullRead();
    const mine = this.#engine.generation;
    const [whole, { beginZip }] = [await this.#engine.whole(), await import('../zip-writer')];
    const small = pictures === 'thumbnails' ? await loader.pictures() : null;
    const zip = beginZip('fixed');
    await whole.writePack(session, options, pictures, {
      bytes: (file) => this.#engine.loop().bytes(file),
      async thumbnail(picture, mostPx) {
        try {
          return await Promise.resolve(small?.pack_thumbnail(picture, mostPx));
        } catch {
          return undefined;
        }
      },
      add: (name, data, level) => zip.add({ name, data, level }),
      onProgress: (done, total) => {
        this.#engine.mustBe(mine);
        this.#page.post({ event: 'pack', done, total });
      },
    });
    const blob = await zip.close();
    this.#page.tellChanged(this.#engine.open());
    return blob;
  }

  /** Recomputes those that are open. */
  async check(): Promise<PackCheck[]> {
    const checks: PackCheck[] = [];
    for (const pack of this.#opened.packs) checks.push(await this.#checked(pack));
    return checks;
  }

  async #checked({ name, blob }: OpenPack): Promise<PackCheck> {
    const page = readingPage(decoders, (done, total) => this.#page.post({ event: 'pack', done, total }));
    const checked = await (await this.#engine.whole()).checkPack(blob, name, page);
    return checked ?? { name, problem: 'No engine knows its benchmark.' };
  }

  /** Compares the first one that is open with each of the others. */
  async compare(): Promise<PackBeside[]> {
    const { packs } = this.#opened;
    return (await this.#engine.whole()).comparePacks(
      packs.map(({ blob }) => blob),
      packs.map(({ name }) => name),
    );
  }
}

/** The files that a pack stands for, in the order in which the session numbers them. */
function packedFiles(files: readonly PackedFile[], zip: ZipFile['from'], name: string): (ZipFile | LeftOutFile)[] {
  return files.map(({ path, size, crc32, entry }) => {
    if (size === null || crc32 === null || entry === null) return { path, size: null, leftOut: true };
    return { path, size, crc32, zip: name, entry, from: zip };
  });
}
