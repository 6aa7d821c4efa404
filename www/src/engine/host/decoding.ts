/** Decoders of pictures: workers of their own, and the package in this thread. */
import { DecoderPool } from '../decode/pool';
import type { PictureEdge } from '../edge';
import { engine as loader } from '../loader/engine';
import type { Page } from './page';

/** Workers that decode pictures, where the machine has so many cores. */
export const DECODERS = Math.max(1, Math.min(8, navigator.hardwareConcurrency || 1));

/** Workers that find out which pictures decode; the page starts them. */
export const decoderPool = (page: Page): DecoderPool => new DecoderPool(() => Promise.resolve(page.startDecoder()), DECODERS);

/** A package that has not come by then is done without, as where there is none: pictures are then reported as not decoded. */
const FETCHED_WITHIN_MS = 60_000;
let fetched: PictureEdge | null = null;

/** What decodes pictures in this thread; a copy of Juror may have none. */
export async function decoders(): Promise<PictureEdge | null> {
  if (fetched !== null) return fetched;
  const coming = loader.pictures().catch(() => null);
  // A late one serves the next picture.
  void coming.then((edge) => (fetched = edge));
  let late: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<null>((resolve) => (late = setTimeout(resolve, FETCHED_WITHIN_MS, null)));
  return Promise.race([coming, limit]).finally(() => clearTimeout(late));
}
