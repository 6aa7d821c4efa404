import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { StoreController } from '../state/controllers';
import { exportName } from '../state/download';
import { FocusKeeper } from '../state/focus';
import { bytes } from '../state/format';
import { store } from '../state/store';
import { chosenIn, renderChoices, type Chosen } from '../components/score-table/around';
import { late, policy, slider, snippet, type Choice } from '../embed/snippet';
import '../embed/viewer';
import { messageOf } from '../engine/errors';
import type { Overview } from '../engine/types/Overview';
import { manualLink } from '../manual/link';
import { base, controls } from '../styles/base.styles';

/** The scripts lie beside the hosted page; a page opened from disk has none. */
const SCRIPTS = location.protocol === 'file:' ? null : 'embed/';
/** Texts that can be copied. */
type Copied = 'snippet' | 'policy' | 'slider';
/** A preview packs the pictures as well if they are no more than this. */
const PICTURES_BYTES = 50 * 1000 * 1000;

/**
 * @summary Writes the lines that put these scores on somebody's page, and shows how that looks.
 */
@customElement('juror-embed-view')
export class JurorEmbedView extends LitElement {
  static override styles = [
    base,
    controls,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 16px;
      }
      .lead {
        max-width: 76ch;
        color: var(--juror-text-2);
      }
      .panel {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 12px;
        padding: 16px;
      }
      .form {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 240px), 1fr));
        gap: 12px 20px;
        align-items: start;
      }
      .form label {
        display: grid;
        gap: 4px;
      }
      .form .field {
        width: 100%;
      }
      fieldset:not(.segmented) {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 16px;
        min-width: 0;
        margin: 0;
        padding: 0;
        border: 0;
      }
      fieldset:not(.segmented) label {
        display: inline-flex;
        min-width: 0;
        overflow-wrap: anywhere;
        align-items: center;
        gap: 6px;
      }
      fieldset:not(.segmented) legend {
        padding: 0 0 4px;
      }
      .meaning {
        flex: 1 1 240px;
      }
      textarea {
        white-space: pre;
        overflow: auto;
      }
      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px;
      }
    `,
  ];

  readonly #store = new StoreController(this);
  /** While a pack is made its button is of no use; who pressed it goes on with what is said of it. */
  protected readonly keeper = new FocusKeeper(
    this,
    () =>
      this.renderRoot.querySelector<HTMLElement>('[data-testid="embed-preview"]:enabled') ??
      this.renderRoot.querySelector<HTMLElement>('[aria-labelledby="preview"] [role="status"]'),
  );
  @state() private choice: Omit<Choice, 'models'> = {
    pack: '',
    script: 'juror-viewer.js',
    theme: 'auto',
    verify: 'auto',
    table: true,
    scope: '',
    criterion: 'total',
  };
  /** Models that are not shown. */
  @state() private without: string[] = [];
  @state() private preview: { state: 'none' } | { state: 'packing' } | { state: 'shown'; pack: Blob } | { state: 'failed'; message: string } = {
    state: 'none',
  };
  @state() private said = '';

  override render(): TemplateResult {
    const { overview, reading } = this.#store.state;
    if (overview?.benchmark == null || overview.models.length === 0) {
      return html`<div class="titled"><h1>Embed</h1>${manualLink(this.#store.state.route, 'sharing', 'on-your-own-page')}</div>
        <p class="lead">Open a benchmark and the results of a model first: the lines that show their scores on your own page then appear here.</p>`;
    }
    const chosen = chosenIn(overview, this.choice);
    const pack = this.choice.pack || exportName('zip', 'evidence');
    const choice: Choice = { ...this.choice, ...chosen, pack, models: overview.models.map(({ name }) => name).filter((name) => !this.without.includes(name)) };
    return html`<div class="titled"><h1>Embed</h1>${manualLink(this.#store.state.route, 'sharing', 'on-your-own-page')}</div>
      <p class="lead">
        A page of yours shows these scores with two files beside it: the script and an evidence pack. Readers see the table at once, can have it recomputed from the raw replies in their own browser, and open
        every sample behind a number. Nothing else is asked for, nothing is kept, and no key is ever involved.
      </p>
      <section class="panel" aria-labelledby="files">
        <h2 id="files">1. Two files</h2>
        <p>
          The pack: <strong>Export → Evidence pack…</strong> writes it, with pictures if readers are to see them. The script:
          ${renderScript('juror-viewer.js', 'embed-script')}, the same for every page.
        </p>
      </section>
      <section class="panel" aria-labelledby="look">
        <h2 id="look">2. What the page shows</h2>
        <div class="toolbar">${renderChoices(overview, chosen, (part: Partial<Chosen>) => this.set({ ...part, ...(part.criterion === '' ? { criterion: 'total' } : {}) }))}</div>
        ${this.renderForm(overview, choice)}
      </section>
      ${this.renderText('snippet', '3. The lines for the page', 'Put them where the table is to appear.', snippet(overview, choice))}
      <details class="panel">
        <summary>Load the script only when readers come near</summary>
        <p>The script has about 950 kB; with juror-viewer.light.js it has a tenth of that, and fetches juror-viewer.wasm from beside itself only when something is recomputed. To load either only when a reader scrolls near, put these lines in place of the script’s:</p>
        <textarea class="field" readonly rows="8" aria-label="Lines that load the script late" data-testid="embed-late" .value=${late(choice)}></textarea>
      </details>
      ${this.renderText(
        'policy',
        '4. If the page has a Content-Security-Policy',
        'Add these sources to its directives. Without wasm-unsafe-eval the table is shown as reported; without worker-src the engine runs on the page’s own thread; without img-src samples have no pictures. The reserved height, which keeps the page still while the table comes, needs style-src-attr ’unsafe-inline’, or a place in a style sheet of the page; other styles need nothing. A page that says require-trusted-types-for ’script’ adds: trusted-types lit-html juror.',
        policy(choice),
      )}
      ${this.renderText(
        'slider',
        'A slider between two pictures',
        html`For the pictures of a sample, or any two: ${renderScript('juror-compare.js', 'embed-slider-script')} draws them over each other with a divider that readers drag or move by the arrow keys. It is a few kB, needs no pack and no Wasm, and under a Content-Security-Policy nothing but script-src and img-src.`,
        slider(),
      )}
      <section class="panel" aria-labelledby="preview">
        <div class="head">
          <h2 id="preview">How it looks</h2>
          <span class="spacer"></span>
          <button type="button" class="button" data-testid="embed-preview" ?disabled=${reading !== 'done' || this.preview.state === 'packing'} @click=${() => void this.show()}>
            ${this.preview.state === 'shown' ? 'Pack again' : 'Pack what is open and show it'}
          </button>
        </div>
        <p role="status" tabindex="-1" class="muted small">${this.preview.state === 'packing' ? 'Packing…' : this.preview.state === 'shown' ? `A pack of ${bytes(this.preview.pack.size)}, in this page only.` : ''}</p>
        ${this.preview.state === 'failed' ? html`<p class="callout" role="alert">${this.preview.message}</p>` : nothing}
        ${
          this.preview.state !== 'shown'
            ? nothing
            : html`<juror-viewer
              .pack=${this.preview.pack}
              theme=${choice.theme}
              verify=${choice.verify}
              models=${choice.models.join(',')}
              view="scores/${chosen.scope}/${chosen.criterion}"
            ></juror-viewer>`
        }
      </section>`;
  }

  private renderForm({ models }: Overview, { pack, script, theme, verify, table }: Choice): TemplateResult {
    const text = (name: 'pack' | 'script', label: string, value: string): TemplateResult =>
      html`<label>${label}<input class="field" .value=${value} data-testid="embed-${name}" @input=${(event: Event) => this.set({ [name]: (event.target as HTMLInputElement).value.trim() })} /></label>`;
    return html`<div class="form">
        ${text('pack', 'Address of the pack', pack)} ${text('script', 'Address of the script', script)}
        <label>
          Colours
          <select class="field" data-testid="embed-theme" @change=${(event: Event) => this.set({ theme: (event.target as HTMLSelectElement).value as Choice['theme'] })}>
            <option value="auto" ?selected=${theme === 'auto'}>As the page’s color-scheme</option>
            <option value="light" ?selected=${theme === 'light'}>Light</option>
            <option value="dark" ?selected=${theme === 'dark'}>Dark</option>
          </select>
        </label>
        <label>
          Recomputed
          <select class="field" @change=${(event: Event) => this.set({ verify: (event.target as HTMLSelectElement).value as Choice['verify'] })}>
            <option value="auto" ?selected=${verify === 'auto'}>By itself, up to 8 MB</option>
            <option value="ask" ?selected=${verify === 'ask'}>When the reader asks</option>
            <option value="always" ?selected=${verify === 'always'}>Always by itself</option>
          </select>
        </label>
      </div>
      <fieldset>
        <legend>Models</legend>
        ${models.map(
          ({ name }) =>
            html`<label>
              <input type="checkbox" .checked=${!this.without.includes(name)} ?disabled=${!this.without.includes(name) && this.without.length === models.length - 1} @change=${() => this.toggle(name)} />
              ${name}
            </label>`,
        )}
      </fieldset>
      <fieldset>
        <legend class="visually-hidden">Inside</legend>
        <label><input type="checkbox" .checked=${table} @change=${(event: Event) => this.set({ table: (event.target as HTMLInputElement).checked })} /> A table in plain HTML for readers without scripts, search engines and print</label>
      </fieldset>`;
  }

  private renderText(id: Copied, title: string, words: string | TemplateResult, text: string): TemplateResult {
    return html`<section class="panel" aria-labelledby=${id}>
      <div class="head">
        <h2 id=${id}>${title}</h2>
        <span class="spacer"></span>
        <span role="status" class="muted small">${this.said === id ? 'Copied.' : ''}</span>
        <button type="button" class="button" data-testid="embed-copy-${id}" @click=${() => void this.copy(id, text)}>Copy</button>
      </div>
      <p class="muted small">${words}</p>
      <textarea class="field" readonly rows=${Math.min(14, text.split('\n').length)} aria-label=${title} data-testid="embed-${id}" .value=${text}></textarea>
    </section>`;
  }

  private set(part: Partial<Choice>): void {
    this.choice = { ...this.choice, ...part };
    this.said = '';
  }

  private toggle(name: string): void {
    this.without = this.without.includes(name) ? this.without.filter((one) => one !== name) : [...this.without, name];
    this.said = '';
  }

  private async copy(id: Copied, text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.said = id;
    } catch {
      store.notify('error', 'The browser did not allow copying. Select the text and copy it yourself.');
    }
  }

  private async show(): Promise<void> {
    this.preview = { state: 'packing' };
    try {
      const files = await store.client.packFiles();
      const size = files.reduce((sum, file) => sum + (file.role === 'picture' ? (file.size ?? 0) : 0), 0);
      this.preview = { state: 'shown', pack: await store.client.writePack(store.state.route.options, size > PICTURES_BYTES ? 'none' : 'full') };
    } catch (error) {
      this.preview = { state: 'failed', message: `What is open could not be packed: ${messageOf(error)}` };
    }
  }
}

/** A script as a link, or where it lies. */
function renderScript(name: string, testId: string): TemplateResult {
  return SCRIPTS === null
    ? html`<code>${name}</code>, which lies in the folder <code>embed</code> of the hosted page`
    : html`<a href=${SCRIPTS + name} download data-testid=${testId}>${name}</a>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-embed-view': JurorEmbedView;
  }
}
