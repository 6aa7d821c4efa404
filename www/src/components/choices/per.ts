/** From which groups so many samples are drawn. */
import { html, nothing, type TemplateResult } from 'lit';
import { count } from '../../state/format';
import type { SubsetScope } from '../../engine/types/SubsetScope';

/** The name of one group of all samples. */
export const ALL = 'all';

/** Whether a draw is from all samples or so many from each group of a kind; nothing where there are no groups. */
export function renderPer(scopes: readonly SubsetScope[], per: string, isOff: boolean, change: (per: string) => void): TemplateResult | typeof nothing {
  const groups = scopes.filter(({ scope }) => scope !== ALL);
  if (groups.length === 0) return nothing;
  return html`<select class="field" data-testid="per" aria-label="Drawn from" ?disabled=${isOff} @change=${(event: Event) => change((event.target as HTMLSelectElement).value)}>
    <option value="" .selected=${per === ''}>of all</option>
    ${groups.map(({ scope, groups: number, smallest }) => html`<option value=${scope} .selected=${scope === per}>of each ${scope.replaceAll('_', ' ')} (${count(number)}, the smallest with ${count(smallest)})</option>`)}
  </select>`;
}
