/** VIBE's drawn instructions: pictures that are chosen, marks over them, what is wrong with them, and the files that they come to. */
import { html, nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { plural } from '../../state/format';
import { save } from '../../state/save';
import { store } from '../../state/store';
import { icon } from '../../components/icon/icon';
import { rater as here } from '../../components/failure-labels/rater';
import { messageOf } from '../../engine/errors';
import { annotating, type Annotated } from '../../engine/make/annotation';
import type { AnnotationAbout } from '../../engine/types/AnnotationAbout';
import type { Mark } from '../../engine/types/Mark';
import type { MarkStyle } from '../../engine/types/MarkStyle';
import type { MarkTask } from '../../engine/types/MarkTask';
import type { MarkTool } from '../../engine/types/MarkTool';
import './mark-board';

const ZIP = 'juror-annotations.zip';
const MARKS_ZIP = 'juror-marks.zip';
const TOOLS: Record<MarkTool, string> = { box: 'Box', arrow: 'Arrow', frustum: 'Frustum', pen: 'Pen' };

const valueOf = (event: Event): string => (event.target as HTMLInputElement).value;

/** The part of the view that draws marks. */
export class Annotator implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #say: (words: string) => void;
  #tool: MarkTool = 'box';
  #problem = '';
  /** The picture that is shown, with its address. */
  #shown: { hash: string; url: string } | null = null;

  constructor(host: ReactiveControllerHost, say: (words: string) => void) {
    this.#host = host;
    this.#say = say;
    host.addController(this);
  }

  get about(): AnnotationAbout | null {
    return annotating.about;
  }

  hostConnected(): void {
    annotating.addEventListener('change', this.#changed);
    annotating.addEventListener('refused', this.#refused);
  }

  hostDisconnected(): void {
    annotating.removeEventListener('change', this.#changed);
    annotating.removeEventListener('refused', this.#refused);
    if (this.#shown !== null) URL.revokeObjectURL(this.#shown.url);
    this.#shown = null;
  }

  load(): Promise<void> {
    return annotating.load();
  }

  /** What begins an item. */
  renderFields(): TemplateResult {
    return html`<p class="small muted">
        Pictures become items of VIBE with a box, an arrow, a frustum or a drawn line over them. What was drawn is kept in this browser;
        <code>juror make annotate</code> makes the same files of the same marks, and <code>juror make compose</code> combines items on one picture.
      </p>
      <div class="toolbar">
        <label class="button primary pick"
          >${icon('picture', 16)}Choose pictures or marks…<input type="file" multiple accept="image/*,.json" class="visually-hidden" data-testid="annotate-files" @change=${this.#choose}
        /></label>
      </div>
      ${this.#problem === '' ? nothing : html`<p class="problem" role="alert" data-testid="annotate-problem">${icon('warn', 16)} ${this.#problem}</p>`} ${this.#renderUnread()}`;
  }

  #renderUnread(): TemplateResult | typeof nothing {
    const { unread } = annotating;
    const [first] = unread;
    if (first === undefined) return nothing;
    return html`<p class="problem" data-testid="annotate-unread">${icon('warn', 16)} ${plural(unread.length, 'item')} of this browser cannot be read and ${unread.length === 1 ? 'is' : 'are'} kept as ${unread.length === 1 ? 'it is' : 'they are'}: ${first.problem}</p>
      <div class="toolbar"><button type="button" class="button quiet" @click=${() => void this.#remove('unread')}>Discard what cannot be read</button></div>`;
  }

  /** The items; nothing before the first. */
  renderItems(): TemplateResult | typeof nothing {
    const { item, about } = annotating;
    if (item === undefined || about === null) return nothing;
    return html`${this.#all()}
      <div class="columns">${this.#board(item, about)} ${this.#fields(item, about)}</div>`;
  }

  #all(): TemplateResult {
    const { items, at, numGood } = annotating;
    return html`<section class="panel part" aria-labelledby="annotated">
      <h2 id="annotated">${plural(items.length, 'item')}</h2>
      <p data-testid="annotate-sum">${items.length - numGood === 0 ? 'None has a fault.' : `${plural(items.length - numGood, 'item')} with a fault: not in the benchmark’s files.`}</p>
      <div class="toolbar">
        <label><span class="visually-hidden">Item</span>
          <select class="field" data-testid="annotate-items" @change=${(event: Event) => annotating.show(Number(valueOf(event)))}>
            ${items.map(({ marks, seen }, index) => html`<option value=${index} .selected=${index === at}>${marks.task} ${marks.id}${seen.faults.length === 0 ? '' : ', with a fault'}</option>`)}
          </select></label>
        <button type="button" class="button" data-testid="annotate-again" @click=${() => void this.#try(() => annotating.again())}>Another item on this picture</button>
        <button type="button" class="button quiet" data-testid="annotate-remove" @click=${() => void this.#remove('shown')}>Discard this item</button>
      </div>
      <div class="toolbar">
        <button type="button" class="button primary" data-testid="annotate-suite" ?disabled=${numGood === 0} @click=${() => void this.#try(() => this.#open())}>Open as a benchmark</button>
        <button type="button" class="button" data-testid="annotate-zip" ?disabled=${numGood === 0} @click=${() => void this.#try(async () => save(await annotating.zip(), ZIP))}>${icon('download', 16)}Save as ZIP</button>
        <button type="button" class="button" data-testid="annotate-marks-zip" @click=${() => void this.#try(async () => save(await annotating.marksZip(), MARKS_ZIP))}>${icon('download', 16)}Save the marks</button>
        <button type="button" class="button quiet" data-testid="annotate-clear" @click=${() => void this.#remove('all')}>Discard all…</button>
      </div>
    </section>`;
  }

  #board(item: Annotated, about: AnnotationAbout): TemplateResult {
    const { marks, seen, before } = item;
    const task = about.tasks.find((one) => one.task === marks.task);
    const tools = task?.tools ?? [];
    const tool = tools.includes(this.#tool) ? this.#tool : (tools[0] ?? 'box');
    const { width, height } = marks.source;
    return html`<section class="panel part" aria-labelledby="drawing">
      <h2 id="drawing">${task?.title}</h2>
      <p class="small muted">${task?.hint} Draw by pointer, or with the keys: arrows move the point (with Shift by one pixel), Enter sets it, Escape takes it back; a line ends where its last point is set twice.</p>
      <div class="toolbar" role="group" aria-label="Tools">
        ${tools.map((one) => html`<button type="button" class="button" aria-pressed=${one === tool ? 'true' : 'false'} data-testid=${`annotate-tool-${one}`} @click=${() => this.#pick(one)}>${TOOLS[one]}</button>`)}
        <button type="button" class="button quiet" data-testid="annotate-undo" ?disabled=${before.length === 0} @click=${() => void this.#undo()}>Undo</button>
      </div>
      <juror-mark-board .src=${this.#url(item)} .size=${[width, height]} .marks=${seen.marks} .line=${seen.line} .tool=${tool} .label=${`Drawing area: ${marks.source.path}`} .ask=${this.#ask} @drawn=${(event: CustomEvent<Mark>) => void this.#add(item, event.detail)}></juror-mark-board>
      <h3 id="marks">Marks</h3>
      <ul class="marks" aria-labelledby="marks" data-testid="annotate-marks">
        ${seen.marks.map(({ words }, at) => html`<li><span>${words}</span> <button type="button" class="button tiny quiet" aria-label="Delete: ${words}" data-testid="annotate-delete" @click=${() => void this.#delete(item, at, words)}>${icon('close', 16)}</button></li>`)}
      </ul>
      ${seen.marks.length === 0 ? html`<p class="small muted">None yet.</p>` : nothing}
    </section>`;
  }

  #fields(item: Annotated, about: AnnotationAbout): TemplateResult {
    const { marks, seen } = item;
    const task = about.tasks.find((one) => one.task === marks.task);
    return html`<form class="panel form" autocomplete="off" aria-labelledby="item" @submit=${(event: Event) => event.preventDefault()}>
      <h2 id="item">${marks.task} ${marks.id}</h2>
      <label class="row"
        ><span>Task</span>
        <select class="field" data-testid="annotate-task" @change=${(event: Event) => void annotating.change({ task: valueOf(event) as MarkTask })}>
          ${about.tasks.map((one) => html`<option value=${one.task} .selected=${one.task === marks.task}>${one.title}</option>`)}
        </select></label
      >
      <label class="row"
        ><span>Style</span>
        <select class="field" data-testid="annotate-style" @change=${(event: Event) => void annotating.change({ style: valueOf(event) as MarkStyle })}>
          ${about.styles.map((style) => html`<option value=${style} .selected=${style === marks.style}>${style}</option>`)}
        </select></label
      >
      <label class="row"
        ><span>Text</span>
        <textarea class="field" rows="3" data-testid="annotate-text" .value=${marks.text} @change=${(event: Event) => void annotating.change({ text: valueOf(event) })}></textarea>
        <small>What the marks ask for, in words.</small></label
      >
      <label class="row"
        ><span>Line width</span>
        <input class="field narrow" type="number" min="1" max=${about.max_line} data-testid="annotate-line" .value=${marks.line == null ? '' : String(marks.line)} @change=${(event: Event) => void annotating.change({ line: valueOf(event) === '' ? null : Math.trunc(Number(valueOf(event))) })} />
        <small>In pixels; 0.6 % of the long side, at least 3, where nothing is set.</small></label
      >
      ${task === undefined || task.differs === '' ? nothing : html`<label class="check"><input type="checkbox" data-testid="annotate-differs" .checked=${marks.differs} @change=${(event: Event) => void annotating.change({ differs: (event.target as HTMLInputElement).checked })} /> ${task.differs}</label>`}
      ${this.#reviews(item)}
      <h3 id="faults">${seen.faults.length === 0 ? 'No fault' : plural(seen.faults.length, 'fault')}</h3>
      <ul class="marks" aria-labelledby="faults" data-testid="annotate-faults">
        ${seen.faults.map((fault) => html`<li>${fault}</li>`)}
      </ul>
    </form>`;
  }

  #reviews({ marks }: Annotated): TemplateResult {
    const name = here.name.trim();
    const review = (isGood: boolean): void => {
      const others = marks.reviews.filter(({ by }) => by !== name);
      void annotating.change({ reviews: [...others, { by: name, is_good: isGood }] });
    };
    return html`<label class="row"
        ><span>Reviewer</span>
        <input class="field" maxlength="80" spellcheck="false" data-testid="annotate-name" .value=${here.name} @input=${(event: Event) => this.#name(valueOf(event))} />
        <small>${marks.reviews.length === 0 ? 'No second person looked at it yet.' : marks.reviews.map(({ by, is_good }) => `${by}: ${is_good ? 'good' : 'rejected'}`).join(', ')}</small></label
      >
      <div class="toolbar">
        <button type="button" class="button" data-testid="annotate-good" ?disabled=${name === ''} @click=${() => review(true)}>Good</button>
        <button type="button" class="button" data-testid="annotate-bad" ?disabled=${name === ''} @click=${() => review(false)}>Reject</button>
      </div>`;
  }

  readonly #ask = (tool: MarkTool, points: [number, number][]): ReturnType<typeof annotating.drawn> => annotating.drawn(tool, points);

  readonly #changed = (): void => this.#host.requestUpdate();

  readonly #refused = (event: Event): void => {
    this.#problem = (event as CustomEvent<string>).detail;
    this.#host.requestUpdate();
  };

  readonly #choose = (event: Event): void => {
    const field = event.target as HTMLInputElement;
    const files = [...(field.files ?? [])];
    field.value = '';
    void this.#try(() => annotating.add(files));
  };

  #url(item: Annotated): string {
    const { sha256: hash } = item.marks.source;
    if (this.#shown?.hash !== hash) {
      if (this.#shown !== null) URL.revokeObjectURL(this.#shown.url);
      this.#shown = { hash, url: URL.createObjectURL(annotating.picture(item) ?? new Blob()) };
    }
    return this.#shown.url;
  }

  #pick(tool: MarkTool): void {
    this.#tool = tool;
    this.#host.requestUpdate();
  }

  #name(name: string): void {
    here.name = name;
    this.#host.requestUpdate();
  }

  async #add(item: Annotated, mark: Mark): Promise<void> {
    const added = annotating.addMark(mark);
    this.#goOn(item, [...item.marks.marks, mark]);
    await added;
    this.#say(`${item.seen.marks.at(-1)?.words ?? ''} drawn.`);
  }

  /** On to the first tool of the task that has drawn nothing yet, before the marks are kept: the next one may begin at once. */
  #goOn({ marks: { task } }: Annotated, marks: readonly Mark[]): void {
    const { tools = [] } = annotating.about?.tasks.find((one) => one.task === task) ?? {};
    const used = marks.flatMap((one) => Object.keys(one));
    this.#tool = tools.find((tool) => !used.includes(tool)) ?? this.#tool;
    this.#host.requestUpdate();
  }

  async #delete(item: Annotated, at: number, words: string): Promise<void> {
    await annotating.deleteMark(at);
    this.#say(`${words} deleted.`);
    this.#goOn(item, item.marks.marks);
  }

  async #undo(): Promise<void> {
    await annotating.undo();
    this.#say('Undone.');
  }

  async #remove(which: 'shown' | 'all' | 'unread'): Promise<void> {
    const { items, item, unread } = annotating;
    const words = which === 'shown' ? `${item?.marks.task} ${item?.marks.id}` : plural(which === 'all' ? items.length : unread.length, 'item');
    const advice = which === 'unread' ? 'They cannot be brought back.' : 'Save the marks first if you may want them again.';
    if (!confirm(`Discard ${words} with all marks? ${advice}`)) return;
    await this.#try(() => annotating.remove(which));
    this.#say('Discarded.');
  }

  async #try(work: () => Promise<void>): Promise<void> {
    this.#problem = '';
    try {
      await work();
    } catch (error) {
      this.#problem = messageOf(error);
    }
    this.#host.requestUpdate();
  }

  async #open(): Promise<void> {
    await store.open([{ kind: 'zip', name: ZIP, blob: await annotating.zip() }]);
    store.go({ view: 'overview', scope: '', criterion: '' });
  }
}
