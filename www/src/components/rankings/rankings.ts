import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { Query } from '../../state/query';
import { count, keyLabel, mean, plural, titleOf } from '../../state/format';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import type { ExchangedPair } from '../../engine/types/ExchangedPair';
import type { Overview } from '../../engine/types/Overview';
import type { PairTest } from '../../engine/types/PairTest';
import type { RankedModel } from '../../engine/types/RankedModel';
import type { RankingRow } from '../../engine/types/RankingRow';
import type { Rankings } from '../../engine/types/Rankings';
import type { RankingsQuery } from '../../engine/types/RankingsQuery';
import { base, controls } from '../../styles/base.styles';
import { figures, tables } from '../../styles/page.styles';
import { icon } from '../icon/icon';
import '../plot-figure/plot-figure';
import type { MarkEvent } from '../plot-figure/plot-figure';
import { chosenPair, named, offeredSides, putSides, renderChoice, renderSide, sidesOf, sidesStyles } from '../sides/sides';
import { slopeChart } from './slope-chart';

/**
 * @summary Whether two judges, or a judge and people, rank the models alike: places, exchanged pairs, deviations, and the slope of both rankings.
 */
@customElement('juror-rankings')
export class JurorRankings extends LitElement {
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

  @property({ attribute: false }) overview!: Overview;
  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'engine' | 'version' | 'route'>;
  readonly #rankings = new Query<Rankings>(this);
  /** The model that was chosen in the drawing. */
  @state() private here = '';

  private get sides(): string[] {
    const { judges, people } = this.overview.at_hand;
    return offeredSides([...people, ...judges], sidesOf(this.state.route.place, 'ranking'), this.state.route.options.judge);
  }

  private get pair(): { a: string; b: string } {
    return chosenPair(this.overview, sidesOf(this.state.route.place, 'ranking'));
  }

  /** What judges rate; what is measured is nobody's opinion. */
  private get criteria(): [string, string][] {
    const rated = this.overview.criteria.filter((one) => one.id !== 'total' && !this.measured.has(one.id));
    return [
      ['total', this.overview.criteria.find((one) => one.id === 'total')?.label ?? 'Total'],
      ...rated.map((one): [string, string] => [one.id, titleOf(one)]),
    ];
  }

  private get criterion(): string {
    const asked = sidesOf(this.state.route.place, 'ranking')[2];
    return this.criteria.find(([id]) => id === asked)?.[0] ?? 'total';
  }

  /** The group that is drawn. */
  private get key(): string {
    return sidesOf(this.state.route.place, 'ranking')[3] ?? '';
  }

  /** Chooses anew what is ranked; a group is of one choice. */
  private seek(change: { a?: string; b?: string; criterion?: string; key?: string }): void {
    const { a, b, criterion, key } = { ...this.pair, criterion: this.criterion, key: this.key, ...change };
    putSides(this, this.state.route.place, 'ranking', [a, b, criterion, ...(key === '' ? [] : [key])]);
  }

  private get measured(): Set<string> {
    const requested = new Set(this.overview.requests.flatMap((one) => [one.id, ...one.criteria]));
    return new Set(this.overview.criteria.filter((one) => !requested.has(one.id)).map((one) => one.id));
  }

  private get query(): RankingsQuery {
    const { place, options } = this.state.route;
    const { scope = '', level = '95' } = place.view === 'agreement' ? place : {};
    return { ...this.pair, criterion: this.criterion, scope, level, profile: options.profile };
  }

  protected override willUpdate(): void {
    const { version, engine } = this.state;
    if (engine !== 'ready' || this.sides.length < 2) return;
    const { query } = this;
    this.#rankings.ask(`${version} ${JSON.stringify(query)}`, (signal) => this.client.rankings(query, signal));
  }

