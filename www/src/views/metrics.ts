import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { Query, StoreController } from '../state/controllers';
import { download } from '../state/download';
import { FocusKeeper } from '../state/focus';
import { bytes, count, mean, plural, share, turnNumber } from '../state/format';
import { measuring } from '../state/measuring';
import { pictureKinds } from '../state/look-alikes';
import { neighbours } from '../state/neighbours';
import { networks, type OpenPack } from '../state/networks';
import { setDistances } from '../state/set-distances';
import { NO_FILTER } from '../state/router';
import { store } from '../state/store';
import { renderChoices } from '../components/choices/choices';
import { Folds, folds, inWords, sending } from '../components/fold/fold';
import { icon } from '../components/icon/icon';
import type { LookEvent } from '../components/neighbours/neighbours';
import '../components/neighbours/neighbours';
import type { DistanceEvent } from '../components/set-distances/set-distances';
import '../components/set-distances/set-distances';
import { renderJob } from '../components/job/job';
import type { Choice } from '../engine/metrics/protocol';
import { messageOf } from '../engine/errors';
import { openAgain, remember, remembered, type Remembered } from '../engine/handles';
import { PACKS } from '../engine/database';
import { workers } from '../engine/loader/workers';
import { fromFileList, hasDirectoryPicker, pickFolder } from '../engine/sources';
import type { Source } from '../engine/client';
import type { NetworkPair } from '../engine/types/NetworkPair';
import type { NetworkProfile, NetworkRunner } from '../engine/networks/edge';
import type { AgainstInfo } from '../engine/types/AgainstInfo';
import type { ConditionPlan } from '../engine/types/ConditionPlan';
import type { MeasureCount } from '../engine/types/MeasureCount';
import type { MeasureLimit } from '../engine/types/MeasureLimit';
import type { MeasureOffer } from '../engine/types/MeasureOffer';
import type { MeasurePlaces } from '../engine/types/MeasurePlaces';
import type { MeasurePlan } from '../engine/types/MeasurePlan';
import type { MeasureQuery } from '../engine/types/MeasureQuery';
import type { MeasureStages } from '../engine/types/MeasureStages';
import type { MetricInfo } from '../engine/types/MetricInfo';
import type { Overview } from '../engine/types/Overview';
import type { Sizes } from '../engine/types/Sizes';
import { manualLink } from '../manual/link';
import { base, controls, facts, meter } from '../styles/base.styles';
import { forms, page, picks } from '../styles/page.styles';
import { styles as judge } from './judge.styles';
import { styles } from './metrics.styles';

/** Other models beyond so many are folded. */
const MAX_MODELS = 6;
/** Workers beyond so many only wait for the page to read files. */
const MAX_WORKERS = 8;
/** One GPU takes what so many decode. */
const MAX_DECODERS = 16;

/** What the form holds; kept while the page is open. */
const form = {
  metrics: ['ssim', 'mse'],
  /** `null` for the usual: golden answers, else the first reference. */
  against: null as string[] | null,
  models: [] as string[],
  sizes: 'equal' as Sizes,
  /** `null` for whichever is faster, where the browser offers a GPU. */
  backend: null as Choice | null,
  /** `null` for the usual: one for each core, but one where the GPU's worker needs it. */
  workers: null as number | null,
  again: false,
};

const parts = new Folds();

/** Whether something to compare with is another model's output. */
const isOfModel = ({ id }: AgainstInfo): boolean => id.startsWith('model:');

/** Whether the browser offers a GPU at all; whether it gives one is known once it is asked. */
const hasGpu = (): boolean => 'gpu' in navigator;

/**
 * @summary Measures outputs by image metrics against golden answers, references or other models: what it takes, then progress and results.
 */
@customElement('juror-metrics')
export class JurorMetrics extends LitElement {
  static override styles = [base, controls, facts, meter, page, forms, folds, sending, picks, judge, styles];

