import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { Query, StoreController } from '../state/controllers';
import { download } from '../state/download';
import { count, plural } from '../state/format';
import { KEEPING } from '../state/keeping';
import { NO_FILTER } from '../state/router';
import { store } from '../state/store';
import { extraOf, folderName, hostsOf, numberOf } from '../components/fold/fields';
import { FieldError, Folds, folds, inWords, sending } from '../components/fold/fold';
import { icon } from '../components/icon/icon';
import { UNSURE, renderJob } from '../components/job/job';
import { codeOf, messageOf } from '../engine/errors';
import type { Factor } from '../engine/types/Factor';
import type { FactorLevel } from '../engine/types/FactorLevel';
import type { GeneratedModel } from '../engine/types/GeneratedModel';
import type { GeneratePlan } from '../engine/types/GeneratePlan';
import type { GenerateScope } from '../engine/types/GenerateScope';
import type { GenerateSettings } from '../engine/types/GenerateSettings';
import type { InputGap } from '../engine/types/InputGap';
import type { Params } from '../engine/types/Params';
import type { PictureWire } from '../engine/types/PictureWire';
import { manualLink } from '../manual/link';
import { base, controls, facts, meter } from '../styles/base.styles';
import { forms, page } from '../styles/page.styles';
import { styles } from './judge.styles';
import { made } from './made.styles';

const WIRES: [PictureWire, string, string][] = [
  ['openai', 'OpenAI-compatible images', 'https://api.openai.com/v1'],
  ['gemini', 'Gemini generateContent with pictures', 'https://generativelanguage.googleapis.com'],
];

/** What the form holds; kept while the page is open, so that leaving the view loses nothing. The key is here and nowhere else. */
const form = {
  wire: 'openai' as PictureWire,
  base: '',
  model: '',
  key: '',
  extra: '',
  hosts: '',
  name: '',
  level: null as FactorLevel | null,
  filter: '',
  limit: 0,
  goesOn: false,
  again: false,
  texts: false,
  maxTokens: 1024,
  inputPrice: '',
  outputPrice: '',
  concurrency: 4,
  perMinute: 0,
  timeout: 300,
  picturePrice: '',
  budget: '',
};

type Form = typeof form;
type TextKey = 'base' | 'model' | 'key' | 'hosts' | 'name' | 'filter' | 'picturePrice' | 'inputPrice' | 'outputPrice' | 'budget';
type NumberKey = 'limit' | 'maxTokens' | 'concurrency' | 'perMinute' | 'timeout';

/** What a picture, and a reply, is assumed to take of a budget until services have counted some. */
const PICTURE_TOKENS = 1000;
const REPLY_TOKENS = 300;

/** What is said of the field of further parameters. */
const EXTRA = 'More parameters';

const parts = new Folds();

/**
 * @summary Has a generator make the outputs of a benchmark, with the user's own key.
 */
@customElement('juror-generate')
export class JurorGenerate extends LitElement {
  static override styles = [base, controls, facts, meter, page, forms, folds, sending, styles, made];

  readonly #store = new StoreController(this);
  readonly #plan = new Query<GeneratePlan>(this);
  readonly #models = new Query<GeneratedModel[]>(this);
  @state() private error = '';
  /** The model that another tab makes. */
  private elsewhere = '';

  protected override willUpdate(): void {
    const { engine, version, overview } = this.#store.state;
    if (engine !== 'ready' || overview?.benchmark == null) return;
    // Another benchmark may have other factors.
    const scope = scopeOf();
    if (scope !== null && !this.isRunning()) this.#plan.ask(`${version} ${JSON.stringify(scope)}`, () => store.client.planGenerate(scope));
    this.#models.ask(String(version), (signal) => store.client.generatedModels(signal));
  }

  override render(): TemplateResult {
    const { overview, route } = this.#store.state;
    return html`<div class="top">
        <div class="titled"><h1>Generate</h1>${manualLink(route, 'judging', 'outputs-of-a-generator')}</div>
        <p class="lead">
          What the benchmark gives a generator goes to the service that you name, with your key, one request for each turn. Each output is in this browser’s storage before it counts, and what was paid for is never asked for again.
          The outputs are then a model like any other: look at them, judge them, save its folder.
        </p>
      </div>
      ${
        overview?.benchmark == null
          ? html`<div class="panel note" data-testid="generate-none"><p>Open a benchmark’s folder first: its samples say what a generator is given.</p></div>`
          : html`<div class="columns">${this.renderForm()}<div class="side">${this.renderPlan()}${this.renderJob()}</div></div>${this.renderMade()}`
      }`;
  }

