import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { COMPARING, LEVELS, compareQuery, seedOf, type Comparing } from '../state/comparing';
import { Query, StoreController } from '../state/controllers';
import { download } from '../state/download';
import { FocusKeeper } from '../state/focus';
import { MIN_FOR_INTERVAL, count, interval, keyLabel, lowerWords, mean, plural, share, titleOf } from '../state/format';
import { fine, term } from '../state/origin';
import { NO_FILTER, criterionKey, terms, type Filter } from '../state/router';
import { store } from '../state/store';
import { vars } from '../state/vars';
import { renderAbsent, renderGroups } from '../components/choices/choices';
import '../components/costs/costs';
import '../components/group-means/group-means';
import { isSplit } from '../components/group-means/split';
import { icon } from '../components/icon/icon';
import { nameStyles, renderLower, renderName, renderSentence } from '../components/name/name';
import { messageOf } from '../engine/errors';
import type { Cluster } from '../engine/types/Cluster';
import type { ComparedModel } from '../engine/types/ComparedModel';
import type { ComparedPair } from '../engine/types/ComparedPair';
import type { Comparison } from '../engine/types/Comparison';
import type { Correction } from '../engine/types/Correction';
import type { CriterionInfo } from '../engine/types/CriterionInfo';
import type { Interval } from '../engine/types/Interval';
import type { Level } from '../engine/types/Level';
import type { Overview } from '../engine/types/Overview';
import type { PairedSample } from '../engine/types/PairedSample';
import type { Words } from '../engine/types/Words';
import { manualLink } from '../manual/link';
import { base, controls } from '../styles/base.styles';
import { styles } from './compare.styles';

/** Samples of a pair that are listed. */
const MAX_LISTED = 12;

const CORRECTION_LABELS: Record<Correction, string> = { holm: 'Holm', benjamini_hochberg: 'Benjamini–Hochberg', none: 'None' };

/** A difference with its sign, rounded as printed. */
function difference(value: number, info: CriterionInfo): string {
  const text = Math.abs(value).toFixed(info.decimals);
  if (Number(text) === 0) return text;
  return `${value < 0 ? '−' : '+'}${text}`;
}

const pValue = (p: number | null): string => (p === null ? '–' : p < 0.001 ? '< 0.001' : p.toFixed(3));
/** The ends of an interval; where there is none as there are too few values, that. */
const ends = (one: Interval | null, info: CriterionInfo, { value, clusters }: { value: number | null; clusters: number }): string =>
  one !== null ? interval(one.low, one.high, info) : value !== null && clusters < MIN_FOR_INTERVAL ? 'n too small' : '–';

/**
 * @summary Models beside each other on the same samples: intervals, paired differences, tie groups, sentences.
 */
@customElement('juror-compare')
export class JurorCompare extends LitElement {
  static override styles = [base, controls, nameStyles, styles];

  readonly #store = new StoreController(this);
  readonly #query = new Query<Comparison>(this);
  readonly #samples = new Query<PairedSample[]>(this);
  /** What the name of the cell begins with whose pair was looked at last. */
  #looked = '';
  /** Closing a pair ends its button; who pressed it goes on in the table that it was chosen from. */
  protected readonly keeper = new FocusKeeper(this, () => this.lastCell());

  private get comparing(): Comparing {
    const { place } = this.#store.state.route;
    return place.view === 'compare' ? place.comparing : COMPARING;
  }

  protected override willUpdate(): void {
    const { engine, version, route, overview } = this.#store.state;
    const isReady = engine === 'ready' && route.place.view === 'compare' && version > 0;
    if (!isReady || overview === null || overview.models.length === 0) return;
    const question = compareQuery(this.comparing, route.options);
    const key = `${version} ${JSON.stringify([question, route.options])}`;
    this.#query.ask(key, (signal) => store.client.compare(route.options, question, signal));
    const pair = this.pair;
    if (pair !== undefined) this.#looked = `${pair.a} minus ${pair.b}:`;
    if (pair === undefined) {
      this.#samples.clear();
      return;
    }
    this.#samples.ask(`${key} ${pair.a} ${pair.b}`, (signal) => store.client.pairedSamples(route.options, question, pair.a, pair.b, signal));
  }

