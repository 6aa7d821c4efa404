/**
 * The engine in use: which one it is, its session and the reading of that, and how another one takes over.
 *
 * Sessions are counted, so that whatever was begun for an earlier one and comes late is dropped.
 */
import { openSession, type Session } from '../ask';
import { columnsOf, type Listed } from '../columns';
import type { Edge, HandedOn, Kept, Loading, LoadingPage } from '../edge';
import { EngineError, superseded } from '../errors';
import type { Replaced } from '../protocol';
import { DECODERS } from './decoding';
import { Engines } from './engines';
import type { Opened, Stored } from './opened';

/** How long after everything was read the engine with every question is fetched: what is on the screen comes first. */
const FETCH_AHEAD_MS = 500;

/** What an engine needs around it. */
export interface Around {
  /** What the reading of files asks for. */
  reading: Omit<LoadingPage, 'handOn'>;
  /** A session without files took the place of the one before, of which nothing counts any more. */
  onRenewed(): void;
}

/** One engine at a time. */
export class Engine {
  readonly #opened: Opened;
  readonly #around: Around;
  readonly engines = new Engines();
  #edge: Edge | null = null;
  /** The benchmark whose first engine is in use; `null` for the engine with every question, which knows every benchmark. */
  #own: string | null = null;
  #session: Session | null = null;
  /** The reading of the session's files. */
  #loading: Loading | null = null;
  /** Counts sessions. */
  #generation = 0;
  /** Counts how often everything was closed. */
  #closings = 0;

  constructor(opened: Opened, around: Around) {
    this.#opened = opened;
    this.#around = around;
  }

  /** Which session is in force. */
  get generation(): number {
    return this.#generation;
  }

  /** Whether that session is in force still. */
  isNow(generation: number): boolean {
    return generation === this.#generation;
  }

  /** Throws where another session has taken the place of that one. */
  mustBe(generation: number): void {
    if (!this.isNow(generation)) throw superseded();
  }

