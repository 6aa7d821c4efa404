import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import '../components/export-menu/export-menu';
import type { JurorHelpDialog } from '../components/help-dialog/help-dialog';
import { OpenPictures } from '../components/compare-pictures/slides';
import { icon, mark, type IconName } from '../components/icon/icon';
import type { JurorLightbox } from '../components/lightbox/lightbox';
import { AskPanel } from '../components/panel-dialog/ask';
import type { JurorPanelDialog } from '../components/panel-dialog/panel-dialog';
import '../components/progress/progress';
import '../components/source-menu/source-menu';
import type { JurorSourceMenu } from '../components/source-menu/source-menu';
import { messageOf } from '../engine/errors';
import { page } from '../engine/loader/page';
import { fromDrop } from '../engine/sources';
import { SILENT_SECS } from '../engine/watchdog';
import type { Available } from '../engine/types/Available';
import type { PackBeside } from '../engine/types/PackBeside';
import type { PackCheck } from '../engine/types/PackCheck';
import type { Policy } from '../engine/types/Policy';
import type { Profile } from '../engine/types/Profile';
import type { DemoSuite } from '../engine/types/DemoSuite';
import type { SampleSort } from '../engine/types/SampleSort';
import type { ScoreOptions } from '../engine/types/ScoreOptions';
import { base, controls } from '../styles/base.styles';
import '../views/overview';
import { COMPARING } from '../state/comparing';
import { StoreController } from '../state/controllers';
import { DEMOS, suiteThatCan } from '../state/demos';
import { download } from '../state/download';
import { POLICY_SENTENCES, count, personName, plural } from '../state/format';
import { deepFocus, isTyping } from '../state/keys';
import { keeper } from './loader/keeper';
import { partialToTell } from '../state/partial';
import { NO_FILTER, USUAL_PLOT, criterionKey, type Place } from '../state/router';
import { styles } from './juror-app.styles';
import { titleOf } from './title';
import type { Notice, Theme } from '../state/state';
import { store } from '../state/store';

const THEMES: Record<Theme, { next: Theme; icon: IconName; label: string }> = {
  system: { next: 'light', icon: 'system', label: 'Theme: as the system. Switch to light' },
  light: { next: 'dark', icon: 'sun', label: 'Theme: light. Switch to dark' },
  dark: { next: 'system', icon: 'moon', label: 'Theme: dark. Switch to the system’s' },
};

const NOTICE_ICONS: Record<Notice['kind'], IconName> = { info: 'check', warn: 'warn', error: 'error' };

const POLICIES: Record<Policy, string> = {
  zero: 'lowest score',
  exclude: 'skipped',
  upstream: 'as in the authors’ code',
};

const PROFILES: Record<Profile, string> = { paper: 'paper’s formulas', released: 'authors’ code' };

const OVERVIEW: Place = { view: 'overview', scope: '', criterion: '' };

/** So long after a step in the history its view is there, and a browser has taken the focus from what it hid. */
const STEP_MS = 100;
/** How long after the start further views are fetched. */
const AHEAD_MS = 2000;

/** The places that show means of models. */
const WITH_MEANS: readonly Place['view'][] = ['overview', 'plots', 'compare', 'agreement', 'experiments'];

/** Packs are checked and compared once, whichever view is looked at. */
const checkPacks = (packs: number): Promise<PackCheck[]> => store.once(`check ${packs}`, () => store.client.checkPacks());
const comparePacks = (packs: number): Promise<PackBeside[]> => store.once(`compare ${packs}`, () => store.client.comparePacks());

/**
 * @summary The page: header, options in force, the view of the address, drop target, announcements.
 */
@customElement('juror-app')
export class JurorApp extends LitElement {
  static override styles = [base, controls, styles];

  readonly #store = new StoreController(this);
  @state() private dragging = false;
  /** Whether a phone shows the demo suites and what scores depend on; wider screens always do. */
  @state() private unfolded = false;
  @query('juror-help-dialog') private help!: JurorHelpDialog;
  @query('juror-panel-dialog') private panel!: JurorPanelDialog;
  @query('juror-source-menu') private sources!: JurorSourceMenu;
  @query('juror-lightbox') private lightbox!: JurorLightbox;
  #lastView = '';
  /** The criterion that was looked at last, kept on the way through views that go by none. */
  #criterion = '';
  /** Whether room was kept for what may be said of files. */
  #hasRoom = false;
  /** The view that could not be loaded, and why. */
  @state() private unloaded: { view: Place['view']; why: string } | null = null;
  /** What had the focus before a render that may take it away. */
  #focused: Element | null = null;
  /** Whether what is on the screen is what the address asks for, and nothing is asked of the engine: what tests wait for. */
  readonly isAtRest = async (): Promise<boolean> => (await store.client.isAtRest()) && !store.isElsewhere();

