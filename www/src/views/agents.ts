import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { Query, StoreController } from '../state/controllers';
import { DEMOS, suiteThatCan } from '../state/demos';
import { download } from '../state/download';
import { count, mean, plural } from '../state/format';
import { KEEPING } from '../state/keeping';
import { store } from '../state/store';
import '../components/agent-steps/agent-steps';
import { chosenWith } from '../components/choices/choices';
import '../components/extra/extra';
import { extraOf, folderName, hostsOf, numberOf } from '../components/fold/fields';
import { FieldError, Folds, folds, inWords, sending } from '../components/fold/fold';
import { icon } from '../components/icon/icon';
import { UNSURE, renderJob } from '../components/job/job';
import '../components/strip/strip';
import type { AgentSettings } from '../engine/types/AgentSettings';
import { codeOf, messageOf } from '../engine/errors';
import type { AgentPlan } from '../engine/types/AgentPlan';
import type { AgentScope } from '../engine/types/AgentScope';
import type { AgentSet } from '../engine/types/AgentSet';
import type { AgentSetView } from '../engine/types/AgentSetView';
import type { AgentStrips } from '../engine/types/AgentStrips';
import type { AgentWhich } from '../engine/types/AgentWhich';
import type { Framework } from '../engine/types/Framework';
import type { PictureWire } from '../engine/types/PictureWire';
import type { Wire } from '../engine/types/Wire';
import { manualLink } from '../manual/link';
import { base, controls, facts, meter } from '../styles/base.styles';
import { forms, page } from '../styles/page.styles';
import { styles as own } from './agents.styles';
import { styles } from './judge.styles';
import { made } from './made.styles';

const FRAMEWORKS: [Framework, string, string][] = [
  ['ipr', 'IPR', 'Iterative prompt refinement: the planner rewrites the prompt, and each picture is made again from all references.'],
  ['cafg', 'CAFG', 'Context-aware feedback: the same, and the generator also sees its previous picture.'],
  ['sra', 'SRA', 'Selective reference adaptation: the planner also chooses the references that the generator sees again; an empty choice ends the loop.'],
];
const PLANNER_WIRES: [Wire, string, string][] = [
  ['openai', 'OpenAI-compatible chat', 'https://api.openai.com/v1'],
  ['anthropic', 'Anthropic messages', 'https://api.anthropic.com'],
  ['gemini', 'Gemini generateContent', 'https://generativelanguage.googleapis.com'],
];
const GENERATOR_WIRES: [PictureWire, string, string][] = [
  ['openai', 'OpenAI-compatible images/edits', 'https://api.openai.com/v1'],
  ['gemini', 'Gemini generateContent with pictures', 'https://generativelanguage.googleapis.com'],
];
/** The pairs that the paper ran. */
const PAIRS: { label: string; planner: [Wire, string]; generator: [PictureWire, string] }[] = [
  { label: 'GPT: GPT-Image-1 and GPT-5', planner: ['openai', 'gpt-5'], generator: ['openai', 'gpt-image-1'] },
  { label: 'Gemini: Nano Banana and Gemini 2.5 Flash', planner: ['gemini', 'gemini-2.5-flash'], generator: ['gemini', 'gemini-2.5-flash-image'] },
];
const WHICH: [AgentWhich, string][] = [
  ['begun', 'begun'],
  ['failed', 'with a failed call'],
  ['stopped', 'ended by the planner'],
  ['all', 'all sets, for work by hand'],
];
/** A rough rule for English text. */
const CHARS_PER_TOKEN = 4;
const MAX_STEPS = 9;
const PER_PAGE = 10;

/** What the form holds; kept while the page is open, so that leaving the view loses nothing. Both keys are here and nowhere else. */
interface Form {
  framework: Framework;
  steps: number;
  name: string;
  domains: string[];
  perDomain: number;
  plannerWire: Wire;
  plannerBase: string;
  plannerModel: string;
  plannerKey: string;
  plannerExtra: string;
  temperature: string;
  maxTokens: string;
  generatorWire: PictureWire;
  generatorBase: string;
  generatorModel: string;
  generatorKey: string;
  generatorExtra: string;
  hosts: string;
  concurrency: number;
  perMinute: number;
  timeout: number;
  inputPrice: string;
  outputPrice: string;
  picturePrice: string;
  pictureTokens: number;
  replyTokens: number;
  budget: string;
}

