/** How two pictures differ, pixel by pixel, on what the browser decodes. */
import { fitted, type Box, type Raster, type Size } from './geometry';

/** More than this would need gigabytes: each picture is held twice while it is compared. */
export const MAX_PIXELS = 50_000_000;

/** Differences of 8-bit values, counted. */
export interface Counts {
  /** Pixels that both pictures cover. */
  compared: number;
  /** By a pixel's largest difference over red, green, blue and alpha: how many pixels have it. */
  histogram: number[];
  /** Per channel: red, green, blue, alpha. */
  largest: number[];
  mean: number[];
}

/** Its pixels are absolute differences of red, green and blue, opaque; where only alpha differs, that difference as grey. */
export interface Difference extends Counts, Raster {
  first: Size;
  second: Size;
  /** Where the second picture lies in the frame. */
  box: Box;
  /** Whether any pixel of either is not opaque: there the browser's colours are rounded. */
  isTranslucent: boolean;
}

/**
 * Compares two decoded pictures of one size inside a box.
 *
 * `first`, `second`: RGBA, 4 bytes a pixel, `frame.width × frame.height`. Outside the box the result is transparent
 * and nothing is counted.
 */
export function differ(
  first: Uint8ClampedArray,
  second: Uint8ClampedArray,
  frame: Size,
  box: Size & { left: number; top: number },
): Counts & Pick<Difference, 'pixels' | 'isTranslucent'> {
  const pixels = new Uint8ClampedArray(frame.width * frame.height * 4);
  const histogram = new Array<number>(256).fill(0);
  const largest = [0, 0, 0, 0];
  const sum = [0, 0, 0, 0];
  let isTranslucent = false;
  for (let y = box.top; y < box.top + box.height; y += 1) {
    for (let x = box.left; x < box.left + box.width; x += 1) {
      const at = (y * frame.width + x) * 4;
      let most = 0;
      for (let channel = 0; channel < 4; channel += 1) {
        const by = Math.abs((first[at + channel] ?? 0) - (second[at + channel] ?? 0));
        sum[channel] = (sum[channel] ?? 0) + by;
        if (by > (largest[channel] ?? 0)) largest[channel] = by;
        if (by > most) most = by;
        if (channel < 3) pixels[at + channel] = by;
      }
      if ((first[at + 3] ?? 255) < 255 || (second[at + 3] ?? 255) < 255) isTranslucent = true;
      if (pixels[at] === 0 && pixels[at + 1] === 0 && pixels[at + 2] === 0) pixels.fill(most, at, at + 3);
      pixels[at + 3] = 255;
      histogram[most] = (histogram[most] ?? 0) + 1;
    }
  }
  const compared = box.width * box.height;
  return { compared, histogram, largest, mean: sum.map((all) => all / compared), pixels, isTranslucent };
}

/** How many pixels have a channel that differs by more than `tolerance`. */
export function differing({ histogram }: Pick<Counts, 'histogram'>, tolerance: number): number {
  return histogram.slice(tolerance + 1).reduce((sum, count) => sum + count, 0);
}

/** Decodes a picture: values as stored, whatever colour profile is embedded; upright. */
export function decode(blob: Blob): Promise<ImageBitmap> {
  return createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none', imageOrientation: 'from-image' });
}

/** Decodes both and compares them; the second is resampled by the browser where it has another size. */
export async function difference(first: Blob, second: Blob): Promise<Difference> {
  const [one, other] = await Promise.all([decode(first), decode(second)]);
  try {
    const frame = { width: one.width, height: one.height };
    if (frame.width * frame.height > MAX_PIXELS)
      throw new Error(`A has ${frame.width} × ${frame.height} pixels; at most ${MAX_PIXELS / 1e6} million are compared here.`);
    const box = fitted(other, frame);
    const whole: Box = { left: 0, top: 0, ...frame, scale: 1 };
    const counted = differ(drawn(one, frame, whole), drawn(other, frame, box), frame, box);
    return { ...counted, frame, first: frame, second: { width: other.width, height: other.height }, box };
  } finally {
    one.close();
    other.close();
  }
}

function drawn(bitmap: ImageBitmap, frame: Size, box: Box): Uint8ClampedArray {
  const context = new OffscreenCanvas(frame.width, frame.height).getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('The browser gives no canvas to compare on.');
  context.imageSmoothingEnabled = bitmap.width !== box.width || bitmap.height !== box.height;
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, box.left, box.top, box.width, box.height);
  return context.getImageData(0, 0, frame.width, frame.height).data;
}
