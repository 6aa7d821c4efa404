import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { Query } from '../../state/query';
import { count, keyLabel } from '../../state/format';
import { NO_FILTER } from '../../state/router';
import { hrefOf } from '../../state/links';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import { messageOf } from '../../engine/errors';
import type { Estimate } from '../../engine/types/Estimate';
import type { LabelCounts } from '../../engine/types/LabelCounts';
import type { LabelQuery } from '../../engine/types/LabelQuery';
import type { LabelRow } from '../../engine/types/LabelRow';
import { base, controls } from '../../styles/base.styles';
import { figures, tables } from '../../styles/page.styles';
import { download } from '../events';
import { icon } from '../icon/icon';
import { renderChoice, sidesStyles } from '../sides/sides';

/** What rows call an output with at least one label. */
const ANY = 'any';

/**
 * @summary How often each failure label was set, by group and model, and how far people agree on it.
 */
@customElement('juror-label-counts')
export class JurorLabelCounts extends LitElement {
  static override styles = [
    base,
    controls,
    tables,
    figures,
    sidesStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 12px;
        padding: 14px 16px 16px;
      }
      ul {
        margin: 0;
        padding-left: 20px;
      }
    `,
  ];

  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'engine' | 'version' | 'route'>;
  readonly #counts = new Query<LabelCounts>(this);
  @state() private rater = '';
  /** The scope that was chosen; that of the address until then. */
  @state() private scope: string | null = null;
  /** The group that is shown. */
  @state() private key = '';
  @state() private error = '';

  private get query(): LabelQuery {
    const { place } = this.state.route;
    const { scope = '', level = '95' } = place.view === 'agreement' ? place : {};
    return { scope: this.scope ?? scope, rater: this.rater, level };
  }

  protected override willUpdate(): void {
    const { version, engine } = this.state;
    if (engine !== 'ready') return;
    const { query } = this;
    this.#counts.ask(`${version} ${JSON.stringify(query)}`, (signal) => this.client.labelCounts(query, signal));
  }

  override render(): TemplateResult {
    const found = this.#counts.value;
    const error = this.error === '' ? (this.#counts.error?.message ?? '') : this.error;
    return html`<h2>Failure labels</h2>
      <p class="small muted">How often each failure was seen, out of the outputs that were looked at: those with a label, and those marked as having no failure. Outputs that nobody labelled are not counted.</p>
      ${error === '' ? nothing : html`<p class="problem" role="alert">${icon('error')} ${error}</p>`}
      ${found === null ? (error === '' ? html`<p class="muted small">Counting…</p>` : nothing) : this.renderFound(found)}`;
  }

  private renderFound(found: LabelCounts): TemplateResult {
    const seen = found.raters.some(({ outputs }) => outputs > 0);
    if (!seen)
      return html`<p class="muted" data-testid="labels-empty">
        ${found.notes.join(' ')} Set labels in a sample or while you <a href=${hrefOf(this.state.route, { view: 'rate' })}>rate</a>, or open a CSV with the columns sample, turn, model, label and rater.
      </p>`;
    const keys = [...new Set(found.rows.map((row) => row.key))];
    const key = keys.includes(this.key) ? this.key : '';
    const scopes = found.scopes.filter(({ scope }) => scope !== 'overall').map(({ scope, label }): [string, string] => [scope, label]);
    return html`<div class="sides">
        ${renderChoice('Labels by', [['', 'everybody'], ...found.raters.map(({ rater }): [string, string] => [rater, rater === '' ? 'somebody without a name' : rater])], found.rater, (id) => (this.rater = id), 'labels-rater')}
        ${renderChoice('Groups by', [['', 'none'], ...scopes], found.scope, (id) => this.regroup(id), 'labels-scope')}
        ${
          keys.length === 1
            ? nothing
            : renderChoice(
                'Group',
                keys.map((id) => [id, id === '' ? 'all' : keyLabel(found.scope, id)]),
                key,
                (id) => (this.key = id),
                'labels-key',
              )
        }
      </div>
      ${this.renderCounts(
        found,
        found.rows.filter((row) => row.key === key),
      )} ${found.agreement.length === 0 ? nothing : renderAgreement(found)}
      ${found.notes.length === 0 ? nothing : html`<ul class="small">${found.notes.map((note) => html`<li>${note}</li>`)}</ul>`}
      <div class="toolbar">
        <button type="button" class="button tiny" data-testid="labels-counts-csv" @click=${() => void this.save(['label-counts'], () => this.client.labelCountsCsv(this.query))}>${icon('download', 16)}Counts as CSV</button>
        ${found.agreement.length === 0 ? nothing : html`<button type="button" class="button tiny" data-testid="labels-agreement-csv" @click=${() => void this.save(['label-agreement'], () => this.client.labelAgreementCsv(this.query))}>${icon('download', 16)}Agreement as CSV</button>`}
        <button type="button" class="button tiny" data-testid="labels-csv" @click=${() => void this.save(['labels', found.rater], () => this.client.labelsCsv(found.rater === '' ? null : found.rater))}>${icon('download', 16)}Labels as CSV</button>
      </div>`;
  }

  private renderCounts(found: LabelCounts, rows: LabelRow[]): TemplateResult {
    const models = [...new Set(rows.map((row) => row.model))];
    const labels = [ANY, ...found.labels.map(({ id }) => id)];
    const cell = (label: string, model: string): LabelRow | undefined => rows.find((row) => row.label === label && row.model === model);
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Failure labels by model">
      <table data-testid="label-counts">
        <caption>Share of outputs with the label, ${found.level} % interval (Wilson), and outputs with it of those looked at</caption>
        <thead>
          <tr><th scope="col" class="text">Label</th>${models.map((model) => html`<th scope="col" dir="auto">${model === '' ? 'All models' : model}</th>`)}</tr>
        </thead>
        <tbody>
          ${labels.map(
            (label) =>
              html`<tr data-label=${label}>
                <th scope="row" dir="auto"><a href=${hrefOf(this.state.route, { view: 'samples', filter: { ...NO_FILTER, q: `label:${quoted(label)}` } })}>${nameOf(found, label)}</a></th>
                ${models.map((model) => renderCell(cell(label, model)))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private regroup(scope: string): void {
    this.scope = scope;
    this.key = '';
  }

  private async save(kind: string[], make: () => Promise<Uint8Array<ArrayBuffer>>): Promise<void> {
    try {
      download(this, new Blob([await make()], { type: 'text/csv' }), 'csv', ...kind);
      this.error = '';
    } catch (error) {
      this.error = messageOf(error);
    }
  }
}

function renderCell(row: LabelRow | undefined): TemplateResult {
  if (row === undefined) return html`<td>–</td>`;
  const { share } = row;
  return html`<td title="${count(row.count)} of ${count(row.n)} looked at, ${count(row.expected)} in all">
    ${share === null ? '–' : percent(share.value)}<span class="interval">${share === null ? '' : `${ends(share, percent)} `}${count(row.count)} of ${count(row.n)}</span>
  </td>`;
}

function renderAgreement(found: LabelCounts): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Agreement on failure labels">
    <table data-testid="label-agreement">
      <caption>Agreement of people: Cohen’s κ on the outputs that both looked at</caption>
      <thead>
        <tr><th scope="col" class="text">First</th><th scope="col" class="text">Second</th><th scope="col" class="text">Label</th><th scope="col">Outputs</th><th scope="col">Of</th><th scope="col">Both</th><th scope="col">First alone</th><th scope="col">Second alone</th><th scope="col">κ, ${found.level} %</th></tr>
      </thead>
      <tbody>
        ${found.agreement.map(
          (row) =>
            html`<tr>
              <th scope="row" dir="auto">${row.a}</th><td class="text" dir="auto">${row.b}</td><td class="text" dir="auto">${nameOf(found, row.label)}</td>
              <td>${count(row.n)}</td><td>${count(row.expected)}</td><td>${count(row.both)}</td><td>${count(row.only_a)}</td><td>${count(row.only_b)}</td>
              <td>${row.kappa === null ? '–' : figure(row.kappa.value)}<span class="interval">${row.kappa === null ? '' : ends(row.kappa, figure)}</span></td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

const nameOf = ({ labels }: LabelCounts, id: string): string => (id === ANY ? 'At least one' : (labels.find((label) => label.id === id)?.name ?? id));

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const figure = (value: number): string => value.toFixed(3).replace('-', '−');

const ends = ({ low, high }: Estimate, write: (value: number) => string): string => (low === null || high === null ? '' : `[${write(low)}, ${write(high)}]`);

/** A value of the filter as it is typed. */
const quoted = (value: string): string => (/^[\w-]+$/.test(value) ? value : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`);

declare global {
  interface HTMLElementTagNameMap {
    'juror-label-counts': JurorLabelCounts;
  }
}
