import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { save } from '../../state/save';
import { count, plural } from '../../state/format';
import type { DarSweep } from '../../engine/types/DarSweep';
import type { DarSweepRow } from '../../engine/types/DarSweepRow';
import { base, controls } from '../../styles/base.styles';
import { page } from '../../styles/page.styles';
import { icon } from '../icon/icon';

/** Names of what can be varied, in the order of their columns. */
const PARAMETERS = [
  ['gamma', 'γ'],
  ['high', 'τ high'],
  ['low', 'τ low'],
  ['samples', 'm'],
] as const;

/** The tasks of the printed scores, as the paper's tables call them. */
const TASKS: Readonly<Record<string, string>> = {
  object: 'Object',
  spatial: 'Spatial',
  attribute: 'Attribute',
  component: 'Component',
  fgbg: 'FG/BG',
  story: 'Story',
};

/**
 * @summary What each of several settings of attention rebalancing changes, beside the scores that the paper prints by strength.
 */
@customElement('juror-dar-sweep')
export class JurorDarSweep extends LitElement {
  static override styles = [
    base,
    controls,
    page,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 12px;
      }
      .wide {
        overflow-x: auto;
      }
      table {
        border-collapse: collapse;
        font-variant-numeric: tabular-nums;
      }
      caption {
        padding-bottom: 4px;
        color: var(--juror-text-2);
        text-align: left;
      }
      th,
      td {
        padding: 4px 12px 4px 0;
        border-bottom: 1px solid var(--juror-line);
        text-align: right;
        white-space: nowrap;
      }
      thead th {
        color: var(--juror-text-2);
        font-weight: 550;
      }
      tbody th:first-child,
      thead tr:last-child th:first-child {
        text-align: left;
      }
      .group {
        text-align: center;
      }
      .best {
        font-weight: 650;
      }
    `,
  ];

  /** What was found. */
  @property({ attribute: false }) report: DarSweep | null = null;
  /** The same as the command line writes it. */
  @property({ attribute: false }) csv = '';

  override render(): TemplateResult {
    const { report } = this;
    if (report === null) return html``;
    const varied = PARAMETERS.filter(([id]) => id === 'gamma' || report.axes.some(({ parameter }) => parameter === id));
    const tasks = report.rows.some(({ printed }) => printed !== null) ? (report.printed[0]?.scores.map(([task]) => task) ?? []) : [];
    return html`<h2>${plural(report.rows.length, 'setting')} of the same call</h2>
      <p class="small muted">
        Above τ: of the attention to references, the share of those tokens whose r̂ is τ high or more, without w and with it. Moved: ½ Σ |Ā′ − Ā|, the share of attention that goes elsewhere. Against: tokens whose attention went against their weight.
      </p>
      <div class="wide" role="region" tabindex="0" aria-label="Settings">
        <table data-testid="sweep-table">
          <caption class="small">${count(report.keys)} reference tokens; computed on the CPU in 64-bit numbers.</caption>
          <thead>
            <tr>
              <td colspan=${varied.length}></td>
              <th scope="colgroup" class="group" colspan="2">Above τ</th>
              <td></td>
              <th scope="colgroup" class="group" colspan="2">Tokens</th>
              <td></td>
              ${tasks.length === 0 ? nothing : html`<th scope="colgroup" class="group" colspan=${tasks.length}>Printed scores of BAGEL (Table 8)</th>`}
            </tr>
            <tr>
              ${varied.map(([, label]) => html`<th scope="col">${label}</th>`)}
              <th scope="col">before</th><th scope="col">after</th><th scope="col">moved</th><th scope="col">raised</th><th scope="col">lowered</th><th scope="col">against</th>
              ${tasks.map((task) => html`<th scope="col">${TASKS[task] ?? task}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${report.rows.map((row) => this.renderRow(report, row, varied, tasks))}
          </tbody>
        </table>
      </div>
      ${
        tasks.length === 0
          ? html`<p class="small muted">The paper prints scores for γ of 0.05, 0.15, 0.25, 0.35 and 0.55 at its own τ and m alone.</p>`
          : html`<p class="small muted">Printed scores are those of whole benchmark runs, 0 to 100, the best of each task in bold; the numbers of a single call are shown beside them and do not predict them.</p>`
      }
      <div><button type="button" class="button tiny" data-testid="sweep-csv" @click=${() => save(new Blob([this.csv], { type: 'text/csv' }), 'juror-dar-sweep.csv')}>${icon('download', 16)}Table as CSV</button></div>`;
  }

  private renderRow(
    report: DarSweep,
    row: DarSweepRow,
    varied: readonly (readonly [(typeof PARAMETERS)[number][0], string])[],
    tasks: readonly string[],
  ): TemplateResult {
    const against = row.against.raised_but_lost + row.against.lowered_but_gained;
    const tokens = (n: number, share: number): string => `${count(n)} (${percent(share)})`;
    const printed = row.printed === null ? undefined : report.printed[row.printed];
    return html`<tr>
      ${varied.map(([id], at) => (at === 0 ? html`<th scope="row">${row[id]}</th>` : html`<td>${row[id]}</td>`))}
      <td>${percent(row.above_before)}</td>
      <td>${percent(row.above_after)}</td>
      <td>${percent(row.total_variation)}</td>
      <td>${tokens(row.raised, row.share_raised)}</td>
      <td>${tokens(row.lowered, row.share_lowered)}</td>
      <td>${count(against)}</td>
      ${tasks.map((_, at) => {
        const score = printed?.scores[at]?.[1] ?? null;
        const best = Math.max(...report.printed.map(({ scores }) => scores[at]?.[1] ?? -Infinity));
        return html`<td class=${score === best ? 'best' : ''}>${score === null ? '–' : score.toFixed(2)}</td>`;
      })}
    </tr>`;
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;

declare global {
  interface HTMLElementTagNameMap {
    'juror-dar-sweep': JurorDarSweep;
  }
}
