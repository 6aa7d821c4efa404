import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { count, keyLabel, personName, plural } from '../../state/format';
import type { EngineClient } from '../../engine/client';
import { messageOf } from '../../engine/errors';
import type { AgreementQuery } from '../../engine/types/AgreementQuery';
import type { Overview } from '../../engine/types/Overview';
import type { OwnFigure } from '../../engine/types/OwnFigure';
import type { PrintedFigure } from '../../engine/types/PrintedFigure';
import type { PrintedRow } from '../../engine/types/PrintedRow';
import { base, controls } from '../../styles/base.styles';
import { tables } from '../../styles/page.styles';
import { download, notify } from '../events';
import { icon } from '../icon/icon';

/**
 * @summary What the paper prints about reliability, beside one's own figures of the same kind.
 */
@customElement('juror-printed-figures')
export class JurorPrintedFigures extends LitElement {
  static override styles = [
    base,
    controls,
    tables,
    css`
      :host {
        display: grid;
        gap: 10px;
      }
      td.words,
      th.words {
        min-width: 14ch;
        white-space: normal;
        text-align: left;
      }
      td.remark {
        min-width: 26ch;
        color: var(--juror-text-2);
      }
      .interval {
        display: block;
        color: var(--juror-text-2);
        font-size: 0.85em;
      }
      .tools {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 10px;
      }
    `,
  ];

  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) overview!: Overview;
  @property({ attribute: false }) rows: readonly PrintedRow[] = [];
  /** What the rows are of. */
  @property({ attribute: false }) query!: AgreementQuery;
  /** Figures with nothing of the user's own beside them are listed as well. */
  @state() private isWhole = false;

  override render(): TemplateResult | typeof nothing {
    if (this.rows.length === 0) return nothing;
    const beside = this.rows.filter(({ own }) => own.length > 0);
    const alone = this.rows.filter(({ own }) => own.length === 0);
    const shown = [...beside, ...(this.isWhole ? alone : [])];
    return html`<div class="tools">
        <p class="small muted">
          The paper prints ${plural(this.rows.length, 'figure')} about judges, people, runs and settings${beside.length === 0 ? '; nothing here is of the same kind yet' : `, ${count(beside.length)} of a kind that is found here too`}. They rest on other outputs, so neither is right or wrong by the other.
        </p>
        ${alone.length === 0 ? nothing : html`<button type="button" class="button tiny" aria-expanded=${this.isWhole ? 'true' : 'false'} @click=${() => (this.isWhole = !this.isWhole)}>${this.isWhole ? 'Hide those without a counterpart' : `Show the other ${count(alone.length)} too`}</button>`}
        <button type="button" class="button tiny" data-testid="printed-csv" @click=${() => void this.save()}>${icon('download', 16)}CSV</button>
      </div>
      ${shown.length === 0 ? nothing : this.renderTable(shown)}`;
  }

  private renderTable(rows: readonly PrintedRow[]): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Printed by the paper">
      <table data-testid="printed-figures">
        <caption>Printed by the paper, beside your own</caption>
        <thead>
          <tr>
            <th scope="col" class="text">Figure</th><th scope="col" class="text">Between</th><th scope="col" class="text">Of</th><th scope="col">Printed</th>
            <th scope="col">Your own</th><th scope="col">Outputs</th><th scope="col" class="text">By</th><th scope="col">Difference</th><th scope="col" class="text">Source and remark</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => this.renderRow(row))}
        </tbody>
      </table>
    </div>`;
  }

  private renderRow({ figure, own }: PrintedRow): TemplateResult[] {
    const lines: (OwnFigure | null)[] = own.length === 0 ? [null] : own;
    return lines.map(
      (one, at) =>
        html`<tr>
          ${
            at > 0
              ? nothing
              : html`<th scope="rowgroup" class="words" rowspan=${lines.length}>${figure.label}</th>
                  <td class="words" rowspan=${lines.length}>${sides(figure)}</td>
                  <td class="words" rowspan=${lines.length}>${this.of(figure)}</td>
                  <td class="num" rowspan=${lines.length}>${figure.value}${figure.half === null ? nothing : html` ± ${figure.half}`}</td>`
          }
          ${
            one === null
              ? html`<td>–</td><td>–</td><td class="words">–</td><td>–</td>`
              : html`<td class="num">${three(one.value)}${one.low === null || one.high === null ? nothing : html`<span class="interval">[${three(one.low)}, ${three(one.high)}]</span>`}</td>
                  <td class="num">${count(one.n)} of ${count(one.expected)}</td>
                  <td class="words">${this.by(one, figure)}</td>
                  <td class="num">${one.difference === null ? '–' : signed(one.difference)}</td>`
          }
          ${at > 0 ? nothing : html`<td class="words remark" rowspan=${lines.length}>${figure.source}${figure.remark === '' ? nothing : html`: ${figure.remark}`}</td>`}
        </tr>`,
    );
  }

  /** Criterion, model and group. */
  private of({ criterion, model, scope, key }: PrintedFigure): string {
    const label = this.overview.criteria.find(({ id }) => id === criterion)?.label ?? criterion;
    return [label, model, key === '' ? '' : keyLabel(scope, key)].filter((word) => word !== '').join(', ');
  }

  private by({ a, b, model, key, is_same_judge, is_same_group }: OwnFigure, figure: PrintedFigure): string {
    const names = [a, b].filter((name) => name !== '').map(personName);
    const group = is_same_group ? '' : figure.key !== '' && key === '' ? 'all outputs' : figure.model !== '' && model === '' ? 'all models' : '';
    return [names.join(' – '), is_same_judge ? '' : 'another judge', group].filter((word) => word !== '').join(', ');
  }

  private async save(): Promise<void> {
    try {
      download(this, new Blob([await this.client.printedCsv(this.query)], { type: 'text/csv' }), 'csv', 'printed-reliability');
    } catch (error) {
      notify(this, 'error', messageOf(error));
    }
  }
}

const sides = ({ a, b }: PrintedFigure): string => (a === '' && b === '' ? '–' : [a, b].filter((side) => side !== '').join(' – '));

const three = (value: number): string => value.toFixed(3).replace('-', '−');

const signed = (value: number): string => `${value > 0 ? '+' : ''}${three(value)}`;

declare global {
  interface HTMLElementTagNameMap {
    'juror-printed-figures': JurorPrintedFigures;
  }
}