  override connectedCallback(): void {
    super.connectedCallback();
    this.replaceChildren();
    addEventListener('dragenter', this.#onDrag);
    addEventListener('dragover', this.#onDrag);
    addEventListener('dragleave', this.#onLeave);
    addEventListener('drop', this.#onDrop);
    addEventListener('keydown', this.#onKey);
    addEventListener('juror-open-pictures', this.#onPictures);
    addEventListener('juror-ask-help', this.#onHelp);
    addEventListener('juror-ask-panel', this.#onPanel);
    addEventListener('popstate', this.#onStep);
    // What is opened next most often is there before it is asked for; a failure shows when it is.
    setTimeout(() => void Promise.allSettled([import('../views/samples'), import('../views/sample'), keeper?.()]), AHEAD_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('dragenter', this.#onDrag);
    removeEventListener('dragover', this.#onDrag);
    removeEventListener('dragleave', this.#onLeave);
    removeEventListener('drop', this.#onDrop);
    removeEventListener('keydown', this.#onKey);
    removeEventListener('juror-open-pictures', this.#onPictures);
    removeEventListener('juror-ask-help', this.#onHelp);
    removeEventListener('juror-ask-panel', this.#onPanel);
    removeEventListener('popstate', this.#onStep);
  }

  protected override willUpdate(): void {
    this.#focused = deepFocus(document);
    // Who comes back to a view that failed has it tried again.
    if (this.unloaded?.view !== this.#store.state.route.place.view) this.unloaded = null;
  }

  override updated(): void {
    this.keepFocus();
    const { place } = this.#store.state.route;
    const view = place.view === 'sample' ? `sample ${place.id}` : place.view;
    if (view !== this.#lastView) {
      this.#lastView = view;
      this.showTab();
      document.title = `${titleOf(place)} · Juror`;
      if (place.view !== 'samples' && !(place.view === 'sample' && place.turn !== null)) scrollTo(0, 0);
    }
  }

  /** Where the tabs do not fit side by side, the one that is open is brought into sight. */
  private showTab(): void {
    const nav = this.renderRoot.querySelector('nav');
    const tab = nav?.querySelector<HTMLElement>('[aria-current]');
    if (nav == null || tab == null) return;
    const [outer, inner] = [nav.getBoundingClientRect(), tab.getBoundingClientRect()];
    nav.scrollBy({ left: inner.left + inner.width / 2 - (outer.left + outer.width / 2) });
  }

  override render(): TemplateResult {
    const { engine, engineError, silent } = this.#store.state;
    return html`<header><button type="button" class="skip button" @click=${this.skip}>Skip to the content</button>${this.renderBar()}</header>
      ${this.renderDemoNote()}
      <juror-update .state=${this.#store.state}></juror-update>
      ${
        engine === 'failed'
          ? html`<div class="banner bad" role="alert">
            ${icon('error')}
            <span><strong>The engine stopped.</strong> ${engineError} Your files are untouched; reloading reads them again.</span>
            <button type="button" class="button" @click=${() => void store.restart()}>Reload engine</button>
          </div>`
          : silent === null
            ? nothing
            : this.renderSilent(silent)
      }
      ${this.renderNotOpen()}
      ${this.renderLinked()}
      ${this.renderPacks()}
      ${this.renderContext()}
      <div class="status ${this.hasRoom() ? 'reading' : ''}"><juror-progress .client=${store.client} .state=${this.#store.state}></juror-progress>${this.renderStanding()} ${this.renderTolerance()}</div>
      <main id="main" tabindex="-1">${this.renderView()}</main>
      <footer>
        <span>Everything is computed in this browser. Nothing you open leaves your machine, unless you send it to a judge.</span>
        <span><a href=${store.href({ view: 'manual', chapter: '', section: '' })}>Manual</a> · <a href=${store.href({ view: 'about' })}>What is computed, and how</a></span>
      </footer>
      ${this.dragging ? html`<div class="drop" aria-hidden="true"><div>${icon('folder', 40)}<strong>Drop folders, files or ZIPs</strong><span>Benchmark and results, together or one after another</span></div></div>` : nothing}
      ${this.renderNotices()}
      <juror-lightbox .client=${store.client}></juror-lightbox>
      <juror-panel-dialog .client=${store.client} .state=${this.#store.state}></juror-panel-dialog>
      <juror-help-dialog .state=${this.#store.state}></juror-help-dialog>`;
  }

  /** The engine's thread stands still, or computes for long: the reader decides. */
  private renderSilent(waits: string): TemplateResult {
    const unkept = store.client.unkept();
    return html`<div class="banner bad" role="alert" data-testid="silent">
      ${icon('error')}
      <span>
        <strong>The engine stopped answering.</strong> It has not answered for ${SILENT_SECS} s${waits === '' ? '' : html`; it was waiting for: ${waits}`}. It may still be
        computing. Your files are untouched; reloading reads them again and restores pasted replies.
      </span>
      ${
        unkept.count === 0
          ? nothing
          : html`<button type="button" class="button" @click=${() => download(new Blob([unkept.text], { type: 'application/jsonl' }), 'jsonl', 'pasted')}>
            Save ${plural(unkept.count, 'pasted reply', 'pasted replies')}
          </button>`
      }
      <button type="button" class="button" @click=${() => void store.restart()}>Reload engine</button>
    </div>`;
  }

  private renderBar(): TemplateResult {
    const theme = THEMES[this.#store.state.theme];
    const criterion = this.criterion();
    return html`<div class="bar">
      <a class="brand" href=${store.href(OVERVIEW)} aria-label="Juror, overview">${mark}<span>Juror</span></a>
      <nav aria-label="Views">
        ${this.renderTab({ view: 'overview', scope: '', criterion }, 'Overview')} ${this.renderTab({ view: 'samples', filter: { ...NO_FILTER, by: criterion } }, 'Samples')} ${this.renderTab({ view: 'plots', choice: { ...USUAL_PLOT, criterion } }, 'Plots')} ${this.renderTab({ view: 'compare', comparing: { ...COMPARING, criterion } }, 'Compare')} ${this.renderTab({ view: 'incidents' }, 'Incidents')} ${this.renderTab({ view: 'judge' }, 'Judge')} ${this.renderTab({ view: 'metrics' }, 'Metrics')} ${this.renderTab({ view: 'rate' }, 'Rate')}
        ${this.hasAgents() ? this.renderTab({ view: 'agents' }, 'Agents') : nothing}
        ${this.hasAttention() ? this.renderTab({ view: 'dar' }, 'Attention') : nothing}
      </nav>
      <span class="spacer"></span>
      ${this.renderRunning()} ${this.renderTools()}
      <button type="button" class="button quiet icon help" aria-label="Help (?)" title="Help: words, keys, filters (?)" @click=${this.#onHelp}>${icon('help')}</button>
      <button type="button" class="button quiet icon" aria-label=${theme.label} title=${theme.label} @click=${() => store.setTheme(theme.next)}>
        ${icon(theme.icon)}
      </button>
      <juror-source-menu .client=${store.client} .state=${this.#store.state}></juror-source-menu>
    </div>`;
  }

  /** A job goes on, and may cost money, wherever the reader is meanwhile. */
  private renderRunning(): TemplateResult[] {
    const { job, agents, route } = this.#store.state;
    const jobs = [
      { view: 'judge', doing: 'Judging', state: job },
      { view: 'agents', doing: 'Agents', state: agents },
    ] as const;
    return jobs.flatMap(({ view, doing, state }) => {
      if (state === null || state.progress.finished || route.place.view === view) return [];
      const { answered, failed, total, paused } = state.progress;
      return [
        html`<a class="running" href=${store.href({ view })} data-testid="running-${view}">${paused ? 'Paused' : doing} <span class="num">${count(answered + failed)} of ${count(total)}</span></a>`,
      ];
    });
  }

  /** Every view that few need, with what it needs; those that have it say so by an icon. */
  private renderTools(): TemplateResult {
    const { overview, opened } = this.#store.state;
    const models = overview?.models.length ?? 0;
    const judges = (overview?.at_hand.judges.length ?? 0) + (overview?.at_hand.people.length ?? 0);
    const tools: [place: Place, name: string, does: string, needs: string, has: boolean][] = [
      [
        { view: 'statistics' },
        'Statistics',
        'what the benchmark is made of: groups, pictures, words',
        'a benchmark, and no model',
        overview?.benchmark != null,
      ],
      [{ view: 'lint' }, 'Output check', 'finds missing, damaged, misnamed and copied outputs', 'a benchmark and a model’s outputs', models > 0],
      [{ view: 'agreement' }, 'Agreement', 'how far judges and people agree', 'replies of two judges, or a judge’s replies and people’s ratings', judges > 1],
      [{ view: 'experiments' }, 'Experiments', 'variants, prompts and judges beside each other', 'replies about variants, or by two judges', models > 0],
      [{ view: 'embed' }, 'Embed', 'shows these scores on your own page', 'a benchmark with a model', models > 0],
      [{ view: 'agents' }, 'Agents', 'loops of planner and generator', suiteThatCan('agents')?.title ?? '', overview?.abilities.includes('agents') === true],
      [
        { view: 'dar' },
        'Attention',
        `rebalances attention as ${suiteThatCan('attention')?.title ?? 'its paper'} does`,
        'tensors of your own (.npy or .safetensors), and no benchmark',
        true,
      ],
      [{ view: 'make' }, 'Make', 'makes samples for MultiRef-Bench and cases for MICON-Bench', '', true],
      [{ view: 'manual', chapter: '', section: '' }, 'Manual', 'every view, file and command', '', true],
      [{ view: 'about' }, 'About', 'what is computed, and how', '', true],
    ];
    return html`<button type="button" class="button quiet more" popovertarget="tools" data-testid="tools">More${icon('chevron', 16)}</button>
      <div id="tools" popover role="group" aria-label="More views" @toggle=${this.onTools}>
        <ul>
          ${tools.map(
            ([place, name, does, needs, has]) =>
              html`<li>
                <a href=${store.href(place)} @click=${this.closeTools}><b>${name}</b><span>${does}</span>${needs === '' ? nothing : html`<span class="needs ${has ? 'has' : ''}">${icon(has ? 'check' : 'missing', 14)}needs ${needs}${has || opened.length === 0 ? '' : ', which is not open'}</span>`}</a>
              </li>`,
          )}
        </ul>
      </div>`;
  }

  private readonly closeTools = (): void => this.renderRoot.querySelector<HTMLElement>('#tools')?.hidePopover();

  /** Opens below its button, within the window. */
  private onTools(event: ToggleEvent): void {
    if (event.newState !== 'open') return;
    const popup = event.currentTarget as HTMLElement;
    const at = this.renderRoot.querySelector('[popovertarget="tools"]')?.getBoundingClientRect();
    if (at === undefined) return;
    popup.style.setProperty('left', `${Math.max(8, Math.min(at.right - popup.offsetWidth, innerWidth - popup.offsetWidth - 8))}px`);
    popup.style.setProperty('top', `${at.bottom + 6}px`);
    popup.querySelector('a')?.focus();
  }

  /** The criterion that is looked at, which stays on the way to another view that goes by one; empty for the usual. */
  private criterion(): string {
    const { overview, route } = this.#store.state;
    this.#criterion = criterionOf(route.place) ?? this.#criterion;
    const chosen = this.#criterion;
    return overview?.criteria.some(({ id }) => id === chosen) === true ? criterionKey(chosen) : '';
  }

  /** Some benchmarks have agent loops; their view stays where it is open. */
  private hasAgents(): boolean {
    const { overview, route } = this.#store.state;
    return overview?.abilities.includes('agents') === true || route.place.view === 'agents';
  }

  /** Some benchmarks have a method that works on attention; it needs no files of the benchmark. */
  private hasAttention(): boolean {
    const { overview, route } = this.#store.state;
    return overview?.abilities.includes('attention') === true || route.place.view === 'dar';
  }

  private renderTab(place: Place, label: string): TemplateResult {
    const { view } = this.#store.state.route.place;
    const here = view === place.view || (view === 'sample' && place.view === 'samples');
    return html`<a href=${store.href(place)} aria-current=${here ? 'page' : nothing}>${label}</a>`;
  }

  /** Whether a demo suite is what the page begins with: what stands around it is drawn at once, so that nothing moves when it comes. */
  private isDemoComing(): boolean {
    const { opened, opening, overview, engine, route } = this.#store.state;
    const isBegun = engine === 'loading' || opening !== '';
    return isBegun && opened.length === 0 && overview === null && route.bench === '' && route.pack === '' && page.report() === null;
  }

  /** Whether room is kept for what may be said of files: from their opening until the overview knows all of them. */
  private hasRoom(): boolean {
    const { opening, reading, opened, overview, overviewPending } = this.#store.state;
    const isReading = opening !== '' || reading === 'reading' || this.isDemoComing();
    const isUnknown = opened.length > 0 && (overview === null || overviewPending || !overview.pictures_checked);
    this.#hasRoom = isReading || (this.#hasRoom && isUnknown && reading !== 'cancelled');
    return this.#hasRoom;
  }

  private renderDemoNote(): TemplateResult | typeof nothing {
    const { opened, route } = this.#store.state;
    if (!opened.some(({ demo }) => demo) && !this.isDemoComing()) return nothing;
    const choice = ({ id, title }: DemoSuite): TemplateResult =>
      html`<li><a href=${store.demoHref(id)} aria-current=${route.demo === id ? 'true' : nothing}>${title}</a></li>`;
    return html`<div class="banner demo ${this.hasContext() ? 'with-context' : ''} ${this.unfolded ? 'unfolded' : ''}" role="region" aria-label="Demo suite">
      <span><strong>Demo suite</strong><span class="wide"> of synthetic pictures and replies</span></span>
      <ul class="demos" aria-label="Demo suites">${DEMOS.map(choice)}</ul>
      <span class="own"><button type="button" class="link" @click=${() => this.sources.openFolder()}>Open your own folder</button>
      <span class="muted wide">or drop it anywhere on this page</span></span>
    </div>`;
  }

  /** Results alone do not say what is missing from them. */
  private renderNotOpen(): TemplateResult | typeof nothing {
    const { overview } = this.#store.state;
    if (overview?.benchmark === null || overview?.has_results_only !== true) return nothing;
    return html`<div class="banner" role="region" aria-label="Benchmark not open" data-testid="benchmark-not-open">
      ${icon('warn')}
      <span><strong>Benchmark not open: totals may be incomplete.</strong> Only with ${overview.benchmark.title}’s own folder open is it known what was expected and is missing.</span>
      <button type="button" class="button" @click=${() => this.sources.openFolder()}>Open folder…</button>
    </div>`;
  }

  /** A link must not make the page ask another server for anything before the reader agrees. */
  private renderLinked(): TemplateResult | typeof nothing {
    const { linked } = this.#store.state;
    if (linked === '') return nothing;
    return html`<div class="banner" role="region" aria-label="Evidence pack of another server" data-testid="linked">
      <span>${
        new URL(linked).origin === location.origin
          ? html`This page’s server redirects this address to another one, which the browser does not show in advance.`
          : html`This address leads to an evidence pack on <strong>${new URL(linked).host}</strong>, another server than this page’s.`
      } <span class="muted">${linked}</span></span>
      <button type="button" class="button" @click=${() => void store.openLinked()}>Fetch it</button>
    </div>`;
  }

  /** What the numbers on the page leave out. */
  private renderStanding(): TemplateResult | typeof nothing {
    const { overview, reading, route } = this.#store.state;
    if (overview === null) return nothing;
    const { unread } = overview;
    // Where means are shown: a sample shows what there is of it.
    const notices = WITH_MEANS.includes(route.place.view) ? overview.notices : [];
    if (unread.files + unread.folders + notices.length + partialToTell(overview, route.options).length === 0) return nothing;
    void import('../components/standing/standing');
    // Who rates must not read models' names, which paths may bear.
    return html`<juror-standing .state=${this.#store.state} .overview=${overview} .notices=${notices} ?busy=${reading === 'reading'} ?blind=${route.place.view === 'rate'}></juror-standing>`;
  }

  /** Whether the evidence packs that are open reproduce. */
  private renderPacks(): TemplateResult | typeof nothing {
    const { opened, route } = this.#store.state;
    // What differs lists models and verdicts, which who rates must not read.
    if (route.place.view === 'rate' || !opened.some(({ pack }) => pack)) return nothing;
    void import('../components/pack-banner/pack-banner');
    return html`<juror-pack-banner .state=${this.#store.state} .check=${checkPacks} .compare=${comparePacks}></juror-pack-banner>`;
  }

  /** Who rates must not read models' names, which folders may bear. */
  private hasContext(): boolean {
    const { opened, route } = this.#store.state;
    return (opened.length > 0 || this.isDemoComing()) && !['about', 'manual', 'rate'].includes(route.place.view);
  }

  /** What is open, and the choices that every number depends on. */
  private renderContext(): TemplateResult | typeof nothing {
    if (!this.hasContext()) return nothing;
    const { overview, opened, route } = this.#store.state;
    const { profile, policy, judge, run, reading } = route.options;
    const usual: Policy = profile === 'paper' ? 'zero' : 'upstream';
    const coming = opened.every(({ demo }) => demo) ? DEMOS.find(({ id }) => id === route.demo)?.title : undefined;
    const sources = opened.length === 0 ? ['Demo suite'] : opened.map(({ name }) => name);
    const changed = [policy !== null, judge !== null, run !== null, profile === 'paper' && reading === 'tolerant'].filter(Boolean).length;
    return html`<div class="context" role="region" aria-label="What is open, and how it is scored">
      <div class="context-in">
        <span class="what">
          <strong>${overview?.benchmark?.title ?? coming ?? 'Opened'}</strong>
          <span class="muted sources" title=${sources.join('\n')}>${sources.join(' + ')}</span>
        </span>
        <span class="spacer"></span>
        <button type="button" class="button quiet unfold" aria-expanded=${this.unfolded} aria-controls="settings" data-testid="unfold" @click=${() => (this.unfolded = !this.unfolded)}>
          ${PROFILES[profile]}${changed === 0 ? nothing : `, ${changed} more changed`}${icon('chevron', 16)}
        </button>
        <div id="settings" class=${this.unfolded ? 'unfolded' : ''}>
        ${overview === null ? nothing : this.renderChoice(overview.at_hand, route.options)} ${profile === 'paper' ? this.renderReading(route.options) : nothing}
        <div class="policy"><span id="formulas">Score as</span>
        <fieldset class="segmented" aria-labelledby="formulas">
          ${(['paper', 'released'] as const).map(
            (id) =>
              html`<label title=${id === 'paper' ? 'Formulas as printed in the paper' : 'As the authors’ released code computes, defects included'}>
                <input
                  type="radio"
                  name="profile"
                  data-testid="profile-${id}"
                  .checked=${profile === id}
                  @change=${() => store.choose({ profile: id })}
                />${PROFILES[id]}
              </label>`,
          )}
        </fieldset></div>
        <label class="policy" title=${POLICY_SENTENCES[policy ?? usual]}>
          <span>Missing outputs</span>
          <select class="field" aria-label="Policy: what missing outputs count as" @change=${this.onPolicy}>
            <option value="" ?selected=${policy === null} .selected=${policy === null}>${POLICIES[usual]} (default)</option>
            ${(['zero', 'exclude', 'upstream'] as const).map((id) => html`<option value=${id} ?selected=${policy === id} .selected=${policy === id}>${POLICIES[id]}</option>`)}
          </select>
        </label>
        <juror-export-menu .client=${store.client} .state=${this.#store.state}></juror-export-menu>
        </div>
      </div>
    </div>`;
  }

  /** Whether replies are there that the reading in force gets no score from. */
  private hasRefused(): boolean {
    const incidents = this.#store.state.overview?.incidents ?? [];
    return incidents.some(({ kind, per_model: counts }) => (kind === 'unparsable' || kind === 'out_of_range') && counts.some((one) => one > 0));
  }

  /** How replies are read, where any is refused or the tolerant reading is chosen; the authors' code reads in its own way. */
  private renderReading({ reading = 'strict' }: ScoreOptions): TemplateResult | typeof nothing {
    if (!this.hasRefused() && reading === 'strict') return nothing;
    const words = { strict: 'strictly', tolerant: 'tolerantly' };
    return html`<label class="policy" title="Tolerantly: thoughts, Markdown and words around the verdict are set aside first. Two verdicts that differ are still none.">
      <span>Replies read</span>
      <select class="field" data-testid="reply-reading" aria-label="How replies are read" @change=${(event: Event) => store.choose({ reading: (event.target as HTMLSelectElement).value === 'tolerant' ? 'tolerant' : 'strict' })}>
        ${(['strict', 'tolerant'] as const).map((id) => html`<option value=${id} ?selected=${reading === id} .selected=${reading === id}>${words[id]}</option>`)}
      </select>
    </label>`;
  }

  /** What another reading of the replies would add, or adds. */
  private renderTolerance(): TemplateResult | typeof nothing {
    const { overview, route } = this.#store.state;
    if (overview === null || overview.profile === 'released' || !WITH_MEANS.includes(route.place.view)) return nothing;
    if (overview.reading === 'strict' && !this.hasRefused()) return nothing;
    void import('../components/reading/reading');
    return html`<juror-reading .client=${store.client} .state=${this.#store.state} .overview=${overview}></juror-reading>`;
  }

  /** Whether the address is of a benchmark that is not open. */
  private lacksData(): boolean {
    const { route, overview, engine, opened } = this.#store.state;
    if (route.bench === '' || ['about', 'manual', 'dar', 'make'].includes(route.place.view) || engine !== 'ready') return false;
    // After a restart what was open is read again.
    if (overview === null && opened.length > 0) return false;
    return overview?.benchmark?.protocol !== route.bench;
  }

  private renderView(): TemplateResult {
    const { route, overview, opening, reading } = this.#store.state;
    const { place } = route;
    if (this.lacksData() && this.unloaded === null) {
      this.expect(import('../components/missing-data/missing-data'));
      return html`<juror-missing-data .state=${this.#store.state} bench=${route.bench} .place=${place} .overview=${overview} ?busy=${opening !== '' || reading === 'reading'} @juror-open-folder=${() => this.sources.openFolder()}></juror-missing-data>`;
    }
    if (this.unloaded?.view === place.view) return this.renderUnloaded(this.unloaded.why);
    switch (place.view) {
      case 'overview':
        return html`<juror-overview @juror-open-folder=${() => this.sources.openFolder()}></juror-overview>`;
      case 'samples':
        this.expect(import('../views/samples'));
        return html`<juror-samples></juror-samples>`;
      case 'sample':
        this.expect(import('../views/sample'));
        return html`<juror-sample></juror-sample>`;
      case 'plots':
        this.expect(import('../views/plots'));
        return html`<juror-plots><p class="muted">Loading…</p></juror-plots>`;
      case 'incidents':
        this.expect(import('../views/incidents'));
        return html`<juror-incidents-view></juror-incidents-view>`;
      case 'compare':
        this.expect(import('../views/compare'));
        return html`<juror-compare></juror-compare>`;
      case 'judge':
        this.expect(import('../views/judge'));
        return html`<juror-judge></juror-judge>`;
      case 'metrics':
        this.expect(import('../views/metrics'));
        return html`<juror-metrics></juror-metrics>`;
      case 'agents':
        this.expect(import('../views/agents'));
        return html`<juror-agents></juror-agents>`;
      case 'rate':
        this.expect(import('../views/rate'));
        return html`<juror-rate></juror-rate>`;
      case 'agreement':
        this.expect(import('../views/agreement'));
        return html`<juror-agreement-view></juror-agreement-view>`;
      case 'lint':
        this.expect(import('../views/lint'));
        return html`<juror-lint></juror-lint>`;
      case 'experiments':
        this.expect(import('../views/experiments'));
        return html`<juror-experiments></juror-experiments>`;
      case 'statistics':
        this.expect(import('../views/statistics'));
        return html`<juror-statistics></juror-statistics>`;
      case 'dar':
        this.expect(import('../views/dar'));
        return html`<juror-dar></juror-dar>`;
      case 'make':
        this.expect(import('../views/make'));
        return html`<juror-make></juror-make>`;
      case 'embed':
        this.expect(import('../views/embed'));
        return html`<juror-embed-view></juror-embed-view>`;
      case 'about':
        this.expect(import('../views/about'));
        return html`<juror-about></juror-about>`;
      case 'manual':
        this.expect(import('../views/manual'));
        return html`<juror-manual></juror-manual>`;
    }
  }

  /** Each view comes when it is first asked for; one that does not come says so in its place. */
  private expect(part: Promise<unknown>): void {
    const { view } = this.#store.state.route.place;
    part.catch((error: unknown) => (this.unloaded = { view, why: messageOf(error) }));
  }

  private renderUnloaded(why: string): TemplateResult {
    return html`<section class="panel unloaded" role="alert" data-testid="unloaded">
      ${icon('error', 32)}
      <h1>This view could not be loaded</h1>
      <p>A part of the page could not be loaded, perhaps because there is no network. What you opened stays open, and the views that are already loaded keep working.</p>
      <p class="small muted">${why}</p>
      <button type="button" class="button primary" @click=${() => (this.unloaded = null)}>Try again</button>
    </section>`;
  }

  private renderNotices(): TemplateResult {
    const { notices } = this.#store.state;
    return html`<div class="notices" role="region" aria-label="Messages">
      ${notices.map(
        ({ id, kind, text }) =>
          html`<div class="notice ${kind}" role=${kind === 'info' ? nothing : 'alert'}>
            ${icon(NOTICE_ICONS[kind])}<span>${text}</span>
            <button type="button" class="button quiet icon" aria-label="Dismiss" @click=${() => store.dismiss(id)}>${icon('close', 16)}</button>
          </div>`,
      )}
      <div class="visually-hidden" role="status" aria-live="polite">${this.announcement()}</div>
    </div>`;
  }

  private announcement(): string {
    const { notices, reading, engine, overview } = this.#store.state;
    const last = notices.at(-1);
    if (last?.kind === 'info') return last.text;
    if (engine === 'loading') return 'The engine is starting.';
    if (reading === 'reading') return 'Reading files.';
    if (reading === 'done' && overview?.benchmark != null)
      return `${overview.benchmark.title} is loaded: ${overview.benchmark.samples} samples, ${overview.models.length} models.`;
    return '';
  }

  private onPolicy(event: Event): void {
    const { value } = event.target as HTMLSelectElement;
    store.choose({ policy: value === '' ? null : (value as Policy) });
  }

  private readonly onJudge = (event: Event): void => {
    const field = event.target as HTMLSelectElement;
    if (field.value === 'together') {
      const { judge } = this.#store.state.route.options;
      field.value = judge === null ? 'all' : `.${judge}`;
      this.askPanel(new AskPanel((judge) => store.choose({ judge }), 'Score together'));
    } else store.choose({ judge: field.value === 'all' ? null : field.value.slice(1) });
  };

  /** One judge and one run alone, or several judges together, where there are several. */
  private renderChoice({ judges, runs, people, joined }: Available, { judge, run }: ScoreOptions): TemplateResult {
    const chosen = (event: Event): string => (event.target as HTMLSelectElement).value;
    const known = judge === null || [...judges, ...people, ...joined.map((one) => one.judge)].includes(judge) ? judges : [...judges, judge];
    const knownRuns = run === null || runs.includes(run) ? runs : [...runs, run];
    const name = (id: string): string => `${id === '' ? 'not stated' : id}${judges.includes(id) || id.startsWith('panel:') ? '' : ' (no reply)'}`;
    return html`${
      known.length < 2 && people.length === 0 && judge === null
        ? nothing
        : html`<label class="policy" title="Whose replies are scored">
          <span>Judge</span>
          <select class="field" aria-label="Judge whose replies are scored" @change=${this.onJudge}>
            <option value="all" ?selected=${judge === null} .selected=${judge === null}>all</option>
            ${known.map((id) => html`<option value=".${id}" ?selected=${judge === id} .selected=${judge === id}>${name(id)}</option>`)}
            ${joined.map((one) => html`<option value=".${one.judge}" ?selected=${judge === one.judge} .selected=${judge === one.judge}>${one.name} (mean)</option>`)}
            ${
              people.length === 0
                ? nothing
                : html`<optgroup label="People who rated">
                    ${people.map((id) => html`<option value=".${id}" ?selected=${judge === id} .selected=${judge === id}>${personName(id)}</option>`)}
                  </optgroup>`
            }
            ${judges.length + people.length < 2 ? nothing : html`<option value="together">several together…</option>`}
          </select>
        </label>`
    }
    ${
      knownRuns.length < 2 && run === null
        ? nothing
        : html`<label class="policy" title="Which repeat of the judging is scored">
          <span>Run</span>
          <select class="field" aria-label="Run that is scored" @change=${(event: Event) => store.choose({ run: Number(chosen(event)) || null })}>
            <option value="0" ?selected=${run === null} .selected=${run === null}>all</option>
            ${knownRuns.map((id) => html`<option value=${id} ?selected=${run === id} .selected=${run === id}>${id}${runs.includes(id) ? '' : ' (no reply)'}</option>`)}
          </select>
        </label>`
    }`;
  }

  /** Where what had the focus is gone, as with a view that was left, the next message or the content takes it. */
  private keepFocus(): void {
    const before = this.#focused;
    if (before === null || before.isConnected || document.activeElement !== document.body) return;
    const messages = before.closest('.notice') === null ? [] : [...this.renderRoot.querySelectorAll<HTMLElement>('.notice button')];
    (messages.at(-1) ?? this.renderRoot.querySelector<HTMLElement>('#main'))?.focus({ preventScroll: true });
  }

  /** A step back or forward may take away what had the focus; then the content takes it. */
  readonly #onStep = (): void => {
    if (deepFocus(document) === null || document.activeElement === document.body) return;
    setTimeout(() => {
      if (document.activeElement === document.body) this.skip();
    }, STEP_MS);
  };

  private skip(): void {
    this.renderRoot.querySelector<HTMLElement>('#main')?.focus();
  }

  readonly #onDrag = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    if (!this.dragging) store.client.expectFiles();
    this.dragging = true;
  };

  readonly #onLeave = (event: DragEvent): void => {
    if (event.relatedTarget === null) this.dragging = false;
  };

  readonly #onDrop = (event: DragEvent): void => {
    this.dragging = false;
    // A place of its own may have taken it already.
    if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    fromDrop(event.dataTransfer).then(
      (sources) => void store.open(sources),
      (error: unknown) => store.notify('error', `What was dropped could not be read: ${String(error)}`),
    );
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '?') this.#onHelp();
  };

  readonly #onPictures = (event: Event): void => {
    if (event instanceof OpenPictures) void this.showPictures(event);
  };

  readonly #onPanel = (event: Event): void => {
    if (event instanceof AskPanel) this.askPanel(event);
  };

  private askPanel(ask: AskPanel): void {
    this.expect(import('../components/panel-dialog/panel-dialog').then(() => this.panel.show(ask)));
  }

  /** Words and keys come when they are first asked for. */
  readonly #onHelp = (): void => {
    import('../components/help-dialog/help-dialog').then(
      () => this.help.show(),
      () => store.notify('error', 'The help could not be loaded, perhaps because there is no network. Ask for it again.'),
    );
  };

  /** The viewer comes when it is first needed. */
  private async showPictures({ slides, start }: OpenPictures): Promise<void> {
    try {
      await import('../components/lightbox/lightbox');
    } catch (error) {
      store.notify('error', `The viewer could not be loaded: ${messageOf(error)}`);
      return;
    }
    const usual = [...slides.keys()].slice(0, 4).map(String);
    this.lightbox.show(slides, { mode: 'one', pictures: [String(start)], at: '' }, usual);
  }
}

/** Orders of the list that go by a criterion. */
const BY_CRITERION: readonly SampleSort[] = ['score_asc', 'score_desc', 'spread', 'difference'];

/** The criterion of a place; `null` where it goes by none. */
function criterionOf(place: Place): string | null {
  switch (place.view) {
    case 'overview':
      return place.criterion;
    case 'samples':
    case 'sample':
      // A list in its own order, and a sample that no list led to, go by no criterion.
      return place.filter.by === '' && !BY_CRITERION.includes(place.filter.sort) ? null : place.filter.by;
    case 'plots':
      return place.choice.criterion;
    case 'compare':
      return place.comparing.criterion;
    default:
      return null;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-app': JurorApp;
  }
}
