import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { Query } from '../../state/query';
import { count, judgeScore, keyLabel, plural, turnWords } from '../../state/format';
import { LEVELS } from '../../state/comparing';
import { NO_FILTER, type Pair, type Place } from '../../state/router';
import { vars } from '../../state/vars';
import { hrefOf } from '../../state/links';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import { messageOf } from '../../engine/errors';
import type { Agreement } from '../../engine/types/Agreement';
import type { AgreementQuery } from '../../engine/types/AgreementQuery';
import type { AgreementRow } from '../../engine/types/AgreementRow';
import type { CommonScore } from '../../engine/types/CommonScore';
import type { Disagreement } from '../../engine/types/Disagreement';
import type { Estimate } from '../../engine/types/Estimate';
import type { Overview } from '../../engine/types/Overview';
import type { PairDetail } from '../../engine/types/PairDetail';
import type { PairKey } from '../../engine/types/PairKey';
import type { PeopleRow } from '../../engine/types/PeopleRow';
import type { RateScope } from '../../engine/types/RateScope';
import type { SteadinessRow } from '../../engine/types/SteadinessRow';
import { base, controls } from '../../styles/base.styles';
import { figures, tables } from '../../styles/page.styles';
import { download, notify, say } from '../events';
import { renderAllCompared } from '../choices/choices';
import { icon } from '../icon/icon';
import '../printed-figures/printed-figures';
import { askedOf, fixed, named, percent, renderPicture, renderSentence, resultStyles, words } from './result';

type AgreementPlace = Extract<Place, { view: 'agreement' }>;

/** Whatever can be rated. */
const EVERYTHING: RateScope = { rater: '', seed: 1, models: [], criteria: [], items: 'criteria', samples: 0, per: '' };

/** Disagreements that are listed at first. */
const SHOWN = 25;
/** Rows of a table of pairs that are shown at once. */
const MAX_ROWS = 60;

const PAIR_KEYS = ['kind', 'a', 'b', 'model', 'criterion', 'key'] as const;

const KINDS: [string, string][] = [
  ['human_judge', 'People and judges'],
  ['judge_judge', 'Agreement between judges'],
  ['human_human', 'Agreement between people'],
];

/**
 * @summary How far judges agree with people and with each other, and how steady each is over its runs.
 */
