import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { safeName } from '../../state/save';
import { plural } from '../../state/format';
import { requestItems } from '../../state/request-folder';
import type { EngineClient } from '../../engine/client';
import { messageOf } from '../../engine/errors';
import type { ZipItem } from '../../engine/protocol';
import type { PastedTogether } from '../../engine/types/PastedTogether';
import type { JobTask } from '../../engine/types/JobTask';
import { base, controls } from '../../styles/base.styles';
import { download } from '../events';
import { icon } from '../icon/icon';
import { styles } from './by-hand.styles';

/** Requests of one download: their pictures stand in memory together. */
const MOST = 200;

/**
 * @summary Judging without a call from here: requests as files, and replies taken back together.
 */
@customElement('juror-by-hand')
export class JurorByHand extends LitElement {
  static override styles = [base, controls, styles];

  @property({ attribute: false }) client!: EngineClient;
  /** Keeps replies that come together. */
  @property({ attribute: false }) paste!: (text: string) => Promise<PastedTogether>;
  /** The requests that are open. */
  @property({ attribute: false }) tasks: JobTask[] = [];
  /** Under whom replies are filed. */
  @property() judge = 'manual';
  @state() private text = '';
  @state() private result: PastedTogether | null = null;
  @state() private problem = '';
  @state() private packing = 0;
  @query('input[type=file]') private picker!: HTMLInputElement;

  override render(): TemplateResult {
    const some = this.tasks.slice(0, MOST);
    const busy = this.packing > 0;
    return html`<h2>By hand, or on another machine</h2>
      <p class="small muted">
        Give the requests to any judge, put what it says under its heading in the sheet, and bring the sheet back. A journal and the results of OpenAI, vLLM and Gemini batches are read here as well;
        <code>juror requests</code> writes those batches.
      </p>
      <div class="toolbar">
        <button type="button" class="button" data-testid="hand-folders" ?disabled=${some.length === 0 || busy} @click=${() => void this.folders(some)}>
          ${icon('download')}${busy ? `Packing ${this.packing} of ${some.length}…` : this.tasks.length > MOST ? `First ${MOST} requests as files` : `${plural(some.length, 'request')} as files`}
        </button>
        <button type="button" class="button" data-testid="hand-sheet" ?disabled=${this.tasks.length === 0 || busy} @click=${() => void this.sheet()}>${icon('download')}Sheet for replies</button>
      </div>
      <label class="paste"
        ><span>Replies, together</span>
        <textarea class="field" rows="5" dir="auto" spellcheck="false" data-testid="hand-text" placeholder="===== juror1/… =====" .value=${this.text} @input=${(event: Event) => (this.text = (event.target as HTMLTextAreaElement).value)}></textarea>
      </label>
      <div class="toolbar">
        <button type="button" class="button primary" data-testid="hand-take" ?disabled=${this.text.trim() === ''} @click=${() => void this.take(this.text)}>Import</button>
        <button type="button" class="button" @click=${() => this.picker.click()}>Read a file…</button>
        <input type="file" hidden accept=".txt,.jsonl,.json,text/plain" data-testid="hand-file" @change=${() => void this.read()} />
      </div>
      ${this.problem === '' ? nothing : html`<p class="problem" role="alert">${icon('error', 16)} ${this.problem}</p>`}
      ${this.result === null ? nothing : renderResult(this.result)}`;
  }

  private async folders(tasks: JobTask[]): Promise<void> {
    this.problem = '';
    const items: ZipItem[] = [];
    try {
      for (const [at, { key }] of tasks.entries()) {
        this.packing = at + 1;
        const request = await this.client.request(key);
        items.push(...(await requestItems(this.client, request, `${safeName(`${key.model}-${key.sample}-turn${key.turn}-${key.criterion}`)}/`)));
      }
      items.push({ name: 'replies.txt', text: await this.client.sheet(tasks, this.judge) });
      download(this, await this.client.zip(items), 'zip', 'requests');
    } catch (error) {
      this.problem = `The requests could not be packed: ${messageOf(error)}`;
    } finally {
      this.packing = 0;
    }
  }

  private async sheet(): Promise<void> {
    this.problem = '';
    try {
      download(this, new Blob([await this.client.sheet(this.tasks, this.judge)], { type: 'text/plain' }), 'txt', 'replies');
    } catch (error) {
      this.problem = messageOf(error);
    }
  }

  private async read(): Promise<void> {
    const [file] = this.picker.files ?? [];
    if (file === undefined) return;
    await this.take(await file.text());
    this.picker.value = '';
  }

  private async take(text: string): Promise<void> {
    this.problem = '';
    this.result = null;
    try {
      this.result = await this.paste(text);
      if (this.result.taken > 0) this.text = '';
      else if (this.result.problems.length === 0)
        this.problem = 'No reply was found: a sheet has headings such as ===== juror1/… =====, a journal or a batch file one JSON object on each line.';
    } catch (error) {
      this.problem = `Nothing was taken: ${messageOf(error)}`;
    }
  }
}

function renderResult({ taken, unreadable, problems, stored }: PastedTogether): TemplateResult {
  return html`<div class="result" role="status" data-testid="hand-result">
    ${
      taken === 0
        ? nothing
        : html`<p>
          ${icon('check', 16)} ${plural(taken, 'reply', 'replies')} imported${unreadable === 0 ? '' : `, ${unreadable} of them unreadable, which count as incidents`}.
          ${stored ? 'They are in this browser’s storage as well.' : 'They live in this tab only: Export → Replies saves them.'}
        </p>`
    }
    ${
      problems.length === 0
        ? nothing
        : html`<p>${icon('warn', 16)} ${plural(problems.length, 'line')} could not be taken:</p>
          <ul>
            ${problems.slice(0, 20).map((problem) => html`<li>${problem}</li>`)}
            ${problems.length > 20 ? html`<li class="muted">and ${problems.length - 20} more</li>` : nothing}
          </ul>`
    }
  </div>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-by-hand': JurorByHand;
  }
}
