import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { save } from '../state/save';
import { count } from '../state/format';
import { isTyping, keyOf } from '../state/keys';
import { store } from '../state/store';
import { icon } from '../components/icon/icon';
import { rater as here } from '../components/failure-labels/rater';
import { MakeProject, kinds, matrix, type Given } from '../engine/make/project';
import { messageOf } from '../engine/errors';
import type { DueCall } from '../engine/types/DueCall';
import type { MadeThing } from '../engine/types/MadeThing';
import type { MakeBatch } from '../engine/types/MakeBatch';
import type { MakeProgress } from '../engine/types/MakeProgress';
import type { MakeKind } from '../engine/types/MakeKind';
import type { MatrixCell } from '../engine/types/MatrixCell';
import type { Source } from '../engine/client';
import { manualLink } from '../manual/link';
import { base, controls, meter } from '../styles/base.styles';
import { chosen, forms, page, picks, tables } from '../styles/page.styles';
import { renderBegin } from './make/begin';
import { Annotator } from './make/annotation';
import { AnswersCheck } from './make/answers';
import { BilliardsMaker } from './make/billiards';
import { renderCalls } from './make/calls';
import { asked, form, type Form } from './make/form';
import { ProjectPictures } from './make/pictures';
import { renderProgress } from './make/progress';
import { listed } from './make/sources';
import { renderThings } from './make/things';
import { styles } from './make.styles';

/**
 * @summary Makes a benchmark step by step: how it begins, the calls that are due, what people decide, how far it is.
 */
@customElement('juror-make')
export class JurorMake extends LitElement {
  static override styles = [base, controls, meter, page, forms, tables, chosen, picks, styles];

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
  /** Why the reply that is typed cannot be used. */
  @state() private lack = '';
  /** The file of a project that is kept and cannot be read. */
  @state() private broken: Blob | null = null;
  @state() private kinds: MakeKind[] = [];
  @state() private matrix: MatrixCell[] = [];
  /** The cell of the matrix that is explained. */
  @state() private explained: MatrixCell | null = null;
  readonly #pictures = new ProjectPictures(this, (path) => this.project?.picture(path) ?? Promise.resolve(null));
  readonly #billiards = new BilliardsMaker(this, (words) => (this.said = words));
  readonly #annotator = new Annotator(this, (words) => (this.said = words));
  readonly #answers = new AnswersCheck(this, (words) => (this.said = words));
  #deciding: Promise<void> = Promise.resolve();
  /** Replies that are typed and not kept yet, by call. */
  readonly #drafts = new Map<string, string>();

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('keydown', this.#onKey);
    void this.carryOut('Looking for what was begun here…', async () => {
      [this.kinds, this.matrix] = await Promise.all([kinds(), matrix(), this.#billiards.load(), this.#annotator.load()]);
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
  }

  override render(): TemplateResult {
    return html`<div>
        <div class="titled"><h1 tabindex="-1">Make a benchmark</h1>${manualLink(store.state.route, 'making')}</div>
        <p class="lead">
          Samples and cases are drawn from a seed, models’ replies and people’s decisions are taken in one by one, and what comes of it opens as a benchmark.
          A project is kept in this browser and goes on where it stopped; <code>juror make</code> carries the same folder on.
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
    return renderBegin({
      kinds: this.kinds,
      matrix: { cells: this.matrix, explained: this.explained, explain: (cell) => (this.explained = cell) },
      billiards: this.#billiards,
      answers: this.#answers,
      annotator: this.#annotator,
      put: (part) => this.put(part),
      begin: (files) => this.begin(files),
      carryOn: (files) => this.carryOn(files),
      carryOut: (busy, work) => this.carryOut(busy, work),
      give: (sources, use) => this.give(sources, use),
    });
  }

  /** Lists what was chosen, and has it used. */
  private async give(sources: Source[], use: (files: Given[]) => void): Promise<void> {
    let files: Given[] = [];
    await this.carryOut('Reading…', async () => {
      files = await listed(sources);
    });
    if (this.problem === '') use(files);
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
      <div class="columns">${this.renderCalls()} ${this.renderThings()}</div>
      ${this.renderBilliards()}`;
  }

  /** Cases that are no project: they are made next to one. */
  private renderBilliards(): TemplateResult {
    const billiards = this.#billiards;
    const submit = (event: Event): void => {
      event.preventDefault();
      void billiards.draw();
    };
    return html`<form class="panel form" autocomplete="off" aria-labelledby="drawn" data-testid="make-billiards" @submit=${submit}>
        <h2 id="drawn">${billiards.about?.title}</h2>
        ${billiards.renderFields()}
      </form>
      ${billiards.renderRun()}
      <section class="panel form" aria-labelledby="annotations">
        <h2 id="annotations">${this.#annotator.about?.title}</h2>
        ${this.#annotator.renderFields()}
      </section>
      ${this.#annotator.renderItems()}`;
  }

  private renderCalls(): TemplateResult {
    const call = this.due[this.call];
    return renderCalls({
      due: this.due,
      at: this.call,
      draft: call === undefined ? '' : this.draft(call),
      lack: this.lack,
      pictures: this.#pictures,
      batch: {
        changed: () => this.requestUpdate(),
        write: (kind, batch) => void this.writeBatch(kind, batch),
        saveSheet: (kind) => this.project !== null && save(this.project.sheet(kind), `juror-make-${kind}.md`),
        takeResults: (event) => void this.takeResults(event),
      },
      turn: (by) => this.turn(by),
      copy: (one) => void this.copy(one),
      type: (one, text) => this.type(one, text),
      keepReply: (one, asItIs) => void this.keepReply(one, asItIs),
      keepPicture: (one, event) => void this.keepPicture(one, event),
    });
  }

  private renderThings(): TemplateResult {
    return renderThings({
      things: this.things,
      at: this.thing,
      isNameless: here.name.trim() === '',
      pictures: this.#pictures,
      move: (by) => this.move(by),
      decide: (isIn) => this.decide(isIn),
    });
  }

  /** Shows the call before or after. */
  private turn(by: number): void {
    this.call += by;
    this.lack = '';
  }

  private async writeBatch(kind: string, batch: MakeBatch): Promise<void> {
    const { project } = this;
    if (project === null) return;
    await this.carryOut('', async () => {
      const files = await project.batch(kind, batch);
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

  private draft({ hash }: DueCall): string {
    return this.#drafts.get(hash) ?? '';
  }

  private type({ hash }: DueCall, text: string): void {
    this.#drafts.set(hash, text);
    this.lack = '';
    this.requestUpdate();
  }

  private put(part: Partial<Form>): void {
    Object.assign(form, part);
    this.requestUpdate();
  }

  private name(name: string): void {
    here.name = name;
    this.requestUpdate();
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
    this.#pictures.forget();
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

declare global {
  interface HTMLElementTagNameMap {
    'juror-make': JurorMake;
  }
}
