/** Two judges, panels or people that are held against each other: which they are, what they are called, how they are chosen. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { personName } from '../../state/format';
import type { Place, Sides } from '../../state/router';
import type { Overview } from '../../engine/types/Overview';
import { say } from '../events';
import { AskPanel } from '../panel-dialog/ask';

/** What a place says of two sides: theirs that are ranked by, or of whom questions are compared. */
export function sidesOf(place: Place, which: 'ranking' | 'questions'): Sides {
  return (place.view === 'agreement' ? place[which] : undefined) ?? [];
}

/** Goes from a place to the one that says so. */
export function putSides(from: Element, place: Place, which: 'ranking' | 'questions', sides: Sides): void {
  if (place.view === 'agreement') say(from, 'go', { ...place, [which]: sides });
}

/** Whether a name is that of several judges together; the engine says whether there are such judges. */
const isPanel = (judge: string): boolean => judge.startsWith('panel:');

/** Who can stand on a side: those at hand, the panel that is chosen as the judge of all views, and panels that the address names. */
export function offeredSides(atHand: readonly string[], sides: Sides, judge: string | null): string[] {
  const panels = [judge ?? '', sides[0] ?? '', sides[1] ?? ''].filter(isPanel);
  return [...atHand, ...new Set(panels)];
}

/** The two that are compared: those that were chosen, else people beside the first judge, or the first two judges. */
export function chosenPair({ at_hand: { judges, people } }: Overview, [a, b]: Sides): { a: string; b: string } {
  const known = [...judges, ...people, ...[a ?? '', b ?? ''].filter(isPanel)];
  const one = a !== undefined && known.includes(a) ? a : (people[0] ?? judges[0] ?? '');
  const other = b !== undefined && known.includes(b) && b !== one ? b : (known.find((id) => id !== one) ?? '');
  return { a: one, b: other };
}

/** What a side is called in a sentence. */
export const named = (judge: string): string => (judge === '' ? 'judge without a name' : personName(judge));

/** One of several by id and name. */
export function renderChoice(label: string, all: readonly [string, string][], value: string, put: (id: string) => void, testId = ''): TemplateResult {
  return html`<label
    ><span>${label}</span>
    <select class="field" data-testid=${testId === '' ? nothing : testId} @change=${(event: Event) => put((event.target as HTMLSelectElement).value)}>
      ${all.map(([id, name]) => html`<option value=${id} .selected=${id === value}>${name}</option>`)}
    </select></label
  >`;
}

/** In a menu of sides, what opens the choice of several judges. */
const TOGETHER = ' together';

/** A side by id, or several judges together, which a dialog asks for. */
export function renderSide(
  label: string,
  all: readonly string[],
  value: string,
  put: (id: string) => void,
  testId: string,
  nameOf: (id: string) => string = named,
): TemplateResult {
  const change = (event: Event): void => {
    const select = event.target as HTMLSelectElement;
    if (select.value !== TOGETHER) {
      put(select.value);
      return;
    }
    select.value = value;
    select.dispatchEvent(new AskPanel(put, 'Compare together'));
  };
  return html`<label
    ><span>${label}</span>
    <select class="field" data-testid=${testId} @change=${change}>
      ${all.map((id) => html`<option value=${id} .selected=${id === value}>${nameOf(id)}</option>`)}
      <option value=${TOGETHER}>several together…</option>
    </select></label
  >`;
}

export const sidesStyles = css`
  .sides {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 10px;
  }
  .sides label {
    display: flex;
    align-items: center;
    gap: 6px;
    max-width: 100%;
  }
  .sides select {
    min-width: 0;
    max-width: 32ch;
  }
`;
