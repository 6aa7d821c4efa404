import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { turnNumber } from '../../state/format';
import { mentions, type Mention } from '../../state/mentions';
import { vars } from '../../state/vars';
import type { CriterionInfo } from '../../engine/types/CriterionInfo';
import type { KeyPointView } from '../../engine/types/KeyPointView';
import type { OutputView } from '../../engine/types/OutputView';
import type { RequestInfo } from '../../engine/types/RequestInfo';
import type { SampleView } from '../../engine/types/SampleView';
import type { Span } from '../../engine/types/Span';
import type { TurnView } from '../../engine/types/TurnView';
import type { VerdictView } from '../../engine/types/VerdictView';
import { base, controls } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import { OpenRequest, RemoveReply } from '../output/output';
import '../output/output';
import '../picture/picture';
import { styles } from './turn.styles';

/** Asks for the judge request, now with sample and turn known. */
export class TakeOutReply extends Event {
  readonly turn: number;
  readonly model: string;
  readonly verdict: VerdictView;

  constructor(turn: number, { model, verdict }: RemoveReply) {
    super('juror-take-out-reply', { bubbles: true, composed: true });
    this.turn = turn;
    this.model = model;
    this.verdict = verdict;
  }
}

/** Asks for the judge request of one criterion of a model’s answer. */
export class AskRequest extends Event {
  readonly model: string;
  readonly criterion: string;
  readonly turn: number;

  constructor(turn: number, model: string, criterion: string) {
    super('juror-ask-request', { bubbles: true, composed: true });
    this.turn = turn;
    this.model = model;
    this.criterion = criterion;
  }
}

/** Asks to see a picture of the sample large, by its key. */
export class SeePicture extends Event {
  readonly key: string;

  constructor(key: string) {
    super('juror-see-picture', { bubbles: true, composed: true });
    this.key = key;
  }
}

/** Points at a picture of the data set wherever it is shown or spoken of; `null` ends it. */
export class PointPicture extends Event {
  readonly number: number | null;

  constructor(number: number | null) {
    super('juror-point-picture', { bubbles: true, composed: true });
    this.number = number;
  }
}

/** The key of a picture of the data set in an address. */
export const pictureKey = (number: number): string => `p${number}`;

/** The key of a model's output in an address. */
export const outputKey = (turn: number, model: string): string => `o${turn}.${model}`;

/** Asks for the generator input of a turn, or for its address. */
export class TurnAction extends Event {
  readonly turn: number;

  constructor(type: 'juror-ask-input' | 'juror-copy-link', turn: number) {
    super(type, { bubbles: true, composed: true });
    this.turn = turn;
  }
}

const CLASSES: Record<string, string> = { t2i: 'text to image', edit: 'edit', fusion: 'fusion', vqa: 'question' };

/**
 * @summary One user message, what it asks for, and every model's answer beside the data set's.
 * @fires juror-ask-request - The user wants to see a judge request.
 * @fires juror-ask-input - The user wants to see the generator input.
 * @fires juror-copy-link - The user wants the address of this turn.
 * @fires juror-see-picture - The user wants to see a picture large.
 * @fires juror-point-picture - The user points at a picture or at a mention of it.
 * @slot beside - What stands beside the instruction.
 */
@customElement('juror-turn')
export class JurorTurn extends LitElement {
  static override styles = [base, controls, styles];

  @property({ attribute: false }) sample!: SampleView;
  @property({ attribute: false }) turn!: TurnView;
  @property({ attribute: false }) criteria: CriterionInfo[] = [];
  @property({ attribute: false }) requests: RequestInfo[] = [];
  /** Models to show. */
  @property({ attribute: false }) models: string[] = [];
  /** Number of the picture that is pointed at somewhere. */
  @property({ attribute: false }) lit: number | null = null;
  /** Nothing can be asked or addressed here: no requests, no generator input, no links. */
  @property({ type: Boolean, reflect: true }) plain = false;

