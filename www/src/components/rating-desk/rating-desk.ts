import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { count } from '../../state/format';
import { isTyping, keyOf } from '../../state/keys';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import { messageOf } from '../../engine/errors';
import type { Atom } from '../../engine/types/Atom';
import type { RateItem } from '../../engine/types/RateItem';
import type { RatePicture } from '../../engine/types/RatePicture';
import type { RatePlan } from '../../engine/types/RatePlan';
import type { RateScope } from '../../engine/types/RateScope';
import type { RateTask } from '../../engine/types/RateTask';
import type { Span } from '../../engine/types/Span';
import type { Step } from '../../engine/types/Step';
import { base, controls, dialogs, meter } from '../../styles/base.styles';
import { say } from '../events';
import '../blind-picture/blind-picture';
import { blindUrl, forgetBlindUrls } from '../blind-picture/blind-picture';
import '../failure-labels/failure-labels';
import type { JurorFailureLabels } from '../failure-labels/failure-labels';
import { icon } from '../icon/icon';
import { renderMeter } from '../meter/meter';
import { styles } from './rating-desk.styles';

/** How a score stands: chosen and on its way to disk, on disk, or refused. */
type Kept = 'saving' | 'kept' | 'failed';

/** What undoing a score needs. */
interface Undo {
  at: number;
  criterion: string;
  before: number | undefined;
}

/**
 * @summary One output after another, to be rated by keys alone; each score is on disk before it is shown as kept.
 * @event leave - The rater wants to stop.
 */
@customElement('juror-rating-desk')
export class JurorRatingDesk extends LitElement {
  static override styles = [base, controls, dialogs, meter, styles];

  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'engine' | 'version' | 'overview'>;
  @property() benchmark = '';
  @property({ attribute: false }) scope!: RateScope;
  @property({ attribute: false }) plan!: RatePlan;
  /** Positions in the plan, in the order of this sitting: what was skipped comes again at the end. */
  @state() private order: number[] = [];
  /** Position in `order`; its length where all is done. */
  @state() private at = 0;
  /** Position among the criteria; their number where all of the output have a score and nothing is asked. */
  @state() private criterion = 0;
  /** The criterion that was typed a score for which its scale lacks, and what was said of it. */
  @state() private refused: { criterion: string; words: string } | null = null;
  @state() private item: RateItem | null = null;
  @state() private error = '';
  @state() private said = '';
  /** What was said last of a place and its score. */
  #told = '';
  @state() private large: { picture: RatePicture; name: string } | null = null;
  @query('dialog') private dialog!: HTMLDialogElement | null;
  @query('juror-failure-labels') private labels!: JurorFailureLabels | null;
  @query('textarea') private note!: HTMLTextAreaElement | null;
  /** How the scores of this sitting stand, by position in the plan and criterion. */
  readonly #kept = new Map<string, Kept>();
  readonly #steps: Undo[] = [];
  readonly #items = new Map<number, Promise<RateItem>>();
  /** Writes one after the other, so that of two scores for one place the later is the later on disk. */
  #writing: Promise<void> = Promise.resolve();
  #shown = -1;
  /** The digits of a score that may have more of them. */
  #typed = '';
  /** Whether a score that was typed has moved the desk on: Enter then confirms it and moves no further. */
  #moved = false;

