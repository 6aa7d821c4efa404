/** Metrics place by place: how their numbers become colours and words. */
import { count, plural } from '../../state/format';
import type { ChangePart } from '../../engine/types/ChangePart';
import type { PictureChange } from '../../engine/types/PictureChange';
import type { PictureMap } from '../../engine/types/PictureMap';
import { LOWERED, RAISED, colourOf, type Colour } from '../heat-map/colours';
import type { Raster, Size } from './geometry';
import { taskOf, type SeenMetric } from './slides';

/** What is asked of a map. */
export interface MapSettings {
  metric: SeenMetric;
  /** How much of the picture is seen through the map, 0 to 1. */
  under: number;
  /** Change: a pixel has changed where a channel differs by more, 0 to 254. */
  threshold: number;
  /** Change: left, top, width and height of a part that is counted by itself. */
  box: readonly [number, number, number, number] | null;
  /** Change: a picture of the same size that is light where the part is; it counts instead of a box. */
  mask: File | null;
}

export const MAPS: Record<SeenMetric, { label: string; under: number }> = {
  ssim: { label: 'SSIM, 7 × 7', under: 0 },
  ssim_gaussian: { label: 'SSIM, Gaussian', under: 0 },
  edge_mse: { label: 'Edges', under: 0.35 },
  changed: { label: 'Change', under: 0.5 },
  depth_a: { label: 'Depth of A', under: 0 },
  depth_b: { label: 'Depth of B', under: 0 },
  sketch_a: { label: 'Sketch of A', under: 0 },
  sketch_b: { label: 'Sketch of B', under: 0 },
  pose_a: { label: 'People in A', under: 0.5 },
  pose_b: { label: 'People in B', under: 0.5 },
};

export const USUAL_MAP: MapSettings = { metric: 'ssim', under: 0, threshold: 16, box: null, mask: null };

/** Whether a map covers the picture everywhere, so that it must be thinned for the picture to be seen. */
export const isOpaque = (metric: SeenMetric): boolean => metric === 'ssim' || metric === 'ssim_gaussian';

export const IN_BOTH: Colour = [236, 236, 236];

const EDGES: readonly (Colour | null)[] = [null, LOWERED, RAISED, IN_BOTH];
const EDGE_WORDS = ['no edge', 'edge in A alone', 'edge in B alone', 'edge in both'];

/** Small differences are many and large ones few: colours go by the root. */
export const changeColour = (level: number): Colour => colourOf(Math.sqrt(level / 255), { kind: 'linear', low: 0, high: 1 });

/** The colour of a number; `null` where there is nothing to see. */
function paintOf(metric: SeenMetric, threshold: number): (value: number) => Colour | null {
  switch (metric) {
    case 'edge_mse':
      return (value) => EDGES[value] ?? null;
    case 'changed': {
      const known = Array.from({ length: 256 }, (_, level) => (level > threshold ? changeColour(level) : null));
      return (value) => known[value] ?? null;
    }
    case 'depth_a':
    case 'depth_b':
    case 'sketch_a':
    case 'sketch_b':
      return (value) => [value, value, value];
    case 'pose_a':
    case 'pose_b':
      return (value) => (value > 0 ? RAISED : null);
    default: {
      // As with change, what differs is bright.
      const known = Array.from({ length: 256 }, (_, at) => colourOf(1 - at / 255, { kind: 'linear', low: 0, high: 1 }));
      return (value) => known[Math.round(255 * Math.min(1, Math.max(0, value)))] ?? null;
    }
  }
}

