import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { turnNumber } from '../../state/format';
import { Query } from '../../state/query';
import { NO_FILTER, queryOf } from '../../state/router';
import { Told } from '../../state/told';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import type { Concatenated } from '../../engine/edge';
import { messageOf } from '../../engine/errors';
import type { ZipItem } from '../../engine/protocol';
import type { Context } from '../../engine/types/Context';
import type { InputKey } from '../../engine/types/InputKey';
import type { InputView } from '../../engine/types/InputView';
import type { Factor } from '../../engine/types/Factor';
import type { FactorLevel } from '../../engine/types/FactorLevel';
import type { Packing } from '../../engine/types/Packing';
import type { PartView } from '../../engine/types/PartView';
import { base, controls, dialogs } from '../../styles/base.styles';
import { download, notify } from '../events';
import { icon } from '../icon/icon';
import { numberedName, pictureItems, picturesOf, plainText } from '../parts/parts';
import '../parts/parts';

const CONTEXTS: [Context, string][] = [
  ['no', 'No: pictures of this message, from the data set'],
  ['partial', 'Partial: the same, the model’s own where it made them'],
  ['complete', 'Complete: all pictures so far, the model’s own where it made them'],
  ['complete_dataset', 'Complete, with the data set’s pictures'],
];

const PACKINGS: [Packing, string][] = [
  ['separate', 'Separate: pictures, then text'],
  ['yes_front', 'yes-front: all pictures before the first message'],
  ['yes_first', 'yes-first: each picture at its first mention'],
];

/** What the pictures in one row are called. */
const ROW_NAME = 'concatenated.png';

interface Row {
  result: Concatenated;
  url: string;
}

/**
 * @summary What a generator is given for one turn, in every context and packing.
 * @fires juror-dialog-closed - The dialog was closed.
 */
@customElement('juror-input-dialog')
export class JurorInputDialog extends LitElement {
  static override styles = [
    base,
    controls,
    dialogs,
    css`
      :host {
        --dialog-width: 880px;
      }
      .sub {
        display: block;
        color: var(--juror-text-2);
        font-size: var(--juror-size-m);
        font-weight: 400;
      }
      .dialog-body {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 16px;
      }
      .choices {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 260px), 1fr));
        gap: 10px 16px;
        padding: 12px 16px;
        border-radius: var(--juror-radius);
        background: var(--juror-surface-2);
      }
      .choices label:not(.segmented label) {
        display: grid;
        gap: 4px;
        color: var(--juror-text-2);
        font-size: var(--juror-size-s);
        font-weight: 550;
      }
      .choices select {
        width: 100%;
        color: var(--juror-text);
        font-size: var(--juror-size-m);
        font-weight: 400;
      }
      .profile {
        display: grid;
        gap: 4px;
        justify-items: start;
        color: var(--juror-text-2);
        font-size: var(--juror-size-s);
        font-weight: 550;
      }
      .message {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 6px;
        padding-left: 12px;
        border-left: 3px solid var(--juror-line);
      }
      .message.user {
        border-color: var(--juror-accent);
      }
      .role {
        font-size: var(--juror-size-s);
        font-weight: 650;
        color: var(--juror-text-2);
      }
      .notes {
        display: grid;
        gap: 4px;
        padding: 10px 12px;
        border-radius: var(--juror-radius);
        background: var(--juror-warn-soft);
        color: var(--juror-warn);
      }
      .problem {
        padding: 8px 12px;
        border-radius: var(--juror-radius);
        background: var(--juror-bad-soft);
        color: var(--juror-bad);
      }
      .row {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 8px;
        padding-top: 12px;
        border-top: 1px solid var(--juror-line);
      }
      .row img {
        display: block;
        max-width: 100%;
        max-height: 300px;
        border: 1px solid var(--juror-line);
      }
    `,
  ];

  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'version' | 'route'>;
  protected readonly told = new Told(this);
  @state() private sample = '';
  @state() private turn = 0;
  @state() private models: string[] = [];
  @state() private model = '';
  @state() private context: Context = 'no';
  @state() private packing: Packing = 'separate';
  @state() private profile: 'paper' | 'released' = 'paper';
  @state() private variant: FactorLevel | null = null;
  @state() private row: Row | null = null;
  @state() private rowError = '';
  @query('dialog') private dialog!: HTMLDialogElement;
  readonly #input = new Query<InputView>(this);
  #key: InputKey | null = null;
  /** The input whose row was made unasked. */
  #made: InputView | null = null;

