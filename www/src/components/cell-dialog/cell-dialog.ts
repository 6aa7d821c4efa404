import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import { Query, StoreController } from '../../app/controllers';
import { MEASURED, count, goodness, interval, isMeasured, judgeScore, keyLabel, mean, plural, printedScale } from '../../app/format';
import { filledIn } from '../../app/formula';
import { printed, printedDecimals } from '../../app/published';
import { NO_FILTER, criterionKey, terms } from '../../app/router';
import { store } from '../../app/store';
import { vars } from '../../app/vars';
import type { CriterionInfo } from '../../engine/types/CriterionInfo';
import type { Overview } from '../../engine/types/Overview';
import type { PublishedCell } from '../../engine/types/PublishedCell';
import type { PublishedRow } from '../../engine/types/PublishedRow';
import type { RowUnit } from '../../engine/types/RowUnit';
import type { RowUnits } from '../../engine/types/RowUnits';
import type { ScoreRow } from '../../engine/types/ScoreRow';
import { base, controls, dialogs, facts } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import { styles } from './cell-dialog.styles';

const ROW_KEY = ['model', 'judge', 'scope', 'key', 'criterion'] as const;

const POLICY_WORDS = {
  zero: 'missing outputs count the lowest score',
  exclude: 'missing outputs are left out',
  upstream: 'missing outputs as in the authors’ code',
};

/**
 * @summary What stands behind one mean: formula, values, count, interval, bounds, samples.
 */
@customElement('juror-cell-dialog')
export class JurorCellDialog extends LitElement {
  static override styles = [base, controls, dialogs, facts, styles];

  @state() private overview: Overview | null = null;
  @state() private row: ScoreRow | null = null;
  @state() private printed: { row: PublishedRow; cell: PublishedCell } | null = null;
  @query('dialog') private dialog!: HTMLDialogElement;
  readonly #store = new StoreController(this);
  readonly #units = new Query<RowUnits>(this);
  /** What the samples of the row's group pass in the list. */
  readonly #group = new Query<string | null>(this);

  protected override willUpdate(): void {
    const { overview, row } = this;
    if (overview === null || row === null || this.printed !== null) return;
    const { version, route, overview: now } = this.#store.state;
    // Rows are told by their position, which is another after more was read.
    const at = now?.scores.findIndex((other) => ROW_KEY.every((key) => other[key] === row[key])) ?? -1;
    if (at < 0) return;
    this.#units.ask(`${version} ${JSON.stringify(route.options)} ${at}`, (signal) => store.client.rowUnits(route.options, at, signal));
    const { scope, key } = row;
    if (plainGroup(overview, row) !== undefined) return;
    this.#group.ask(`${version} ${JSON.stringify([route.options, scope, key])}`, async (signal) => (await store.client.groupFilter(route.options, scope, key, signal)) ?? null);
  }

  override render(): TemplateResult {
    const { overview, row, printed } = this;
    return html`<dialog aria-labelledby="title" @click=${this.onBackdrop}>
      ${overview === null ? nothing : printed !== null ? this.renderPrinted(overview, printed.row, printed.cell) : row === null ? nothing : this.renderContent(overview, row)}
    </dialog>`;
  }

  /** Opens for one score row. */
  show(overview: Overview, row: ScoreRow): void {
    if (row !== this.row) {
      this.#units.clear();
      this.#group.clear();
    }
    this.overview = overview;
    this.row = row;
    this.printed = null;
    this.dialog.showModal();
  }

  /** Opens for a number that the paper prints. */
  showPrinted(overview: Overview, row: PublishedRow, cell: PublishedCell): void {
    this.overview = overview;
    this.printed = { row, cell };
    this.dialog.showModal();
  }

  private renderPrinted(overview: Overview, row: PublishedRow, cell: PublishedCell): TemplateResult {
    const criterion = overview.criteria.find(({ id }) => id === cell.criterion);
    const decimals = printedDecimals(overview.published, cell.table);
    const { computed } = cell;
    return html`<div class="dialog-head">
        <h2 id="title">
          ${row.model}
          <span class="what">${keyLabel(cell.scope, cell.key)} · ${criterion?.label ?? cell.criterion}</span>
        </h2>
        <button type="button" class="button quiet icon" aria-label="Close" @click=${() => this.dialog.close()}>${icon('close')}</button>
      </div>
      <div class="dialog-body">
        <div class="value">
          <span class="big num">${printed(cell.value, decimals)}</span>
          <span>printed in ${cell.table} of the ${overview.benchmark?.title ?? ''} paper</span>
        </div>
        ${computed === null
          ? html`<p class="muted">The paper prints no parts from which this number could be computed again.</p>`
          : cell.follows === true
            ? html`<p>It follows from other printed numbers: <span class="num">${computed.toFixed(decimals + 2)}</span>.</p>`
            : html`<p class="reason">It does not follow from other printed numbers: they come to <span class="num">${computed.toFixed(decimals + 2)}</span>, more than rounding explains.</p>`}
        ${cell.rule === '' ? nothing : html`<section class="formula"><h3>Computed as</h3><p>${cell.rule}</p></section>`}
        <dl class="facts">
          ${cell.sd === null ? nothing : html`<div><dt>Standard deviation, as printed</dt><dd class="num">${printed(cell.sd, decimals)}</dd></div>`}
          <div><dt>Judge</dt><dd>${row.judge}</dd></div>
          <div><dt>Over</dt><dd>${overview.published.of}</dd></div>
        </dl>
      </div>`;
  }

