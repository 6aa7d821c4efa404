/** The one store: what is open, where the page is, and how the engine stands. */
import { askToKeep } from './keeping';
import { engineClient, isAbort, type Source } from '../engine/client';
import { codeOf, messageOf } from '../engine/errors';
import type { KeptReply } from '../engine/types/KeptReply';
import type { ModelKind } from '../engine/types/ModelKind';
import type { PastedTogether } from '../engine/types/PastedTogether';
import type { PastedReply } from '../engine/types/PastedReply';
import type { ReplyCheck } from '../engine/types/ReplyCheck';
import type { ScoreOptions } from '../engine/types/ScoreOptions';
import { page } from '../engine/loader/page';
import { FIRST_DEMO } from './demos';
import { plural } from './format';
import { hrefOf } from './links';
import { hashOf, parseHash, type Place, type Route } from './router';
import type { Notice, State, Step, Theme } from './state';

const START: Place = { view: 'overview', scope: '', criterion: '' };
/** An address that says of nothing what to open. */
const NOWHERE: Omit<Route, 'options'> = { place: START, demo: FIRST_DEMO, bench: '', pack: '', extra: false };
/** What a report is called that came with the page. */
const GIVEN_NAME = 'The report in this file';
/** What was typed without a longer pause is one step of the history. */
const SETTLED_MS = 1500;
/** A step back in the history that takes longer is not waited for. */
const LEAVING_MS = 2000;

function demoSource(id: string, name = 'Demo suite', folder = id): Source {
  return { kind: 'demo', name, url: new URL(`demo/${folder}/index.json`, document.baseURI).href, benchmark: id };
}