  readonly #store = new StoreController(this);
  readonly #offer = new Query<MeasureOffer>(this);
  readonly #plan = new Query<MeasurePlan>(this);
  readonly #conditions = new Query<ConditionPlan>(this);
  @state() private error = '';
  /** Why a pack could not be opened. */
  @state() private packProblem = '';
  /** Packs that were opened here before. */
  @state() private known: readonly Remembered[] = [];
  /** The button that starts a run is disabled by it. */
  protected readonly keeper = new FocusKeeper(
    this,
    () => this.renderRoot.querySelector<HTMLElement>('[data-testid="metrics-run"] h2') ?? this.renderRoot.querySelector<HTMLElement>('h1'),
  );
  readonly #update = (): void => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    measuring.addEventListener('change', this.#update);
    networks.addEventListener('change', this.#update);
    neighbours.addEventListener('change', this.#update);
    setDistances.addEventListener('change', this.#update);
    void networks.count();
    void this.recall();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    measuring.removeEventListener('change', this.#update);
    networks.removeEventListener('change', this.#update);
    neighbours.removeEventListener('change', this.#update);
    setDistances.removeEventListener('change', this.#update);
  }

  protected override willUpdate(): void {
    const { engine, version, overview } = this.#store.state;
    if (engine !== 'ready' || overview?.benchmark == null || measuring.isRunning) return;
    this.#offer.ask(String(version), (signal) => store.client.measureOffer(signal));
    if (overview.abilities.includes('conditions')) this.#conditions.ask(String(version), (signal) => store.client.conditionPlan(signal));
    const query = this.query();
    if (query.against.length > 0) this.#plan.ask(`${version} ${JSON.stringify(query)}`, (signal) => store.client.measurePlan(query, signal));
  }

  override render(): TemplateResult {
    const { overview } = this.#store.state;
    const offer = this.#offer.value;
    return html`<div class="top">
        <div class="titled"><h1 tabindex="-1">Metrics</h1>${manualLink(this.#store.state.route, 'metrics')}</div>
        <p class="lead">
          Image metrics compare each output with another picture, without a judge. They are computed here from the files’ pixels, as the Python tools compute them,
          and are shown beside the judges’ scores; they enter no total. The command <code>juror score --metrics</code> gives the same numbers.
        </p>
      </div>
      ${
        overview?.benchmark == null
          ? html`<p class="panel note">Open a benchmark and a model’s outputs first.</p>`
          : offer === null
            ? html`<p class="panel note muted">${this.#offer.error?.message ?? 'Looking at what there is…'}</p>`
            : html`<div class="columns">${this.renderForm(overview, offer)}<div class="side">${this.renderPlan()}${this.renderNetworks(overview)}${this.renderConditions(overview)}${this.renderRun()}${this.renderResults(overview)}</div></div>`
      }`;
  }

  private renderForm(overview: Overview, offer: MeasureOffer): TemplateResult {
    const offered = [...offer.metrics, ...offer.networks.filter(({ id }) => networks.ready.has(id))];
    const groups = [...new Set(offered.map(({ group }) => group))];
    const against = this.againstOffered();
    return html`<form class="panel form" autocomplete="off" @submit=${(event: Event) => event.preventDefault()}>
      <fieldset ?disabled=${measuring.isRunning}>
        <legend>Metrics</legend>
        ${groups.map(
          (group) =>
            html`<div role="group" aria-label=${group} class="metrics"><p class="group">${group}</p>
              ${this.renderGroup(group, offered)}</div>`,
        )}
      </fieldset>
      <fieldset ?disabled=${measuring.isRunning}>
        <legend>Against</legend>
        ${against.length === 0 ? html`<p class="problem">There is nothing to compare outputs with: the benchmark’s pictures are not open.</p>` : this.renderAll(against, overview)}
        <p class="hint">The mean over references counts each output once. Another model’s output is that of the same turn.</p>
      </fieldset>
      ${parts.render('how', 'How', this.toldHow(overview), this.renderHow(overview))}
    </form>`;
  }

  private renderHow(overview: Overview): TemplateResult {
    return html`<fieldset ?disabled=${measuring.isRunning}>
      ${renderChoices(
        'Models',
        overview.models.map(({ name }) => [name, name]),
        form.models,
        (models) => this.put({ models }),
      )}
      <label class="row"
        ><span>Sizes that differ</span>
        <select class="field" data-testid="metrics-sizes" @change=${(event: Event) => this.put({ sizes: (event.target as HTMLSelectElement).value as Sizes })}>
          <option value="equal" ?selected=${form.sizes === 'equal'}>are an incident</option>
          <option value="resized" ?selected=${form.sizes === 'resized'}>resize the output (Pillow bicubic)</option>
        </select>
        <small>Resized values are criteria of their own and say so in their name.</small></label
      >
      ${this.renderBackend()}
      <label class="row"
        ><span>Existing values</span>
        <span class="check"><input type="checkbox" .checked=${form.again} @change=${(event: Event) => this.put({ again: (event.target as HTMLInputElement).checked })} /> measure again</span></label
      >
    </fieldset>`;
  }

  private toldHow({ models }: Overview): string {
    const chosen = form.models.length;
    return inWords(
      chosen > 0 ? `${count(chosen)} of ${plural(models.length, 'model')}` : models.length > 1 && `all ${count(models.length)} models`,
      form.sizes === 'resized' && 'outputs of another size are resized',
      `${HOW[this.backend()]}, ${plural(this.workers(), 'worker')}`,
      form.again && 'existing values again',
    );
  }

  /** The first metric of a group, and the others folded; what networks compute is never folded. */
  private renderGroup(group: string, offered: readonly MetricInfo[]): TemplateResult[] {
    const [first, ...others] = offered.filter((one) => one.group === group);
    if (first === undefined) return [];
    const rest = others.map((one) => this.renderMetric(one));
    if (others.length < 2 || networks.ready.has(first.id)) return [this.renderMetric(first), ...rest];
    const chosen = others.filter(({ id }) => form.metrics.includes(id)).map(({ label }) => label);
    const told = chosen.length === 0 ? others.map(({ label }) => label) : [`chosen: ${chosen.join(', ')}`];
    return [this.renderMetric(first), parts.render(group, `${others.length} more`, told.join(' · '), html`${rest}`)];
  }

  private renderMetric({ id, label, meaning, unit, min, max, direction }: MetricInfo): TemplateResult {
    const range = `${min} … ${max ?? '∞'}${unit === '' ? '' : ` ${unit}`}, ${direction === 'down' ? 'lower' : 'higher'} is better`;
    return html`<label class="metric"
      ><input type="checkbox" data-testid="metric-${id}" .checked=${form.metrics.includes(id)} @change=${(event: Event) => this.toggle('metrics', id, (event.target as HTMLInputElement).checked)} />
      <span><b>${label}</b> <span class="muted small num">${range}</span><small>${meaning}</small></span></label
    >`;
  }

  /** What there is to compare with; other models' outputs are folded where they are many. */
  private renderAll(against: readonly AgainstInfo[], overview: Overview): TemplateResult {
    const [models, others] = [against.filter(isOfModel), against.filter((one) => !isOfModel(one))];
    if (models.length <= MAX_MODELS) return html`${against.map((one) => this.renderAgainst(one, overview))}`;
    const chosen = models.filter(({ id }) => this.against().includes(id)).map(({ label }) => label);
    const listed = html`${models.map((one) => this.renderAgainst(one, overview))}`;
    return html`${others.map((one) => this.renderAgainst(one, overview))}${parts.render('outputs', `outputs of ${models.length} models`, chosen.length === 0 ? '' : `chosen: ${chosen.join(', ')}`, listed)}`;
  }

  private renderAgainst({ id, label, turns }: AgainstInfo, { benchmark }: Overview): TemplateResult {
    return html`<label class="check"
      ><input type="checkbox" data-testid="against-${id}" .checked=${this.against().includes(id)} @change=${(event: Event) => this.toggle('against', id, (event.target as HTMLInputElement).checked)} /> <span><bdi>${label}</bdi> <span class="muted small num">${count(turns)} ${benchmark?.words.units ?? 'turns'}</span></span></label
    >`;
  }

  private renderBackend(): TemplateResult {
    const backend = this.backend();
    return html`<label class="row"
        ><span>Computed on</span>
        <select class="field" data-testid="metrics-backend" @change=${(event: Event) => this.put({ backend: (event.target as HTMLSelectElement).value as Choice })}>
          <option value="auto" ?selected=${backend === 'auto'} ?disabled=${!hasGpu()}>GPU or CPU, whichever is faster</option>
          <option value="gpu" ?selected=${backend === 'gpu'} ?disabled=${!hasGpu()}>GPU (WebGPU)</option>
          <option value="cpu" ?selected=${backend === 'cpu'}>CPU (WebAssembly)</option>
        </select>
        <small>${hasGpu() ? 'Every value records its backend. SSIM on a GPU may differ by 2·10⁻⁵; MSE, PSNR, MAE and edges do not.' : 'This browser offers no WebGPU, so the CPU computes.'}</small></label
      >
      <label class="row"
        ><span>${backend === 'gpu' ? 'Decoding workers' : 'Workers'}</span><input class="field narrow" type="number" min="1" max="32" data-testid="metrics-workers" .value=${String(this.workers())} @change=${(event: Event) => this.put({ workers: Math.min(32, Math.max(1, Math.floor(Number((event.target as HTMLInputElement).value)) || 1)) })} />
        ${backend === 'cpu' ? nothing : html`<small>They read and decode pictures for the GPU, and compute the other metrics.</small>`}</label
      >`;
  }

  private renderPlan(): TemplateResult {
    const plan = this.#plan.value;
    const problem = this.#plan.error?.message ?? this.error;
    const nothingChosen = this.query().metrics.length === 0 || this.against().length === 0;
    const isNew = plan !== null && this.#plan.settled !== null && (plan.pairs.length > 0 || (plan.refused.length > 0 && this.isUnknown()));
    return html`<section class="panel plan" aria-label="What will be measured">
      <h2>What will be measured</h2>
      ${plan === null || nothingChosen ? html`<p class="muted">${nothingChosen ? 'Choose a metric, and what to hold outputs against.' : 'Counting…'}</p>` : renderCounts(plan)}
      ${problem === '' ? nothing : html`<p class="problem" role="alert">${icon('error', 16)} ${problem}</p>`}
      <div class="toolbar send">
        <button type="button" class="button primary" data-testid="metrics-start" ?disabled=${measuring.isRunning || nothingChosen || !isNew} @click=${() => void this.start()}>
          ${plan === null || nothingChosen || plan.values === 0 ? 'Measure' : `Measure ${plural(plan.values, 'value')}`}
        </button>
      </div>
    </section>`;
  }

  /** What the benchmark's evaluator computes with networks, from what these made of each output. */
  private renderNetworks(overview: Overview): TemplateResult {
    const { packs, profile, busy } = networks;
    const isOff = measuring.isRunning || busy !== '';
    const again = this.known.filter(({ id }) => !packs.some(({ pack }) => pack.sha256 === id));
    const kinds = pictureKinds(this.#offer.value?.against ?? []);
    return html`<section class="panel plan" aria-label="Networks" data-testid="networks">
      <h2>Networks</h2>
      <p class="muted">
        CLIP, DINO, LPIPS, aesthetics, depth and sketches are computed by networks whose weights you have: a pack is a folder or ZIP that one of Juror’s exporters wrote.
        It is read where it lies and goes nowhere. Before its first value it must give here what it gave where it was exported.
      </p>
      ${this.renderRunner(isOff)}
      ${packs.map((one) => this.renderPack(one))}
      ${busy === '' ? nothing : html`<p class="muted" role="status" data-testid="networks-busy">${busy}</p>`}
      ${this.packProblem === '' ? nothing : html`<p class="problem" role="alert" data-testid="networks-problem">${icon('error', 16)} ${this.packProblem}</p>`}
      <div class="toolbar">
        <label class="button pick" aria-disabled=${isOff}>${icon('folder', 16)}Open a pack’s folder…<input type="file" webkitdirectory class="visually-hidden" data-testid="networks-folder" ?disabled=${isOff} @click=${(event: Event) => this.pickPack(event)} @change=${(event: Event) => this.takePack(event)} /></label>
        <label class="button pick" aria-disabled=${isOff}>Open its ZIP…<input type="file" accept=".zip" class="visually-hidden" data-testid="networks-zip" ?disabled=${isOff} @change=${(event: Event) => this.takePack(event)} /></label>
        ${again.map((one) => html`<button type="button" class="button quiet" ?disabled=${isOff} @click=${() => void this.reopen(one)}>Open again: <bdi>${one.name}</bdi></button>`)}
      </div>
      ${
        packs.length === 0
          ? nothing
          : html`<label class="row"
              ><span>Whose numbers</span>
              <select class="field" data-testid="networks-profile" ?disabled=${isOff} @change=${(event: Event) => networks.choose((event.target as HTMLSelectElement).value as NetworkProfile)}>
                <option value="released" ?selected=${profile === 'released'}>as the authors’ code computes them</option>
                <option value="standard" ?selected=${profile === 'standard'}>as each metric is defined</option>
              </select>
              <small>They differ in CLIPScore, DINO and LPIPS; every value says which it follows.</small></label
            >
            <label class="row"
              ><span>Workers</span>
              <input class="field narrow" type="number" min="1" max="8" data-testid="networks-workers" ?disabled=${isOff} .value=${String(networks.workers)} @change=${(event: Event) => (networks.workers = Math.min(8, Math.max(1, Math.floor(Number((event.target as HTMLInputElement).value)) || 1)))} />
              <small>Each has the network in memory for itself; one is in memory at a time.</small></label
            >`
      }
      ${networks.kept === 0 ? nothing : this.renderKept(isOff)}
      <juror-neighbours
        .state=${this.#store.state}
        .ready=${networks.ready}
        .search=${neighbours.search}
        @look=${({ task, model }: LookEvent) => void neighbours.start(task, model)}
        @stop=${() => neighbours.stop()}
        .models=${overview.models.map(({ name }) => name)}
        .against=${kinds}
        ?disabled=${isOff || neighbours.isRunning || setDistances.isRunning}
      ></juror-neighbours>
      <juror-set-distances
        ?ready=${networks.ready.has('inception')}
        ?hidden=${!networks.ready.has('inception') && setDistances.run === null}
        .run=${setDistances.run}
        .against=${(this.#offer.value?.against ?? []).filter(({ id }) => kinds.includes(id))}
        ?disabled=${isOff || neighbours.isRunning || setDistances.isRunning}
        @distance=${({ against }: DistanceEvent) =>
          void setDistances.start(
            overview.models.map(({ name }) => name),
            against,
          )}
        @stop=${() => setDistances.stop()}
        @export=${() => download(new Blob([`${JSON.stringify(setDistances.run?.rows ?? [], null, 2)}\n`], { type: 'application/json' }), 'json', 'distances')}
      ></juror-set-distances>
    </section>`;
  }

  /** What networks run on; its golden cases are run again where that changes. */
  private renderRunner(isOff: boolean): TemplateResult {
    const { runner, runnerProblem } = networks;
    const offersGpu = workers.runsNetworks && hasGpu();
    const hint = !workers.runsNetworks
      ? 'The page in one file has no WebGPU runner, and runs no networks on the CPU either: use the hosted page, or juror score --pack. Pixels are measured here.'
      : offersGpu
        ? 'WebGPU fetches onnxruntime-web from this page’s address once (4 to 7 MB). Every value names its runner and GPU; values of two runners in one criterion are a finding.'
        : 'This browser offers no WebGPU here, so networks run on the CPU. WebGPU needs a current browser and an address that begins with https.';
    return html`<label class="row"
        ><span>Networks run on</span>
        <select class="field" data-testid="networks-runner" ?disabled=${isOff} @change=${(event: Event) => void this.runOn((event.target as HTMLSelectElement).value as NetworkRunner)}>
          <option value="cpu" .selected=${runner === 'cpu'} ?disabled=${!workers.runsNetworks}>CPU (rten)</option>
          <option value="webgpu" .selected=${runner === 'webgpu'} ?disabled=${!offersGpu}>WebGPU (onnxruntime-web)</option>
        </select>
        <small data-testid="networks-runner-hint">${hint}</small></label
      >
      ${runnerProblem === '' ? nothing : html`<p class="problem" role="alert" data-testid="networks-runner-problem">${icon('error', 16)} ${runnerProblem}</p>`}`;
  }

  /** What networks computed before, which a run that was ended goes on with. */
  private renderKept(isOff: boolean): TemplateResult {
    return html`<p class="muted small" data-testid="networks-kept">
        ${plural(networks.kept, 'result')} of networks ${networks.kept === 1 ? 'is' : 'are'} kept in this browser, each by its network, its runner and the files’ hashes: what was computed is not computed again.
      </p>
      <div class="toolbar"><button type="button" class="button tiny quiet" data-testid="networks-forget" ?disabled=${isOff} @click=${() => void networks.forget()}>Delete what is kept</button></div>`;
  }

  private renderPack(one: OpenPack): TemplateResult {
    const { pack, check, problem } = one;
    const state =
      problem !== ''
        ? 'refused'
        : check === null
          ? 'not checked yet'
          : `within ${check.deviation.toExponential(1)} of where it was exported, on ${check.runner}`;
    return html`<div class="pack" data-testid="pack-${pack.task}">
      <p><b><bdi>${pack.id}</bdi></b> <span class="muted small">${pack.task}, ${bytes(pack.bytes)}, <code title=${pack.sha256}>${pack.sha256.slice(0, 12)}</code></span></p>
      <p class="small muted" dir="auto">${pack.source}; ${pack.licence}</p>
      <p class="small" data-testid="pack-state">${state}${check?.caution == null ? nothing : html`. ${icon('warn', 16)} ${check.caution}`}</p>
      ${problem === '' ? nothing : html`<p class="problem" role="alert">${icon('error', 16)} ${problem}</p>`}
      <button type="button" class="button tiny quiet" aria-label="Close ${pack.id}" ?disabled=${measuring.isRunning} @click=${() => networks.close(one)}>Close</button>
    </div>`;
  }

  /** What networks that are open can compute without files. */
  private byNetworks(plan: ConditionPlan): NetworkPair[] {
    return plan.networks.filter(({ task }) => networks.ready.has(task));
  }

  private renderConditions(overview: Overview): TemplateResult | typeof nothing {
    const plan = this.#conditions.value;
    if (!overview.abilities.includes('conditions') || plan === null) return nothing;
    const fed = this.byNetworks(plan);
    const all = plan.pairs.length + fed.length;
    const more = plan.missing - plan.wanted.length;
    const wanted = plan.wanted.map((path, at) => html`${at > 0 ? ', ' : ''}<code>${path}</code>`);
    return html`<section class="panel plan" aria-label="Conditions from files" data-testid="conditions">
      <h2>Conditions from files</h2>
      <p class="muted">
        A network elsewhere turns outputs into depth maps, sketches, masks, region maps and poses (<code>MODEL/depth/SAMPLE.png</code>), boxes and CLIP features
        (<code>.npy</code>; of references and captions <code>references/subject/SAMPLE.npy</code>), Inception features and ratings
        (<code>MODEL/fid/SAMPLE.npy</code>, <code>MODEL/aesthetics/SAMPLE.npy</code>). Open its files beside the outputs: what the evaluator has not computed is computed here and counts as its own.
        Edges need no file; for what has none, networks that are open above compute subject, style, caption, depth, sketch, pose, “fid” and aesthetics.
      </p>
      <dl class="facts">
        <div><dt>To be computed</dt><dd class="num" data-testid="conditions-ready">${count(plan.pairs.length)}</dd></div>
        ${fed.length === 0 ? nothing : html`<div><dt>By networks</dt><dd class="num" data-testid="conditions-networks">${count(fed.length)}</dd></div>`}
        <div><dt>Already available</dt><dd class="num" data-testid="conditions-done">${count(plan.done)}</dd></div>
        <div><dt>Missing</dt><dd data-testid="conditions-missing">${plan.missing === 0 ? 'none' : html`${plural(plan.missing, 'file')}: ${wanted}${more > 0 ? ` and ${count(more)} more` : ''}`}</dd></div>
      </dl>
      <div class="toolbar">
        <button type="button" class="button" data-testid="conditions-start" ?disabled=${measuring.isRunning || all === 0 || this.#conditions.settled === null} @click=${() => void this.complete(plan)}>
          ${all === 0 ? 'Compute conditions' : `Compute ${plural(all, 'condition')}`}
        </button>
      </div>
    </section>`;
  }

  private renderRun(): TemplateResult | typeof nothing {
    const { state: run } = measuring;
    if (run === null) return nothing;
    const { standing, workers: num, fallbacks, places } = run;
    // A GPU to which nothing is left is none that computes.
    const on =
      standing === null
        ? 'starting…'
        : standing.runner !== null
          ? `${standing.runner}, ${plural(num, 'worker')}`
          : standing.backend === 'gpu' && places?.gpu.length !== 0
            ? `GPU: ${standing.adapter}; ${plural(num, 'worker')} to decode`
            : `CPU, ${plural(num, 'worker')}`;
    const metrics = this.#offer.value?.metrics ?? [];
    const reasons = [
      ...(standing?.fallback == null ? [] : [standing.fallback]),
      ...Object.entries(fallbacks).map(([reason, times]) => `${reason} (${plural(times, 'value')})`),
    ];
    return renderJob(run, {
      testId: 'metrics-run',
      prefix: 'metrics',
      doing: 'Measuring',
      answered: 'Pairs measured',
      failed: 'Without a value',
      underWay: 'In flight',
      ended: 'Pairs measured',
      calls: (number) => plural(number, 'value'),
      rate: pace,
      place: ({ pair, metric }) =>
        html`${metric}, ${pair.model}, <a href=${store.href({ view: 'sample', id: pair.sample, turn: pair.turn, models: null, filter: NO_FILTER })}>${pair.sample}</a>, turn ${turnNumber(pair.turn)}`,
      control: (what) => measuring.control(what),
      facts: html`<div><dt>Values</dt><dd class="num" data-testid="metrics-values">${count(run.values)}</dd></div>
        <div><dt>Computed on</dt><dd data-testid="metrics-standing">${on}</dd></div>
        ${places === null ? nothing : html`<div><dt>Metrics</dt><dd data-testid="metrics-places">${placesInWords(places, metrics)}</dd></div>`}
        ${run.stages === null ? nothing : html`<div><dt>Stages</dt><dd data-testid="metrics-stages">${stagesInWords(run.stages)}</dd></div>`}
        ${reasons.length === 0 ? nothing : html`<div><dt>On the CPU instead</dt><dd title=${reasons.join('; ')}>${reasons.map((reason) => reason.split(': ')[0]).join('; ')}</dd></div>`}`,
    });
  }

  private renderResults(overview: Overview): TemplateResult {
    const { measures } = overview;
    const mixed = measures.filter(({ cpu, gpu }) => cpu > 0 && gpu > 0);
    return html`<section class="panel plan" aria-label="Measured">
      <h2>Measured</h2>
      ${
        measures.length === 0
          ? html`<p class="muted">Nothing yet.</p>`
          : html`<div class="scroll" tabindex="0" role="region" aria-label="Measured values, scrollable">
            <table data-testid="metrics-table">
              <thead>
                <tr><th scope="col">Criterion</th>${overview.models.map(({ name }) => html`<th scope="col" class="right">${name}</th>`)}<th scope="col" class="right">Values</th><th scope="col">On</th></tr>
              </thead>
              <tbody>${measures.map((one) => renderResult(one, overview))}</tbody>
            </table>
          </div>`
      }
      ${mixed.length === 0 ? nothing : html`<p class="problem" role="alert">${icon('warn', 16)} ${plural(mixed.length, 'criterion', 'criteria')} ${mixed.length === 1 ? 'has' : 'have'} values of both CPU and GPU; SSIM may differ by 2·10⁻⁵ between the two, and what networks compute by 10⁻⁴.</p>`}
      <div class="toolbar">
        <button type="button" class="button" data-testid="metrics-export" ?disabled=${measures.length === 0} @click=${() => void this.export()}>${icon('download')}Values as JSONL</button>
        <button type="button" class="button" @click=${() => this.renderRoot.querySelector<HTMLInputElement>('#import')?.click()}>Read a file of values</button>
        <input id="import" type="file" accept=".jsonl" hidden data-testid="metrics-import" aria-label="File of measured values" @change=${(event: Event) => void this.import(event.target as HTMLInputElement)} />
        <button type="button" class="button quiet" data-testid="metrics-drop" ?disabled=${measures.length === 0 || measuring.isRunning} @click=${() => void store.client.dropMeasures()}>Delete the values measured here</button>
      </div>
    </section>`;
  }

  private backend(): Choice {
    return hasGpu() ? (form.backend ?? 'auto') : 'cpu';
  }

  /** The workers that compute on the CPU, or that decode for the GPU. */
  private workers(): number {
    const cores = navigator.hardwareConcurrency || 2;
    return form.workers ?? Math.max(1, this.backend() === 'cpu' ? Math.min(MAX_WORKERS, cores) : Math.min(MAX_DECODERS, cores - 1));
  }

  private against(): string[] {
    const offered = this.againstOffered().map(({ id }) => id);
    const chosen = form.against?.filter((id) => offered.includes(id)) ?? [];
    // What was chosen for a benchmark that has none of it here says nothing about this one.
    if (chosen.length > 0 || form.against?.length === 0) return chosen;
    const usual = ['golden', 'reference:1'].find((id) => offered.includes(id)) ?? offered[0];
    return usual === undefined ? [] : [usual];
  }

  /** What there is to compare outputs with; a prompt and objects only where a network takes them. */
  private againstOffered(): AgainstInfo[] {
    const all = this.#offer.value?.against ?? [];
    const chosen = this.#offer.value?.networks.map(({ id }) => id).filter((id) => networks.ready.has(id) && form.metrics.includes(id)) ?? [];
    const isTaken = (id: string): boolean => (id === 'prompt' ? chosen.includes('clip') : id !== 'objects' || chosen.length > 0);
    return all.filter(({ id }) => isTaken(id));
  }

  private query(): MeasureQuery {
    const known = new Set(this.#offer.value?.networks.map(({ id }) => id));
    // What no open pack computes is not asked for.
    const metrics = form.metrics.filter((id) => !known.has(id) || networks.ready.has(id));
    return { metrics, against: this.against(), sizes: form.sizes, models: form.models, again: form.again };
  }

  /** Whether some criterion of the form has no record yet, be it of what cannot be measured. */
  private isUnknown(): boolean {
    const known = new Set(this.#store.state.overview?.measures.map(({ criterion }) => criterion));
    const resized = form.sizes === 'resized' ? '+resized' : '';
    return this.against().some((against) => form.metrics.some((metric) => !known.has(`${metric}@${against}${resized}`)));
  }

  private toggle(what: 'metrics' | 'against', id: string, on: boolean): void {
    const all = what === 'metrics' ? [...(this.#offer.value?.metrics ?? []), ...(this.#offer.value?.networks ?? [])] : (this.#offer.value?.against ?? []);
    const now = what === 'metrics' ? form.metrics : this.against();
    const chosen = on ? [...now, id] : now.filter((one) => one !== id);
    this.put({ [what]: all.map((one) => one.id).filter((one) => chosen.includes(one)) });
  }

  private put(part: Partial<typeof form>): void {
    Object.assign(form, part);
    networks.again = form.again;
    this.error = '';
    this.requestUpdate();
  }

  private async start(): Promise<void> {
    const plan = this.#plan.settled;
    if (plan === null) return;
    try {
      await measuring.start(plan, form.sizes, this.backend(), this.workers(), new Set(this.#offer.value?.networks.map(({ id }) => id)));
      await networks.count();
    } catch (error) {
      this.error = messageOf(error);
    }
  }

  private async complete(plan: ConditionPlan): Promise<void> {
    try {
      await measuring.startConditions(plan, this.byNetworks(plan), this.workers());
      await networks.count();
    } catch (error) {
      this.error = messageOf(error);
    }
  }

  private pickPack(event: Event): void {
    if (!hasDirectoryPicker()) return;
    event.preventDefault();
    void pickFolder().then((source) => (source === null ? undefined : this.openPack(source)));
  }

  private takePack(event: Event): void {
    const field = event.target as HTMLInputElement;
    const [source] = fromFileList(field.files ?? []);
    field.value = '';
    if (source !== undefined) void this.openPack(source);
  }

  private async openPack(source: Source): Promise<void> {
    this.packProblem = '';
    try {
      const { pack } = await networks.open(source);
      const handles = 'handles' in source ? (source.handles ?? []) : [];
      if (handles.length > 0) await remember(pack.sha256, handles, PACKS);
      await this.recall();
    } catch (error) {
      this.packProblem = messageOf(error);
    }
  }

  private async runOn(runner: NetworkRunner): Promise<void> {
    this.packProblem = '';
    try {
      await networks.runOn(runner);
    } catch (error) {
      this.packProblem = messageOf(error);
    }
  }

  private async reopen(one: Remembered): Promise<void> {
    try {
      const [source] = (await openAgain(one)) ?? [];
      if (source !== undefined) await this.openPack(source);
    } catch (error) {
      this.packProblem = messageOf(error);
    }
  }

  /** A browser that keeps nothing opens packs all the same. */
  private async recall(): Promise<void> {
    this.known = await remembered(PACKS).catch(() => []);
  }

  private async export(): Promise<void> {
    try {
      download(new Blob([await store.client.measures()], { type: 'application/x-ndjson' }), 'jsonl', 'measures');
    } catch (error) {
      this.error = messageOf(error);
    }
  }

  private async import(input: HTMLInputElement): Promise<void> {
    const file = input.files?.[0];
    if (file === undefined) return;
    try {
      const { taken, problems } = await store.client.readMeasures(await file.text());
      store.notify(
        problems.length === 0 ? 'info' : 'warn',
        `${plural(taken, 'measured value')} read from ${file.name}.${problems.length === 0 ? '' : ` ${problems[0] ?? ''}${problems.length === 1 ? '' : ` And ${plural(problems.length - 1, 'more problem')}.`}`}`,
      );
    } catch (error) {
      this.error = messageOf(error);
    }
    input.value = '';
  }
}

/** A choice as a part of a sentence. */
const HOW: Record<Choice, string> = { auto: 'on the GPU or the CPU, whichever is faster', gpu: 'on the GPU', cpu: 'on the CPU' };

/** Where metrics are computed: “MSE on the CPU, SSIM on the GPU”. */
function placesInWords({ gpu, cpu, is_software }: MeasurePlaces, metrics: readonly MetricInfo[]): string {
  const named = (ids: string[]): string => ids.map((id) => metrics.find((one) => one.id === id)?.short ?? id).join(', ');
  const parts = [cpu.length === 0 ? '' : `${named(cpu)} on the CPU`, gpu.length === 0 ? '' : `${named(gpu)} on the GPU`];
  const words = parts.filter((part) => part !== '').join(', ');
  return is_software ? `${words}; software GPU: the CPU is faster` : words;
}

/** Pairs a second, in three digits at most. */
function pace(perMinute: number): string {
  const perSecond = perMinute / 60;
  return `${perSecond.toFixed(perSecond < 10 ? 1 : 0)} pairs a second`;
}

/** What limits a run, as the end of a sentence. */
const LIMITS: Record<MeasureLimit, string> = { reading: 'reading files', decoding: 'decoding', cpu: 'computing on the CPU', gpu: 'the GPU' };

function stagesInWords({ reading, decoding, measuring: computing, limit }: MeasureStages): string {
  const percent = (part: number): string => `${Math.round(100 * part)} %`;
  return `reading ${percent(reading)}, decoding ${percent(decoding)}, measuring ${percent(computing)}; limited by ${LIMITS[limit]}`;
}

function renderCounts(plan: MeasurePlan): TemplateResult {
  const lack = plan.refused.find(({ against }) => against === 'objects')?.problem;
  const rest = [
    plan.done > 0 ? `${plural(plan.done, 'value')} already available` : '',
    plan.refused.length > 0
      ? `${plural(plan.refused.length, 'value')} cannot be computed${plan.odd_sizes > 0 ? `, ${count(plan.odd_sizes)} as sizes differ` : ''}`
      : '',
  ].filter(Boolean);
  return html`<dl class="facts">
    <div><dt>Pairs of pictures</dt><dd class="num" data-testid="metrics-pairs">${count(plan.pairs.length)}</dd></div>
    <div><dt>Pictures in them</dt><dd class="num">${count(plan.pictures)}</dd></div>
    <div><dt>Values</dt><dd class="num">${count(plan.values)}</dd></div>
    ${rest.length === 0 ? nothing : html`<div><dt>Left out</dt><dd data-testid="metrics-left-out">${rest.join('; ')}${lack == null ? nothing : html`. Of objects first: <span dir="auto">${lack}</span>`}</dd></div>`}
  </dl>`;
}

function renderResult(one: MeasureCount, overview: Overview): TemplateResult {
  const info = overview.criteria.find(({ id }) => id === one.criterion);
  const row = (model: string) => overview.scores.find((found) => found.model === model && found.criterion === one.criterion && found.scope === 'overall');
  const on = [one.cpu > 0 ? 'CPU' : '', one.gpu > 0 ? 'GPU' : '', (one.file ?? 0) > 0 ? 'elsewhere' : ''].filter(Boolean).join(' and ');
  return html`<tr data-criterion=${one.criterion}>
    <th scope="row"><a href=${store.href({ view: 'overview', scope: '', criterion: one.criterion })} title=${info?.label ?? one.criterion}>${info?.short ?? one.criterion}</a></th>
    ${overview.models.map(({ name }) => {
      const found = row(name);
      return html`<td class="num right">${found === undefined ? '–' : html`${mean(found.mean, info)}${found.n < found.expected ? html` <span class="muted small">${share(found.n, found.expected, overview.benchmark?.words.units ?? 'units')}</span>` : nothing}`}</td>`;
    })}
    <td class="num right">${count(one.values)}</td>
    <td>${on === '' ? '–' : on}</td>
  </tr>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-metrics': JurorMetrics;
  }
}
