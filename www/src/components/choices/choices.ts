/** Choosing some of several things, where none chosen means all of them. */
import { html, nothing, type TemplateResult } from 'lit';

/** What is chosen once this one is put in or left out; empty for all. */
export function chosenWith(id: string, on: boolean, chosen: readonly string[], all: readonly string[]): string[] {
  const now = new Set(chosen.length === 0 ? all : chosen);
  if (on) now.add(id);
  else now.delete(id);
  return now.size === all.length || now.size === 0 ? [] : all.filter((one) => now.has(one));
}

/** Boxes to tick, by id and name; nothing where there is no choice. */
export function renderChoices(label: string, all: readonly [string, string][], chosen: readonly string[], choose: (ids: string[]) => void): TemplateResult | typeof nothing {
  if (all.length < 2) return nothing;
  const ids = all.map(([id]) => id);
  return html`<div class="row" role="group" aria-label=${label}>
    <span>${label}</span>
    <span class="choices">
      ${all.map(([id, name]) => html`<label><input type="checkbox" .checked=${chosen.length === 0 || chosen.includes(id)} @change=${(event: Event) => choose(chosenWith(id, (event.target as HTMLInputElement).checked, chosen, ids))} /> ${name}</label>`)}
    </span>
  </div>`;
}
