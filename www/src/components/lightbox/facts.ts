/** What the viewer says below the pictures: sizes, what was rescaled, how pixels are drawn, and their values. */
import { html, nothing, type TemplateResult } from 'lit';
import { count } from '../../state/format';
import { differing, type Difference } from '../compare-pictures/difference';
import { fitWords, percent, sizeWords, type Size } from '../compare-pictures/geometry';
import { placeWords, shareWords, type SeenMap } from '../compare-pictures/maps';
import type { Mode, SeenMetric, Slide } from '../compare-pictures/slides';
import { isTwo } from './picks';
import type { Pixel } from './pixel-comparison';

/** How many pixels differ by more than the tolerance, and how far. */
export function differenceFacts(found: Difference, tolerance: number): TemplateResult {
  const different = differing(found, tolerance);
  const above = tolerance === 0 ? 'differ' : `differ by more than ${tolerance} in a channel`;
  const share = different === 0 ? '' : ` (${shareWords(different / found.compared)})`;
  const channels = found.isTranslucent ? 4 : 3;
  const list = (values: number[], text: (value: number) => string): string =>
    ['R', 'G', 'B', 'A']
      .slice(0, channels)
      .map((name, at) => `${name} ${text(values[at] ?? 0)}`)
      .join(', ');
  return html`<b data-testid="differing">${count(different)} of ${count(found.compared)} pixels ${above}${share}.</b>
    Largest difference ${list(found.largest, String)}; mean ${list(found.mean, (value) => value.toFixed(2))}, of 255.
    The browser decoded both; colour profiles are not applied.${found.isTranslucent ? ' Where a picture is transparent, its colours are rounded.' : ''}`;
}

/** The sizes of the pictures, and how each is fitted into the frame, which has the size of the first. */
export function sizeFacts(mode: Mode, shown: Slide[], sizes: (Size | null)[], frame: Size): string {
  const names = shown.map(({ label }, at) => (isTwo(mode) ? (at === 0 ? 'A' : 'B') : label));
  if (mode === 'one') return sizes[0] == null ? '' : `${sizeWords(sizes[0])} pixels.`;
  const fits = sizes.flatMap((size, at) => {
    const words = size === null ? '' : fitWords(size, frame);
    return words === '' || size === null ? [] : [`${names[at] ?? ''} (${sizeWords(size)}) is laid into the frame of ${names[0] ?? ''}: ${words}.`];
  });
  const missing = shown.flatMap(({ file }, at) => (file === null ? [`${names[at] ?? ''} is missing.`] : []));
  if (fits.length === 0) return [`All ${sizeWords(frame)} pixels, not rescaled.`, ...missing].join(' ');
  const rule =
    mode === 'difference'
      ? ' The browser resampled it; only what both cover is compared.'
      : mode === 'map'
        ? ' For the map, B was brought to the size of A by Pillow’s bicubic, as metrics do with “resized”.'
        : '';
  return [`The frame is ${sizeWords(frame)}.`, ...fits, ...missing].join(' ') + rule;
}

/** How large the pictures are shown, and whether the browser smooths them. */
export function scaleFacts(scale: number): string {
  if (scale < 1) return `Shown at ${percent(scale)}, smoothed by the browser.`;
  return `Shown at ${percent(scale)}${Number.isInteger(scale) ? `: a pixel is ${scale} × ${scale} of the screen’s` : ''}, not smoothed.`;
}

/** The values of the pixel below the cursor in each picture, and in the map where one is shown. */
export function pixelFacts(pixel: Pixel, mode: Mode, shown: Slide[], map: SeenMap | null, metric: SeenMetric): TemplateResult {
  const name = (at: number): string => (isTwo(mode) ? (at === 0 ? 'A' : 'B') : shown.length === 1 ? '' : (shown[at]?.label ?? ''));
  const text = (values: number[] | null): string =>
    values === null ? 'outside' : (values[3] === 255 ? values.slice(0, 3) : values).map((value) => String(value).padStart(3, '\u2007')).join(' ');
  const [first, second] = pixel.values;
  const held = mode === 'map' && map !== null ? placeWords(map.map, metric, pixel.x, pixel.y) : '';
  const apart = mode === 'difference' && first != null && second != null ? first.map((value, at) => Math.abs(value - (second[at] ?? 0))) : null;
  return html`<span>x ${pixel.x}, y ${pixel.y}</span>${pixel.values.map((values, at) => html`<span>${name(at)} ${text(values)}</span>`)}${held === '' ? nothing : html`<span data-testid="map-place">${held}</span>`}${apart === null ? nothing : html`<span>Δ ${text([...apart.slice(0, 3), apart[3] === 0 ? 255 : (apart[3] ?? 0)])}</span>`}`;
}