/** The map as a picture of the frame's size; transparent where there is nothing to see, or no whole window. */
export function painted(map: PictureMap, { metric, threshold }: MapSettings): Raster {
  const frame: Size = { width: map.width + 2 * map.inset, height: map.height + 2 * map.inset };
  const pixels = new Uint8ClampedArray(frame.width * frame.height * 4);
  const paint = paintOf(metric, threshold);
  for (let y = 0; y < map.height; y += 1) {
    let at = ((y + map.inset) * frame.width + map.inset) * 4;
    for (let x = 0; x < map.width; x += 1, at += 4) {
      const colour = paint(map.places[y * map.width + x] ?? 0);
      if (colour === null) continue;
      [pixels[at], pixels[at + 1], pixels[at + 2]] = colour;
      pixels[at + 3] = 255;
    }
  }
  return { frame, pixels };
}

/** What the map holds at a pixel, in words. */
export function placeWords(map: PictureMap, metric: SeenMetric, x: number, y: number): string {
  const [column, row] = [x - map.inset, y - map.inset];
  if (column < 0 || row < 0 || column >= map.width || row >= map.height) return isOpaque(metric) ? 'no whole window around this pixel' : 'outside';
  const value = map.places[row * map.width + column] ?? 0;
  if (metric === 'edge_mse') return EDGE_WORDS[value] ?? '';
  const task = taskOf(metric);
  if (task !== null) return `${task} ${Math.round(value)}`;
  return metric === 'changed' ? `Δ ${value}` : `SSIM ${value.toFixed(6)}`;
}

/** How many pixels of an edge map are edges of A alone, of B alone and of both. */
function edgeCounts({ places }: PictureMap): number[] {
  const counts = [0, 0, 0];
  for (const place of places) if (place > 0) counts[place - 1] = (counts[place - 1] ?? 0) + 1;
  return counts;
}

/** How many windows have an SSIM below 0.5. */
const lowWindows = ({ places }: PictureMap): number => places.reduce((sum, place) => sum + (place < 0.5 ? 1 : 0), 0);

/** A map with its picture, and what is counted over all of its places: once, as words are made anew wherever the cursor goes. */
export interface SeenMap {
  map: PictureMap;
  raster: Raster;
  /** Edges: those of A alone, of B alone and of both; SSIM: windows below 0.5. */
  counts: number[];
}

export function seenMap(map: PictureMap, settings: MapSettings): SeenMap {
  const { metric } = settings;
  return { map, raster: painted(map, settings), counts: metric === 'edge_mse' ? edgeCounts(map) : isOpaque(metric) ? [lowWindows(map)] : [] };
}

/** `1,234 of 5,000 pixels (24.7 %), mean |Δ| 3.21, at most 90`. */
export function partWords({ pixels, changed, mae, largest }: ChangePart): string {
  if (pixels === 0) return 'no pixel';
  return `${count(changed)} of ${plural(pixels, 'pixel')}${changed === 0 ? '' : ` (${shareWords(changed / pixels)})`}, mean |Δ| ${(mae ?? 0).toFixed(2)}, at most ${largest}`;
}

/** `0.003 %`: never 0 where there is something. */
export function shareWords(part: number): string {
  const value = part * 100;
  return `${value >= 99.95 && part < 1 ? '> 99.9' : value >= 0.1 ? value.toFixed(1) : value.toPrecision(1)} %`;
}

/** Where all that changed lies: `x 10 to 19, y 8 to 15`. */
export const extentWords = ({ extent }: PictureChange): string => (extent === null ? '' : `x ${extent[0]} to ${extent[2]}, y ${extent[1]} to ${extent[3]}`);

/** An NPY file of the numbers, `float32`, row by row. */
export function npy({ places, width, height }: PictureMap): Blob {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${height}, ${width}), }`;
  // Magic, version, length and header together fill whole blocks of 64 bytes.
  const padded = header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11) + '\n';
  const start = new Uint8Array([0x93, ...new TextEncoder().encode('NUMPY'), 1, 0, padded.length & 255, padded.length >> 8]);
  const view = new DataView(new ArrayBuffer(4 * places.length));
  places.forEach((place, at) => view.setFloat32(4 * at, place, true));
  return new Blob([start, padded, view]);
}