  private renderContent(overview: Overview, row: ScoreRow): TemplateResult {
    const criterion = overview.criteria.find(({ id }) => id === row.criterion);
    const units = overview.benchmark?.words.units ?? 'units';
    return html`<div class="dialog-head">
        <h2 id="title">
          ${row.model}
          <span class="what">${keyLabel(row.scope, row.key)} · ${criterion?.label ?? row.criterion}</span>
        </h2>
        <button type="button" class="button quiet icon" aria-label="Close" @click=${() => this.dialog.close()}>${icon('close')}</button>
      </div>
      <div class="dialog-body">
        <div class="value">
          <span class="big num">${mean(row.mean, criterion)}</span>
          <span class="num ${row.n < row.expected ? 'partial' : ''}">${row.n} of ${row.expected} ${units} scored</span>
        </div>
        ${row.mean === null ? html`<p class="reason">${reasonFor(overview, row)}</p>` : renderRange(row, criterion)}
        ${this.renderFormula(overview, row)} ${this.renderUnits(overview, row)}
        <dl class="facts">
          <div><dt>95 % interval</dt><dd class="num">${interval(row.ci_low, row.ci_high, criterion)}</dd></div>
          ${row.sd === null ? nothing : html`<div><dt>Standard deviation</dt><dd class="num">${mean(row.sd, criterion)}</dd></div>`}
          <div><dt>If all unscored ${units} got the lowest / highest score</dt><dd class="num">${mean(row.worst, criterion)} / ${mean(row.best, criterion)}</dd></div>
          <div><dt>Profile and policy</dt><dd>${row.judge === MEASURED ? 'neither matters: what has no value is left out' : `${row.profile === 'paper' ? 'Paper' : 'Released code'}; ${POLICY_WORDS[row.policy]}`}</dd></div>
          <div><dt>Judge</dt><dd>${row.judge === '' ? 'not stated by the replies' : row.judge === MEASURED ? 'none: computed from the pixels' : row.judge}</dd></div>
        </dl>
        ${this.renderList(overview, row)}
      </div>`;
  }

