import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import { StoreController } from '../../app/controllers';
import { download } from '../../app/download';
import { store } from '../../app/store';
import { page } from '../../engine/loader/page';
import { messageOf } from '../../engine/errors';
import type { TableFormat } from '../../engine/types/TableFormat';
import { base, controls } from '../../styles/base.styles';
import '../menu/menu';
import type { JurorPackDialog, PackForm } from '../pack-dialog/pack-dialog';

/**
 * @summary Saves the report, tables of it, an evidence pack, also as a page in one file, and the replies that were pasted, asked for or brought back, where there are any.
 */
@customElement('juror-export-menu')
export class JurorExportMenu extends LitElement {
  static override styles = [base, controls];

  readonly #store = new StoreController(this);
  /** Whether a report as a page in one file can be written: it takes that page, which not every copy has beside it. */
  @state() private hasTemplate = false;
  #asked = false;
  @query('juror-pack-dialog') private packs!: JurorPackDialog;

  override render(): TemplateResult {
    const { pastes, unexportedPastes, reading, opening } = this.#store.state;
    // What is asked for while files are read is written once they all are.
    const partial = reading === 'cancelled' || opening !== '' ? ' (partial)' : reading === 'reading' ? ' (once all is read)' : '';
    return html`<juror-menu @juror-menu-open=${this.onOpen} label=${unexportedPastes > 0 ? `Export (${unexportedPastes})` : 'Export'}>
      <button type="button" role="menuitem" data-testid="export-json" @click=${() => this.report('json')}>Report as JSON${partial}</button>
      <button type="button" role="menuitem" data-testid="export-csv" @click=${() => this.report('csv')}>Report as CSV${partial}</button>
      <button type="button" role="menuitem" data-testid="export-md" @click=${() => this.tables('md')}>Tables as Markdown${partial}</button>
      <button type="button" role="menuitem" data-testid="export-latex" @click=${() => this.tables('latex')}>Tables as LaTeX${partial}</button>
      <button type="button" role="menuitem" data-testid="export-latex-intervals" @click=${() => this.tables('latex-intervals')}>Tables as LaTeX, with intervals${partial}</button>
      ${this.hasTemplate ? html`<button type="button" role="menuitem" data-testid="export-html" @click=${() => void this.pack('html')}>Report as HTML…</button>` : nothing}
      <button type="button" role="menuitem" data-testid="export-pack" @click=${() => void this.pack('pack')}>Evidence pack…</button>
      <button type="button" role="menuitem" data-testid="export-embed" @click=${() => store.go({ view: 'embed' })}>Embed on a page…</button>
      ${
        this.#store.state.overview?.measures.length
          ? html`<button type="button" role="menuitem" data-testid="export-measures" @click=${this.measures}>Measured values as measures.jsonl${partial}</button>`
          : nothing
      }
      ${
        pastes === 0
          ? nothing
          : html`<button type="button" role="menuitem" data-testid="export-journal" @click=${this.journal}>
            Replies as journal.jsonl (${pastes})
          </button>`
      }
    </juror-menu>
      <juror-pack-dialog></juror-pack-dialog>`;
  }

  /** What is not there is not offered; it is looked for once. */
  private readonly onOpen = (): void => {
    if (this.#asked) return;
    this.#asked = true;
    page.template().then(
      () => (this.hasTemplate = true),
      () => (this.hasTemplate = false),
    );
  };

  /** The dialog comes when it is first needed. */
  private async pack(form: PackForm): Promise<void> {
    try {
      await import('../pack-dialog/pack-dialog');
    } catch (error) {
      store.notify('error', `The dialog could not be loaded: ${messageOf(error)}`);
      return;
    }
    this.packs.show(form);
  }

  private tables(format: TableFormat): void {
    const { options } = store.state.route;
    const policy = options.policy === null ? '' : `-${options.policy}`;
    store.client.tables(options, format).then(
      (bytes) =>
        download(
          new Blob([bytes], { type: format === 'md' ? 'text/markdown' : 'application/x-tex' }),
          `juror-tables-${options.profile}${policy}.${format === 'md' ? 'md' : 'tex'}`,
        ),
      (error: unknown) => store.notify('error', `The tables could not be written: ${messageOf(error)}`),
    );
  }

  private report(format: 'json' | 'csv'): void {
    const { options } = store.state.route;
    const policy = options.policy === null ? '' : `-${options.policy}`;
    store.client.report(options, format).then(
      (bytes) =>
        download(new Blob([bytes], { type: format === 'json' ? 'application/json' : 'text/csv' }), `juror-report-${options.profile}${policy}.${format}`),
      (error: unknown) => store.notify('error', `The report could not be written: ${messageOf(error)}`),
    );
  }

  private measures(): void {
    store.client.measures().then(
      (bytes) => download(new Blob([bytes], { type: 'application/x-ndjson' }), 'measures.jsonl'),
      (error: unknown) => store.notify('error', `The measured values could not be written: ${messageOf(error)}`),
    );
  }

  private journal(): void {
    store.client.journal().then(
      (bytes) => {
        download(new Blob([bytes], { type: 'application/jsonl' }), 'journal.jsonl');
        store.pastesExported();
      },
      (error: unknown) => store.notify('error', `The replies could not be written: ${messageOf(error)}`),
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-export-menu': JurorExportMenu;
  }
}
