/** Drawn answers to VIBE's Billiards: the list and the folder that are chosen, and what is found of each picture. */
import { html, nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { count, plural } from '../../state/format';
import { save } from '../../state/save';
import { icon } from '../../components/icon/icon';
import { renderMeter } from '../../components/meter/meter';
import { check } from '../../engine/make/billiards';
import { messageOf } from '../../engine/errors';
import { below, type Given } from '../../engine/make/project';
import type { BilliardsOutcome } from '../../engine/types/BilliardsOutcome';
import type { BilliardsRow } from '../../engine/types/BilliardsRow';
import { ownFiles } from './fields';
import { sourceChoice, type SourceActions } from './sources';

/** So many rows are shown; all of them are in the file. */
const NUM_SHOWN = 500;
const WORDS: Record<BilliardsOutcome, string> = { right: 'Right', wrong: 'Wrong', unsure: 'Unsure' };
const isPicture = (path: string): boolean => !path.includes('/') && /\.(png|jpe?g|webp)$/i.test(path);

/** The part of the view that checks drawn answers. */
export class AnswersCheck implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #say: (words: string) => void;
  #list: File | null = null;
  #folder = '';
  #files: Given[] = [];
  #rows: BilliardsRow[] = [];
  /** How many there will be; 0 before the first row. */
  #total = 0;
  #running: AbortController | null = null;
  #problem = '';

  constructor(host: ReactiveControllerHost, say: (words: string) => void) {
    this.#host = host;
    this.#say = say;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#running?.abort();
    this.#running = null;
  }

  /** The list and the folder, and the button that checks. */
  renderChoice(actions: SourceActions): TemplateResult {
    const list = this.#list;
    return html`<section class="panel part" aria-labelledby="answers" data-testid="billiards-answers">
      <h2 id="answers">Check drawn answers</h2>
      <p>Pictures that models drew for made cases are compared with the truth in their list, without a judge, as <code>juror check billiards</code> does. The verdicts count nowhere: they take no judge’s place.</p>
      ${ownFiles('List', 'billiards-list', list === null ? [] : [list], 'Billiards.json of the made cases', false, ([chosen = null]) => this.#put({ list: chosen }))}
      <div class="toolbar">${sourceChoice('Choose the folder of outputs…', 'Its ZIP…', 'billiards-outputs', (files) => this.#take(files), actions)}</div>
      ${this.#folder === '' ? nothing : html`<p class="small muted"><bdi>${this.#folder}</bdi>: ${plural(this.#files.length, 'picture')}</p>`}
      <div class="toolbar">
        <button type="button" class="button" data-testid="billiards-check" ?disabled=${list === null || this.#folder === '' || this.#running !== null} @click=${() => void this.#check()}>Check the pictures</button>
        ${this.#running === null ? nothing : html`<button type="button" class="button" data-testid="billiards-stop" @click=${() => this.#stop()}>Cancel</button>`}
      </div>
      ${this.#problem === '' ? nothing : html`<p class="problem" role="alert" data-testid="billiards-answers-problem">${icon('warn', 16)} ${this.#problem}</p>`}
      ${this.#running === null ? nothing : html`${renderMeter('Pictures checked', this.#rows.length, this.#total)}<p class="num">${count(this.#rows.length)} of ${count(this.#total)}</p>`}
    </section>`;
  }

  /** What was found; nothing before. */
  renderRows(): TemplateResult | typeof nothing {
    const rows = this.#rows;
    if (rows.length === 0) return nothing;
    const shown = rows.slice(0, NUM_SHOWN);
    return html`<section class="panel part" aria-labelledby="found">
      <h2 id="found">What the pictures show</h2>
      <p data-testid="billiards-sum">${this.#sum()} The verdicts count nowhere.</p>
      <div class="toolbar">
        <button type="button" class="button" data-testid="billiards-rows-save" @click=${() => save(this.#lines(), 'juror-billiards-answers.jsonl')}>${icon('download', 16)}Save as JSON Lines</button>
      </div>
      <div class="scroll" tabindex="0" role="group" aria-label="What the pictures show">
        <table class="answers" data-testid="billiards-rows">
          <thead>
            <tr><th scope="col" class="text">Case</th><th scope="col" class="text">Context</th><th scope="col" class="text">Path</th><th scope="col" class="text">Collision</th><th scope="col">Score</th></tr>
          </thead>
          <tbody>
            ${shown.map((row) => renderRow(row))}
          </tbody>
        </table>
      </div>
      ${rows.length === shown.length ? nothing : html`<p class="small muted">The first ${count(shown.length)} of ${count(rows.length)}; the file has all of them.</p>`}
    </section>`;
  }

  #sum(): string {
    const checked = this.#rows.filter(({ line }) => line !== '');
    const sure = checked.filter(({ score }) => score !== null);
    const parts = [
      `${plural(sure.length, 'picture')} with a score`,
      `${count(checked.length - sure.length)} unsure`,
      `${count(this.#rows.length - checked.length)} not checked`,
    ];
    return `${parts.join(', ')}.`;
  }

  #lines(): Blob {
    const lines = this.#rows.flatMap(({ line }) => (line === '' ? [] : [`${line}\n`]));
    return new Blob(lines, { type: 'application/x-ndjson' });
  }

  #put({ list }: { list: File | null }): void {
    this.#list = list;
    this.#host.requestUpdate();
  }

  #take(files: Given[]): void {
    const own = below(files);
    const [top = ''] = files[0]?.path.split('/') ?? [];
    this.#folder = own[0]?.path === files[0]?.path ? 'The folder' : top;
    this.#files = own.filter(({ path }) => isPicture(path));
    this.#host.requestUpdate();
  }

  async #check(): Promise<void> {
    const list = this.#list;
    if (list === null) return;
    this.#stop();
    const running = new AbortController();
    [this.#running, this.#rows, this.#total, this.#problem] = [running, [], 0, ''];
    this.#host.requestUpdate();
    try {
      const pictures = await Promise.all(this.#files.map(async ({ path, open }): Promise<[string, File]> => [path, await open()]));
      await check({ list, folder: this.#folder, pictures }, running.signal, (row, total) => {
        this.#rows.push(row);
        this.#total = total;
        this.#host.requestUpdate();
      });
      this.#say(this.#sum());
    } catch (error) {
      if (!running.signal.aborted) this.#problem = messageOf(error);
    }
    if (this.#running === running) this.#running = null;
    this.#host.requestUpdate();
  }

  #stop(): void {
    this.#running?.abort();
    this.#running = null;
    this.#host.requestUpdate();
  }
}

function renderRow({ id, told: decisions, score, fault }: BilliardsRow): TemplateResult {
  if (fault !== '') return html`<tr><th scope="row">${id}</th><td class="text" colspan="4">Not checked: ${fault}</td></tr>`;
  return html`<tr>
    <th scope="row">${id}</th>
    ${decisions.map(({ outcome, reason }) => html`<td class="text"><span class="outcome ${outcome}">${WORDS[outcome]}</span>${outcome === 'right' ? nothing : html`<small>${reason}</small>`}</td>`)}
    <td>${score === null ? '–' : score}</td>
  </tr>`;
}