  override render(): TemplateResult | typeof nothing {
    if (this.sides.length < 2) return nothing;
    const { a, b } = this.pair;
    const found = this.#rankings.value;
    return html`<h2>Rankings</h2>
      <p class="small muted">
        Whether two judges, or a judge and people, put the models in the same order. Means are of the ${this.overview.benchmark?.words.samples ?? 'samples'} that both rated, each counting once, as in Compare.
      </p>
      <div class="sides">
        ${renderSide('First ranking by', this.sides, a, (a) => this.seek({ a }), 'rankings-a')} ${renderSide('Second ranking by', this.sides, b, (b) => this.seek({ b }), 'rankings-b')}
        ${renderChoice('Criterion', this.criteria, this.criterion, (criterion) => this.seek({ criterion }), 'rankings-criterion')}
      </div>
      ${this.#rankings.error === null ? (found === null ? html`<p class="muted small">Comparing…</p>` : this.renderFound(found)) : html`<p class="problem" role="alert">${icon('error')} ${this.#rankings.error.message}</p>`}`;
  }

  private renderFound(found: Rankings): TemplateResult {
    const row = found.rows.find((one) => one.key === this.key) ?? found.rows[0];
    if (row === undefined) return html`<p class="muted">There is nothing to rank.</p>`;
    const group = row.key === '' ? '' : keyLabel(found.scope, row.key);
    const names = { a: named(found.a), b: named(found.b), group };
    return html`${this.renderFigures(found, row)}
      ${row.models.length < 2 ? nothing : html`<juror-plot-figure .chart=${slopeChart(found, row, names, sentenceOf(row))} .names=${row.models.map((one) => one.model)} .source=${[found.a, found.b, found.criterion.id].join(', ')} @mark=${(event: MarkEvent) => this.show(row, event)}></juror-plot-figure>`}
      ${row.models.length === 0 ? nothing : this.renderModels(found, row, names)} ${row.exchanged.length === 0 ? nothing : renderExchanged(found, row, names)}
      ${row.notes.length === 0 ? nothing : html`<ul class="small" data-testid="rankings-notes">${row.notes.map((note) => html`<li>${note}</li>`)}</ul>`}
      ${MEANING}`;
  }

  /** One line for all samples, and one for each group of the scope. */
  private renderFigures(found: Rankings, chosen: RankingRow): TemplateResult {
    const hasGroups = found.rows.length > 1;
    const label = (row: RankingRow): string => (row.key === '' ? 'all' : keyLabel(found.scope, row.key));
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Agreement of rankings">
      <table data-testid="rankings">
        <thead>
          <tr>
            ${hasGroups ? html`<th scope="col" class="text">Group</th>` : nothing}<th scope="col">Models</th><th scope="col">Samples</th><th scope="col">Spearman ρ</th><th scope="col">exact p</th><th scope="col">Kendall τ-b</th>
            <th scope="col">Exchanged pairs</th><th scope="col">Both tests separate</th><th scope="col">Tied pairs</th><th scope="col">Mean deviation</th><th scope="col">Mean absolute deviation</th>
          </tr>
        </thead>
        <tbody>
          ${found.rows.map(
            (row) =>
              html`<tr class=${hasGroups && row === chosen ? 'here' : ''}>
                ${hasGroups ? html`<th scope="row"><button type="button" class="link" aria-pressed=${row === chosen ? 'true' : 'false'} @click=${() => this.seek({ key: row.key })}>${label(row)}</button></th>` : nothing}
                <td>${count(row.models.length)}${row.left_out.length === 0 ? nothing : html`<span class="interval">of ${count(row.models.length + row.left_out.length)}</span>`}</td>
                <td>${count(row.n)}<span class="interval">of ${count(row.expected)}</span></td>
                <td>${figure(row.rho)}</td><td>${pValue(row.rho_p)}</td><td>${figure(row.tau_b)}</td>
                <td>${count(row.exchanged.length)}<span class="interval">of ${count(row.pairs)}</span></td><td>${count(row.exchanged.filter(bothSeparate).length)}</td><td>${count(row.tied)}</td>
                <td>${signed(row.mean_difference, found)}</td>
                <td>${row.mean_absolute === null ? '–' : mean(row.mean_absolute, found.criterion)}${row.printed_mean_absolute === null ? nothing : html`<span class="interval">printed ${row.printed_mean_absolute}</span>`}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private renderModels(found: Rankings, row: RankingRow, { a, b }: Sides): TemplateResult {
    const isPrinted = row.models.some((one) => one.printed_a !== null || one.printed_b !== null);
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Models by both sides">
      <table data-testid="rankings-models">
        <caption>Models by both sides${isPrinted ? html`<span class="interval">Printed by the paper: ${row.printed_source}, on other outputs</span>` : nothing}</caption>
        <thead>
          <tr><th scope="col" class="text">Model</th><th scope="col">Samples</th><th scope="col">Place, ${a}</th><th scope="col">Place, ${b}</th><th scope="col">Mean, ${a}</th><th scope="col">Mean, ${b}</th><th scope="col">Second less first, ${found.level} %</th>${isPrinted ? html`<th scope="col">Printed, ${a}</th><th scope="col">Printed, ${b}</th>` : nothing}</tr>
        </thead>
        <tbody>
          ${row.models.map(
            (one) =>
              html`<tr class=${one.model === this.here ? 'here' : ''} data-model=${one.model}>
                <th scope="row" dir="auto">${one.model}</th>
                <td>${count(one.n)}<span class="interval">of ${count(one.expected)}</span></td>
                <td>${one.rank_a}</td><td>${one.rank_b}</td><td>${mean(one.mean_a, found.criterion)}</td><td>${mean(one.mean_b, found.criterion)}</td>
                <td>${renderDifference(one, found)}</td>
                ${isPrinted ? html`<td>${one.printed_a ?? '–'}</td><td>${one.printed_b ?? '–'}</td>` : nothing}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  /** The line of the table that a line of the drawing is about. */
  private async show(row: RankingRow, { action }: MarkEvent): Promise<void> {
    if (!('row' in action)) return;
    this.here = row.models[action.row]?.model ?? '';
    await this.updateComplete;
    this.renderRoot.querySelector('[data-testid="rankings-models"] tr.here')?.scrollIntoView({ block: 'nearest' });
  }
}

/** What the two sides are called. */
interface Sides {
  a: string;
  b: string;
}

function renderExchanged(found: Rankings, row: RankingRow, { a, b }: Sides): TemplateResult {
  const test = ({ difference, p, separated }: PairTest): TemplateResult =>
    html`<td>${signed(difference, found)}<span class="interval">p ${pValue(p)}</span></td><td>${separated ? 'yes' : 'no'}</td>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Exchanged pairs of models">
    <table data-testid="rankings-exchanged">
      <caption>Exchanged pairs, and whether both sides’ own tests find a significant difference</caption>
      <thead>
        <tr><th scope="col" class="text">First is ahead by ${a}, second by ${b}</th><th scope="col">Samples</th><th scope="col">Difference, ${a}</th><th scope="col">Told apart</th><th scope="col">Difference, ${b}</th><th scope="col">Told apart</th></tr>
      </thead>
      <tbody>
        ${row.exchanged.map(
          (pair) =>
            html`<tr>
              <th scope="row"><bdi>${pair.model}</bdi> – <bdi>${pair.other}</bdi></th>
              <td>${count(pair.n)}<span class="interval">of ${count(pair.expected)}</span></td>
              ${test(pair.by_a)}${test(pair.by_b)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function renderDifference({ difference: { value, low, high } }: RankedModel, found: Rankings): TemplateResult {
  const ends = low === null || high === null ? 'n too small' : `[${signed(low, found)}, ${signed(high, found)}]`;
  return html`${signed(value, found)}<span class="interval">${ends}</span>`;
}

/** What the rankings come to, to be quoted. */
function sentenceOf(row: RankingRow): string {
  const apart = row.exchanged.filter(bothSeparate).length;
  const figures =
    row.rho === null || row.tau_b === null
      ? 'one side scores all models equally'
      : `Spearman’s ρ is ${figure(row.rho)}${row.rho_p === null ? '' : ` (exact p ${pValue(row.rho_p)})`} and Kendall’s τ-b ${figure(row.tau_b)}`;
  const exchanges =
    row.exchanged.length === 0
      ? 'no pair is exchanged'
      : `${plural(row.exchanged.length, 'pair')} of ${count(row.pairs)} ${row.exchanged.length === 1 ? 'is' : 'are'} exchanged, ${apart === 0 ? 'none of them' : count(apart)} with a significant difference on both sides`;
  return `Of ${plural(row.models.length, 'model')} on ${count(row.n)} of ${count(row.expected)} outputs, ${figures}; ${exchanges}.`;
}

const bothSeparate = ({ by_a: a, by_b: b }: ExchangedPair): boolean => a.separated && b.separated;

const figure = (value: number | null): string => (value === null ? '–' : value.toFixed(3).replace('-', '−'));

const pValue = (p: number | null): string => (p === null ? '–' : p < 0.001 ? '< 0.001' : p.toFixed(3));

/** A difference with its sign, rounded as printed. */
function signed(value: number | null, { criterion }: Rankings): string {
  if (value === null) return '–';
  const text = mean(Math.abs(value), criterion);
  return Number(text) === 0 ? text : `${value < 0 ? '−' : '+'}${text}`;
}

const MEANING = html`<details class="small">
  <summary>What these figures are</summary>
  <p>
    ρ is Pearson’s r of the places, τ-b the surplus of pairs in the same order, with ties allowed for (Kendall 1945). The exact p counts all orders of the models, twice the smaller tail; above nine models there is none. Deviations
    are the second side’s means less the first’s. Tests of an exchanged pair are those of Compare, corrected by Holm over all pairs of a side, at 5 % whatever the level of intervals, on what both sides rated.
  </p>
</details>`;

declare global {
  interface HTMLElementTagNameMap {
    'juror-rankings': JurorRankings;
  }
}