  override connectedCallback(): void {
    super.connectedCallback();
    this.tabIndex = -1;
    addEventListener('keydown', this.#onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('keydown', this.#onKey);
    forgetBlindUrls();
    // What was rated may be compared now, whichever way the rater leaves.
    void this.#writing.then(() => say(this, 'rated', null));
  }

  protected override willUpdate(): void {
    if (this.order.length === 0) {
      // What was rated before lies behind, where Back leads to.
      const all = this.plan.tasks.map((_, at) => at);
      const done = all.filter((at) => isDone(this.task(at)));
      this.order = [...done, ...all.filter((at) => !isDone(this.task(at)))];
      this.go(done.length, 'open');
    }
    const now = this.order[this.at] ?? -1;
    if (now !== this.#shown) {
      this.#shown = now;
      void this.load(now);
    }
  }

  /** Of many questions the one that is asked is in sight. */
  protected override updated(changed: PropertyValues): void {
    if (changed.has('criterion') || changed.has('item')) this.renderRoot.querySelector('.criterion.here')?.scrollIntoView({ block: 'nearest' });
  }

  override render(): TemplateResult {
    const total = this.plan.tasks.length;
    const done = this.plan.tasks.filter(isDone).length;
    return html`<div class="head">
        <h1>Rate <span class="muted">as ${this.scope.rater}</span></h1>
        <span class="spacer"></span>
        <span class="num" data-testid="rate-progress">${count(done)} of ${count(total)} rated</span>
        <button type="button" class="button" data-testid="rate-leave" @click=${() => this.dispatchEvent(new Event('leave'))}>Stop here</button>
      </div>
      ${renderMeter('Outputs rated', done, total)}
      ${this.error === '' ? nothing : html`<p class="problem" role="alert">${icon('error', 16)} ${this.error}</p>`}
      ${this.at >= this.order.length ? this.renderEnd(total - done) : this.renderItem()}
      <p class="visually-hidden" role="status" aria-live="polite">${this.said}</p>
      ${this.renderLarge()}`;
  }

  private renderEnd(left: number): TemplateResult {
    return html`<section class="panel end" data-testid="rate-end">
      <h2>${left === 0 ? 'All rated. Thank you.' : `The end of the list; ${count(left)} are not fully rated yet.`}</h2>
      <p>Stop here to download your ratings as a CSV, or go back with <kbd>←</kbd> to look at the last ones again.</p>
    </section>`;
  }

  private renderItem(): TemplateResult {
    const { item } = this;
    return html`<div class="desk">
      <section class="show" aria-label="What is rated">
        ${item === null ? html`<p class="muted waiting">One moment…</p>` : this.renderShown(item)}
      </section>
      <section class="panel scores" aria-label="Scores">
        <h2>Output ${count(this.at + 1)} of ${count(this.order.length)}</h2>
        ${this.renderKeys()}
        ${this.now().criteria.map((id, index) => this.renderCriterion(id, index))}
        <juror-failure-labels .client=${this.client} .state=${this.state} .sample=${this.now().key.sample} .only=${this.now().key} .rater=${this.scope.rater}></juror-failure-labels>
        <label class="note"
          ><span>Note <kbd>n</kbd></span>
          <textarea class="field" rows="2" dir="auto" data-testid="rate-note" .value=${this.now().note} @change=${(event: Event) => this.noted((event.target as HTMLTextAreaElement).value)}></textarea>
        </label>
        <div class="toolbar">
          <button type="button" class="button" @click=${() => this.back()}><kbd>←</kbd> Back</button>
          <button type="button" class="button primary" data-testid="rate-next" @click=${() => this.next()}>Next <kbd>↵</kbd></button>
          <button type="button" class="button" @click=${() => this.skip()}>Skip <kbd>s</kbd></button>
          <button type="button" class="button" ?disabled=${this.#steps.length === 0} @click=${() => this.undo()}>Undo <kbd>u</kbd></button>
        </div>
        ${item === null ? nothing : this.renderRubrics(item)}
      </section>
    </div>`;
  }

  /** What may be typed, and where the rater is once nothing is asked any more. */
  private renderKeys(): TemplateResult {
    const { criteria } = this.now();
    if (this.criterion >= criteria.length)
      return html`<p class="keys" data-testid="rate-full"><strong>Every score is given.</strong> <kbd>↵</kbd> goes on to the next output, <kbd>←</kbd> back to change one.</p>`;
    const asked = this.asked(criteria[this.criterion]);
    const ten = asked?.steps[keysOf(asked).indexOf('10')];
    return html`<p class="keys small muted">Type a score; the desk moves on.${ten === undefined ? nothing : html` <kbd>1</kbd> <kbd>0</kbd> or <kbd>x</kbd> is ${labelOf(ten)}.`}</p>`;
  }

  private renderShown(item: RateItem): TemplateResult {
    return html`${
      item.context.length === 0
        ? nothing
        : html`<details class="panel text">
            <summary>${count(item.context.length)} earlier ${item.context.length === 1 ? 'message' : 'messages'}</summary>
            <ol>
              ${item.context.map((spans) => html`<li>${renderSpans(spans)}</li>`)}
            </ol>
          </details>`
    }
      <div class="panel text">
        <h2>Instruction</h2>
        <p class="instruction" dir="auto">${renderSpans(item.instruction)}</p>
        ${item.details.map(([label, text]) => html`<h3 dir="auto">${label}</h3><p class="instruction" dir="auto">${text}</p>`)}
      </div>
      ${item.pictures.length === 0 ? nothing : html`<ul class="pictures" aria-label="References">${item.pictures.map((picture) => html`<li>${this.renderPicture(picture)}</li>`)}</ul>`}
      ${item.standard_answer === null ? nothing : html`<div class="panel text"><h2>Standard answer</h2><p class="instruction" dir="auto">${item.standard_answer}</p></div>`}
      ${item.output === null ? nothing : html`<div class="output">${this.renderPicture(item.output)}</div>`}
      ${item.output !== null ? nothing : html`<div class="panel text answer"><h2>Output</h2><p class="instruction" dir="auto">${item.text ?? 'The text cannot be read.'}</p></div>`}`;
  }

  private renderPicture(picture: RatePicture): TemplateResult {
    const name = nameOf(picture);
    return html`<figure class=${picture.kind}>
      <button type="button" class="picture" aria-label="Enlarge: ${name}" @click=${() => void this.enlarge(picture, name)}>
        <juror-blind-picture .client=${this.client} .treatment=${picture.treatment} .file=${picture.file} .other=${picture.other} alt=${name}></juror-blind-picture>
      </button>
      <figcaption>${name}</figcaption>
    </figure>`;
  }

  private renderCriterion(id: string, index: number): TemplateResult {
    const info = this.asked(id);
    if (info === undefined) return html``;
    const here = index === this.criterion;
    const score = this.now().scores[id];
    const kept = this.#kept.get(this.placeOf(id)) ?? (score === undefined ? undefined : 'kept');
    return html`<div class="criterion ${here ? 'here' : ''}" role="group" aria-label=${info.label} aria-current=${here ? 'true' : nothing} data-testid="rate-criterion" data-criterion=${id} data-kept=${kept ?? nothing}>
      <div class="name">
        <strong>${info.label}${info.is_hard ? html` <span class="hard" title="To fail it limits the score">hard</span>` : nothing}</strong>
        <span class="state">${kept === 'kept' ? html`${icon('check', 16)} kept` : kept === 'saving' ? 'writing…' : kept === 'failed' ? html`<b>not kept</b>` : nothing}</span>
      </div>
      <p class="small ${this.scope.items === 'atoms' ? '' : 'muted'}" dir="auto">${info.question}</p>
      ${this.refused?.criterion === id ? html`<p class="refused small" data-testid="rate-refused">${icon('warn', 16)} ${this.refused.words}</p>` : nothing}
      <div class="steps">
        ${info.steps.map(
          (step, at) =>
            html`<button type="button" class="step" aria-pressed=${score === step.value ? 'true' : 'false'} aria-label="${info.label}: ${labelOf(step)}" title="Key ${keysOf(info)[at]}" @click=${() => this.pick(index, step.value)}>${labelOf(step)}</button>`,
        )}
      </div>
    </div>`;
  }

  private renderRubrics(item: RateItem): TemplateResult | typeof nothing {
    const chosen = this.now().criteria;
    const rubrics = item.rubrics.filter(({ criteria }) => criteria.some((id) => chosen.includes(id)));
    if (rubrics.length === 0) return nothing;
    return html`<details class="rubrics" ?open=${matchMedia('(min-width: 1400px)').matches}>
      <summary>What the judge is told</summary>
      ${rubrics.map(({ label, text }) => html`<h3 dir="auto">${label}</h3><pre dir="auto" tabindex="0" role="group" aria-label=${label}>${text}</pre>`)}
    </details>`;
  }

  private renderLarge(): TemplateResult | typeof nothing {
    if (this.large === null) return nothing;
    const { picture, name } = this.large;
    return html`<dialog aria-label=${name} @close=${() => (this.large = null)} @click=${() => this.dialog?.close()}>
      <div class="dialog-head"><h2>${name}</h2><button type="button" class="button quiet icon" aria-label="Close">${icon('close')}</button></div>
      <juror-blind-picture .client=${this.client} class="large" .treatment=${picture.treatment} .file=${picture.file} .other=${picture.other} alt=${name}></juror-blind-picture>
    </dialog>`;
  }

  private async enlarge(picture: RatePicture, name: string): Promise<void> {
    this.large = { picture, name };
    await this.updateComplete;
    this.dialog?.showModal();
  }

  /** What a place asks: a criterion, or one of the questions behind them. */
  private asked(id: string | undefined): Atom | undefined {
    if (this.scope.items === 'atoms') return this.item?.atoms.find((one) => one.id === id);
    const info = this.plan.criteria.find((one) => one.id === id);
    if (info === undefined) return undefined;
    const { label, meaning, steps } = info;
    return { id: info.id, request: '', label, question: meaning, steps: steps.map((value) => ({ value, name: '' })), is_hard: false };
  }

  private task(at: number): RateTask {
    return this.plan.tasks[at] ?? { key: { sample: '', turn: 0, model: '' }, criteria: [], scores: {}, note: '' };
  }

  private now(): RateTask {
    return this.task(this.order[this.at] ?? -1);
  }

  private placeOf(criterion: string): string {
    return `${this.order[this.at] ?? -1} ${criterion}`;
  }

  private async load(now: number): Promise<void> {
    this.item = null;
    if (now === -1) return;
    try {
      const item = await this.itemOf(now);
      if (this.#shown !== now) return;
      this.item = item;
      const next = this.order[this.at + 1];
      if (next !== undefined)
        void this.itemOf(next).then(
          (item) => preload(this.client, item),
          () => undefined,
        );
    } catch (error) {
      if (this.#shown === now) this.error = messageOf(error);
    }
  }

  private itemOf(at: number): Promise<RateItem> {
    const known = this.#items.get(at);
    if (known !== undefined) return known;
    const item = this.client.rateItem(this.task(at).key);
    this.#items.set(at, item);
    item.catch(() => this.#items.delete(at));
    if (this.#items.size > 8) this.#items.delete(this.#items.keys().next().value ?? -1);
    return item;
  }

  /** Goes to an output, to its first criterion, to the first that has no score, or to the last. */
  private go(at: number, to: 'first' | 'open' | 'last'): void {
    this.refused = null;
    this.at = Math.max(0, Math.min(at, this.order.length));
    const { criteria, scores } = this.now();
    const open = criteria.findIndex((id) => !(id in scores));
    this.criterion = to === 'last' ? Math.max(0, criteria.length - 1) : to === 'open' ? Math.max(0, open) : 0;
  }

  /** Enter: on, unless the score that was just typed has moved the desk on already. */
  private confirm(): void {
    if (this.#moved && this.criterion < this.now().criteria.length) this.tell();
    else this.next();
  }

  /** To the next criterion; behind the last one to the first without a score, and where all have one to none. */
  private moveOn(): void {
    const { criteria, scores } = this.now();
    const open = criteria.findIndex((id) => !(id in scores));
    if (this.criterion + 1 < criteria.length) this.criterion += 1;
    else this.criterion = open === -1 ? criteria.length : open;
    this.#moved = true;
    this.tell();
  }

  private next(): void {
    if (this.criterion + 1 < this.now().criteria.length) this.criterion += 1;
    else if (this.at < this.order.length) this.go(this.at + 1, 'first');
    this.tell();
  }

  private back(): void {
    if (this.criterion > 0 && this.at < this.order.length) this.criterion -= 1;
    else if (this.at > 0) this.go(this.at - 1, 'last');
    this.tell();
  }

  /** Puts the output at the end of this sitting. */
  private skip(): void {
    const now = this.order[this.at];
    if (now === undefined) return;
    const isLast = this.at === this.order.length - 1;
    if (isLast) this.go(this.at + 1, 'first');
    else {
      this.order = [...this.order.slice(0, this.at), ...this.order.slice(this.at + 1), now];
      this.go(this.at, 'first');
    }
    this.said = 'Skipped; it comes again at the end.';
  }

  private pick(index: number, score: number): void {
    this.criterion = index;
    this.refused = null;
    const id = this.now().criteria[index];
    const at = this.order[this.at];
    if (id === undefined || at === undefined) return;
    const before = this.now().scores[id];
    // What could not be written can be tried again.
    if (before === score && this.#kept.get(this.placeOf(id)) !== 'failed') return;
    this.#steps.push({ at, criterion: id, before });
    this.set(at, id, score);
  }

  private undo(): void {
    const step = this.#steps.pop();
    if (step === undefined) return;
    const place = this.order.indexOf(step.at);
    if (place !== -1) this.go(place, 'first');
    this.criterion = Math.max(0, this.now().criteria.indexOf(step.criterion));
    this.set(step.at, step.criterion, step.before);
    this.said = 'Undone.';
  }

  /** Chooses a score, or takes it back, and writes it. */
  private set(at: number, id: string, score: number | undefined): void {
    const task = this.task(at);
    const others = Object.entries(task.scores).filter(([known]) => known !== id);
    task.scores = Object.fromEntries(score === undefined ? others : [...others, [id, score]]);
    this.write(at, [id]);
  }

  private noted(note: string): void {
    const at = this.order[this.at];
    if (at === undefined) return;
    const task = this.task(at);
    task.note = note.trim();
    // A note stands with its output's scores; without one it waits for the first.
    this.write(
      at,
      task.criteria.filter((id) => id in task.scores),
    );
  }

  private write(at: number, criteria: string[]): void {
    if (criteria.length === 0) return;
    const task = this.task(at);
    const { key, scores, note } = task;
    const time = new Date().toISOString();
    const ratings = criteria.map((criterion) => ({
      ...key,
      criterion,
      rater: this.scope.rater,
      score: scores[criterion] ?? null,
      time,
      note,
      seed: this.scope.seed,
    }));
    const mark = (kept: Kept): void => {
      // A later choice of the same place has its own mark.
      for (const { criterion, score } of ratings) if ((task.scores[criterion] ?? null) === score) this.#kept.set(`${at} ${criterion}`, kept);
      this.requestUpdate();
    };
    mark('saving');
    this.tell();
    this.#writing = this.#writing.then(async () => {
      try {
        await this.client.keepRatings(this.benchmark, ratings);
        for (const { criterion, score } of ratings) if (score === null) this.#kept.delete(`${at} ${criterion}`);
        if (ratings.some(({ score }) => score !== null)) mark('kept');
        this.error = '';
      } catch (error) {
        mark('failed');
        this.error = messageOf(error);
      }
      // What was said since of something else stays: that an output was skipped, that a score was taken back.
      if (this.said === this.#told) this.tell();
    });
  }

  /** Says where the rater is, for those who do not see it. */
  private tell(): void {
    const id = this.now().criteria[this.criterion];
    const info = this.asked(id);
    if (info === undefined || id === undefined) {
      const isFull = this.at < this.order.length;
      this.said = this.#told = isFull ? `Output ${this.at + 1}: every score is given. Enter goes on.` : 'The end of the list.';
      return;
    }
    const score = this.now().scores[id];
    const kept = this.#kept.get(this.placeOf(id)) ?? 'kept';
    const step = info.steps.find(({ value }) => value === score);
    this.said = `Output ${this.at + 1}. ${info.label}: ${step === undefined ? 'no score yet' : `${labelOf(step)}, ${kept === 'kept' ? 'kept' : kept === 'saving' ? 'being written' : 'not kept'}`}.`;
    this.#told = this.said;
    this.requestUpdate();
  }

  /** A digit gives a score and moves on, unless more digits make another one; `before` are those that were typed for it. */
  private digit(digit: string, before = this.#typed): void {
    this.#typed = '';
    const id = this.now().criteria[this.criterion];
    const info = this.asked(id);
    if (info === undefined || id === undefined) {
      if (this.at < this.order.length) this.tell();
      return;
    }
    const keys = keysOf(info);
    const typed = before + digit;
    const at = keys.indexOf(typed);
    const mayGoOn = keys.some((key) => key.length > typed.length && key.startsWith(typed));
    const step = info.steps[at];
    if (step === undefined && !mayGoOn) {
      // Where the digits before were a score of their own, this one is of the next.
      if (keys.includes(before)) {
        this.moveOn();
        this.digit(digit, '');
      } else this.refuse(id, info, typed);
      return;
    }
    this.refused = null;
    if (step !== undefined) this.pick(this.criterion, step.value);
    if (!mayGoOn) {
      this.moveOn();
      return;
    }
    this.#typed = typed;
    this.#moved = false;
  }

  /** Ten by one key. */
  private ten(): void {
    const id = this.now().criteria[this.criterion];
    if (keysOf(this.asked(id)).includes('10')) this.digit('10', '');
  }

  /** Says that a scale lacks what was typed. */
  private refuse(criterion: string, info: Atom, typed: string): void {
    const keys = keysOf(info);
    const steps = info.steps.map((step, at) => (step.name === '' && keys[at] === labelOf(step) ? labelOf(step) : `${keys[at]} for ${labelOf(step)}`));
    const words = `${typed} is not on this scale: ${steps.join(', ')}.`;
    this.refused = { criterion, words };
    this.said = words;
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event)) {
      if (event.key === 'Escape' && event.composedPath().includes(this.note as EventTarget)) this.focus();
      return;
    }
    const target = event.composedPath()[0];
    // Enter goes on, wherever in the list of scores a click has left the focus; links and other buttons keep it.
    const isControl = target instanceof HTMLElement && target.matches('a, button, summary, input, select');
    const isStep = target instanceof HTMLElement && target.matches('.step');
    if (event.key === 'Enter' && isControl && !isStep) return;
    const action = this.actionOf(keyOf(event));
    if (action === undefined) return;
    event.preventDefault();
    const isEnter = event.key === 'Enter';
    if (!/^\d$/.test(event.key)) {
      this.#typed = '';
      this.refused = null;
      this.#moved &&= isEnter;
    }
    action();
    // A second Enter goes on by itself.
    if (isEnter) this.#moved = false;
  };

  private actionOf(key: string): (() => void) | undefined {
    if (/^\d$/.test(key)) return () => this.digit(key);
    switch (key) {
      case 'Enter':
        return () => this.confirm();
      case 'ArrowRight':
        return () => this.next();
      case 'x':
        return () => this.ten();
      case 'ArrowLeft':
        return () => this.back();
      case 'u':
        return () => this.undo();
      case 's':
        return () => this.skip();
      case 'n':
        return () => this.note?.focus();
      default:
        return this.at < this.order.length && key.length === 1 && this.labels?.knows(key) === true ? () => this.labels?.press(key) : undefined;
    }
  }
}

/** Whether every score of an output is given. */
export const isDone = ({ criteria, scores }: RateTask): boolean => criteria.every((id) => id in scores);

/** The answer by its name, else `0.3` without the noise of binary fractions. */
const labelOf = ({ name, value }: Step): string => (name === '' ? String(Number(value.toFixed(6))) : name);

/** What is typed for each step: the score itself where all are whole, else its number from 0. */
function keysOf(asked: Atom | undefined): string[] {
  const steps = asked?.steps ?? [];
  const isWhole = steps.every(({ value }) => Number.isInteger(value) && value >= 0 && value < 100);
  return steps.map(({ value }, at) => String(isWhole ? value : at));
}

function nameOf({ kind, label, number }: RatePicture): string {
  if (kind === 'output') return 'Output';
  if (kind === 'earlier') return number === null ? 'The same author’s earlier picture' : `The same author’s earlier picture ${number}`;
  const name = label === '' ? `Reference ${number ?? ''}`.trim() : label;
  return kind === 'golden' ? `${name} (golden answer)` : name;
}

function renderSpans(spans: Span[]): TemplateResult {
  return html`${spans.map(({ text, picture }) => (picture === null ? text : html`<mark>${text}</mark>`))}`;
}

function preload(client: EngineClient, { pictures, output }: RateItem): void {
  for (const { treatment, file, other } of output === null ? pictures : [output, ...pictures]) blindUrl(client, treatment, file, other).catch(() => undefined);
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-rating-desk': JurorRatingDesk;
  }
}
