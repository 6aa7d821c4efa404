/** Choosing some of several things, where none chosen means all of them, and a group of samples; and where a choice or an address does not hold. */
import { html, nothing, type TemplateResult } from 'lit';
import { keyLabel } from '../../state/format';
import type { State } from '../../state/state';
import type { ScopeInfo } from '../../engine/types/ScopeInfo';
import type { ScoreOptions } from '../../engine/types/ScoreOptions';
import { icon } from '../icon/icon';

/** What is chosen once this one is put in or left out; empty for all. */
export function chosenWith(id: string, on: boolean, chosen: readonly string[], all: readonly string[]): string[] {
  const now = new Set(chosen.length === 0 ? all : chosen);
  if (on) now.add(id);
  else now.delete(id);
  return now.size === all.length || now.size === 0 ? [] : all.filter((one) => now.has(one));
}

/** Boxes to tick, by id and name; nothing where there is no choice. */
export function renderChoices(
  label: string,
  all: readonly [string, string][],
  chosen: readonly string[],
  choose: (ids: string[]) => void,
): TemplateResult | typeof nothing {
  if (all.length < 2) return nothing;
  const ids = all.map(([id]) => id);
  return html`<div class="row" role="group" aria-label=${label}>
    <span>${label}</span>
    <span class="choices">
      ${all.map(([id, name]) => html`<label><input type="checkbox" .checked=${chosen.length === 0 || chosen.includes(id)} @change=${(event: Event) => choose(chosenWith(id, (event.target as HTMLInputElement).checked, chosen, ids))} /> ${name}</label>`)}
    </span>
  </div>`;
}

/** Where samples are grouped: a scope of score rows, and a key in it; both empty for all samples. */
export interface SampleGroup {
  scope: string;
  key: string;
}

/** The groups of samples by scope, one of them chosen. */
export function renderGroups(scopes: readonly ScopeInfo[], { scope, key }: SampleGroup, testId: string, choose: (group: SampleGroup) => void): TemplateResult {
  const chosen = JSON.stringify([scope, key]);
  const change = (event: Event): void => {
    const [to = '', within = ''] = JSON.parse((event.target as HTMLSelectElement).value) as string[];
    choose(to === 'overall' ? { scope: '', key: '' } : { scope: to, key: within });
  };
  return html`<select class="field" data-testid=${testId} @change=${change}>
    ${scopes.map((one) => {
      const options = one.keys.map((known) => {
        const value = JSON.stringify([one.scope, known]);
        return html`<option value=${value} .selected=${value === chosen}>${keyLabel(one.scope, known)}</option>`;
      });
      return one.scope === 'overall' ? options : html`<optgroup label=${one.label}>${options}</optgroup>`;
    })}
  </select>`;
}

/** Where judges are compared with each other, that one judge or one run was chosen for every other view. */
export function renderAllCompared({ judge, run }: ScoreOptions): TemplateResult | typeof nothing {
  if (judge === null && run === null) return nothing;
  return html`<p class="callout" role="status" data-testid="all-compared">${icon('note', 16)}<span>All judges and runs are compared here, whatever is chosen above.</span></p>`;
}

/** Models that an address names and that are not open; while files are read they may still come. */
export function renderAbsent(
  { reading, opening }: Pick<State, 'reading' | 'opening'>,
  named: readonly string[],
  open: readonly string[],
): TemplateResult | typeof nothing {
  const absent = [...new Set(named)].filter((model) => model !== '' && !open.includes(model));
  if (absent.length === 0 || reading === 'reading' || opening !== '') return nothing;
  const one = absent.length === 1;
  return html`<p class="callout" role="status" data-testid="absent-models">
    ${icon('note', 16)}<span>The address also names <b>${absent.join(', ')}</b>, which ${one ? 'is' : 'are'} not open: open ${one ? 'that model’s results folder' : 'those models’ results folders'} to see ${one ? 'it' : 'them'} here.</span>
  </p>`;
}
