import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { Query, StoreController } from '../state/controllers';
import { download } from '../state/download';
import { count, plural } from '../state/format';
import { store } from '../state/store';
import { vars } from '../state/vars';
import { bars, percent, renderBars, type Bar } from '../components/count-bars/count-bars';
import { icon } from '../components/icon/icon';
import { messageOf } from '../engine/errors';
import type { BenchmarkStatistics } from '../engine/types/BenchmarkStatistics';
import type { CountTable } from '../engine/types/CountTable';
import type { Frequent } from '../engine/types/Frequent';
import type { PrintedCountRow } from '../engine/types/PrintedCountRow';
import type { Spread } from '../engine/types/Spread';
import type { TotalRow } from '../engine/types/TotalRow';
import { manualLink } from '../manual/link';
import { base, controls } from '../styles/base.styles';
import { page, tables } from '../styles/page.styles';

/** Rows of a table that are shown at first. */
const SHOWN = 16;

/**
 * @summary What the benchmark is made of, counted without any model, beside the totals that its paper prints.
 */
@customElement('juror-statistics')
export class JurorStatistics extends LitElement {
  static override styles = [
    base,
    controls,
    page,
    tables,
    bars,
    css`
      .head {
        display: flex;
        flex-wrap: wrap;
        gap: 8px 16px;
        align-items: end;
        justify-content: space-between;
      }
      .note {
        padding: 16px;
      }
      .panel {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 8px;
        align-content: start;
        padding: 14px 16px 16px;
      }
      .side-by-side {
        columns: 2 380px;
        column-gap: 16px;
      }
      .side-by-side > .panel {
        break-inside: avoid;
        margin-bottom: 16px;
      }
      h2 + p {
        margin-top: -4px;
      }
      .link {
        justify-self: start;
      }
      .cross td {
        background: color-mix(in srgb, var(--juror-tint) calc(var(--part, 0) * 35%), transparent);
      }
      .cross th,
      .cross td {
        padding: 4px 8px;
        white-space: nowrap;
      }
      .cross th[scope='row'],
      .totals th[scope='row'] {
        padding-left: 0;
        white-space: normal;
        min-width: 14ch;
      }
      /* On a narrow screen the table scrolls rather than breaks every word. */
      .totals td.text {
        min-width: 18ch;
      }
      .cross td .small {
        display: block;
        color: var(--juror-text-2);
      }
      .figures {
        display: flex;
        flex-wrap: wrap;
        gap: 2px 16px;
        color: var(--juror-text-2);
        font-size: var(--juror-size-s);
        font-variant-numeric: tabular-nums;
      }
      .figures b {
        color: var(--juror-text);
        font-weight: 600;
      }
      .words {
        columns: 3 240px;
        column-gap: 32px;
      }
      .words li {
        display: grid;
        grid-template-columns: 3ch minmax(0, 9em) minmax(0, 1fr) 10ch;
        gap: 8px;
        align-items: center;
        padding: 2px 0;
        break-inside: avoid;
        font-variant-numeric: tabular-nums;
      }
      .words .rank {
        color: var(--juror-text-3);
        font-size: var(--juror-size-s);
        text-align: right;
      }
      .words .times {
        text-align: right;
      }
      .words .word {
        overflow-wrap: anywhere;
      }
    `,
  ];

  readonly #store = new StoreController(this);
  readonly #found = new Query<BenchmarkStatistics>(this);
  /** The tables that are shown whole. */
  @state() private whole: readonly string[] = [];

  private get isOpen(): boolean {
    const benchmark = this.#store.state.overview?.benchmark;
    return benchmark != null && benchmark.path !== '';
  }

  protected override willUpdate(): void {
    const { engine, version } = this.#store.state;
    if (engine !== 'ready' || !this.isOpen) return;
    this.#found.ask(`${version}`, (signal) => store.client.statistics(signal));
  }

