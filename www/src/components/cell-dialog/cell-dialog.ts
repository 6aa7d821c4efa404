import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { Query } from '../../state/query';
import {
  MEASURED,
  MIN_FOR_INTERVAL,
  NOT_JUDGED,
  count,
  goodness,
  interval,
  isMeasured,
  judgeScore,
  lowerWords,
  keyLabel,
  mean,
  plural,
  printedScale,
  share,
  turnNumber,
  unitsOf,
} from '../../state/format';
import { gapWords, intervalSteps, intervalWords, meanStep, fine, roundingWords, type Step } from '../../state/origin';
import { printed, printedDecimals } from '../../state/published';
import { NO_FILTER, criterionKey, terms, type CellName, type OpenCell, type Place } from '../../state/router';
import { vars } from '../../state/vars';
import { hrefOf } from '../../state/links';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import type { CriterionInfo } from '../../engine/types/CriterionInfo';
import type { Origin } from '../../engine/types/Origin';
import type { OriginPart } from '../../engine/types/OriginPart';
import type { Overview } from '../../engine/types/Overview';
import type { PublishedCell } from '../../engine/types/PublishedCell';
import type { PublishedRow } from '../../engine/types/PublishedRow';
import type { RowUnit } from '../../engine/types/RowUnit';
import type { RowUnits } from '../../engine/types/RowUnits';
import type { ScoreRow } from '../../engine/types/ScoreRow';
import { base, controls, dialogs, facts } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import { renderLower } from '../name/name';
import { isUnjudgedRow } from '../score-table/shape';
import { styles } from './cell-dialog.styles';
import { PartEvent } from './part';

const ROW_KEY = ['model', 'judge', 'scope', 'key', 'criterion'] as const;

const POLICY_WORDS = {
  zero: 'missing outputs score as lowest',
  exclude: 'missing outputs are left out',
  upstream: 'missing outputs as in the authors’ code',
};

/**
 * @summary What stands behind one mean: formula, values, count, interval, bounds, samples.
 * @event juror-part - A part of the mean was pressed; carries its name.
 * @event juror-cell-closed - The reader closed it.
 */
@customElement('juror-cell-dialog')
export class JurorCellDialog extends LitElement {
  static override styles = [base, controls, dialogs, facts, styles];

  @state() private overview: Overview | null = null;
  @state() private row: ScoreRow | null = null;
  @state() private printed: { row: PublishedRow; cell: PublishedCell } | null = null;
  @query('dialog') private dialog!: HTMLDialogElement;
  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'version' | 'route' | 'overview'>;
  /** Which number is shown. */
  #name = '';
  readonly #units = new Query<RowUnits>(this);
  /** What the samples of the row's group pass in the list. */
  readonly #group = new Query<string | null>(this);

