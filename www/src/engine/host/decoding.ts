/** Decoders of pictures: workers of their own, and the package in this thread. */
import { DecoderPool } from '../decode/pool';
import type { PictureEdge } from '../edge';
import { engine as loader } from '../loader/engine';
import type { Page } from './page';

/** Workers that decode pictures, where the machine has so many cores. */
export const DECODERS = Math.max(1, Math.min(8, navigator.hardwareConcurrency || 1));

/** Workers that find out which pictures decode; the page starts them. */
export const decoderPool = (page: Page): DecoderPool => new DecoderPool(() => Promise.resolve(page.startDecoder()), DECODERS);

/** What decodes pictures in this thread; a copy of Juror may have none. */
export const decoders = (): Promise<PictureEdge | null> => loader.pictures().catch(() => null);
