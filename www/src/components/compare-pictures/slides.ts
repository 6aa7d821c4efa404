/** Pictures that the viewer can show, and how it is asked to. */

import type { MapMetric } from '../../engine/metrics/edge';

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

/** What the viewer shows: which pictures, and how. With two over each other, the first two. */
export interface See {
  mode: Mode;
  /** Keys of slides. */
  pictures: string[];
  /** Zoom and place, as `viewText` writes them; empty fits. */
  at: string;
  /** With maps: of which metric. */
  map?: MapMetric | undefined;
}