const form: Form = {
  framework: 'ipr',
  steps: 3,
  name: '',
  domains: [],
  perDomain: 0,
  plannerWire: 'openai',
  plannerBase: '',
  plannerModel: '',
  plannerKey: '',
  plannerExtra: '',
  temperature: '',
  maxTokens: '',
  generatorWire: 'openai',
  generatorBase: '',
  generatorModel: '',
  generatorKey: '',
  generatorExtra: '',
  hosts: '',
  concurrency: 4,
  perMinute: 0,
  timeout: 300,
  inputPrice: '',
  outputPrice: '',
  picturePrice: '',
  pictureTokens: 1000,
  replyTokens: 300,
  budget: '',
};

const parts = new Folds();

type TextKey = { [Key in keyof Form]: Form[Key] extends string ? Key : never }[keyof Form];
type NumberKey = { [Key in keyof Form]: Form[Key] extends number ? Key : never }[keyof Form];

/**
 * @summary MultiBanana's agent loops: makes trajectories with the user's own keys or by hand, and shows them step by step.
 */
@customElement('juror-agents')
export class JurorAgents extends LitElement {
  static override styles = [base, controls, facts, meter, page, forms, folds, sending, styles, made, own];

  readonly #store = new StoreController(this);
  readonly #plan = new Query<AgentPlan>(this);
  readonly #sets = new Query<AgentSetView[]>(this);
  readonly #strips = new Query<AgentStrips>(this);
  @state() private error = '';
  /** The set that another tab makes. */
  private elsewhere: AgentSet | null = null;
  @state() private chosen = '';
  /** Whether the form is open: from the start where nothing was made yet; `null` until that is known. */
  @state() private making: boolean | null = null;
  /** Some were there when this was drawn last. */
  #hadSome = false;
  @state() private which: AgentWhich = 'begun';
  @state() private text = '';
  @state() private offset = 0;

  private get isOpen(): boolean {
    return this.#store.state.overview?.abilities.includes('agents') === true;
  }

