import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { Query } from '../../state/query';
import { judgeScore, turnWords } from '../../state/format';
import { requestItems, wholeText } from '../../state/request-folder';
import { KEEPING } from '../../state/keeping';
import { Told } from '../../state/told';
import type { State } from '../../state/state';
import { type EngineClient, isAbort } from '../../engine/client';
import { messageOf } from '../../engine/errors';
import type { CriterionInfo } from '../../engine/types/CriterionInfo';
import type { RequestInfo } from '../../engine/types/RequestInfo';
import type { KeptReply } from '../../engine/types/KeptReply';
import type { ParsedReply } from '../../engine/types/ParsedReply';
import type { PastedReply } from '../../engine/types/PastedReply';
import type { PasteResult } from '../../engine/types/PasteResult';
import type { RequestKey } from '../../engine/types/RequestKey';
import type { RequestView } from '../../engine/types/RequestView';
import { base, controls, dialogs } from '../../styles/base.styles';
import { download, notify } from '../events';
import { icon } from '../icon/icon';
import { picturesOf } from '../parts/parts';
import '../parts/parts';
import { styles } from './request-dialog.styles';

const PARSE_MS = 250;

/**
 * @summary One request as the judge sees it, with copy, download, and pasting the reply.
 * @fires juror-dialog-closed - The dialog was closed.
 */
@customElement('juror-request-dialog')
export class JurorRequestDialog extends LitElement {
  static override styles = [base, controls, dialogs, styles];

  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'version' | 'opened' | 'keeping'>;
  /** Keeps a reply, unless there is one of the same judge and run. */
  @property({ attribute: false }) paste!: (reply: PastedReply) => Promise<KeptReply>;
  protected readonly told = new Told(this);
  @state() private key: RequestKey | null = null;
  @state() private info: RequestInfo | null = null;
  @state() private criterion: CriterionInfo | null = null;
  @state() private text = '';
  @state() private judge = 'manual';
  @state() private run = 1;
  @state() private reading: PasteResult | null = null;
  @state() private saved = '';
  @state() private isStored = false;
  @state() private refused = '';
  @query('dialog') private dialog!: HTMLDialogElement;
  @query('textarea') private area!: HTMLTextAreaElement;
  readonly #request = new Query<RequestView>(this);
  #asked = 0;
  #parsing: { timer: ReturnType<typeof setTimeout>; call: AbortController } | null = null;

  /** Opens for one request; a text that was pasted for another request is dropped, for the same it stays. */
  show(key: RequestKey, info: RequestInfo | null, criteria: CriterionInfo[]): void {
    const same = JSON.stringify(key) === JSON.stringify(this.key);
    this.key = key;
    this.info = info;
    this.criterion = criteria.find(({ id }) => id === key.criterion) ?? null;
    this.#asked += 1;
    if (!same) {
      this.#request.clear();
      this.text = '';
      this.reading = null;
      this.refused = '';
    }
    this.saved = '';
    if (!this.dialog.open) this.dialog.showModal();
  }

  close(): void {
    this.dialog.close();
  }

  protected override willUpdate(): void {
    const { key } = this;
    if (key === null || !this.dialog.open) return;
    this.#request.ask(`${this.#asked} ${this.state.version} ${JSON.stringify(key)}`, (signal) => this.client.request(key, signal));
  }

  override render(): TemplateResult {
    const { key } = this;
    return html`<dialog aria-labelledby="title" data-testid="request-dialog" @close=${() => this.dispatchEvent(new Event('juror-dialog-closed'))}>
      ${
        key === null
          ? nothing
          : html`<div class="dialog-head">
              <h2 id="title">
                As the judge sees it
                <span class="sub">${this.info?.label ?? key.criterion} · ${key.model} · sample ${key.sample}${turnWords(key.turn)}</span>
              </h2>
              <button type="button" class="button quiet icon" aria-label="Close" @click=${() => this.dialog.close()}>${icon('close')}</button>
            </div>
            <div class="dialog-body">${this.renderRequest()} ${this.renderPaste(key)}</div>`
      }
    </dialog>`;
  }

