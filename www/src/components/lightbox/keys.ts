/** What the keys do in the viewer. */

import { MODES, type Mode } from '../compare-pictures/slides';
import { MODE_WORDS, type Zooming } from './head';
import { isTwo } from './picks';

/** What the viewer shows, and what a key can do to it. */
export interface KeyTarget extends Zooming {
  mode: Mode;
  areSeveral: boolean;
  /** Whether there is a next and a previous sample. */
  isAddressed: boolean;
  /** Whether there is more than fits. */
  isMovable: boolean;
  move: (x: number, y: number) => void;
  setMode: (mode: Mode) => void;
  chooseModel: (index: number) => void;
  step: (by: number) => void;
  stepSample: (by: 1 | -1) => void;
  swap: () => void;
  showOther: () => void;
  askHelp: () => void;
}

type Action = (() => void) | undefined;

/** What the key does; nothing where the field that has the focus takes it. */
export function actionOf(event: KeyboardEvent, viewer: KeyTarget): Action {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const target = event.composedPath()[0];
  const isRange = target instanceof HTMLInputElement && target.type === 'range';
  const isRadio = target instanceof HTMLInputElement && target.type === 'radio';
  if (target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === 'number')) return undefined;
  const isArrow = event.key.startsWith('Arrow');
  if ((isRange || isRadio) && (isArrow || ['Home', 'End', 'PageUp', 'PageDown'].includes(event.key))) return undefined;
  return isArrow ? arrow(event.key, viewer) : command(event.key, target instanceof HTMLButtonElement, viewer);
}

function arrow(key: string, viewer: KeyTarget): Action {
  const directions: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const [x, y] = directions[key] ?? [0, 0];
  if (viewer.isMovable) return () => viewer.move(x, y);
  return x === 0 ? undefined : () => viewer.step(x);
}

function command(key: string, onButton: boolean, viewer: KeyTarget): Action {
  const mode = MODES.find((one) => MODE_WORDS[one].key === key.toLowerCase());
  if (mode !== undefined) return viewer.areSeveral ? () => viewer.setMode(mode) : undefined;
  if (/^[1-9]$/.test(key)) return () => viewer.chooseModel(Number(key) - 1);
  const actions: Record<string, Action> = {
    '+': () => viewer.zoom(1),
    '=': () => viewer.zoom(1),
    '-': () => viewer.zoom(-1),
    '0': viewer.fit,
    z: viewer.oneToOne,
    x: isTwo(viewer.mode) ? viewer.swap : undefined,
    ' ': viewer.mode === 'blink' && !onButton ? viewer.showOther : undefined,
    PageUp: () => viewer.step(-1),
    PageDown: () => viewer.step(1),
    j: viewer.isAddressed ? () => viewer.stepSample(1) : undefined,
    k: viewer.isAddressed ? () => viewer.stepSample(-1) : undefined,
    '?': viewer.askHelp,
  };
  return actions[key.length === 1 ? key.toLowerCase() : key];
}
