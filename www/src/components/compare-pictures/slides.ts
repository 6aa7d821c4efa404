/** Pictures that the viewer can show, and how it is asked to. */

import type { MapMetric, NetworkMap } from '../../engine/metrics/edge';

/** A picture with the words that say what it is. */
export interface Slide {
  /** File number; `null` where the picture is missing. */
  file: number | null;
  label: string;
  path: string;
  /** The same in an address; absent where pictures have none. */
  key?: string;
  /** Whose output it is, if it is one. */
  model?: string;
}

/** Asks the page's viewer to show pictures. */
export class OpenPictures extends Event {
  readonly slides: Slide[];
  readonly start: number;

  constructor(slides: Slide[], start: number) {
    super('juror-open-pictures', { bubbles: true, composed: true });
    this.slides = slides;
    this.start = start;
  }
}

/** How pictures are looked at. */
export const MODES = ['one', 'side', 'swipe', 'onion', 'difference', 'map', 'blink'] as const;
export type Mode = (typeof MODES)[number];

/** The metrics that can be seen place by place. */
export const MAP_METRICS = ['ssim', 'ssim_gaussian', 'edge_mse', 'changed'] as const satisfies readonly MapMetric[];

/** What networks paint of each picture, where a pack is open for it. */
export const NETWORK_MAPS = ['depth_a', 'depth_b', 'sketch_a', 'sketch_b', 'pose_a', 'pose_b'] as const satisfies readonly NetworkMap[];

/** Everything that is seen place by place. */
export type SeenMetric = MapMetric | NetworkMap;
export const ALL_MAPS: readonly SeenMetric[] = [...MAP_METRICS, ...NETWORK_MAPS];

/** What a network computes for such a map; `null` for a metric. */
export const taskOf = (metric: SeenMetric): string | null => (NETWORK_MAPS.some((one) => one === metric) ? metric.slice(0, -2) : null);

/** So many times as large differences can be shown. */
export const GAINS: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 255];
/** How long each picture is seen while they blink. Not faster: three flashes a second can harm. */
export const BLINK_MS = { min: 400, max: 2000, first: 800 };

/** How a mode is set, where it is not as usual. */
export interface ViewerSettings {
  /** Swipe: where the line stands, in percent. */
  split: number;
  /** Onion: how opaque B is, in percent. */
  over: number;
  /** Difference: so many times as large. */
  gain: number;
  /** Difference and map of change: what differs by more counts, 0 to 254. */
  above: number;
  /** Blink: so many milliseconds each. */
  pace: number;
  /** Map: how much is seen of B beneath, in percent. */
  under: number;
  /** Map of change: left, top, width and height of the part that is counted by itself. */
  box: readonly [number, number, number, number];
  /** Map of change: the name of the picture that masks a part; the picture itself is in no address. */
  mask: string;
}

const SETTINGS = ['split', 'over', 'gain', 'above', 'pace', 'under'] as const;

const ALLOWED: Record<(typeof SETTINGS)[number], (value: number) => boolean> = {
  split: isPercent,
  over: isPercent,
  gain: (value) => GAINS.includes(value),
  above: (value) => value <= 254,
  pace: (value) => value >= BLINK_MS.min && value <= BLINK_MS.max,
  under: isPercent,
};

function isPercent(value: number): boolean {
  return value <= 100;
}

/** Reads the settings of an address; what none can be is passed over. */
export function settingsOf(params: URLSearchParams): Partial<ViewerSettings> {
  const found: Partial<ViewerSettings> = {};
  for (const key of SETTINGS) {
    const text = params.get(key) ?? '';
    if (/^\d{1,4}$/.test(text) && ALLOWED[key](Number(text))) found[key] = Number(text);
  }
  const [x, y, width, height, ...more] = /^\d{1,6}(,\d{1,6}){3}$/.test(params.get('box') ?? '') ? (params.get('box') ?? '').split(',').map(Number) : [];
  if (x !== undefined && y !== undefined && width !== undefined && height !== undefined && more.length === 0 && width > 0 && height > 0)
    found.box = [x, y, width, height];
  const mask = params.get('mask') ?? '';
  if (mask !== '') found.mask = mask;
  return found;
}

/** Writes them. */
export function writeSettings(settings: Partial<ViewerSettings>, params: URLSearchParams): void {
  for (const key of SETTINGS) if (settings[key] !== undefined) params.set(key, String(settings[key]));
  if (settings.box !== undefined) params.set('box', settings.box.join());
  if (settings.mask !== undefined) params.set('mask', settings.mask);
}

/** What the viewer shows: which pictures, and how. With two over each other, the first two. */
export interface ViewerState {
  mode: Mode;
  /** Keys of slides. */
  pictures: string[];
  /** Zoom and place, as `viewText` writes them; empty fits. */
  at: string;
  /** With maps: of which metric. */
  map?: SeenMetric | undefined;
  settings?: Partial<ViewerSettings> | undefined;
}
