/**
 * VIBE's items that a person draws over pictures: marks and pictures are kept in this browser, each step on disk before it is shown.
 *
 * Rules, names and files are Rust's: the same files of marks give the files of `juror make annotate` to the byte.
 */
import { MAKING, change, everyOf } from '../database';
import { EngineError, messageOf } from '../errors';
import { maker as loader } from '../loader/maker';
import { mediaType } from '../paths';
import type { AnnotationAbout } from '../types/AnnotationAbout';
import type { AnnotationPending } from '../types/AnnotationPending';
import type { AnnotationSeen } from '../types/AnnotationSeen';
import type { Mark } from '../types/Mark';
import type { MarkFile } from '../types/MarkFile';
import type { MarkStyle } from '../types/MarkStyle';
import type { MarkTask } from '../types/MarkTask';
import type { MarkTool } from '../types/MarkTool';
import type { MakeEdge } from './edge';
import { ANNOTATED } from './project';

/** What is kept under a path. */
interface Kept {
  path: string;
  bytes: ArrayBuffer;
}

/** An item, and what its marks come to. */
export interface Annotated {
  /** Where it is kept. */
  path: string;
  marks: MarkFile;
  seen: AnnotationSeen;
  /** Its marks before each change since it is shown. */
  before: Mark[][];
}

/** What of an item is changed; no line for the usual width. */
type Changes = Partial<Omit<MarkFile, 'id' | 'source' | 'format' | 'line' | 'marks'>> & { line?: number | null };

const ITEMS = `${ANNOTATED}item/`;
const PICTURES = `${ANNOTATED}picture/`;
/** The folder in the ZIP; below it are the files of the command line. */
const FOLDER = 'made/';
const encoder = new TextEncoder();
const isMarks = ({ name }: File): boolean => /\.json$/i.test(name);

/** All items of this browser. Tells by `change`. */
class Annotating extends EventTarget {
  about: AnnotationAbout | null = null;
  items: Annotated[] = [];
  /** Items that are kept in this browser and cannot be read, with the reason. */
  unread: { path: string; problem: string }[] = [];
  /** Which item is shown. */
  at = 0;
  #edge: MakeEdge | null = null;
  #pictures = new Map<string, Blob>();
  #steps: Promise<void> = Promise.resolve();

