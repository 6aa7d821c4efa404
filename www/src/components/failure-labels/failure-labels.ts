import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { Query } from '../../state/query';
import { turnNumber } from '../../state/format';
import { keyOf } from '../../state/keys';
import { leaveOut, leftOut } from '../../state/label-list';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import { messageOf } from '../../engine/errors';
import type { LabelChoice } from '../../engine/types/LabelChoice';
import type { LabelSheet } from '../../engine/types/LabelSheet';
import type { LabelledOutput } from '../../engine/types/LabelledOutput';
import type { RateKey } from '../../engine/types/RateKey';
import { base, controls } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import { styles } from './failure-labels.styles';
import { rater as here } from './rater';

/** What an output without a failure is marked by. */
const NONE = 'none';
/** The key that marks it. */
const NONE_KEY = '.';

/**
 * @summary What is wrong with each output of a sample, in labels that one key sets and takes back; each is on disk before it is shown.
 */
@customElement('juror-failure-labels')
export class JurorFailureLabels extends LitElement {
  static override styles = [base, controls, styles];

  @property() sample = '';
  /** The models that are shown; all where none is named. */
  @property({ attribute: false }) models: string[] | null = null;
  /** The only output that is labelled, without its model's name and without what others say; all of the sample's where none is given. */
  @property({ attribute: false }) only: RateKey | null = null;
  /** Who labels, where that is known already. */
  @property() rater = '';
  @state() private error = '';
  @state() private said = '';
  /** Grows with every label that was written. */
  @state() private written = 0;
  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'engine' | 'version' | 'overview'>;
  readonly #sheet = new Query<LabelSheet>(this);
  /** One after the other: what is set next depends on what stands. */
  #writing: Promise<void> = Promise.resolve();

  private get who(): string {
    return this.rater === '' ? here.name : this.rater;
  }

  protected override willUpdate(): void {
    const { engine, version } = this.state;
    if (engine !== 'ready') return;
    const query = { sample: this.sample, rater: this.who };
    this.#sheet.ask(`${version} ${this.written} ${JSON.stringify(query)}`, (signal) => this.client.labelSheet(query, signal));
  }

  override render(): TemplateResult {
    const sheet = this.#sheet.value;
    const { error } = this.#sheet;
    return html`${this.only === null ? this.renderName() : nothing} ${this.error === '' ? nothing : html`<p class="problem" role="alert">${icon('error', 16)} ${this.error}</p>`}
      ${error !== null ? html`<p class="problem" role="alert">${icon('error', 16)} ${error.message}</p>` : sheet === null ? html`<p class="muted small">One moment…</p>` : this.renderOutputs(sheet)}
      <p class="visually-hidden" role="status" aria-live="polite">${this.said}</p>`;
  }