@customElement('juror-agreement')
export class JurorAgreement extends LitElement {
  static override styles = [
    base,
    controls,
    tables,
    figures,
    resultStyles,
    css`
      :host {
        display: grid;
        gap: 14px;
        padding: 14px 16px 16px;
      }
      th .link {
        text-align: left;
        white-space: nowrap;
      }
      .detail {
        display: grid;
        gap: 12px;
        padding: 12px;
        border: 1px solid var(--juror-line);
        border-radius: var(--juror-radius);
      }
      .detail > div {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 16px 32px;
        align-items: start;
      }
      .matrix {
        min-width: 0;
      }
      .matrix th,
      .matrix td {
        padding: 4px 8px;
        border: 1px solid var(--juror-line);
        text-align: center;
      }
      .matrix td {
        background: color-mix(in srgb, var(--juror-tint) calc(var(--part) * 45%), transparent);
      }
      .matrix td.same {
        outline: 2px solid var(--juror-line-strong);
        outline-offset: -2px;
      }
      .more {
        margin: 8px 0;
      }
      .list td,
      .list th {
        white-space: normal;
      }
      details dl {
        display: grid;
        gap: 6px;
        max-width: 96ch;
        margin-top: 8px;
      }
      details dt {
        font-weight: 600;
      }
      details dd {
        color: var(--juror-text-2);
      }
      @media (max-width: 760px) {
        .detail > div {
          grid-template-columns: minmax(0, 1fr);
        }
      }
      .choice {
        display: flex;
        align-items: center;
        gap: 6px;
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
  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'engine' | 'version' | 'route'>;
  readonly #agreement = new Query<Agreement>(this);
  readonly #detail = new Query<PairDetail>(this);
  /** How steady a judge is on each model in each group is listed as well. */
  @state() private isByBoth = false;
  /** All disagreements of the chosen pair are listed. */
  @state() private isWhole = false;
  /** Titles of the tables that are shown whole. */
  @state() private wholeTables: ReadonlySet<string> = new Set();

  /** The pair that was chosen in the picture is in full below, maybe out of sight. */
  #isBelow = false;

  /** What is asked. */
  private get query(): AgreementQuery {
    const { scope, level } = this.sought;
    return { options: this.state.route.options, scope, level };
  }

  protected override willUpdate(): void {
    const { version, route, engine } = this.state;
    if (engine !== 'ready') return;
    const { scope, level } = this.sought;
    const { query } = this;
    this.#agreement.ask(`${version} ${JSON.stringify(query)}`, (signal) => this.client.agreement(query, signal));
    const { chosen } = this;
    if (chosen === null) return;
    const key: PairKey = { ...chosen, scope, level, options: route.options };
    this.#detail.ask(`${version} ${JSON.stringify(key)}`, (signal) => this.client.agreementPair(key, signal));
  }

  protected override updated(changed: PropertyValues<this>): void {
    // The pair that is chosen comes with the page's next state.
    if (!this.#isBelow || !changed.has('state')) return;
    this.#isBelow = false;
    this.renderRoot.querySelector('.detail')?.scrollIntoView({ block: 'nearest' });
  }

  override render(): TemplateResult {
    const found = this.#agreement.value;
    if (this.#agreement.error !== null) {
      return html`<p class="problem" role="alert">${icon('error')} ${this.#agreement.error.message} <button type="button" class="link" @click=${() => this.seek({ scope: '' })}>All samples together</button></p>`;
    }
    if (found === null) return html`<p class="muted small">Comparing…</p>`;
    const alone = found.raters.length > 1 && found.people.length === 0;
    const nothingYet = found.pairs.length === 0 && found.steadiness.length === 0;
    const label = (id: string): string => this.criterion(id);
    const asked = askedOf(found, this.sought.matrix ?? [], label);
    const picture = renderPicture(asked, {
      isChosen: (row) => this.isChosen(row),
      choose: (row) => this.chooseInPicture(row),
      seek: (figure, criterion) => this.seek({ matrix: [figure, criterion] }),
    });
    return html`${renderSentence(asked, found, label)} ${picture}
      ${nothingYet ? html`<p class="muted">One judge, one run and no ratings by people: there is nothing to compare yet. Open another judge’s replies, more runs, or a CSV of ratings.</p>` : nothing}
      ${nothingYet ? nothing : this.renderCompared()} ${nothingYet ? nothing : this.renderSought(found)}
      ${alone ? html`<p class="muted">${plural(found.raters.length, 'rater')} have no output in common, so nothing can be said about their agreement.</p>` : nothing}
      ${found.people.length === 0 ? nothing : this.renderPeople(found.people)}
      ${KINDS.map(([kind, title]) =>
        this.renderPairs(
          title,
          found.pairs.filter((row) => row.kind === kind),
        ),
      )}
      ${found.partitions.length === 0 ? nothing : this.renderPartitions(found)} ${found.steadiness.length === 0 ? nothing : this.renderSteadiness(found.steadiness)}
      <juror-printed-figures .client=${this.client} .overview=${this.overview} .rows=${found.printed} .query=${this.query}></juror-printed-figures>
      ${nothingYet ? nothing : FORMULAS}
      <div class="tools">
        <button type="button" class="button tiny" @click=${() => void this.downloadTemplate()}>${icon('download', 16)}Template for people’s ratings</button>
        <span class="muted small">
          CSV with sample, turn, model, criterion, rater and score, on the judge’s scale.
          ${found.raters.length === 0 ? nothing : html`${plural(found.ratings, 'rating')} by ${plural(found.raters.length, 'rater')} are in.`}
          ${found.left_out === 0 ? nothing : html`Too many to compare one by one: those with most scores are shown, and ${count(found.left_out)} further ${found.left_out === 1 ? 'one counts' : 'ones count'} in the figures of all raters only.`}
          ${found.strangers === 0 ? nothing : html`${count(found.strangers)} name no sample or model that is open.`}
        </span>
      </div>`;
  }

  /** Of what is chosen for every other view only judges together count here. */
  private renderCompared(): TemplateResult | typeof nothing {
    const { options } = this.state.route;
    if (options.judge?.startsWith('panel:') !== true) return renderAllCompared(options);
    return html`<p class="callout" role="status" data-testid="panel-compared">${icon('note', 16)}<span>All judges and runs are compared here, and <b>${options.judge}</b>, which is chosen above, as one judge more; it is not held against those whom it is made of.</span></p>`;
  }