  /** Reads what is kept, once. */
  async load(): Promise<void> {
    if (this.#edge !== null) return;
    const edge = await loader.edge();
    if (edge === null) return;
    this.#edge = edge;
    for (const { path, bytes } of await everyOf<Kept>(MAKING)) {
      if (path.startsWith(PICTURES)) this.#pictures.set(path.slice(PICTURES.length), new Blob([bytes]));
      if (path.startsWith(ITEMS)) this.#recall(path, new TextDecoder().decode(bytes));
    }
    this.about = JSON.parse(edge.annotation_about()) as AnnotationAbout;
    this.#tell();
  }

  /** An item that cannot be read stays where it is kept, and the others are shown. */
  #recall(path: string, text: string): void {
    try {
      this.items.push(this.#item(path, text));
    } catch (error) {
      this.unread.push({ path, problem: messageOf(error) });
    }
  }

  get item(): Annotated | undefined {
    return this.items[this.at];
  }

  /** The picture of an item. */
  picture({ marks }: Annotated): Blob | undefined {
    const { sha256, path } = marks.source;
    const kept = this.#pictures.get(sha256);
    return kept === undefined ? undefined : new Blob([kept], { type: mediaType(path) });
  }

  show(at: number): void {
    this.at = at;
    this.#tell();
  }

  /** Takes pictures in as new items, and files of marks with their pictures. */
  async add(files: readonly File[]): Promise<void> {
    const edge = this.#ready();
    const { task = 'AD', style = 'real-world' } = this.item?.marks ?? {};
    const opened: MarkFile[] = [];
    for (const file of files.filter(isMarks)) opened.push(JSON.parse(edge.annotation_read(file.name, await file.text())) as MarkFile);
    for (const file of files.filter((one) => !isMarks(one))) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const begun = this.#begun(edge, file.name, bytes, task, style);
      const { sha256 } = begun.source;
      await this.#keep([{ path: PICTURES + sha256, bytes: bytes.buffer }]);
      this.#pictures.set(sha256, new Blob([bytes]));
      if (!opened.some(({ source }) => source.sha256 === sha256)) await this.#put(begun);
    }
    for (const marks of opened) {
      if (!this.#pictures.has(marks.source.sha256))
        throw new EngineError(`${marks.task}_${marks.id}.json: its picture ${marks.source.path} is not among the files; choose both together.`, 'make');
      await this.#put(marks);
    }
  }

  /** Another item on the picture that is shown. */
  async again(): Promise<void> {
    const { item } = this;
    if (item === undefined) return;
    const { task, style, source } = item.marks;
    const id = this.#ready().annotation_id(JSON.stringify(style), this.#ids(task));
    await this.#put({ ...item.marks, id, source, text: '', marks: [], differs: false, reviews: [] });
  }

  /** Changes the item that is shown; a new task or style gives it a new id. */
  change({ line, ...part }: Changes): Promise<void> {
    return this.#inTurn(async () => {
      const { item } = this;
      if (item === undefined) return;
      const marks: MarkFile = { ...item.marks, ...part };
      if (line === null) delete marks.line;
      else if (line !== undefined) marks.line = line;
      if (marks.task !== item.marks.task || marks.style !== item.marks.style)
        marks.id = this.#ready().annotation_id(JSON.stringify(marks.style), this.#ids(marks.task, item));
      await this.#keepItem(item, marks);
    });
  }

  /** Draws a mark more. */
  addMark(mark: Mark): Promise<void> {
    return this.#changeMarks((marks) => [...marks, mark]);
  }

  /** Takes a mark away. */
  deleteMark(at: number): Promise<void> {
    return this.#changeMarks((marks) => marks.filter((_, index) => index !== at));
  }

  /** What is made of the marks is decided in turn: two that are drawn at once are both there. */
  #changeMarks(made: (marks: readonly Mark[]) => Mark[]): Promise<void> {
    const { item } = this;
    return this.#inTurn(async () => {
      if (item === undefined || !this.items.includes(item)) return;
      const before = item.marks.marks;
      item.before.push(before);
      try {
        await this.#keepItem(item, { ...item.marks, marks: made(before) });
      } catch (error) {
        item.before.pop();
        throw error;
      }
    });
  }

  /** Takes the last change of the marks back. */
  undo(): Promise<void> {
    return this.#inTurn(async () => {
      const { item } = this;
      const marks = item?.before.pop();
      if (item !== undefined && marks !== undefined) await this.#keepItem(item, { ...item.marks, marks });
    });
  }

  /** Forgets the item that is shown, all that can be read, or all that cannot, and the pictures that no item has. */
  async remove(which: 'shown' | 'all' | 'unread'): Promise<void> {
    const gone = which === 'unread' ? [] : which === 'all' ? this.items : this.items.filter((item) => item === this.item);
    const unread = which === 'unread' ? this.unread : [];
    this.items = this.items.filter((item) => !gone.includes(item));
    this.unread = this.unread.filter((one) => !unread.includes(one));
    // Which picture belongs to an item that cannot be read is not known.
    const kept = this.unread.length > 0 ? [] : [...this.#pictures.keys()];
    const lost = kept.filter((hash) => !this.items.some(({ marks }) => marks.source.sha256 === hash));
    await change(MAKING, (store) => {
      for (const path of [...[...gone, ...unread].map((one) => one.path), ...lost.map((hash) => PICTURES + hash)]) store.delete(path);
    });
    for (const hash of lost) this.#pictures.delete(hash);
    this.at = Math.max(0, Math.min(this.at, this.items.length - 1));
    this.#tell();
  }

  /** What the points of a mark come to. */
  drawn(tool: MarkTool, points: [number, number][]): AnnotationPending {
    const { width = 1, height = 1 } = this.item?.marks.source ?? {};
    return JSON.parse(this.#ready().annotation_drawn(JSON.stringify({ tool, points, size: [width, height] }))) as AnnotationPending;
  }

  /** How many items have no fault. */
  get numGood(): number {
    return this.items.filter(({ seen }) => seen.faults.length === 0).length;
  }

  /** The benchmark's files, as `juror make annotate` writes them. */
  async zip(): Promise<Blob> {
    const { Annotations } = this.#ready();
    const { beginZip } = await import('../zip-writer');
    const zip = beginZip('fixed');
    const files = this.items.map(({ seen }) => seen.file);
    const annotations = new Annotations(
      files.map(([name]) => name),
      files.map(([, text]) => text),
    );
    const written = new Set<string>();
    try {
      for (let at = 0; at < annotations.count(); at += 1) {
        const item = this.items.find(({ seen }) => seen.file[0] === annotations.wanted(at));
        const picture = item === undefined ? undefined : this.picture(item);
        // The page draws between items: a layer of a large picture takes a while.
        await new Promise((resolve) => setTimeout(resolve));
        for (const [path, data] of annotations.pictures(at, new Uint8Array(await (picture ?? new Blob()).arrayBuffer()))) {
          if (!written.has(path)) await zip.add({ name: FOLDER + path, data });
          written.add(path);
        }
      }
      for (const [path, data] of annotations.lists()) await zip.add({ name: FOLDER + path, data });
    } finally {
      annotations.free();
    }
    return zip.close();
  }

  /** The files of marks with their pictures, for `juror make annotate` and for another browser. */
  async marksZip(): Promise<Blob> {
    const { beginZip } = await import('../zip-writer');
    const zip = beginZip('fixed');
    const written = new Set<string>();
    for (const item of this.items) {
      const [name, text] = item.seen.file;
      await zip.add({ name: `marks/${name}`, data: text });
      const { path } = item.marks.source;
      if (!written.has(path)) await zip.add({ name: `marks/${path}`, data: this.picture(item) ?? new Blob() });
      written.add(path);
    }
    return zip.close();
  }

  #begun(edge: MakeEdge, name: string, bytes: Uint8Array, task: MarkTask, style: MarkStyle): MarkFile {
    const begun = (names: string[]): MarkFile =>
      JSON.parse(edge.annotation_begun(JSON.stringify({ name, task, style, ids: this.#ids(task), names }), bytes)) as MarkFile;
    const { sha256 } = begun([]).source;
    const others = this.items.filter(({ marks }) => marks.source.sha256 !== sha256);
    return begun(others.map(({ marks }) => marks.source.path));
  }

  /** Ids of a task's items. */
  #ids(task: MarkTask, but?: Annotated): string[] {
    return this.items.filter((item) => item !== but && item.marks.task === task).map(({ marks }) => marks.id);
  }

  #item(path: string, text: string): Annotated {
    const seen = JSON.parse(this.#ready().annotation_seen(text)) as AnnotationSeen;
    return { path, marks: JSON.parse(text) as MarkFile, seen, before: [] };
  }

  /** An item in the place of the one with its task and id, or after all others. */
  async #put(marks: MarkFile): Promise<void> {
    const found = this.items.findIndex((item) => item.marks.task === marks.task && item.marks.id === marks.id);
    const last =
      [...this.items, ...this.unread]
        .map((one) => one.path.slice(ITEMS.length))
        .sort()
        .at(-1) ?? '0';
    const path = this.items[found]?.path ?? ITEMS + String(Number(last) + 1).padStart(6, '0');
    const item = this.#item(path, JSON.stringify(marks));
    await this.#keep([{ path, bytes: encoder.encode(item.seen.file[1]).buffer }]);
    this.at = found < 0 ? this.items.length : found;
    this.items = found < 0 ? [...this.items, item] : this.items.with(found, item);
    this.#tell();
  }

  async #keepItem(item: Annotated, marks: MarkFile): Promise<void> {
    const next = this.#item(item.path, JSON.stringify(marks));
    await this.#keep([{ path: item.path, bytes: encoder.encode(next.seen.file[1]).buffer }]);
    Object.assign(item, { marks: next.marks, seen: next.seen });
    this.#tell();
  }

  #keep(files: readonly Kept[]): Promise<void> {
    return change(MAKING, (store) => {
      for (const file of files) store.put(file);
    });
  }

  /** Each change is about what the one before it led to. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const step = this.#steps.then(work);
    this.#steps = step.catch((error: unknown) => this.dispatchEvent(new CustomEvent('refused', { detail: messageOf(error) }))).then(() => undefined);
    return this.#steps;
  }

  #ready(): MakeEdge {
    if (this.#edge === null) throw new EngineError('This copy of the page makes no benchmarks: use the hosted page, or juror make annotate.', 'no_maker');
    return this.#edge;
  }

  #tell(): void {
    this.dispatchEvent(new Event('change'));
  }
}

/** The items of this browser. */
export const annotating = new Annotating();
