import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { deleteView, renameView, saveView, savedViews, type SavedView } from '../../state/saved';
import { hrefOf } from '../../state/links';
import type { State } from '../../state/state';
import { base, controls, dialogs } from '../../styles/base.styles';
import { notify } from '../events';
import { icon } from '../icon/icon';

/**
 * @summary The saved views of the sample list: open, copy as a link, rename, delete, and save the present one.
 */
@customElement('juror-saved-views')
export class JurorSavedViews extends LitElement {
  static override styles = [
    base,
    controls,
    dialogs,
    css`
      :host {
        --dialog-width: 560px;
        display: inline-block;
      }
      .dialog-body {
        display: grid;
        gap: 16px;
      }
      form {
        display: flex;
        gap: 8px;
      }
      form .field {
        flex: 1;
        min-width: 0;
      }
      li {
        display: flex;
        align-items: center;
        gap: 8px;
        padding: 6px 0;
        border-top: 1px solid var(--juror-line);
      }
      li a {
        flex: 1;
        min-width: 0;
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property({ attribute: false }) state!: Pick<State, 'route'>;
  @state() private views: SavedView[] = savedViews();
  @state() private renaming = '';
  @query('dialog') private dialog!: HTMLDialogElement;
  @query('#name') private nameField!: HTMLInputElement;

  override render(): TemplateResult {
    return html`<button type="button" class="button" aria-haspopup="dialog" @click=${this.show}>${icon('list')}Views</button>
      <dialog aria-labelledby="title">
        <div class="dialog-head">
          <h2 id="title">Saved views</h2>
          <button type="button" class="button quiet icon" aria-label="Close" @click=${() => this.dialog.close()}>${icon('close')}</button>
        </div>
        <div class="dialog-body">
          <p class="muted">A view is the filter, the order and the form of the list. Views are kept in this browser only; a copied link passes one on, and whoever opens it can save it.</p>
          <form @submit=${this.onSave}>
            <label class="visually-hidden" for="name">Name of this view</label>
            <input id="name" class="field" required maxlength="80" autocomplete="off" placeholder="Name of this view" />
            <button class="button primary">Save</button>
          </form>
          ${this.views.length === 0 ? nothing : html`<ul aria-label="Saved views">${this.views.map((view) => html`<li>${view.name === this.renaming ? this.renderRenaming(view) : this.renderView(view)}</li>`)}</ul>`}
        </div>
      </dialog>`;
  }

  private renderView({ name, hash }: SavedView): TemplateResult {
    return html`<a href=${hash} @click=${() => this.dialog.close()}><bdi>${name}</bdi></a>
      <button type="button" class="button tiny" aria-label="Copy the link of ${name}" @click=${() => this.copy(hash)}>Copy link</button>
      <button type="button" class="button tiny rename" aria-label="Rename ${name}" @click=${() => this.startRenaming(name)}>Rename</button>
      <button type="button" class="button tiny delete" aria-label="Delete ${name}" @click=${() => this.onDelete(name)}>Delete</button>`;
  }

  private renderRenaming({ name }: SavedView): TemplateResult {
    return html`<form @submit=${(event: Event) => this.onRename(event, name)}>
      <input class="field renaming" required maxlength="80" autocomplete="off" aria-label="New name of ${name}" .value=${name} />
      <button class="button">Rename</button>
      <button type="button" class="button quiet" @click=${() => this.stopRenaming(name)}>Cancel</button>
    </form>`;
  }

  private show(): void {
    this.views = savedViews();
    this.renaming = '';
    this.dialog.showModal();
  }

  private onSave(event: Event): void {
    event.preventDefault();
    const name = this.nameField.value.trim();
    if (name === '') return;
    this.told(saveView({ name, hash: hrefOf(this.state.route, this.state.route.place) }));
    this.nameField.value = '';
  }

  private async startRenaming(name: string): Promise<void> {
    this.renaming = name;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLInputElement>('.renaming')?.select();
  }

  private onRename(event: Event, from: string): void {
    event.preventDefault();
    const to = this.renderRoot.querySelector<HTMLInputElement>('.renaming')?.value.trim() ?? '';
    if (to === '') return;
    const isKept = renameView(from, to);
    this.told(isKept);
    this.stopRenaming(isKept ? to : from);
  }

  /** Goes on from the view that was or was not renamed. */
  private stopRenaming(name: string): void {
    this.renaming = '';
    void this.focusOn(
      this.views.findIndex((view) => view.name === name),
      '.rename',
    );
  }

  /** Goes on with the next view. */
  private onDelete(name: string): void {
    const at = this.views.findIndex((view) => view.name === name);
    this.told(deleteView(name));
    void this.focusOn(Math.min(at, this.views.length - 1), '.delete, .renaming');
  }

  /** Focuses what is in a view's row; without a row the name of a new view. */
  private async focusOn(at: number, what: string): Promise<void> {
    await this.updateComplete;
    const row = this.renderRoot.querySelectorAll('li').item(at) as HTMLElement | null;
    (row?.querySelector<HTMLElement>(what) ?? this.nameField).focus();
  }

  private told(isKept: boolean): void {
    this.views = savedViews();
    if (!isKept) notify(this, 'error', 'The browser does not let this page keep anything. Copy the address instead.');
  }

  private copy(hash: string): void {
    const url = new URL(hash, location.href).href;
    navigator.clipboard.writeText(url).then(
      () => notify(this, 'info', 'Link copied.'),
      () => notify(this, 'error', `The browser did not allow copying. The link is ${url}`),
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-saved-views': JurorSavedViews;
  }
}
