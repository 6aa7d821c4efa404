import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import type { JurorHelpDialog } from '../components/help-dialog/help-dialog';
import { OpenPictures } from '../components/compare-pictures/slides';
import { icon } from '../components/icon/icon';
import type { JurorLightbox } from '../components/lightbox/lightbox';
import { AskPanel } from '../components/panel-dialog/ask';
import type { JurorPanelDialog } from '../components/panel-dialog/panel-dialog';
import '../components/progress/progress';
import type { JurorSourceMenu } from '../components/source-menu/source-menu';
import { messageOf } from '../engine/errors';
import { fromDrop } from '../engine/sources';
import type { SampleSort } from '../engine/types/SampleSort';
import { base, controls } from '../styles/base.styles';
import { StoreController } from '../state/controllers';
import { deepFocus, isTyping } from '../state/keys';
import { keeper } from './loader/keeper';
import { criterionKey, type Place } from '../state/router';
import { store } from '../state/store';
import { renderDemoNote, renderEngine, renderLinked, renderNotOpen, renderPacks, renderStanding, renderTolerance } from './banners';
import { renderBar } from './bar';
import { isDemoComing, renderContext } from './context';
import { styles } from './juror-app.styles';
import { renderNotices } from './messages';
import { lacksData, renderMissing, renderPlace, renderUnloaded, type ViewActions } from './place-view';
import { titleOf } from './title';

/** So long after a step in the history its view is there, and a browser has taken the focus from what it hid. */
const STEP_MS = 100;
/** How long after the start further views are fetched. */
const AHEAD_MS = 2000;

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
    const { state } = this.#store;
    return html`<header><button type="button" class="skip button" @click=${this.skip}>Skip to the content</button>${renderBar(state, this.criterion(), this.#onHelp)}</header>
      ${renderDemoNote(state, this.unfolded, this.openFolder)}
      <juror-update .state=${state}></juror-update>
      ${renderEngine(state)}
      ${renderNotOpen(state, this.openFolder)}
      ${renderLinked(state)}
      ${renderPacks(state)}
      ${renderContext(state, { isUnfolded: this.unfolded, unfold: () => (this.unfolded = !this.unfolded), askPanel: (ask) => this.askPanel(ask) })}
      <div class="status ${this.hasRoom() ? 'reading' : ''}"><juror-progress .client=${store.client} .state=${state}></juror-progress>${renderStanding(state)} ${renderTolerance(state)}</div>
      <main id="main" tabindex="-1">${this.renderView()}</main>
      <footer>
        <span>Everything is computed in this browser. Nothing you open leaves your machine, unless you send it to a judge or generator.</span>
        <span><a href=${store.href({ view: 'manual', chapter: '', section: '' })}>Manual</a> · <a href=${store.href({ view: 'about' })}>What is computed, and how</a></span>
      </footer>
      ${this.dragging ? html`<div class="drop" aria-hidden="true"><div>${icon('folder', 40)}<strong>Drop folders, files or ZIPs</strong><span>Benchmark and results, together or one after another</span></div></div>` : nothing}
      ${renderNotices(state)}
      <juror-lightbox .client=${store.client}></juror-lightbox>
      <juror-panel-dialog .client=${store.client} .state=${state}></juror-panel-dialog>
      <juror-help-dialog .state=${state}></juror-help-dialog>`;
  }

  private readonly openFolder = (): void => this.sources.openFolder();

  /** The criterion that is looked at, which stays on the way to another view that goes by one; empty for the usual. */
  private criterion(): string {
    const { overview, route } = this.#store.state;
    this.#criterion = criterionOf(route.place) ?? this.#criterion;
    const chosen = this.#criterion;
    return overview?.criteria.some(({ id }) => id === chosen) === true ? criterionKey(chosen) : '';
  }

  /** Whether room is kept for what may be said of files: from their opening until the overview knows all of them. */
  private hasRoom(): boolean {
    const { opening, reading, opened, overview, overviewPending } = this.#store.state;
    const isReading = opening !== '' || reading === 'reading' || isDemoComing(this.#store.state);
    const isUnknown = opened.length > 0 && (overview === null || overviewPending || !overview.pictures_checked);
    this.#hasRoom = isReading || (this.#hasRoom && isUnknown && reading !== 'cancelled');
    return this.#hasRoom;
  }

  private renderView(): TemplateResult {
    const { state } = this.#store;
    const { place } = state.route;
    const actions: ViewActions = { expect: (part) => this.expect(part), openFolder: this.openFolder };
    if (this.unloaded === null && lacksData(state)) return renderMissing(state, actions);
    if (this.unloaded?.view === place.view) return renderUnloaded(this.unloaded.why, () => (this.unloaded = null));
    return renderPlace(place, actions);
  }

  /** Each view comes when it is first asked for; one that does not come says so in its place. */
  private expect(part: Promise<unknown>): void {
    const { view } = this.#store.state.route.place;
    part.catch((error: unknown) => (this.unloaded = { view, why: messageOf(error) }));
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