  readonly #phone = matchMedia('(max-width: 760px)');
  readonly #resized = (): void => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    this.#phone.addEventListener('change', this.#resized);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#phone.removeEventListener('change', this.#resized);
  }

  override render(): TemplateResult {
    const { turn } = this;
    const outputs = turn.outputs.filter(({ model }) => this.models.includes(model));
    const alone = this.sample.turns.length === 1;
    const has = { target: turn.kind === 'text' || turn.picture !== null };
    const expected = turn.kind === 'text' ? this.renderStandard() : has.target ? this.renderTarget() : nothing;
    // Where one card fills the width, what a model made comes before what was expected.
    const isPhone = this.#phone.matches;
    return html`<header>
        <h2>${alone ? 'Instruction' : `Turn ${turnNumber(turn.index)}`}</h2>
        ${turn.class === '' ? nothing : html`<span class="chip accent">${CLASSES[turn.class] ?? turn.class}</span>`}
        ${alone && turn.kind === 'image' ? nothing : html`<span class="muted">${turn.kind === 'image' ? html`asks for Image #${turn.picture ?? '?'}` : 'asks for an answer'}</span>`}
        <span class="spacer"></span>
        <button type="button" class="button quiet tiny" ?hidden=${this.plain} @click=${() => this.dispatchEvent(new TurnAction('juror-ask-input', turn.index))}>
          ${icon('input', 16)}Generator input
        </button>
        <button type="button" class="button quiet tiny icon" aria-label="Copy the address of this turn" title="Copy the address of this turn" ?hidden=${alone || this.plain} @click=${() => this.dispatchEvent(new TurnAction('juror-copy-link', turn.index))}>
          ${icon('link', 16)}
        </button>
      </header>
      <div class="said-by">
        <div class="message user">
          ${alone ? nothing : html`<span class="who">User</span>`}
          <p class="said" dir="auto">${this.renderSpans(turn.instruction)}</p>
          ${alone ? nothing : this.renderMentions()}
        </div>
        ${isPhone ? nothing : html`<slot name="beside"></slot>`}
      </div>
      <div class="answers" tabindex="0" role="region" aria-label="Answers to turn ${turnNumber(turn.index)}" ${vars({ '--columns': Math.max(1, outputs.length + (has.target ? 1 : 0)) })} @juror-open-request=${this.onRequest} @juror-remove-reply=${this.onRemove} @juror-open-output=${this.onOutput}>
        ${isPhone ? nothing : expected}
        ${outputs.map((output) => html`<juror-output .output=${output} kind=${turn.kind} .criteria=${this.criteria} .requests=${this.requests} ?plain=${this.plain}></juror-output>`)}
        ${isPhone ? expected : nothing}
      </div>
      ${isPhone ? html`<slot name="beside"></slot>` : nothing} ${turn.key_points.length === 0 ? nothing : this.renderKeyPoints()}`;
  }

  private renderSpans(spans: Span[]): TemplateResult[] {
    return mentions(spans, this.sample.pictures, this.sample.turns.length).map((mention) => this.renderMention(mention));
  }

  private renderMention({ text, picture, broken }: Mention): TemplateResult {
    if (picture === null) return html`${text}`;
    if (broken) return html`<span class="broken" title="The sample has no picture ${picture}">${text}</span>`;
    return html`<button
      type="button"
      class="mention ${this.lit === picture ? 'lit' : ''}"
      data-picture=${picture}
      title="Open ${this.nameOf(picture)}"
      @click=${() => this.see(pictureKey(picture))}
      @pointerenter=${() => this.point(picture)}
      @pointerleave=${() => this.point(null)}
      @focus=${() => this.point(picture)}
      @blur=${() => this.point(null)}
      >${text}</button
    >`;
  }

  private nameOf(number: number): string {
    const label = this.sample.pictures.find((picture) => picture.number === number)?.label ?? '';
    return label === '' ? `picture ${number}` : `picture ${number}, ${label}`;
  }

  private point(number: number | null): void {
    this.dispatchEvent(new PointPicture(number));
  }

  private mentioned(): number[] {
    return [...new Set(this.turn.instruction.flatMap(({ picture }) => (picture === null ? [] : [picture])))];
  }

  private renderMentions(): TemplateResult | typeof nothing {
    const numbers = this.mentioned();
    if (numbers.length === 0) return nothing;
    return html`<ul class="mentions">
      ${numbers.map(
        (number) =>
          html`<li>
            <button
              type="button"
              class="thumb ${this.lit === number ? 'lit' : ''}"
              aria-label="Open Image #${number}"
              @click=${() => this.see(pictureKey(number))}
              @pointerenter=${() => this.point(number)}
              @pointerleave=${() => this.point(null)}
            >
              <juror-picture .file=${this.datasetFile(number)} alt="Image #${number} of the data set"></juror-picture>
              <span>#${number}</span>
            </button>
          </li>`,
      )}
    </ul>`;
  }

  private renderKeyPoints(): TemplateResult {
    return html`<section class="points">
      <h3>Key points <span class="muted">what the judge checks</span></h3>
      <ol>
        ${this.turn.key_points.map((point) => html`<li><span class="dot" aria-hidden="true"></span><span dir="auto">${this.renderPoint(point)}</span></li>`)}
      </ol>
    </section>`;
  }

  private renderPoint(point: KeyPointView): TemplateResult {
    const { source, number, before, after, has_marker: marked, key } = point;
    if (source === 'none' || number === null) return html`${before}${after} <span class="chip" title="Key in the benchmark: ${key}">no reference</span>`;
    const words = source === 'dataset' ? `data set’s Image #${number}` : `model’s own Image #${number}`;
    return html`${before}${marked ? this.renderReference(source, number) : nothing}${after}
      <span class="chip ${source === 'generated' ? 'accent' : ''}" title="Key in the benchmark: ${key}">compared with the ${words}</span>${marked ? nothing : html` ${this.renderReference(source, number)}`}`;
  }

  private renderReference(source: string, number: number): TemplateResult {
    if (source === 'dataset') {
      return html`<button type="button" class="inline" aria-label="Open Image #${number} of the data set" title="Image #${number} of the data set" @click=${() => this.see(pictureKey(number))}>
        <juror-picture .file=${this.datasetFile(number)} alt="Image #${number} of the data set"></juror-picture>
      </button>`;
    }
    return html`${this.models.map((model) => {
      const file = this.generatedFile(model, number);
      return html`<button type="button" class="inline" ?disabled=${file === null} aria-label="Open Image #${number} of ${model}" title="Image #${number} of ${model}${file === null ? ': missing' : ''}" @click=${() => this.seeGenerated(model, number)}>
        <juror-picture .file=${file} alt="Image #${number} of ${model}"></juror-picture>
      </button>`;
    })}`;
  }

  private renderTarget(): TemplateResult {
    const number = this.turn.picture;
    const picture = this.sample.pictures.find((one) => one.number === number);
    return html`<div class="target">
      <header><h3>Data set</h3><span class="chip">${picture?.label ?? 'no picture named'}</span></header>
      ${
        picture?.file == null
          ? html`<div class="missing">${icon('missing', 26)}<strong>No picture</strong><span class="small">expected at</span><span class="path small">${picture?.path ?? 'not named'}</span></div>`
          : html`<button type="button" class="picture" aria-label="Open the data set’s Image #${number ?? ''}" @click=${() => this.see(pictureKey(picture.number))}>
              <juror-picture .file=${picture.file} alt="Image #${number ?? ''} of the data set"></juror-picture>
            </button>
            <p class="caption small muted"><span class="path">${picture.path.slice(picture.path.lastIndexOf('/') + 1)}</span></p>`
      }
      ${picture === undefined || picture.problem === '' ? nothing : html`<p class="problem small">${picture.problem}</p>`}
      ${this.turn.key_points.length === 0 ? nothing : html`<p class="small muted">The picture that the authors expect here; the judge sees it only where a key point names it.</p>`}
    </div>`;
  }

  private renderStandard(): TemplateResult {
    return html`<div class="target">
      <header><h3>Data set</h3><span class="chip">standard answer</span></header>
      <p class="answer" dir="auto">${this.renderSpans(this.turn.standard_answer)}</p>
    </div>`;
  }

  private datasetFile(number: number): number | null {
    return this.sample.pictures.find((picture) => picture.number === number)?.file ?? null;
  }

  private generatedFile(model: string, number: number): number | null {
    const turn = this.sample.turns.find(({ picture }) => picture === number);
    return turn?.outputs.find((output) => output.model === model)?.file ?? null;
  }

  private seeGenerated(model: string, number: number): void {
    const turn = this.sample.turns.find(({ picture }) => picture === number);
    if (turn !== undefined) this.see(outputKey(turn.index, model));
  }

  private see(key: string): void {
    this.dispatchEvent(new SeePicture(key));
  }

  private onOutput(event: Event): void {
    this.see(outputKey(this.turn.index, (event.target as HTMLElement & { output: OutputView }).output.model));
  }

  private onRemove(event: Event): void {
    if (event instanceof RemoveReply) this.dispatchEvent(new TakeOutReply(this.turn.index, event));
  }

  private onRequest(event: Event): void {
    if (event instanceof OpenRequest) this.dispatchEvent(new AskRequest(this.turn.index, event.model, event.criterion));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-turn': JurorTurn;
  }
}
