import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { Query } from '../../state/query';
import { DEMOS } from '../../state/demos';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import { fromFileList, hasDirectoryPicker, pickFolder } from '../../engine/sources';
import type { Remembered } from '../../engine/handles';
import { messageOf } from '../../engine/errors';
import { base, controls, dialogs } from '../../styles/base.styles';
import { notify, say } from '../events';
import { icon } from '../icon/icon';
import '../menu/menu';
import { styles } from './source-menu.styles';

/** How long after the start what was open before is looked up. */
const LOOK_AFTER_MS = 1000;
/** As much of a name as a menu shows. */
const MAX_NAME = 36;
const short = (name: string): string => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name);

/**
 * @summary The one way in: open a folder, with files, ZIP, address and demo suites beside it.
 */
@customElement('juror-source-menu')
export class JurorSourceMenu extends LitElement {
  static override styles = [base, controls, dialogs, styles];

  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'engine' | 'opened'>;
  @query('.folder') private folderInput!: HTMLInputElement;
  @query('.files') private filesInput!: HTMLInputElement;
  @query('dialog') private dialog!: HTMLDialogElement;
  @state() private url = '';
  /** Whether it is time to look up what was open before: what is on the screen first comes first. */
  @state() private looks = false;
  readonly #again = new Query<Remembered[]>(this);

  override connectedCallback(): void {
    super.connectedCallback();
    setTimeout(() => (this.looks = hasDirectoryPicker()), LOOK_AFTER_MS);
  }

  protected override willUpdate(): void {
    const { opened } = this.state;
    if (this.looks) this.#again.ask(String(opened.length), () => import('../../engine/handles').then(({ remembered }) => remembered()));
  }

  override render(): TemplateResult {
    const { engine, opened } = this.state;
    const ready = engine === 'ready';
    return html`<span class="pair" @pointerenter=${this.expectFiles} @focusin=${this.expectFiles}>
        <button type="button" class="button primary" ?disabled=${!ready} @click=${this.openFolder}>
          ${icon('folder')}<span>Open folder…</span>
        </button>
        <juror-menu look="primary" name="More ways to open">
          <button type="button" role="menuitem" @click=${this.openFiles}>Files or ZIP…</button>
          <button type="button" role="menuitem" @click=${() => this.dialog.showModal()}>ZIP from an address…</button>
          ${this.renderAgain()}
          <hr />
          ${DEMOS.map(({ id, title }) => html`<button type="button" role="menuitem" @click=${() => say(this, 'demo', id)}>Demo: ${title}</button>`)}
          <hr />
          <button type="button" role="menuitem" ?disabled=${opened.length === 0} @click=${() => say(this, 'close', null)}>
            Close all
          </button>
        </juror-menu>
      </span>
      <input
        class="folder visually-hidden"
        type="file"
        webkitdirectory
        tabindex="-1"
        aria-label="Folder to open"
        data-testid="input-folder"
        @change=${this.onInput}
      />
      <input
        class="files visually-hidden"
        type="file"
        multiple
        tabindex="-1"
        aria-label="Files or ZIP files to open"
        data-testid="input-files"
        @change=${this.onInput}
      />
      <dialog aria-labelledby="title">
        <div class="dialog-head">
          <h2 id="title">Open a ZIP from an address</h2>
          <button type="button" class="button quiet icon" aria-label="Close" @click=${() => this.dialog.close()}>${icon('close')}</button>
        </div>
        <div class="dialog-body">
          <label for="url">Address of the ZIP file</label>
          <input
            id="url"
            class="field"
            type="url"
            placeholder="https://"
            .value=${this.url}
            @input=${(event: InputEvent) => (this.url = (event.target as HTMLInputElement).value)}
            @keydown=${(event: KeyboardEvent) => event.key === 'Enter' && this.openUrl()}
          />
          <p class="small muted">Your browser fetches it directly. The server has to allow other pages to read it; if it does not, download the file and drop it here.</p>
          <div class="toolbar">
            <span class="spacer"></span>
            <button type="button" class="button" @click=${() => this.dialog.close()}>Cancel</button>
            <button type="button" class="button primary" ?disabled=${!URL.canParse(this.url)} @click=${this.openUrl}>Open</button>
          </div>
        </div>
      </dialog>`;
  }

  /** What was open before, as far as this browser lets a page keep it. */
  private renderAgain(): TemplateResult | typeof nothing {
    const kept = this.#again.value ?? [];
    if (kept.length === 0) return nothing;
    return html`<hr />
      ${kept.map((one) => html`<button type="button" role="menuitem" title=${one.name} @click=${() => this.openAgain(one)}>Open again: ${short(one.name)}</button>`)}
      <button type="button" role="menuitem" @click=${this.forget}>Forget what was open before</button>`;
  }

  private openAgain(kept: Remembered): void {
    import('../../engine/handles')
      .then(({ openAgain }) => openAgain(kept))
      .then(
        (sources) =>
          sources === null ? notify(this, 'warn', `${kept.name} was not opened: the browser was not allowed to read it.`) : say(this, 'open', sources),
        (error: unknown) => notify(this, 'error', `${kept.name} could not be opened again: ${messageOf(error)}`),
      );
  }

  private forget(): void {
    import('../../engine/handles')
      .then(({ forgetAll }) => forgetAll())
      .then(() => {
        this.#again.clear();
        this.requestUpdate();
      })
      .catch((error: unknown) => notify(this, 'error', messageOf(error)));
  }

  /** Whoever comes near is likely to open something: what tells its benchmark is then there before it is picked. */
  private expectFiles(): void {
    this.client.expectFiles();
  }

  /** Asks for a folder, by the picker where there is one. */
  openFolder = (): void => {
    this.expectFiles();
    if (!hasDirectoryPicker()) {
      this.folderInput.click();
      return;
    }
    pickFolder().then(
      (source) => {
        if (source !== null) say(this, 'open', [source]);
      },
      (error: unknown) => notify(this, 'error', `The folder could not be opened: ${messageOf(error)}`),
    );
  };

  private openFiles(): void {
    this.expectFiles();
    this.filesInput.click();
  }

  private onInput(event: Event): void {
    const input = event.target as HTMLInputElement;
    const sources = fromFileList(input.files ?? []);
    input.value = '';
    say(this, 'open', sources);
  }

  private openUrl(): void {
    if (!URL.canParse(this.url)) return;
    this.dialog.close();
    say(this, 'open', [{ kind: 'url', name: this.url, url: this.url, redirects: 'followed' }]);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-source-menu': JurorSourceMenu;
  }
}
