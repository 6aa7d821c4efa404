/** How each mode is set in the viewer, and how an address says it. */

import { MAPS, USUAL_MAP, type MapSettings } from '../compare-pictures/maps';
import { BLINK_MS, GAINS, type Mode, type ViewerSettings, type ViewerState } from '../compare-pictures/slides';

export interface ModeSettings {
  /** Swipe: the place of the line, from 0 to 1. */
  split: number;
  /** Onion: how much of B is seen, from 0 to 1. */
  opacity: number;
  /** Difference: a place in `GAINS`. */
  gain: number;
  /** Difference: a pixel differs where a channel differs by more. */
  tolerance: number;
  blinkMs: number;
  map: MapSettings;
  /** Map: the mask that the address names and that is not here. */
  lostMask: string;
}

export const USUAL_SETTINGS: ModeSettings = { split: 0.5, opacity: 0.5, gain: 0, tolerance: 0, blinkMs: BLINK_MS.first, map: USUAL_MAP, lostMask: '' };

/** So many times as large as they are, differences are shown. */
export const gainOf = ({ gain }: ModeSettings): number => GAINS[gain] ?? 1;

/** Sets the mode as it is asked for, and as usual where nothing is. */
export function takenSettings(before: ModeSettings, { mode, map, settings = {} }: ViewerState): ModeSettings {
  const { split = 50, over = 50, gain = 1, pace = BLINK_MS.first, box = null, mask: name = '' } = settings;
  switch (mode) {
    case 'swipe':
      return { ...before, split: split / 100 };
    case 'onion':
      return { ...before, opacity: over / 100 };
    case 'difference':
      return { ...before, gain: Math.max(0, GAINS.indexOf(gain)), tolerance: settings.above ?? 0 };
    case 'blink':
      return { ...before, blinkMs: pace };
    case 'map': {
      const metric = map ?? USUAL_MAP.metric;
      const { mask } = before.map;
      const isHere = mask !== null && mask.name === name;
      return {
        ...before,
        lostMask: isHere ? '' : name,
        map: {
          metric,
          under: settings.under === undefined ? MAPS[metric].under : settings.under / 100,
          threshold: settings.above ?? USUAL_MAP.threshold,
          box: name === '' ? box : null,
          mask: isHere ? mask : null,
        },
      };
    }
    default:
      return before;
  }
}

/** How the mode is set, where it is not as usual. */
export function unusualSettings(mode: Mode, settings: ModeSettings): Partial<ViewerSettings> {
  const unless = <Key extends keyof ViewerSettings>(key: Key, value: ViewerSettings[Key], usual: ViewerSettings[Key]): Partial<ViewerSettings> =>
    value === usual ? {} : { [key]: value };
  switch (mode) {
    case 'swipe':
      return unless('split', Math.round(settings.split * 100), 50);
    case 'onion':
      return unless('over', Math.round(settings.opacity * 100), 50);
    case 'difference':
      return { ...unless('gain', gainOf(settings), 1), ...unless('above', settings.tolerance, 0) };
    case 'blink':
      return unless('pace', settings.blinkMs, BLINK_MS.first);
    case 'map': {
      const { metric, under, threshold, box, mask } = settings.map;
      const seen = unless('under', Math.round(under * 100), Math.round(MAPS[metric].under * 100));
      if (metric !== 'changed') return seen;
      const named = mask?.name ?? settings.lostMask;
      return { ...seen, ...unless('above', threshold, USUAL_MAP.threshold), ...(box === null ? {} : { box }), ...(named === '' ? {} : { mask: named }) };
    }
    default:
      return {};
  }
}
