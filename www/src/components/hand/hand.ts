import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { Query } from '../../state/query';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import { messageOf } from '../../engine/errors';
import type { AgentCall } from '../../engine/types/AgentCall';
import type { AgentKey } from '../../engine/types/AgentKey';
import { base, controls } from '../../styles/base.styles';
import { download, notify } from '../events';
import { icon } from '../icon/icon';
import { pictureItems, picturesOf, plainText } from '../parts/parts';
import '../parts/parts';

/**
 * @summary The call that a trajectory waits for, carried out by a person: copied out, and what comes back put in.
 */
@customElement('juror-hand')
export class JurorHand extends LitElement {
  static override styles = [
    base,
    controls,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 12px;
        padding: 12px;
        border-radius: var(--juror-radius);
        background: var(--juror-surface-2);
      }
      juror-parts {
        padding: 12px;
        border-radius: var(--juror-radius);
        background: var(--juror-surface);
      }
      label {
        display: grid;
        gap: 4px;
        font-weight: 550;
      }
      .into {
        padding: 16px;
        border: 2px dashed var(--juror-line-strong);
        border-radius: var(--juror-radius);
      }
      .into.over {
        border-color: var(--juror-accent);
      }
      .problem {
        padding: 8px 12px;
        border-radius: var(--juror-radius);
        background: var(--juror-bad-soft);
        color: var(--juror-bad);
      }
    `,
  ];

  /** Which trajectory. */
  @property({ attribute: false }) key: AgentKey | null = null;
  @state() private text = '';
  @state() private problem = '';
  @state() private over = false;
  @query('input[type="file"]') private picker!: HTMLInputElement | null;
  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'version'>;
  readonly #call = new Query<AgentCall>(this);

  protected override willUpdate(): void {
    const { key } = this;
    if (key === null) return;
    this.#call.ask(`${this.state.version} ${JSON.stringify(key)}`, (signal) => this.client.agentCall(key, signal));
  }

  override render(): TemplateResult | typeof nothing {
    const call = this.#call.value;
    const problem = this.#call.error?.message ?? this.problem;
    return html`${problem === '' ? nothing : html`<p class="problem" role="alert">${problem}</p>`}
    ${call?.record == null ? nothing : this.renderCall(call, call.record.kind === 'plan', call.record.step)}`;
  }

  private renderCall(call: AgentCall, isPlan: boolean, step: number): TemplateResult {
    return html`<p>${isPlan ? `Show this to the planner, and paste what it writes (${call.grammar}).` : `Give this to the generator, and drop the picture that it makes for step ${step}.`}</p>
      <juror-parts .client=${this.client} .parts=${call.parts}></juror-parts>
      <div class="toolbar">
        <button type="button" class="button" data-testid="hand-copy" @click=${() => void this.copy(call)}>${icon('copy')}Copy text</button>
        <button type="button" class="button" @click=${() => void this.download(call)}>${icon('download')}Download ZIP</button>
      </div>
      ${
        isPlan
          ? html`<label>The planner’s reply<textarea class="field" rows="4" spellcheck="false" data-testid="hand-reply" .value=${this.text} @input=${(event: Event) => (this.text = (event.target as HTMLTextAreaElement).value)}></textarea></label>
            <div><button type="button" class="button primary" data-testid="hand-keep" @click=${() => void this.bring(this.text)}>Keep the reply</button></div>`
          : html`<div class="into ${this.over ? 'over' : ''}" @dragover=${this.onOver} @dragleave=${() => (this.over = false)} @drop=${this.onDrop}>
            <label>The picture of step ${step}: choose it, or drop it here<input type="file" accept="image/*" data-testid="hand-picture" @change=${() => void this.bring(this.picker?.files?.[0])} /></label>
          </div>`
      }`;
  }

  private onOver(event: DragEvent): void {
    event.preventDefault();
    this.over = true;
  }

  private onDrop(event: DragEvent): void {
    // The page takes what is dropped elsewhere as a folder to open.
    event.preventDefault();
    this.over = false;
    void this.bring(event.dataTransfer?.files[0]);
  }

  private async bring(what: string | File | undefined): Promise<void> {
    const { key } = this;
    if (key === null || what === undefined) return;
    this.problem = '';
    try {
      await this.client.agentHand(key, what);
      this.text = '';
    } catch (error) {
      this.problem = `Not kept: ${messageOf(error)}`;
    }
  }

  private async copy(call: AgentCall): Promise<void> {
    try {
      await navigator.clipboard.writeText(plainText(call.parts.filter(({ type }) => type === 'text')));
      notify(this, 'info', 'Text copied; copy or download the pictures in their order.');
    } catch {
      notify(this, 'error', 'The browser did not allow copying. Download the ZIP instead.');
    }
  }

  private async download(call: AgentCall): Promise<void> {
    const { record, parts } = call;
    if (record === null) return;
    try {
      const text = plainText(parts.filter(({ type }) => type === 'text'));
      const blob = await this.client.zip([
        { name: 'request.txt', text },
        { name: 'request.json', text: `${JSON.stringify(record, null, 2)}\n` },
        ...(await pictureItems(this.client, picturesOf(parts))),
      ]);
      download(this, blob, 'zip', record.kind, record.framework, record.sample, `step${record.step}`);
    } catch (error) {
      this.problem = `The request could not be packed: ${messageOf(error)}`;
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-hand': JurorHand;
  }
}