  protected override willUpdate(): void {
    const { overview, row } = this;
    if (overview === null || row === null || this.printed !== null) return;
    const { version, route, overview: now } = this.state;
    // Rows are told by their position, which is another after more was read.
    const at = now?.scores.findIndex((other) => ROW_KEY.every((key) => other[key] === row[key])) ?? -1;
    if (at < 0) return;
    this.#units.ask(`${version} ${JSON.stringify(route.options)} ${at}`, (signal) => this.client.rowUnits(route.options, at, signal));
    const { scope, key } = row;
    if (plainGroup(overview, row) !== undefined) return;
    this.#group.ask(
      `${version} ${JSON.stringify([route.options, scope, key])}`,
      async (signal) => (await this.client.groupFilter(route.options, scope, key, signal)) ?? null,
    );
  }

  override render(): TemplateResult {
    const { overview, row, printed } = this;
    return html`<dialog aria-labelledby="title" @click=${this.onBackdrop} @close=${() => this.dispatchEvent(new Event('juror-cell-closed'))}>
      ${overview === null ? nothing : printed !== null ? this.renderPrinted(overview, printed.row, printed.cell) : row === null ? nothing : this.renderContent(overview, row)}
    </dialog>`;
  }

  /** Shows what the address names, if there is such a number; else nothing. */
  sync(overview: Overview, { cell, print }: OpenCell): void {
    if (!this.hasUpdated) {
      // Whoever renders this element may ask before it has rendered itself.
      void this.updateComplete.then(() => this.sync(overview, { cell, print }));
      return;
    }
    if (print !== undefined) {
      const row = overview.published.rows.find(({ model, judge }) => model === print.model && judge === print.judge);
      const found = row?.cells.find(({ scope, key, criterion }) => scope === print.scope && key === print.key && criterion === print.criterion);
      if (row === undefined || found === undefined) this.shut();
      else this.open(overview, { row, cell: found }, null);
      return;
    }
    const row = cell === undefined ? undefined : overview.scores.find((one) => ROW_KEY.every((key) => one[key] === cell[key]));
    if (row === undefined) this.shut();
    else this.open(overview, null, row);
  }

  private open(overview: Overview, printed: JurorCellDialog['printed'], row: ScoreRow | null): void {
    const name = JSON.stringify(row === null ? [printed?.row.model, printed?.row.judge, printed?.cell] : ROW_KEY.map((key) => row[key]));
    const isOther = name !== this.#name;
    if (isOther) {
      this.#units.clear();
      this.#group.clear();
    }
    this.#name = name;
    this.overview = overview;
    this.printed = printed;
    this.row = row;
    const wasOpen = this.dialog.open;
    if (!wasOpen) this.dialog.showModal();
    // What had the focus may not be there for another number.
    if (isOther || !wasOpen) void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('h2')?.focus());
  }

  private shut(): void {
    this.#name = '';
    if (this.dialog.open) this.dialog.close();
  }

  private renderPrinted(overview: Overview, row: PublishedRow, cell: PublishedCell): TemplateResult {
    const criterion = overview.criteria.find(({ id }) => id === cell.criterion);
    const decimals = printedDecimals(overview.published, cell.table);
    const { computed } = cell;
    return html`<div class="dialog-head">
        <h2 id="title" tabindex="-1">
          <bdi>${row.model}</bdi>
          <span class="what">${keyLabel(cell.scope, cell.key)} · ${criterion?.label ?? cell.criterion}${lowerWords(criterion)}</span>
        </h2>
        <button type="button" class="button quiet icon" aria-label="Close" @click=${() => this.dialog.close()}>${icon('close')}</button>
      </div>
      <div class="dialog-body">
        <div class="value">
          <span class="big num">${printed(cell.value, decimals)}</span>
          <span>printed in ${cell.table} of the ${overview.benchmark?.title ?? ''} paper</span>
        </div>
        ${
          computed === null
            ? html`<p class="muted">The paper prints no parts from which this number could be computed again.</p>`
            : cell.follows === true
              ? html`<p>It follows from other printed numbers: <span class="num">${computed.toFixed(decimals + 2)}</span>.</p>`
              : html`<p class="reason">It does not follow from other printed numbers: they come to <span class="num">${computed.toFixed(decimals + 2)}</span>, more than rounding explains.</p>`
        }
        ${cell.rule === '' ? nothing : html`<section class="formula"><h3>Computed as</h3><p>${cell.rule}</p></section>`}
        <dl class="facts">
          ${cell.sd === null ? nothing : html`<div><dt>Standard deviation, as printed</dt><dd class="num">${printed(cell.sd, decimals)}</dd></div>`}
          <div><dt>Judge</dt><dd dir="auto">${row.judge}</dd></div>
          <div><dt>Over</dt><dd dir="auto">${overview.published.of}</dd></div>
        </dl>
      </div>`;
  }

  private renderContent(overview: Overview, row: ScoreRow): TemplateResult {
    const criterion = overview.criteria.find(({ id }) => id === row.criterion);
    const units = unitsOf(overview, row);
    return html`<div class="dialog-head">
        <h2 id="title" tabindex="-1">
          <bdi>${row.model}</bdi>
          <span class="what">${keyLabel(row.scope, row.key)} · ${criterion?.label ?? row.criterion}${lowerWords(criterion)}</span>
        </h2>
        <button type="button" class="button quiet icon" aria-label="Close" @click=${() => this.dialog.close()}>${icon('close')}</button>
      </div>
      <div class="dialog-body">
        <div class="value">
          <span class="big num">${isUnjudgedRow(overview, row) ? NOT_JUDGED : mean(row.mean, criterion)}</span>
          <span class="num ${row.n < row.expected ? 'partial' : ''}">${row.n} of ${row.expected} ${units} scored</span>
        </div>
        ${row.mean === null ? html`<p class="reason">${reasonFor(overview, row)}</p>` : renderRange(row, criterion)}
        ${this.renderFormula(overview, row)} ${this.renderInterval(overview, row)} ${this.renderUnits(overview, row)}
        <dl class="facts">
          ${row.sd === null ? nothing : html`<div><dt>Standard deviation</dt><dd class="num">${mean(row.sd, criterion)}</dd></div>`}
          <div><dt>Worst / best case: all unscored ${units} at the lowest / highest score</dt><dd class="num">${mean(row.worst, criterion)} / ${mean(row.best, criterion)}</dd></div>
          <div><dt>Scored as</dt><dd>${row.judge === MEASURED ? 'the same either way: what has no value is skipped' : `${row.profile === 'paper' ? 'paper’s formulas' : 'authors’ code'}; ${POLICY_WORDS[row.policy]}${overview.reading === 'tolerant' ? '; replies read tolerantly' : ''}`}</dd></div>
          <div><dt>Judge</dt><dd>${row.judge === '' ? 'not stated by the replies' : row.judge === MEASURED ? 'none: computed from the pixels' : html`<bdi>${row.judge}</bdi>`}${overview.judge_names.some(({ judge }) => judge === row.judge) ? ' (named manually)' : nothing}</dd></div>
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
        ${count(found.n)} of ${count(found.total)} ${this.overview?.benchmark?.words.units ?? 'units'} have a score${incidents > 0 && found.total <= found.units.length ? `, ${count(incidents)} ${incidents === 1 ? 'has' : 'have'} an incident` : ''}
      </summary>
      ${found.total > found.units.length ? html`<p class="muted small">The lowest ${count(found.units.length)} of ${count(found.total)}.</p>` : nothing}
      <ul data-testid="row-units" tabindex="0" aria-label="Scores behind this number">
        ${found.units.map((unit) => html`<li>${this.renderUnit(overview, row, unit)}</li>`)}
      </ul>
    </details>`;
  }

  private renderUnit(overview: Overview, row: ScoreRow, { sample, turn, run, value, status }: RowUnit): TemplateResult {
    const words = [
      sample,
      ...(turn === null || turn === 0 ? [] : [`turn ${turnNumber(turn)}`]),
      ...(run === null || overview.at_hand.runs.length < 2 ? [] : [`run ${run}`]),
    ].join(', ');
    const label = overview.incidents.find(({ kind }) => kind === status)?.label ?? status;
    return html`<a href=${hrefOf(this.state.route, { view: 'sample', id: sample, turn: turn === 0 ? null : turn, models: [row.model], filter: NO_FILTER })}><bdi>${words}</bdi></a>
      ${status === 'ok' ? nothing : html`<span class="partial small">${label}</span>`}<span class="num">${value === null ? '–' : judgeScore(value)}</span>`;
  }

  private renderFormula(overview: Overview, row: ScoreRow): TemplateResult {
    const formula = overview.formulas.find(({ criterion }) => criterion === row.criterion);
    const criterion = overview.criteria.find(({ id }) => id === row.criterion);
    const origin = this.#units.value?.origin;
    // The criteria of a total stand here, unless they are its parts and stand there.
    const isOfCriteria = origin?.mean?.parts.some((part) => part.scope === row.scope && part.key === row.key && part.judge === row.judge) === true;
    return html`<section class="formula">
      <h3>Formula</h3>
      ${formula === undefined ? html`<p class="muted">${isMeasured(row.criterion) ? `The mean of an image metric: ${criterion?.label ?? row.criterion}.` : 'None is given for this criterion.'}</p>` : html`<p class="mono">${formula.text}</p>`}
      ${formula === undefined ? nothing : html`<p class="small muted">${formula.source}. Values are rounded for display only.</p>`}
      ${row.panel === undefined ? nothing : html`<div class="panel-words" data-testid="row-panel">${this.#units.value?.panel.map((sentence) => html`<p class="small">${sentence}</p>`)}</div>`}
      ${origin === undefined ? nothing : this.renderMean(overview, row, origin)}
      ${row.criterion !== 'total' || origin === undefined || isOfCriteria ? nothing : this.renderCriteria(overview, row)}
    </section>`;
  }

  /** The mean with every value filled in, as the engine computed it. */
  private renderMean(overview: Overview, row: ScoreRow, { mean: found }: Origin): TemplateResult | typeof nothing {
    if (found === null) return nothing;
    const info = overview.criteria.find(({ id }) => id === row.criterion);
    const step = row.mean === null ? null : meanStep(found, info);
    const label = (part: OriginPart): string => partLabel(overview, row, part);
    const gaps = found.parts.filter(({ value }) => value === null).map(label);
    const rounding = roundingWords(found);
    return html`${
      step === null
        ? nothing
        : html`<p class="mono filled" data-testid="mean-filled">= <span class="expression">${step.expression}</span><br />= <span class="result">${step.result}</span>${rounding === '' ? nothing : html`, ${rounding}`}<br />= <strong>${mean(row.mean, info)}</strong></p>`
    }
    ${
      found.parts.length === 0
        ? nothing
        : html`<p class="small">${gapWords(found, gaps)}</p>
          <table data-testid="mean-parts">
            <caption class="visually-hidden">What the mean is made of</caption>
            <thead>
              <tr><th scope="col">Part</th><th scope="col">Weight</th><th scope="col">Value</th><th scope="col">Scored</th></tr>
            </thead>
            <tbody>
              ${found.parts.map((part) => this.renderPart(overview, row, part, label(part)))}
            </tbody>
          </table>`
    }`;
  }

  private renderPart(overview: Overview, row: ScoreRow, part: OriginPart, label: string): TemplateResult {
    const name: CellName = { model: row.model, judge: part.judge, scope: part.scope, key: part.key, criterion: part.criterion };
    const own = part.is_row ? overview.scores.find((one) => ROW_KEY.every((key) => one[key] === name[key])) : undefined;
    const info = overview.criteria.find(({ id }) => id === part.criterion);
    const weight = part.value === null ? '–' : part.is_turned ? `${part.weight === 1 ? '' : `${fine(part.weight)} · `}(1 − value)` : fine(part.weight);
    return html`<tr>
      <th scope="row">${own === undefined ? label : html`<a href=${this.partHref(name)} @click=${(event: MouseEvent) => this.onPart(event, name)}>${label}</a>`}</th>
      <td>${weight}</td>
      <td>${part.value === null ? '–' : fine(part.value, info)}</td>
      <td class=${own !== undefined && own.n < own.expected ? 'partial' : ''}>${own === undefined ? '–' : share(own.n, own.expected, unitsOf(overview, own))}</td>
    </tr>`;
  }

  private partHref(cell: CellName): string {
    const { place } = this.state.route;
    const here: Place =
      place.view === 'plots' ? { ...place, cell } : { view: 'overview', scope: '', criterion: '', ...(place.view === 'overview' ? place : {}), cell };
    return hrefOf(this.state.route, here);
  }

  private onPart(event: MouseEvent, cell: CellName): void {
    // A click that opens another tab is the browser's.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.dispatchEvent(new PartEvent(cell));
  }

  private renderCriteria(overview: Overview, row: ScoreRow): TemplateResult | typeof nothing {
    const parts = overview.scores.filter(
      (other) => other.model === row.model && other.judge === row.judge && other.scope === row.scope && other.key === row.key && other.criterion !== 'total',
    );
    if (parts.length === 0) return nothing;
    return html`<table>
      <caption>Criteria of the same group</caption>
      <thead>
        <tr><th scope="col">Criterion</th><th scope="col">Mean</th><th scope="col">Scored</th><th scope="col">95 % interval</th></tr>
      </thead>
      <tbody>
        ${parts.map((part) => {
          const info = overview.criteria.find(({ id }) => id === part.criterion);
          return html`<tr>
            <th scope="row">${info?.label ?? part.criterion}${renderLower(info)}</th>
            <td>${mean(part.mean, info)}</td>
            <td class=${part.n < part.expected ? 'partial' : ''}>${share(part.n, part.expected, unitsOf(overview, part))}</td>
            <td>${interval(part.ci_low, part.ci_high, info)}</td>
          </tr>`;
        })}
      </tbody>
    </table>`;
  }

  /** The interval's own formula, filled in; where there is none, why. */
  private renderInterval(overview: Overview, row: ScoreRow): TemplateResult {
    const info = overview.criteria.find(({ id }) => id === row.criterion);
    const found = this.#units.value?.origin.interval ?? null;
    const words = overview.benchmark?.words;
    const hasRuns = overview.at_hand.runs.length > 1 && row.judge !== MEASURED && words?.units === words?.samples;
    const units = `${words?.units ?? 'units'}${hasRuns ? ', each first averaged over its runs' : ''}`;
    return html`<section class="formula">
      <h3>95 % interval <span class="num">${interval(row.ci_low, row.ci_high, info)}</span></h3>
      ${
        this.#units.value === null
          ? nothing
          : found === null
            ? html`<p class="small">${noInterval(row, this.#units.value.origin)}</p>`
            : html`<p class="small">${intervalWords(found, units)}</p>
              <div class="steps" data-testid="interval-filled">${intervalSteps(found, [row.ci_low, row.ci_high], info).map(renderStep)}</div>`
      }
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
      <a class="button primary" href=${hrefOf(this.state.route, { view: 'samples', filter: { ...NO_FILTER, q, sort: 'score_asc', by: criterionKey(row.criterion) } })}>
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
 * Where groups are fields of the list, numbers do not wait for the engine with every benchmark.
 */
function plainGroup({ abilities }: Overview, { scope, key }: ScoreRow): string | null | undefined {
  if (!abilities.includes('listed_groups')) return undefined;
  if (scope === 'overall') return '';
  return scope === 'category' || scope === 'domain' ? terms({ [scope]: key }) : null;
}

/** A part in words: by what it differs from the mean that it is of. */
function partLabel({ criteria }: Overview, row: ScoreRow, part: OriginPart): string {
  if (part.scope !== row.scope || part.key !== row.key) {
    const isRun = part.scope === 'run' && part.key.startsWith(`${row.key}/`);
    return isRun ? `Run ${part.key.slice(row.key.length + 1)}` : keyLabel(part.scope, part.key);
  }
  if (part.judge !== row.judge) return part.judge === '' ? 'judge not stated' : part.judge;
  return criteria.find(({ id }) => id === part.criterion)?.label ?? part.criterion;
}

/** Why there is no interval. */
function noInterval(row: ScoreRow, { mean: found }: Origin): string {
  if (row.mean === null) return 'None, as there is no mean.';
  if (row.n < MIN_FOR_INTERVAL) return `n too small: of ${plural(row.n, 'value')} nothing can be said; an interval takes at least ${MIN_FOR_INTERVAL}.`;
  if (found?.sum != null) return found.divisor < MIN_FOR_INTERVAL ? `n too small: an interval needs at least ${MIN_FOR_INTERVAL} values.` : 'None is defined.';
  return 'None is defined: one of the parts has none, for example because it has fewer than five values, or the parts share samples, so that their errors are not independent.';
}

function renderStep({ name, expression, result }: Step): TemplateResult {
  const middle = expression === '' ? nothing : html`${' = '}<span class="expression">${expression}</span>`;
  return html`<p class="mono"><span class="name">${name}</span>${middle}${' = '}<span class="result">${result}</span></p>`;
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
  if (isUnjudgedRow(overview, row)) return 'No number: this judge has given no reply about this model yet.';
  if (row.profile === 'released') {
    const stop = overview.differences
      .flatMap(({ effects }) => effects)
      .find(({ model, with_rule: value, note }) => model === row.model && value === null && note !== '');
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
