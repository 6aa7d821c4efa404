import { LitElement, html, type TemplateResult } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import { StoreController } from '../../app/controllers';
import { DEMOS } from '../../app/demos';
import { store } from '../../app/store';
import { fromFileList, hasDirectoryPicker, pickFolder } from '../../engine/sources';
import { messageOf } from '../../engine/protocol';
import { base, controls, dialogs } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import '../menu/menu';
import { styles } from './source-menu.styles';

/**
 * @summary The one way in: open a folder, with files, ZIP, address and demo suites beside it.
 */
@customElement('juror-source-menu')
export class JurorSourceMenu extends LitElement {
  static override styles = [base, controls, dialogs, styles];

  readonly #store = new StoreController(this);
  @query('.folder') private folderInput!: HTMLInputElement;
  @query('.files') private filesInput!: HTMLInputElement;
  @query('dialog') private dialog!: HTMLDialogElement;
  @state() private url = '';

  override render(): TemplateResult {
    const { engine, opened } = this.#store.state;
    const ready = engine === 'ready';
    return html`<span class="pair">
        <button type="button" class="button primary" ?disabled=${!ready} @click=${this.openFolder}>
          ${icon('folder')}<span>Open folder…</span>
        </button>
        <juror-menu look="primary" name="More ways to open">
          <button type="button" role="menuitem" @click=${() => this.filesInput.click()}>Files or ZIP…</button>
          <button type="button" role="menuitem" @click=${() => this.dialog.showModal()}>ZIP from an address…</button>
          <hr />
          ${DEMOS.map(({ id, title }) => html`<button type="button" role="menuitem" @click=${() => void store.openDemo(id)}>Demo: ${title}</button>`)}
          <hr />
          <button type="button" role="menuitem" ?disabled=${opened.length === 0} @click=${() => void store.closeAll()}>
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

  /** Asks for a folder, by the picker where there is one. */
  openFolder = (): void => {
    if (!hasDirectoryPicker()) {
      this.folderInput.click();
      return;
    }
    pickFolder().then(
      (source) => {
        if (source !== null) void store.open([source]);
      },
      (error: unknown) => store.notify('error', `The folder could not be opened: ${messageOf(error)}`),
    );
  };

  private onInput(event: Event): void {
    const input = event.target as HTMLInputElement;
    const sources = fromFileList(input.files ?? []);
    input.value = '';
    void store.open(sources);
  }

  private openUrl(): void {
    if (!URL.canParse(this.url)) return;
    this.dialog.close();
    void store.open([{ kind: 'url', name: this.url, url: this.url }]);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-source-menu': JurorSourceMenu;
  }
}
