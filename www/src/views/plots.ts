import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import { COMPARING, LEVELS, levelOf } from '../state/comparing';
import { Query, StoreController } from '../state/controllers';
import { count, isPerson, judgeScore, keyLabel, personName, plural, titleOf, turnNumber } from '../state/format';
import { isTyping } from '../state/keys';
import { NO_FILTER, USUAL_PLOT, criterionKey, terms, type CellName, type PlotChoice } from '../state/router';
import { store } from '../state/store';
import '../components/cell-dialog/cell-dialog';
import type { JurorCellDialog } from '../components/cell-dialog/cell-dialog';
import { PartEvent } from '../components/cell-dialog/part';
import { renderAbsent, renderAllCompared, renderGroups, type SampleGroup } from '../components/choices/choices';
import { icon } from '../components/icon/icon';
import { markWords, type Chart, type GroupAction } from '../components/plot-figure/chart';
import { differenceChart, distributionChart, scatterChart, sideName } from '../components/plot-figure/count-charts';
import '../components/plot-figure/plot-figure';
import type { JurorPlotFigure, MarkEvent } from '../components/plot-figure/plot-figure';
import { multiplesChart, pairedChart, pairedKeys, sharesChart } from '../components/plot-figure/group-charts';
import { heatChart, linesOf, referencesChart, scoresChart, type Line } from '../components/plot-figure/table-charts';
import { messageOf } from '../engine/errors';
import type { Behind } from '../engine/types/Behind';
import type { BehindRow } from '../engine/types/BehindRow';
import type { CriterionInfo } from '../engine/types/CriterionInfo';
import type { Grouped } from '../engine/types/Grouped';
import type { GroupedQuery } from '../engine/types/GroupedQuery';
import type { Interval } from '../engine/types/Interval';
import type { Level } from '../engine/types/Level';
import type { Overview } from '../engine/types/Overview';
import type { Plot } from '../engine/types/Plot';
import type { PlotQuery } from '../engine/types/PlotQuery';
import type { ScopeInfo } from '../engine/types/ScopeInfo';
import { manualLink } from '../manual/link';
import { base, controls } from '../styles/base.styles';
import { styles } from './plots.styles';

const KINDS: [string, string][] = [
  ['', 'Scores'],
  ['references', 'References'],
  ['multiples', 'References × group'],
  ['pairs', 'With and without'],
  ['distribution', 'Distribution'],
  ['shares', 'Shares'],
  ['heat', 'Criterion × group'],
  ['difference', 'Two models'],
  ['scatter', 'Judges and people'],
];

/** Kinds that are drawn from scores by two groupings. */
const GROUPED = ['multiples', 'shares'];

/** Kinds that are drawn from score rows. */
const OF_ROWS = ['', 'references', 'pairs'];
/** Kinds without an interval. */
const PLAIN = ['distribution', 'shares', 'heat'];

const ALL: SampleGroup = { scope: '', key: '' };

/** What the address chose, with the usual where it chose nothing or nothing that there is. */
interface Chosen {
  plot: string;
  criterion: CriterionInfo;
  scope: string;
  /** The samples on which two models are plotted. */
  group: SampleGroup;
  line: Line;
  models: string[];
  a: string;
  b: string;
  judges: string[];
  judge: string;
  level: Level;
}

/**
 * @summary Everything as a drawing, with the sentence under it and the samples behind each mark.
 */
@customElement('juror-plots')
export class JurorPlots extends LitElement {
  static override styles = [base, controls, styles];

  readonly #store = new StoreController(this);
  readonly #plot = new Query<{ asked: PlotQuery; plot: Plot }>(this);
  readonly #grouped = new Query<{ asked: GroupedQuery; grouped: Grouped }>(this);
  readonly #rows = new Query<{ level: Level; rows: (Interval | null)[] }>(this);
  readonly #behind = new Query<Behind>(this);
  /** The heading of the samples behind a mark, kept while it is the same. */
  #words = { of: '', text: '' };
  @query('juror-cell-dialog') private dialog!: JurorCellDialog | null;