  override render(): TemplateResult {
    const found = this.#found.value;
    return html`<div class="head">
        <div>
          <div class="titled"><h1>Statistics</h1>${manualLink(this.#store.state.route, 'samples', 'what-a-benchmark-is-made-of')}</div>
          <p class="lead">What the benchmark is made of, counted from the files that are open. No model, judge or score is in these numbers.</p>
        </div>
        ${found === null || !this.isOpen ? nothing : html`<button type="button" class="button" data-testid="statistics-csv" @click=${() => void this.csv()}>${icon('download')}CSV</button>`}
      </div>
      ${
        !this.isOpen
          ? html`<p class="panel note">Open a benchmark’s own folder first; models and replies are not needed.</p>`
          : this.#found.error !== null
            ? html`<p class="problem" role="alert">${icon('error')} ${this.#found.error.message}</p>`
            : found === null
              ? html`<p class="panel note muted" role="status">Counting…</p>`
              : this.renderAll(found)
      }`;
  }

  private renderAll(found: BenchmarkStatistics): TemplateResult {
    const [first, ...others] = found.tables;
    const isCross = ({ columns }: CountTable): boolean => columns.length > 1;
    return html`<div class="side-by-side">
        ${first === undefined ? nothing : this.renderTable(first, found)} ${this.renderTotals(found.totals)} ${this.renderPrinted(found.printed)}
        ${others.filter((table) => !isCross(table)).map((table) => this.renderTable(table, found))} ${found.spreads.map((spread) => renderSpread(spread))}
      </div>
      ${others.filter(isCross).map((table) => this.renderCross(table))} ${renderWords(found.frequent, found.words.samples)}`;
  }

  /** Counts of one kind as bars; of different kinds as numbers alone. */
  private renderTable(table: CountTable, { unknown_sizes: unknown }: BenchmarkStatistics): TemplateResult {
    const rows = table.rows.map(({ of, counts }): Bar => ({ label: of.label, n: counts[0]?.n ?? 0, share: counts[0]?.share ?? null }));
    const most = Math.max(1, ...rows.map(({ n }) => n));
    const isOfSizes = table.id === 'size' && unknown > 0;
    return html`<section class="panel" aria-labelledby="table-${table.id}" data-testid="statistics-table" data-table=${table.id}>
      <h2 id="table-${table.id}">${table.title}</h2>
      ${table.share_of === '' ? nothing : html`<p class="muted small">Shares ${table.share_of}</p>`}
      ${isOfSizes ? html`<p class="muted small">${plural(unknown, 'file')} ${unknown === 1 ? 'is' : 'are'} not counted here: not read yet, or unreadable.</p>` : nothing}
      ${table.of === '' ? renderNumbers(table.title, rows) : renderBars(table.title, [table.of, 'number'], this.shown(table.id, rows), most)}
      ${table.of === '' ? nothing : this.renderMore(table.id, rows.length, table.title)}
    </section>`;
  }

  private renderCross(table: CountTable): TemplateResult {
    return html`<section class="panel" aria-labelledby="table-${table.id}" data-testid="statistics-table" data-table=${table.id}>
      <h2 id="table-${table.id}">${table.title}</h2>
      ${table.share_of === '' ? nothing : html`<p class="muted small">Shares ${table.share_of}</p>`}
      <div class="scroll" tabindex="0" role="region" aria-label="${table.title}: table">
        <table class="cross">
          <thead>
            <tr><th scope="col" class="text">${table.of}</th>${table.columns.map(({ label }) => html`<th scope="col">${label}</th>`)}</tr>
          </thead>
          <tbody>
            ${this.shown(table.id, table.rows).map(
              ({ of, counts }) =>
                html`<tr>
                  <th scope="row">${of.label}</th>
                  ${counts.map(({ n, share }) => html`<td ${vars({ '--part': share ?? 0 })}>${n === 0 ? html`<span class="muted">0</span>` : html`${count(n)}${share === null ? nothing : html`<span class="small">${percent(share)}</span>`}`}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${this.renderMore(table.id, table.rows.length, table.title)}
    </section>`;
  }

  /** What the paper prints; a part of a benchmark has fewer, which is no mistake. */
  private renderTotals(totals: readonly TotalRow[]): TemplateResult | typeof nothing {
    if (totals.length === 0) return nothing;
    const differing = totals.filter(({ difference }) => difference !== 0).length;
    return html`<section class="panel totals" aria-labelledby="totals" data-testid="statistics-totals">
      <h2 id="totals">Beside the paper</h2>
      <p class="small" data-testid="statistics-sum">
        ${
          differing === 0
            ? html`<span class="chip good">as printed</span> All ${plural(totals.length, 'printed total')} are met.`
            : html`<span class="chip warn">${count(differing)} of ${count(totals.length)} differ</span> A part of a benchmark, or a later release, has other totals; scores are means over what is here.`
        }
      </p>
      <div class="scroll" tabindex="0" role="region" aria-label="Printed totals">
        <table>
          <thead>
            <tr><th scope="col" class="text">Total</th><th scope="col">Printed</th><th scope="col">Here</th><th scope="col">Difference</th><th scope="col" class="text">Where</th></tr>
          </thead>
          <tbody>
            ${this.shown('totals', totals).map(
              ({ label, printed, found, difference, source, note }) =>
                html`<tr>
                  <th scope="row">${label}</th>
                  <td>${count(printed)}</td>
                  <td>${count(found)}</td>
                  <td>${difference === 0 ? '0' : html`<span class="chip warn num">${difference > 0 ? '+' : '−'}${count(Math.abs(difference))}</span>`}</td>
                  <td class="text small">${source}${note === '' ? nothing : html`<br /><span class="muted">${note}</span>`}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${this.renderMore('totals', totals.length, 'Printed totals')}
    </section>`;
  }

  /** What the paper prints of other data, or of what the files do not tell. */
  private renderPrinted(printed: readonly PrintedCountRow[]): TemplateResult | typeof nothing {
    const [first] = printed;
    if (first === undefined) return nothing;
    const share = (value: number | null): string => (value === null ? '' : ` (${(value * 100).toFixed(2)} %)`);
    return html`<section class="panel totals" aria-labelledby="printed" data-testid="statistics-printed">
      <h2 id="printed">Also printed in the paper</h2>
      <p class="small">${
        first.found === null
          ? 'These numbers are not countable from the files of the benchmark.'
          : `Shares of ${first.of}, beside the shares of what is open here.`
      }</p>
      <div class="scroll" tabindex="0" role="region" aria-label="Also printed in the paper: table">
        <table>
          <thead>
            <tr><th scope="col" class="text">Of what</th><th scope="col">Printed</th><th scope="col">Here</th><th scope="col" class="text">Where</th></tr>
          </thead>
          <tbody>
            ${this.shown('printed', printed).map(
              (row) =>
                html`<tr>
                  <th scope="row">${row.label}</th>
                  <td>${count(row.printed)}${share(row.printed_share)}</td>
                  <td>${row.found === null ? '–' : `${count(row.found)}${share(row.share)}`}</td>
                  <td class="text small">${row.source}${row.note === '' ? nothing : html`<br /><span class="muted">${row.note}</span>`}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${this.renderMore('printed', printed.length, 'Also printed in the paper')}
    </section>`;
  }

  private shown<T>(id: string, rows: readonly T[]): readonly T[] {
    return this.whole.includes(id) ? rows : rows.slice(0, SHOWN);
  }

  private renderMore(id: string, length: number, title: string): TemplateResult | typeof nothing {
    if (length <= SHOWN) return nothing;
    const isWhole = this.whole.includes(id);
    const toggle = (): void => {
      this.whole = isWhole ? this.whole.filter((known) => known !== id) : [...this.whole, id];
    };
    return html`<button type="button" class="link" aria-expanded=${isWhole ? 'true' : 'false'} @click=${toggle}>${isWhole ? `Show ${SHOWN} only` : `Show all ${count(length)}`}<span class="visually-hidden"> of ${title}</span></button>`;
  }

  private async csv(): Promise<void> {
    try {
      const bytes = await store.client.statisticsCsv();
      download(new Blob([bytes], { type: 'text/csv' }), 'csv', 'statistics');
    } catch (error) {
      store.notify('error', `The statistics could not be written: ${messageOf(error)}`);
    }
  }
}

/** Numbers of different things, which have no bars to be compared by. */
function renderNumbers(name: string, rows: readonly Bar[]): TemplateResult {
  return html`<table aria-label=${name}>
    <thead class="visually-hidden">
      <tr><th scope="col">what</th><th scope="col">number</th></tr>
    </thead>
    <tbody>
      ${rows.map(({ label, n }) => html`<tr><th scope="row">${label}</th><td class="n">${count(n)}</td></tr>`)}
    </tbody>
  </table>`;
}

/** How one number is spread: its figures, and bars of how many lie from one number to the next. */
function renderSpread(spread: Spread): TemplateResult {
  const figures: [string, number | null][] = [
    ['mean', spread.mean],
    ['SD', spread.sd],
    ['smallest', spread.min],
    ['median', spread.median],
    ['largest', spread.max],
    // A sum of ratios says nothing.
    ...(Number.isInteger(spread.sum) ? [['sum', spread.sum] as [string, number]] : []),
  ];
  const rows = spread.bins.map(({ from, to, n }): Bar => ({ label: from === to ? count(from) : `${count(from)}–${count(to)}`, n, share: n / spread.n }));
  return html`<section class="panel" aria-labelledby="spread-${spread.id}" data-testid="statistics-spread" data-spread=${spread.id}>
    <h2 id="spread-${spread.id}">${spread.title}</h2>
    <p class="figures"><span><b>${count(spread.n)}</b> ${spread.of}</span>${figures.map(([name, value]) => html`<span>${name} <b>${value === null ? '–' : figure(value)}</b></span>`)}</p>
    ${rows.length === 0 ? nothing : renderBars(spread.title, [spread.title, spread.of], rows)}
  </section>`;
}

function renderWords({ words, distinct, counted, left_out: leftOut }: Frequent, samples: string): TemplateResult | typeof nothing {
  const most = words[0]?.n;
  if (most === undefined) return nothing;
  return html`<section class="panel" aria-labelledby="frequent" data-testid="statistics-words">
    <h2 id="frequent">Most frequent words of instructions</h2>
    <p class="muted small">
      ${count(words.length)} of ${plural(distinct, 'different word')}, ${count(counted)} in all; ${count(leftOut)} stop words, numbers and single letters are left out. Each word is followed by how often it occurs, and in how many ${samples}.
    </p>
    <ol class="words">
      ${words.map(
        ({ word, n, samples: of }, at) =>
          html`<li>
            <span class="rank">${at + 1}</span><span class="word" dir="auto">${word}</span>
            <span aria-hidden="true"><span class="bar" ${vars({ '--part': n / most })}></span></span>
            <span class="times">${count(n)} <span class="muted small">in ${count(of)}</span></span>
          </li>`,
      )}
    </ol>
  </section>`;
}

/** Whole numbers with their groups of digits, others with two digits. */
const figure = (value: number): string => (Number.isInteger(value) ? count(value) : value >= 1000 ? count(Math.round(value)) : value.toFixed(2));

declare global {
  interface HTMLElementTagNameMap {
    'juror-statistics': JurorStatistics;
  }
}