  /** Opens for one turn. */
  show(sample: string, turn: number, models: string[]): void {
    this.sample = sample;
    this.turn = turn;
    this.models = models;
    if (!models.includes(this.model)) this.model = models[0] ?? '';
    if (!this.dialog.open) this.dialog.showModal();
    this.requestUpdate();
  }

  close(): void {
    this.dialog.close();
  }

  protected override updated(): void {
    const input = this.#input.value;
    // A variant that is given as one row shows it unasked.
    if (input?.given === 'one_row' && input.pictures.length > 0 && this.#made !== input) {
      this.#made = input;
      void this.makeRow(input);
    }
  }

  protected override willUpdate(): void {
    if (this.sample === '') return;
    const { model, sample, turn, context, packing, profile, variant } = this;
    const key: InputKey = { model, sample, turn, context, packing, profile, variant };
    if (JSON.stringify(key) !== JSON.stringify(this.#key)) {
      this.#key = key;
      this.dropRow();
    }
    if (this.dialog.open) this.#input.ask(`${this.state.version} ${JSON.stringify(key)}`, (signal) => this.client.generatorInput(key, signal));
  }

  override render(): TemplateResult {
    const input = this.#input.value;
    const { error } = this.#input;
    return html`<dialog aria-labelledby="title" data-testid="input-dialog" @close=${this.onClosed}>
      <div class="dialog-head">
        <h2 id="title">Generator input <span class="sub">sample ${this.sample}, turn ${turnNumber(this.turn)}</span></h2>
        <button type="button" class="button quiet icon" aria-label="Close" @click=${() => this.dialog.close()}>${icon('close')}</button>
      </div>
      <div class="dialog-body">
        ${this.renderChoices(input?.factors ?? [])}
        ${error === null ? nothing : html`<p class="problem" role="alert">${error.message}</p>`}
        ${input === null ? nothing : this.renderInput(input)}
      </div>
    </dialog>`;
  }

  private renderChoices(factors: Factor[]): TemplateResult {
    return html`<div class="choices">
      ${factors.length === 0 ? nothing : this.renderVariant(factors)} ${this.variant === null ? this.renderContext() : nothing}
      <label>
        Own pictures of
        <select class="field" @change=${(event: Event) => (this.model = (event.target as HTMLSelectElement).value)}>
          <option value="" ?selected=${this.model === ''}>no model</option>
          ${this.models.map((name) => html`<option value=${name} ?selected=${name === this.model}>${name}</option>`)}
        </select>
      </label>
      <div class="profile">
        <span id="profile">Loader</span>
        <fieldset class="segmented" aria-labelledby="profile">
          ${(['paper', 'released'] as const).map(
            (id) =>
              html`<label><input type="radio" name="loader" .checked=${this.profile === id} @change=${() => (this.profile = id)} />${id === 'paper' ? 'As intended' : 'As released'}</label>`,
          )}
        </fieldset>
      </div>
    </div>`;
  }

  /** The levels that change something: the first one of each factor is the input as it is. */
  private renderVariant(factors: Factor[]): TemplateResult {
    const levels = factors.flatMap(({ id, levels }) => levels.slice(1).map(([level]) => ({ factor: id, level })));
    const isChosen = ({ factor, level }: FactorLevel) => factor === this.variant?.factor && level === this.variant.level;
    const choose = (event: Event) => (this.variant = levels[(event.target as HTMLSelectElement).selectedIndex - 1] ?? null);
    return html`<label>
      Variant
      <select class="field" data-testid="input-variant" @change=${choose}>
        <option ?selected=${this.variant === null}>None: the input as it is</option>
        ${factors.map(
          ({ id, label, levels: own }) =>
            html`<optgroup label=${label}>
              ${own.slice(1).map(([level, about]) => html`<option ?selected=${isChosen({ factor: id, level })}>${`${id}=${level}: ${about}`}</option>`)}
            </optgroup>`,
        )}
      </select>
    </label>`;
  }

  /** A variant says itself what of a dialogue is given. */
  private renderContext(): TemplateResult {
    return html`<label>
        Context
        <select class="field" data-testid="input-context" @change=${(event: Event) => (this.context = (event.target as HTMLSelectElement).value as Context)}>
          ${CONTEXTS.map(([id, label]) => html`<option value=${id} ?selected=${id === this.context}>${label}</option>`)}
        </select>
      </label>
      <label>
        Packing
        <select class="field" data-testid="input-packing" @change=${(event: Event) => (this.packing = (event.target as HTMLSelectElement).value as Packing)}>
          ${PACKINGS.map(([id, label]) => html`<option value=${id} ?selected=${id === this.packing}>${label}</option>`)}
        </select>
      </label>`;
  }

  private renderInput(input: InputView): TemplateResult {
    const parts = input.messages.flatMap((message) => message.parts);
    return html`${input.error === null ? nothing : html`<p class="problem" role="alert">${input.error}</p>`}
    ${input.notes.length === 0 ? nothing : html`<ul class="notes">${input.notes.map((note) => html`<li>${note}</li>`)}</ul>`}
    ${input.given === 'one_row' && input.pictures.length > 0 ? this.renderRow(input) : nothing}
    ${input.messages.map(
      ({ role, parts: own }) =>
        html`<div class="message ${role}">
          <span class="role">${role === 'user' ? 'User' : 'Assistant'}</span><juror-parts .client=${this.client} .parts=${own}></juror-parts>
        </div>`,
    )}
    <div class="toolbar">
      <button type="button" class="button primary" ?disabled=${parts.length === 0} @click=${() => void this.told.tell('text', () => this.copyText(input))}>${this.told.words('text', 'Copy text')}</button>${this.told.answer('text')}
      <button type="button" class="button" ?disabled=${parts.length === 0} @click=${() => void this.download(input)}>${icon('download')}Download ZIP</button>
      <button type="button" class="button" data-testid="input-all" title="The folder that juror inputs writes, of the samples that the list’s filter and subset leave" @click=${() => void this.told.tell('all', () => this.downloadAll())}>${this.told.words('all', 'ZIP of the whole list', 18, 'download')}</button>${this.told.answer('all')}
    </div>
    ${input.pictures.length === 0 || input.given === 'one_row' ? nothing : this.renderRow(input)}`;
  }

  private renderRow(input: InputView): TemplateResult {
    return html`<section class="row">
      <h3>Concatenated picture</h3>
      <p class="small muted">${
        input.given === 'one_row'
          ? `This variant is given one picture: the ${input.pictures.length === 1 ? 'picture' : `${input.pictures.length} pictures`} below in one numbered row, in the place of the first.`
          : `For generators that take one picture: the ${input.pictures.length} picture${input.pictures.length === 1 ? '' : 's'} above in one numbered row.`
      }</p>
      ${this.rowError === '' ? nothing : html`<p class="problem" role="alert">${this.rowError}</p>`}
      ${
        this.row === null
          ? html`<div><button type="button" class="button" @click=${() => void this.makeRow(input)}>${icon('picture')}Make it</button></div>`
          : html`<img src=${this.row.url} alt="The pictures side by side, numbered" />
            <div class="toolbar">
              <span class="num muted">${this.row.result.width} × ${this.row.result.height} px${this.row.result.font_px > 0 ? `, digits ${this.row.result.font_px} px` : ''}${this.row.result.downscaled ? ', scaled down to 8192 px' : ''}</span>
              <button type="button" class="button" @click=${this.downloadRow}>${icon('download')}Download PNG</button>
            </div>`
      }
    </section>`;
  }

  private text(input: InputView): string {
    let offset = 0;
    let isGiven = false;
    /** Of one row the first picture's place is the row's. */
    const ofRow = (part: PartView): PartView[] => {
      if (part.type === 'text' || input.given !== 'one_row') return [part];
      if (isGiven) return [];
      isGiven = true;
      return [{ ...part, path: ROW_NAME }];
    };
    return input.messages
      .map(({ role, parts: all }) => {
        const parts = all.flatMap(ofRow);
        const renumbered = plainText(parts).replace(/\[picture (\d+):/g, (_, place: string) => `[picture ${Number(place) + offset}:`);
        offset += picturesOf(parts).length;
        return input.messages.length === 1 ? renumbered : `${role}:\n${renumbered}`;
      })
      .join('\n\n');
  }

  private async copyText(input: InputView): Promise<string> {
    try {
      await navigator.clipboard.writeText(this.text(input));
    } catch {
      throw new Error('The browser did not allow copying. Download the ZIP instead.');
    }
    return 'Text copied';
  }

  /** The row in the place of its pictures, which are then no entries of their own. */
  private async downloadOneRow(input: InputView): Promise<void> {
    await this.makeRow(input);
    if (this.row === null) return;
    let isGiven = false;
    const given = (part: PartView): unknown[] => {
      if (part.type === 'text') return [part];
      if (isGiven) return [];
      isGiven = true;
      return [{ type: 'image', name: ROW_NAME }];
    };
    const messages = input.messages.map(({ role, parts }) => ({ role, parts: parts.flatMap(given) }));
    await this.zip([
      { name: 'input.txt', text: this.text(input) },
      { name: 'input.json', text: `${JSON.stringify({ key: input.key, notes: input.notes, messages }, null, 2)}\n` },
      { name: ROW_NAME, bytes: this.row.result.png },
    ]);
  }

  private async download(input: InputView): Promise<void> {
    if (input.given === 'one_row') return this.downloadOneRow(input);
    const all = picturesOf(input.messages.flatMap(({ parts }) => parts));
    let at = 0;
    const named = (part: PartView): unknown => {
      if (part.type === 'text') return part;
      const picture = all[at++];
      return {
        type: 'image',
        name: picture === undefined || picture.file === null ? null : numberedName(picture),
        path: part.path,
        role: part.role,
        number: part.number,
      };
    };
    const json = { key: input.key, notes: input.notes, messages: input.messages.map(({ role, parts }) => ({ role, parts: parts.map(named) })) };
    const items: ZipItem[] = [
      { name: 'input.txt', text: this.text(input) },
      { name: 'input.json', text: `${JSON.stringify(json, null, 2)}\n` },
      ...(await pictureItems(this.client, all)),
    ];
    if (this.row !== null) items.push({ name: ROW_NAME, bytes: this.row.result.png });
    await this.zip(items);
  }

  /** The same for every sample of the list that led here. */
  private async downloadAll(): Promise<string> {
    const { place, options } = this.state.route;
    const filter = place.view === 'sample' ? place.filter : NO_FILTER;
    const { folderOf } = await import('../../state/input-folder');
    const levels = this.variant === null ? [] : [this.variant];
    const { zip, words, lacks } = await folderOf(this.client, { samples: queryOf(filter, options, { len: null }), model: this.model, levels });
    download(this, zip, 'zip', 'inputs', ...levels.flatMap(({ factor, level }) => [factor, level]));
    if (lacks !== '') notify(this, 'warn', `Not in the ZIP of inputs: ${lacks}`);
    return words;
  }

  private async zip(items: ZipItem[]): Promise<void> {
    try {
      download(
        this,
        await this.client.zip(items),
        'zip',
        ...this.fileName(),
        ...(this.variant === null ? [this.context, this.packing] : [this.variant.factor, this.variant.level]),
      );
    } catch (error) {
      notify(this, 'error', `The input could not be packed: ${messageOf(error)}`);
    }
  }

  private async makeRow(input: InputView): Promise<void> {
    const key = this.#key;
    this.rowError = '';
    try {
      const result = await this.client.concatenate(input.pictures);
      if (key === this.#key && this.row === null) this.row = { result, url: URL.createObjectURL(new Blob([result.png], { type: 'image/png' })) };
    } catch (error) {
      this.rowError = messageOf(error);
    }
  }

  private fileName(): string[] {
    return ['input', this.sample, `turn${this.turn}`];
  }

  private downloadRow(): void {
    if (this.row !== null) download(this, new Blob([this.row.result.png], { type: 'image/png' }), 'png', ...this.fileName());
  }

  private onClosed(): void {
    // Another benchmark may be open the next time, with other factors.
    this.variant = null;
    this.dropRow();
    this.dispatchEvent(new Event('juror-dialog-closed'));
  }

  private dropRow(): void {
    if (this.row !== null) URL.revokeObjectURL(this.row.url);
    this.row = null;
    this.rowError = '';
    this.#made = null;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-input-dialog': JurorInputDialog;
  }
}