  protected override willUpdate(): void {
    const { engine, version, route, reading } = this.#store.state;
    if (engine !== 'ready' || !this.isOpen) return;
    const scope = this.scope();
    if (!this.isRunning()) this.#plan.ask(`${version} ${JSON.stringify(scope)}`, () => store.client.planAgents(scope));
    this.#sets.ask(String(version), (signal) => store.client.agentSets(signal));
    if (this.making === null && reading === 'done' && this.#sets.value !== null && !this.#sets.pending) this.making = this.#sets.value.length === 0;
    const hasSome = this.#sets.value !== null && this.#sets.value.length > 0;
    // The demo's come first, when they come.
    if (hasSome && !this.#hadSome && route.extra) this.making = false;
    this.#hadSome = hasSome;
    const shown = this.shown();
    if (shown === null) return;
    const { options } = route;
    const query = { set: shown.set, steps: shown.steps, options, which: this.which, text: this.text, offset: this.offset, limit: PER_PAGE };
    this.#strips.ask(`${version} ${JSON.stringify(query)}`, (signal) => store.client.agentStrips(query, signal));
  }

  override render(): TemplateResult {
    const { opened } = this.#store.state;
    // A demo suite shows where nothing of one's own is open.
    const suite = suiteThatCan('agents');
    const title = suite?.title ?? '';
    const demo = suite !== undefined && DEMOS.includes(suite) && opened.every(({ demo }) => demo) ? store.demoHref(suite.id) : '';
    return html`<div class="top">
        <div class="titled"><h1>Agents</h1>${manualLink(this.#store.state.route, 'judging', 'agent-loops')}</div>
        <p class="lead">
          ${title}’s agent loops: a planner looks at each picture and rewrites the prompt for the next. Juror calls the planner and the generator that you name, with your keys, and writes every picture and every reply to this browser’s storage before it counts; what was paid for is never asked for again.
          The pictures of each step are then a model like any other: judge them, compare them, export them.
        </p>
      </div>
      ${
        this.isOpen
          ? html`<juror-extra .state=${this.#store.state}></juror-extra>
            <details class="make" ?data-known=${this.making !== null} .open=${this.making ?? false} @toggle=${(event: Event) => (this.making = (event.target as HTMLDetailsElement).open)}>
              <summary data-testid="agents-make">Make trajectories, or go on with those that were begun</summary>
              <div class="columns">${this.renderForm()}<div class="side">${this.renderPlan()}${this.renderJob()}</div></div>
            </details>
            ${this.renderMade()}`
          : html`<div class="panel note" data-testid="agents-none">
            <p>These loops are ${title}’s: its paper describes them, and no other benchmark here has them. Open the folder of ${title} by the button above${demo === '' ? '.' : html`, or <a href=${demo}>look at the demo suite of ${title}</a>.`}</p>
          </div>`
      }`;
  }

  private renderForm(): TemplateResult {
    const framework = FRAMEWORKS.find(([id]) => id === form.framework);
    const wire = (wires: [string, string, string][], id: string): string => wires.find(([one]) => one === id)?.[2] ?? '';
    return html`<form class="panel form" autocomplete="off" @submit=${(event: Event) => event.preventDefault()}>
      <fieldset>
        <legend>Loop</legend>
        <div class="row">
          <span id="framework">Framework</span>
          <fieldset class="segmented" aria-labelledby="framework">
            ${FRAMEWORKS.map(([id, label]) => html`<label><input type="radio" name="framework" data-testid="agents-${id}" .checked=${form.framework === id} @change=${() => this.put({ framework: id })} />${label}</label>`)}
          </fieldset>
          <small>${framework?.[2]}</small>
        </div>
        ${this.number('steps', 'Pictures of each set', 1, MAX_STEPS)}
      </fieldset>
      <fieldset>
        <legend>Planner</legend>
        <label class="row"
          ><span>Pair of the paper</span>
          <select class="field" @change=${(event: Event) => this.usePair(PAIRS[Number((event.target as HTMLSelectElement).value)])}>
            <option value="-1">Choose to fill in…</option>
            ${PAIRS.map(({ label }, at) => html`<option value=${at}>${label}</option>`)}
          </select></label
        >
        ${this.renderWires('plannerWire', PLANNER_WIRES)}
        ${this.field('plannerBase', 'Address', 'Only the addresses named here are called.', wire(PLANNER_WIRES, form.plannerWire))}
        ${this.field('plannerModel', 'Model', '', 'gemini-2.5-flash')} ${this.renderKey('plannerKey')}
      </fieldset>
      <fieldset>
        <legend>Generator</legend>
        ${this.renderWires('generatorWire', GENERATOR_WIRES)}
        ${this.field('generatorBase', 'Address', '', wire(GENERATOR_WIRES, form.generatorWire))} ${this.field('generatorModel', 'Model', '', 'gemini-2.5-flash-image')} ${this.renderKey('generatorKey')}
      </fieldset>
      ${parts.render(
        'what',
        'Name and sets',
        toldSets(this.#plan.value?.domains.length ?? 0),
        html`${this.field('name', 'Name', 'The steps’ models are called after it: NAME +IPR step 1.', form.generatorModel || 'the generator’s model')}
          ${this.renderDomains()} ${this.number('perDomain', 'Sets of each task (0: all)', 0)}`,
      )}
      ${parts.render(
        'parameters',
        'Parameters',
        toldParameters(),
        html`<div class="pair">${this.field('temperature', 'Planner: temperature', '', 'the service’s own', true)} ${this.field('maxTokens', 'Planner: max tokens', '', 'the service’s own', true)}</div>
          ${this.renderExtra('plannerExtra', 'Planner: more parameters', '{"reasoning_effort": "low"}')}
          ${this.renderExtra('generatorExtra', 'Generator: more parameters', '{"size": "1024x1024", "quality": "high"}')}
          ${form.generatorWire === 'openai' ? this.field('hosts', 'Picture hosts', 'Where a service answers with addresses of pictures instead of pictures: hosts that may be fetched from, without the key. The generator’s own host always may.', 'files.example.com') : nothing}`,
      )}
      ${parts.render(
        'pace',
        'Pace and cost',
        toldPace(),
        html`<div class="pair">${this.number('concurrency', 'Parallel requests', 1)} ${this.number('perMinute', 'Per minute (0: no limit)', 0)}</div>
          <div class="pair">${this.field('picturePrice', 'Price of a picture', '', 'not known', true)} ${this.number('timeout', 'Seconds for a call', 1)}</div>
          <div class="pair">${this.field('inputPrice', 'Planner, per million input tokens', '', 'not known', true)} ${this.field('outputPrice', 'Per million output tokens', '', 'not known', true)}</div>
          <div class="pair">${this.number('pictureTokens', 'Tokens per picture, assumed', 0)} ${this.number('replyTokens', 'Tokens per reply, assumed', 0)}</div>
          ${this.field('budget', 'Spend at most', 'Needs the prices. No call is made that could exceed it.', 'no cap', true)}`,
      )}
    </form>`;
  }

  private field(key: TextKey, label: string, hint = '', placeholder = '', numeric = false): TemplateResult {
    return html`<label class="row"
      ><span>${label}</span>
      <input class="field" data-testid="agents-${key}" inputmode=${numeric ? 'decimal' : nothing} autocomplete="off" spellcheck="false" placeholder=${placeholder} .value=${form[key]} @input=${(event: Event) => this.put({ [key]: (event.target as HTMLInputElement).value.trim() })} />
      ${hint === '' ? nothing : html`<small>${hint}</small>`}</label
    >`;
  }

  private number(key: NumberKey, label: string, min: number, max = Number.MAX_SAFE_INTEGER): TemplateResult {
    const put = (event: Event): void => {
      const value = Math.floor(Number((event.target as HTMLInputElement).value)) || min;
      this.put({ [key]: Math.min(max, Math.max(min, value)) });
    };
    return html`<label class="row"><span>${label}</span><input class="field narrow" data-testid="agents-${key}" type="number" min=${min} .value=${String(form[key])} @input=${put} /></label>`;
  }

  private renderWires(key: 'plannerWire' | 'generatorWire', wires: [string, string, string][]): TemplateResult {
    return html`<label class="row"
      ><span>Service</span>
      <select class="field" data-testid="agents-${key}" @change=${(event: Event) => this.put({ [key]: (event.target as HTMLSelectElement).value })}>
        ${wires.map(([id, label]) => html`<option value=${id} ?selected=${id === form[key]}>${label}</option>`)}
      </select></label
    >`;
  }

  private renderKey(key: 'plannerKey' | 'generatorKey'): TemplateResult {
    return html`<label class="row"
      ><span>Key</span>
      <input class="field" type="password" data-testid="agents-${key}" autocomplete="off" .value=${form[key]} @input=${(event: Event) => this.put({ [key]: (event.target as HTMLInputElement).value.trim() })} />
      <small>Stays in this tab’s memory; never stored, exported or put into an address.</small></label
    >`;
  }

  private renderExtra(key: 'plannerExtra' | 'generatorExtra', label: string, placeholder: string): TemplateResult {
    return html`<label class="row"
      ><span>${label}</span>
      <textarea class="field" rows="2" spellcheck="false" data-testid="agents-${key}" placeholder=${placeholder} .value=${form[key]} @input=${(event: Event) => this.put({ [key]: (event.target as HTMLTextAreaElement).value })}></textarea>
      <small>JSON, merged into the request.</small></label
    >`;
  }

  private renderDomains(): TemplateResult | typeof nothing {
    const all = this.#plan.value?.domains ?? [];
    if (all.length < 2) return nothing;
    const every = all.map(([domain]) => domain);
    const { domains } = form;
    const toggle = (domain: string, on: boolean): void => this.put({ domains: chosenWith(domain, on, domains, every) });
    return html`<details class="row-wide">
      <summary>Tasks: ${domains.length === 0 ? `all ${all.length}` : `${domains.length} of ${all.length}`}</summary>
      <div class="domains" role="group" aria-label="Tasks">
        ${all.map(([domain, sets]) => html`<label><input type="checkbox" .checked=${domains.length === 0 || domains.includes(domain)} @change=${(event: Event) => toggle(domain, (event.target as HTMLInputElement).checked)} />${domain} <span class="muted">${count(sets)}</span></label>`)}
      </div>
    </details>`;
  }

  private renderPlan(): TemplateResult {
    const plan = this.#plan.value;
    const named = form.plannerModel !== '' && form.generatorModel !== '';
    const problem = this.#plan.error?.message ?? (this.error !== '' ? this.error : named ? (plan?.problem ?? '') : '');
    const calls = plan === null ? 0 : plan.pictures + plan.plans;
    return html`<section class="panel plan" aria-label="What will be called">
      <h2>What will be called</h2>
      ${plan === null ? html`<p class="muted">Counting…</p>` : renderCounts(plan)}
      ${problem === '' ? nothing : html`<p class="problem" role="alert">${icon('error', 16)} ${problem}</p>`}
      ${this.elsewhere === null || problem === '' || this.isRunning() ? nothing : html`<button type="button" class="button" data-testid="agents-look-on" @click=${() => this.lookOn()}>Watch from here</button>`}
      <div class="toolbar send">
        <button type="button" class="button primary" data-testid="agents-start" ?disabled=${this.isRunning() || !named || calls === 0 || this.#plan.settled === null || plan?.problem != null} @click=${() => void this.start()}>
          Make up to ${plural(plan?.pictures ?? 0, 'picture')}
        </button>
        ${named ? nothing : html`<span class="small muted">Choose both models first.</span>`}
      </div>
    </section>`;
  }

  private renderJob(): TemplateResult | typeof nothing {
    const { agents, keeping } = this.#store.state;
    if (agents === null) return nothing;
    return renderJob(agents, {
      ...(keeping === null ? {} : { facts: html`<div><dt>Pictures and plans are kept</dt><dd data-testid="agents-keeping">${KEEPING[keeping]}</dd></div>` }),
      testId: 'agents-job',
      prefix: 'agents',
      doing: 'Making pictures',
      answered: 'Calls answered',
      ended: 'Calls ended',
      calls: (number) => plural(number, 'call'),
      place: (one) => `${one.sample}, ${one.what === 'plan' ? 'the planner’s word on ' : ''}picture ${one.step}`,
      control: (what) => void store.client.controlAgents(what),
    });
  }

  /** The trajectories that are there, or may be begun by hand. */
  private renderMade(): TemplateResult | typeof nothing {
    const sets = this.#sets.value ?? [];
    const shown = this.shown();
    if (shown === null)
      return html`<section class="panel made" aria-label="Trajectories"><h2>Trajectories</h2><p class="muted">None yet. Choose both models, then start; or work by hand, set by set.</p></section>`;
    return html`<section class="panel made" aria-label="Trajectories">
        <div class="toolbar">
          <h2>Trajectories</h2>
          <select class="field" aria-label="Whose trajectories" data-testid="agents-set" @change=${(event: Event) => this.choose((event.target as HTMLSelectElement).value)}>
            ${this.choices().map((set) => html`<option value=${idOf(set)} ?selected=${idOf(set) === idOf(shown.set)}>${set.name} +${set.framework.toUpperCase()}: ${set.generator}, planned by ${set.planner}</option>`)}
          </select>
          <span class="spacer"></span>
          ${
            sets.length === 0
              ? nothing
              : html`<button type="button" class="button" data-testid="agents-export" @click=${() => void this.export()}>${icon('download')}Folder as ZIP</button>
                <button type="button" class="button quiet" @click=${() => void this.forget()}>Forget those kept here</button>`
          }
        </div>
        ${shown.view === null ? nothing : this.renderTable(shown.view)}
        <div class="toolbar">
          <label
            >Show
            <select class="field" data-testid="agents-which" @change=${(event: Event) => this.filter({ which: (event.target as HTMLSelectElement).value as AgentWhich })}>
              ${WHICH.map(([id, label]) => html`<option value=${id} ?selected=${id === this.which}>${label}</option>`)}
            </select></label
          >
          <input class="field" type="search" aria-label="Sets whose name has" placeholder="add/002" .value=${this.text} @input=${(event: Event) => this.filter({ text: (event.target as HTMLInputElement).value.trim() })} />
          <span class="spacer"></span>${this.renderPager()}
        </div>
      </section>
      <div class="strips">
        ${(this.#strips.value?.strips ?? []).map((strip) => html`<juror-strip .client=${store.client} .state=${this.#store.state} class="panel" data-testid="strip" .strip=${strip} .set=${shown.set} .steps=${shown.steps} .total=${this.total()}></juror-strip>`)}
      </div>`;
  }

  private renderTable(view: AgentSetView): TemplateResult {
    const rows =
      this.#store.state.overview?.scores.filter(
        ({ scope, criterion, model, mean }) => scope === 'overall' && criterion === 'total' && mean !== null && view.models.includes(model),
      ) ?? [];
    const judges = [...new Set(rows.map(({ judge }) => judge))];
    const begun = [
      plural(view.trajectories, 'set'),
      `${count(view.finished)} complete${view.stopped === 0 ? '' : `, ${count(view.stopped)} of them ended by the planner`}`,
      view.failed === 0 ? '' : `${count(view.failed)} with a failed call`,
    ].filter(Boolean);
    return html`<p class="small muted" data-testid="agents-begun">${begun.join(' · ')}</p>
      ${
        rows.length === 0
          ? html`<p class="small muted">Not judged yet: the steps are among the models of <a href=${store.href({ view: 'judge' })}>Judge</a>.</p>`
          : html`<div class="table" tabindex="0" role="region" aria-label="Mean total by step">
              <table data-testid="agents-table">
                <thead><tr><th scope="col">Mean total (sets scored of those expected)</th>${view.models.map((_, at) => html`<th scope="col">Step ${at + 1}</th>`)}</tr></thead>
                <tbody>
                  ${judges.map(
                    (judge) =>
                      html`<tr><th scope="row">${judge === '' ? 'judge' : judge}</th>${view.models.map((model) => {
                        const row = rows.find((one) => one.judge === judge && one.model === model);
                        return html`<td>${row === undefined ? '–' : html`${mean(row.mean, this.total())} <small>${count(row.n)} of ${count(row.expected)}</small>`}</td>`;
                      })}</tr>`,
                  )}
                </tbody>
              </table>
            </div>
            <juror-agent-steps .state=${this.#store.state} .view=${view}></juror-agent-steps>
            <p class="small muted">Sets without a picture of a step are missing outputs there and count as the choice at the top says.</p>`
      }`;
  }

  private renderPager(): TemplateResult | typeof nothing {
    const total = this.#strips.value?.total ?? 0;
    if (total <= PER_PAGE) return nothing;
    const last = Math.min(total, this.offset + PER_PAGE);
    return html`<span class="num muted">${count(this.offset + 1)}–${count(last)} of ${count(total)}</span>
      <button type="button" class="button icon" aria-label="Previous sets" ?disabled=${this.offset === 0} @click=${() => (this.offset = Math.max(0, this.offset - PER_PAGE))}>${icon('left')}</button>
      <button type="button" class="button icon" aria-label="Next sets" ?disabled=${last >= total} @click=${() => (this.offset += PER_PAGE)}>${icon('right')}</button>`;
  }

  private total() {
    return this.#store.state.overview?.criteria.find(({ id }) => id === 'total');
  }

  private isRunning(): boolean {
    const { agents } = this.#store.state;
    return agents !== null && !agents.progress.finished;
  }

  private put(part: Partial<Form>): void {
    Object.assign(form, part);
    this.error = '';
    this.requestUpdate();
  }

  private filter(part: { which?: AgentWhich; text?: string }): void {
    Object.assign(this, part);
    this.offset = 0;
  }

  private choose(id: string): void {
    this.chosen = id;
    this.offset = 0;
  }

  /** The sets to choose from: those that are there, and the one that the form names. */
  private choices(): AgentSet[] {
    const there = (this.#sets.value ?? []).map(({ set }) => set);
    const set = this.formSet();
    const isNamed = set.planner !== '' && set.generator !== '';
    return !isNamed || there.some((one) => idOf(one) === idOf(set)) ? there : [set, ...there];
  }

  private shown(): { set: AgentSet; view: AgentSetView | null; steps: number } | null {
    const choices = this.choices();
    const formId = idOf(this.formSet());
    const set = choices.find((one) => idOf(one) === this.chosen) ?? choices.find((one) => idOf(one) === formId) ?? choices[0];
    if (set === undefined) return null;
    const view = this.#sets.value?.find((one) => idOf(one.set) === idOf(set)) ?? null;
    // The form says how many steps its own trajectories are to have; others have as many as they have.
    return { set, view, steps: idOf(set) === formId || view === null ? form.steps : view.steps };
  }

  private usePair(pair: (typeof PAIRS)[number] | undefined): void {
    if (pair === undefined) return;
    const [[plannerWire, plannerModel], [generatorWire, generatorModel]] = [pair.planner, pair.generator];
    this.put({ plannerWire, plannerModel, generatorWire, generatorModel });
  }

  private formSet(): AgentSet {
    return {
      name: form.name === '' ? folderName(form.generatorModel) : form.name,
      framework: form.framework,
      planner: form.plannerModel,
      generator: form.generatorModel,
    };
  }

  private scope(): AgentScope {
    return { set: this.formSet(), steps: form.steps, domains: form.domains, per_domain: form.perDomain };
  }

  private async start(): Promise<void> {
    try {
      const isSure = await store.client.startAgents(settingsOf(this.scope()));
      this.error = '';
      if (!isSure) store.notify('warn', UNSURE);
    } catch (error) {
      this.error = messageOf(error);
      if (error instanceof FieldError) parts.open('parameters', 'pace');
      this.elsewhere = codeOf(error) === 'elsewhere' ? this.formSet() : null;
    }
  }

  private lookOn(): void {
    const { elsewhere } = this;
    if (elsewhere === null) return;
    this.elsewhere = null;
    this.error = '';
    void store.client.lookOn('agents', JSON.stringify(elsewhere));
  }

  private async export(): Promise<void> {
    try {
      download(await store.client.exportAgents(), 'zip', 'agents');
    } catch (error) {
      store.notify('error', `The folder could not be packed: ${messageOf(error)}`);
    }
  }

  private async forget(): Promise<void> {
    if (
      !confirm(
        'Delete all pictures and planner’s replies that this browser keeps for this benchmark? Export the folder first if you may need them. They stay on the page until it is closed.',
      )
    )
      return;
    try {
      await store.client.forgetAgents();
      store.notify('info', 'All trajectories of this benchmark were deleted from this browser.');
    } catch (error) {
      store.notify('error', messageOf(error));
    }
  }
}

function toldSets(tasks: number): string {
  return inWords(
    form.name !== '' && `named ${form.name}`,
    form.domains.length === 0 ? (tasks > 1 ? `all ${count(tasks)} tasks` : 'all tasks') : plural(form.domains.length, 'task'),
    form.perDomain > 0 ? `${plural(form.perDomain, 'set')} of each` : 'all sets',
  );
}

function toldParameters(): string {
  return (
    inWords(
      form.temperature !== '' && `temperature ${form.temperature}`,
      form.maxTokens !== '' && `at most ${form.maxTokens} tokens`,
      form.plannerExtra.trim(),
      form.generatorExtra.trim(),
      form.generatorWire === 'openai' && form.hosts !== '' && `pictures from ${form.hosts}`,
    ) || 'as the services have them'
  );
}

function toldPace(): string {
  const prices = [form.picturePrice, form.inputPrice, form.outputPrice].filter((price) => price !== '').length;
  return inWords(
    `${count(form.concurrency)} at a time`,
    form.perMinute > 0 && `${count(form.perMinute)} a minute`,
    prices === 0 ? 'no prices' : `${prices} of 3 prices`,
    form.budget === '' ? 'no cap' : `at most ${form.budget}`,
  );
}

const idOf = ({ name, framework, planner, generator }: AgentSet): string => JSON.stringify([name, framework, planner, generator]);

/** The form as settings; what cannot be read is said by its name. */
function settingsOf(scope: AgentScope): AgentSettings {
  const maxTokens = numberOf(form.maxTokens, 'Max tokens');
  return {
    scope,
    services: {
      planner_wire: form.plannerWire,
      planner_base: form.plannerBase,
      planner: {
        model: form.plannerModel,
        temperature: numberOf(form.temperature, 'Temperature'),
        max_tokens: maxTokens === null ? null : Math.floor(maxTokens),
        extra: extraOf(form.plannerExtra, 'Planner: more parameters'),
      },
      generator_wire: form.generatorWire,
      generator_base: form.generatorBase,
      generator: { model: form.generatorModel, temperature: null, max_tokens: null, extra: extraOf(form.generatorExtra, 'Generator: more parameters') },
    },
    plannerKey: form.plannerKey,
    generatorKey: form.generatorKey,
    hosts: hostsOf(form.hosts),
    limits: {
      concurrency: form.concurrency,
      per_minute: form.perMinute,
      max_attempts: 6,
      timeout_secs: form.timeout,
      stop_after: 12,
      input_price: numberOf(form.inputPrice, 'Price per million input tokens'),
      output_price: numberOf(form.outputPrice, 'Price per million output tokens'),
      picture_price: numberOf(form.picturePrice, 'Price of a picture'),
      picture_tokens: form.pictureTokens,
      reply_tokens: form.replyTokens,
      max_reply_tokens: null,
      budget: numberOf(form.budget, 'Spend at most'),
    },
  };
}

function renderCounts(plan: AgentPlan): TemplateResult {
  const input = Math.round(plan.planner_chars / CHARS_PER_TOKEN + plan.pictures_to_planner * form.pictureTokens);
  const output = plan.plans * form.replyTokens;
  const prices = [form.picturePrice, form.inputPrice, form.outputPrice];
  const [picture, inputPrice, outputPrice] = prices.map(Number) as [number, number, number];
  const isPriced = prices.some((price) => price !== '') && [picture, inputPrice, outputPrice].every(Number.isFinite);
  const rest = [
    plan.finished > 0 ? `${plural(plan.finished, 'set')} complete already` : '',
    plan.impossible > 0 ? `${plural(plan.impossible, 'set')} without a prompt` : '',
  ].filter(Boolean);
  return html`<dl class="facts">
    <div><dt>Sets</dt><dd class="num" data-testid="agents-trajectories">${count(plan.tasks.length)}</dd></div>
    <div><dt>Pictures to make, at most</dt><dd class="num" data-testid="agents-pictures">${count(plan.pictures)}</dd></div>
    <div><dt>Planner’s calls, at most</dt><dd class="num" data-testid="agents-plans">${count(plan.plans)}</dd></div>
    <div><dt>Pictures shown to the generator, the planner</dt><dd class="num">${count(plan.pictures_to_generator)}, ${count(plan.pictures_to_planner)}</dd></div>
    <div><dt>Planner’s tokens, about</dt><dd class="num">${count(input)} in, ${count(output)} out</dd></div>
    <div><dt>Cost, at most about</dt><dd class="num">${isPriced ? (plan.pictures * picture + (input * inputPrice + output * outputPrice) / 1e6).toFixed(2) : 'enter prices'}</dd></div>
    ${rest.length === 0 ? nothing : html`<div><dt>Left out</dt><dd>${rest.join(', ')}</dd></div>`}
  </dl>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-agents': JurorAgents;
  }
}
