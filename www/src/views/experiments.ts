import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { LEVELS, levelOf } from '../state/comparing';
import { Query, StoreController } from '../state/controllers';
import { download } from '../state/download';
import { count, keyLabel, mean, printedNumber, signed } from '../state/format';
import { store } from '../state/store';
import { icon } from '../components/icon/icon';
import { byScale, levelBars } from '../components/level-bars/level-bars';
import '../components/plot-figure/plot-figure';
import { named, renderChoice, renderSide, sidesStyles } from '../components/sides/sides';
import { messageOf } from '../engine/errors';
import type { AverageCell } from '../engine/types/AverageCell';
import type { Correction } from '../engine/types/Correction';
import type { CriterionInfo } from '../engine/types/CriterionInfo';
import type { Estimate } from '../engine/types/Estimate';
import type { ExperimentBlock } from '../engine/types/ExperimentBlock';
import type { ExperimentQuery } from '../engine/types/ExperimentQuery';
import type { ExperimentRow } from '../engine/types/ExperimentRow';
import type { Experiments } from '../engine/types/Experiments';
import type { LevelCell } from '../engine/types/LevelCell';
import type { LevelDifference } from '../engine/types/LevelDifference';
import type { LevelQuestions } from '../engine/types/LevelQuestions';
import type { PrintedLevel } from '../engine/types/PrintedLevel';
import type { Within } from '../engine/types/Within';
import { manualLink } from '../manual/link';
import { base, controls } from '../styles/base.styles';
import { figures, page, tables } from '../styles/page.styles';

/** Rows by criterion rather than by the groups of a scope. */
const BY_CRITERION = 'criterion';
/** Questions that are listed at first. */
const SHOWN = 12;

const CORRECTIONS: [Correction, string][] = [
  ['holm', 'Holm'],
  ['benjamini_hochberg', 'Benjamini–Hochberg'],
  ['none', 'none'],
];

/**
 * @summary The levels of a factor beside each other: variants of a submission, prompts of a judge, judges.
 */