  /** The cell of the pair that was looked at last. */
  private lastCell(): HTMLElement | null {
    const cells = this.renderRoot.querySelectorAll<HTMLElement>('[data-testid="compare-matrix"] a');
    return [...cells].find((cell) => cell.ariaLabel?.startsWith(this.#looked)) ?? null;
  }

  /** The pair that is looked at, in the order of the table. */
  private get pair(): ComparedPair | undefined {
    const { a, b } = this.comparing;
    return this.#query.value?.pairs.find((pair) => (pair.a === a && pair.b === b) || (pair.a === b && pair.b === a));
  }

  override render(): TemplateResult {
    const { overview, reading, opened, opening } = this.#store.state;
    const found = this.#query.value;
    return html`<div class="head">
        <div class="titled"><h1>Compare</h1>${manualLink(this.#store.state.route, 'scores', 'comparing-models')}</div>
        <p class="lead">
          Are these differences real, or luck of the draw? Two models are compared on the ${overview?.benchmark?.words.samples ?? 'samples'} that both have a score for.
        </p>
      </div>
      ${
        opened.length === 0 && opening === ''
          ? html`<p class="muted">Nothing is open yet.</p>`
          : overview === null
            ? renderWaiting()
            : overview.models.length === 0
              ? html`<div class="panel empty">
                <h2>No model yet</h2>
                <p>Open one or more models’ outputs and verdicts; two of them can be compared.</p>
              </div>`
              : html`${this.renderChoices(overview, found)}
              ${renderAbsent(
                this.#store.state,
                [this.comparing.a, this.comparing.b],
                overview.models.map(({ name }) => name),
              )}
              ${reading === 'reading' ? html`<p class="partial" role="status">${icon('note')} Files are still being read; the numbers below cover what has been read so far.</p>` : nothing}
              ${this.renderFound(overview, found)}`
      }`;
  }

  private renderFound(overview: Overview, found: Comparison | null): TemplateResult {
    const { error } = this.#query;
    // The whole engine reads everything anew when it takes over: what it does not know yet is no error.
    const isStarting = this.#store.state.reading === 'reading' && (error !== null || found?.models.length === 0);
    if (isStarting) return renderWaiting();
    if (error !== null) {
      return html`<p class="problem" role="alert">
        ${icon('error')} <span>${error.message} <button type="button" class="link" @click=${() => this.change(COMPARING)}>Compare everything instead</button></span>
      </p>`;
    }
    const words = overview.benchmark?.words;
    if (found === null || words === undefined) return renderWaiting();
    return html`<div class="results" aria-busy=${this.#query.pending ? 'true' : 'false'}>
      ${this.renderModels(found, words)} ${found.models.length < 2 ? nothing : this.renderMatrix(found, words)} ${this.renderPair(found, words)} ${renderMeaning(found, words)}
      ${overview.scopes.some(isSplit) ? html`<section class="panel" aria-label="Groups"><juror-group-means .client=${store.client} .state=${this.#store.state} .overview=${overview} .criterion=${found.criterion} .judge=${found.judge}></juror-group-means></section>` : nothing}
      <section class="panel" aria-label="Seconds"><juror-costs .client=${store.client} .state=${this.#store.state} .words=${words}></juror-costs></section>
    </div>`;
  }

  private renderChoices(overview: Overview, found: Comparison | null): TemplateResult {
    const { comparing } = this;
    const words = overview.benchmark?.words;
    const scopes = found?.scopes ?? overview.scopes;
    const criterion = found?.criterion ?? (comparing.criterion === '' ? 'total' : comparing.criterion);
    const criteria = [...overview.criteria].sort((x, y) => Number(y.id === 'total') - Number(x.id === 'total'));
    const judges = found?.judges ?? [];
    const judge = found?.judge ?? comparing.judge;
    const clusters: [Cluster, string][] = [
      ['sample', `each ${words?.sample ?? 'sample'} by itself`],
      ['reference_set', `${words?.samples ?? 'samples'} with the same references`],
      ['domain', `${words?.samples ?? 'samples'} of one ${words?.domain ?? 'domain'}`],
    ];
    if (words !== undefined && words.category !== '') clusters.push(['category', `${words.samples} of one ${words.category}`]);
    return html`<form class="panel choices" aria-label="What is compared, and how" @submit=${(event: Event) => event.preventDefault()}>
      <label>
        <span>Group</span>
        ${renderGroups(scopes, found ?? comparing, 'compare-group', (group) => this.change(group))}
      </label>
      <label>
        <span>Criterion</span>
        <select class="field" data-testid="compare-criterion" @change=${(event: Event) => this.change({ criterion: criterionKey(valueOf(event)) })}>
          ${criteria.map((info) => html`<option value=${info.id} .selected=${info.id === criterion}>${titleOf(info)}</option>`)}
        </select>
      </label>
      ${
        judges.length < 2
          ? nothing
          : html`<label>
            <span>Judge</span>
            <select class="field" data-testid="compare-judge" @change=${(event: Event) => this.change({ judge: valueOf(event) })}>
              ${judges.map((one) => html`<option value=${one.judge} .selected=${one.judge === judge}>${one.judge === '' ? 'judge not stated' : one.judge} (${plural(one.models, 'model')})</option>`)}
            </select>
          </label>`
      }
      <label title="Scores within a cluster are not independent: standard errors and the bootstrap treat each cluster as one unit">
        <span>Clustering</span>
        <select class="field" data-testid="compare-cluster" @change=${(event: Event) => this.change({ cluster: valueOf(event) as Cluster })}>
          ${clusters.map(([id, label]) => html`<option value=${id} .selected=${id === comparing.cluster}>${label}</option>`)}
        </select>
      </label>
      <label title="Many comparisons at once find false differences; a correction takes account of how many there are">
        <span>Correction</span>
        <select class="field" data-testid="compare-correction" @change=${(event: Event) => this.change({ correction: valueOf(event) as Correction })}>
          ${(Object.keys(CORRECTION_LABELS) as Correction[]).map((id) => html`<option value=${id} .selected=${id === comparing.correction}>${CORRECTION_LABELS[id]}</option>`)}
        </select>
      </label>
      <label title="A difference is tested at 5 %, whatever the level of intervals is">
        <span>Intervals</span>
        <select class="field" data-testid="compare-interval" @change=${(event: Event) => this.change({ interval: valueOf(event) as Level })}>
          ${LEVELS.map((one) => html`<option value=${one} .selected=${one === comparing.interval}>${one} %</option>`)}
        </select>
      </label>
      <label class="seed" title="The same seed gives the same bootstrap interval, here and on the command line">
        <span>Seed</span>
        <input class="field num" type="number" min="0" max="4294967295" step="1" .value=${String(comparing.seed)} @change=${this.onSeed} />
      </label>
    </form>`;
  }

  private renderModels(found: Comparison, words: Words): TemplateResult {
    const { info, models } = found;
    const scored = models.filter((model) => model.mean !== null);
    const values = scored.flatMap(({ mean: middle, interval: t, bootstrap }) => [
      middle ?? 0,
      ...[t, bootstrap].flatMap((one) => (one === null ? [] : [one.low, one.high])),
    ]);
    // The drawing ends with the scale, where an interval goes on beyond it.
    const scale = [info.min * info.scale, info.max * info.scale];
    const [low, high] = [Math.max(Math.min(...values), Math.min(...scale)), Math.min(Math.max(...values), Math.max(...scale))];
    const place = (value: number): string => `${high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) * 100 : 50}%`;
    // A criterion may be asked of some samples only.
    const most = Math.max(...models.map(({ expected }) => expected));
    const isBounded = models.some(({ n, expected }) => n < expected);
    const isOther = scored.some(({ mean: middle, reported }) => reported !== null && middle !== null && mean(reported, info) !== mean(middle, info));
    const row = (model: ComparedModel): TemplateResult => html`<tr>
      <th scope="row" class="model">${renderName(model.model)}</th>
      <td class="group">${model.group === '' ? '–' : html`<span class="chip accent" title="Tie group ${model.group}">${model.group}</span>`}</td>
      <td class="main">${model.mean === null ? 'No score' : mean(model.mean, info)}</td>
      <td class="wide" aria-hidden="true">
        ${
          model.mean === null
            ? nothing
            : html`<span class="track">
              ${model.interval === null ? nothing : html`<span class="span" ${vars({ '--from': place(model.interval.low), '--to': place(model.interval.high) })}></span>`}
              <span class="dot" ${vars({ '--at': place(model.mean) })}></span>
            </span>`
        }
      </td>
      <td>${ends(model.interval, info, { value: model.mean, clusters: model.clusters })}</td>
      <td>${ends(model.bootstrap, info, { value: model.mean, clusters: model.clusters })}</td>
      <td class=${model.n < model.expected ? 'short' : nothing}>${share(model.n, model.expected, words.samples)}</td>
      ${isBounded ? html`<td>${model.n < model.expected ? interval(model.bound_low, model.bound_high, info) : '–'}</td>` : nothing}
      ${isOther ? html`<td>${mean(model.reported, info)}</td>` : nothing}
    </tr>`;
    return html`<section class="panel" aria-labelledby="models">
      <div class="panel-head">
        <div>
          <h2 id="models">${titleOf(info)}${found.scope === 'overall' ? nothing : html` · ${keyLabel(found.scope, found.key)}`}</h2>
          <p class="muted small">
            ${most < found.samples ? `${count(most)} of ` : nothing}${plural(found.samples, words.sample, words.samples)}${most < found.samples ? ' with this criterion' : nothing}${found.cluster === 'sample' ? nothing : html` in ${plural(found.clusters, 'cluster')}`}${found.judge === '' ? nothing : html` · judge ${found.judge}`}${
              found.detectable === null ? nothing : html` · Detectable difference: <b class="num">${mean(found.detectable, info)}</b> (80 % power)`
            }
          </p>
        </div>
        <button type="button" class="button" data-testid="compare-csv" @click=${this.csv}>${icon('download')}CSV</button>
      </div>
      <div class="scroll" tabindex="0" role="region" aria-label="Table of models">
        <table data-testid="compare-models">
          <thead>
            <tr>
              <th scope="col" class="model">Model</th>
              <th scope="col" class="group"><abbr title="Models with the same letter as the best of their group are not separated from it">Tie</abbr></th>
              <th scope="col">Mean over ${words.samples}</th>
              <td class="wide" aria-hidden="true"><span class="axis"><span>${mean(low, info)}</span><span>${mean(high, info)}</span></span></td>
              <th scope="col">${found.level} % by t</th>
              <th scope="col">${found.level} % by bootstrap</th>
              <th scope="col">Scored</th>
              ${isBounded ? html`<th scope="col"><abbr title="The mean if every missing one got the lowest, or the highest, number of the scale">Worst / best case</abbr></th>` : nothing}
              ${isOther ? html`<th scope="col"><abbr title="The mean in the overview, by the formula of its criterion: over turns, runs, tasks or groups">${words.units === words.samples ? 'Mean by formula' : html`Mean over ${words.units}`}, as in the score table</abbr></th>` : nothing}
            </tr>
          </thead>
          <tbody>
            ${models.map(row)}
          </tbody>
        </table>
      </div>
      ${this.renderSentence(found.sentence, 'compare-groups')}
      ${found.notes.length === 0 ? nothing : html`<ul class="notes">${found.notes.map((note) => html`<li>${icon('note', 16)}<span>${note}</span></li>`)}</ul>`}
    </section>`;
  }

  private renderMatrix(found: Comparison, words: Words): TemplateResult {
    const { info, pairs } = found;
    const models = found.models.filter((model) => model.mean !== null).map(({ model }) => model);
    if (models.length < 2)
      return html`<section class="panel empty"><h2>Nothing to compare</h2><p>Only ${models.length === 0 ? 'models without a score' : models[0]} can be shown here: a difference takes two models with scores.</p></section>`;
    const most = Math.max(...pairs.map((pair) => Math.abs(pair.difference ?? 0)), Number.MIN_VALUE);
    const chosen = this.pair;
    const cell = (a: string, b: string): TemplateResult => {
      if (a === b) return html`<td class="same"><span aria-hidden="true">·</span><span class="visually-hidden">the same model</span></td>`;
      const pair = pairs.find((one) => (one.a === a && one.b === b) || (one.a === b && one.b === a));
      if (pair === undefined) return html`<td>–</td>`;
      const value = pair.difference === null ? null : pair.a === a ? pair.difference : -pair.difference;
      const text = value === null ? 'no overlap' : difference(value, info);
      const said = `${a} minus ${b}: ${text}, n ${pair.n}, ${pair.separated ? 'separated' : 'not separated'}${pair.p_corrected === null ? '' : `, p ${pValue(pair.p_corrected)}`}`;
      const better = value !== null && (info.direction === 'down' ? value < 0 : value > 0);
      return html`<td class=${`heat ${better ? 'ahead' : 'behind'} ${pair.separated ? 'separated' : ''}`} ${vars({ '--v': Math.abs(value ?? 0) / most })}>
        <a
          href=${store.href({ view: 'compare', comparing: { ...this.comparing, a, b } })}
          aria-label=${said}
          aria-current=${chosen === pair ? 'true' : nothing}
          title=${said}
          ><span class="value">${text}</span><span class="p">${pair.p_corrected === null ? '–' : `p ${pair.p_corrected < 0.001 ? '' : '= '}${pValue(pair.p_corrected)}`}</span></a
        >
      </td>`;
    };
    return html`<section class="panel" aria-labelledby="differences">
      <div class="panel-head">
        <div>
          <h2 id="differences">Paired differences</h2>
          <p class="muted small">Row minus column${lowerWords(info)}, with the p-value ${found.correction === 'none' ? 'as it is' : `after ${CORRECTION_LABELS[found.correction]} correction for ${plural(found.comparisons, 'comparison')}`}; framed cells differ significantly. Choose one to see its ${words.samples}.</p>
        </div>
      </div>
      <div class="scroll" tabindex="0" role="region" aria-label="Table of differences">
        <table class="matrix" data-testid="compare-matrix">
          <thead>
            <tr>
              <td></td>
              ${models.map((model) => html`<th scope="col">${renderName(model)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${models.map((a) => html`<tr><th scope="row" class="model">${renderName(a)}</th>${models.map((b) => cell(a, b))}</tr>`)}
          </tbody>
        </table>
      </div>
    </section>`;
  }

  private renderPair(found: Comparison, words: Words): TemplateResult | typeof nothing {
    const pair = this.pair;
    if (pair === undefined) return nothing;
    const { info } = found;
    const figures: [string, string][] = [
      [`Mean of ${pair.a} − ${pair.b}`, pair.difference === null ? '–' : difference(pair.difference, info)],
      [`${found.level} % by Student’s t`, ends(pair.interval, info, { value: pair.difference, clusters: pair.clusters })],
      [`${found.level} % by bootstrap (BCa)`, ends(pair.bootstrap, info, { value: pair.difference, clusters: pair.clusters })],
      [
        'Paired t test',
        pair.t === null || pair.df === null
          ? 'not defined'
          : `t(${pair.df}) = ${pair.t.toFixed(2).replace('-', '−')}, p ${pair.p_t !== null && pair.p_t < 0.001 ? '' : '= '}${pValue(pair.p_t)}`,
      ],
      [
        'Wilcoxon signed-rank',
        pair.p_wilcoxon === null
          ? 'not defined'
          : `p ${pair.p_wilcoxon < 0.001 ? '' : '= '}${pValue(pair.p_wilcoxon)} (${pair.wilcoxon_exact ? 'exact' : 'approximate'})`,
      ],
      ['Smallest difference that this n can show', mean(pair.detectable, info)],
      [`${capital(words.samples)} compared`, count(pair.n)],
      [`${capital(words.samples)} excluded`, pair.left_out === 0 ? 'none' : count(pair.left_out)],
    ];
    return html`<section class="panel" aria-labelledby="pair" data-testid="compare-pair">
      <div class="panel-head">
        <h2 id="pair">${pair.a} against ${pair.b}</h2>
        <a class="button quiet icon" href=${store.href({ view: 'compare', comparing: { ...this.comparing, a: '', b: '' } })} aria-label="Close the pair">${icon('close')}</a>
      </div>
      ${this.renderSentence(pair.sentence, 'compare-sentence')}
      <div class="pair">
        <dl class="figures">
          ${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd class="num">${value}</dd></div>`)}
          ${pair.reasons.map((reason) => html`<div class="reason"><dt>${reason.model}: ${reason.label.toLowerCase()}</dt><dd class="num">${count(reason.count)}</dd></div>`)}
        </dl>
        ${this.renderSamples(found, pair, words)}
      </div>
      ${renderSteps(found, pair)}
    </section>`;
  }

  /** The list of the samples that are compared, those first where the pair's first model is ahead. */
  private listOf(found: Comparison, { a, b }: ComparedPair): Filter {
    const judges = this.#store.state.overview?.at_hand.judges ?? [];
    const judge = judges.length > 1 && judges.includes(found.judge) ? found.judge : '';
    return {
      ...NO_FILTER,
      q: [found.filter ?? '', terms({ judge })].filter((term) => term !== '').join(' '),
      sort: 'difference',
      a,
      b,
      by: criterionKey(found.criterion),
    };
  }

  private renderSamples(found: Comparison, pair: ComparedPair, words: Words): TemplateResult | typeof nothing {
    const { info } = found;
    const { value, error } = this.#samples;
    if (error !== null) return html`<p class="problem" role="alert">${icon('error')} ${error.message}</p>`;
    if (value === null || pair.n === 0) return nothing;
    const models = [pair.a, pair.b];
    const shown = value.slice(0, MAX_LISTED);
    return html`<div class="listed">
      <h3>${shown.length < value.length ? `The ${count(shown.length)} largest differences of ${plural(value.length, words.sample, words.samples)}` : 'By size of the difference'}</h3>
      <div class="scroll" tabindex="0" role="region" aria-label="Table of samples">
        <table data-testid="compare-samples">
          <thead>
            <tr>
              <th scope="col" class="model">${capital(words.sample)}</th>
              <th scope="col">${pair.a}</th>
              <th scope="col">${pair.b}</th>
              <th scope="col">Difference${renderLower(info)}</th>
            </tr>
          </thead>
          <tbody>
            ${shown.map(
              (one) =>
                html`<tr>
                  <th scope="row" class="model"><a href=${store.href({ view: 'sample', id: one.sample, turn: null, models, filter: NO_FILTER })}>${one.sample}</a></th>
                  <td>${mean(one.a, info)}</td>
                  <td>${mean(one.b, info)}</td>
                  <td class="main">${difference(one.difference, info)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <a class="more" href=${store.href({ view: 'samples', filter: this.listOf(found, pair) })}>${icon('list')}All ${words.samples}${found.scope === 'overall' || found.filter === null ? '' : ` of ${keyLabel(found.scope, found.key)}`}, by the difference ${found.criterion === 'total' ? 'of total scores' : html`in ${titleOf(info)}`}</a>
    </div>`;
  }

  private renderSentence(sentence: string, testId: string): TemplateResult {
    return html`<div class="sentence">
      <p data-testid=${testId}>${renderSentence(sentence, this.#store.state.overview?.models.map(({ name }) => name) ?? [])}</p>
      <button type="button" class="button" @click=${() => copy(sentence)}>${icon('copy')}Copy</button>
    </div>`;
  }

  private change(part: Partial<Comparing>): void {
    store.go({ view: 'compare', comparing: { ...this.comparing, ...part } });
  }

  private onSeed(event: Event): void {
    const input = event.target as HTMLInputElement;
    const seed = seedOf(input.value);
    input.value = String(seed);
    this.change({ seed });
  }

  private csv(): void {
    const { route } = this.#store.state;
    const { scope, key, criterion } = this.comparing;
    store.client.compareCsv(route.options, compareQuery(this.comparing, route.options)).then(
      (bytes) => download(new Blob([bytes], { type: 'text/csv' }), 'csv', 'compare', scope, key, criterion),
      (error: unknown) => store.notify('error', `The comparison could not be written: ${messageOf(error)}`),
    );
  }
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const valueOf = (event: Event): string => (event.target as HTMLSelectElement | HTMLInputElement).value;

function copy(text: string): void {
  navigator.clipboard.writeText(text).then(
    () => store.notify('info', 'Copied.'),
    () => store.notify('error', 'The browser does not let this page write to the clipboard; select the text and copy it.'),
  );
}

/** The share up to the upper end of an interval. */
const upper = (level: Level): string => ({ '90': '0.95', '95': '0.975', '99': '0.995' })[level];

/** How everything on this page is computed. */
function renderMeaning(found: Comparison, words: Words): TemplateResult {
  const { samples, sample } = words;
  return html`<details class="panel meaning">
    <summary>What these numbers say, and what they do not</summary>
    <dl>
      <div><dt>Number of a ${sample}</dt><dd>The mean over its turns, each one averaged over the judge’s runs first; of totals, its total. Repeated runs do not count as more ${samples}.</dd></div>
      <div><dt>Interval</dt><dd>Covers the chance of which ${samples} were drawn. It does not cover the judge’s noise beyond what already shows between ${samples}, nor another judge, nor other outputs of the same model.</dd></div>
      <div><dt>Student’s t</dt><dd>Mean ± t(${upper(found.level)}, clusters − 1) · standard error. Where clusters hold several ${samples}, the standard error is that of clustered sums.</dd></div>
      <div><dt>Bootstrap</dt><dd>${found.replicates === 0 ? 'Not drawn.' : html`${count(found.replicates)} times as many clusters as there are, drawn with replacement from seed ${found.seed}; bias-corrected and accelerated percentiles (BCa).`}</dd></div>
      <div><dt>Paired difference</dt><dd>Over the ${samples} that both models have a score for, on the turns that both have. The others are left out and counted, with the reason.</dd></div>
      <div><dt>Tests</dt><dd>Two-sided paired t test; Wilcoxon’s signed-rank test beside it (zeros dropped; exact up to 50 differences without ties, up to 13 with them, else by the normal approximation). Where differences do not vary there is no t test, and Wilcoxon’s decides.</dd></div>
      <div><dt>Correction</dt><dd>Over all pairs of this table. Holm keeps the chance of a single false separation below 5 %; Benjamini–Hochberg keeps the expected share of false ones among the separations below 5 %. Tables on other criteria or groups are not counted in.</dd></div>
      <div><dt>Tie groups</dt><dd>In order of the mean, a model joins the group unless it is separated from the group’s best (corrected p &lt; 0.05); else it opens the next group. A pair without a test is not separated.</dd></div>
      <div><dt>Smallest difference</dt><dd>(t(0.975, df) + t(0.8, df)) · standard error: the true difference that one test at 5 % would show four times in five, if the spread is as found. Correction for many comparisons makes it larger.</dd></div>
      <div><dt>Worst / best case</dt><dd>The mean if every missing ${sample} got the lowest, or the highest, number of the scale: whatever the missing scores are, the mean lies between the two.</dd></div>
    </dl>
  </details>`;
}

function renderWaiting(): TemplateResult {
  return html`<div class="waiting" role="status"><span class="visually-hidden">Comparing…</span><span class="block" aria-hidden="true"></span><span class="block" aria-hidden="true"></span></div>`;
}

/** Both intervals with every value filled in. */
function renderSteps({ info, level, seed, replicates }: Comparison, pair: ComparedPair): TemplateResult | typeof nothing {
  const { steps, difference: center, interval: t, bootstrap: drawn } = pair;
  if (steps === null || center === null || t === null) return nothing;
  const text = (value: number): string => fine(value, info).replaceAll('-', '−');
  const half = steps.t * steps.standard_error;
  const by = steps.bootstrap;
  const z = (by?.z ?? 0).toFixed(6);
  const share = (name: string, sign: '−' | '+', value: number): TemplateResult =>
    html`<p class="mono">${name} = Φ(<span class="expression">${text(by?.bias ?? 0)} + (${text(by?.bias ?? 0)} ${sign} ${z}) / (1 − ${term(by?.acceleration ?? 0, info)} · (${text(by?.bias ?? 0)} ${sign} ${z}))</span>) = <span class="result">${(100 * value).toFixed(4)}</span> %</p>`;
  return html`<details class="steps" data-testid="compare-steps">
    <summary>How both intervals are computed</summary>
    <p class="small">Student’s t over ${plural(pair.clusters, 'cluster')} of ${count(pair.n)} differences d: mean ± t · SE, SE = √(G / (G − 1) · Σ (S − m · d̄)²) / n over G clusters with their sums S and sizes m; where each is a cluster of its own, that is SD / √n${pair.sd === null ? '' : `, with SD = ${text(pair.sd)}`}.</p>
    <p class="mono">t(${upper(level)}; ${steps.df}) = ${steps.t.toFixed(6)}, SE = ${text(steps.standard_error)}</p>
    <p class="mono" data-testid="step-low">lower end = <span class="expression">${text(center)} − ${steps.t.toFixed(6)} · ${text(steps.standard_error)}</span> = <span class="result">${text(center - half)}</span></p>
    <p class="mono" data-testid="step-high">upper end = <span class="expression">${text(center)} + ${steps.t.toFixed(6)} · ${text(steps.standard_error)}</span> = <span class="result">${text(center + half)}</span></p>
    ${
      by === null || drawn === null
        ? nothing
        : html`<p class="small">Bootstrap, bias-corrected and accelerated: ${count(replicates)} times ${plural(pair.clusters, 'cluster')} are drawn with replacement, by SplitMix64 from seed ${seed}; the ends are the means of these draws below which such shares of them lie, Φ being the normal distribution.</p>
          <p class="mono">bias z₀ = ${text(by.bias)}, acceleration a = ${text(by.acceleration)}</p>
          <div data-testid="step-shares">${share('lower share', '−', by.low_share)}${share('upper share', '+', by.high_share)}</div>
          <p class="mono">the means there: [${text(drawn.low)}, ${text(drawn.high)}]</p>`
    }
  </details>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-compare': JurorCompare;
  }
}
