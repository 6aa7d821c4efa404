import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { Query, StoreController } from '../state/controllers';
import { download } from '../state/download';
import { FocusKeeper } from '../state/focus';
import { bytes, count, plural } from '../state/format';
import { KEEPING } from '../state/keeping';
import { NO_FILTER } from '../state/router';
import { store } from '../state/store';
import { prices, setPrice } from '../state/prices';
import '../components/by-hand/by-hand';
import { renderChoices } from '../components/choices/choices';
import { ALL, renderPer } from '../components/choices/per';
import { extraOf, numberOf } from '../components/fold/fields';
import { FieldError, Folds, folds, inWords, sending } from '../components/fold/fold';
import { icon } from '../components/icon/icon';
import { UNSURE, renderJob } from '../components/job/job';
import '../components/judge-health/judge-health';
import '../components/prices/prices';
import type { PastedTogether } from '../engine/types/PastedTogether';
import type { ReplyCheck } from '../engine/types/ReplyCheck';
import type { JobSettings } from '../engine/types/JobSettings';
import { codeOf, messageOf } from '../engine/errors';
import type { JobPlan } from '../engine/types/JobPlan';
import type { JudgePreset } from '../engine/types/JudgePreset';
import type { Overview } from '../engine/types/Overview';
import type { Params } from '../engine/types/Params';
import type { SubsetScope } from '../engine/types/SubsetScope';
import type { Which } from '../engine/types/Which';
import type { Wire } from '../engine/types/Wire';
import { manualLink } from '../manual/link';
import { base, controls, facts, meter } from '../styles/base.styles';
import { forms, page } from '../styles/page.styles';
import { styles } from './judge.styles';

const WIRES: [Wire, string, string][] = [
  ['openai', 'OpenAI-compatible: OpenAI, OpenRouter, vLLM, LM Studio, Ollama', 'https://api.openai.com/v1'],
  ['anthropic', 'Anthropic messages', 'https://api.anthropic.com'],
  ['gemini', 'Gemini generateContent', 'https://generativelanguage.googleapis.com'],
];
/** `anchors` is none of the core's: a job of nothing but anchors. */
const WHICH: [Which | 'anchors', string][] = [
  ['open', 'not judged by this judge yet, or failed'],
  ['unjudged', 'not judged by anybody yet'],
  ['failed', 'only failed calls'],
  ['unparsable', 'only unreadable replies'],
  ['anchors', 'none: only the anchors'],
];
/** The reader is asked once more before more requests than this are sent. */
const MANY_REQUESTS = 200;
/** A rough rule for English text. */
const CHARS_PER_TOKEN = 4;

/** What the form holds; kept while the page is open, so that leaving the view loses nothing. The key is here and nowhere else. */
interface Form {
  wire: Wire;
  base: string;
  model: string;
  /** Under whom replies are filed; the model where it is empty. */
  judge: string;
  key: string;
  temperature: string;
  maxTokens: string;
  extra: string;
  /** The service is told to give JSON and nothing else. */
  jsonOnly: boolean;
  models: string[];
  criteria: string[];
  which: Which | 'anchors';
  /** So many samples, drawn by a seed; 0 for all. */
  samples: number;
  /** The groups that so many of each are drawn from; empty for one group of all. */
  per: string;
  seed: number;
  runs: number;
  anchors: number;
  concurrency: number;
  perMinute: number;
  timeout: number;
  attempts: number;
  stopAfter: number;
  budget: string;
  inputPrice: string;
  outputPrice: string;
  pictureTokens: number;
  replyTokens: number;
}

/** Fields of text, or of numbers that may stay empty. */
type TextField = 'base' | 'model' | 'judge' | 'temperature' | 'maxTokens' | 'budget' | 'inputPrice' | 'outputPrice';

/** Whole numbers. */
type NumberField = 'runs' | 'anchors' | 'concurrency' | 'perMinute' | 'timeout' | 'attempts' | 'stopAfter' | 'pictureTokens' | 'replyTokens';

const form: Form = {
  wire: 'openai',
  base: '',
  model: '',
  judge: '',
  key: '',
  temperature: '',
  maxTokens: '',
  extra: '',
  jsonOnly: false,
  models: [],
  criteria: [],
  which: 'open',
  samples: 0,
  per: '',
  seed: 1,
  runs: 1,
  anchors: 0,
  concurrency: 4,
  perMinute: 0,
  timeout: 300,
  attempts: 6,
  stopAfter: 12,
  budget: '',
  inputPrice: '',
  outputPrice: '',
  pictureTokens: 1000,
  replyTokens: 300,
};