@customElement('juror-experiments')
export class JurorExperiments extends LitElement {
  static override styles = [
    base,
    controls,
    page,
    tables,
    figures,
    sidesStyles,
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
        gap: 12px;
        align-content: start;
        padding: 14px 16px 16px;
      }
      .panel.note {
        display: block;
      }
      .panel.sides {
        display: flex;
      }
      td {
        vertical-align: top;
      }
      .apart {
        font-weight: 600;
      }
      .average th,
      .average td,
      .total th,
      .total td {
        border-top-color: var(--juror-line-strong);
      }
      tbody th[scope='row'] {
        vertical-align: top;
      }
      .lesser {
        margin-top: 4px;
        border-top: 1px dashed var(--juror-line);
        padding-top: 4px;
        font-weight: 400;
      }
      .lesser.apart {
        font-weight: 600;
      }
      .average th[scope='row'],
      .printed td.text {
        max-width: 34ch;
        white-space: normal;
      }
      .bound {
        width: 9ch;
      }
      ul {
        margin: 0;
        padding-left: 20px;
      }
      .link {
        justify-self: start;
      }
    `,
  ];

  readonly #store = new StoreController(this);
  readonly #found = new Query<Experiments>(this);
  /** Whether all questions are listed. */
  @state() private isWhole = false;

  /** What the address asks for. */
  private get asked(): URLSearchParams {
    const { place } = this.#store.state.route;
    return new URLSearchParams(place.view === 'experiments' ? place.asked : '');
  }

  private get query(): ExperimentQuery {
    const { asked } = this;
    const text = (key: string): string => asked.get(key) ?? '';
    const bound = Number(asked.get('bound'));
    return {
      factor: text('factor'),
      by_factor: text('by-factor'),
      base: text('base'),
      first: text('first'),
      by: text('by'),
      criterion: text('criterion'),
      judge: asked.get('judge'),
      profile: this.#store.state.route.options.profile,
      correction: CORRECTIONS.find(([id]) => id === asked.get('correction'))?.[0] ?? 'holm',
      level: levelOf(asked.get('interval')),
      bound: Number.isFinite(bound) && bound > 0 ? bound : null,
    };
  }

  private get isOpen(): boolean {
    return this.#store.state.overview?.benchmark != null;
  }

  protected override willUpdate(): void {
    const { engine, version } = this.#store.state;
    if (engine !== 'ready' || !this.isOpen) return;
    const { query } = this;
    this.#found.ask(`${version} ${JSON.stringify(query)}`, (signal) => store.client.experiments(query, signal));
  }

  override render(): TemplateResult {
    const found = this.#found.value;
    return html`<div class="head">
        <div>
          <div class="titled"><h1>Experiments</h1>${manualLink(this.#store.state.route, 'scores', 'experiments')}</div>
          <p class="lead">
            The levels of a factor beside each other: variants of a submission, prompts that a judge was asked with, judges. Each level is compared with the first on the samples that both have; what is missing is left out, whatever the policy says.
          </p>
        </div>
        ${found === null || found.blocks.length === 0 ? nothing : html`<button type="button" class="button" data-testid="experiments-csv" @click=${() => void this.csv()}>${icon('download')}CSV</button>`}
      </div>
      ${
        !this.isOpen
          ? html`<p class="panel note">Open a benchmark with models and their replies first.</p>`
          : this.#found.error !== null
            ? html`<p class="problem" role="alert">${icon('error')} ${this.#found.error.message} <button type="button" class="link" @click=${() => this.restart()}>Start again</button></p>`
            : found === null
              ? html`<p class="panel note muted" role="status">Comparing…</p>`
              : this.renderAll(found)
      }`;
  }

  private renderAll(found: Experiments): TemplateResult {
    return html`${found.factors.length === 0 ? nothing : this.renderChoices(found)} ${found.blocks.length === 0 ? renderNothing(found) : nothing}
      ${found.blocks.map((block, at) => this.renderBlock(found, block, at))}
      ${found.notes.length === 0 ? nothing : html`<ul class="small" data-testid="experiments-notes">${found.notes.map((note) => html`<li>${note}</li>`)}</ul>`}
      ${renderPrinted(found)}`;
  }

  private renderChoices(found: Experiments): TemplateResult {
    const { query } = this;
    const factor = found.factors.find((one) => one.factor === found.factor);
    const put = (key: string) => (value: string) => this.ask({ [key]: value });
    const others = found.factors.filter((one) => one.levels.length > 0 && one.factor !== found.factor).map(({ factor: id }): [string, string] => [id, id]);
    const isOfJudging = found.side === 'judging' || found.factors.find((one) => one.factor === found.by_factor)?.side === 'judging';
    const bases = (factor?.bases ?? []).map((one): [string, string] => [one, one]);
    const scopes = found.scopes.filter(({ keys }) => keys.length > 1).map(({ scope, label }): [string, string] => [scope, label.toLowerCase()]);
    return html`<section class="panel sides" aria-label="What is compared">
      ${renderChoice(
        'Factor',
        found.factors.map(({ factor: id, levels }): [string, string] => [id, levels.length === 0 ? `${id} (printed only)` : id]),
        found.factor,
        // Another factor has other bases and levels.
        (id) => this.ask({ factor: id, 'by-factor': '', base: '', first: '' }),
        'experiments-factor',
      )}
      ${
        others.length === 0
          ? nothing
          : renderChoice('By factor', [['', 'none'], ...others], found.by_factor, (id) => this.ask({ 'by-factor': id, base: '' }), 'experiments-by-factor')
      }
      ${bases.length < 2 ? nothing : renderChoice('Of', [['', 'all'], ...bases], query.base, put('base'), 'experiments-base')}
      ${
        found.levels.length < 2
          ? nothing
          : renderChoice(
              'First level',
              found.levels.map(({ level, title }): [string, string] => [level, title === '' ? level : `${level} (${title})`]),
              found.levels[0]?.level ?? '',
              put('first'),
              'experiments-first',
            )
      }
      ${found.blocks.length === 0 ? nothing : renderChoice('Rows by', [[BY_CRITERION, 'criterion'], ...scopes], found.by, put('by'), 'experiments-by')}
      ${
        found.by === BY_CRITERION
          ? nothing
          : renderChoice(
              'Criterion',
              found.criteria.map(({ id, label }): [string, string] => [id, label]),
              found.criterion,
              put('criterion'),
              'experiments-criterion',
            )
      }
      ${
        isOfJudging || found.judges.length < 2
          ? nothing
          : renderSide('Judge', [...new Set(['', ...found.judges, query.judge ?? ''])], query.judge ?? '', put('judge'), 'experiments-judge', (one) =>
              one === '' ? 'who scored most' : named(one),
            )
      }
      ${renderChoice(
        'Intervals',
        LEVELS.map((one): [string, string] => [one, `${one} %`]),
        found.level,
        put('interval'),
        'experiments-interval',
      )}
      ${renderChoice('Correction', CORRECTIONS, found.correction, put('correction'), 'experiments-correction')}
      <label
        ><span>Bound of the difference</span>
        <input class="field bound" type="number" min="0" step="any" data-testid="experiments-bound" .value=${query.bound === null ? '' : String(query.bound)} @change=${(event: Event) => this.ask({ bound: (event.target as HTMLInputElement).value })}
      /></label>
    </section>`;
  }

  private renderBlock(found: Experiments, block: ExperimentBlock, at: number): TemplateResult {
    const title = block.judge === '' ? block.base : `${block.base}, judged by ${block.judge}`;
    const factors = found.by_factor === '' ? found.factor : `${found.factor} by ${found.by_factor}`;
    const id = `block-${at}`;
    const names = block.lanes.flatMap(({ sources }) => sources.flatMap((source) => (source === null ? [] : [source.model])));
    return html`<section class="panel" aria-labelledby=${id} data-testid="experiment" data-base=${block.base}>
      <h2 id=${id}><bdi>${title}</bdi></h2>
      ${this.renderTable(found, block)}
      <p data-testid="experiment-sentence">${block.sentence}</p>
      <div><button type="button" class="button tiny" @click=${() => void copy(block.sentence)}>${icon('copy', 16)}Copy the sentence</button></div>
      ${block.questions.map((one) => this.renderQuestions(found, one))}
      ${byScale(found, block).map((rows) => html`<juror-plot-figure .chart=${levelBars(found, block, rows, `${title}: ${factors}`)} .names=${names} .source=${[found.benchmark, factors, title].join(', ')}></juror-plot-figure>`)}
    </section>`;
  }

  private renderTable(found: Experiments, block: ExperimentBlock): TemplateResult {
    const isCrossed = found.by_factor !== '';
    const heads = found.levels.map(({ level, title }, at) => {
      const source = block.lanes[0]?.sources[at];
      const of = isCrossed ? '' : source == null ? 'nothing here' : source.judge === '' || found.side === 'submission' ? source.model : source.judge;
      return html`<th scope="col">${at === 0 ? 'first: ' : ''}<bdi>${level}</bdi><span class="interval"><bdi>${title === '' ? of : title}</bdi></span></th>
        ${at === 0 ? nothing : html`<th scope="col">less the first<span class="interval">same ${found.samples}</span></th>`}`;
    });
    const total = block.rows.at(-1)?.key;
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Levels of ${found.factor}: table">
      <table data-testid="experiment-table">
        <thead>
          <tr><th scope="col" class="text">${found.by === BY_CRITERION ? 'criterion' : (found.scopes.find(({ scope }) => scope === found.by)?.label ?? found.by)}</th>${isCrossed ? html`<th scope="col" class="text"><bdi>${found.by_factor}</bdi></th>` : nothing}${heads}</tr>
        </thead>
        <tbody>
          ${block.rows.map(
            (row) =>
              html`<tr class=${row.key === total ? 'total' : ''} data-row=${row.key} data-level=${isCrossed ? row.by_level : nothing}>
                <th scope="row">${row.key === total || found.by === BY_CRITERION ? row.label : keyLabel(found.by, row.key)}${row.judge === null ? nothing : html`<span class="interval">by ${named(row.judge)}</span>`}</th>
                ${isCrossed ? html`<td class="text"><bdi>${row.by_level}</bdi></td>` : nothing}
                ${row.cells.map((cell, at) => html`${renderMean(found, row, cell)}${at === 0 ? nothing : renderDifference(found, row, cell, block.lanes[0]?.level ?? '')}`)}
              </tr>`,
          )}
          ${block.averages.map(
            (row) =>
              html`<tr class="average" data-row=${row.id}>
                <th scope="row">${row.label}</th>
                ${isCrossed ? html`<td class="text"><bdi>${row.by_level}</bdi></td>` : nothing}
                ${row.cells.map((cell, at) => html`${renderAverage(found, cell)}${at === 0 ? nothing : renderAverageDifference(found, cell)}`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private renderQuestions(found: Experiments, one: LevelQuestions): TemplateResult {
    const rows = this.isWhole ? one.rows : one.rows.slice(0, SHOWN);
    const kappa = (value: Estimate | null): string => (value === null ? '–' : value.value.toFixed(3));
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Answers to each question: table">
        <table data-testid="experiment-questions">
          <caption>Answers alike, question by question: ${found.levels[0]?.level ?? ''} and ${one.level}${one.by_level === '' ? '' : `, ${found.by_factor} = ${one.by_level}`}${one.equal === null ? '' : `; of ${count(one.n)}/${count(one.expected)} answers of yes or no ${(one.equal * 100).toFixed(1)} % are equal, κ ${kappa(one.kappa)}`}</caption>
          <thead>
            <tr><th scope="col" class="text">question</th><th scope="col" class="text">group</th><th scope="col">n</th><th scope="col">equal</th><th scope="col">κ</th><th scope="col">mean, first</th><th scope="col">mean, ${one.level}</th></tr>
          </thead>
          <tbody>
            ${rows.map(
              (row) =>
                html`<tr>
                  <th scope="row" title=${row.question}>${row.label}</th>
                  <td class="text">${row.domain === '' ? 'several' : keyLabel('domain', row.domain)}</td>
                  <td>${count(row.n)}</td><td>${(row.equal * 100).toFixed(1)} %</td><td>${kappa(row.kappa)}</td><td>${row.mean_a.toFixed(3)}</td><td>${row.mean_b.toFixed(3)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${one.rows.length <= SHOWN ? nothing : html`<button type="button" class="link" aria-expanded=${this.isWhole ? 'true' : 'false'} @click=${() => (this.isWhole = !this.isWhole)}>${this.isWhole ? `Show ${SHOWN} only` : `Show all ${count(one.rows.length)} questions`}</button>`}`;
  }

  /** Puts choices into the address; what is empty is left out. */
  private ask(change: Record<string, string>): void {
    const { asked } = this;
    for (const [key, value] of Object.entries(change)) {
      if (value === '') asked.delete(key);
      else asked.set(key, value);
    }
    store.go({ view: 'experiments', asked: asked.toString() });
  }

  private restart(): void {
    store.go({ view: 'experiments', asked: '' });
  }

  private async csv(): Promise<void> {
    const { query } = this;
    try {
      const bytes = await store.client.experimentsCsv(query);
      download(new Blob([bytes], { type: 'text/csv' }), 'csv', 'experiment', this.#found.value?.factor ?? '');
    } catch (error) {
      store.notify('error', `The experiment could not be written: ${messageOf(error)}`);
    }
  }
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    store.notify('info', 'The sentence was copied.');
  } catch (error) {
    store.notify('error', `The sentence could not be copied: ${messageOf(error)}`);
  }
}

const infoOf = (found: Experiments, criterion: string): CriterionInfo | undefined => found.criteria.find(({ id }) => id === criterion);

/** The ends of an interval, or why there is none. */
function ends(low: number | null, high: number | null, info: CriterionInfo | undefined): string {
  return low === null || high === null ? 'n too small' : `[${signless(low, info)}, ${signless(high, info)}]`;
}

const signless = (value: number, info: CriterionInfo | undefined): string => mean(value, info).replace('-', '−');

function renderMean(found: Experiments, row: ExperimentRow, cell: LevelCell): TemplateResult {
  const info = infoOf(found, row.criterion);
  const printed = cell.printed === null ? nothing : html`<span class="interval">printed ${printedNumber(cell.printed)}</span>`;
  const n = html`<span class="interval">n = ${count(cell.n)}/${cell.expected === null ? '–' : count(cell.expected)}</span>`;
  if (cell.mean === null) return html`<td>–${cell.expected === null ? nothing : n}${printed}</td>`;
  return html`<td>${mean(cell.mean.value, info)}<span class="interval">${ends(cell.mean.low, cell.mean.high, info)}</span>${n}${printed}</td>`;
}

function renderDifference(found: Experiments, row: ExperimentRow, { difference, interaction }: LevelCell, first: string): TemplateResult {
  if (difference === null) return html`<td>–</td>`;
  const { relative, separated } = difference;
  const share = relative === null ? '' : `, ${relative > 0 ? '+' : relative < 0 ? '−' : ''}${Math.abs(relative * 100).toFixed(1)} %`;
  return html`<td class=${separated ? 'apart' : ''}>${renderFigures(found, row, difference, share)}${renderWithin(difference.within)}${
    interaction === null
      ? nothing
      : html`<div class=${interaction.separated ? 'lesser apart' : 'lesser'} data-testid="interaction"><span class="interval">less that of <bdi>${first}</bdi></span>${renderFigures(found, row, interaction, '')}</div>`
  }</td>`;
}

/** A difference with its interval, n and p. */
function renderFigures(found: Experiments, row: ExperimentRow, own: LevelDifference, share: string): TemplateResult {
  const info = infoOf(found, row.criterion);
  const { value, corrected, n, expected, p_corrected: p, separated } = own;
  const [low, high] = corrected ?? [value.low, value.high];
  return html`${signed(value.value, info)}<span class="interval">${ends(low, high, info)}${corrected === null || found.comparisons < 2 ? nothing : ' corrected'}</span>
    <span class="interval">n = ${count(n)}/${count(expected)}${share}</span><span class="interval">p ${p === null ? '–' : p < 0.001 ? '< 0.001' : p.toFixed(3)}${separated ? ', significant' : ''}</span>`;
}

function renderAverage(found: Experiments, cell: AverageCell): TemplateResult {
  const info = infoOf(found, found.criterion);
  return html`<td>${cell.mean === null ? '–' : mean(cell.mean, info)}<span class="interval">n = ${count(cell.n)}/${cell.expected === null ? '–' : count(cell.expected)}</span>${cell.printed === null ? nothing : html`<span class="interval">printed ${printedNumber(cell.printed)}</span>`}</td>`;
}

function renderAverageDifference(found: Experiments, { difference, within }: AverageCell): TemplateResult {
  const info = infoOf(found, found.criterion);
  if (difference === null) return html`<td>–</td>`;
  return html`<td>${signed(difference.value, info)}<span class="interval">${ends(difference.low, difference.high, info)}</span>${renderWithin(within)}</td>`;
}

function renderWithin(within: Within | null): TemplateResult | typeof nothing {
  if (within === null) return nothing;
  const interval = within.interval === null ? '' : within.interval ? ', interval too' : ', interval not';
  return html`<span class="chip ${within.difference ? 'good' : 'warn'}">${within.difference ? `below the bound${interval}` : 'not below the bound'}</span>`;
}

/** What makes a level, where nothing is one. */
function renderNothing(found: Experiments): TemplateResult {
  return html`<div class="panel note" data-testid="experiments-none">
    <p>${found.factor === '' ? 'Nothing here states a level of a factor.' : html`Nothing here states a level of <b>${found.factor}</b>; what the paper prints of it is below.`}</p>
    <ul>
      <li>Call a submission’s folder <code>MODEL@FACTOR=LEVEL</code>, several factors with a comma or another <code>@</code> between; the plain <code>MODEL</code> is its base.</li>
      <li>Or put a <code>variant.json</code> into its folder: <code>{"base": "MODEL", "levels": {"FACTOR": "LEVEL"}}</code>.</li>
      <li>A judge’s replies under two prompt packs are levels of <code>pack</code>, two judges are levels of <code>judge</code>, and a judge may be called <code>JUDGE@FACTOR=LEVEL</code>.</li>
    </ul>
  </div>`;
}

/** What the paper prints of the factor, each number with its place. */
function renderPrinted(found: Experiments): TemplateResult | typeof nothing {
  if (found.printed.length === 0) return nothing;
  const levels = [...new Set(found.printed.map(({ level }) => level))];
  const rows = new Map<string, PrintedLevel[]>();
  for (const one of found.printed) {
    const key = JSON.stringify([one.base, one.scope, one.key, one.criterion]);
    rows.set(key, [...(rows.get(key) ?? []), one]);
  }
  const label = (one: PrintedLevel): string => {
    const criterion = infoOf(found, one.criterion)?.label ?? one.criterion;
    return one.scope === 'overall' ? criterion : `${criterion}, ${keyLabel(one.scope, one.key)}`;
  };
  return html`<section class="panel printed" aria-labelledby="printed" data-testid="experiments-printed">
    <h2 id="printed">Printed in the paper</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Printed numbers: table">
      <table>
        <thead>
          <tr><th scope="col" class="text">Model</th><th scope="col" class="text">Mean</th>${levels.map((level) => html`<th scope="col">${level}</th>`)}<th scope="col" class="text">Source</th></tr>
        </thead>
        <tbody>
          ${[...rows.values()].map((own) => {
            const [first] = own;
            if (first === undefined) return nothing;
            const notes = [...new Set(own.map(({ note }) => note).filter((note) => note !== ''))].join('; ');
            return html`<tr>
              <th scope="row"><bdi>${first.base}</bdi></th>
              <td class="text">${label(first)}</td>
              ${levels.map((level) =>
                renderPrintedCell(
                  found,
                  own.find((one) => one.level === level),
                ),
              )}
              <td class="text small">${[...new Set(own.map(({ source }) => source))].join(', ')}${notes === '' ? nothing : html`<br /><span class="muted">${notes}</span>`}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>
  </section>`;
}

/** A printed number, and below it the mean here where there is one. */
function renderPrintedCell(found: Experiments, printed: PrintedLevel | undefined): TemplateResult {
  if (printed === undefined) return html`<td>–</td>`;
  const own = found.own[found.printed.indexOf(printed)] ?? null;
  const here = own === null ? nothing : html`<span class="interval">here ${signless(own, infoOf(found, printed.criterion))}</span>`;
  return html`<td>${printedNumber(printed)}${here}</td>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-experiments': JurorExperiments;
  }
}