  private renderPeople(rows: PeopleRow[]): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label="All raters at once">
      <table data-testid="people">
        <caption>All raters at once</caption>
        <thead>
          <tr><th scope="col" class="text">Criterion</th>${this.groupHead}<th scope="col">Raters</th><th scope="col">Outputs that several rated</th><th scope="col">Krippendorff’s α, interval</th><th scope="col">α, ordinal</th><th scope="col">Most common score</th></tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                <th scope="row">${this.criterion(row.criterion)}</th>${this.renderGroup(row.key)}
                <td>${count(row.raters)}</td><td>${renderCounts(row)}</td>
                ${renderEstimate(row.alpha_interval)}${renderEstimate(row.alpha_ordinal)}${renderCommon(row.common)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private renderPairs(title: string, rows: AgreementRow[]): TemplateResult | typeof nothing {
    if (rows.length === 0) return nothing;
    const heads = [
      'Outputs',
      'Krippendorff’s α, interval',
      'α, ordinal',
      'κ, quadratic weights',
      'Cohen’s κ',
      'Spearman ρ',
      'Pearson r',
      'MAE',
      'MSE',
      'Equal',
      'Most common',
      'Most common',
    ];
    const here = rows.find((row) => this.isChosen(row));
    const isWhole = rows.length <= MAX_ROWS || this.wholeTables.has(title);
    // Of many rows those over all models come first, and the one that is open.
    const first = rows.filter((row) => row.model === '').slice(0, MAX_ROWS);
    const shown = isWhole ? rows : rows.filter((row) => first.includes(row) || row === here);
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${title}>
        <table data-testid="agreement">
          <caption>${title}</caption>
          <thead>
            <tr>
              <th scope="col" class="text">Pair</th><th scope="col" class="text">Model</th><th scope="col" class="text">Criterion</th>${this.groupHead}
              ${heads.map((head, at) => html`<th scope="col">${head}${at < 10 ? nothing : html`<span class="interval">${at === 10 ? 'first side' : 'second side'}</span>`}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${shown.map(
              (row) =>
                html`<tr class=${this.isChosen(row) ? 'here' : ''}>
                  <th scope="row">
                    <button type="button" class="link" aria-expanded=${this.isChosen(row) ? 'true' : 'false'} @click=${() => this.choose(row)}>${named(row.a)} – ${named(row.b)}</button>
                  </th>
                  <th scope="row" dir="auto">${row.model === '' ? 'all' : row.model}</th>
                  <th scope="row">${this.criterion(row.criterion)}</th>${this.renderGroup(row.key)}
                  <td>${renderCounts(row)}</td>
                  ${[row.alpha_interval, row.alpha_ordinal, row.weighted_kappa, row.kappa, row.spearman, row.pearson, row.mae, row.mse].map((one) => renderEstimate(one))}
                  <td>${percent(row.equal)}</td>
                  ${renderCommon(row.common_a)}${renderCommon(row.common_b)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${shown.length === rows.length ? nothing : html`<p class="small">${count(shown.length)} of ${count(rows.length)} rows, those over all models. <button type="button" class="link" data-testid="agreement-all" @click=${() => this.showTable(title)}>Show all</button></p>`}
      ${here === undefined ? nothing : this.renderDetail(here)}`;
  }

  private renderDetail(row: AgreementRow): TemplateResult {
    const title = `${named(row.a)} and ${named(row.b)}, ${this.criterion(row.criterion)}${row.model === '' ? '' : `, ${row.model}`}${row.key === '' ? '' : `, ${this.group(row.key)}`}`;
    const detail = this.#detail.value;
    const isOld =
      detail === null ||
      detail.row.a !== row.a ||
      detail.row.b !== row.b ||
      detail.row.criterion !== row.criterion ||
      detail.row.model !== row.model ||
      detail.row.key !== row.key;
    if (this.#detail.error !== null && !this.#detail.pending) return html`<p class="problem" role="alert">${icon('error')} ${this.#detail.error.message}</p>`;
    return html`<section class="detail" aria-label=${title} data-testid="pair-detail">
      <h2>${title}</h2>
      ${
        isOld
          ? html`<p class="muted small">Comparing…</p>`
          : html`<p class="small">
              α ${words(detail.row.alpha_interval)} (interval), ${words(detail.row.alpha_ordinal)} (ordinal); quadratic κ ${words(detail.row.weighted_kappa)}; ρ ${words(detail.row.spearman)}; ${plural(detail.row.n, 'output')} rated by both.
              Equal in ${percent(detail.row.equal)}; always saying ${detail.row.common_a === null ? '–' : judgeScore(detail.row.common_a.score)} would equal ${named(row.a)} in ${percent(detail.row.common_a?.share ?? null)}.
            </p>
            <div>${this.renderMatrix(detail)}${this.renderDisagreements(detail)}</div>`
      }
    </section>`;
  }

  private renderMatrix({ row, steps, counts }: PairDetail): TemplateResult {
    const most = Math.max(1, ...counts.flat());
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Confusion matrix">
      <table class="matrix" data-testid="confusion">
        <caption>Rows: ${named(row.a)}. Columns: ${named(row.b)}.</caption>
        <thead><tr><td></td>${steps.map((step) => html`<th scope="col">${judgeScore(step)}</th>`)}</tr></thead>
        <tbody>
          ${counts.map((cells, i) => html`<tr><th scope="row">${judgeScore(steps[i] ?? 0)}</th>${cells.map((n, j) => html`<td class=${i === j ? 'same' : ''} ${vars({ '--part': n / most })}>${n === 0 ? html`<span class="muted">0</span>` : count(n)}</td>`)}</tr>`)}
        </tbody>
      </table>
    </div>`;
  }

  private renderDisagreements({ row, disagreements }: PairDetail): TemplateResult {
    if (disagreements.length === 0) return html`<p class="muted">They never differ.</p>`;
    const shown = this.isWhole ? disagreements : disagreements.slice(0, SHOWN);
    // Of very many the engine names the largest alone.
    const all = Math.max(disagreements.length, row.equal === null ? 0 : Math.round(row.n * (1 - row.equal)));
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Largest disagreements">
      <table class="list" data-testid="disagreements">
        <caption>Largest disagreements <span class="muted num" data-testid="disagreements-count">${shown.length < all ? `${count(shown.length)} of ${count(all)}` : count(all)}</span></caption>
        <thead><tr><th scope="col" class="text">Sample</th><th scope="col" class="text">Model</th><th scope="col">${named(row.a)}</th><th scope="col">${named(row.b)}</th><th scope="col" class="text">Notes</th></tr></thead>
        <tbody>
          ${shown.map((one) => this.renderDisagreement(one))}
        </tbody>
      </table>
      ${shown.length < disagreements.length ? html`<button type="button" class="link more" @click=${this.showAll}>Show ${disagreements.length < all ? 'the first' : 'all'} ${count(disagreements.length)}</button>` : nothing}
    </div>`;
  }

  private showTable(title: string): void {
    this.wholeTables = new Set([...this.wholeTables, title]);
  }

  /** The button goes; who pressed it goes on with the first line that it brought. */
  private async showAll(): Promise<void> {
    this.isWhole = true;
    await this.updateComplete;
    this.renderRoot.querySelectorAll<HTMLElement>('.list tbody a')[SHOWN]?.focus({ preventScroll: true });
  }

  private renderDisagreement({ sample, turn, model, a, b, notes }: Disagreement): TemplateResult {
    const href = hrefOf(this.state.route, { view: 'sample', id: sample, turn, models: [model], filter: NO_FILTER });
    return html`<tr><th scope="row"><a href=${href}>${sample}${turnWords(turn)}</a></th><th scope="row" dir="auto">${model}</th><td>${judgeScore(a)}</td><td>${judgeScore(b)}</td><td class="text">${notes.join('; ')}</td></tr>`;
  }

  /** The pair that the address names, if there is one like it. */
  private get chosen(): Pair | null {
    const { place } = this.state.route;
    const pair = place.view === 'agreement' ? place.pair : undefined;
    const isThere = this.#agreement.value?.pairs.some((row) => pair !== undefined && PAIR_KEYS.every((key) => row[key] === pair[key])) === true;
    return isThere ? (pair ?? null) : null;
  }

  private isChosen(row: AgreementRow): boolean {
    const { chosen } = this;
    return (
      chosen !== null &&
      chosen.kind === row.kind &&
      chosen.a === row.a &&
      chosen.b === row.b &&
      chosen.model === row.model &&
      chosen.criterion === row.criterion &&
      chosen.key === row.key
    );
  }

  private choose(row: AgreementRow): void {
    const { kind, a, b, model, criterion, key } = row;
    this.isWhole = false;
    this.seek({ pair: this.isChosen(row) ? undefined : { kind, a, b, model, criterion, key } });
  }

  private chooseInPicture(row: AgreementRow): void {
    this.#isBelow = true;
    this.choose(row);
  }

  /** What the address asks for. */
  private get sought(): Required<AgreementPlace> {
    const { place } = this.state.route;
    const { pair, scope = '', level = '95', ranking, questions, matrix } = place.view === 'agreement' ? place : {};
    return { view: 'agreement', pair, scope, level, ranking, questions, matrix };
  }

  private seek(change: Partial<AgreementPlace>): void {
    say(this, 'go', { ...this.sought, ...change, view: 'agreement' });
  }

  /** By which groups there are rows, and how sure intervals are. */
  private renderSought({ scopes, keys_left_out: leftOut }: Agreement): TemplateResult {
    const { scope, level } = this.sought;
    const groups = scopes.filter((one) => one.scope !== 'overall' && one.keys.length > 1);
    const pick = (event: Event): string => (event.target as HTMLSelectElement).value;
    return html`<div class="tools">
      ${
        groups.length === 0
          ? nothing
          : html`<label class="choice"
              ><span>Rows also by</span>
              <select class="field" data-testid="agreement-scope" @change=${(event: Event) => this.seek({ scope: pick(event), pair: undefined })}>
                <option value="" .selected=${scope === ''}>no group</option>
                ${groups.map((one) => html`<option value=${one.scope} .selected=${one.scope === scope}>${one.label}</option>`)}
              </select></label
            >`
      }
      <label class="choice"
        ><span>Intervals</span>
        <select class="field" data-testid="agreement-interval" @change=${(event: Event) => this.seek({ level: LEVELS.find((one) => one === pick(event)) ?? '95' })}>
          ${LEVELS.map((one) => html`<option value=${one} .selected=${one === level}>${one} %</option>`)}
        </select></label
      >
      ${leftOut === 0 ? nothing : html`<span class="muted small">${count(leftOut)} further groups have no rows: there are too many.</span>`}
    </div>`;
  }

  private get groupHead(): TemplateResult | typeof nothing {
    return this.sought.scope === '' ? nothing : html`<th scope="col" class="text">Group</th>`;
  }

  private renderGroup(key: string): TemplateResult | typeof nothing {
    return this.sought.scope === '' ? nothing : html`<th scope="row">${this.group(key)}</th>`;
  }

  private group(key: string): string {
    return key === '' ? 'all' : keyLabel(this.sought.scope, key);
  }

  /** Each pairing over ten parts of its outputs. */
  private renderPartitions({ partitions, level }: Agreement): TemplateResult {
    const figure = (value: number | null): string => (value === null ? '–' : value.toFixed(3));
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Correlation over ten parts">
      <table data-testid="partitions">
        <caption>Pearson’s r over ten parts of the outputs</caption>
        <thead>
          <tr>
            <th scope="col" class="text">Pair</th><th scope="col" class="text">Criterion</th>${this.groupHead}<th scope="col">Outputs</th><th scope="col">Parts</th>
            <th scope="col">Mean of the parts, ${level} %</th><th scope="col">SD</th><th scope="col">Smallest</th><th scope="col">Largest</th>
          </tr>
        </thead>
        <tbody>
          ${partitions.map(
            (row) =>
              html`<tr>
                <th scope="row">${named(row.a)} – ${named(row.b)}</th>
                <th scope="row">${this.criterion(row.criterion)}</th>${this.renderGroup(row.key)}
                <td>${renderCounts(row)}</td>
                <td>${row.defined === row.parts ? count(row.parts) : html`<span title="In the other parts one side is constant">${count(row.defined)} of ${count(row.parts)}</span>`}</td>
                ${renderEstimate(row.r)}<td>${figure(row.sd)}</td><td>${figure(row.least)}</td><td>${figure(row.most)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private renderSteadiness(all: SteadinessRow[]): TemplateResult {
    // A model in a group is one of many.
    const fine = all.filter((row) => row.model !== '' && row.key !== '').length;
    const rows = this.isByBoth ? all : all.filter((row) => row.model === '' || row.key === '');
    const figure = (value: number): string => value.toFixed(3);
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Steadiness over runs">
      <table data-testid="steadiness">
        <caption>Steadiness over runs</caption>
        <thead>
          <tr>
            <th scope="col" class="text">Judge</th><th scope="col" class="text">Model</th><th scope="col" class="text">Criterion</th>${this.groupHead}<th scope="col">Outputs</th>
            <th scope="col">Average of each run</th><th scope="col">Largest difference</th><th scope="col">SD of averages</th><th scope="col">Standard error of the mean</th>
            <th scope="col">Mean SD per output</th><th scope="col">Largest spread of an output</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                <th scope="row">${named(row.judge)}</th>
                <th scope="row" dir="auto">${row.model === '' ? 'all' : row.model}</th>
                <th scope="row">${this.criterion(row.criterion)}</th>${this.renderGroup(row.key)}
                <td>${renderCounts(row)}</td><td>${row.averages.map(figure).join(' · ')}</td><td>${figure(row.largest_difference)}</td><td>${figure(row.sd_of_averages)}</td>
                <td>${figure(row.standard_error)}</td><td>${figure(row.sd)}</td><td>${figure(row.max_spread)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${
      fine === 0
        ? nothing
        : html`<div class="tools"><button type="button" class="button tiny" data-testid="steadiness-more" aria-expanded=${this.isByBoth ? 'true' : 'false'} @click=${() => (this.isByBoth = !this.isByBoth)}>${this.isByBoth ? 'Hide' : 'Show'} the ${count(fine)} rows by model and group</button></div>`
    }`;
  }

  private criterion(id: string): string {
    return this.overview.criteria.find((one) => one.id === id)?.label ?? id;
  }

  private async downloadTemplate(): Promise<void> {
    try {
      download(this, new Blob([await this.client.ratingsTemplate(EVERYTHING)], { type: 'text/csv' }), 'csv', 'ratings-template');
    } catch (error) {
      notify(this, 'error', messageOf(error));
    }
  }
}

/** Outputs that count, of those that could. */
const renderCounts = ({ n, expected }: { n: number; expected: number }): TemplateResult => html`${count(n)}<span class="interval">of ${count(expected)}</span>`;

function renderCommon(common: CommonScore | null): TemplateResult {
  return html`<td>${common === null ? '–' : html`${judgeScore(common.score)}<span class="interval">${percent(common.share)}</span>`}</td>`;
}

const FORMULAS = html`<details class="small">
  <summary>What these figures are</summary>
  <dl>
    <div><dt>Krippendorff’s α</dt><dd>1 − observed / expected disagreement over outputs that two or more rated: Dₒ = 1/n Σᵤ Σ δ²/(mᵤ − 1), Dₑ = 1/(n(n − 1)) Σ δ² over all pairs of scores; δ is the difference of scores (interval) or of their mean ranks (ordinal). Krippendorff 2011. It is 1 for full agreement and 0 for chance, and not defined where nothing varies.</dd></div>
    <div><dt>κ, quadratic weights</dt><dd>1 − mean (a − b)² / (σₐ² + σ_b² + (ā − b̄)²): Cohen 1968, with the scores’ own distances as weights.</dd></div>
    <div><dt>Cohen’s κ</dt><dd>Only equal scores count as agreement; the interval is the large-sample one. Between means of runs or raters, which are seldom equal, it says little.</dd></div>
    <div><dt>ρ and r</dt><dd>Spearman’s with the interval of Bonett and Wright 2000, Pearson’s with Fisher’s.</dd></div>
    <div><dt>Intervals of α and weighted κ</dt><dd>By 1,000 resamples of whole samples with a fixed seed, as outputs of one sample share its difficulty. Rows of one model show theirs when opened.</dd></div>
    <div><dt>Outputs</dt><dd>Those that count, of those that one of the two sides rated; of runs, those scored in every run of those scored in any. People have the totals and criteria that their answers to a judge’s questions make, where they gave none themselves.</dd></div>
    <div><dt>Ten parts</dt><dd>The outputs that both rated, in the order of a SHA-256 of seed, sample, turn and model, are cut into ten equal parts: mean of their r, ± t · SD / √10. Fewer than twenty outputs have none.</dd></div>
    <div><dt>Averages of runs</dt><dd>Over the outputs scored in every run; the standard error of their mean is SD / √runs. The mean of several judges is taken run by run, of the outputs that all of them scored.</dd></div>
    <div><dt>Equal, most common</dt><dd>The share of equal scores means little by itself: whoever always gives the other side’s most common score reaches that score’s share.</dd></div>
  </dl>
</details>`;

function renderEstimate(one: Estimate | null): TemplateResult {
  if (one === null) return html`<td title="Not defined: too few pairs, or one side is constant">–</td>`;
  return html`<td>${fixed(one.value)}${one.low === null || one.high === null ? nothing : html`<span class="interval">[${fixed(one.low)}, ${fixed(one.high)}]</span>`}</td>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-agreement': JurorAgreement;
  }
}