  /** Whether a key stands for a label of what is shown. */
  knows(key: string): boolean {
    const output = this.shown(this.#sheet.value)[0];
    return output !== undefined && this.idOf(key, output) !== undefined;
  }

  /** Sets or takes back the label of a key, of the only output. */
  press(key: string): void {
    const output = this.shown(this.#sheet.value)[0];
    if (output !== undefined) this.pressOn(output, key);
  }

  private renderName(): TemplateResult {
    return html`<label class="name"
      ><span>Your name</span>
      <input class="field" data-testid="label-name" maxlength="80" spellcheck="false" autocomplete="off" .value=${here.name} @change=${(event: Event) => this.rename((event.target as HTMLInputElement).value)} />
      <small class="muted">Any name or number; labels are filed under it.</small></label
    >`;
  }

  private renderOutputs(sheet: LabelSheet): TemplateResult {
    const outputs = this.shown(sheet);
    if (outputs.length === 0 && this.#sheet.pending) return html`<p class="muted small">One moment…</p>`;
    if (outputs.length === 0) return html`<p class="muted">There is no output to label.</p>`;
    return html`${outputs.map((output) => this.renderOutput(sheet, output, outputs))}${this.only === null ? this.renderList(sheet) : nothing}`;
  }

  /** Which labels are offered here and at the desk; the keys of the others stay theirs. */
  private renderList(sheet: LabelSheet): TemplateResult {
    const out = leftOut(this.benchmark);
    return html`<details class="small" data-testid="label-list">
      <summary>Labels offered</summary>
      <div class="offered" role="group" aria-label="Labels offered">
        ${sheet.labels.map(
          ({ id, name }) =>
            html`<label><input type="checkbox" .checked=${!out.includes(id)} @change=${(event: Event) => this.offer(id, (event.target as HTMLInputElement).checked)} /> <span dir="auto">${name}</span></label>`,
        )}
      </div>
      <p class="muted">Labels that are set stay, whether they are offered or not. This browser remembers the choice.</p>
    </details>`;
  }

  private offer(label: string, isOffered: boolean): void {
    leaveOut(this.benchmark, label, !isOffered);
    this.requestUpdate();
  }

  private get benchmark(): string {
    return this.state.overview?.benchmark?.protocol ?? '';
  }

  /** Labels that are offered for an output: not what was left out, unless it is set on this one. */
  private offered(sheet: LabelSheet, { own }: LabelledOutput): LabelChoice[] {
    const out = leftOut(this.benchmark);
    return sheet.labels.filter(({ id }) => !out.includes(id) || own.includes(id));
  }

  private renderOutput(sheet: LabelSheet, output: LabelledOutput, all: LabelledOutput[]): TemplateResult {
    const { turn, model } = output.key;
    const hasTurns = all.some(({ key }) => key.turn !== turn);
    const name = this.only === null ? `${model}${hasTurns ? `, turn ${turnNumber(turn)}` : ''}` : 'Failures';
    const isIdle = this.who === '';
    return html`<div class="output" role="group" aria-label="Failure labels: ${name}" data-testid="labelled" data-model=${this.only === null ? model : nothing} @keydown=${(event: KeyboardEvent) => this.onKey(event, output)}>
      <h3><bdi>${name}</bdi></h3>
      <div class="labels">
        ${this.renderLabel(output, { id: NONE, name: 'No failure', meaning: 'Looked at, and nothing is wrong.', key: NONE_KEY }, isIdle)}
        ${this.offered(sheet, output).map((label) => this.renderLabel(output, label, isIdle))}
      </div>
      <form class="own" autocomplete="off" @submit=${(event: Event) => this.onOwn(event, output)}>
        <input class="field" name="own" maxlength="80" aria-label="Another label for ${name}, in your own words" placeholder="In your own words" data-testid="label-own" ?disabled=${isIdle} />
        <button type="submit" class="button tiny" ?disabled=${isIdle}>Add</button>
      </form>
      ${this.only === null && output.others.length > 0 ? html`<ul class="small muted others">${output.others.map(({ rater, labels }) => html`<li><bdi>${rater}</bdi>: ${labels.map((id) => nameOf(sheet, id)).join(', ')}</li>`)}</ul>` : nothing}
    </div>`;
  }

  private renderLabel(output: LabelledOutput, { id, name, meaning, key }: LabelChoice, isIdle: boolean): TemplateResult {
    const isSet = output.own.includes(id);
    return html`<button
      type="button"
      class="label ${id === NONE ? 'none' : ''}"
      aria-pressed=${isSet ? 'true' : 'false'}
      aria-keyshortcuts=${key === '' ? nothing : key}
      title=${meaning === '' ? nothing : meaning}
      data-label=${id}
      ?disabled=${isIdle}
      @click=${() => this.change(output, id, 'other')}
    >
      <span dir="auto">${name}</span>${key === '' ? nothing : html`<kbd aria-hidden="true">${key}</kbd>`}
    </button>`;
  }

  /** The outputs that are to be labelled here. */
  private shown(sheet: LabelSheet | null): LabelledOutput[] {
    const { only, models } = this;
    const outputs = sheet?.outputs.filter(({ key }) => key.sample === this.sample) ?? [];
    if (only !== null) return outputs.filter(({ key }) => key.turn === only.turn && key.model === only.model);
    return outputs.filter(({ key }) => models === null || models.includes(key.model));
  }

  private rename(name: string): void {
    here.name = name.trim();
    this.requestUpdate();
  }

  private onKey(event: KeyboardEvent, output: LabelledOutput): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.only !== null) return;
    if (event.composedPath()[0] instanceof HTMLInputElement) return;
    if (!this.pressOn(output, keyOf(event))) return;
    // The page's own keys mean something else.
    event.preventDefault();
    event.stopPropagation();
  }

  private idOf(key: string, output: LabelledOutput): string | undefined {
    const sheet = this.#sheet.value;
    if (key === NONE_KEY || sheet === null) return key === NONE_KEY ? NONE : undefined;
    return this.offered(sheet, output).find((label) => label.key === key)?.id;
  }

  private pressOn(output: LabelledOutput, key: string): boolean {
    const id = this.idOf(key, output);
    if (id === undefined || this.who === '') return false;
    this.change(output, id, 'other');
    return true;
  }

  private onOwn(event: Event, output: LabelledOutput): void {
    event.preventDefault();
    const field = (event.target as HTMLFormElement).elements.namedItem('own') as HTMLInputElement;
    const label = field.value.trim();
    if (label === '') return;
    field.value = '';
    this.change(output, label, 'set');
  }

  /** Sets a label, or has it the other way than it stands. */
  private change({ key }: LabelledOutput, label: string, to: 'set' | 'other'): void {
    const rater = this.who;
    this.#writing = this.#writing.then(async () => {
      try {
        const benchmark = await this.client.benchmarkId();
        if (benchmark === null) throw new Error('Open the benchmark first.');
        // Of two presses of one key the second finds what the first has set.
        const { outputs } = await this.client.labelSheet({ sample: key.sample, rater });
        const standing = outputs.find(({ key: { turn, model } }) => turn === key.turn && model === key.model)?.own ?? [];
        const isSet = to === 'set' || !standing.includes(label);
        const change = { key, rater, label, is_set: isSet, time: new Date().toISOString() };
        await this.client.keepLabels(benchmark, await this.client.labelChange(change));
        this.error = '';
        this.said = `${nameOf(this.#sheet.value, label)} ${isSet ? 'set' : 'taken back'}.`;
      } catch (error) {
        this.error = messageOf(error);
      }
      this.written += 1;
      await this.updateComplete;
    });
  }
}

const nameOf = (sheet: LabelSheet | null, id: string): string => (id === NONE ? 'no failure' : (sheet?.labels.find((label) => label.id === id)?.name ?? id));

declare global {
  interface HTMLElementTagNameMap {
    'juror-failure-labels': JurorFailureLabels;
  }
}
