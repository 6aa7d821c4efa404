import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { FocusKeeper } from '../../state/focus';
import { bytes, plural } from '../../state/format';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import { page } from '../../engine/loader/page';
import { messageOf } from '../../engine/errors';
import type { PackFile } from '../../engine/protocol';
import { withPack } from '../../engine/report-file';
import type { PackPictures } from '../../engine/types/PackPictures';
import { base, controls, dialogs } from '../../styles/base.styles';
import { download } from '../events';
import { icon } from '../icon/icon';

/** What a thumbnail usually takes: a JPEG of at most 256 pixels a side. */
const THUMBNAIL_BYTES = 12_000;

const CHOICES: [PackPictures, string, string][] = [
  ['full', 'Original', 'Everything can be judged again.'],
  ['thumbnails', 'As thumbnails', 'At most 256 pixels a side, with the hashes of the originals.'],
  ['none', 'None', 'Hashes and sizes alone: scores still reproduce.'],
];

/** A pack by itself, or inside the page in one file. */
export type PackForm = 'pack' | 'html';

/** What each form is to whoever gets it. */
const FORMS: Record<PackForm, { title: string; write: string; usual: PackPictures; file: [ending: string, kind: string]; words: TemplateResult }> = {
  pack: {
    title: 'Evidence pack',
    write: 'Write pack',
    usual: 'full',
    file: ['zip', 'evidence'],
    words: html`One ZIP with everything that these scores rest on: the benchmark’s lists, every raw reply, the requests, the verdicts and the report. Whoever opens it here, or runs <code>juror verify</code>, sees whether it reproduces.`,
  },
  html: {
    title: 'Report as HTML',
    write: 'Write report',
    usual: 'none',
    file: ['html', 'report'],
    words: html`One HTML file that can be sent by e-mail: this page with an evidence pack inside. A double click shows these scores, recomputed from the raw replies, with no network and no folder.`,
  },
};

/**
 * @summary Writes an evidence pack, by itself or inside the page in one file: the choice of pictures, the size of each, and how far writing is.
 */
@customElement('juror-pack-dialog')
export class JurorPackDialog extends LitElement {
  static override styles = [
    base,
    controls,
    dialogs,
    css`
      .dialog-body {
        display: grid;
        gap: 14px;
      }
      fieldset {
        display: grid;
        gap: 8px;
        margin: 0;
        padding: 0;
        border: 0;
      }
      fieldset label {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr) auto;
        gap: 2px 10px;
        align-items: baseline;
        padding: 10px 12px;
        border: 1px solid var(--juror-line);
        border-radius: var(--juror-radius);
      }
      fieldset small {
        grid-column: 2 / -1;
        color: var(--juror-text-2);
      }
      progress {
        width: 100%;
      }
    `,
  ];

  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'reading' | 'packing' | 'route'>;
  /** While a pack is written its button is of no use; who pressed it goes on with what is said of it. */
  protected readonly keeper = new FocusKeeper(this, () =>
    this.renderRoot.querySelector<HTMLElement>('[data-testid="pack-write"]:enabled, [data-testid="pack-status"]'),
  );
  @query('dialog') private dialog!: HTMLDialogElement;
  @state() private files: PackFile[] | null = null;
  @state() private pictures: PackPictures = 'full';
  @state() private form: PackForm = 'pack';
  @state() private phase: 'open' | 'writing' | 'done' = 'open';
  @state() private problem = '';
  @state() private written = 0;

  /** Opens the dialog and looks up sizes. */
  show(form: PackForm): void {
    this.form = form;
    this.pictures = FORMS[form].usual;
    this.files = null;
    this.phase = 'open';
    this.problem = '';
    this.dialog.showModal();
    const atHand = form === 'html' ? page.template() : Promise.resolve('');
    Promise.all([this.client.packFiles(), atHand]).then(
      ([files]) => (this.files = files),
      (error: unknown) => (this.problem = messageOf(error)),
    );
  }

  override render(): TemplateResult {
    const { reading, packing } = this.state;
    const isBusy = this.phase === 'writing';
    const { title, write, words } = FORMS[this.form];
    return html`<dialog aria-labelledby="title">
      <div class="dialog-head">
        <h2 id="title">${title}</h2>
        <button type="button" class="button quiet icon" aria-label="Close" @click=${() => this.dialog.close()}>${icon('close')}</button>
      </div>
      <div class="dialog-body">
        <p>${words}</p>
        <fieldset ?disabled=${isBusy}>
          <legend class="visually-hidden">Pictures</legend>
          ${CHOICES.map(([id, label, what]) => this.renderChoice(id, label, what))}
        </fieldset>
        <p class="small muted">Juror first checks that replies match their requests: those to an earlier picture, text or prompt are packed and do not count.</p>
        ${this.problem === '' ? nothing : html`<p class="problem" role="alert">${icon('error', 16)} ${this.problem}</p>`}
        ${isBusy ? html`<progress aria-label="Files read" max=${packing?.total ?? 1} .value=${packing?.done ?? 0}></progress>` : nothing}
        <p role="status" tabindex="-1" class="small" data-testid="pack-status">${this.phase === 'done' ? `Written: ${bytes(this.written)}.` : isBusy ? 'Reading and hashing…' : ''}</p>
        <div class="toolbar">
          <span class="spacer"></span>
          <button type="button" class="button" @click=${() => this.dialog.close()}>Close</button>
          <button type="button" class="button primary" data-testid="pack-write" ?disabled=${isBusy || this.files === null || reading !== 'done'} @click=${() => void this.write()}>
            ${icon('download')} ${write}
          </button>
        </div>
      </div>
    </dialog>`;
  }

  private renderChoice(id: PackPictures, label: string, words: string): TemplateResult {
    return html`<label>
      <input type="radio" name="pictures" data-testid="pack-${id}" .checked=${this.pictures === id} @change=${() => (this.pictures = id)} />
      <span>${label}</span>
      <span class="num" data-testid="pack-size-${id}">${this.size(id)}</span>
      <small>${words}</small>
    </label>`;
  }

  /** Before compression, which shortens the texts. */
  private size(choice: PackPictures): string {
    if (this.files === null) return '…';
    const isPicture = ({ role }: PackFile): boolean => role === 'picture';
    const sum = (files: PackFile[]): number => files.reduce((sum, { size }) => sum + (size ?? 0), 0);
    const texts = sum(this.files.filter((file) => !isPicture(file)));
    const pictures = this.files.filter(isPicture);
    const kept = { full: sum(pictures), thumbnails: pictures.reduce((sum, { size }) => sum + Math.min(size ?? THUMBNAIL_BYTES, THUMBNAIL_BYTES), 0), none: 0 }[
      choice
    ];
    return `about ${bytes(texts + kept)}${choice === 'none' ? '' : `, ${plural(pictures.length, 'picture')}`}`;
  }

  private async write(): Promise<void> {
    const { options } = this.state.route;
    this.phase = 'writing';
    this.problem = '';
    try {
      const pack = await this.client.writePack(options, this.pictures);
      const blob = this.form === 'html' ? await withPack(pack) : pack;
      this.written = blob.size;
      this.phase = 'done';
      download(this, blob, ...FORMS[this.form].file);
    } catch (error) {
      this.phase = 'open';
      this.problem = `It could not be written: ${messageOf(error)}`;
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-pack-dialog': JurorPackDialog;
  }
}
