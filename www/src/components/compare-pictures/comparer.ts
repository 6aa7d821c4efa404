/** Comparing pictures by their pixels, as the viewer uses it: one question at a time, in a worker where there are any. */
import type { EngineClient } from '../../engine/client';
import { workers } from '../../engine/loader/workers';
import { decode, difference, type Difference } from './difference';
import type { Answered, Asked } from './difference.thread';

/** Decoded pictures kept for reading single pixels. */
const MAX_BITMAPS = 12;

/** Where files of the session come from. */
type Files = Pick<EngineClient, 'fileBlob'>;

export class Comparer {
  #worker: Worker | null = null;
  #id = 0;
  readonly #bitmaps = new Map<number, Promise<ImageBitmap>>();

  /** Compares two files of the session; `null` where a later question came in between. */
  async compare(session: Files, first: number, second: number): Promise<Difference | null> {
    this.#worker?.terminate();
    this.#worker = null;
    const id = ++this.#id;
    const [one, other] = await Promise.all([session.fileBlob(first), session.fileBlob(second)]);
    if (id !== this.#id) return null;
    const worker = await workers.startDifference();
    if (id !== this.#id) {
      worker?.terminate();
      return null;
    }
    if (worker === null) return difference(one, other);
    this.#worker = worker;
    const answer = await new Promise<Answered>((resolve, reject) => {
      worker.addEventListener('message', (event: MessageEvent<Answered>) => resolve(event.data));
      worker.addEventListener('error', (event) => reject(new Error(event.message || 'The comparison could not be started.')));
      worker.postMessage({ id, first: one, second: other } satisfies Asked);
    });
    if (id !== this.#id) return null;
    worker.terminate();
    this.#worker = null;
    if ('message' in answer) throw new Error(answer.message);
    return answer.value;
  }

  /** Red, green, blue and alpha of one pixel, as stored; `null` where the picture cannot be read. */
  async pixel(session: Files, file: number, x: number, y: number): Promise<number[] | null> {
    let bitmap = this.#bitmaps.get(file);
    if (bitmap === undefined) {
      bitmap = session.fileBlob(file).then(decode);
      bitmap.catch(() => undefined);
      this.#bitmaps.set(file, bitmap);
      for (const oldest of this.#bitmaps.keys()) {
        if (this.#bitmaps.size <= MAX_BITMAPS) break;
        this.#drop(oldest);
      }
    }
    try {
      return readPixel(await bitmap, x, y);
    } catch {
      return null;
    }
  }

  /** Gives up what is held: file numbers mean something else once other folders are open. */
  clear(): void {
    this.#id += 1;
    this.#worker?.terminate();
    this.#worker = null;
    for (const file of [...this.#bitmaps.keys()]) this.#drop(file);
  }

  #drop(file: number): void {
    this.#bitmaps.get(file)?.then(
      (bitmap) => bitmap.close(),
      () => undefined,
    );
    this.#bitmaps.delete(file);
  }
}

let reader: OffscreenCanvasRenderingContext2D | null = null;

function readPixel(bitmap: ImageBitmap, x: number, y: number): number[] | null {
  reader ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (reader === null || x < 0 || y < 0 || x >= bitmap.width || y >= bitmap.height) return null;
  reader.clearRect(0, 0, 1, 1);
  reader.drawImage(bitmap, x, y, 1, 1, 0, 0, 1, 1);
  return [...reader.getImageData(0, 0, 1, 1).data];
}