  private renderRequest(): TemplateResult {
    const request = this.#request.value;
    const { error } = this.#request;
    if (error !== null) return html`<p class="problem" role="alert">${error.message}</p>`;
    if (request === null) return html`<p class="muted">Putting the request together…</p>`;
    return html`<section class="request" aria-label="Request">
      <div class="toolbar">
        <button type="button" class="button primary" data-testid="copy-prompt" @click=${() => void this.told.tell('prompt', () => copy(request))}>${this.told.words('prompt', 'Copy prompt')}</button>${this.told.answer('prompt')}
        <button type="button" class="button" data-testid="download-request" @click=${() => void this.download(request)}>${icon('download')}Download request folder</button>
      </div>
      ${request.error === null ? nothing : html`<p class="problem" role="alert">${request.error}</p>`}
      ${request.notes.length === 0 ? nothing : html`<ul class="notes">${request.notes.map((note) => html`<li>${icon('note', 16)}<span>${note}</span></li>`)}</ul>`}
      ${request.system === null ? nothing : html`<section class="system" aria-label="System message"><h3>System message</h3><p class="mono">${request.system}</p></section>`}
      <juror-parts .client=${this.client} .parts=${request.parts}></juror-parts>
      <dl class="facts small">
        <div><dt>Expected reply</dt><dd class="mono">${request.grammar}</dd></div>
        <div><dt>Prompt pack</dt><dd><span class="mono" title="SHA-256 ${request.pack.sha256}">${request.pack_words}</span></dd></div>
        <div><dt>Request hash</dt><dd class="mono hash">${request.sha256 ?? 'not known: a picture cannot be read'}</dd></div>
      </dl>
    </section>`;
  }

  private renderPaste(key: RequestKey): TemplateResult {
    const ready = this.text.trim() !== '' && this.judge.trim() !== '';
    return html`<section class="paste" aria-label="Paste reply">
      <h3>Paste the judge’s reply</h3>
      <p class="small muted">Give prompt and pictures to any judge, then paste what it answers, word for word.</p>
      <textarea
        dir="auto"
        class="field"
        rows="9"
        spellcheck="false"
        aria-label="Reply"
        aria-describedby="status"
        placeholder=${this.#request.value?.grammar ?? ''}
        data-testid="paste-text"
        .value=${this.text}
        @input=${this.onText}
      ></textarea>
      <div class="who">
        <label>Judge <input class="field" .value=${this.judge} data-testid="paste-judge" @input=${this.onJudge} /></label>
        <label>Run <input class="field run" type="number" min="1" step="1" .value=${String(this.run)} data-testid="paste-run" @input=${this.onRun} /></label>
      </div>
      <div id="status" class="status" data-testid="paste-status" data-status=${this.reading?.paper.status ?? 'none'} aria-live="polite">${this.renderStatus()}</div>
      ${this.refused === '' ? nothing : html`<p class="problem" role="alert">${this.refused}</p>`}
      <div class="toolbar">
        <button type="button" class="button primary" data-testid="paste-save" ?disabled=${!ready} @click=${() => void this.save(key, 'readable')}>Save reply</button>
        ${
          this.reading !== null && this.reading.paper.status !== 'ok'
            ? html`<button type="button" class="button" data-testid="paste-keep" ?disabled=${!ready} @click=${() => void this.save(key, 'any')}>Save as unreadable</button>`
            : nothing
        }
      </div>
    </section>`;
  }

  private renderStatus(): TemplateResult | typeof nothing {
    if (this.saved !== '') {
      return html`<p class="verdict ok">${icon('check', 16)}<span>${this.saved}</span></p>
        <p class="small muted">${this.isStored ? whereKept(this.state) : 'Pasted replies live in this tab only: Export → Replies saves them.'}</p>`;
    }
    if (this.reading === null) return nothing;
    const { paper, released, duplicate } = this.reading;
    return html`${this.renderReading('Strict reading', paper)} ${this.renderReading('As the released code reads it', released)}
    ${duplicate ? html`<p class="verdict warn">${icon('warn', 16)}<span>Judge “${this.judge}” already has a reply for run ${this.run}; it stays. Choose another run to add one.</span></p>` : nothing}`;
  }

