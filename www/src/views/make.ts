import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { save } from '../state/save';
import { count, plural } from '../state/format';
import { isTyping, keyOf } from '../state/keys';
import { store } from '../state/store';
import { icon } from '../components/icon/icon';
import { rater as here } from '../components/failure-labels/rater';
import { MakeProject, kinds, matrix, unzipped, type Given } from '../engine/make/project';
import { messageOf } from '../engine/errors';
import { fromFileList, hasDirectoryPicker, pickFolder } from '../engine/sources';
import type { BatchEngine } from '../engine/types/BatchEngine';
import type { DueCall } from '../engine/types/DueCall';
import type { MadeThing } from '../engine/types/MadeThing';
import type { MakeAsked } from '../engine/types/MakeAsked';
import type { MakeBatch } from '../engine/types/MakeBatch';
import type { MakePart } from '../engine/types/MakePart';
import type { MakeProgress } from '../engine/types/MakeProgress';
import type { MakeKind } from '../engine/types/MakeKind';
import type { MatrixCell } from '../engine/types/MatrixCell';
import type { OriginalsAsked } from '../engine/types/OriginalsAsked';
import type { Source } from '../engine/client';
import { manualLink } from '../manual/link';
import { base, controls } from '../styles/base.styles';
import { chosen, forms, page, picks, tables } from '../styles/page.styles';
import { styles } from './make.styles';

/** How calls are written into a batch file; kept while the page is open. */
const batch: { kind: string } & MakeBatch = { kind: '', engine: 'openai', model: '', temperature: null };

const ENGINES: [BatchEngine, string][] = [
  ['openai', 'OpenAI’s Batch API'],
  ['vllm', 'vllm run-batch'],
  ['gemini', 'Gemini’s batch mode'],
];

/** What the form holds; kept while the page is open. */
const form = {
  begins: 'originals' as MakeKind['begins'],
  seed: 1,
  rule: 'kinds' as OriginalsAsked['rule'],
  filter: 'paper' as OriginalsAsked['filter'],
  rate: false,
  rewrite: false,
  quota: 0,
  isChecked: true,
  counts: 'object:2=2\nstory:2=1',
  labels: true,
  asksModel: false,
  review: true,
  judgeCheckpoints: false,
  /** Files of one's own, by what they stand for. */
  templates: null as File | null,
  voices: null as File | null,
  lists: [] as File[],
};

const RULES: [OriginalsAsked['rule'], string][] = [
  ['kinds', 'the benchmark’s 33: what subjects, styles and persons give'],
  ['matrix', 'the 44 legal ones'],
  ['matrix_four', 'the 44, and those of four references: 51'],
  ['released', 'as the authors’ program draws, one for each original'],
];
const FILTERS: [OriginalsAsked['filter'], string][] = [
  ['paper', 'none with a rating below 3; what is not rated stays'],
  ['released', 'by the ratings that the authors’ program looks at'],
];
/** What a cell of the matrix shows, and says. */
const CELLS: Record<MatrixCell['cell'], [string, string]> = {
  possible: ['✓', 'go together'],
  impossible: ['×', 'exclude each other'],
  dependency: ['needs', 'the first needs the second, or the other that names the thing'],
  dash: ['–', 'printed as a dash'],
};

/**
 * @summary Makes a benchmark step by step: how it begins, the calls that are due, what people decide, how far it is.
 */
@customElement('juror-make')
export class JurorMake extends LitElement {
  static override styles = [base, controls, page, forms, tables, chosen, picks, styles];

  @state() private project: MakeProject | null = null;
  @state() private busy = 'Looking for what was begun here…';
  @state() private problem = '';
  @state() private said = '';
  @state() private due: DueCall[] = [];
  @state() private things: MadeThing[] = [];
  @state() private progress: MakeProgress | null = null;
  /** Which call, and which thing, is shown. */
  @state() private call = 0;
  @state() private thing = 0;
  /** Why the reply that stands there cannot be used. */
  @state() private lack = '';
  /** The file of a project that is kept and cannot be read. */
  @state() private broken: Blob | null = null;
  @state() private kinds: MakeKind[] = [];
  @state() private matrix: MatrixCell[] = [];
  /** The cell of the matrix that is explained. */
  @state() private explained: MatrixCell | null = null;
  /** Addresses of pictures that are shown, by path. */
  @state() private urls = new Map<string, string>();

