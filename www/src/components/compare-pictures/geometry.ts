/**
 * Where pictures lie on the screen when several are looked at as one.
 *
 * All of them share a frame, which has the size of the first picture. Lengths on the screen are in screen pixels
 * (`devicePixelRatio` of them to a CSS pixel), so that a scale of 1 shows each pixel of the frame by exactly one.
 */

export interface Size {
  width: number;
  height: number;
}

/** A picture that was computed: red, green, blue and alpha of each pixel of the frame. */
export interface Raster {
  frame: Size;
  pixels: Uint8ClampedArray<ArrayBuffer>;
}

/** What is looked at: `scale` screen pixels for a pixel of the frame (0 fits the frame), and the frame's point in the middle. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

/** A box in whole pixels of the frame, and how much the picture was enlarged to fill it. */
export interface Box extends Size {
  left: number;
  top: number;
  scale: number;
}

export const FIT: View = { scale: 0, x: 0, y: 0 };
export const MAX_SCALE = 64;
const STEPS = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];

/** The picture as large as the frame allows, in its middle. */
export function fitted(picture: Size, frame: Size): Box {
  const scale = Math.min(frame.width / picture.width, frame.height / picture.height);
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  return { left: Math.floor((frame.width - width) / 2), top: Math.floor((frame.height - height) / 2), width, height, scale };
}

/** The scale that shows the whole frame; enlarged by whole numbers only, so that pixels stay squares of one size. */
export function fitScale(frame: Size, pane: Size): number {
  const scale = Math.min(pane.width / frame.width, pane.height / frame.height);
  return scale >= 1 ? Math.min(MAX_SCALE, Math.floor(scale)) : Math.max(scale, 0.001);
}

/** The view with its scale spelled out, and its middle where no edge of the frame comes off the pane's for nothing. */
export function settledView(view: View, frame: Size, pane: Size): View {
  if (view.scale === 0) return { scale: fitScale(frame, pane), x: frame.width / 2, y: frame.height / 2 };
  const along = (at: number, length: number, room: number): number => {
    const half = room / view.scale / 2;
    return half * 2 >= length ? length / 2 : Math.min(length - half, Math.max(half, at));
  };
  return { scale: view.scale, x: along(view.x, frame.width, pane.width), y: along(view.y, frame.height, pane.height) };
}

/** Where the frame's left upper corner lies in the pane; on a whole screen pixel where nothing is reduced. */
export function corner(view: View, pane: Size): { left: number; top: number } {
  const left = pane.width / 2 - view.x * view.scale;
  const top = pane.height / 2 - view.y * view.scale;
  return view.scale >= 1 ? { left: Math.round(left), top: Math.round(top) } : { left, top };
}

/** The point of the frame below a point of the pane. */
export function toFrame(view: View, pane: Size, x: number, y: number): { x: number; y: number } {
  const { left, top } = corner(view, pane);
  return { x: (x - left) / view.scale, y: (y - top) / view.scale };
}

/** Zooms so that what lies below a point of the pane stays there; never smaller than fitting needs. */
export function zoomedAt(view: View, frame: Size, pane: Size, scale: number, x: number, y: number): View {
  const before = settledView(view, frame, pane);
  const least = Math.min(1, fitScale(frame, pane));
  const next = Math.min(MAX_SCALE, Math.max(least, scale));
  const below = toFrame(before, pane, x, y);
  return settledView({ scale: next, x: below.x + (pane.width / 2 - x) / next, y: below.y + (pane.height / 2 - y) / next }, frame, pane);
}

/** The next step of the zoom from here. */
export function stepped(scale: number, by: 1 | -1): number {
  const far = by === 1 ? STEPS.find((step) => step > scale * 1.001) : STEPS.findLast((step) => step < scale * 0.999);
  return far ?? scale;
}

/** `384 × 288`. */
export const sizeWords = ({ width, height }: Size): string => `${width} × ${height}`;

/** What was done to a picture to lay it over the frame, in words; empty if nothing. */
export function fitWords(picture: Size, frame: Size): string {
  const { left, top, width, height, scale } = fitted(picture, frame);
  const same = picture.width === frame.width && picture.height === frame.height;
  if (same) return '';
  const how = scale === 1 ? 'not scaled' : `${scale > 1 ? 'enlarged' : 'reduced'} to ${width} × ${height} (${percent(scale)})`;
  const free = left > 0 || frame.width > width ? ', with room left and right' : top > 0 || frame.height > height ? ', with room above and below' : '';
  return `${how}${free}`;
}

/** `86 %`, `200 %`, `12.5 %`. */
export function percent(scale: number): string {
  const value = scale * 100;
  return `${Math.abs(value - Math.round(value)) < 0.05 || value >= 100 ? Math.round(value) : value.toFixed(1)} %`;
}

/** A view as an address holds it: `400,120.5,88`; the scale is in per cent. */
export function viewText({ scale, x, y }: View): string {
  const short = (value: number): string => String(Math.round(value * 10) / 10);
  return scale === 0 ? '' : [scale * 100, x, y].map(short).join(',');
}

/** Reads such a text; whatever is none fits. */
export function viewOf(text: string): View {
  const [percents = NaN, x = NaN, y = NaN] = text.split(',').map(Number);
  if (![percents, x, y].every(Number.isFinite) || percents <= 0) return FIT;
  return { scale: Math.min(MAX_SCALE, percents / 100), x, y };
}
