/** Hands files to a worker: as they are where it reads them, else as their bytes, which the page reads. */
import type { Handed, Helper } from './loader/contract';

/** Posts a message that is made of files; `make` gets them as the worker takes them, in order. */
export async function hand(helper: Helper, files: readonly Blob[], make: (handed: Handed[]) => unknown): Promise<void> {
  const { worker, readsBlobs } = helper;
  if (readsBlobs) {
    worker.postMessage(make([...files]));
    return;
  }
  const bytes = await Promise.all(files.map((file) => file.arrayBuffer()));
  worker.postMessage(make(bytes), bytes);
}

/** The bytes of what a worker was handed. */
export const bytesOf = async (handed: Handed): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(handed instanceof Blob ? await handed.arrayBuffer() : handed);