/** The store; views subscribe by {@link StoreController}. */
export class Store extends EventTarget {
  #state: State = {
    engine: 'loading',
    engineError: '',
    silent: null,
    reading: 'idle',
    progress: null,
    version: 0,
    opened: [],
    opening: '',
    listed: null,
    sourceProblems: [],
    overview: null,
    overviewPending: false,
    overviewError: '',
    route: parseHash(location.hash),
    linked: '',
    theme: storedTheme(),
    unexportedPastes: 0,
    pastes: 0,
    keeping: null,
    notices: [],
    packing: null,
    job: null,
    agents: null,
    generate: null,
    compared: null,
  };
  #overviewCall: AbortController | null = null;
  /** The step back out of a dialog that was asked for: the address that it leads to, when, and the one that was gone to since. */
  #leaving: { back: string; since: number; elsewhere: { hash: string; state: unknown } | null } | null = null;
  /** When something was typed last that the address has, unless another step came since. */
  #typed = -Infinity;
  #nextNotice = 1;
  /** Sources being opened now. */
  #opening = 0;
  /** The demo suite that is open or on its way; another object each time that one is shown. */
  #demo: { id: string } | null = null;
  /** Sources that came before the engine was ready; it opens them first. */
  #waiting: Source[] = [];
  #askedToKeep = false;
  /** What readers have waited for, of what is open. */
  readonly #once = new Map<string, Promise<unknown>>();
  /** Handles of what is open, kept together so that it can be opened again. */
  #together: { id: string; handles: FileSystemHandle[] } = { id: '', handles: [] };

  readonly client = engineClient({
    onProgress: (progress, reading) => {
      this.#set({ progress, reading });
      this.#markPhase();
    },
    onChanged: () => this.#changed(),
    onListed: (listed) => this.#set({ listed }),
    onPack: (done, total) => this.#set({ packing: { done, total } }),
    onReplies: (pastes) => this.#set({ pastes }),
    onJob: (job) => {
      this.#set({ job });
      if (job.progress.answered > 0 && job.isElsewhere !== true) void this.#askToKeep();
    },
    onAgents: (agents) => {
      this.#set({ agents });
      if (agents.progress.answered > 0 && agents.isElsewhere !== true) void this.#askToKeep();
    },
    onGenerate: (generate) => {
      this.#set({ generate });
      if (generate.progress.answered > 0 && generate.isElsewhere !== true) void this.#askToKeep();
    },
    onCompared: (done, total) => this.#set({ compared: { done, total } }),
    onFailed: (message) => {
      document.documentElement.dataset.engine = 'failed';
      this.#set({ engine: 'failed', engineError: message });
    },
    onSilent: (silent) => this.#set({ silent }),
    onLost: (message) => this.notify('error', message),
  });

  get state(): Readonly<State> {
    return this.#state;
  }

  /** Starts the engine and opens the demo suite of the address. */
  async start(): Promise<void> {
    document.documentElement.dataset.engine = 'loading';
    addEventListener('hashchange', ({ newURL }) => this.#addressChanged(new URL(newURL).hash));
    addEventListener('beforeunload', (event) => {
      if (this.#state.unexportedPastes > 0) event.preventDefault();
    });
    try {
      await this.client.start(this.#state.route.demo);
      this.#ready();
      await this.#showFirst();
    } catch (error) {
      this.#startFailed(error);
    }
  }

  /** Starts the engine anew with the same sources. */
  async restart(): Promise<void> {
    document.documentElement.dataset.engine = 'loading';
    this.#opening += 1;
    this.#set({
      engine: 'loading',
      engineError: '',
      overview: null,
      reading: 'idle',
      progress: null,
      job: null,
      agents: null,
      generate: null,
      opening: 'again',
    });
    this.#markPhase();
    try {
      const sourceProblems = await this.client.restart().finally(() => {
        this.#opening -= 1;
        this.#set({ opening: '' });
        this.#markPhase();
      });
      this.#set({ sourceProblems });
      this.#ready();
      if (this.#state.opened.length === 0 || this.#waiting.length > 0) await this.#showFirst();
      else this.#changed();
    } catch (error) {
      this.#startFailed(error);
    }
  }

  /** Opens sources: own data replaces the demo suite, more own data is added. */
  async open(sources: Source[]): Promise<void> {
    if (sources.length === 0) {
      this.notify('error', 'Nothing could be opened: no files were found.');
      return;
    }
    if (this.#state.engine !== 'ready') {
      this.#waiting.push(...sources);
      this.#set({ opening: sources[0]?.name ?? '' });
      return;
    }
    const demo = this.#demo;
    if (demo !== null) await this.#clear();
    this.#leaveGiven();
    for (const source of sources) await this.#openOne(source);
    // Where nothing of them could be opened, the demo suite stays.
    if (demo !== null && this.#demo === null && this.#opening === 0 && this.#state.opened.length === 0 && this.#state.linked === '') {
      this.#demo = demo;
      this.#navigate({ ...this.#state.route, demo: demo.id }, 'replace');
      await this.#showDemo(demo.id);
    }
  }

  /** Keeps the handles of what was opened; a browser without storage or handles has nothing to open again. */
  async #remember(handles: readonly FileSystemHandle[]): Promise<void> {
    if (this.#together.id === '') this.#together.id = `${Date.now()} ${Math.random()}`;
    this.#together.handles.push(...handles);
    const { remember } = await import('../engine/handles');
    await remember(this.#together.id, this.#together.handles);
  }

  /** Shows a demo suite instead of what is open, from its overview on. */
  async openDemo(id: string): Promise<void> {
    this.#demo = { id };
    this.#waiting = [];
    this.#navigate({ ...NOWHERE, options: this.#state.route.options, demo: id }, 'push');
    await this.#showDemo(id);
  }

  /** Adds to the demo suite what its address names from then on. */
  addExtra(): void {
    this.#navigate({ ...this.#state.route, extra: true }, 'push');
  }

  /** Closes everything and starts with nothing. */
  async closeAll(): Promise<void> {
    await this.#clear();
    this.#navigate({ ...NOWHERE, options: this.#state.route.options }, 'push');
    this.#changed();
  }

  /** Asks once and keeps the answer, whichever view is looked at, until what is open is closed. */
  once<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#once.get(key) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const asked = ask();
    this.#once.set(key, asked);
    asked.catch(() => this.#once.get(key) === asked && this.#once.delete(key));
    return asked;
  }

  /** Reads the files again that could not be read. */
  async retryFailures(): Promise<void> {
    await this.client.retryFailures();
    this.#changed();
  }

  /** Goes to a place, keeping profile and policy. */
  go(place: Place, mode: Step = 'push'): void {
    this.#navigate({ ...this.#state.route, place }, mode);
  }

  /** Leaves a dialog that has an address: back to where it was opened from, or to `place` where a link led straight to it. */
  leaveLayer(place: Place): void {
    // Who is elsewhere already stays there.
    if (this.isElsewhere()) return;
    const layers = openLayers();
    if (layers === 0) {
      this.go(place, 'replace');
      return;
    }
    this.#leaving = { back: layerState()?.below ?? this.href(place), since: performance.now(), elsewhere: null };
    history.go(-layers);
  }

  /** Whether the address has changed without the page being told yet. */
  isElsewhere(): boolean {
    return hashOf(parseHash(location.hash)) !== hashOf(this.#state.route);
  }

  /** The address of a place under the options in force. */
  href(place: Place): string {
    return hrefOf(this.#state.route, place);
  }

  /** The address of a demo suite's overview under the options in force. */
  demoHref(id: string): string {
    return hashOf({ ...NOWHERE, options: this.#state.route.options, demo: id });
  }

  /** Changes what every number depends on. */
  choose(part: Partial<ScoreOptions>, mode: 'push' | 'replace' = 'push'): void {
    const { route } = this.#state;
    this.#navigate({ ...route, options: { ...route.options, ...part } }, mode);
  }

  setTheme(theme: Theme): void {
    const root = document.documentElement;
    if (theme === 'system') delete root.dataset.theme;
    else root.dataset.theme = theme;
    try {
      if (theme === 'system') localStorage.removeItem('juror-theme');
      else localStorage.setItem('juror-theme', theme);
    } catch {
      // Without storage the choice holds as long as the page.
    }
    this.#set({ theme });
  }

  /** Reads and keeps a reply. */
  async paste(reply: PastedReply): Promise<KeptReply> {
    const result = await this.client.paste(reply);
    if (result.kept) {
      this.#pasted(1, result.stored);
      this.#changed();
    }
    return result;
  }

  /** Takes a pasted reply out again. */
  async removePasted(reply: PastedReply): Promise<void> {
    const removed = await this.client.removePasted(reply);
    const { pastes, unexportedPastes } = this.#state;
    this.#set({ pastes: Math.max(0, pastes - removed), unexportedPastes: Math.max(0, Math.min(unexportedPastes, pastes - removed)) });
    this.#changed();
  }

  /** The same for replies that come together. */
  async pasteReplies(text: string): Promise<PastedTogether> {
    const result = await this.client.pasteReplies(text);
    if (result.taken > 0) {
      this.#pasted(result.taken, result.stored);
      this.#changed();
    }
    return result;
  }

  /** Holds the replies against their requests as they are now. */
  async checkReplies(): Promise<ReplyCheck> {
    const check = await this.client.checkReplies();
    this.#changed();
    return check;
  }

  /** Replies that are in no storage would be lost with the tab. */
  #pasted(count: number, stored: boolean): void {
    if (stored) void this.#askToKeep();
    else this.#set({ unexportedPastes: this.#state.unexportedPastes + count });
  }

  /** Asks the browser, once, not to clear by itself what cost money or work; a demo suite's visitor is asked nothing. */
  async #askToKeep(): Promise<void> {
    if (this.#askedToKeep) return;
    this.#askedToKeep = true;
    this.#set({ keeping: await askToKeep() });
  }

  async usePack(sha256: string): Promise<void> {
    await this.client.usePack(sha256);
    this.#changed();
  }

  /** Says which benchmark counts where several may be meant. */
  async chooseBenchmark(path: string): Promise<void> {
    await this.client.chooseBenchmark(path);
    this.#changed();
  }

  /** Says who judged in files that do not state it; an empty name takes that back. */
  async nameJudge(places: string[], judge: string): Promise<void> {
    try {
      const isKept = await this.client.nameJudge(places, judge);
      if (!isKept && judge !== '') this.notify('info', 'The name counts until this tab is closed; a pack or an export keeps it.');
    } catch (error) {
      this.notify('error', messageOf(error));
      return;
    }
    this.#changed();
  }

  /** Says what a model is judged on; none leaves it to its files. */
  async setKind(model: string, kind: ModelKind | null): Promise<void> {
    try {
      await this.client.setKind(model, kind);
    } catch (error) {
      this.notify('error', messageOf(error));
      return;
    }
    this.#changed();
  }

  /** Ratings were written or taken in: what is compared with them changes. */
  async ratingsChanged(): Promise<void> {
    try {
      await this.client.takeRatings();
    } catch (error) {
      this.notify('error', messageOf(error));
    }
    this.#changed();
  }

  pastesExported(): void {
    this.#set({ unexportedPastes: 0 });
  }

  /** Shows a passing message. */
  notify(kind: Notice['kind'], text: string): void {
    const id = this.#nextNotice++;
    this.#set({ notices: [...this.#state.notices.slice(-3), { id, kind, text }] });
    if (kind === 'info') setTimeout(() => this.dismiss(id), 6000);
  }

  dismiss(id: number): void {
    this.#set({ notices: this.#state.notices.filter((notice) => notice.id !== id) });
  }

  /** Fetches the evidence pack of the address, whoever's server it is on. */
  async openLinked(): Promise<void> {
    const { linked } = this.#state;
    this.#set({ linked: '' });
    await this.#openOne({ kind: 'url', name: fileName(linked), url: linked, redirects: 'followed' }, true);
  }

  /** What was given while the engine started; else a report or pack, or the demo suite, unless the address is of one's own files. */
  async #showFirst(): Promise<void> {
    const { demo, bench, pack } = this.#state.route;
    const waiting = this.#waiting.splice(0);
    const report = page.report();
    if (waiting.length > 0) await this.open(waiting);
    else if (report !== null) await this.#openOne({ kind: 'zip', name: GIVEN_NAME, blob: report }, true);
    else if (pack !== '') await this.#showLinked(pack);
    else if (bench === '') await this.#showDemo(demo);
    else this.#changed();
  }

  /** Opens the evidence pack of an address: at once from the page's own server, else once the reader agrees. */
  async #showLinked(pack: string): Promise<void> {
    if (this.#state.opened.length > 0 || this.#state.opening !== '') await this.#clear();
    const address = URL.canParse(pack, document.baseURI) ? new URL(pack, document.baseURI) : null;
    if (address === null || !/^https?:$/.test(address.protocol)) {
      this.notify('error', `“${pack}” is not an address from which an evidence pack can be fetched.`);
      this.#changed();
      return;
    }
    if (address.origin === location.origin) {
      // The page's own server may send a request on to any other: that needs the reader's word as well.
      await this.#openOne({ kind: 'url', name: fileName(address.href), url: address.href, redirects: 'refused' }, true);
      return;
    }
    this.#set({ linked: address.href });
    this.#changed();
  }

  /** Names the benchmark in the address, so that it tells others what to open; a sample of another one stays as it is. */
  #nameBenchmark(): void {
    const { route, overview, opened } = this.#state;
    const found = overview?.benchmark?.protocol ?? '';
    if (opened.length === 0 || opened.some(({ demo, given }) => demo || given) || found === '' || found === route.bench) return;
    if (route.bench === '' || route.place.view !== 'sample') this.#navigate({ ...route, bench: found }, 'replace');
  }

  #set(part: Partial<State>): void {
    this.#state = { ...this.#state, ...part };
    this.dispatchEvent(new Event('change'));
  }

  #ready(): void {
    document.documentElement.dataset.engine = 'ready';
    this.#set({ engine: 'ready' });
  }

  #startFailed(error: unknown): void {
    document.documentElement.dataset.engine = 'failed';
    this.#set({ engine: 'failed', engineError: messageOf(error), opening: '' });
  }

  async #showDemo(id: string): Promise<void> {
    // What is shown once the engine is ready is what the address says then.
    if (this.#state.engine !== 'ready') return;
    const demo = { id };
    const closed = this.#state.opened.length > 0 || this.#state.opening !== '' ? this.#clear() : null;
    this.#demo = demo;
    await closed;
    // Whoever opened something else meanwhile has that.
    if (this.#demo === demo) await this.#openOne(demoSource(id));
    if (this.#demo === demo && this.#state.route.extra) await this.#showExtra(id);
  }

  async #showExtra(id: string): Promise<void> {
    if (page.hasExtras) await this.#openOne(demoSource(id, 'another judge and ratings', `${id}-extra`));
  }

  /** Takes demo suite and pack out of the address: what is open from now on has none. */
  #leaveGiven(): void {
    const { route } = this.#state;
    this.#set({ linked: '', opened: this.#state.opened.map((one) => ({ ...one, given: false })) });
    if (route.demo !== FIRST_DEMO || route.pack !== '' || route.extra) this.#navigate({ ...route, demo: FIRST_DEMO, pack: '', extra: false }, 'replace');
  }

  async #clear(): Promise<void> {
    this.#demo = null;
    this.#together = { id: '', handles: [] };
    this.#once.clear();
    await this.client.reset();
    this.#set({
      job: null,
      agents: null,
      generate: null,
      opened: [],
      linked: '',
      sourceProblems: [],
      overview: null,
      pastes: 0,
      unexportedPastes: 0,
      progress: null,
      reading: 'idle',
    });
  }

  async #openOne(source: Source, given = false): Promise<void> {
    this.#opening += 1;
    this.#set({ opening: source.name });
    this.#markPhase();
    try {
      const { files, problems, replaced, mixed, pack, options } = await this.client.add(source);
      const opened =
        files === 0 ? this.#state.opened : [...this.#state.opened, { name: source.name, demo: source.kind === 'demo', pack: pack !== 'no', given }];
      // A pack that is opened by itself shows the scores that it states, unless the address chooses others.
      if (options !== null && this.#state.opened.length === 0 && areUsual(this.#state.route.options)) this.choose(options, 'replace');
      this.#set({ opened, sourceProblems: [...this.#state.sourceProblems, ...problems] });
      if (pack === 'apart') this.notify('info', `${source.name} is compared with what is open. Its files are not added: the numbers below stay as they are.`);
      if (mixed !== null) this.notify('warn', `${mixed.message} ${mixed.hint ?? ''}`);
      else if (replaced > 0)
        this.notify(
          'info',
          `${plural(replaced, 'file')} of ${source.name} ${replaced === 1 ? 'was' : 'were'} open already and ${replaced === 1 ? 'is' : 'are'} read again.`,
        );
      if (files === 0) this.notify('error', `${source.name} holds no files that could be opened.`);
      else if ('handles' in source && source.handles.length > 0) this.#remember(source.handles).catch(() => undefined);
    } catch (error) {
      const isOld = isAbort(error) || codeOf(error) === 'superseded';
      if (codeOf(error) === 'redirected' && source.kind === 'url') this.#set({ linked: source.url });
      else if (!isOld) this.notify('error', messageOf(error));
    } finally {
      this.#opening -= 1;
      if (this.#opening === 0) {
        this.#set({ opening: '', listed: null });
        this.#markPhase();
      }
    }
  }

  /** Tells tests and styles how far opening is: `done` only once nothing is under way. */
  #markPhase(): void {
    const { opening, reading, progress } = this.#state;
    const phase = reading === 'reading' ? (progress?.phase ?? 'opening') : opening === '' ? reading : 'opening';
    document.documentElement.dataset.phase = phase;
  }

  #changed(): void {
    this.#set({ version: this.#state.version + 1 });
    void this.#refreshOverview();
  }

  async #refreshOverview(): Promise<void> {
    this.#overviewCall?.abort();
    const call = new AbortController();
    this.#overviewCall = call;
    this.#set({ overviewPending: true });
    try {
      const overview = await this.client.overview(this.#state.route.options, call.signal);
      if (call.signal.aborted) return;
      this.#set({ overview, overviewPending: false, overviewError: '' });
      this.#nameBenchmark();
    } catch (error) {
      if (isAbort(error)) return;
      // That the engine stopped is told at the top; what was shown stays.
      this.#set(codeOf(error) === 'engine_failed' ? { overviewPending: false } : { overviewPending: false, overviewError: messageOf(error) });
    }
  }

  #navigate(route: Route, mode: Step): void {
    const hash = hashOf(route);
    const now = performance.now();
    const isTyping = mode === 'typed' && now - this.#typed < SETTLED_MS;
    this.#typed = mode === 'typed' ? now : -Infinity;
    // A dialog takes the place of one that is being left; what is chosen already is no step of its own.
    const isOther = mode === 'layer' && openLayers() > 0;
    const isStep = !isOther && mode !== 'replace' && !isTyping && !(mode === 'push' && hash === location.hash);
    // A dialog that a link led straight to has nothing below it to go back to.
    const layers = mode === 'layer' ? 1 : mode === 'within' && openLayers() > 0 ? openLayers() + 1 : 0;
    const state: LayerState | null = layers === 0 ? null : { layers, below: layerState()?.below ?? location.hash };
    if (isStep) history.pushState(state, '', hash);
    else history.replaceState(history.state, '', hash);
    if (this.#leaving !== null && (isStep || isOther)) this.#leaving.elsewhere = { hash, state };
    this.#routeChanged();
  }

  /** The browser steps back out of a dialog some time after it is told to: whoever went elsewhere meanwhile is not led back. */
  #addressChanged(hash: string): void {
    const leaving = this.#leaving;
    this.#leaving = null;
    if (leaving !== null && performance.now() - leaving.since < LEAVING_MS) {
      const { back, elsewhere } = leaving;
      if (hash !== back) this.#leaving = { ...leaving, elsewhere: { hash, state: null } };
      // The step back may have been told only after they went.
      else if (elsewhere !== null && location.hash !== elsewhere.hash) history.pushState(elsewhere.state, '', elsewhere.hash);
    }
    this.#routeChanged();
  }

  /** An address of one's own files closes the demo suite: what it shows is not of them. */
  async #leaveForFiles(): Promise<void> {
    if (this.#demo === null) return;
    await this.#clear();
    this.#changed();
  }

  #routeChanged(): void {
    const before = this.#state.route;
    const route = parseHash(location.hash);
    this.#set({ route });
    if (JSON.stringify(before.options) !== JSON.stringify(route.options)) void this.#refreshOverview();
    // An address of another demo suite opens it; one's own files are not closed for it.
    const isAnother = route.demo !== before.demo && route.demo !== this.#demo?.id;
    const isEmpty = this.#state.opened.length === 0 && this.#state.opening === '' && route.demo !== FIRST_DEMO;
    if (route.pack !== '' && route.pack !== before.pack) void this.#showLinked(route.pack);
    else if (route.bench !== '') void this.#leaveForFiles();
    else if (isAnother && (this.#demo !== null || isEmpty)) void this.#showDemo(route.demo);
    else if (this.#demo !== null && route.demo === before.demo && route.extra !== before.extra)
      void (route.extra ? this.#showExtra(route.demo) : this.#showDemo(route.demo));
    else this.#nameBenchmark();
  }
}

/** Nobody has chosen anything. */
const areUsual = ({ profile, policy, judge, run, reading }: ScoreOptions): boolean =>
  profile === 'paper' && policy === null && judge === null && run === null && reading !== 'tolerant';

/** How many steps back lead out of the dialog that is open; a choice within it is a step of its own. */
function openLayers(): number {
  return layerState()?.layers ?? 0;
}

/** What the browser keeps beside the address of a dialog: how many steps it is deep, and the address below it. */
interface LayerState {
  layers: number;
  below: string;
}

function layerState(): LayerState | null {
  return history.state as LayerState | null;
}

/** The last part of an address, as words. */
function fileName(address: string): string {
  const name = new URL(address).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name) || address;
  } catch {
    return name;
  }
}

function storedTheme(): Theme {
  try {
    const theme = localStorage.getItem('juror-theme');
    return theme === 'light' || theme === 'dark' ? theme : 'system';
  } catch {
    // Where the browser blocks the page's storage nothing was chosen.
    return 'system';
  }
}

/** The page's store. */
export const store = new Store();