  #deciding: Promise<void> = Promise.resolve();
  /** Replies that are typed and not kept yet, by call. */
  readonly #drafts = new Map<string, string>();

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('keydown', this.#onKey);
    void this.carryOut('Looking for what was begun here…', async () => {
      [this.kinds, this.matrix] = await Promise.all([kinds(), matrix()]);
      try {
        this.take(await MakeProject.kept());
      } catch (error) {
        this.broken = await MakeProject.keptFile();
        throw error;
      }
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('keydown', this.#onKey);
    this.forgetUrls();
  }

  override render(): TemplateResult {
    return html`<div>
        <div class="titled"><h1 tabindex="-1">Make a benchmark</h1>${manualLink(store.state.route, 'making')}</div>
        <p class="lead">
          Samples and cases are drawn from a seed, models’ replies and people’s decisions are taken in one by one, and what comes of it opens as a benchmark.
          Everything is kept in this browser and goes on where it stopped; <code>juror make</code> carries the same folder on.
        </p>
      </div>
      ${this.problem === '' ? nothing : html`<p class="problem" role="alert" data-testid="make-problem">${icon('error', 16)} ${this.problem}</p>`}
      <p class="visually-hidden" role="status" aria-live="polite">${this.said}</p>
      ${this.busy !== '' ? html`<p class="muted" data-testid="make-busy">${this.busy}</p>` : this.broken !== null ? this.renderBroken(this.broken) : this.project === null ? this.renderBegin() : this.renderProject(this.project)}`;
  }

  /** What cannot be read is not overwritten. */
  private renderBroken(file: Blob): TemplateResult {
    return html`<section class="panel part" aria-labelledby="broken">
      <h2 id="broken">The project in this browser cannot be read</h2>
      <p>It may come from another version of Juror. Its file can be saved as it is; to begin another project, discard it.</p>
      <div class="toolbar">
        <button type="button" class="button primary" data-testid="make-save-broken" @click=${() => save(file, 'juror-make.json')}>${icon('download', 16)}Save its file</button>
        <button type="button" class="button quiet" data-testid="make-forget" @click=${() => void this.forget()}>Discard…</button>
      </div>
    </section>`;
  }

  private renderBegin(): TemplateResult {
    const isDrawn = form.begins !== 'posts';
    return html`<div class="columns">
      <form class="panel form" autocomplete="off" @submit=${(event: Event) => this.onBegin(event)}>
        <div class="row"><span id="kind">What is made</span><span class="subset" role="group" aria-labelledby="kind">${this.kinds.map(
          ({ begins, title }) =>
            html`<label><input type="radio" name="kind" data-testid="make-kind-${begins}" .checked=${form.begins === begins} @change=${() => this.put({ begins })} /> ${title}</label>`,
        )}</span></div>
        ${form.begins === 'originals' ? this.renderOriginals() : form.begins === 'counts' ? this.renderCounts() : renderPosts()}
        ${
          isDrawn
            ? html`<label class="row"
                ><span>Seed</span>
                <input class="field narrow" type="number" min="0" max="4294967295" data-testid="make-seed" .value=${String(form.seed)} @input=${(event: Event) => this.put({ seed: whole(event) })} />
                <small>Decides every random choice: the same seed and files give the same benchmark.</small></label
              >`
            : nothing
        }
        <div class="toolbar">
          ${form.begins === 'counts' ? html`<button type="submit" class="button primary" data-testid="make-begin">Draw the cases</button>` : this.renderPick(form.begins === 'originals' ? 'Choose the folder of originals…' : 'Choose the folder of requests…', 'Its ZIP…', 'make-source', (files) => this.begin(files))}
        </div>
      </form>
      <section class="panel part" aria-labelledby="go-on">
        <h2 id="go-on">Go on with a project</h2>
        <p>Open a folder that <code>juror make</code> wrote, or that was saved here: one with a file <code>juror-make.json</code>.</p>
        <div class="toolbar">${this.renderPick('Open the project’s folder…', 'Its ZIP, or juror-make.json…', 'make-open', (files) => this.carryOn(files))}</div>
      </section>
    </div>`;
  }

  private renderOriginals(): TemplateResult {
    const choose = <T extends string>(label: string, id: string, values: [T, string][], value: T, put: (value: T) => void): TemplateResult =>
      html`<label class="row"
        ><span>${label}</span>
        <select class="field" data-testid=${id} @change=${(event: Event) => put((event.target as HTMLSelectElement).value as T)}>
          ${values.map(([own, words]) => html`<option value=${own} ?selected=${own === value}>${words}</option>`)}
        </select></label
      >`;
    return html`${choose('Combinations', 'make-rule', RULES, form.rule, (rule) => this.put({ rule }))}
      ${choose('Good enough', 'make-filter', FILTERS, form.filter, (filter) => this.put({ filter }))}
      <div class="row">
        <span id="asks">Models are asked</span>
        <span class="subset" role="group" aria-labelledby="asks">
          ${this.check('rate', 'make-rate', 'for ratings that lack')} ${this.check('rewrite', 'make-rewrite', 'to rewrite each instruction in somebody’s voice')}
        </span>
      </div>
      <label class="row"
        ><span>Of each combination</span>
        <input class="field narrow" type="number" min="0" max="100000" data-testid="make-quota" .value=${String(form.quota)} @input=${(event: Event) => this.put({ quota: whole(event) })} />
        <small>So many samples, each original once; 0 makes one sample of each original.</small></label
      >
      ${this.renderOwn('Sentences', 'make-templates', form.templates === null ? [] : [form.templates], 'Ours, or the authors’ condition_mapping.json', false, ([templates = null]) => this.put({ templates }))}
      ${form.rewrite ? this.renderOwn('Voices', 'make-voices', form.voices === null ? [] : [form.voices], 'Our forty, or a list of your own: JSON, or one on each line', false, ([voices = null]) => this.put({ voices })) : nothing}
      <div class="row"><span></span><span class="subset">${this.check('isChecked', 'make-checked', 'Leave out references that are not drawn as their type must be')}</span></div>
      <p class="small muted">The folder has original/ with pictures and their references by type beside it: depth/, sketch/, mask/, subject/, caption/ and so on. Edge maps that lack are computed.</p>
      ${this.renderMatrix()}`;
  }

  /** Which types go together; a cell that is pressed is explained below. */
  private renderMatrix(): TemplateResult {
    const types = [...new Set(this.matrix.map(({ row }) => row))];
    const name = (type: string): string => type.replace('_', ' ');
    const { explained } = this;
    return html`<details data-testid="make-matrix">
      <summary>Which references go together</summary>
      <div class="scroll" tabindex="0" role="group" aria-label="Which references go together">
        <table class="matrix">
          <thead>
            <tr><td></td>${types.map((type) => html`<th scope="col">${name(type)}</th>`)}</tr>
          </thead>
          <tbody>
            ${types.map(
              (row) =>
                html`<tr><th scope="row">${name(row)}</th>${this.matrix
                  .filter((cell) => cell.row === row)
                  .map(
                    (cell) =>
                      html`<td><button type="button" class="button tiny quiet cell ${cell.cell}" aria-label="${name(row)} and ${name(cell.column)}: ${CELLS[cell.cell][1]}" aria-pressed=${cell === explained ? 'true' : 'false'} @click=${() => (this.explained = cell)}>${CELLS[cell.cell][0]}</button></td>`,
                  )}</tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p class="small" aria-live="polite" data-testid="make-told">
        ${explained === null ? 'Press a cell for the reason.' : html`${explained.told} ${explained.combinations.length === 0 ? nothing : html`In ${count(explained.combinations.length)} of the 33 combinations: ${explained.combinations.join(', ')}.`}`}
      </p>
    </details>`;
  }

  private renderCounts(): TemplateResult {
    return html`<label class="row"
        ><span>Cases</span>
        <textarea class="field" rows="4" spellcheck="false" data-testid="make-counts" .value=${form.counts} @input=${(event: Event) => this.put({ counts: (event.target as HTMLTextAreaElement).value })}></textarea>
        <small>TASK:REFERENCES=CASES, one on each line; tasks are object, spatial, attribute, component, fg_bg and story. Without any, as many as the paper has: 1043.</small></label
      >
      <div class="row">
        <span id="cases">Each case</span>
        <span class="subset" role="group" aria-labelledby="cases">
          ${this.check('labels', 'make-labels', 'calls its references Ref A, Ref B')} ${this.check('asksModel', 'make-asks', 'has its references checked by a model')}
          ${this.check('review', 'make-review', 'is in once somebody accepted its references')} ${this.check('judgeCheckpoints', 'make-judge', 'has its checkpoints written by a judge')}
        </span>
      </div>
      ${this.renderOwn('Lists of your own', 'make-lists', form.lists, 'Files such as subject.txt or scene.txt, one word or phrase on each line; ours where there is none', true, (lists) => this.put({ lists }))}`;
  }

  private check(name: 'rate' | 'rewrite' | 'isChecked' | 'labels' | 'asksModel' | 'review' | 'judgeCheckpoints', id: string, words: string): TemplateResult {
    return html`<label
      ><input type="checkbox" data-testid=${id} .checked=${form[name]} @change=${(event: Event) => this.put({ [name]: (event.target as HTMLInputElement).checked })} /> ${words}</label
    >`;
  }

  /** Files of one's own in the place of ours. */
  private renderOwn(label: string, id: string, chosen: readonly File[], hint: string, many: boolean, put: (files: File[]) => void): TemplateResult {
    const take = (event: Event): void => {
      const field = event.target as HTMLInputElement;
      put([...(field.files ?? [])]);
      field.value = '';
    };
    return html`<div class="row">
      <span id=${`${id}-label`}>${label}</span>
      <span class="toolbar">
        <label class="button tiny pick">Choose…<input type="file" accept=".txt,.json" ?multiple=${many} class="visually-hidden" data-testid=${id} aria-describedby=${`${id}-label`} @change=${take} /></label>
        ${chosen.length === 0 ? nothing : html`<bdi>${chosen.map(({ name }) => name).join(', ')}</bdi> <button type="button" class="button tiny quiet" aria-label="Leave out: ${label}" @click=${() => put([])}>${icon('close', 16)}</button>`}
      </span>
      <small>${hint}.</small>
    </div>`;
  }

  /** A folder, by the picker where there is one, else by a field. */
  private renderPick(words: string, file: string, id: string, use: (files: Given[]) => void): TemplateResult {
    const chosen = (event: Event): void => {
      const field = event.target as HTMLInputElement;
      const sources = fromFileList(field.files ?? []);
      field.value = '';
      void this.give(sources, use);
    };
    const pick = (event: Event): void => {
      if (!hasDirectoryPicker()) return;
      event.preventDefault();
      void this.carryOut('', async () => {
        const source = await pickFolder();
        if (source !== null) void this.give([source], use);
      });
    };
    return html`<label class="button primary pick"
      >${icon('folder', 16)}${words}<input type="file" webkitdirectory multiple class="visually-hidden" data-testid=${id} @click=${pick} @change=${chosen}
    /></label>
      <label class="button pick">${file}<input type="file" accept=".zip,.json" class="visually-hidden" data-testid=${`${id}-file`} @change=${chosen} /></label>`;
  }

  /** Lists what was chosen, and has it used. */
  private async give(sources: Source[], use: (files: Given[]) => void): Promise<void> {
    let files: Given[] = [];
    await this.carryOut('Reading…', async () => {
      files = await this.listed(sources);
    });
    if (this.problem === '') use(files);
  }

  private async listed(sources: Source[]): Promise<Given[]> {
    const files: Given[] = [];
    for (const source of sources)
      if (source.kind === 'zip') files.push(...(await unzipped(new File([source.blob], source.name))));
      else if (source.kind === 'files')
        for (const { path, open } of await source.list(() => undefined)) files.push({ path, open: async () => (await open()) as File });
    return files;
  }

  private renderProject(project: MakeProject): TemplateResult {
    const { progress } = this;
    return html`<section class="panel part" aria-labelledby="far">
        <h2 id="far">${this.kinds.find(({ id }) => id === project.kind)?.title}</h2>
        ${progress === null ? nothing : renderProgress(progress)}
        <div class="toolbar">
          <button type="button" class="button primary" data-testid="make-suite" ?disabled=${progress === null || progress.samples === 0} @click=${() => void this.openSuite()}>Open as a benchmark</button>
          <button type="button" class="button" data-testid="make-zip" @click=${() => void this.save()}>${icon('download', 16)}Save as ZIP</button>
          <button type="button" class="button quiet" data-testid="make-forget" @click=${() => void this.forget()}>Discard…</button>
        </div>
      </section>
      <label class="panel part"
        ><span>Your name</span>
        <input class="field" data-testid="make-name" maxlength="80" spellcheck="false" .value=${here.name} @input=${(event: Event) => this.name((event.target as HTMLInputElement).value)} />
        <small class="muted">Replies and decisions are filed under it.</small></label
      >
      <div class="columns">${this.renderCalls()} ${this.renderThings()}</div>`;
  }

  private renderCalls(): TemplateResult {
    const call = this.due[this.call];
    return html`<section class="panel part" aria-labelledby="calls" data-testid="make-calls">
      <h2 id="calls">Calls that are due</h2>
      ${
        call === undefined
          ? html`<p class="muted">None: every model that the project asks has answered, or waits for a decision.</p>`
          : html`<div class="toolbar">
              <button type="button" class="button tiny" aria-label="Previous call" ?disabled=${this.call === 0} @click=${() => this.turn(-1)}>${icon('left', 16)}</button>
              <span class="num" data-testid="make-due">${count(this.call + 1)} of ${count(this.due.length)}</span>
              <button type="button" class="button tiny" aria-label="Next call" ?disabled=${this.call + 1 >= this.due.length} @click=${() => this.turn(1)}>${icon('right', 16)}</button>
            </div>
            <h3 dir="auto">${call.title}</h3>
              ${call.request.lacked === undefined ? nothing : html`<p class="problem">${icon('warn', 16)} The last reply could not be used: ${call.request.lacked}</p>`}
            ${this.renderParts(call.request.system === null ? call.request.parts : [{ type: 'text', text: call.request.system }, ...call.request.parts])}
            <div class="toolbar">
              <button type="button" class="button tiny" data-testid="make-copy" @click=${() => void this.copy(call)}>${icon('copy', 16)}Copy text</button>
            </div>
            ${
              call.request.wanted.type === 'text'
                ? html`<label class="part-reply">The reply<textarea class="field" spellcheck="false" dir="auto" data-testid="make-reply" .value=${this.draft(call)} @input=${(event: Event) => this.type(call, (event.target as HTMLTextAreaElement).value)}></textarea></label>
                  <div class="toolbar"><button type="button" class="button primary" data-testid="make-keep" ?disabled=${this.draft(call).trim() === ''} @click=${() => void this.keepReply(call, false)}>Keep the reply</button></div>
                  ${
                    this.lack === ''
                      ? nothing
                      : html`<p class="problem" role="alert" data-testid="make-lack">${icon('warn', 16)} It cannot be used: ${this.lack} Mend it, or keep it as it is, which takes one of three tries.</p>
                        <div class="toolbar"><button type="button" class="button" data-testid="make-keep-anyway" @click=${() => void this.keepReply(call, true)}>Keep it as it is</button></div>`
                  }`
                : html`<div class="toolbar">
                    <label class="button primary pick">${icon('folder', 16)}The picture that was made…<input type="file" accept="image/*" class="visually-hidden" data-testid="make-picture" @change=${(event: Event) => void this.keepPicture(call, event)} /></label>
                  </div>`
            }`
      }
      ${this.due.length === 0 ? nothing : this.renderBatch()}
    </section>`;
  }

  /** Shows the call before or after. */
  private turn(by: number): void {
    this.call += by;
    this.lack = '';
  }

  /** Many calls at once: a file for an engine, or a sheet; and its results. */
  private renderBatch(): TemplateResult {
    const kinds = [...new Set(this.due.map(({ request }) => request.kind))];
    const kind = kinds.includes(batch.kind) ? batch.kind : (kinds[0] ?? '');
    const number = this.due.filter(({ request }) => request.kind === kind).length;
    const put = (part: Partial<typeof batch>): void => {
      Object.assign(batch, part);
      this.requestUpdate();
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
        <button type="button" class="button" data-testid="make-batch-write" ?disabled=${batch.model === ''} @click=${() => void this.writeBatch(kind)}>${icon('download', 16)}Batch file of ${plural(number, 'call')}</button>
        <button type="button" class="button" data-testid="make-sheet" @click=${() => this.project !== null && save(this.project.sheet(kind), `juror-make-${kind}.md`)}>${icon('download', 16)}Sheet to copy from</button>
      </div>
      <div class="toolbar">
        <label class="button pick">${icon('folder', 16)}Take results in…<input type="file" accept=".jsonl,.json,.txt" multiple class="visually-hidden" data-testid="make-results" @change=${(event: Event) => void this.takeResults(event)} /></label>
      </div>
      <p class="small muted">Results of a batch file, or lines <code>{"request": HASH, "reply": TEXT, "by": NAME}</code> with the hashes of the sheet.</p>
      </div></details>`;
  }

  private async writeBatch(kind: string): Promise<void> {
    const { project } = this;
    if (project === null) return;
    const { engine, model, temperature } = batch;
    await this.carryOut('', async () => {
      const files = await project.batch(kind, { engine, model, temperature });
      for (const [at, file] of files.entries()) save(file, `juror-make-${kind}${files.length === 1 ? '' : `-${at + 1}`}.jsonl`);
    });
  }

  private async takeResults(event: Event): Promise<void> {
    const field = event.target as HTMLInputElement;
    const files = [...(field.files ?? [])];
    field.value = '';
    const { project } = this;
    if (project === null) return;
    await this.carryOut('', async () => {
      for (const file of files) {
        const { told } = await project.take(await file.text()).catch((error: unknown) => {
          throw new Error(`${file.name}: ${messageOf(error)}`, { cause: error });
        });
        store.notify('info', `${file.name}: ${told}.`);
      }
      this.look(project);
    });
  }

  private renderThings(): TemplateResult {
    const thing = this.things[this.thing];
    const isIdle = here.name.trim() === '';
    return html`<section class="panel part" aria-labelledby="things" data-testid="make-things">
      <h2 id="things">What people decide</h2>
      ${
        thing === undefined
          ? html`<p class="muted">Nothing to look at yet.</p>`
          : html`<div class="toolbar">
              <button type="button" class="button tiny" aria-label="Previous" aria-keyshortcuts="k" ?disabled=${this.thing === 0} @click=${() => this.move(-1)}>${icon('left', 16)}<kbd>K</kbd></button>
              <span class="num">${count(this.thing + 1)} of ${count(this.things.length)}, ${count(this.things.filter(({ decided }) => decided === null).length)} undecided</span>
              <button type="button" class="button tiny" aria-label="Next" aria-keyshortcuts="j" ?disabled=${this.thing + 1 >= this.things.length} @click=${() => this.move(1)}><kbd>J</kbd>${icon('right', 16)}</button>
            </div>
            <h3 dir="auto" data-testid="make-thing">${thing.name}</h3>
            ${
              thing.decided === null
                ? html`<p class="muted">Not decided yet.</p>`
                : html`<p class="verdict ${thing.decided.verdict === 'accept' ? 'in' : 'out'}" data-testid="make-verdict">${thing.decided.verdict === 'accept' ? 'Accepted' : 'Rejected'} by <bdi>${thing.decided.by}</bdi>${thing.decided.reason === '' ? nothing : html`: <bdi>${thing.decided.reason}</bdi>`}</p>`
            }
            ${this.renderParts(thing.look)}
            <div class="toolbar">
              <button type="button" class="button" aria-keyshortcuts="a" data-testid="make-accept" ?disabled=${isIdle} @click=${() => this.decide(true)}>Accept <kbd>A</kbd></button>
              <button type="button" class="button" aria-keyshortcuts="r" data-testid="make-reject" ?disabled=${isIdle} @click=${() => this.decide(false)}>Reject <kbd>R</kbd></button>
              <input class="field" data-testid="make-reason" maxlength="200" aria-label="Why it is rejected" placeholder="Why, if it is rejected" />
            </div>
            ${isIdle ? html`<p class="small muted">Enter your name first.</p>` : nothing}`
      }
    </section>`;
  }

  private renderParts(parts: readonly MakePart[]): TemplateResult {
    return html`<div class="shown">
      ${parts.map((part) => {
        if (part.type === 'text') return html`<pre dir="auto" tabindex="0">${part.text}</pre>`;
        const url = this.urls.get(part.path);
        if (url === undefined) void this.load(part.path);
        return url === undefined || url === ''
          ? html`<p class="muted small">${url === undefined ? 'One moment…' : `${part.path} is not in the project’s folder.`}</p>`
          : html`<img src=${url} alt=${part.path} />`;
      })}
    </div>`;
  }

  private async load(path: string): Promise<void> {
    const picture = await this.project?.picture(path);
    if (this.urls.has(path)) return;
    this.urls = new Map(this.urls).set(path, picture == null ? '' : URL.createObjectURL(picture));
  }

  private forgetUrls(): void {
    for (const url of this.urls.values()) if (url !== '') URL.revokeObjectURL(url);
    this.urls = new Map();
  }

  private draft({ hash }: DueCall): string {
    return this.#drafts.get(hash) ?? '';
  }

  private type({ hash }: DueCall, text: string): void {
    this.#drafts.set(hash, text);
    this.lack = '';
    this.requestUpdate();
  }

  private put(part: Partial<typeof form>): void {
    Object.assign(form, part);
    this.requestUpdate();
  }

  private name(name: string): void {
    here.name = name;
    this.requestUpdate();
  }

  private onBegin(event: Event): void {
    event.preventDefault();
    if (form.begins === 'counts') this.begin([]);
  }

  private begin(files: Given[]): void {
    const onTaken = (done: number, total: number): void => {
      this.busy = `Taking pictures in: ${count(done)} of ${count(total)}…`;
    };
    void this.carryOut('One moment…', async () => this.take(await MakeProject.begun(await asked(), files, onTaken)));
  }

  private carryOn(files: Given[]): void {
    void this.carryOut('Opening the project…', async () => {
      const project = await MakeProject.carriedOn(files);
      if (project === null) throw new Error('This folder holds no project: expected a file juror-make.json in it.');
      this.take(project);
    });
  }

  private take(project: MakeProject | null): void {
    this.project = project;
    [this.call, this.thing] = [0, 0];
    this.forgetUrls();
    if (project !== null) this.look(project);
  }

  /** What the project says now. */
  private look(project: MakeProject): void {
    this.due = project.due;
    this.things = project.things;
    this.progress = project.progress;
    this.call = Math.min(this.call, Math.max(this.due.length - 1, 0));
    this.thing = Math.min(this.thing, Math.max(this.things.length - 1, 0));
  }

  /** Does something that may fail, and says why it did. */
  private async carryOut(busy: string, work: () => Promise<void> | void): Promise<void> {
    this.problem = '';
    this.busy = busy;
    try {
      await work();
    } catch (error) {
      this.problem = messageOf(error);
    }
    this.busy = '';
  }

  private async keepReply(call: DueCall, asItIs: boolean): Promise<void> {
    const { project } = this;
    const { hash } = call;
    if (project === null) return;
    this.lack = '';
    await this.carryOut('', async () => {
      // A reply that cannot be used costs one of the tries: it is mended rather than kept, unless somebody wants it kept.
      if (!asItIs) this.lack = project.lacks(hash, this.draft(call));
      if (this.lack !== '') return;
      await project.reply(hash, this.draft(call), here.name.trim() === '' ? 'hand' : here.name.trim());
      this.#drafts.delete(hash);
      this.look(project);
      this.said = asItIs ? 'The reply is kept as it is, and the call is due again.' : 'The reply is kept.';
    });
  }

  private async keepPicture({ hash, request: { wanted } }: DueCall, event: Event): Promise<void> {
    const field = event.target as HTMLInputElement;
    const picture = field.files?.[0];
    field.value = '';
    const { project } = this;
    if (project === null || picture === undefined || wanted.type !== 'picture') return;
    await this.carryOut('', async () => {
      await project.bring(hash, wanted.path, picture, here.name.trim() === '' ? 'hand' : here.name.trim());
      this.said = 'The picture is kept.';
      this.look(project);
    });
  }

  private decide(isIn: boolean): void {
    this.inTurn(() => this.decideOne(isIn));
  }

  /** Goes so many things on or back. */
  private move(by: number): void {
    this.inTurn(() => {
      this.thing = Math.max(0, Math.min(this.thing + by, this.things.length - 1));
    });
  }

  /** Each press is about what the one before it led to. */
  private inTurn(work: () => Promise<void> | void): void {
    this.#deciding = this.#deciding.then(work);
  }

  private async decideOne(isIn: boolean): Promise<void> {
    const { project } = this;
    const thing = this.things[this.thing];
    const by = here.name.trim();
    if (project === null || thing === undefined || by === '') return;
    const field = this.renderRoot.querySelector<HTMLInputElement>('[data-testid="make-reason"]');
    const reason = isIn ? '' : (field?.value.trim() ?? '');
    await this.carryOut('', async () => {
      await project.decide(thing.name, isIn, reason, by);
      if (field !== null) field.value = '';
      this.said = `${thing.name} ${isIn ? 'accepted' : 'rejected'}.`;
      this.look(project);
      // On to the next one that is undecided; a decision may have brought others.
      this.thing = Math.max(
        this.things.findIndex(({ name }) => name === thing.name),
        0,
      );
      const next = this.things.findIndex(({ decided }, at) => at > this.thing && decided === null);
      if (next >= 0) this.thing = next;
    });
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (this.project === null || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const actions: Record<string, () => void> = {
      a: () => this.decide(true),
      r: () => this.decide(false),
      j: () => this.move(1),
      k: () => this.move(-1),
    };
    const action = actions[keyOf(event)];
    if (action === undefined) return;
    // A key that is held decides about one thing.
    if (event.repeat && ['a', 'r'].includes(keyOf(event))) return;
    event.preventDefault();
    action();
  };

  private async copy({ request }: DueCall): Promise<void> {
    const texts = request.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    await this.carryOut('', async () => {
      await navigator.clipboard.writeText([...(request.system === null ? [] : [request.system]), ...texts].join('\n\n'));
      this.said = 'Copied.';
    });
  }

  private async save(): Promise<void> {
    const { project } = this;
    if (project === null) return;
    await this.carryOut('', async () => {
      const files = await project.folder();
      save(await store.client.zip(files.map(({ path, bytes }) => ({ name: `made/${path}`, bytes }))), 'juror-made.zip');
    });
  }

  private async openSuite(): Promise<void> {
    const { project } = this;
    if (project === null) return;
    await this.carryOut('', async () => {
      const files = await project.folder();
      const list = () => Promise.resolve(files.map(({ path, bytes }) => ({ path: `made/${path}`, open: () => Promise.resolve(new File([bytes], path)) })));
      await store.open([{ kind: 'files', name: 'made', list }]);
      store.go({ view: 'overview', scope: '', criterion: '' });
    });
  }

  private async forget(): Promise<void> {
    if (!confirm('Discard this project, with its pictures, replies and decisions? Save it first if you may need it again.')) return;
    await this.carryOut('', async () => {
      await (this.project?.forget() ?? MakeProject.discard());
      this.broken = null;
      this.take(null);
    });
  }
}

/** What the form asks for. */
async function asked(): Promise<MakeAsked> {
  const { begins: type, seed, rule, filter, rate, rewrite, quota, isChecked, labels, asksModel, review, judgeCheckpoints } = form;
  const text = (file: File | null): Promise<string | null> => file?.text() ?? Promise.resolve(null);
  if (type === 'posts') return { type };
  if (type === 'originals') {
    const [templates, voices] = await Promise.all([text(form.templates), text(rewrite ? form.voices : null)]);
    return { type, seed, rule, filter, rate, rewrite, quota, templates, voices, is_checked: isChecked };
  }
  const counts = form.counts.split(/\s+/).filter((line) => line !== '');
  const lists = await Promise.all(form.lists.map(async (file): Promise<[string, string]> => [file.name.replace(/\.txt$/i, ''), await file.text()]));
  return { type, seed, counts, labels, filter: asksModel, review, judge_checkpoints: judgeCheckpoints, lists };
}

const renderPosts = (): TemplateResult =>
  html`<p class="small muted">
    The folder has one JSON file, a list of <code>{"id", "text", "inputs": ["1.png", "2.png"], "outputs": ["o.png"]}</code>: what somebody asked for, two to six
    pictures, and what came of it. People say which are kept; a model words the instructions anew and names their category.
  </p>`;

/** How far the project is. */
function renderProgress({ rows, due, remarks, samples }: MakeProgress): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Progress">
      <table data-testid="make-progress">
        <thead>
          <tr><th scope="col" class="text">Group</th><th scope="col">Drawn</th><th scope="col">Made</th><th scope="col">Passed</th><th scope="col">Accepted</th><th scope="col" class="text">Out</th></tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ group, drawn, made, passed, accepted, rejected }) =>
              html`<tr><th scope="row">${group}</th><td>${count(drawn)}</td><td>${count(made)}</td><td>${count(passed)}</td><td>${count(accepted)}</td><td class="text">${rejected.map(([reason, number]) => `${reason}: ${count(number)}`).join(', ')}</td></tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${remarks.length === 0 ? nothing : html`<ul class="remarks small">${remarks.map((remark) => html`<li>${remark}</li>`)}</ul>`}
    <p><b class="num" data-testid="make-samples">${count(samples)}</b> ${samples === 1 ? 'sample' : 'samples'} in the benchmark so far; ${due.length === 0 ? 'no call is due' : `due: ${due.map(({ kind, count: number }) => `${count(number)} × ${kind}`).join(', ')}`}.</p>`;
}

const whole = (event: Event): number => Math.max(0, Math.trunc(Number((event.target as HTMLInputElement).value) || 0));

declare global {
  interface HTMLElementTagNameMap {
    'juror-make': JurorMake;
  }
}
