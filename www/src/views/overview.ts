import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import { Query, StoreController } from '../state/controllers';
import { DEMOS } from '../state/demos';
import { OTHER_BENCHMARKS, count, mean, plural } from '../state/format';
import { NO_FILTER, USUAL_LOOK, type Below, type OpenCell, type Place } from '../state/router';
import { store } from '../state/store';
import type { JurorCellDialog } from '../components/cell-dialog/cell-dialog';
import { PartEvent } from '../components/cell-dialog/part';
import { weight } from '../components/differences/effect';
import type { ChooseBenchmark } from '../components/files/files';
import { foldersStyles, KNOWN_BENCHMARKS, renderFolders } from '../components/folders/folders';
import type { NameJudge, SetKind } from '../components/models/models';
import '../components/highlights/highlights';
import type { PickEvent } from '../components/highlights/highlights';
import { icon } from '../components/icon/icon';
import '../components/models/models';
import { aroundStyles, chosenIn, renderChoices, renderCodes, renderFoot, renderLegend } from '../components/score-table/around';
import { rankedColumn } from '../components/score-table/score-table';
import type { CellEvent, JudgesEvent, OrderEvent, PrintedEvent, PublishedEvent } from '../components/score-table/score-table';
import type { BenchmarkInfo } from '../engine/types/BenchmarkInfo';
import type { Overview } from '../engine/types/Overview';
import type { ScoreRow } from '../engine/types/ScoreRow';
import type { ModelRank } from '../engine/types/ModelRank';
import { manualLink } from '../manual/link';
import { base, controls } from '../styles/base.styles';
import { styles } from './overview.styles';

/**
 * @summary The score table with everything that bears on it.
 */
@customElement('juror-overview')
export class JurorOverview extends LitElement {
  static override styles = [base, controls, aroundStyles, foldersStyles, styles];

  @query('juror-cell-dialog') private dialog!: JurorCellDialog | null;
  readonly #store = new StoreController(this);
  readonly #standings = new Query<ModelRank[]>(this);
  /** The part below the scores that could not be loaded. */
  @state() private unloaded: Below | null = null;
  /** The column that the ranks are of. */
  #ranked = '';

  override render(): TemplateResult {
    const { overview, overviewError, opened, opening, engine } = this.#store.state;
    if (overviewError !== '') return html`<p class="problem" role="alert">${icon('error')} ${overviewError}</p>`;
    if (overview === null) return opened.length === 0 && opening === '' && engine === 'ready' ? renderStart() : renderWaiting();
    if (overview.benchmark === null) {
      if (overview.models.length === 0 && overview.problems.length === 0 && overview.num_unknown_files === 0) {
        return opened.length === 0 ? renderStart() : renderWaiting();
      }
      return this.renderNoBenchmark(overview);
    }
    return this.renderAll(overview, overview.benchmark);
  }

  private get place(): OverviewPlace {
    const { place } = this.#store.state.route;
    return place.view === 'overview' ? place : { view: 'overview', scope: '', criterion: '' };
  }

