import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import { page } from '../../engine/loader/page';
import { messageOf } from '../../engine/errors';
import type { TableFormat } from '../../engine/types/TableFormat';
import { base, controls } from '../../styles/base.styles';
import { download, notify, say } from '../events';
import '../menu/menu';
import type { JurorPackDialog, PackForm } from '../pack-dialog/pack-dialog';

/** Ending and kind of each form of the tables. */
const TABLES: Record<TableFormat, [ending: string, kind: string]> = {
  md: ['md', 'tables'],
  latex: ['tex', 'tables'],
  'latex-intervals': ['tex', 'tables-intervals'],
};

/**
 * @summary Saves the report, tables of it, an evidence pack, also as a page in one file, and the replies that were pasted, asked for or brought back, where there are any.
 */
@customElement('juror-export-menu')
export class JurorExportMenu extends LitElement {
  static override styles = [
    base,
    controls,
    css`
      small {
        display: block;
        max-width: 19rem;
        font-weight: 400;
      }
    `,
  ];

  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'pastes' | 'unexportedPastes' | 'reading' | 'opening' | 'packing' | 'overview' | 'route'>;
  /** Why no report as a page in one file can be written: it takes that page, which not every copy has with it. */
  @state() private noTemplate = '';
  #asked = false;
  @query('juror-pack-dialog') private packs!: JurorPackDialog;

  override render(): TemplateResult {
    const { pastes, unexportedPastes, reading, opening } = this.state;
    // What is asked for while files are read is written once they all are.
    const partial = reading === 'cancelled' || opening !== '' ? ' (partial)' : reading === 'reading' ? ' (once all is read)' : '';
    return html`<juror-menu @juror-menu-open=${this.onOpen} label=${unexportedPastes > 0 ? `Export (${unexportedPastes})` : 'Export'}>
      <button type="button" role="menuitem" data-testid="export-json" @click=${() => this.report('json')}>Report as JSON${partial}</button>
      <button type="button" role="menuitem" data-testid="export-csv" @click=${() => this.report('csv')}>Report as CSV${partial}</button>
      <button type="button" role="menuitem" data-testid="export-md" @click=${() => this.tables('md')}>Tables as Markdown${partial}</button>
      <button type="button" role="menuitem" data-testid="export-latex" @click=${() => this.tables('latex')}>Tables as LaTeX: means${partial}</button>
      <button type="button" role="menuitem" data-testid="export-latex-intervals" @click=${() => this.tables('latex-intervals')}>Tables as LaTeX: means with 95 % intervals${partial}</button>
      <button type="button" role="menuitem" data-testid="export-html" aria-disabled=${this.noTemplate === '' ? nothing : 'true'} @click=${this.html}>
        Report as HTML…${this.noTemplate === '' ? nothing : html`<small>Not offered: ${this.noTemplate}</small>`}
      </button>
      <button type="button" role="menuitem" data-testid="export-pack" @click=${() => void this.pack('pack')}>Evidence pack…</button>
      <button type="button" role="menuitem" data-testid="export-embed" @click=${() => say(this, 'go', { view: 'embed' })}>Embed on a page…</button>
      ${
        this.state.overview?.measures.length
          ? html`<button type="button" role="menuitem" data-testid="export-measures" @click=${this.measures}>Measured values as JSONL${partial}</button>`
          : nothing
      }
      ${
        pastes === 0
          ? nothing
          : html`<button type="button" role="menuitem" data-testid="export-journal" @click=${this.journal}>
            Replies as JSONL (${pastes})
          </button>`
      }
    </juror-menu>
      <juror-pack-dialog .client=${this.client} .state=${this.state}></juror-pack-dialog>`;
  }

  /** The page in one file is looked for once. */
  private readonly onOpen = (): void => {
    if (this.#asked) return;
    this.#asked = true;
    page.template().catch((error: unknown) => (this.noTemplate = messageOf(error)));
  };

  private html(event: Event): void {
    // The menu stays open, so that the sentence can be read.
    if (this.noTemplate !== '') event.stopPropagation();
    else void this.pack('html');
  }

  /** The dialog comes when it is first needed. */
  private async pack(form: PackForm): Promise<void> {
    try {
      await import('../pack-dialog/pack-dialog');
    } catch (error) {
      notify(this, 'error', `The dialog could not be loaded: ${messageOf(error)}`);
      return;
    }
    this.packs.show(form);
  }

  private tables(format: TableFormat): void {
    const { options } = this.state.route;
    const [ending, kind] = TABLES[format];
    this.client.tables(options, format).then(
      (bytes) =>
        download(
          this,
          new Blob([bytes], { type: ending === 'md' ? 'text/markdown' : 'application/x-tex' }),
          ending,
          kind,
          options.profile,
          options.policy ?? '',
        ),
      (error: unknown) => notify(this, 'error', `The tables could not be written: ${messageOf(error)}`),
    );
  }

  private report(format: 'json' | 'csv'): void {
    const { options } = this.state.route;
    this.client.report(options, format).then(
      (bytes) =>
        download(
          this,
          new Blob([bytes], { type: format === 'json' ? 'application/json' : 'text/csv' }),
          format,
          'report',
          options.profile,
          options.policy ?? '',
        ),
      (error: unknown) => notify(this, 'error', `The report could not be written: ${messageOf(error)}`),
    );
  }

  private measures(): void {
    this.client.measures().then(
      (bytes) => download(this, new Blob([bytes], { type: 'application/x-ndjson' }), 'jsonl', 'measures'),
      (error: unknown) => notify(this, 'error', `The measured values could not be written: ${messageOf(error)}`),
    );
  }

  private journal(): void {
    this.client.journal().then(
      (bytes) => {
        download(this, new Blob([bytes], { type: 'application/jsonl' }), 'jsonl', 'journal');
        say(this, 'exported', null);
      },
      (error: unknown) => notify(this, 'error', `The replies could not be written: ${messageOf(error)}`),
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-export-menu': JurorExportMenu;
  }
}
