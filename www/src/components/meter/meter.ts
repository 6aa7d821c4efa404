/** How much of something is done, as a bar; its style is `meter` of the shared ones. */
import { html, type TemplateResult } from 'lit';
import { vars } from '../../state/vars';

/** A bar that is read out under this name, with its count. */
export function renderMeter(name: string, done: number, total: number): TemplateResult {
  return html`<div class="meter" role="progressbar" aria-label=${name} aria-valuemin="0" aria-valuemax=${total} aria-valuenow=${done} ${vars({ '--part': total === 0 ? 0 : done / total })}></div>`;
}