  private renderForm(): TemplateResult {
    const address = WIRES.find(([id]) => id === form.wire)?.[2] ?? '';
    const { is_own: isOwn = false, factors = [], other = 0 } = this.#plan.value ?? {};
    return html`<form class="panel form" autocomplete="off" @submit=${(event: Event) => event.preventDefault()}>
      <fieldset>
        <legend>Service</legend>
        <label class="row"
          ><span>Service</span>
          <select class="field" data-testid="generate-wire" @change=${(event: Event) => this.put({ wire: (event.target as HTMLSelectElement).value as PictureWire })}>
            ${WIRES.map(([id, label]) => html`<option value=${id} ?selected=${id === form.wire}>${label}</option>`)}
          </select></label
        >
        ${this.field('base', 'Address', 'Only the address named here is called.', address)} ${this.field('model', 'Model', 'As the service calls it.', 'gpt-image-1')}
        <label class="row"
          ><span>Key</span>
          <input class="field" type="password" data-testid="generate-key" autocomplete="off" .value=${form.key} @input=${(event: Event) => this.put({ key: valueOf(event) })} />
          <small>Stays in this tab’s memory; never stored, exported or put into an address.</small></label
        >
      </fieldset>
      ${parts.render(
        'which',
        'Name and samples',
        whichInWords(),
        html`${this.field('name', 'Name', 'What the model is called here. A variant is added to it: NAME@factor=level.', form.model || 'the service’s name')} ${this.renderLevels(factors)}
          ${this.field('filter', 'Samples', 'A filter of the sample list.', 'all')} ${this.number('limit', 'No more requests than (0: all)', 0)}
          ${form.texts || other > 0 ? this.check('texts', 'Ask for the texts instead', 'Turns whose answer is a text, as chat calls of the same service, once the pictures are there.') : nothing}
          ${isOwn ? this.check('goesOn', 'Go on with the data set’s picture', 'Where a picture fails that later turns are shown. What is made so is marked as leaked.') : nothing}
          ${this.check('again', 'Ask again', 'For what the service declined, and for pictures that were made otherwise: those are replaced.')}`,
      )}
      ${parts.render(
        'parameters',
        'Parameters',
        inWords(form.extra.trim(), form.wire === 'openai' && form.hosts !== '' && `pictures from ${form.hosts}`) || 'as the service has them',
        html`<label class="row"
            ><span>${EXTRA}</span>
            <textarea class="field" rows="2" spellcheck="false" data-testid="generate-extra" placeholder='{"size": "1024x1024", "quality": "high"}' .value=${form.extra} @input=${(event: Event) => this.put({ extra: (event.target as HTMLTextAreaElement).value })}></textarea>
            <small>JSON, merged into the request.</small></label
          >
          ${form.texts ? this.number('maxTokens', 'Most tokens of a text', 1) : nothing}
          ${form.wire === 'openai' && !form.texts ? this.field('hosts', 'Picture hosts', 'Where a service answers with addresses of pictures instead of pictures: hosts that may be fetched from, without the key. The service’s own host always may.', 'files.example.com') : nothing}`,
      )}
      ${parts.render(
        'pace',
        'Pace and cost',
        paceInWords(),
        html`<div class="pair">${this.number('concurrency', 'Parallel requests', 1)} ${this.number('perMinute', 'Per minute (0: no limit)', 0)}</div>
          ${
            form.texts
              ? html`<div class="pair">${this.field('inputPrice', 'Per million input tokens', '', 'not known', true)} ${this.field('outputPrice', 'Per million output tokens', '', 'not known', true)}</div>
                <div class="pair">${this.number('timeout', 'Seconds for a call', 1)}</div>`
              : html`<div class="pair">${this.field('picturePrice', 'Price of a picture', '', 'not known', true)} ${this.number('timeout', 'Seconds for a call', 1)}</div>`
          }
          ${this.field('budget', 'Spend at most', 'Needs the price. No call is made that could exceed it.', 'no cap', true)}`,
      )}
    </form>`;
  }