  private renderReading(title: string, reply: ParsedReply): TemplateResult {
    if (reply.status === 'ok') {
      const of = this.criterion === null ? '' : ` of ${this.criterion.max}`;
      const parts = Object.entries(reply.criteria).filter(([name]) => name !== this.key?.criterion);
      return html`<p class="verdict ok">
        ${icon('check', 16)}<span><b>${title}:</b> ${reply.score === null ? 'read' : html`<span class="num">${judgeScore(reply.score)}${of}</span>`}${parts.length === 0 ? nothing : html` <span class="num">${parts.map(([name, value]) => `${name.replaceAll('_', ' ')} ${judgeScore(value)}`).join(', ')}</span>`}${reply.reason === '' ? nothing : html` <span class="muted">– ${reply.reason}</span>`}</span>
      </p>`;
    }
    return html`<p class="verdict bad">${icon('error', 16)}<span><b>${title}:</b> <bdi>${reply.detail}</bdi> <span class="mono small">(${reply.kind})</span></span></p>`;
  }

  private reply(key: RequestKey): PastedReply {
    return { key, judge: this.judge.trim(), run: this.run, text: this.text, time: new Date().toISOString() };
  }

  private onText(event: Event): void {
    this.text = (event.target as HTMLTextAreaElement).value;
    this.parseSoon();
  }

  private onJudge(event: Event): void {
    this.judge = (event.target as HTMLInputElement).value;
    this.parseSoon();
  }

  private onRun(event: Event): void {
    this.run = Math.max(1, Math.floor(Number((event.target as HTMLInputElement).value)) || 1);
    this.parseSoon();
  }

  private parseSoon(): void {
    this.saved = '';
    this.refused = '';
    if (this.#parsing !== null) {
      clearTimeout(this.#parsing.timer);
      this.#parsing.call.abort();
      this.#parsing = null;
    }
    if (this.text.trim() === '' || this.key === null) {
      this.reading = null;
      return;
    }
    const reply = this.reply(this.key);
    const call = new AbortController();
    const timer = setTimeout(() => {
      this.client.parse(reply, call.signal).then(
        (result) => {
          if (!call.signal.aborted) this.reading = result;
        },
        (error: unknown) => {
          if (!isAbort(error)) this.refused = messageOf(error);
        },
      );
    }, PARSE_MS);
    this.#parsing = { timer, call };
  }

  private async save(key: RequestKey, which: 'readable' | 'any'): Promise<void> {
    this.refused = '';
    try {
      const reply = this.reply(key);
      const reading = await this.client.parse(reply);
      this.reading = reading;
      if (reading.paper.status !== 'ok' && which === 'readable') {
        this.refused = 'Not saved: the reply cannot be read as it stands. Correct it, or keep it as it is: it then counts as an incident.';
        this.area.focus();
        return;
      }
      const result = await this.paste(reply);
      if (!result.kept) {
        this.refused = result.duplicate ? `Not saved: judge “${reply.judge}” already has a reply for run ${reply.run}. Choose another run.` : 'Not saved.';
        return;
      }
      this.isStored = result.stored;
      this.saved = reading.paper.status === 'ok' ? `Saved: ${reply.judge}, run ${reply.run}.` : `Kept as unreadable: ${reply.judge}, run ${reply.run}.`;
      this.text = '';
      this.reading = null;
    } catch (error) {
      this.refused = `Not saved: ${messageOf(error)}`;
    }
  }

  private async download(request: RequestView): Promise<void> {
    const { key } = request;
    try {
      const blob = await this.client.zip(await requestItems(this.client, request));
      download(this, blob, 'zip', 'request', key.model, key.sample, `turn${key.turn}`, key.criterion);
    } catch (error) {
      notify(this, 'error', `The request could not be packed: ${messageOf(error)}`);
    }
  }
}

/** Puts a request's text on the clipboard; the words for it. */
async function copy(request: RequestView): Promise<string> {
  try {
    await navigator.clipboard.writeText(wholeText(request));
  } catch {
    throw new Error('The browser did not allow copying. Download the request folder instead: request.txt holds the prompt.');
  }
  const pictures = picturesOf(request.parts).length;
  return pictures === 0 ? 'Prompt copied' : `Prompt copied, with ${pictures === 1 ? 'a place' : `${pictures} places`} for pictures`;
}

/** A pack shows what is in it alone. */
function whereKept({ opened, keeping }: Pick<State, 'opened' | 'keeping'>): string {
  const back = opened.some(({ pack }) => pack)
    ? 'comes back when the benchmark’s own folders are opened, as an evidence pack shows only what is in it'
    : 'comes back with the benchmark';
  return `It is in this browser’s storage and ${back}${keeping === null ? '' : `. Replies stay there ${KEEPING[keeping]}`}. Export → Replies saves it as a file.`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-request-dialog': JurorRequestDialog;
  }
}
