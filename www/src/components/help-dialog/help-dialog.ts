import { LitElement, css, html, type TemplateResult } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import { base, controls, dialogs } from '../../styles/base.styles';
import { icon } from '../icon/icon';

const KEYS: [string, [string[], string][]][] = [
  [
    'Everywhere',
    [
      [['?'], 'This list'],
      [['Esc'], 'Close a dialog'],
    ],
  ],
  [
    'Samples',
    [
      [['/'], 'Search'],
      [['J', '↓'], 'Next row'],
      [['K', '↑'], 'Previous row'],
      [['Enter'], 'Open the row'],
    ],
  ],
  [
    'Sample',
    [
      [['J', '→'], 'Next sample'],
      [['K', '←'], 'Previous sample'],
      [['1', '…', '9'], 'Show or hide a model'],
    ],
  ],
  [
    'Picture',
    [
      [['←', '→'], 'Previous, next picture of the turn'],
      [['+', '−'], 'Larger, smaller'],
      [['0'], 'Fit to the window'],
      [['1'], 'One to one'],
    ],
  ],
];

/**
 * @summary Lists the keys.
 */
@customElement('juror-help-dialog')
export class JurorHelpDialog extends LitElement {
  static override styles = [
    base,
    controls,
    dialogs,
    css`
      :host {
        --dialog-width: 560px;
      }
      .dialog-body {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(220px, 1fr));
        gap: 20px 32px;
      }
      dl {
        display: grid;
        gap: 6px;
        margin-top: 8px;
      }
      dl div {
        display: flex;
        gap: 12px;
      }
      dt {
        display: flex;
        gap: 4px;
        min-width: 76px;
      }
    `,
  ];

  @query('dialog') private dialog!: HTMLDialogElement;

  override render(): TemplateResult {
    return html`<dialog aria-labelledby="title">
      <div class="dialog-head">
        <h2 id="title">Keys</h2>
        <button type="button" class="button quiet icon" aria-label="Close" @click=${() => this.dialog.close()}>${icon('close')}</button>
      </div>
      <div class="dialog-body">
        ${KEYS.map(
          ([place, keys]) =>
            html`<section>
              <h3>${place}</h3>
              <dl>
                ${keys.map(([names, words]) => html`<div><dt>${names.map((name) => (name === '…' ? '…' : html`<kbd>${name}</kbd>`))}</dt><dd>${words}</dd></div>`)}
              </dl>
            </section>`,
        )}
      </div>
    </dialog>`;
  }

  /** Opens the list. */
  show(): void {
    if (!this.dialog.open) this.dialog.showModal();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-help-dialog': JurorHelpDialog;
  }
}
