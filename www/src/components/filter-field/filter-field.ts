import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { printedScale } from '../../state/format';
import type { State } from '../../state/state';
import { type EngineClient, isAbort } from '../../engine/client';
import type { Completion } from '../../engine/types/Completion';
import type { FilterFault } from '../../engine/types/FilterFault';
import { base, controls } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import { styles } from './filter-field.styles';

/** How long the field waits for the next key before the list follows. */
const TYPING_MS = 150;

/** A filter expression that was typed or chosen. */
export class FilterChange extends CustomEvent<{ q: string }> {
  constructor(q: string) {
    super('juror-filter', { detail: { q }, bubbles: true, composed: true });
  }
}

/**
 * @summary The filter expression as a field: fields and values are suggested, and what cannot be read says where and why.
 * @event juror-filter - The expression has changed.
 */
@customElement('juror-filter-field')
export class JurorFilterField extends LitElement {
  static override styles = [base, controls, styles];

  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'overview' | 'route'>;
  /** The expression in force. */
  @property() value = '';
  /** What is wrong with it. */
  @property({ attribute: false }) fault: FilterFault | null = null;
  @state() private draft = '';
  @state() private suggestions: Completion[] = [];
  @state() private active = -1;
  @state() private open = false;
  @query('input') private input!: HTMLInputElement;
  /** What was told last, so that its echo in `value` does not overwrite what was typed since. */
  #told = '';
  #typing: ReturnType<typeof setTimeout> | undefined;
  #call: AbortController | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#typing);
    this.#call?.abort();
  }

  /** Puts the caret into the field. */
  override focus(): void {
    this.input.focus();
    this.input.select();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has('value') || this.value === this.#told) return;
    this.draft = this.value;
    this.#told = this.value;
    this.open = false;
  }

  override render(): TemplateResult {
    const isOpen = this.open && this.suggestions.length > 0;
    const { fault } = this;
    // A fault of an older text would point at the wrong place.
    const isFaulty = fault !== null && this.draft === this.value;
    // A number within the scale of the benchmark at hand: below 4 is everything where 1 is the best.
    const { low, high } = printedScale(this.state.overview?.criteria.find(({ id }) => id === 'total'));
    const example = `score<${Number((low + (high - low) * 0.4).toPrecision(1))}`;
    return html`<div class="box">
        ${icon('search')}
        <input
          class="field mono"
          type="text"
          role="combobox"
          aria-label="Filter: words, or conditions such as ${example}"
          aria-autocomplete="list"
          aria-controls="suggestions"
          aria-expanded=${isOpen ? 'true' : 'false'}
          aria-activedescendant=${isOpen && this.active >= 0 ? `option-${this.active}` : nothing}
          aria-invalid=${isFaulty ? 'true' : nothing}
          aria-describedby=${isFaulty ? 'fault' : nothing}
          aria-keyshortcuts="/"
          autocapitalize="off"
          autocomplete="off"
          spellcheck="false"
          data-testid="filter"
          placeholder=${`Search, or filter: ${example} incident:any text~"red banana"`}
          .value=${this.draft}
          @input=${this.onInput}
          @keydown=${this.onKey}
          @focus=${this.suggest}
          @click=${this.suggest}
          @blur=${() => (this.open = false)}
        />
        ${
          this.draft === ''
            ? html`<kbd aria-hidden="true">/</kbd>`
            : html`<button type="button" class="button quiet icon clear" aria-label="Clear the filter" @click=${this.clear}>${icon('close', 16)}</button>`
        }
        <ul id="suggestions" role="listbox" aria-label="Suggestions" tabindex="-1" ?hidden=${!isOpen} @mousedown=${(event: Event) => event.preventDefault()}>
          ${this.suggestions.map(
            ({ label, detail }, at) =>
              html`<li id="option-${at}" role="option" aria-selected=${at === this.active ? 'true' : 'false'} @pointerdown=${(event: Event) => this.onPick(event, at)}>
                <span class="mono">${label}</span>${detail === '' || detail === label ? nothing : html`<span class="muted small">${detail}</span>`}
              </li>`,
          )}
        </ul>
      </div>
      ${isFaulty ? this.renderFault(fault) : nothing}`;
  }

  private renderFault({ start, end, message, hint, replacement }: FilterFault): TemplateResult {
    const before = this.draft.slice(0, start);
    const part = this.draft.slice(start, Math.max(end, start + 1)) || ' ';
    return html`<div id="fault" class="fault" role="alert" data-testid="filter-fault">
      <code>${before.length > 40 ? `…${before.slice(-40)}` : before}<mark>${part}</mark>${this.draft.slice(Math.max(end, start + 1), end + 20)}</code>
      <span><strong>${message}</strong> ${hint} <span class="muted small">(character ${start + 1})</span></span>
      ${replacement === null ? nothing : html`<button type="button" class="button tiny" @click=${() => this.replace(start, end, replacement)}>Use ${replacement}</button>`}
    </div>`;
  }

  private onInput(): void {
    this.draft = this.input.value;
    this.active = -1;
    this.tellSoon();
    void this.suggest();
  }

  private tellSoon(): void {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.tell(), TYPING_MS);
  }

  private tell(): void {
    clearTimeout(this.#typing);
    if (this.draft === this.#told) return;
    this.#told = this.draft;
    this.dispatchEvent(new FilterChange(this.draft));
  }

  private readonly suggest = async (): Promise<void> => {
    this.#call?.abort();
    const call = new AbortController();
    this.#call = call;
    try {
      const found = await this.client.completeFilter(this.input.value, this.input.selectionStart ?? 0, this.state.route.options, call.signal);
      if (call.signal.aborted || this.shadowRoot?.activeElement !== this.input) return;
      // What is written in full needs no suggestion.
      const suggestions = found.filter(({ start, end, insert }) => this.draft.slice(start, end) !== insert);
      // Who was quicker with the arrow keys than this answer keeps what they chose.
      const chosen = this.suggestions[this.active];
      this.active = chosen === undefined ? -1 : suggestions.findIndex(({ label, insert }) => label === chosen.label && insert === chosen.insert);
      this.suggestions = suggestions;
      this.open = true;
    } catch (error) {
      if (!isAbort(error)) this.suggestions = [];
    }
  };

  private onKey(event: KeyboardEvent): void {
    const isOpen = this.open && this.suggestions.length > 0;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!isOpen) {
        void this.suggest();
        return;
      }
      const count = this.suggestions.length;
      // One place more than there are: none.
      this.active = ((this.active + 1 + step + count + 1) % (count + 1)) - 1;
      void this.updateComplete.then(() => this.renderRoot.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (isOpen && this.active >= 0) this.choose(this.active);
      else {
        this.open = false;
        this.tell();
      }
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      if (isOpen) this.open = false;
      else this.input.blur();
    }
  }

  private onPick(event: Event, at: number): void {
    // The field keeps the focus.
    event.preventDefault();
    this.choose(at);
  }

  private choose(at: number): void {
    const chosen = this.suggestions[at];
    if (chosen !== undefined) this.replace(chosen.start, chosen.end, chosen.insert);
  }

  private replace(start: number, end: number, text: string): void {
    this.draft = `${this.draft.slice(0, start)}${text}${this.draft.slice(end)}`;
    this.input.value = this.draft;
    this.input.focus();
    this.input.setSelectionRange(start + text.length, start + text.length);
    this.active = -1;
    this.tellSoon();
    void this.suggest();
  }

  private clear(): void {
    this.draft = '';
    this.tell();
    this.input.focus();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-filter-field': JurorFilterField;
  }
  interface HTMLElementEventMap {
    'juror-filter': FilterChange;
  }
}
