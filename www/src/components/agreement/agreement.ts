import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { Query, StoreController } from '../../app/controllers';
import { download } from '../../app/download';
import { count, plural } from '../../app/format';
import { store } from '../../app/store';
import { messageOf } from '../../engine/protocol';
import type { Agreement } from '../../engine/types/Agreement';
import type { AgreementRow } from '../../engine/types/AgreementRow';
import type { Estimate } from '../../engine/types/Estimate';
import type { Overview } from '../../engine/types/Overview';
import type { SteadinessRow } from '../../engine/types/SteadinessRow';
import { base, controls } from '../../styles/base.styles';
import { icon } from '../icon/icon';

const KINDS: [string, string][] = [
  ['human_judge', 'People and judges'],
  ['judge_judge', 'Judges among themselves'],
  ['human_human', 'People among themselves'],
];

/**
 * @summary How far judges agree with people and with each other, and how steady each is over its runs.
 */
@customElement('juror-agreement')
export class JurorAgreement extends LitElement {
  static override styles = [
    base,
    controls,
    css`
      :host {
        display: grid;
        gap: 14px;
        padding: 14px 16px 16px;
      }
      .scroll {
        overflow-x: auto;
      }
      table {
        border-collapse: collapse;
        min-width: 100%;
      }
      caption {
        padding: 4px 0;
        text-align: left;
        font-weight: 600;
      }
      th,
      td {
        padding: 6px 14px 6px 0;
        border-top: 1px solid var(--juror-line);
        text-align: right;
        font-weight: 400;
        font-variant-numeric: tabular-nums;
        white-space: nowrap;
      }
      th[scope='row'],
      th.text {
        text-align: left;
      }
      thead th {
        border-top: 0;
        color: var(--juror-text-3);
        font-size: var(--juror-size-s);
      }
      .interval {
        display: block;
        color: var(--juror-text-3);
        font-size: var(--juror-size-s);
      }
      .tools {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 10px;
      }
    `,
  ];

  @property({ attribute: false }) overview!: Overview;
  readonly #store = new StoreController(this);
  readonly #agreement = new Query<Agreement>(this);

  protected override willUpdate(): void {
    const { version, route, engine } = this.#store.state;
    if (engine !== 'ready') return;
    this.#agreement.ask(`${version} ${JSON.stringify(route.options)}`, (signal) => store.client.agreement(route.options, signal));
  }

  override render(): TemplateResult {
    const found = this.#agreement.value;
    if (this.#agreement.error !== null) return html`<p class="problem" role="alert">${icon('error')} ${this.#agreement.error.message}</p>`;
    if (found === null) return html`<p class="muted small">Comparing…</p>`;
    const nothingYet = found.pairs.length === 0 && found.steadiness.length === 0;
    return html`${nothingYet ? html`<p class="muted">One judge, one run and no ratings by people: there is nothing to compare yet. Open another judge’s replies, more runs, or a CSV of ratings.</p>` : nothing}
      ${KINDS.map(([kind, title]) => this.renderPairs(title, found.pairs.filter((row) => row.kind === kind)))}
      ${found.steadiness.length === 0 ? nothing : this.renderSteadiness(found.steadiness)}
      <div class="tools">
        <button type="button" class="button tiny" @click=${() => void this.downloadTemplate()}>${icon('download', 16)}Template for people’s ratings</button>
        <span class="muted small">
          CSV with sample, turn, model, criterion, rater and score, on the judge’s scale.
          ${found.raters.length === 0 ? nothing : html`${plural(found.ratings, 'rating')} by ${plural(found.raters.length, 'rater')} are in.`}
          ${found.strangers === 0 ? nothing : html`${count(found.strangers)} name no sample or model that is open.`}
        </span>
      </div>`;
  }

  private renderPairs(title: string, rows: AgreementRow[]): TemplateResult | typeof nothing {
    if (rows.length === 0) return nothing;
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${title}>
      <table data-testid="agreement">
        <caption>${title}</caption>
        <thead>
          <tr>
            <th scope="col" class="text">Pair</th><th scope="col" class="text">Model</th><th scope="col" class="text">Criterion</th><th scope="col">n</th>
            <th scope="col">Pearson r</th><th scope="col">Spearman ρ</th><th scope="col">Cohen’s κ</th><th scope="col">MAE</th><th scope="col">MSE</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                <th scope="row">${named(row.a)} – ${named(row.b)}</th>
                <th scope="row">${row.model === '' ? 'all' : row.model}</th>
                <th scope="row">${this.criterion(row.criterion)}</th>
                <td>${count(row.n)}</td>
                ${[row.pearson, row.spearman, row.kappa, row.mae, row.mse].map((one) => renderEstimate(one))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private renderSteadiness(rows: SteadinessRow[]): TemplateResult {
    const figure = (value: number): string => value.toFixed(3);
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Steadiness over runs">
      <table>
        <caption>Steadiness over runs</caption>
        <thead>
          <tr>
            <th scope="col" class="text">Judge</th><th scope="col" class="text">Model</th><th scope="col" class="text">Criterion</th><th scope="col">Runs</th><th scope="col">n</th>
            <th scope="col">Standard error of the mean</th><th scope="col">Mean SD</th><th scope="col">Largest spread</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                <th scope="row">${named(row.judge)}</th>
                <th scope="row">${row.model === '' ? 'all' : row.model}</th>
                <th scope="row">${this.criterion(row.criterion)}</th>
                <td>${count(row.runs)}</td><td>${count(row.n)}</td><td>${figure(row.standard_error)}</td><td>${figure(row.sd)}</td><td>${figure(row.max_spread)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private criterion(id: string): string {
    return this.overview.criteria.find((one) => one.id === id)?.label ?? id;
  }

  private async downloadTemplate(): Promise<void> {
    try {
      download(new Blob([await store.client.ratingsTemplate()], { type: 'text/csv' }), 'ratings.csv');
    } catch (error) {
      store.notify('error', messageOf(error));
    }
  }
}

const named = (side: string): string => (side === '' ? 'judge not stated' : side);

function renderEstimate(one: Estimate | null): TemplateResult {
  if (one === null) return html`<td title="Not defined: too few pairs, or one side is constant">–</td>`;
  return html`<td>${one.value.toFixed(3)}${one.low === null || one.high === null ? nothing : html`<span class="interval">[${one.low.toFixed(3)}, ${one.high.toFixed(3)}]</span>`}</td>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-agreement': JurorAgreement;
  }
}