  /** Every score that the mean is made of, each a link to its sample. */
  private renderUnits(overview: Overview, row: ScoreRow): TemplateResult {
    const found = this.#units.value;
    if (this.#units.error !== null) return html`<p class="reason">${this.#units.error.message}</p>`;
    if (found === null) return html`<p class="muted small">Looking up the scores behind it…</p>`;
    const incidents = found.units.filter(({ status }) => status !== 'ok').length;
    return html`<details class="units">
      <summary>
        ${plural(found.n, 'score')} behind it${found.n < found.total ? `, ${count(found.total - found.n)} missing` : ''}${incidents > 0 && found.total <= found.units.length ? `, ${plural(incidents, 'incident')}` : ''}
      </summary>
      ${found.total > found.units.length ? html`<p class="muted small">The lowest ${count(found.units.length)} of ${count(found.total)}.</p>` : nothing}
      <ul data-testid="row-units" tabindex="0" aria-label="Scores behind this number">
        ${found.units.map((unit) => html`<li>${this.renderUnit(overview, row, unit)}</li>`)}
      </ul>
    </details>`;
  }

  private renderUnit(overview: Overview, row: ScoreRow, { sample, turn, run, value, status }: RowUnit): TemplateResult {
    const words = [sample, ...(turn === null || turn === 0 ? [] : [`turn ${turn}`]), ...(run === null || overview.at_hand.runs.length < 2 ? [] : [`run ${run}`])].join(', ');
    const label = overview.incidents.find(({ kind }) => kind === status)?.label ?? status;
    return html`<a href=${store.href({ view: 'sample', id: sample, turn: turn === 0 ? null : turn, models: [row.model], filter: NO_FILTER })} @click=${() => this.dialog.close()}>${words}</a>
      ${status === 'ok' ? nothing : html`<span class="partial small">${label}</span>`}<span class="num">${value === null ? '–' : judgeScore(value)}</span>`;
  }

  /** The plain mean with its sum filled in, where that is the number; a mean over groups is another. */
  private plainMean(row: ScoreRow, criterion: CriterionInfo | undefined): string | null {
    const found = this.#units.value;
    if (found === null || row.mean === null || found.n === 0 || criterion === undefined) return null;
    const scale = row.criterion === 'total' ? 1 : criterion.scale;
    if (Math.abs((found.sum / found.n) * scale - row.mean) > 1e-9 * Math.max(1, Math.abs(row.mean))) return null;
    return `${judgeScore(found.sum)} / ${count(found.n)}${scale === 1 ? '' : ` · ${judgeScore(scale)}`}`;
  }

  private renderFormula(overview: Overview, row: ScoreRow): TemplateResult {
    const formula = overview.formulas.find(({ criterion }) => criterion === row.criterion);
    const parts = overview.scores.filter(
      (other) => other.model === row.model && other.judge === row.judge && other.scope === row.scope && other.key === row.key && other.criterion !== 'total',
    );
    const criterion = overview.criteria.find(({ id }) => id === row.criterion);
    const filled = (formula === undefined ? null : filledIn(formula.text, row, parts, overview.criteria)) ?? this.plainMean(row, criterion);
    return html`<section class="formula">
      <h3>Formula</h3>
      ${formula === undefined ? html`<p class="muted">${isMeasured(row.criterion) ? `The mean of an image metric: ${criterion?.label ?? row.criterion}.` : 'None is given for this criterion.'}</p>` : html`<p class="mono">${formula.text}</p>`}
      ${filled === null ? nothing : html`<p class="mono filled">= ${filled}<br />= <strong>${mean(row.mean, criterion)}</strong></p>`}
      ${formula === undefined ? nothing : html`<p class="small muted">${formula.source}. Values are rounded for display only.</p>`}
      ${row.criterion !== 'total' || parts.length === 0
        ? nothing
        : html`<table>
            <thead>
              <tr><th scope="col">Criterion</th><th scope="col">Mean</th><th scope="col">n</th><th scope="col">95 % interval</th></tr>
            </thead>
            <tbody>
              ${parts.map((part) => {
                const info = overview.criteria.find(({ id }) => id === part.criterion);
                return html`<tr>
                  <th scope="row">${info?.label ?? part.criterion}</th>
                  <td>${mean(part.mean, info)}</td>
                  <td class=${part.n < part.expected ? 'partial' : ''}>${part.n}/${part.expected}</td>
                  <td>${interval(part.ci_low, part.ci_high, info)}</td>
                </tr>`;
              })}
            </tbody>
          </table>`}
    </section>`;
  }

  /** The way to the samples of the group in the list, where an expression says which they are. */
  private renderList(overview: Overview, row: ScoreRow): TemplateResult | typeof nothing {
    const plain = plainGroup(overview, row);
    const group = plain === undefined ? this.#group.value : plain;
    if (group === null) return nothing;
    const { judges } = overview.at_hand;
    const judge = judges.length > 1 && judges.includes(row.judge) ? row.judge : '';
    const q = [group, terms({ model: row.model, judge })].filter((term) => term !== '').join(' ');
    return html`<div class="toolbar">
      <a class="button primary" href=${store.href({ view: 'samples', filter: { ...NO_FILTER, q, sort: 'score_asc', by: criterionKey(row.criterion) } })} @click=${() => this.dialog.close()}>
        ${icon('list')}Samples behind this number
      </a>
    </div>`;
  }

  private onBackdrop(event: Event): void {
    if (event.target === this.dialog) this.dialog.close();
  }
}

/**
 * What the samples of a row's group pass in the list, where it need not be asked; `null` where they are no group of samples.
 *
 * WEAVEBench's groups are fields of the list, so its numbers do not wait for the engine with every benchmark.
 */
function plainGroup({ benchmark }: Overview, { scope, key }: ScoreRow): string | null | undefined {
  if (benchmark?.protocol !== 'weave') return undefined;
  if (scope === 'overall') return '';
  return scope === 'category' || scope === 'domain' ? terms({ [scope]: key }) : null;
}

/** The mean on its scale, with interval and bounds. */
function renderRange(row: ScoreRow, info: CriterionInfo | undefined): TemplateResult | typeof nothing {
  if (row.mean === null || info?.direction === 'neither') return nothing;
  const at = (value: number | null): number => goodness(value ?? row.mean ?? 0, info);
  const { low, high } = printedScale(info);
  const down = info?.direction === 'down';
  const [from, to] = down ? [row.ci_high, row.ci_low] : [row.ci_low, row.ci_high];
  const [worst, best] = down ? [row.best, row.worst] : [row.worst, row.best];
  return html`<div
    class="range"
    aria-hidden="true"
    ${vars({ '--mean': at(row.mean), '--low': at(from), '--high': at(to), '--worst': at(worst), '--best': at(best) })}
  >
    <span class="bounds"></span><span class="ci"></span><span class="at"></span>
    <span class="tick zero">${down ? high : low}</span><span class="tick one">${down ? low : high}</span>
  </div>`;
}

/** Why there is no mean. */
function reasonFor(overview: Overview, row: ScoreRow): string {
  if (row.profile === 'released') {
    const stop = overview.differences.flatMap(({ effects }) => effects).find(({ model, with_rule: value, note }) => model === row.model && value === null && note !== '');
    if (stop !== undefined) return `No number. ${stop.note}`;
    return row.n === 0 ? 'No number: the authors’ script finds nothing to average here.' : 'No number: the authors’ script writes none for these replies.';
  }
  return row.n === 0 ? 'No number: nothing of this group has been scored.' : 'No number: the paper defines none for this set of criteria.';
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-cell-dialog': JurorCellDialog;
  }
}
