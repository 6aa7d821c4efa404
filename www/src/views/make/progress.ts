/** How far a project is. */
import { html, nothing, type TemplateResult } from 'lit';
import { count } from '../../state/format';
import type { MakeProgress } from '../../engine/types/MakeProgress';

export function renderProgress({ rows, due, remarks, samples }: MakeProgress): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Progress">
      <table data-testid="make-progress">
        <thead>
          <tr><th scope="col" class="text">Group</th><th scope="col">Drawn</th><th scope="col">Made</th><th scope="col">Passed</th><th scope="col">Accepted</th><th scope="col" class="text">Out</th></tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ group, drawn, made, passed, accepted, rejected }) =>
              html`<tr><th scope="row">${group}</th><td>${count(drawn)}</td><td>${count(made)}</td><td>${count(passed)}</td><td>${count(accepted)}</td><td class="text">${rejected.map(([reason, number]) => `${reason}: ${count(number)}`).join(', ')}</td></tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${remarks.length === 0 ? nothing : html`<ul class="remarks small">${remarks.map((remark) => html`<li>${remark}</li>`)}</ul>`}
    <p><b class="num" data-testid="make-samples">${count(samples)}</b> ${samples === 1 ? 'sample' : 'samples'} in the benchmark so far; ${due.length === 0 ? 'no call is due' : `due: ${due.map(({ kind, count: number }) => `${count(number)} × ${kind}`).join(', ')}`}.</p>`;
}