  protected override willUpdate(): void {
    const { engine, version, route, overview } = this.#store.state;
    if (engine !== 'ready' || overview === null || overview.models.length === 0) return;
    const { scope, criterion } = chosenIn(overview, this.place);
    const column = rankedColumn(overview, scope, criterion, this.place.sort ?? '');
    if (column === null) return;
    const query = { options: route.options, scope: column.scope, key: column.key, criterion: column.criterion };
    const key = JSON.stringify(query);
    // Ranks of another column are not these.
    if (key !== this.#ranked) this.#standings.clear();
    this.#ranked = key;
    this.#standings.ask(`${version} ${key}`, (signal) => store.client.standings(query, signal));
  }

  protected override updated(): void {
    const { overview } = this.#store.state;
    // What stands in a view that was left is no dialog yet where its script came later.
    if (overview === null || !this.isConnected) return;
    const { cell, print } = this.place;
    if (customElements.get('juror-cell-dialog') !== undefined) this.dialog?.sync(overview, this.place);
    else if (cell !== undefined || print !== undefined) this.expectDialog();
  }

  /** What stands behind a number comes when it is first asked for. */
  private expectDialog(): void {
    import('../components/cell-dialog/cell-dialog').then(
      () => this.requestUpdate(),
      () => {
        store.notify('error', 'What stands behind this number could not be loaded, perhaps because there is no network. Open the number again.');
        this.onClosed();
      },
    );
  }

  /** The dialog was closed by its reader, not by the address. */
  private readonly onClosed = (): void => {
    const { cell, print, ...rest } = this.place;
    if (cell !== undefined || print !== undefined) store.leaveLayer(rest);
  };

  private renderAll(overview: Overview, benchmark: BenchmarkInfo): TemplateResult {
    const { words } = benchmark;
    const isDemo = this.#store.state.opened.some(({ demo }) => demo);
    const others = overview.problems.filter(({ code }) => OTHER_BENCHMARKS.includes(code)).length;
    return html`${isDemo ? this.renderIntro(overview, benchmark) : nothing}
      <div class="head">
        <div class="titled">${isDemo ? html`<h2 class="title" data-testid="benchmark">${benchmark.title}</h2>` : html`<h1 data-testid="benchmark">${benchmark.title}</h1>`}${manualLink(this.#store.state.route, 'scores')}</div>
        <p class="facts">
          <span><b class="num">${count(benchmark.samples)}</b> ${benchmark.samples === 1 ? words.sample : words.samples}</span>
          ${
            words.units === words.samples
              ? nothing
              : html`<span><b class="num">${count(benchmark.picture_turns)}</b> picture turns</span> <span><b class="num">${count(benchmark.text_turns)}</b> text turns</span>`
          }
          <span><b class="num">${count(benchmark.pictures)}</b> pictures${benchmark.missing_pictures > 0 ? html` <em>(${count(benchmark.missing_pictures)} missing)</em>` : nothing}</span>
          ${renderMissing(overview, words.category)}
          ${benchmark.path === '' ? nothing : html`<a href=${store.href({ view: 'statistics' })} data-testid="to-statistics">What it is made of</a>`}
          ${others === 0 ? nothing : html`<a href=${store.href({ ...this.place, below: 'files' })} data-testid="other-benchmarks">${plural(others, 'other benchmark')} in these files</a>`}
          ${benchmark.unreadable_samples > 0 ? html`<span><em>${plural(benchmark.unreadable_samples, words.sample, words.samples)} unreadable</em></span>` : nothing}
        </p>
        ${isDemo && overview.packs.length < 2 ? nothing : this.renderPack(overview)}
      </div>
      ${
        overview.models.length === 0
          ? html`<div class="panel empty">
            <h2>No model yet</h2>
            <p>Drop one or more models’ output folders in the layout that the authors’ scripts write, or browse the ${words.samples} as they are.</p>
          </div>`
          : html`${this.renderHighlights()} ${this.renderTable(overview)}`
      }
      ${this.renderBelow(overview, benchmark)}`;
  }

  /** What is known besides the scores, one at a time. */
  private renderBelow(overview: Overview, benchmark: BenchmarkInfo): TemplateResult {
    const below = this.place.below ?? '';
    const { models, differences, incidents, problems } = overview;
    const effective = differences.filter((one) => weight(one) > 0).length;
    const found = incidents.filter(({ per_model: per }) => per.some((n) => n > 0)).length;
    const findings = problems.length + this.#store.state.sourceProblems.length;
    const worst = problems.some(({ severity }) => severity === 'error') ? icon('error', 16) : findings > 0 ? icon('warn', 16) : nothing;
    const tabs: [Below, string, number, unknown][] = [
      ['', 'Models', models.length, nothing],
      ['rules', 'Paper and code differ', effective, nothing],
      ['incidents', 'Incidents', found, nothing],
      ['files', 'Files', findings, worst],
    ];
    return html`<section class="panel below" aria-label="More">
      <fieldset class="segmented" data-testid="below">
        <legend class="visually-hidden">Shown below</legend>
        ${tabs.map(([id, name, number, mark]) => html`<label data-testid="below-${id || 'models'}"><input type="radio" name="below" .checked=${below === id} @change=${() => store.go({ ...this.place, below: id })} />${mark} ${name}${number === 0 ? nothing : html` <b class="num">${count(number)}</b>`}</label>`)}
      </fieldset>
      ${this.renderChosen(below, overview, benchmark)}
    </section>`;
  }

  private renderChosen(below: Below, overview: Overview, benchmark: BenchmarkInfo): TemplateResult {
    if (this.unloaded === below) {
      return html`<p class="problem" role="alert">${icon('error')} This part could not be loaded. <button type="button" class="button tiny" @click=${() => (this.unloaded = null)}>Try again</button></p>`;
    }
    switch (below) {
      case '':
        return html`<juror-models .state=${this.#store.state} .models=${overview.models} .unstated=${overview.unstated_judges} .presets=${overview.judges} ?modes=${benchmark.text_turns > 0} @name-judge=${({ places, judge }: NameJudge) => void store.nameJudge(places, judge)} @set-kind=${({ model, kind }: SetKind) => void store.setKind(model, kind)}></juror-models>`;
      case 'rules':
        this.expect(below, import('../components/differences/differences'));
        return html`<p class="muted small about">Effect of each single rule on the overall total under the paper’s formulas</p>
          <juror-differences ?provisional=${!overview.pictures_checked} .differences=${overview.differences} .total=${overview.criteria.find(({ id }) => id === 'total')}></juror-differences>`;
      case 'incidents':
        this.expect(below, import('../components/incidents/incidents'));
        return html`<p class="muted small about">What kept a score from being read, and what it counts as</p>
          <juror-incidents .state=${this.#store.state} .overview=${overview}></juror-incidents>`;
      case 'files':
        return this.renderFiles(overview);
    }
  }

  private renderFiles(overview: Overview): TemplateResult {
    this.expect('files', import('../components/files/files'));
    return html`<juror-files .overview=${overview} .sourceProblems=${this.#store.state.sourceProblems} @choose-benchmark=${({ path }: ChooseBenchmark) => void store.chooseBenchmark(path)}></juror-files>`;
  }

  /** Each part comes when it is first asked for; one that does not come says so in its place. */
  private expect(below: Below, part: Promise<unknown>): void {
    part.catch(() => (this.unloaded = below));
  }

  /** What this page is, for whoever meets it by its demo. */
  private renderIntro({ models, scores, criteria }: Overview, { title, words }: BenchmarkInfo): TemplateResult {
    const best = scores
      .filter(({ scope, criterion, mean }) => scope === 'overall' && criterion === 'total' && mean !== null)
      .reduce<ScoreRow | null>((first, row) => (first === null || (row.mean ?? 0) > (first.mean ?? 0) ? row : first), null);
    const total = criteria.find(({ id }) => id === 'total');
    const differing: Place = { view: 'samples', filter: { ...NO_FILTER, sort: 'spread' } };
    return html`<section class="intro" data-testid="intro">
      <h1>See why a model got its score.</h1>
      <p>Juror scores image-generation benchmarks in your browser and shows the judge’s reply behind every number. This demo shows ${plural(models.length, 'made-up model')} on ${title}, with drawn pictures and invented replies.</p>
      <div class="toolbar">
        <a class="button primary" href=${store.href(differing)} data-testid="explore">Explore the demo</a>
        <button type="button" class="button" @click=${() => this.dispatchEvent(new CustomEvent('juror-open-folder'))}>Open your results</button>
        ${
          best === null
            ? nothing
            : html`<span class="small"
              >Every number opens: <a href=${store.href({ ...this.place, cell: { model: best.model, judge: best.judge, scope: best.scope, key: best.key, criterion: best.criterion } })} data-testid="intro-number">${mean(best.mean, total)}</a> of ${best.model} shows its formula and its ${words.samples}.</span
            >`
        }
      </div>
    </section>`;
  }

  private renderHighlights(): TemplateResult {
    const { pick, seed } = this.place.look ?? USUAL_LOOK;
    return html`<juror-highlights .client=${store.client} .state=${this.#store.state} .pick=${pick} .seed=${seed} @pick=${({ pick, seed }: PickEvent) => store.go({ ...this.place, look: { pick, seed } })}></juror-highlights>`;
  }

  private renderTable(overview: Overview): TemplateResult {
    const asked = this.place;
    const chosen = chosenIn(overview, asked);
    const { scope, criterion } = chosen;
    const go = (part: Partial<OverviewPlace>): void => store.go({ ...asked, ...part });
    const open = (cell: OpenCell): void =>
      store.go({ ...asked, cell: undefined, print: undefined, ...cell }, asked.cell === undefined && asked.print === undefined ? 'layer' : 'within');
    const info = overview.criteria.find(({ id }) => id === criterion);
    const { reading, progress } = this.#store.state;
    const areRepliesRead = reading !== 'reading' || progress?.phase === 'pictures' || progress?.phase === 'decoding';
    return html`<section class="panel scores" aria-labelledby="scores">
      <h2 id="scores" class="visually-hidden">Scores</h2>
      <div class="toolbar">${renderChoices(overview, chosen, go, !overview.pictures_checked)}</div>
      <juror-score-table ?waiting=${!areRepliesRead} ?provisional=${!overview.pictures_checked} .overview=${overview} .scope=${scope} .criterion=${criterion} .order=${asked.sort ?? ''} .standings=${overview.models.length < 2 ? null : (this.#standings.value ?? [])} .published=${asked.published ?? ''} .judges=${asked.judges ?? ''}
        @order=${(event: OrderEvent) => go({ sort: event.order })} @published=${({ published }: PublishedEvent) => go({ published })} @judges=${({ judges }: JudgesEvent) => go({ judges })}
        @cell=${({ row }: CellEvent) => open({ cell: row })} @printed=${({ row, cell }: PrintedEvent) => open({ print: { ...cell, model: row.model, judge: row.judge } })}></juror-score-table>
      <juror-cell-dialog .client=${store.client} .state=${this.#store.state} @juror-part=${(event: Event) => event instanceof PartEvent && open({ cell: event.cell })} @juror-cell-closed=${this.onClosed}></juror-cell-dialog>
      ${renderCodes(overview)} ${renderLegend(info)}
      ${renderFoot(overview, criterion, 'Open a cell for its formula and samples.')}
    </section>`;
  }

  private renderPack(overview: Overview): TemplateResult {
    const { pack, packs, pack_words: words } = overview;
    if (packs.length < 2) {
      return html`<p class="pack small muted">Prompt pack: <span class="mono" title="SHA-256 ${pack.sha256}">${words[0]}</span></p>`;
    }
    return html`<label class="pack small muted"
      >Prompt pack
      <select class="field" @change=${(event: Event) => void store.usePack((event.target as HTMLSelectElement).value)}>
        ${packs.map((one, at) => html`<option value=${one.sha256} ?selected=${one.sha256 === pack.sha256}>${words[at]}</option>`)}
      </select>
    </label>`;
  }

  private renderNoBenchmark(overview: Overview): TemplateResult {
    const reading = this.#store.state.reading === 'reading';
    // What is wrong with the files is most likely why there is none.
    const errors = overview.problems.filter(({ severity }) => severity === 'error');
    return html`<div class="head"><h1>${reading ? 'Reading…' : 'No benchmark found yet'}</h1></div>
      ${errors
        .slice(0, 3)
        .map(
          ({ message, path, place, hint }) =>
            html`<div class="problem" role="alert" data-testid="why-none">${icon('error')}<div><p dir="auto">${message}</p><p class="path small">${path}${place === '' ? nothing : html`, ${place}`}</p>${hint === '' ? nothing : html`<p class="small">${hint}</p>`}</div></div>`,
        )}
      ${
        reading
          ? nothing
          : html`<div class="panel empty">
            <p>
              ${errors.length > 0 ? 'The problems above keep Juror from showing a benchmark. Fix them and open the folder again; what is already open stays.' : 'None of the opened files belongs to a benchmark that Juror knows. Drop the benchmark’s own folder, unchanged; what is open already stays.'}
            </p>
          </div>`
      }
      ${reading ? nothing : renderLayouts()}
      ${overview.models.length === 0 ? nothing : html`<juror-models .state=${this.#store.state} .models=${overview.models}></juror-models>`}
      <section class="panel">
        <div class="panel-head"><h2>Files</h2></div>
        ${this.renderFiles(overview)}
      </section>`;
  }
}

type OverviewPlace = Extract<Place, { view: 'overview' }>;

/** The paper's coarse groups of which there is no score here, as a whole half of the benchmark may be another download. */
function renderMissing({ published, scopes }: Overview, category: string): TemplateResult | typeof nothing {
  const here = scopes.find(({ scope }) => scope === 'category')?.keys ?? [];
  const printed = published.rows.flatMap(({ cells }) => cells.flatMap(({ scope, key }) => (scope === 'category' ? [key] : [])));
  const missing = [...new Set(printed)].filter((key) => !here.includes(key));
  return here.length === 0 || missing.length === 0
    ? nothing
    : html`<span data-testid="missing-groups"><em>Missing here: ${category} ${missing.join(', ')}</em>, which the paper has</span>`;
}

function renderLayouts(): TemplateResult {
  return html`<section class="panel layouts" aria-labelledby="layouts">
    <h2 id="layouts">What Juror looks for</h2>
    ${renderFolders()}
  </section>`;
}

function renderStart(): TemplateResult {
  return html`<div class="start panel">
    ${icon('folder', 44)}
    <div class="titled"><h1>Open a benchmark and its results</h1>${manualLink(store.state.route, 'files')}</div>
    <p>Drop the folder of ${KNOWN_BENCHMARKS} and one or more models’ output folders anywhere on this page, in any order, as folders, files or ZIPs.</p>
    <p class="muted">Nothing is uploaded: the files are read and scored in this browser.</p>
    <p class="muted">Or look at a demo suite of synthetic pictures and replies:</p>
    <div class="demos">
      ${DEMOS.map(({ id, title }) => html`<button type="button" class="button" @click=${() => void store.openDemo(id)}><span class="visually-hidden">Demo: </span>${title}</button>`)}
    </div>
  </div>`;
}

function renderWaiting(): TemplateResult {
  return html`<div class="waiting" aria-hidden="true">
    <span class="line w30"></span><span class="line w60"></span><span class="block"></span><span class="block small"></span>
  </div>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-overview': JurorOverview;
  }
}
