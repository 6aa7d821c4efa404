import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { plural } from '../../state/format';
import { NO_FILTER, terms } from '../../state/router';
import { hrefOf } from '../../state/links';
import type { State } from '../../state/state';
import type { Overview } from '../../engine/types/Overview';
import { nameStyles, renderName } from '../name/name';
import { base, controls } from '../../styles/base.styles';

/**
 * @summary Incidents by kind and model; every count leads to its samples.
 */
@customElement('juror-incidents')
export class JurorIncidents extends LitElement {
  static override styles = [
    base,
    controls,
    nameStyles,
    css`
      .scroll {
        overflow-x: auto;
      }
      table {
        width: 100%;
        border-collapse: collapse;
      }
      th,
      td {
        padding: 9px 16px;
        border-top: 1px solid var(--juror-line);
        text-align: right;
        font-weight: 400;
        font-variant-numeric: tabular-nums;
        vertical-align: top;
      }
      th:first-child {
        text-align: left;
        min-width: 150px;
      }
      thead th {
        min-width: 9rem;
        max-width: 12rem;
        border-top: 0;
        color: var(--juror-text-3);
        font-size: var(--juror-size-s);
        overflow-wrap: anywhere;
        vertical-align: bottom;
      }
      /* What is counted stays while many models are gone through. */
      th:first-child {
        position: sticky;
        left: 0;
        background: var(--juror-surface);
      }
      .as {
        display: block;
        color: var(--juror-text-3);
        font-size: var(--juror-size-s);
      }
      td a {
        font-weight: 600;
      }
      .none {
        padding: 16px;
        color: var(--juror-text-2);
      }
    `,
  ];

  @property({ attribute: false }) state!: Pick<State, 'route'>;
  @property({ attribute: false }) overview!: Overview;

  override render(): TemplateResult {
    const { incidents, models } = this.overview;
    if (models.length === 0) return html`<p class="none">No model is open yet.</p>`;
    if (incidents.every(({ per_model: per }) => per.every((n) => n === 0))) {
      return html`<p class="none">${this.overview.has_results_only ? 'None in the results at hand. What is missing from them is known once the benchmark is open.' : 'None: every expected score is there.'}</p>`;
    }
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Incidents, scrollable">
      <table>
        <thead>
          <tr><th scope="col">Kind</th>${models.map(({ name }) => html`<th scope="col">${renderName(name)}</th>`)}</tr>
        </thead>
        <tbody>
          ${incidents.map(
            ({ kind, label, counts_as: as, per_model: per, outputs }) =>
              html`<tr data-testid="incident" data-kind=${kind}>
                <th scope="row">${label}<span class="as">${as}</span></th>
                ${models.map(({ name }, index) => html`<td>${this.renderCount({ kind, label, model: name, scores: per[index] ?? 0, outputs: outputs?.[index] ?? null })}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  /** The unit is named: one missing output is one, however many scores it would have had. */
  private renderCount({
    kind,
    label,
    model,
    scores,
    outputs,
  }: {
    kind: string;
    label: string;
    model: string;
    scores: number;
    outputs: number | null;
  }): TemplateResult {
    if (scores === 0) return html`<span class="muted">0</span>`;
    const href = hrefOf(this.state.route, { view: 'samples', filter: { ...NO_FILTER, q: terms({ incident: kind, model }) } });
    const words = outputs === null ? plural(scores, 'score', 'scores') : plural(outputs, 'output', 'outputs');
    return html`<a href=${href} aria-label="${words}, ${label}, ${model}: show the samples">${words}</a>${outputs === null ? nothing : html`<span class="as">${plural(scores, 'score', 'scores')}</span>`}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-incidents': JurorIncidents;
  }
}
