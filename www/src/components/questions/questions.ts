import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { Query } from '../../state/query';
import { count, judgeScore, keyLabel } from '../../state/format';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import { messageOf } from '../../engine/errors';
import type { AtomQuery } from '../../engine/types/AtomQuery';
import type { AtomRow } from '../../engine/types/AtomRow';
import type { Overview } from '../../engine/types/Overview';
import { base, controls } from '../../styles/base.styles';
import { tables } from '../../styles/page.styles';
import { download, notify } from '../events';
import { icon } from '../icon/icon';
import { chosenPair, named, offeredSides, putSides, renderSide, sidesOf, sidesStyles } from '../sides/sides';

/** Questions that are listed at first. */
const SHOWN = 20;

/**
 * @summary Two judges, or a judge and people, beside each other on every question that a verdict is made of.
 */
@customElement('juror-questions')
export class JurorQuestions extends LitElement {
  static override styles = [
    base,
    controls,
    tables,
    sidesStyles,
    css`
      :host {
        display: grid;
        gap: 12px;
        padding: 14px 16px 16px;
      }
      th,
      td {
        vertical-align: top;
      }
      th[scope='row'] {
        min-width: 26ch;
      }
      .question {
        display: block;
        color: var(--juror-text-3);
        font-size: var(--juror-size-s);
      }
      thead th {
        white-space: nowrap;
      }
    `,
  ];

  @property({ attribute: false }) overview!: Overview;
  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'engine' | 'version' | 'route'>;
  readonly #rows = new Query<AtomRow[]>(this);
  @state() private isWhole = false;

  private get sides(): string[] {
    const { judges, people } = this.overview.at_hand;
    return offeredSides([...judges, ...people], sidesOf(this.state.route.place, 'questions'), this.state.route.options.judge);
  }

  private get pair(): { a: string; b: string } {
    return chosenPair(this.overview, sidesOf(this.state.route.place, 'questions'));
  }

  private put(sides: [string, string]): void {
    putSides(this, this.state.route.place, 'questions', sides);
  }

  private get query(): AtomQuery {
    const { place, options } = this.state.route;
    const { scope = '', level = '95' } = place.view === 'agreement' ? place : {};
    return { ...this.pair, scope, profile: options.profile, level };
  }

  protected override willUpdate(): void {
    const { version, engine } = this.state;
    if (engine !== 'ready' || this.sides.length < 2) return;
    const { query } = this;
    this.#rows.ask(`${version} ${JSON.stringify(query)}`, (signal) => this.client.atomAgreement(query, signal));
  }

  override render(): TemplateResult | typeof nothing {
    if (this.sides.length < 2) return nothing;
    const { a, b } = this.pair;
    const rows = this.#rows.value;
    return html`<h2>Question by question</h2>
      <p class="small muted">What the verdicts are made of: where two judges, or a judge and people, answer differently. Runs and raters are averaged.</p>
      <div class="sides">${renderSide('One side', this.sides, a, (id) => this.put([id, b]), 'questions-a')} ${renderSide('The other', this.sides, b, (id) => this.put([a, id]), 'questions-b')}
        ${rows === null || rows.length === 0 ? nothing : html`<button type="button" class="button tiny" data-testid="questions-csv" @click=${() => void this.save()}>${icon('download', 16)}CSV</button>`}</div>
      ${this.#rows.error === null ? nothing : html`<p class="problem" role="alert">${icon('error')} ${this.#rows.error.message}</p>`}
      ${rows === null ? html`<p class="muted small">Comparing…</p>` : rows.length === 0 ? html`<p class="muted">They answered no question about the same output.</p>` : this.renderRows(rows, a, b)}`;
  }

  private renderRows(rows: AtomRow[], a: string, b: string): TemplateResult {
    const shown = this.isWhole ? rows : rows.slice(0, SHOWN);
    const { scope } = this.query;
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Agreement by question">
        <table data-testid="atom-agreement">
          <thead>
            <tr><th scope="col" class="text">Question, the most disputed first</th><th scope="col" class="text">Asked about</th>${scope === '' ? nothing : html`<th scope="col" class="text">Group</th>`}<th scope="col">Outputs</th><th scope="col">Same answer</th><th scope="col">Cohen’s κ</th><th scope="col">Mean, ${named(a)}</th><th scope="col">Mean, ${named(b)}</th></tr>
          </thead>
          <tbody>
            ${shown.map(
              (row) =>
                html`<tr>
                  <th scope="row">${row.label}${row.is_hard ? ' (hard)' : ''} <span class="muted small">${row.id}</span>${row.question === '' ? nothing : html`<span class="question" dir="auto">${row.question}</span>`}</th>
                  <td class="text">${row.domain === '' ? 'several' : row.domain.replaceAll('_', ' ')}</td>
                  ${scope === '' ? nothing : html`<td class="text">${row.key === '' ? 'all' : keyLabel(scope, row.key)}</td>`}
                  <td>${count(row.n)}<span class="question">of ${count(row.expected)}</span></td>
                  <td>${(100 * row.equal).toFixed(1)} %</td>
                  <td>${row.kappa === null ? '–' : html`${row.kappa.value.toFixed(3)}${row.kappa.low === null || row.kappa.high === null ? nothing : html`<span class="question">[${row.kappa.low.toFixed(3)}, ${row.kappa.high.toFixed(3)}]</span>`}`}</td>
                  <td>${judgeScore(row.mean_a)}</td>
                  <td>${judgeScore(row.mean_b)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${shown.length < rows.length ? html`<button type="button" class="link" @click=${() => (this.isWhole = true)}>Show all ${count(rows.length)}</button>` : nothing}`;
  }

  private async save(): Promise<void> {
    const { query } = this;
    try {
      download(this, new Blob([await this.client.atomCsv(query)], { type: 'text/csv' }), 'csv', 'questions', query.a, query.b);
    } catch (error) {
      notify(this, 'error', messageOf(error));
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-questions': JurorQuestions;
  }
}