const parts = new Folds();

/** Keeps replies that come together. */
const paste = (text: string): Promise<PastedTogether> => store.pasteReplies(text);
/** Compares the replies with their requests as they are now. */
const match = (): Promise<ReplyCheck> => store.checkReplies();

/** A judge's parameters as the form has them. */
function ofPreset({ params }: JudgePreset): Pick<Form, 'temperature' | 'maxTokens' | 'extra'> {
  return {
    temperature: params.temperature === null ? '' : String(params.temperature),
    maxTokens: params.max_tokens === null ? '' : String(params.max_tokens),
    extra: Object.keys(params.extra).length === 0 ? '' : JSON.stringify(params.extra),
  };
}

/**
 * @summary Sends judge requests with the user's own key: what will be sent and what it may cost, then progress and incidents.
 */
@customElement('juror-judge')
export class JurorJudge extends LitElement {
  static override styles = [base, controls, facts, meter, page, forms, folds, sending, styles];

  readonly #store = new StoreController(this);
  readonly #plan = new Query<JobPlan>(this);
  readonly #scopes = new Query<SubsetScope[]>(this);
  /** What starts and stops a job goes with it; who pressed it goes on with how the job stands. */
  protected readonly keeper = new FocusKeeper(
    this,
    () => this.renderRoot.querySelector<HTMLElement>('[data-testid="job"] h2') ?? this.renderRoot.querySelector<HTMLElement>('h1'),
  );
  @state() private error = '';
  /** What the model's name has brought along, in words. */
  @state() private filled = '';
  /** The judge that another tab asks. */
  private elsewhere: string | null = null;