  private field(key: TextKey, label: string, hint = '', placeholder = '', numeric = false): TemplateResult {
    return html`<label class="row"
      ><span>${label}</span>
      <input class="field" data-testid="generate-${key}" inputmode=${numeric ? 'decimal' : nothing} autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${placeholder} .value=${form[key]} @input=${(event: Event) => this.put({ [key]: valueOf(event) })} />
      ${hint === '' ? nothing : html`<small>${hint}</small>`}</label
    >`;
  }

  private number(key: NumberKey, label: string, min: number): TemplateResult {
    const put = (event: Event): void => this.put({ [key]: Math.max(min, Math.floor(Number(valueOf(event))) || min) });
    return html`<label class="row"><span>${label}</span><input class="field narrow" data-testid="generate-${key}" type="number" min=${min} .value=${String(form[key])} @input=${put} /></label>`;
  }

  private check(key: 'goesOn' | 'again' | 'texts', label: string, hint: string): TemplateResult {
    return html`<label class="row"
      ><span><input type="checkbox" data-testid="generate-${key}" .checked=${form[key]} @change=${(event: Event) => this.put({ [key]: (event.target as HTMLInputElement).checked })} /> ${label}</span>
      <small>${hint}</small></label
    >`;
  }

  /** The levels that change something: the first one of each factor is the request as it is. */
  private renderLevels(factors: readonly Factor[]): TemplateResult | typeof nothing {
    if (factors.length === 0) return nothing;
    const levels = factors.flatMap(({ id, levels }) => levels.slice(1).map(([level]) => ({ factor: id, level })));
    const isChosen = (factor: string, level: string): boolean => form.level?.factor === factor && form.level.level === level;
    return html`<label class="row"
      ><span>Variant</span>
      <select class="field" data-testid="generate-level" @change=${(event: Event) => this.put({ level: levels[(event.target as HTMLSelectElement).selectedIndex - 1] ?? null })}>
        <option ?selected=${form.level === null}>None: the requests as they are</option>
        ${factors.map(({ id, label, levels }) => html`<optgroup label=${label}>${levels.slice(1).map(([level, about]) => html`<option ?selected=${isChosen(id, level)}>${`${id}=${level}: ${about}`}</option>`)}</optgroup>`)}
      </select></label
    >`;
  }

  private renderPlan(): TemplateResult {
    const isNamed = form.model !== '';
    const plan = isNamed ? this.#plan.value : null;
    const problem = this.#plan.error?.message ?? (this.error !== '' ? this.error : (plan?.problem ?? ''));
    const running = this.isRunning();
    return html`<section class="panel plan" aria-label="What will be asked for">
      <h2>What will be asked for</h2>
      ${plan === null ? html`<p class="muted">${isNamed ? 'Counting…' : 'Write the model’s name first.'}</p>` : plan.problem === null ? renderCounts(plan) : nothing}
      ${problem === '' ? nothing : html`<p class="problem" role="alert" data-testid="generate-problem">${icon('error', 16)} ${problem}</p>`}
      ${this.elsewhere === '' || problem === '' || running ? nothing : html`<button type="button" class="button" data-testid="generate-look-on" @click=${() => this.lookOn()}>Watch from here</button>`}
      <div class="toolbar send">
        <button type="button" class="button primary" data-testid="generate-start" ?disabled=${running || plan === null || plan.requests === 0 || plan.problem !== null || this.#plan.settled === null} @click=${() => void this.start()}>
          Make ${plural(plan?.requests ?? 0, form.texts ? 'text' : 'picture')}
        </button>
      </div>
    </section>`;
  }

  private renderJob(): TemplateResult | typeof nothing {
    const { generate, keeping } = this.#store.state;
    if (generate === null) return nothing;
    return renderJob(generate, {
      ...(keeping === null ? {} : { facts: html`<div><dt>Pictures are kept</dt><dd data-testid="generate-keeping">${KEEPING[keeping]}</dd></div>` }),
      testId: 'generate-job',
      prefix: 'generate',
      doing: 'Making outputs',
      answered: 'Made',
      ended: 'Requests ended',
      calls: (number) => plural(number, 'request'),
      place: ({ sample, turn }) =>
        html`<a href=${store.href({ view: 'sample', id: sample, turn, models: null, filter: NO_FILTER })} dir="auto">${sample}</a>, turn ${turn + 1}`,
      control: (what) => void store.client.controlGenerate(what),
    });
  }

