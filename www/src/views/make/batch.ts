/** Many calls at once: a file for an engine, or a sheet; and its results. */
import { html, type TemplateResult } from 'lit';
import { plural } from '../../state/format';
import { icon } from '../../components/icon/icon';
import type { BatchEngine } from '../../engine/types/BatchEngine';
import type { DueCall } from '../../engine/types/DueCall';
import type { MakeBatch } from '../../engine/types/MakeBatch';

/** How calls are written into a batch file; kept while the page is open. */
const batch: { kind: string } & MakeBatch = { kind: '', engine: 'openai', model: '', temperature: null };

const ENGINES: [BatchEngine, string][] = [
  ['openai', 'OpenAI’s Batch API'],
  ['vllm', 'vllm run-batch'],
  ['gemini', 'Gemini’s batch mode'],
];

export interface BatchActions {
  /** The choices have changed. */
  changed: () => void;
  write: (kind: string, batch: MakeBatch) => void;
  saveSheet: (kind: string) => void;
  takeResults: (event: Event) => void;
}

export function renderBatch(due: readonly DueCall[], { changed, write, saveSheet, takeResults }: BatchActions): TemplateResult {
  const kinds = [...new Set(due.map(({ request }) => request.kind))];
  const { kind: before, ...settings } = batch;
  const kind = kinds.includes(before) ? before : (kinds[0] ?? '');
  const number = due.filter(({ request }) => request.kind === kind).length;
  const put = (part: Partial<typeof batch>): void => {
    Object.assign(batch, part);
    changed();
  };
  const value = (event: Event): string => (event.target as HTMLInputElement | HTMLSelectElement).value;
  return html`<details data-testid="make-batch">
    <summary>Many at once</summary><div class="many">
    <label class="row"
      ><span>Calls</span>
      <select class="field" data-testid="make-batch-kind" @change=${(event: Event) => put({ kind: value(event) })}>
        ${kinds.map((one) => html`<option value=${one} ?selected=${one === kind}>${one}</option>`)}
      </select></label
    >
    <label class="row"
      ><span>For</span>
      <select class="field" data-testid="make-batch-engine" @change=${(event: Event) => put({ engine: value(event) as BatchEngine })}>
        ${ENGINES.map(([one, words]) => html`<option value=${one} ?selected=${one === batch.engine}>${words}</option>`)}
      </select></label
    >
    <label class="row"
      ><span>Model</span>
      <input class="field" spellcheck="false" autocapitalize="off" data-testid="make-batch-model" .value=${batch.model} @input=${(event: Event) => put({ model: value(event).trim() })} />
      <small>As the engine calls it. Texts and pictures are made by different ones, so each kind of call has a file of its own.</small></label
    >
    <div class="toolbar">
      <button type="button" class="button" data-testid="make-batch-write" ?disabled=${batch.model === ''} @click=${() => write(kind, settings)}>${icon('download', 16)}Batch file of ${plural(number, 'call')}</button>
      <button type="button" class="button" data-testid="make-sheet" @click=${() => saveSheet(kind)}>${icon('download', 16)}Sheet to copy from</button>
    </div>
    <div class="toolbar">
      <label class="button pick">${icon('folder', 16)}Take results in…<input type="file" accept=".jsonl,.json,.txt" multiple class="visually-hidden" data-testid="make-results" @change=${takeResults} /></label>
    </div>
    <p class="small muted">Results of a batch file, or lines <code>{"request": HASH, "reply": TEXT, "by": NAME}</code> with the hashes of the sheet.</p>
    </div></details>`;
}