  protected override willUpdate(): void {
    const { engine, version, overview } = this.#store.state;
    if (engine !== 'ready' || overview?.benchmark == null || this.isRunning()) return;
    if (this.#plan.value?.is_json === false) form.jsonOnly = false;
    const scope = this.scope();
    this.#scopes.ask(String(version), () => store.client.subsetScopes());
    this.#plan.ask(`${version} ${JSON.stringify(scope)}`, () => store.client.planJob(scope));
  }

  override render(): TemplateResult {
    const { overview } = this.#store.state;
    return html`<div class="top">
        <div class="titled"><h1 tabindex="-1">Judge</h1>${manualLink(this.#store.state.route, 'judging', 'judge-from-the-page')}</div>
        <p class="lead">
          Juror sends each request from this browser to the service you name, with your key, and writes every reply to this browser’s storage before it counts.
          If you close the page, no reply that has arrived is lost or asked for again. You can also take the requests elsewhere as files and bring the replies back together.
        </p>
      </div>
      ${
        overview?.benchmark == null
          ? html`<p class="panel note">Open a benchmark and a model’s outputs first.</p>`
          : html`<div class="columns">${this.renderForm(overview)}<div class="side">${this.renderPlan()}${this.renderJob()}${this.renderHealth()}${this.renderByHand()}</div></div>`
      }`;
  }

  private renderForm(overview: Overview): TemplateResult {
    return html`<form class="panel form" autocomplete="off" @submit=${(event: Event) => event.preventDefault()}>
      ${this.renderJudge(overview.judges)} ${parts.render('parameters', 'Name and parameters', toldParameters(), this.renderParameters())}
      ${parts.render('what', 'What to judge', toldScope(overview), this.renderScope(overview))} ${parts.render('pace', 'Pace and cost', toldPace(), this.renderPace())}
    </form>`;
  }

  private renderJudge(presets: Overview['judges']): TemplateResult {
    const wire = WIRES.find(([id]) => id === form.wire);
    return html`<fieldset>
      <legend>Judge</legend>
      ${
        presets.length === 0
          ? nothing
          : html`<label class="row"
            ><span>Judge of the paper</span>
            <select class="field" @change=${(event: Event) => this.usePreset(presets[Number((event.target as HTMLSelectElement).value)])}>
              <option value="-1">Choose to fill in…</option>
              ${presets.map((preset, at) => html`<option value=${at}>${preset.label}</option>`)}
            </select></label
          >`
      }
      <label class="row"
        ><span>Service</span>
        <select class="field" data-testid="judge-wire" @change=${(event: Event) => this.put({ wire: (event.target as HTMLSelectElement).value as Wire })}>
          ${WIRES.map(([id, label]) => html`<option value=${id} ?selected=${id === form.wire}>${label}</option>`)}
        </select></label
      >
      ${this.text('base', 'Address', 'Only this address is called. A local server must allow this page’s origin (CORS).', wire?.[2] ?? '')}
      <div @change=${() => void this.fillByModel()}>${this.text('model', 'Model', this.filled, 'gpt-4o-2024-08-06')}</div>
      <label class="row"
        ><span>Key</span>
        <input class="field" type="password" data-testid="judge-key" autocomplete="off" .value=${form.key} @input=${(event: Event) => this.put({ key: (event.target as HTMLInputElement).value.trim() })} />
        <small>Stays in this tab’s memory; never stored, exported or put into an address.</small></label
      >
    </fieldset>`;
  }

  private renderParameters(): TemplateResult {
    return html`${this.text('judge', 'Name of this judge', 'One name for each model and its parameters.', form.model)}
      <div class="pair">${this.text('temperature', 'Temperature', '', 'the service’s own', true)} ${this.text('maxTokens', 'Max tokens', '', 'the service’s own', true)}</div>
      <label class="row"
        ><span>More parameters</span>
        <textarea class="field" rows="2" spellcheck="false" placeholder='{"seed": 1}' .value=${form.extra} @input=${(event: Event) => this.put({ extra: (event.target as HTMLTextAreaElement).value })}></textarea>
        <small>JSON, merged into the request.</small></label
      >
      ${this.renderJsonOnly()}`;
  }

  private renderScope(overview: Overview): TemplateResult {
    return html`${renderChoices(
      'Models',
      overview.models.map(({ name }) => [name, name]),
      form.models,
      (models) => this.put({ models }),
    )}
      ${renderChoices(
        'Requests',
        overview.requests.map(({ id, label }) => [id, label]),
        form.criteria,
        (criteria) => this.put({ criteria }),
      )}
      <label class="row"
        ><span>Which</span>
        <select class="field" data-testid="judge-which" @change=${(event: Event) => this.put({ which: (event.target as HTMLSelectElement).value as Form['which'] })}>
          ${WHICH.map(([id, label]) => html`<option value=${id} ?selected=${id === form.which}>${label}</option>`)}
        </select></label
      >
      ${this.renderSubset(overview)}
      <div class="pair">${this.number('runs', 'Runs of each', 1)} ${this.number('anchors', 'Anchors asked again first', 0)}</div>
      <p class="hint">Anchors are judged requests, always the same ones, that are asked again before the rest: they show whether the judge has changed, and never count.</p>`;
  }

  private renderPace(): TemplateResult {
    return html`<div class="pair">${this.number('concurrency', 'Parallel requests', 1)} ${this.number('perMinute', 'Per minute (0: no limit)', 0)}</div>
      <div class="pair">${this.number('timeout', 'Time-out, seconds', 1)} ${this.number('attempts', 'Attempts at each', 1)}</div>
      ${this.number('stopAfter', 'Stop after so many failures of one kind in a row (0: never)', 0)}
      <div class="pair">${this.text('inputPrice', 'Price per million input tokens', '', 'not known', true)} ${this.text('outputPrice', 'Per million output tokens', '', 'not known', true)}</div>
      <div class="pair">${this.number('pictureTokens', 'Tokens per picture, assumed', 0)} ${this.number('replyTokens', 'Tokens per reply, assumed', 0)}</div>
      <juror-prices @change=${() => this.fillPrices()}></juror-prices>
      ${this.text('budget', 'Spend at most', 'Needs both prices. No request is sent that could exceed it; the limit is exact where Max tokens is set.', 'no cap', true)}`;
  }

  private text(key: TextField, label: string, hint: string, placeholder = '', numeric = false): TemplateResult {
    return html`<label class="row"
      ><span>${label}</span>
      <input class="field" data-testid="judge-${key}" inputmode=${numeric ? 'decimal' : nothing} autocomplete="off" spellcheck="false" placeholder=${placeholder} .value=${form[key]} @input=${(event: Event) => this.put({ [key]: (event.target as HTMLInputElement).value.trim() })} />
      ${hint === '' ? nothing : html`<small>${hint}</small>`}</label
    >`;
  }

  private number(key: NumberField, label: string, min: number): TemplateResult {
    return html`<label class="row"><span>${label}</span><input class="field narrow" data-testid="judge-${key}" type="number" min=${min} .value=${String(form[key])} @input=${(event: Event) => this.put({ [key]: Math.max(min, Math.floor(Number((event.target as HTMLInputElement).value)) || min) })} /></label>`;
  }

  /** All samples, or a draw that another judge, rater or the command line repeats. */
  private renderSubset(overview: Overview): TemplateResult {
    const words = overview.benchmark?.words.samples ?? 'samples';
    const all = overview.benchmark?.samples ?? 0;
    const whole = (event: Event, least: number, most: number): number =>
      Math.min(most, Math.max(least, Math.floor(Number((event.target as HTMLInputElement).value)) || least));
    const isAll = form.samples === 0;
    const command = `juror requests --per ${form.per || ALL}=${form.samples} --seed ${form.seed}`;
    return html`<div class="row">
      <span id="subset">Which ${words}</span>
      <span class="subset" role="group" aria-labelledby="subset">
        <label><input type="radio" name="subset" .checked=${isAll} @change=${() => this.put({ samples: 0 })} /> all ${count(all)}</label>
        <label><input type="radio" name="subset" data-testid="judge-some" .checked=${!isAll} @change=${() => this.put({ samples: Math.min(20, all) })} /> a random</label>
        <input class="field narrow" type="number" min="1" max=${all} data-testid="judge-samples" aria-label="How many ${words}" ?disabled=${isAll} .value=${String(isAll ? Math.min(20, all) : form.samples)} @input=${(event: Event) => this.put({ samples: whole(event, 1, all) })} />
        ${renderPer(this.#scopes.value ?? [], form.per, isAll, (per) => this.put({ per }))}
        ${isAll ? nothing : html`<label>seed <input class="field narrow" type="number" min="0" max="4294967295" data-testid="judge-seed" .value=${String(form.seed)} @input=${(event: Event) => this.put({ seed: whole(event, 0, 4294967295) })} /></label>`}
      </span>
      ${isAll ? nothing : html`<small>The same ${words} as under Rate with this number and seed, and as <code>${command}</code> writes; a larger number contains them. In the list: <a href=${store.href({ view: 'samples', filter: { ...NO_FILTER, q: `subset:${form.per || ALL}/${form.samples}/${form.seed}` } })}>show them</a>.</small>`}
    </div>`;
  }

  private renderPlan(): TemplateResult {
    const plan = this.#plan.value;
    const running = this.isRunning();
    const problem = this.#plan.error?.message ?? this.error;
    return html`<section class="panel plan" aria-label="What will be sent">
      <h2>What will be sent</h2>
      ${this.renderTexts()}
      ${plan === null ? html`<p class="muted">Counting…</p>` : html`${this.renderCounts(plan)}${this.renderOthers(plan)}`}
      ${problem === '' ? nothing : html`<p class="problem" role="alert">${icon('error', 16)} ${problem}</p>`}
      ${this.elsewhere === null || problem === '' || running ? nothing : html`<button type="button" class="button" data-testid="judge-look-on" @click=${() => this.lookOn()}>Watch from here</button>`}
      <div class="toolbar send">
        <button type="button" class="button primary" data-testid="judge-start" ?disabled=${running || plan === null || this.#plan.settled === null || (plan.tasks.length === 0 && form.which !== 'anchors') || form.model === '' || (form.which === 'anchors' && form.anchors === 0)} @click=${() => void this.start()}>
          ${form.which === 'anchors' ? `Ask ${plural(form.anchors, 'anchor')}` : `Send ${plan === null ? '' : plural(plan.tasks.length, 'request')}`}
        </button>
        ${
          form.which === 'anchors' || plan === null || plan.tasks.length < 2
            ? nothing
            : html`<button type="button" class="button" data-testid="judge-test" ?disabled=${running || this.#plan.settled === null || form.model === ''} @click=${() => void this.start(1)}>Test with one request</button>`
        }
        ${form.model === '' ? html`<span class="small muted">Choose a model first.</span>` : nothing}
      </div>
    </section>`;
  }

  /** Another judge of what is judged already costs as much as the first one. */
  private renderOthers({ by_others: others }: JobPlan): TemplateResult | typeof nothing {
    const names = Object.entries(others);
    if (names.length === 0 || form.which !== 'open') return nothing;
    const list = names.map(([judge, number]) => `${count(number)} by ${judge === '' ? 'a judge that is not stated' : judge}`).join(', ');
    return html`<p class="callout" data-testid="judge-others">
      Of these requests, replies by other judges are there: ${list}. ${judgeName() === '' ? 'This judge' : judgeName()} would judge them as well.
      <button type="button" class="button tiny" data-testid="judge-unjudged" @click=${() => this.put({ which: 'unjudged' })}>Only the others</button>
    </p>`;
  }

  /** Whose texts the judge is asked with, before any money is spent. */
  private renderTexts(): TemplateResult | typeof nothing {
    const { overview } = this.#store.state;
    if (overview === null) return nothing;
    const at = overview.packs.findIndex(({ sha256 }) => sha256 === overview.pack.sha256);
    return html`<p class="small muted" data-testid="judge-texts">Judge texts: <span class="mono" dir="auto" title="SHA-256 ${overview.pack.sha256}">${overview.pack_words[at] ?? ''}</span></p>`;
  }

  private renderCounts(plan: JobPlan): TemplateResult {
    const { input, output, cost } = estimate(plan);
    const rest = [
      plan.answered > 0 ? `${count(plan.answered)} judged already` : '',
      plan.without_output > 0 ? `${count(plan.without_output)} skipped: no output` : '',
      plan.not_asked > 0 ? `${count(plan.not_asked)} skipped: not judged` : '',
    ].filter(Boolean);
    return html`<dl class="facts">
      <div><dt>Requests</dt><dd class="num" data-testid="judge-requests">${count(plan.tasks.length)}</dd></div>
      <div><dt>Pictures in them</dt><dd class="num" data-testid="judge-pictures">${count(plan.pictures)}${plan.picture_bytes === null || plan.pictures === 0 ? '' : `, ${bytes(plan.picture_bytes)} on disk`}</dd></div>
      <div><dt>Tokens, about</dt><dd class="num">${count(input)} in, ${count(output)} out</dd></div>
      <div><dt>Cost, about</dt><dd class="num">${cost === null ? 'enter prices' : cost.toFixed(2)}</dd></div>
      ${rest.length === 0 ? nothing : html`<div><dt>Left out</dt><dd>${rest.join(', ')}</dd></div>`}
    </dl>`;
  }

  private renderJob(): TemplateResult | typeof nothing {
    const { job, keeping } = this.#store.state;
    if (job === null) return nothing;
    const { input_tokens: input, output_tokens: output } = job.progress;
    return renderJob(job, {
      testId: 'job',
      prefix: 'job',
      doing: 'Judging',
      answered: 'Answered',
      ended: 'Requests ended',
      calls: (number) => plural(number, 'request'),
      place: (one) => `${one.model}, ${one.sample}, ${one.criterion}${one.run > 1 ? `, run ${one.run}` : ''}`,
      control: (what) => void store.client.controlJob(what),
      facts: html`<div><dt>Tokens</dt><dd class="num">${count(input)} in, ${count(output)} out</dd></div>
        ${keeping === null ? nothing : html`<div><dt>Replies are kept</dt><dd data-testid="job-keeping">${KEEPING[keeping]}</dd></div>`}`,
      buttons: html`<div class="toolbar"><button type="button" class="button" data-testid="judge-journal" @click=${() => void this.exportJournal()}>${icon('download')}Journal of all replies</button>
        <button type="button" class="button quiet" @click=${() => void this.forget()}>Forget replies kept here</button></div>`,
    });
  }

  private isRunning(): boolean {
    const { job } = this.#store.state;
    return job !== null && !job.progress.finished;
  }

  private put(part: Partial<Form>): void {
    Object.assign(form, part);
    if ('model' in part) this.fillPrices();
    if (('inputPrice' in part || 'outputPrice' in part) && form.model !== '') setPrice(form.model, { input: form.inputPrice, output: form.outputPrice });
    this.error = '';
    this.requestUpdate();
  }

  private usePreset(preset: JudgePreset | undefined): void {
    if (preset === undefined) return;
    this.filled = '';
    this.put({ wire: preset.wire, judge: preset.id, model: preset.params.model, ...ofPreset(preset) });
  }

  /** A model that the benchmark's own judge has brings its parameters along, as on the command line; what was entered stays. */
  private async fillByModel(): Promise<void> {
    const { model, wire } = form;
    this.filled = '';
    if (model === '') return;
    const preset = await store.client.judgeCalled(model).catch(() => null);
    if (preset === null || preset.wire !== wire || form.model !== model) return;
    const own = ofPreset(preset);
    const empty = (['temperature', 'maxTokens', 'extra'] as const).filter((key) => form[key] === '' && own[key] !== '');
    if (empty.length === 0) return;
    parts.open('parameters');
    this.put(Object.fromEntries(empty.map((key) => [key, own[key]])));
    this.filled = 'This is a judge of the benchmark’s authors: their parameters were filled in below where nothing was entered.';
  }

  private scope(): JobSettings['scope'] {
    const subset = form.samples === 0 ? null : { scope: form.per || ALL, n: form.samples, seed: form.seed };
    const which = form.which === 'anchors' ? 'open' : form.which;
    return { judge: judgeName(), models: form.models, criteria: form.criteria, runs: form.runs, which, subset, limit: null };
  }

  /** Sends what is chosen, or the first `limit` requests of it; of many the reader is asked once more. */
  private async start(limit: number | null = null): Promise<void> {
    const requests = form.which === 'anchors' ? form.anchors : (this.#plan.value?.tasks.length ?? 0);
    if (
      limit === null &&
      requests > MANY_REQUESTS &&
      !confirm(`Send ${count(requests)} requests to ${form.model}, as ${judgeName()}? Its service may charge for each.`)
    )
      return;
    try {
      const settings = settingsOf({ ...this.scope(), limit });
      if (limit !== null) settings.anchors = 0;
      const isSure = await store.client.startJob(settings);
      this.error = '';
      if (!isSure) store.notify('warn', UNSURE);
    } catch (error) {
      this.error = messageOf(error);
      // The fields that may be at fault are among them.
      if (error instanceof FieldError) parts.open('parameters', 'pace');
      this.elsewhere = codeOf(error) === 'elsewhere' ? judgeName() : null;
    }
  }

  private lookOn(): void {
    const { elsewhere } = this;
    if (elsewhere === null) return;
    this.elsewhere = null;
    this.error = '';
    void store.client.lookOn('judge', elsewhere);
  }

  private renderHealth(): TemplateResult {
    return html`<section class="panel plan" aria-label="Judge health"><juror-judge-health .client=${store.client} .state=${this.#store.state} .match=${match} .judge=${judgeName()} .params=${paramsOrNull()}></juror-judge-health></section>`;
  }

  private renderByHand(): TemplateResult {
    return html`<section class="panel plan" aria-label="By hand"><juror-by-hand .client=${store.client} .paste=${paste} .tasks=${this.#plan.value?.tasks ?? []} judge=${judgeName() || 'manual'}></juror-by-hand></section>`;
  }

  private renderJsonOnly(): TemplateResult | typeof nothing {
    const why =
      form.wire === 'anthropic'
        ? 'This service has no such option.'
        : this.#plan.value?.is_json === false
          ? 'These replies are not to be JSON.'
          : 'Changes the protocol, as the authors’ judges were free to think aloud; it is written into every reply’s record.';
    const isOff = form.wire === 'anthropic' || this.#plan.value?.is_json === false;
    return html`<label class="row"
      ><span>Structured output</span>
      <span class="check"><input type="checkbox" data-testid="judge-json" .checked=${form.jsonOnly && !isOff} ?disabled=${isOff} @change=${(event: Event) => this.put({ jsonOnly: (event.target as HTMLInputElement).checked })} /> JSON and nothing else</span>
      <small>${why}</small></label
    >`;
  }

  /** The prices that this browser keeps for the model. */
  private fillPrices(): void {
    const price = prices()[form.model];
    if (price !== undefined) Object.assign(form, { inputPrice: price.input, outputPrice: price.output });
    this.requestUpdate();
  }

  private async forget(): Promise<void> {
    if (
      !confirm(
        'Delete all replies that this browser keeps for this benchmark? Export the journal first if you may need them. They stay on the page until it is closed.',
      )
    )
      return;
    try {
      await store.client.forgetReplies();
      store.notify('info', 'All replies to this benchmark were deleted from this browser.');
    } catch (error) {
      this.error = messageOf(error);
    }
  }

  private async exportJournal(): Promise<void> {
    download(new Blob([await store.client.journal()], { type: 'application/x-ndjson' }), 'jsonl', 'journal');
  }
}

function toldParameters(): string {
  return (
    inWords(
      form.judge !== '' && `named ${form.judge}`,
      form.temperature !== '' && `temperature ${form.temperature}`,
      form.maxTokens !== '' && `at most ${form.maxTokens} tokens`,
      form.extra.trim() !== '' && form.extra.trim(),
      form.jsonOnly && 'JSON only',
    ) || 'as the service has them'
  );
}

function toldScope({ models, requests, benchmark }: Overview): string {
  const which = WHICH.find(([id]) => id === form.which)?.[1] ?? '';
  const samples = benchmark?.words.samples ?? 'samples';
  return inWords(
    form.models.length === 0
      ? models.length > 1
        ? `all ${count(models.length)} models`
        : ''
      : `${count(form.models.length)} of ${plural(models.length, 'model')}`,
    form.criteria.length > 0 && `${count(form.criteria.length)} of ${plural(requests.length, 'kind of request', 'kinds of requests')}`,
    which,
    form.samples > 0 && `${count(form.samples)} ${samples}${form.per === '' ? '' : ` of each ${form.per.replaceAll('_', ' ')}`}`,
    form.runs > 1 && plural(form.runs, 'run'),
    form.anchors > 0 && plural(form.anchors, 'anchor'),
  );
}

function toldPace(): string {
  const price = form.inputPrice === '' && form.outputPrice === '' ? 'no prices' : `${form.inputPrice || '?'} and ${form.outputPrice || '?'} per million tokens`;
  return inWords(
    `${count(form.concurrency)} at a time`,
    form.perMinute > 0 && `${count(form.perMinute)} a minute`,
    price,
    form.budget === '' ? 'no cap' : `at most ${form.budget}`,
  );
}

/** Under whom replies are filed. */
const judgeName = (): string => form.judge || form.model;

/** What the judge is asked with; what cannot be read is said by its name. */
function paramsOf(): Params {
  let extra = extraOf(form.extra, 'More parameters');
  if (form.jsonOnly && form.wire === 'openai') extra = { response_format: { type: 'json_object' }, ...extra };
  if (form.jsonOnly && form.wire === 'gemini') extra = { responseMimeType: 'application/json', ...extra };
  const maxTokens = numberOf(form.maxTokens, 'Max tokens');
  return { model: form.model, temperature: numberOf(form.temperature, 'Temperature'), max_tokens: maxTokens === null ? null : Math.floor(maxTokens), extra };
}

/** The same while it is being typed. */
function paramsOrNull(): Params | null {
  try {
    return form.model === '' ? null : paramsOf();
  } catch {
    return null;
  }
}

/** The form as settings. */
function settingsOf(scope: JobSettings['scope']): JobSettings {
  return {
    wire: form.wire,
    base: form.base,
    key: form.key,
    params: paramsOf(),
    anchors: form.anchors,
    anchorsOnly: form.which === 'anchors',
    limits: {
      concurrency: form.concurrency,
      per_minute: form.perMinute,
      max_attempts: form.attempts,
      timeout_secs: form.timeout,
      stop_after: form.stopAfter,
      input_price: numberOf(form.inputPrice, 'Price per million input tokens'),
      output_price: numberOf(form.outputPrice, 'Price per million output tokens'),
      picture_price: null,
      picture_tokens: form.pictureTokens,
      reply_tokens: form.replyTokens,
      max_reply_tokens: null,
      budget: numberOf(form.budget, 'Spend at most'),
    },
    scope,
  };
}

function estimate(plan: JobPlan): { input: number; output: number; cost: number | null } {
  const input = Math.round(plan.text_chars / CHARS_PER_TOKEN + plan.pictures * form.pictureTokens);
  const output = plan.tasks.length * form.replyTokens;
  const [inputPrice, outputPrice] = [Number(form.inputPrice), Number(form.outputPrice)];
  const priced = (form.inputPrice !== '' || form.outputPrice !== '') && Number.isFinite(inputPrice) && Number.isFinite(outputPrice);
  return { input, output, cost: priced ? (input * inputPrice + output * outputPrice) / 1e6 : null };
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-judge': JurorJudge;
  }
}
