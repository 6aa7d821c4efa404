/** The calls that are due, one at a time. */
import { html, nothing, type TemplateResult } from 'lit';
import { count } from '../../state/format';
import { icon } from '../../components/icon/icon';
import type { DueCall } from '../../engine/types/DueCall';
import { renderBatch, type BatchActions } from './batch';
import { renderParts, type ProjectPictures } from './pictures';

export interface Calls {
  due: readonly DueCall[];
  /** The call that is shown. */
  at: number;
  /** What is typed for it. */
  draft: string;
  /** Why that cannot be used. */
  lack: string;
  pictures: ProjectPictures;
  batch: BatchActions;
  turn: (by: number) => void;
  copy: (call: DueCall) => void;
  type: (call: DueCall, text: string) => void;
  keepReply: (call: DueCall, asItIs: boolean) => void;
  keepPicture: (call: DueCall, event: Event) => void;
}

export function renderCalls({ due, at, draft, lack, pictures, batch, turn, copy, type, keepReply, keepPicture }: Calls): TemplateResult {
  const call = due[at];
  return html`<section class="panel part" aria-labelledby="calls" data-testid="make-calls">
    <h2 id="calls">Calls that are due</h2>
    ${
      call === undefined
        ? html`<p class="muted">None: every model that the project asks has answered, or waits for a decision.</p>`
        : html`<div class="toolbar">
            <button type="button" class="button tiny" aria-label="Previous call" ?disabled=${at === 0} @click=${() => turn(-1)}>${icon('left', 16)}</button>
            <span class="num" data-testid="make-due">${count(at + 1)} of ${count(due.length)}</span>
            <button type="button" class="button tiny" aria-label="Next call" ?disabled=${at + 1 >= due.length} @click=${() => turn(1)}>${icon('right', 16)}</button>
          </div>
          <h3 dir="auto">${call.title}</h3>
            ${call.request.lacked === undefined ? nothing : html`<p class="problem">${icon('warn', 16)} The last reply could not be used: ${call.request.lacked}</p>`}
          ${renderParts(call.request.system === null ? call.request.parts : [{ type: 'text', text: call.request.system }, ...call.request.parts], pictures)}
          <div class="toolbar">
            <button type="button" class="button tiny" data-testid="make-copy" @click=${() => copy(call)}>${icon('copy', 16)}Copy text</button>
          </div>
          ${
            call.request.wanted.type === 'text'
              ? html`<label class="part-reply">The reply<textarea class="field" spellcheck="false" dir="auto" data-testid="make-reply" .value=${draft} @input=${(event: Event) => type(call, (event.target as HTMLTextAreaElement).value)}></textarea></label>
                <div class="toolbar"><button type="button" class="button primary" data-testid="make-keep" ?disabled=${draft.trim() === ''} @click=${() => keepReply(call, false)}>Keep the reply</button></div>
                ${
                  lack === ''
                    ? nothing
                    : html`<p class="problem" role="alert" data-testid="make-lack">${icon('warn', 16)} It cannot be used: ${lack} Mend it, or keep it as it is, which takes one of three tries.</p>
                      <div class="toolbar"><button type="button" class="button" data-testid="make-keep-anyway" @click=${() => keepReply(call, true)}>Keep it as it is</button></div>`
                }`
              : html`<div class="toolbar">
                  <label class="button primary pick">${icon('folder', 16)}The picture that was made…<input type="file" accept="image/*" class="visually-hidden" data-testid="make-picture" @change=${(event: Event) => keepPicture(call, event)} /></label>
                </div>`
          }`
    }
    ${due.length === 0 ? nothing : renderBatch(due, batch)}
  </section>`;
}