  /** The models that are kept here. */
  private renderMade(): TemplateResult | typeof nothing {
    const models = this.#models.value ?? [];
    if (models.length === 0) return nothing;
    return html`<section class="panel made" aria-label="Models made here">
      <div class="toolbar">
        <h2>Made here</h2>
        <span class="spacer"></span>
        <button type="button" class="button quiet" data-testid="generate-forget" @click=${() => void this.forget()}>Forget those kept here</button>
      </div>
      <div class="table" tabindex="0" role="region" aria-label="Pictures of each model">
        <table data-testid="generate-models">
          <thead><tr><th scope="col">Model</th><th scope="col">Outputs</th><th scope="col">Leaked</th><th scope="col">Texts cut off</th><th scope="col">Given up</th><th scope="col">Made by</th><td></td></tr></thead>
          <tbody>
            ${models.map(
              ({ model, service, made, leaked, cut, given_up: givenUp }) =>
                html`<tr>
                  <th scope="row"><a href=${store.href({ view: 'samples', filter: NO_FILTER })} dir="auto">${model}</a></th>
                  <td class="num">${count(made)}</td><td class="num">${count(leaked)}</td><td class="num">${count(cut)}</td><td class="num">${count(givenUp)}</td><td dir="auto">${service}</td>
                  <td><button type="button" class="button tiny" data-testid="generate-export" @click=${() => void this.export(model)}>${icon('download', 16)}Folder as ZIP</button></td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p class="small muted">The ZIP holds the model’s folder as the benchmark’s authors lay it out, and next to it the journal of calls, with which <code>juror generate</code> goes on.</p>
    </section>`;
  }

  private isRunning(): boolean {
    const { generate } = this.#store.state;
    return generate !== null && !generate.progress.finished;
  }

  private put(part: Partial<Form>): void {
    Object.assign(form, part);
    this.error = '';
    this.requestUpdate();
  }

  private async start(): Promise<void> {
    try {
      const isSure = await store.client.startGenerate(settingsOf());
      this.error = '';
      if (!isSure) store.notify('warn', UNSURE);
    } catch (error) {
      this.error = messageOf(error);
      if (error instanceof FieldError) parts.open('parameters', 'pace');
      this.elsewhere = codeOf(error) === 'elsewhere' ? (this.#plan.value?.model ?? '') : '';
    }
  }

  private lookOn(): void {
    const model = this.elsewhere;
    this.elsewhere = '';
    this.error = '';
    void store.client.lookOn('generate', model);
  }

  private async export(model: string): Promise<void> {
    try {
      download(await store.client.exportGenerated(model), 'zip', 'outputs', model);
    } catch (error) {
      store.notify('error', `The folder could not be packed: ${messageOf(error)}`);
    }
  }

  private async forget(): Promise<void> {
    if (
      !confirm(
        'Delete all generated pictures that this browser keeps for this benchmark? Save their folders first if you may need them. They stay on the page until it is closed.',
      )
    )
      return;
    try {
      await store.client.forgetGenerated();
      store.notify('info', 'All generated pictures of this benchmark were deleted from this browser.');
    } catch (error) {
      store.notify('error', messageOf(error));
    }
  }
}

const valueOf = (event: Event): string => (event.target as HTMLInputElement).value.trim();

function whichInWords(): string {
  return inWords(
    form.name !== '' && `named ${form.name}`,
    form.level !== null && `${form.level.factor}=${form.level.level}`,
    form.filter === '' ? 'all samples' : form.filter,
    form.limit > 0 && `at most ${plural(form.limit, 'request')}`,
    form.goesOn && 'goes on after a failure',
    form.again && 'asks again',
    form.texts && 'texts only',
  );
}

function paceInWords(): string {
  return inWords(
    `${count(form.concurrency)} at a time`,
    form.perMinute > 0 && `${count(form.perMinute)} a minute`,
    form.texts
      ? [form.inputPrice, form.outputPrice].every((price) => price === '') && 'no prices'
      : form.picturePrice === ''
        ? 'no price'
        : `${form.picturePrice} a picture`,
    form.budget === '' ? 'no cap' : `at most ${form.budget}`,
  );
}

/** What is asked for; `null` while the service's model has no name or its parameters cannot be read. */
function scopeOf(): GenerateScope | null {
  if (form.model === '') return null;
  let extra: Params['extra'];
  try {
    extra = extraOf(form.extra, EXTRA);
  } catch {
    return null;
  }
  return {
    name: form.name === '' ? folderName(form.model) : form.name,
    wire: form.wire,
    params: { model: form.model, temperature: null, max_tokens: form.texts ? form.maxTokens : null, extra },
    texts: form.texts,
    level: form.level,
    filter: form.filter,
    goes_on: form.goesOn,
    again: form.again,
    limit: form.limit,
  };
}

/** The form as settings; what cannot be read is said by its name. */
function settingsOf(): GenerateSettings {
  extraOf(form.extra, EXTRA);
  const scope = scopeOf();
  if (scope === null) throw new FieldError('Write the model’s name first.');
  return {
    scope,
    base: form.base,
    key: form.key,
    hosts: hostsOf(form.hosts),
    limits: {
      concurrency: form.concurrency,
      per_minute: form.perMinute,
      max_attempts: 6,
      timeout_secs: form.timeout,
      stop_after: 12,
      input_price: form.texts ? numberOf(form.inputPrice, 'Price per million input tokens') : null,
      output_price: form.texts ? numberOf(form.outputPrice, 'Price per million output tokens') : null,
      picture_price: numberOf(form.picturePrice, 'Price of a picture'),
      picture_tokens: PICTURE_TOKENS,
      reply_tokens: REPLY_TOKENS,
      max_reply_tokens: null,
      budget: numberOf(form.budget, 'Spend at most'),
    },
  };
}

function renderCounts(plan: GeneratePlan): TemplateResult {
  const { model, requests, dialogues, given, made, other, beyond, is_own: isOwn, lacking, changed } = plan;
  const price = form.picturePrice === '' ? NaN : Number(form.picturePrice);
  const rest = [
    other > 0 ? `${plural(other, 'turn')} for a ${form.texts ? 'picture' : 'text'}` : '',
    beyond > 0 ? `${count(beyond)} beyond the limit` : '',
  ].filter(Boolean);
  return html`<dl class="facts">
      <div><dt>Model</dt><dd dir="auto" data-testid="generate-as">${model}</dd></div>
      <div><dt>${form.texts ? 'Texts' : 'Pictures'} to make</dt><dd class="num" data-testid="generate-requests">${count(requests)}${isOwn && dialogues > 0 ? `, in ${plural(dialogues, 'dialogue')}, turn by turn` : ''}</dd></div>
      <div><dt>Pictures shown to the generator${isOwn ? ', at least' : ''}</dt><dd class="num">${count(given)}</dd></div>
      <div><dt>Made already</dt><dd class="num" data-testid="generate-made">${count(made)}</dd></div>
      ${form.texts ? nothing : html`<div><dt>Cost, about</dt><dd class="num">${Number.isFinite(price) ? (requests * price).toFixed(2) : 'enter the price'}</dd></div>`}
      ${rest.length === 0 ? nothing : html`<div><dt>Not among them</dt><dd>${rest.join(', ')}</dd></div>`}
    </dl>
    ${renderGaps('generate-lacking', 'Cannot be asked for', lacking)} ${renderGaps('generate-changed', 'There, but made otherwise: tick “Ask again” to replace them, or write another name', changed)}`;
}

function renderGaps(testId: string, title: string, gaps: readonly InputGap[]): TemplateResult | typeof nothing {
  if (gaps.length === 0) return nothing;
  return html`<div class="problem" data-testid=${testId}><b>${title}</b><ul>${gaps.map(({ reason, count: times, first }) => html`<li dir="auto">${count(times)} × ${reason} (the first: ${first})</li>`)}</ul></div>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-generate': JurorGenerate;
  }
}