  protected override willUpdate(_changed: PropertyValues): void {
    const { overview, version, engine } = this.#store.state;
    const chosen = this.chosen();
    if (overview === null || chosen === null || engine !== 'ready') return;
    const { options } = this.#store.state.route;
    const byGroup = this.groupQuestion(chosen);
    const { level } = chosen;
    if (isAtAnother(chosen) && byGroup === null)
      this.#rows.ask(`${version} ${level} ${JSON.stringify(options)}`, async (signal) => ({
        level,
        rows: await store.client.rowIntervals({ options, level }, signal),
      }));
    if (byGroup !== null)
      this.#grouped.ask(`${version} ${JSON.stringify(byGroup)}`, async (signal) => ({ asked: byGroup, grouped: await store.client.grouped(byGroup, signal) }));
    const asked = this.question(chosen);
    if (asked === null) return;
    const key = JSON.stringify(asked);
    this.#plot.ask(`${version} ${key}`, async (signal) => ({ asked, plot: await store.client.plot(asked, signal) }));
    const mark = this.mark();
    if (mark !== null) {
      this.#behind.ask(`${version} ${key} ${mark.line} ${mark.mark}`, (signal) => store.client.behind(asked, mark.line, mark.mark, signal));
    }
  }

  override render(): TemplateResult {
    const { overview, overviewError } = this.#store.state;
    if (overviewError !== '') return html`<p class="problem" role="alert">${icon('error')} ${overviewError}</p>`;
    if (overview === null) return html`<p class="muted">Reading…</p>`;
    const chosen = this.chosen();
    if (overview.benchmark === null || chosen === null) {
      return html`<h1>Plots</h1><div class="panel"><p>There is nothing to plot yet: open a benchmark with at least one model’s outputs or verdicts.</p></div>`;
    }
    return html`<div class="titled"><h1>Plots</h1>${manualLink(this.#store.state.route, 'scores', 'plots')}</div>
      <nav class="kinds" aria-label="Kinds of plot">
        ${KINDS.filter(([id]) => isOffered(overview, id)).map(
          ([id, label]) =>
            html`<a href=${this.href({ plot: id, ...sidesFor(id, chosen.plot) })} aria-current=${chosen.plot === id ? 'page' : nothing}>${label}</a>`,
        )}
      </nav>
      <section class="panel" aria-label="Plot" @keydown=${this.onKey}>
        ${this.renderChoices(overview, chosen)} ${chosen.plot === 'difference' ? renderAbsent(this.#store.state, [this.choice().a, this.choice().b], chosen.models) : nothing} ${this.renderFigure(overview, chosen)} ${this.renderBehind(overview, chosen)}
      </section>
      <juror-cell-dialog .client=${store.client} .state=${this.#store.state} @juror-part=${(event: Event) => event instanceof PartEvent && this.openCell(event.cell)} @juror-cell-closed=${this.onClosed}></juror-cell-dialog>`;
  }

  protected override updated(): void {
    const { overview, route } = this.#store.state;
    if (overview !== null) this.dialog?.sync(overview, route.place.view === 'plots' ? { cell: route.place.cell } : {});
  }

  /** The samples of a group of the chosen scope that the chosen model has such scores in. */
  private async openGroup({ group, test }: GroupAction): Promise<void> {
    const chosen = this.chosen();
    if (chosen === null) return;
    const { options } = this.#store.state.route;
    const { model, judge } = chosen.line;
    try {
      const within = await store.client.groupFilter(options, chosen.scope, group);
      if (within === null) throw new Error(`The list cannot be narrowed to ${keyLabel(chosen.scope, group)}.`);
      // A judge that the whole page is scored by is no field of the list's.
      const by = options.judge === null ? judge : '';
      const q = [within, terms({ model, judge: by }), test].filter((part) => part !== '').join(' ');
      store.go({ view: 'samples', filter: { ...NO_FILTER, q } });
    } catch (error) {
      store.notify('error', messageOf(error));
    }
  }

  private openCell(cell: CellName): void {
    const { place } = this.#store.state.route;
    const isOpen = place.view === 'plots' && place.cell !== undefined;
    store.go({ view: 'plots', choice: this.choice(), cell }, isOpen ? 'within' : 'layer');
  }

  /** The dialog was closed by its reader, not by the address. */
  private readonly onClosed = (): void => {
    const { place } = this.#store.state.route;
    if (place.view === 'plots' && place.cell !== undefined) store.leaveLayer({ view: 'plots', choice: place.choice });
  };

  /** The mark that the address names. */
  private mark(): { line: number; mark: number } | null {
    const found = /^(\d{1,6})\.(\d{1,6})$/.exec(this.choice().mark);
    return found === null ? null : { line: Number(found[1]), mark: Number(found[2]) };
  }

  private choice(): PlotChoice {
    const { place } = this.#store.state.route;
    return place.view === 'plots' ? place.choice : USUAL_PLOT;
  }

  private href(part: Partial<PlotChoice>): string {
    return store.href({ view: 'plots', choice: { ...this.choice(), mark: '', ...part } });
  }

  private choose(part: Partial<PlotChoice>): void {
    store.go({ view: 'plots', choice: { ...this.choice(), mark: '', ...part } });
  }

  private chosen(): Chosen | null {
    const { overview } = this.#store.state;
    if (overview === null) return null;
    const choice = this.choice();
    const criterion = overview.criteria.find(({ id }) => id === choice.criterion) ?? overview.criteria.find(({ id }) => id === 'total') ?? overview.criteria[0];
    const lines = linesOf(overview);
    const line = lines.find(({ name }) => name === choice.line) ?? lines[0];
    if (criterion === undefined || line === undefined) return null;
    const scopes = overview.scopes.filter(({ scope, keys }) => scope !== 'overall' && keys.length > 0);
    const models = overview.models.map(({ name }) => name);
    const { at_hand: atHand } = overview;
    const only = this.#store.state.route.options.judge;
    const judges = only !== null ? [only] : [...(atHand.judges.length > 0 ? atHand.judges : ['']), ...atHand.people];
    const plot = KINDS.some(([id]) => id === choice.plot) ? choice.plot : '';
    const paired = pairedScopes(overview);
    const offered =
      plot === 'pairs'
        ? scopes.filter(({ scope }) => paired.some(([known]) => known === scope))
        : GROUPED.includes(plot)
          ? scopes.filter(({ scope }) => scope !== 'run' && (plot !== 'multiples' || scope !== 'references'))
          : scopes;
    const isScatter = plot === 'scatter';
    const [first, second] = isScatter ? this.sides() : models;
    const known = isScatter ? this.sides() : models;
    const a = known.includes(choice.a) ? choice.a : (known.find((one) => one !== choice.b) ?? first ?? '');
    const b = known.includes(choice.b) && choice.b !== a ? choice.b : (known.find((one) => one !== a) ?? second ?? '');
    return {
      plot,
      criterion,
      scope: offered.find(({ scope }) => scope === choice.scope)?.scope ?? offered[0]?.scope ?? (plot === 'multiples' ? '' : 'overall'),
      group: comparable(overview).some(({ scope, keys }) => scope === choice.scope && keys.includes(choice.key))
        ? { scope: choice.scope, key: choice.key }
        : ALL,
      line,
      models,
      a,
      b,
      judges,
      judge: judges.find((judge) => `.${judge}` === choice.line) ?? judges[0] ?? '',
      level: levelOf(choice.interval),
    };
  }

  /** What can stand on either side of a scatter plot, once it is known. */
  private sides(): string[] {
    const found = this.#plot.value;
    return found?.asked.kind === 'scatter' ? found.plot.sides : [];
  }

  private question(chosen: Chosen): PlotQuery | null {
    const { options } = this.#store.state.route;
    const kinds = { distribution: 'distribution', difference: 'difference', scatter: 'scatter' } as const;
    const kind = kinds[chosen.plot as keyof typeof kinds] as (typeof kinds)[keyof typeof kinds] | undefined;
    if (kind === undefined) return null;
    const pair = kind === 'distribution' ? { a: '', b: '' } : { a: chosen.a, b: chosen.b };
    const of = kind === 'difference' ? { judge: chosen.judge, ...chosen.group } : { judge: '', ...ALL };
    // People are scored where they are chosen, and beside no other judge.
    const by = isPerson(of.judge) ? { ...options, judge: of.judge } : options;
    return { options: by, kind, criterion: chosen.criterion.id, ...pair, ...of, level: chosen.level };
  }

  /** What is asked for a drawing of scores by two groupings. */
  private groupQuestion({ plot, criterion, scope, group, level }: Chosen): GroupedQuery | null {
    const { options } = this.#store.state.route;
    if (plot === 'shares') return { options, criteria: [criterion.id], rows: scope, columns: '', level };
    if (plot === 'multiples') return { options, criteria: [], rows: 'references', columns: scope === 'references' ? '' : scope, level };
    if (plot === 'references' && group.scope !== '') return { options, criteria: [criterion.id], rows: 'references', columns: group.scope, level };
    return null;
  }

  private renderChoices(overview: Overview, chosen: Chosen): TemplateResult {
    const { plot } = chosen;
    const criteria = [...overview.criteria]
      .sort((x, y) => Number(y.id === 'total') - Number(x.id === 'total'))
      .map((info): [string, string] => [info.id, titleOf(info)]);
    const scopes = overview.scopes
      .filter(({ scope, keys }) => scope !== 'overall' && keys.length > 0)
      .map(({ scope, label }): [string, string] => [scope, label]);
    const models = chosen.models.map((name): [string, string] => [name, name]);
    const sides = this.sides().map((side): [string, string] => [side, sideName(side)]);
    const pair = plot === 'scatter' ? sides : models;
    const lines = linesOf(overview).map(({ name }): [string, string] => [name, name]);
    const judges = chosen.judges.map((judge): [string, string] => [`.${judge}`, judge === '' ? 'not stated' : personName(judge)]);
    return html`<div class="choices">
      ${plot === 'heat' || plot === 'multiples' ? nothing : select('Criterion', criteria, chosen.criterion.id, (criterion) => this.choose({ criterion }))}
      ${(plot === '' || plot === 'heat' || GROUPED.includes(plot)) && scopes.length > 0 ? select('Groups', plot === '' || plot === 'heat' ? scopes : scopes.filter(([scope]) => scope !== 'run' && (plot !== 'multiples' || scope !== 'references')), chosen.scope, (scope) => this.choose({ scope })) : nothing}
      ${
        plot === 'references' && comparable(overview).length > 1
          ? html`<label><span>Group</span>${renderGroups(
              comparable(overview).filter(({ scope }) => scope !== 'references'),
              chosen.group,
              'plot-references-group',
              (group) => this.choose(group),
            )}</label>`
          : nothing
      }
      ${plot === 'pairs' ? select('Tags', pairedScopes(overview), chosen.scope, (scope) => this.choose({ scope })) : nothing}
      ${plot === 'difference' && comparable(overview).length > 1 ? html`<label><span>Group</span>${renderGroups(comparable(overview), chosen.group, 'plot-group', (group) => this.choose(group))}</label>` : nothing}
      ${plot === 'heat' || plot === 'shares' || plot === 'pairs' ? select('Model', lines, chosen.line.name, (line) => this.choose({ line })) : nothing}
      ${
        (plot === 'difference' || plot === 'scatter') && pair.length > 1
          ? html`${select('First', pair, chosen.a, (a) => this.choose(a === chosen.b ? { a, b: chosen.a } : { a, b: chosen.b }))}
          ${select('Second', pair, chosen.b, (b) => this.choose(b === chosen.a ? { b, a: chosen.b } : { a: chosen.a, b }))}`
          : nothing
      }
      ${
        PLAIN.includes(plot)
          ? nothing
          : select(
              'Intervals',
              LEVELS.map((one): [string, string] => [one, `${one} %`]),
              chosen.level,
              (interval) => this.choose({ interval }),
            )
      }
      ${plot === 'difference' && judges.length > 1 ? select('Scores by', judges, `.${chosen.judge}`, (line) => this.choose({ line })) : nothing}
    </div>`;
  }

  private renderFigure(overview: Overview, chosen: Chosen): TemplateResult {
    const samples = overview.benchmark?.words.samples ?? 'samples';
    if (overview.models.length === 0) return html`<p>No model is open.</p>`;
    if (chosen.plot === 'difference' && chosen.models.length < 2) return html`<p>One model is open; a difference needs two.</p>`;
    if (this.question(chosen) !== null) {
      if (this.#plot.error !== null) return html`<p class="problem" role="alert">${icon('error')} ${this.#plot.error.message}</p>`;
      const found = this.#plot.value;
      if (found?.asked.kind !== chosen.plot) return html`<p class="muted">Counting…</p>`;
      const { asked, plot } = found;
      // Words and drawing are of what was asked, which may be a step behind what is chosen.
      const info = overview.criteria.find(({ id }) => id === asked.criterion) ?? chosen.criterion;
      if (asked.kind === 'scatter' && plot.sides.length < 2) {
        return html`<p>There is one judge and no rating by people for this criterion. Open another judge’s replies, or a CSV of people’s ratings, to compare.</p>`;
      }
      if (asked.kind === 'scatter' && (asked.a === '' || asked.b === '')) return html`<p class="muted">Counting…</p>`;
      const chart = countChart(found, info, overview);
      if (asked.kind === 'scatter') return html`${renderAllCompared(asked.options)}${this.renderChart(overview, chart, [])}`;
      return html`${this.renderChart(overview, chart)}${asked.kind === 'difference' ? this.renderCompare(chosen, asked) : nothing}`;
    }
    if (this.groupQuestion(chosen) !== null) return this.renderGrouped(overview, chosen);
    const { level } = chosen;
    const shown = this.atLevel(overview, chosen);
    if (shown === null) return html`<p class="muted">Counting…</p>`;
    if (chosen.plot === 'pairs') {
      const pairs = pairedChart(shown, chosen.scope, chosen.criterion.id, chosen.line, level);
      return pairs === null ? html`<p>This benchmark has no tags with a group of ${samples} without them.</p>` : this.renderChart(overview, pairs);
    }
    const chart =
      chosen.plot === 'heat'
        ? heatChart(overview, chosen.scope, chosen.line)
        : chosen.plot === 'references'
          ? referencesChart(shown, chosen.criterion.id, level)
          : scoresChart(shown, chosen.scope, chosen.criterion.id, level);
    if (chart === null) return html`<p>This benchmark does not group its ${samples} by their number of references.</p>`;
    return this.renderChart(overview, chart);
  }

  /** The overview with the intervals of its rows at the chosen level; none until these are known. */
  private atLevel(overview: Overview, chosen: Chosen): Overview | null {
    if (!isAtAnother(chosen)) return overview;
    const found = this.#rows.value;
    if (found?.level !== chosen.level || found.rows.length !== overview.scores.length) return null;
    return { ...overview, scores: overview.scores.map((row, at) => ({ ...row, ci_low: found.rows[at]?.low ?? null, ci_high: found.rows[at]?.high ?? null })) };
  }

  private renderGrouped(overview: Overview, chosen: Chosen): TemplateResult {
    if (this.#grouped.error !== null) return html`<p class="problem" role="alert">${icon('error')} ${this.#grouped.error.message}</p>`;
    const found = this.#grouped.value;
    // A drawing of another question would have other groups than its words say.
    if (found === null || JSON.stringify(found.asked) !== JSON.stringify(this.groupQuestion(chosen))) return html`<p class="muted">Counting…</p>`;
    const { asked, grouped } = found;
    const scope = overview.scopes.find((one) => one.scope === (chosen.plot === 'shares' ? asked.rows : asked.columns));
    if (chosen.plot === 'shares') return this.renderChart(overview, sharesChart(grouped, scope, chosen.criterion, chosen.line));
    const lines = linesOf(overview);
    const { level } = asked;
    if (chosen.plot === 'multiples')
      return this.renderChart(
        overview,
        multiplesChart(overview, grouped, scope, lines, `References by criterion${scope === undefined ? '' : ` and ${scope.label.toLowerCase()}`}`, level),
      );
    const { key } = chosen.group;
    const only = { ...grouped, columns: [key], cells: grouped.cells.filter((cell) => cell.column === key) };
    return this.renderChart(overview, multiplesChart(overview, only, scope, lines, `${titleOf(chosen.criterion)} by number of references, ${key}`, level));
  }

  /** The drawing, with the choices that its numbers depend on. */
  private renderChart(overview: Overview, chart: Chart, choices = this.inForce(overview)): TemplateResult {
    const { reading, overviewPending } = this.#store.state;
    const source = [overview.benchmark?.title ?? '', `${overview.profile} profile`, ...choices];
    return html`<juror-plot-figure .chart=${chart} .names=${overview.models.map(({ name }) => name)} .source=${source.join(', ')} ?partial=${reading === 'reading' || overviewPending || this.#plot.pending} @mark=${this.onMark}></juror-plot-figure>`;
  }

  /** Policy, judge and run, which judges that are compared with each other do not go by. */
  private inForce({ policy }: Overview): string[] {
    const { judge, run } = this.#store.state.route.options;
    return [`policy ${policy}`, ...(judge === null ? [] : [`judge ${judge === '' ? 'not stated' : judge}`]), ...(run === null ? [] : [`run ${run}`])];
  }

  /** The way to the tests of the same difference. */
  private renderCompare(chosen: Chosen, { a, b, criterion, judge, scope, key }: PlotQuery): TemplateResult | typeof nothing {
    // Compare has people where the whole page is scored by them.
    if (isPerson(judge) && this.#store.state.route.options.judge !== judge) return nothing;
    const comparing = {
      ...COMPARING,
      scope,
      key,
      criterion: criterionKey(criterion),
      judge: chosen.judges.length > 1 ? judge : null,
      interval: chosen.level,
      a,
      b,
    };
    return html`<p class="tests"><a href=${store.href({ view: 'compare', comparing })} data-testid="plot-compare">Test this difference in Compare</a></p>`;
  }

  /** What the mark is called, as the drawing has it; empty where there is no such mark. */
  private markWords(overview: Overview, mark: { line: number; mark: number }): string {
    const counted = this.#plot.value;
    if (counted === null) return '';
    const of = JSON.stringify([counted.asked, mark, this.#store.state.version]);
    if (of !== this.#words.of) {
      const info = overview.criteria.find(({ id }) => id === counted.asked.criterion);
      const text = info === undefined ? '' : markWords(countChart(counted, info, overview), mark);
      this.#words = { of, text };
    }
    return this.#words.text;
  }

  private renderBehind(overview: Overview, chosen: Chosen): TemplateResult | typeof nothing {
    const mark = this.mark();
    if (mark === null || this.question(chosen) === null) return nothing;
    const words = this.markWords(overview, mark);
    // An address may name a mark that is not there.
    if (words === '') return nothing;
    const found = this.#behind.value;
    return html`<div class="behind" role="region" aria-label="Samples behind the mark" tabindex="-1">
      <div class="behind-head">
        <h3>${words}</h3>
        <button type="button" class="button quiet icon" aria-label="Close" @click=${this.closeBehind}>${icon('close')}</button>
      </div>
      ${
        this.#behind.error !== null
          ? html`<p class="problem" role="alert">${this.#behind.error.message}</p>`
          : found === null || this.#behind.pending
            ? html`<p class="muted">Looking them up…</p>`
            : html`${found.total > found.rows.length ? html`<p class="muted small">The first ${count(found.rows.length)} of ${plural(found.total, 'value')}.</p>` : nothing}
            <ul data-testid="behind">
              ${found.rows.map((row) => html`<li>${this.renderLink(row, chosen)}<span class="num">${judgeScore(row.x)}${row.y === null ? nothing : html` · ${judgeScore(row.y)}`}</span></li>`)}
            </ul>`
      }
    </div>`;
  }

  /** Who closes it goes on from the mark. */
  private closeBehind(): void {
    this.choose({ mark: '' });
    this.renderRoot.querySelector<JurorPlotFigure>('juror-plot-figure')?.focus({ preventScroll: true });
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape' && this.mark() !== null && !isTyping(event)) this.closeBehind();
  }

  private renderLink(row: BehindRow, chosen: Chosen): TemplateResult {
    const models = row.model === '' ? [chosen.a, chosen.b] : [row.model];
    const href = store.href({ view: 'sample', id: row.sample, turn: row.turn === 0 ? null : row.turn, models, filter: NO_FILTER });
    const words = [
      row.sample,
      ...(row.turn === null || row.turn === 0 ? [] : [`turn ${turnNumber(row.turn)}`]),
      ...(row.run === null || row.run === 1 ? [] : [`run ${row.run}`]),
    ].join(', ');
    return html`<a href=${href}>${words}${chosen.plot === 'scatter' ? html` <span class="muted" dir="auto">${row.model}</span>` : nothing}</a>`;
  }

  private readonly onMark = (event: MarkEvent): void => {
    const { action } = event;
    const { overview } = this.#store.state;
    if ('row' in action) {
      const row = overview?.scores[action.row];
      if (row !== undefined) this.openCell(row);
      return;
    }
    if ('group' in action) {
      void this.openGroup(action);
      return;
    }
    if (this.#plot.value === null) return;
    this.#behind.clear();
    this.choose({ mark: `${action.line}.${action.mark}` });
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('.behind')?.focus({ preventScroll: false }));
  };
}

/** Whether rows are drawn with other intervals than the overview has. */
const isAtAnother = ({ plot, level }: Chosen): boolean => level !== '95' && OF_ROWS.includes(plot);

/** The drawing of counted scores. */
function countChart({ asked, plot }: { asked: PlotQuery; plot: Plot }, info: CriterionInfo, { benchmark }: Overview): Chart {
  if (asked.kind === 'distribution') return distributionChart(plot, info);
  return asked.kind === 'difference'
    ? differenceChart(plot, info, asked.a, asked.b, benchmark?.words ?? { sample: 'sample', samples: 'samples' }, asked.level)
    : scatterChart(plot, info, asked.a, asked.b, asked.level);
}

/** What a plot is of stays on the way to another; but judges and people, which a scatter plot compares, are no models. */
const sidesFor = (to: string, from: string): Partial<PlotChoice> => ((to === 'scatter') === (from === 'scatter') ? {} : { a: '', b: '' });

/** Scopes with tags of which there is a group of samples without each. */
const pairedScopes = (overview: Overview): [string, string][] =>
  overview.scopes.filter((scope) => pairedKeys(scope).length > 0).map(({ scope, label }) => [scope, label]);

/** Whether the benchmark has what this kind of plot is of. */
function isOffered(overview: Overview, kind: string): boolean {
  if (kind === 'references' || kind === 'multiples') return overview.scopes.some(({ scope, keys }) => scope === 'references' && keys.length > 0);
  return kind !== 'pairs' || pairedScopes(overview).length > 0;
}

/** Groups of samples; a run is none. */
const comparable = (overview: Overview): ScopeInfo[] => overview.scopes.filter(({ scope, keys }) => scope !== 'run' && keys.length > 0);

function select(label: string, options: [string, string][], value: string, choose: (value: string) => void): TemplateResult {
  return html`<label>
    <span>${label}</span>
    <select class="field" @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
      ${options.map(([id, text]) => html`<option value=${id} ?selected=${id === value} .selected=${id === value}>${text}</option>`)}
    </select>
  </label>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-plots': JurorPlots;
  }
}