  /** What throws once everything was closed after now. */
  untilClosed(): () => void {
    const before = this.#closings;
    return () => {
      if (before !== this.#closings) throw superseded();
    };
  }

  /** The engine in use answers every question, not only what is asked at first. */
  get isFull(): boolean {
    return this.#edge !== null && this.#own === null;
  }

  open(): Session {
    if (this.#session === null) throw new EngineError('The engine has not started yet.', 'not_started');
    return this.#session;
  }

  /** The session, if the engine has started. */
  get session(): Session | null {
    return this.#session;
  }

  loop(): Loading {
    if (this.#loading === null) throw new EngineError('The engine has not started yet.', 'not_started');
    return this.#loading;
  }

  /** The reading of files, if the engine has started. */
  get loading(): Loading | null {
    return this.#loading;
  }

  /** The engine of that session. */
  edge(generation: number): Edge {
    this.mustBe(generation);
    if (this.#edge === null) throw superseded();
    return this.#edge;
  }

  /** The engine with every question, which need not be in use yet. */
  whole(): Promise<Edge> {
    return this.engines.whole();
  }

  /** What this browser keeps, through the engine with every question. */
  async kept(): Promise<Kept> {
    return (await this.whole()).Kept;
  }

  /** The bytes of a file that a picture is made of; none where there is no such file. */
  async bytes(file: number | null | undefined): Promise<Uint8Array<ArrayBuffer>> {
    return file == null ? new Uint8Array() : this.loop().bytes(file);
  }

  /** The session once it knows what the page shows already. */
  async upToDate(): Promise<Session> {
    for (let last: Loading | null = null; last !== this.#loading;) {
      last = this.#loading;
      await last?.upToDate();
    }
    return this.open();
  }

  /** Waits until everything is read or reading was cancelled: what leaves the page in a file is not of half the files. */
  async readThrough(): Promise<Session> {
    const check = this.untilClosed();
    for (let last: Loading | null = null; last !== this.#loading;) {
      last = this.#loading;
      await last?.through();
    }
    check();
    return this.open();
  }

  /** The same with every question: where another engine takes over just now, it reads all files anew first. */
  async fullRead(): Promise<Session> {
    await this.useFull();
    return this.readThrough();
  }

  /**
   * Has the engine that answers every question, which has read what the one before had read; returns the generation in force.
   *
   * Files are added after that: questions that wait for what was known are not to wait for what is new.
   */
  async useFull(): Promise<number> {
    await this.#takeOver();
    await this.upToDate();
    return this.#generation;
  }

  /**
   * Fetches what a folder of the user's own is recognised by and the engine with every question, once what is on the screen has
   * come, unless it is the user's own.
   */
  fetchAhead(generation: number): void {
    if (this.#opened.hasOwn || !this.isNow(generation)) return;
    // Where fetching ahead fails, opening something fetches it again and says so.
    setTimeout(() => {
      if (this.#opened.hasOwn || !this.isNow(generation)) return;
      this.expectFiles();
      if (!this.isFull) void this.whole().catch(() => undefined);
    }, FETCH_AHEAD_MS);
  }

  /** Everything that is open. */
  get files(): readonly Stored[] {
    return this.#opened.files;
  }

  /** Adds files, unless everything was closed since `mine`; `list` gives them to the session and says the first one's number. */
  add(more: readonly Stored[], mine = this.#generation, list = (): number => this.loop().add(columnsOf(more))): { files: number; replaced: Replaced } {
    this.mustBe(mine);
    return { files: more.length, replaced: this.#opened.add(more, list()) };
  }

  /** A session without files, of the same engine. */
  close(): void {
    if (this.#edge === null) throw new EngineError('The engine has not started yet.', 'not_started');
    this.#renew(this.#edge);
    this.#closings += 1;
  }

  /** Has an engine that knows the benchmark, before anything of it is opened; returns the generation that is then in force. */
  async startWith(benchmark: string): Promise<number> {
    const isThere = (): boolean => this.isFull || this.#own === benchmark;
    if (isThere()) return this.#generation;
    if (this.hasWhole) return this.#takeOver();
    const check = this.untilClosed();
    const next = await this.engines.first(benchmark);
    check();
    if (isThere()) return this.#generation;
    this.#own = benchmark;
    if (this.#edge !== next) this.#renew(next);
    return this.#generation;
  }

  /** Fetches what the first engine is chosen by: while files are still being picked and listed, that costs nobody time. */
  expectFiles(): void {
    if (!this.hasWhole) void this.engines.recogniser();
  }

  /** Whether the engine with every question is at work or has come: then no smaller one is chosen, and nothing more is fetched. */
  get hasWhole(): boolean {
    return this.isFull || this.engines.hasWhole;
  }

  /**
   * Has an engine for what is open together with these files: the small one of their benchmark where their names leave no doubt,
   * else the one with every question, which knows what the one before knew.
   */
  async readyFor(more: readonly Listed[]): Promise<void> {
    const check = this.untilClosed();
    // Where the one with every question has come already, nothing need be read twice.
    const benchmark = this.hasWhole ? null : await this.#recognised(more);
    check();
    if (benchmark === null || (this.#opened.files.length > 0 && benchmark !== this.#own)) await this.#takeOver();
    else await this.startWith(benchmark);
    await this.upToDate();
    check();
    this.#opened.hasOwn = true;
  }

  /**
   * Has an engine for an evidence pack beside what is open; `null` where it is not sure whose the pack is. Where nothing else is
   * open and the first engine of its benchmark can show it, that one; else the one that answers every question. Returns the
   * generation that is then in force.
   */
  async readyForPack(benchmark: string | null, shownBy: 'first' | 'full'): Promise<number> {
    const check = this.untilClosed();
    const isAlone = this.#opened.files.length === 0;
    if (benchmark !== null && isAlone && shownBy === 'first' && !this.hasWhole) await this.startWith(benchmark);
    else await this.#takeOver();
    await this.upToDate();
    check();
    this.#opened.hasOwn = true;
    return this.#generation;
  }

  /** The benchmark that names of files leave no doubt of, of those that are open and these. */
  async #recognised(more: readonly Listed[]): Promise<string | null> {
    const recogniser = await this.engines.recogniser();
    return recogniser?.recognised(columnsOf([...this.#opened.files, ...more])) ?? null;
  }

  /** Lists what is open in a session without files, in the order in which it was opened. */
  #listAll(): void {
    const files = this.#opened.files;
    const add = (from: number, to: number): void => {
      if (from < to) this.loop().add(columnsOf(files.slice(from, to)));
    };
    let listed = 0;
    for (const { manifest, first, count } of this.#opened.packs) {
      if (first === null) continue;
      add(listed, first);
      listed = first + count;
      // What its manifest says beside the files counts again.
      this.open().addPack(manifest);
      this.loop().take(columnsOf(files.slice(first, listed)));
    }
    add(listed, files.length);
  }

  /** A session without files; what is under way for the one before is dropped. */
  #renew(from: Edge): void {
    this.#loading?.free();
    this.#session?.free();
    this.#session = openSession(from);
    this.#loading = new from.Loading(this.#session, { ...this.#around.reading, handOn: () => this.#handOn() }, DECODERS);
    this.#edge = from;
    this.#generation += 1;
    this.#around.onRenewed();
  }

  /**
   * Has the engine take over that one's own files need after the one that read their replies: the one with every question, which
   * brings back what this browser keeps, and knows the benchmark where they turn out to be of another one.
   */
  #handOn(): HandedOn {
    if (!this.#opened.hasOwn || this.#own === null) return 'nothing';
    const lack = this.open().lack();
    const mine = this.#generation;
    const isWaiting = (): boolean => this.isNow(mine) && this.#loading?.reading === 'reading';
    const takes = async (): Promise<void> => {
      await this.whole();
      if (!isWaiting()) return;
      await this.#takeOver(lack === 'benchmarks' ? 'chosen' : 'shown');
      // Some builds have one engine for all: it goes on itself.
      if (isWaiting()) this.loop().read();
    };
    void takes().catch(() => {
      // To resume is to try again.
      if (isWaiting()) this.loop().cancel();
    });
    return lack === 'nothing' ? 'soon' : 'lacking';
  }

  /**
   * Goes on with the engine that answers every question; returns the generation that is then in force. It shows the benchmark
   * that the user chose, or the one that is shown.
   */
  async #takeOver(keep: 'shown' | 'chosen' = 'shown'): Promise<number> {
    const isThere = (): boolean => this.isFull;
    if (isThere()) return this.#generation;
    const check = this.untilClosed();
    const next = await this.whole();
    check();
    // Another source may have waited for it as well.
    if (isThere()) return this.#generation;
    const carry = this.#edge === next ? null : this.#carried(keep);
    this.#own = null;
    // Some builds start with it.
    if (carry === null) return this.#generation;
    const phase = this.#loading?.phase() ?? null;
    this.#renew(next);
    if (this.#opened.files.length > 0) {
      this.loop().catchUp(phase);
      this.#listAll();
      carry(this.open());
    }
    return this.#generation;
  }

  /** Gives a session what was chosen in the one before: a first engine has nothing else beside its files. */
  #carried(keep: 'shown' | 'chosen'): (to: Session) => void {
    const from = this.#session;
    if (from === null || this.#opened.files.length === 0) return () => undefined;
    const { chosen, shown, prompts } = from.choices();
    const benchmark = chosen ?? (keep === 'shown' ? shown : null);
    return (to) => {
      if (benchmark !== null) to.chooseBenchmark(benchmark);
      void this.loop()
        .upToDate()
        .then(() => this.#session === to && to.usePack(prompts))
        // Its texts are in no file that is open any more.
        .catch(() => undefined);
    };
  }
}
