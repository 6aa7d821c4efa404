/**
 * The engine's worker: one Wasm session, the sources behind it, and the loop that reads what the session wants.
 *
 * Files that the page holds are read there (`held.ts` says why), several to a message; ZIPs and addresses are read here.
 * Every read is awaited, so questions from the page are answered in between.
 */
import { ask, isOfPage, openSession, type QuestionName, type Session } from './ask';
import type { Edge, PictureEdge } from './edge';
import { DecoderPool } from './decode/pool';
import type { Flaw } from './decode/protocol';
import { engine } from './loader/engine';
import { workers } from './loader/workers';
import { mediaType } from './paths';
import { codeOf, EngineError, messageOf } from './errors';
import type {
  Redirects,
  Added,
  FromWorker,
  HeldFile,
  HeldRead,
  KeptFile,
  LeftOutFile,
  HostMethods,
  MethodName,
  PackBeside,
  PackCheck,
  PastedTogether,
  ReadBytes,
  Reading,
  RemoteFile,
  Replaced,
  Stamp,
  ToWorker,
  ZipItem,
} from './protocol';
import type { AgentRun, AgentSettings, AgentState } from './agents';
import type { JobRun, JobSettings, JobState } from './judge';
import type { OpenPack } from './pack';
import type { Turn } from './turn';
import type { AgentKey } from './types/AgentKey';
import type { JournalRecord } from './types/JournalRecord';
import type { PastedReply } from './types/PastedReply';
import type { Phase } from './types/Phase';
import type { ReplyCheck } from './types/ReplyCheck';
import type { TrajectoryRecord } from './types/TrajectoryRecord';
import type { Want } from './types/Want';
import { QUESTIONS, type AnswerOf, type Questions } from './types/questions';
import type { ZipFile } from './zip';
import type { Piece } from './zip-writer';

type Stored = HeldFile | RemoteFile | ZipFile | KeptFile | LeftOutFile;

/** Readers that share the backlog: while one hands bytes to the session, the others wait for theirs. */
const LANES = 4;
/** Small reads that one reader takes at once. */
const TOGETHER = 32;
/** A whole file up to this size is a small read, and so is the head of any file. */
const SMALL_BYTES = 256 * 1024;
/** Contents of files that may wait for the engine: several of a large submission's files would fill the tab's memory. */
const WAITING_BYTES = 64 * 1024 * 1024;
/** Reads that are asked for at once. */
const BATCH = 256;
/** Pairs of files of one path that are compared, of however many. */
const COMPARED = 100;
const PROGRESS_EVERY_MS = 100;
/** Workers that decode pictures, where the machine has so many cores. */
const DECODERS = Math.max(1, Math.min(8, navigator.hardwareConcurrency || 1));
/** How long pictures are decoded here, where no worker can be had, before waiting messages are let in. */
const PAUSE_EVERY_MS = 30;
/** How often the page is told that replies changed the scores. */
const JUDGED_EVERY_MS = 2000;
/** How often what another tab's job brings is fetched by a tab that looks on. */
const LOOK_EVERY_MS = 3000;
/** How long after the demo suite was read the whole engine is fetched: what is on the screen comes first. */
const FETCH_AHEAD_MS = 500;

let edge: Edge | null = null;
/** The engine with every benchmark, once somebody asked for it. */
let wholeEdge: Promise<Edge> | null = null;
let isWhole = false;
/** The session that kept replies were given to, by its generation. */
let restored = -1;
/** What is open is a demo suite: nothing pasted there outlives the tab. */
let isDemo = false;
/** The judging job under way. */
let job: JobRun | null = null;
let lastJudged = 0;
/** Replies of the job that the session was not given yet: each time it is given some, it joins all to their requests anew. */
let fresh: JournalRecord[] = [];
/** The job of agents under way. */
let agents: AgentRun | null = null;
/** A job is being started, which takes a while. */
let isStarting = false;
/** Ends the look at another tab's job. */
let watching: AbortController | null = null;
/** Generated pictures that storage did not take, by content. */
const loose = new Map<string, Blob>();
/** Replies in the session that came from this page or this browser's storage: what an exported journal holds. */
let replies = 0;
/** When generated pictures were listed last, and how long that took. */
let listed = { at: 0, took: 0 };
/** The evidence packs that are open. */
let packs: OpenPack[] = [];
/** Counts how often everything was closed. */
let closings = 0;
let session: Session | null = null;
let files: Stored[] = [];
let reading: Reading = 'idle';
/** The session whose loop runs, by its generation. */
let looping = -1;
/** Settles when the newest loop ends or its session is replaced. */
let loopEnd: Promise<void> = Promise.resolve();
let endLoop = (): void => undefined;
/** What another engine that took over is to have read before it answers: the phase that the one before stood at, `null` for all. */
let goal: { phase: Phase | null; reached(): void } | null = null;
/** Resolved unless an engine that took over still reads what the one before had read. */
let caughtUp: Promise<void> = Promise.resolve();
/** Readers that wait for bytes. */
let underWay = 0;
/** The most bytes that a reader got at once of late. */
let heaviest = 0;
/** Readers that wait until others have handed over what they read. */
const queueing: (() => void)[] = [];
/** The number of the last file of each path. */
let numbers = new Map<string, number>();
/** Counts sessions, so that a read of an earlier one that comes late is dropped. */
let generation = 0;
let lastProgress = 0;
const decoderPool = new DecoderPool(() => workers.startDecoder(), DECODERS);
/** Files that the page asked for: what is on the screen is checked first. */
let shown = new Set<number>();
/** Reads that were handed out and not begun; the next one last. */
let backlog: Want[] = [];
const aborted = new Set<number>();
/** Reads that the page was asked for. */
const asked = new Map<number, (got: ReadBytes[]) => void>();
let nextRead = 1;

/** What the engine talks through: its worker's own scope or a channel. */
export interface PagePort {
  postMessage(message: FromWorker, options: { transfer: Transferable[] }): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ToWorker>) => void): void;
  /** A channel's messages wait until it is started. */
  start?(): void;
}

let port: PagePort | null = null;

function post(message: FromWorker, transfer: Transferable[] = []): void {
  port?.postMessage(message, { transfer });
}

function open(): Session {
  if (session === null) throw new EngineError('The engine has not started yet.', 'not_started');
  return session;
}

function stored(file: number): Stored {
  const found = files[file];
  if (found === undefined) throw new EngineError(`There is no file number ${file}.`, 'unknown_file');
  return found;
}

function fromPage(reads: HeldRead[]): Promise<ReadBytes[]> {
  const id = nextRead++;
  return new Promise((resolve) => {
    asked.set(id, resolve);
    post({ event: 'read', id, reads });
  });
}

async function bytesOf(file: Stored, head: number | null): Promise<Uint8Array<ArrayBuffer>> {
  if ('entry' in file) return (await import('./zip')).readEntry(file, head);
  if ('held' in file) {
    const [got] = await fromPage([{ held: file.held, head }]);
    if (got === undefined || 'message' in got) throw new EngineError(got?.message ?? 'The page gave nothing.', 'unreadable_file');
    return got.bytes;
  }
  if ('sha256' in file) {
    const blob = await keptBlob(file.benchmark, file.sha256);
    return new Uint8Array(await (head === null ? blob : blob.slice(0, head)).arrayBuffer());
  }
  if ('leftOut' in file) throw new EngineError('This file is not in the evidence pack.', 'left_out');
  const response = await fetch(file.url);
  if (!response.ok) throw new EngineError(`The server answered ${response.status} for ${file.url}.`, 'http');
  const bytes = new Uint8Array(await response.arrayBuffer());
  return head === null ? bytes : bytes.subarray(0, head);
}

function postProgress(): void {
  if (session === null) return;
  lastProgress = performance.now();
  post({ event: 'progress', progress: session.progress(), reading });
}

async function readOne(file: Stored, head: number | null): Promise<ReadBytes> {
  try {
    return { bytes: await bytesOf(file, head) };
  } catch (error) {
    const message = messageOf(error);
    const { entry, why } = error as { entry?: string; why?: string };
    return 'entry' in file && entry !== undefined && why !== undefined ? { message, damaged: { zip: file.zip, entry, why } } : { message };
  }
}

/** Reads several files, those that the page holds with one question. */
async function readSome(wants: Want[]): Promise<ReadBytes[]> {
  const files = wants.map(({ file, head }) => ({ file: stored(file), head }));
  const reads = files.flatMap(({ file, head }) => ('held' in file ? [{ held: file.held, head }] : []));
  const page = reads.length === 0 ? Promise.resolve([]) : fromPage(reads);
  const own = await Promise.all(files.map(({ file, head }) => ('held' in file ? Promise.resolve(null) : readOne(file, head))));
  const got = (await page).values();
  return own.map((one) => one ?? got.next().value ?? { message: 'The page gave nothing.' });
}

/** Reads until nothing is wanted, the session is replaced, or the user cancels. */
async function readLoop(target: Session, mine: number): Promise<void> {
  let phase: Phase | null = null;
  while (reading === 'reading') {
    const now = target.progress().phase;
    if (now !== phase) {
      if (phase !== null && goal === null) post({ event: 'changed', phase });
      phase = now;
      if (goal?.phase != null && now !== null && PHASES.indexOf(now) >= PHASES.indexOf(goal.phase)) reachGoal();
      postProgress();
    }
    if (backlog.length === 0) nextReads(target);
    if (backlog.length === 0) break;
    // A picture is read while each decoder has one.
    const lanes = backlog[0]?.phase === 'decoding' ? LANES + DECODERS : LANES;
    await Promise.all(Array.from({ length: lanes }, () => readLane(target, mine)));
    if (mine !== generation) return;
  }
  decoderPool.stop();
  looping = -1;
  if (reading === 'reading') reading = 'done';
  await restoreReplies(target, mine);
  if (mine !== generation) return;
  reachGoal();
  postProgress();
  post({ event: 'changed', phase: target.progress().phase });
  // Where fetching ahead fails, opening something fetches it again and says so.
  if (!isWhole) setTimeout(() => void loadWhole().catch(() => undefined), FETCH_AHEAD_MS);
}

/** The steps of reading in their order. */
const PHASES: readonly Phase[] = ['benchmark', 'replies', 'answers', 'pictures', 'decoding'];

/** The engine that took over knows what the one before knew. */
function reachGoal(): void {
  goal?.reached();
  goal = null;
}

/** The session once it knows what the page shows already. */
async function upToDate(): Promise<Session> {
  await caughtUp;
  return open();
}

/** Fills the backlog; what is on the screen comes first. */
function nextReads(target: Session): void {
  if (shown.size > 0) target.hasten(Uint32Array.from(shown));
  backlog = target.wants(BATCH).reverse();
}

/** Has a file that the page shows read before the others. */
function show(file: number): void {
  shown.add(file);
  const isShown = ({ file: other }: Want): boolean => other === file;
  const at = backlog.findIndex(isShown);
  if (at >= 0) backlog.push(...backlog.splice(at, 1));
}

/** One of the readers that share the backlog; what is left of it after a cancel waits for `resume`. */
async function readLane(target: Session, mine: number): Promise<void> {
  while (reading === 'reading' && mine === generation) {
    // Only while other readers are at work: after the last read of a phase all of them meet in `readLoop`.
    if (backlog.length === 0 && underWay > 0) nextReads(target);
    if (backlog.at(-1)?.head === null && isCrowded()) {
      await new Promise<void>((resolve) => queueing.push(resolve));
      continue;
    }
    const wants = takeSome(backlog);
    if (wants.length === 0) return;
    if (isDemo && wants[0]?.phase === 'decoding') {
      // The demo's own pictures are known to be whole; its visitors fetch no decoders.
      for (const { file } of wants) target.provide_decoded(file);
      continue;
    }
    underWay += 1;
    const got = await readSome(wants);
    if (mine !== generation) return;
    const bytes = got.reduce((sum, one) => sum + ('bytes' in one ? one.bytes.byteLength : 0), 1);
    heaviest = Math.max(bytes, heaviest / 2);
    const read: Contents[] = [];
    for (const [at, { file, phase }] of wants.entries()) {
      const one = got[at];
      if (one === undefined || 'message' in one) {
        if (one?.damaged === undefined) target.failed(file, one?.message ?? 'The page gave nothing.');
        else target.damaged_entry(file, one.damaged.zip, one.damaged.entry, one.damaged.why);
      } else if (phase === 'decoding') read.push({ file, bytes: one.bytes });
      else {
        target.provide(file, one.bytes);
        release(one.bytes);
      }
    }
    await decode(target, mine, read);
    if (mine !== generation) return;
    underWay -= 1;
    for (const goOn of queueing.splice(0)) goOn();
    if (performance.now() - lastProgress > PROGRESS_EVERY_MS) {
      postProgress();
      await nextTask();
    }
  }
}

/** When the worker last let waiting messages in. */
let lastPause = 0;

/** What was read of a file. */
interface Contents {
  file: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Finds out whether pictures decode: in the pool, or here where it has no worker for them. */
async function decode(target: Session, mine: number, read: Contents[]): Promise<void> {
  if (read.length === 0) return;
  const flaws = await decoderPool.check(read.map(({ bytes }) => bytes));
  for (const [at, { file, bytes }] of read.entries()) {
    if (mine !== generation) return;
    if (flaws === null) await decodeHere(target, mine, file, bytes);
    else tellDecoded(target, file, flaws[at] ?? null);
    release(bytes);
  }
}

const tellDecoded = (target: Session, file: number, flaw: Flaw): void => target.provide_decoded(file, flaw?.message, flaw?.hint);

/** The same on this thread; questions of the page come in between. */
async function decodeHere(target: Session, mine: number, file: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const pictures = await decoders();
  if (performance.now() - lastPause > PAUSE_EVERY_MS) {
    await nextTask();
    lastPause = performance.now();
  }
  if (mine !== generation) return;
  // Without decoders the header stands for the picture.
  if (pictures === null) {
    target.provide(file, bytes);
    return;
  }
  tellDecoded(target, file, pictures.check(bytes) ?? null);
}

/** What decodes pictures; a copy of Juror may have none. */
const decoders = (): Promise<PictureEdge | null> => engine.pictures().catch(() => null);

/** Whether another read might bring more than is to wait in memory; nobody knows a file's size before it is read. */
const isCrowded = (): boolean => underWay > 0 && (heaviest === 0 || (underWay + 1) * heaviest > WAITING_BYTES);

/** Gives back the memory of what the engine has copied; the garbage collector sees no hurry where files are large. */
function release({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  // Browsers before 2024 wait for the collector.
  if (byteLength > SMALL_BYTES && byteLength === buffer.byteLength && 'transfer' in buffer) buffer.transfer(0);
}

/** The next read; many at once if they are small. */
function takeSome(from: Want[]): Want[] {
  const some: Want[] = [];
  for (let next = from.at(-1); next !== undefined && some.length < TOGETHER; next = from.at(-1)) {
    const isSmall = next.head !== null || (stored(next.file).size ?? Infinity) <= SMALL_BYTES;
    if (!isSmall && some.length > 0) break;
    some.push(next);
    from.pop();
    if (!isSmall) break;
  }
  return some;
}

function read(): void {
  reading = 'reading';
  if (looping === generation) return;
  looping = generation;
  let end = endLoop;
  loopEnd = new Promise((resolve) => (end = resolve));
  endLoop = end;
  // A failure here is a defect of the engine; the page's error listener shows it.
  void readLoop(open(), generation)
    .catch((error: unknown) => {
      looping = -1;
      setTimeout(() => {
        throw error;
      });
    })
    .finally(end);
}

/** Waits until everything is read or reading was cancelled: what leaves the page in a file is not of half the files. */
async function readThrough(): Promise<Session> {
  const before = closings;
  for (let end: Promise<void> | null = null; end !== loopEnd;) {
    end = loopEnd;
    await end;
  }
  if (before !== closings) throw superseded();
  return open();
}

/** The same with every benchmark: where the whole engine takes over just now, it reads all files anew first. */
async function wholeRead(): Promise<Session> {
  await useWhole();
  return readThrough();
}

/** Lets waiting messages in, even where every read resolves at once. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** The replies that this browser keeps for the benchmark, once per session. */
async function restoreReplies(target: Session, mine: number): Promise<void> {
  // A pack shows what is in it, not what this browser keeps beside it.
  if (!isWhole || packs.length > 0 || restored === mine || reading !== 'done') return;
  const benchmark = target.benchmarkId();
  if (benchmark === null) return;
  restored = mine;
  try {
    const names = await (await import('./judge-names')).keptJudgeNames(benchmark);
    if (names.length > 0 && mine === generation) target.nameJudges(names);
    const records = await (await import('./journal')).kept(benchmark);
    if (records.length > 0 && mine === generation) {
      target.addRecords(records);
      tellReplies(records.length);
    }
    const calls = await (await import('./trajectories')).keptCalls(benchmark);
    if (calls.length === 0 || mine !== generation) return;
    target.addTrajectories(calls);
    listMade(target, benchmark);
  } catch {
    // Without storage nothing was kept; a job says so when it is to keep something.
  }
}

/** The comparison under way; another value stops it. */
let comparing: symbol | null = null;

/** Brings the session the contents of pictures, and what they look like. */
async function comparePictures(): Promise<void> {
  const mine = await useWhole();
  const [target, pictures] = [open(), await engine.pictures()];
  const own = Symbol('comparison');
  comparing = own;
  const looks = new Set(target.printNeeds());
  const all = [...new Set([...target.lintNeeds(), ...looks])].sort((a, b) => a - b);
  let told = 0;
  for (const [done, file] of all.entries()) {
    if (performance.now() - told > PROGRESS_EVERY_MS) {
      told = performance.now();
      post({ event: 'compared', done, total: all.length });
      // Questions and a cancel come in between.
      await nextTask();
    }
    const got = await readOne(stored(file), null);
    if (mine !== generation) throw superseded();
    if (comparing !== own) break;
    if ('message' in got) {
      if (looks.has(file)) target.no_print(file, got.message);
      continue;
    }
    target.provide_picture(file, got.bytes);
    if (!looks.has(file)) continue;
    try {
      const { hash, cells } = pictures.print(got.bytes);
      target.provide_print(file, hash, cells);
    } catch (error) {
      target.no_print(file, messageOf(error));
    }
  }
}

/** Hands the session the ratings that this browser keeps for the benchmark, as they are now. */
async function takeRatings(): Promise<void> {
  const mine = generation;
  const target = open();
  const benchmark = target.benchmarkId();
  if (benchmark === null) return;
  // Without storage there are those of the opened files alone; the view for rating says so.
  const kept = await import('./ratings').then(({ keptRatings }) => keptRatings(benchmark)).catch(() => []);
  if (mine !== generation) throw superseded();
  target.useRatings(kept);
}

/** A job whose turn it is: what it works on. */
interface Begun {
  turn: Turn;
  target: Session;
  benchmark: string;
  mine: number;
}

/** The turn of a job: the session has what other tabs brought, and none of them begins the same before `end`. */
async function turnOf(kind: 'judge' | 'agents', who: string, asks: string): Promise<Begun> {
  await wholeRead();
  const mine = generation;
  const [{ takeTurn, turnName }, target] = [await import('./turn'), open()];
  const benchmark = target.benchmarkId();
  if (benchmark === null) throw new EngineError('Open a benchmark first.', 'no_benchmark');
  const turn = await takeTurn(turnName(kind, benchmark, who));
  if (turn === null)
    throw new EngineError(`Another tab of this browser ${asks} already. Started here as well, every call would be paid for twice.`, 'elsewhere');
  try {
    await takeKept(target, mine, benchmark);
  } catch (error) {
    turn.end();
    throw error;
  }
  return { turn, target, benchmark, mine };
}

/** What other tabs have kept since this one read it: none of that is to be asked for again. */
async function takeKept(target: Session, mine: number, benchmark: string): Promise<void> {
  if (packs.length > 0) return;
  takeFresh();
  const told = (text: string): Set<string> =>
    new Set(
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => stampOfRecord(JSON.parse(line) as JournalRecord)),
    );
  // Without storage nothing was kept; the job says so when it is to keep something.
  const [records, calls] = await Promise.all([
    import('./journal').then(({ kept }) => kept(benchmark)).catch(() => []),
    import('./trajectories').then(({ keptCalls }) => keptCalls(benchmark)).catch(() => []),
  ]);
  if (mine !== generation) throw superseded();
  if (records.length > 0) {
    const known = told(new TextDecoder().decode(target.journal()));
    const more = records.filter((record) => !known.has(stampOfRecord(record)));
    if (more.length > 0) target.addRecords(more);
    if (more.length > 0) tellReplies(more.length);
  }
  if (calls.length === 0) return;
  const known = told(target.trajectories());
  const more = calls.filter((call) => !known.has(stampOfRecord(call)));
  if (more.length === 0) return;
  target.addTrajectories(more);
  listMade(target, benchmark);
}

/** What tells a record from every other: what was asked, and when the answer came. */
function stampOfRecord(record: JournalRecord | TrajectoryRecord): string {
  const who =
    'judge' in record
      ? [record.model, record.turn, record.criterion, record.judge, record.run]
      : [record.name, record.framework, record.step, record.kind, record.planner, record.generator];
  return JSON.stringify([record.time, record.sample, record.request, ...who]);
}

/** Shows the job that another tab has the turn for, until that has ended; what it brings comes here too. */
async function lookOnFrom(kind: 'judge' | 'agents', who: string): Promise<void> {
  const { lookOn, turnName } = await import('./turn');
  const [target, mine] = [open(), generation];
  const benchmark = target.benchmarkId();
  if (benchmark === null) return;
  watching?.abort();
  const own = (watching = new AbortController());
  const show = (state: JobState | AgentState): void => {
    if (kind === 'judge') post({ event: 'job', state: state as JobState });
    else post({ event: 'agents', state: state as AgentState });
  };
  let last: JobState | AgentState | null = null;
  let taken = performance.now();
  const take = async (): Promise<void> => {
    taken = performance.now();
    await takeKept(target, mine, benchmark);
    post({ event: 'changed', phase: target.progress().phase });
  };
  const onState = (state: unknown): void => {
    if (mine !== generation || own.signal.aborted) return;
    last = { ...(state as JobState | AgentState), isElsewhere: true };
    show(last);
    if (performance.now() - taken > LOOK_EVERY_MS) void take().catch(() => undefined);
  };
  void lookOn(turnName(kind, benchmark, who), onState, own.signal)
    .then(async () => {
      if (mine !== generation) return;
      const told = last;
      if (told !== null && !told.progress.finished)
        show({
          ...told,
          progress: {
            ...told.progress,
            finished: true,
            stopped: told.progress.stopped ?? 'The other tab was closed before its job had ended. What came is kept; start here to go on with the rest.',
          },
        });
      await take();
    })
    .catch(() => undefined);
}

/** Begins a job once no other tab does the same; whether this browser can tell that. */
async function startInTurn(asked: Promise<Begun>, begin: (begun: Begun) => Promise<void>): Promise<boolean> {
  let turn: Turn | null = null;
  try {
    const begun = await asked;
    turn = begun.turn;
    await begin(begun);
    return turn.isSure;
  } catch (error) {
    turn?.end();
    throw error;
  } finally {
    isStarting = false;
  }
}

/** Starts a judging job; whether this browser can tell that no other tab asks the same. */
async function startJob(settings: JobSettings): Promise<boolean> {
  if (job !== null || isStarting) throw new EngineError('A judging job is running already.', 'job_running');
  isStarting = true;
  const { judge } = settings.scope;
  return await startInTurn(turnOf('judge', judge, `asks “${judge}” about this benchmark`), (begun) => beginJob(settings, begun));
}

async function beginJob(settings: JobSettings, { turn, target, benchmark, mine }: Begun): Promise<void> {
  const [{ JobRun }, pictures] = [await import('./judge'), await engine.pictures()];
  if (edge === null || mine !== generation) throw superseded();
  const anchors = settings.anchors > 0 ? target.planAnchors(settings.scope, settings.anchors) : [];
  const tasks = settings.anchorsOnly ? anchors : [...anchors, ...target.planJob(settings.scope).tasks];
  const bytes = async (number: number | null): Promise<Uint8Array> => (number === null ? new Uint8Array() : bytesOf(stored(number), null));
  const running = new JobRun(
    {
      edge,
      session: () => {
        if (mine !== generation) throw superseded();
        return target;
      },
      picture: async ({ file, treatment, other }) => (treatment === 'as_is' ? bytes(file) : pictures.prepare(treatment, await bytes(file), await bytes(other))),
      prepare: async (key) => {
        if (mine !== generation) throw superseded();
        await picturesFor(target.request(key).needs);
      },
      keptReply: (record) => {
        if (mine !== generation) return;
        fresh.push(record);
        if (performance.now() - lastJudged < JUDGED_EVERY_MS) return;
        lastJudged = performance.now();
        post({ event: 'changed', phase: target.progress().phase });
      },
      onState: (state) => {
        turn.tell(state);
        if (mine === generation) post({ event: 'job', state });
      },
    },
    settings,
    tasks,
    benchmark,
  );
  job = running;
  void running.run().finally(() => {
    job = null;
    turn.end();
    if (mine === generation) post({ event: 'changed', phase: target.progress().phase });
  });
}

async function keptBlob(benchmark: string, sha256: string): Promise<Blob> {
  const blob = loose.get(sha256) ?? (await (await import('./trajectories')).keptPicture(benchmark, sha256));
  if (blob === null) throw new EngineError('This browser does not keep the picture any more.', 'forgotten');
  return blob;
}

/** Lists the generated pictures that the session knows of and has no file for, as outputs of their steps' models. */
function listMade(target: Session, benchmark: string): void {
  const began = performance.now();
  const more = target.agentFiles().map(({ path, sha256 }): KeptFile => ({ path, size: null, sha256, benchmark }));
  if (more.length > 0) add(more);
  listed = { at: performance.now(), took: performance.now() - began };
}

/** Starts a job of agents; whether this browser can tell that no other tab makes the same. */
async function startAgents(settings: AgentSettings): Promise<boolean> {
  if (agents !== null || isStarting) throw new EngineError('A job of agents is running already.', 'job_running');
  isStarting = true;
  return await startInTurn(turnOf('agents', JSON.stringify(settings.scope.set), 'makes these pictures'), (begun) => beginAgents(settings, begun));
}

async function beginAgents(settings: AgentSettings, { turn, target, benchmark, mine }: Begun): Promise<void> {
  const { AgentRun } = await import('./agents');
  if (edge === null || mine !== generation) throw superseded();
  const plan = target.planAgents(settings.scope);
  if (plan.problem !== null) throw new EngineError(plan.problem, 'bad_set');
  const session = (): Session => {
    if (mine !== generation) throw superseded();
    return target;
  };
  const running = new AgentRun(
    {
      edge,
      session,
      picture: async ({ file, sha256 }) => {
        if (sha256 === null || file !== null) return bytesOf(stored(file ?? -1), null);
        return new Uint8Array(await (await keptBlob(benchmark, sha256)).arrayBuffer());
      },
      prepare: async (key) => {
        await picturesFor(session().agentCall(key).needs);
        session();
      },
      keptCall: (picture) => {
        if (picture !== null) loose.set(picture.sha256, new Blob([picture.bytes]));
        // Listing files makes the session look at all of them anew: rarely, the longer that takes.
        if (mine === generation && performance.now() - listed.at > Math.max(JUDGED_EVERY_MS, 20 * listed.took)) listMade(target, benchmark);
      },
      onState: (state) => {
        turn.tell(state);
        if (mine === generation) post({ event: 'agents', state });
      },
    },
    settings,
    plan,
    benchmark,
  );
  agents = running;
  void running.run().finally(() => {
    agents = null;
    turn.end();
    if (mine !== generation) return;
    listMade(target, benchmark);
    post({ event: 'changed', phase: target.progress().phase });
  });
}

/** Keeps what a person brings for the call that is due: the planner's reply, or the picture. */
async function agentHand(key: AgentKey, brought: string | Blob): Promise<void> {
  const mine = generation;
  const [{ record }, { keepCall }, { flawOf }] = [await answerOf('agentCall', [key]), await import('./trajectories'), await import('./agents')];
  const benchmark = open().benchmarkId();
  if (mine !== generation || edge === null || benchmark === null) throw superseded();
  if (record === null || (record.kind === 'plan') !== (typeof brought === 'string'))
    throw new EngineError('Another call is due here now; look again.', 'not_due');
  const by = { time: new Date().toISOString(), by: 'hand' };
  if (typeof brought === 'string') {
    const complete = { ...record, ...by, reply: brought };
    await keepCall(benchmark, complete, null);
    if (mine !== generation) throw superseded();
    open().addTrajectories([complete]);
  } else {
    const bytes = new Uint8Array(await brought.arrayBuffer());
    const flaw = await flawOf(bytes);
    if (flaw !== null) throw new EngineError(flaw.message, flaw.kind);
    const complete = edge.with_picture({ ...record, ...by }, bytes);
    if (complete.picture === null) return;
    await keepCall(benchmark, complete, { sha256: complete.picture.sha256, bytes });
    if (mine !== generation) throw superseded();
    open().addTrajectories([complete]);
  }
  listMade(open(), benchmark);
  post({ event: 'changed', phase: open().progress().phase });
}

/** A folder of the models' outputs in MultiBanana's own layout, with the records beside them. */
async function exportAgents(): Promise<Blob> {
  await wholeRead();
  const pieces: Piece[] = [{ name: 'agents/trajectories.jsonl', data: open().trajectories() }];
  for (const { name, file } of open().agentExport()) pieces.push({ name, data: await blobOf(stored(file)) });
  return (await import('./zip-writer')).writeZip(pieces);
}

/** A file as a Blob, which need not be in memory. */
async function blobOf(file: Stored): Promise<Blob> {
  return 'sha256' in file ? keptBlob(file.benchmark, file.sha256) : new Blob([new Uint8Array(await bytesOf(file, null))]);
}

/** Gives the session the replies that came since a question was last answered. */
function takeFresh(): void {
  if (fresh.length === 0 || session === null) return;
  const records = fresh;
  fresh = [];
  session.addRecords(records);
  tellReplies(records.length);
}

function tellReplies(more: number): void {
  replies += more;
  post({ event: 'replies', count: replies });
}

function loadWhole(): Promise<Edge> {
  wholeEdge ??= engine.whole().catch((error: unknown) => {
    wholeEdge = null;
    throw new EngineError(`The engine with all benchmarks could not be fetched (${messageOf(error)}). Check the connection and try again.`, 'no_engine');
  });
  return wholeEdge;
}

/** A session without files; what is under way for the one before is dropped. */
function renew(from: Edge): void {
  session?.free();
  session = openSession(from);
  edge = from;
  generation += 1;
  fresh = [];
  replies = 0;
  watching?.abort();
  looping = -1;
  backlog = [];
  shown = new Set();
  decoderPool.stop();
  underWay = 0;
  heaviest = 0;
  for (const goOn of queueing.splice(0)) goOn();
  reachGoal();
  endLoop();
}

/** Has the engine that knows every benchmark, which has read what the one before had read; returns the generation in force. */
async function useWhole(): Promise<number> {
  const mine = await takeOver();
  await caughtUp;
  return mine;
}

/** Goes on with the engine that knows every benchmark; returns the generation that is then in force. */
async function takeOver(): Promise<number> {
  if (isWhole) return generation;
  const before = closings;
  const whole = await loadWhole();
  if (before !== closings) throw superseded();
  isWhole = true;
  // Another source may have waited for it as well, and some builds start with it.
  if (edge !== whole) {
    const phase = reading === 'reading' ? (session?.progress().phase ?? null) : null;
    renew(whole);
    if (files.length > 0) {
      caughtUp = new Promise((reached) => (goal = { phase, reached }));
      open().add_files(files.map(({ path, size }) => ({ path, size })));
      read();
    }
  }
  return generation;
}

function superseded(): EngineError {
  return new EngineError('Everything was closed in between.', 'superseded');
}

/** Adds files, unless everything was closed since `mine`. */
function add(
  more: Stored[],
  mine = generation,
  list = (): number => open().add_files(more.map(({ path, size }) => ({ path, size }))),
): { files: number; replaced: Replaced } {
  if (mine !== generation) throw superseded();
  const first = list();
  if (first !== files.length) throw new EngineError(`The engine numbers files from ${first}, the page from ${files.length}.`, 'numbering');
  const pairs: { before: Stored; after: Stored }[] = [];
  for (const after of more) {
    const before = files[numbers.get(after.path) ?? -1];
    if (before !== undefined) pairs.push({ before, after });
    numbers.set(after.path, files.push(after) - 1);
  }
  // A cancelled reading stays so until the user resumes it.
  if (reading === 'cancelled') post({ event: 'changed', phase: open().progress().phase });
  else read();
  return { files: more.length, replaced: replacedBy(pairs) };
}

/** How many files took another's place, and pairs from all over the list, of which the page tells whether they differ. */
function replacedBy(pairs: { before: Stored; after: Stored }[]): Replaced {
  const step = Math.max(1, Math.ceil(pairs.length / COMPARED));
  const some = pairs.filter((_, at) => at % step === 0).map(({ before, after }) => ({ path: after.path, before: stampOf(before), after: stampOf(after) }));
  return { files: pairs.length, some };
}

function stampOf(file: Stored): Stamp {
  if ('held' in file) return { held: file.held };
  return { size: file.size ?? -1, crc: 'entry' in file ? file.entry.crc32 : null };
}

async function addZip(blob: Blob, name: string, mine: number): Promise<Added> {
  const whole = await loadWhole();
  const listed = await (await import('./zip')).listZip(whole, blob, name);
  const { filesOf, journalOf, optionsOf, packOf, standsApart } = await import('./pack');
  const pack = await packOf(whole, name, listed);
  if (mine !== generation) throw superseded();
  if (pack !== null && standsApart(whole, pack, packs)) {
    packs.push({ ...pack, isApart: true });
    return { files: pack.entries.size, problems: listed.problems, replaced: { files: 0, some: [] }, pack: 'apart' };
  }
  if (pack !== null) {
    const journal = await journalOf(whole, pack);
    const added = add(await filesOf(whole, pack), mine, () => open().addPack(pack.manifest));
    if (journal !== '') open().addPackJournal(journal);
    packs.push(pack);
    return { ...added, problems: listed.problems, pack: 'added', options: optionsOf(pack) };
  }
  return { ...add(listed.files, mine), problems: listed.problems };
}

async function addZipUrl(url: string, redirects: Redirects): Promise<Added> {
  const mine = await takeOver();
  let response: Response;
  try {
    response = await fetch(url, { redirect: redirects === 'refused' ? 'manual' : 'follow' });
  } catch {
    const fromDisk = location.protocol === 'file:' || location.origin === 'null';
    throw new EngineError(
      fromDisk
        ? `${url} could not be fetched: this page was opened from disk, and most servers answer only pages that come from a server. Download the file and drop it here instead.`
        : `${url} could not be fetched. Either the address is wrong, you are offline, or its server does not let other pages read it (CORS). Download the file and drop it here instead.`,
      'fetch',
    );
  }
  if (response.type === 'opaqueredirect') throw new EngineError(`${url} leads on to another place.`, 'redirected');
  if (!response.ok) throw new EngineError(`The server answered ${response.status} ${response.statusText} for ${url}.`, 'http');
  if ((response.headers.get('content-type') ?? '').startsWith('text/html')) {
    throw new EngineError(`${url} is a web page, not a ZIP file. Copy the address of the download itself.`, 'html');
  }
  const blob = await response.blob();
  const name = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '') || 'archive.zip';
  return addZip(blob, name, mine);
}

async function addDemo(indexUrl: string, isFirst: boolean): Promise<Added> {
  isDemo = true;
  const mine = isFirst ? generation : await takeOver();
  const packed = await engine.demo();
  if (packed !== null) return addZip(packed, 'demo', mine);
  const response = await fetch(indexUrl);
  if (!response.ok) throw new EngineError(`The demo suite is not here: ${response.status} for ${indexUrl}.`, 'no_demo');
  const index = (await response.json()) as { files: { path: string; size: number }[] };
  const listed = index.files.map(({ path, size }) => ({
    path,
    size,
    url: new URL(path.split('/').map(encodeURIComponent).join('/'), response.url).href,
  }));
  return { ...add(listed, mine), problems: [] };
}

async function picturesFor(needs: number[]): Promise<void> {
  for (const file of needs) open().provide_picture(file, await bytesOf(stored(file), null));
}

/** Writes records down where the benchmark is the user's own; whether it did. */
async function store(records: JournalRecord[]): Promise<boolean> {
  if (isDemo || !isWhole) return false;
  const benchmark = open().benchmarkId();
  if (benchmark === null) return false;
  try {
    await (await import('./journal')).keepAll(benchmark, records);
    return true;
  } catch {
    // They are in this tab, and whoever pasted them is told that they are nowhere else.
    return false;
  }
}

async function pasteReplies(text: string): Promise<PastedTogether> {
  const mine = await useWhole();
  const { records, unreadable, problems } = open().readReplies(text, new Date().toISOString());
  const stored = records.length > 0 && (await store(records));
  if (mine !== generation) throw superseded();
  open().addRecords(records);
  tellReplies(records.length);
  return { taken: records.length, unreadable, problems, stored };
}

async function removePasted(reply: PastedReply): Promise<number> {
  const removed = open().removePasted(reply);
  const benchmark = isDemo || removed.length === 0 ? null : open().benchmarkId();
  if (benchmark !== null) await (await import('./journal')).forgetSome(benchmark, removed);
  return removed.length;
}

/** Brings the pictures that replies are held against, then holds them. */
async function checkReplies(): Promise<ReplyCheck> {
  const mine = await useWhole();
  const needs = [...open().checkNeeds()];
  for (let at = 0; at < needs.length; at += TOGETHER) {
    const wants = needs.slice(at, at + TOGETHER).map((file): Want => ({ file, head: null, phase: 'pictures' }));
    const got = await readSome(wants);
    if (mine !== generation) throw superseded();
    wants.forEach(({ file }, of) => {
      const one = got[of];
      if (one !== undefined && 'bytes' in one) open().provide_picture(file, one.bytes);
    });
    await nextTask();
  }
  return open().checkReplies();
}

/** What the page can call besides the questions, with its arguments as they come. */
type Implementation = {
  [Name in keyof HostMethods]: (...args: Parameters<HostMethods[Name]>) => ReturnType<HostMethods[Name]> | Promise<ReturnType<HostMethods[Name]>>;
};

const methods: Implementation = {
  async start() {
    renew(await engine.first());
  },
  reset() {
    if (edge === null) throw new EngineError('The engine has not started yet.', 'not_started');
    job?.cancel();
    agents?.cancel();
    renew(edge);
    closings += 1;
    files = [];
    isDemo = false;
    packs = [];
    reading = 'idle';
    numbers = new Map();
  },
  async addFiles(more) {
    const mine = await takeOver();
    return { ...add(more, mine), problems: [] };
  },
  async addZip(blob, name) {
    const mine = await takeOver();
    return addZip(blob, name, mine);
  },
  addZipUrl,
  addDemo,
  cancel() {
    if (reading === 'reading') reading = 'cancelled';
    postProgress();
  },
  resume: read,
  async chooseBenchmark(path) {
    await useWhole();
    open().chooseBenchmark(path);
    // What was wanted is of the other benchmark.
    backlog = [];
    read();
    post({ event: 'changed', phase: open().progress().phase });
  },
  async nameJudge(places, judge) {
    const mine = await useWhole();
    const target = open();
    if (judge === '') target.unnameJudges(places);
    else target.nameJudges(places.map((path) => ({ path, judge })));
    const benchmark = target.benchmarkId();
    // Of a pack that is open nothing is kept, as nothing that is kept is shown with it.
    if (benchmark === null || packs.length > 0) return false;
    try {
      const { forgetJudgeNames, keepJudgeNames } = await import('./judge-names');
      if (judge === '') await forgetJudgeNames(benchmark, places);
      else
        await keepJudgeNames(
          benchmark,
          places.map((path) => ({ path, judge: judge.trim() })),
        );
    } catch {
      return false;
    }
    return mine === generation;
  },
  async file(number) {
    const file = stored(number);
    show(number);
    if ('url' in file) return file.url;
    if ('held' in file) return { held: file.held };
    return new Blob([new Uint8Array(await bytesOf(file, null))], { type: mediaType(file.path) });
  },
  async concatenate(numbers) {
    const pictures: Uint8Array[] = [];
    for (const number of numbers) pictures.push(await bytesOf(stored(number), null));
    return (await engine.pictures()).concatenate(pictures);
  },
  async prepare(treatment, file, other) {
    const bytes = async (number: number | null): Promise<Uint8Array> => (number === null ? new Uint8Array() : bytesOf(stored(number), null));
    return (await engine.pictures()).prepare(treatment, await bytes(file), await bytes(other));
  },
  async zip(items: ZipItem[]) {
    const pieces = [];
    for (const item of items) {
      if ('text' in item) pieces.push({ name: item.name, data: item.text });
      else if ('bytes' in item) pieces.push({ name: item.name, data: item.bytes });
      else pieces.push({ name: item.name, data: await bytesOf(stored(item.file), null) });
    }
    return (await import('./zip-writer')).writeZip(pieces);
  },
  async packFiles() {
    await wholeRead();
    // A thumbnail is not the picture that was judged: packed anew, it would stand under its own hash.
    if (packs.some(({ manifest, isApart }) => isApart !== true && !manifest.includes('"pictures": "full"'))) {
      throw new EngineError(
        'What is open is an evidence pack without its pictures. Open the folders that it was made of to write another one.',
        'partial_pack',
      );
    }
    return open()
      .packItems()
      .map((item) => {
        const file = stored(item.file);
        return { ...item, size: item.size ?? file.size, held: 'held' in file ? file.held : null };
      });
  },
  async writePack(options, pictures) {
    const session = await wholeRead();
    const mine = generation;
    const [{ writePack }, { sha256 }] = [await import('./pack'), await loadWhole()];
    const host = {
      session,
      pictures: pictures === 'thumbnails' ? await engine.pictures() : null,
      sha256,
      bytes: (file: number) => bytesOf(stored(file), null),
      onProgress: (done: number, total: number): void => {
        if (mine !== generation) throw superseded();
        post({ event: 'pack', done, total });
      },
    };
    const blob = await writePack(host, options, pictures);
    post({ event: 'changed', phase: open().progress().phase });
    return blob;
  },
  async checkPacks() {
    const [{ checkPack }, whole] = [await import('./pack'), await loadWhole()];
    const checks: PackCheck[] = [];
    for (const pack of packs) {
      const { name } = pack;
      const apart = openSession(whole);
      try {
        checks.push({ name, verification: await checkPack(whole, apart, pack, (done, total) => post({ event: 'pack', done, total }), decoders) });
      } catch (error) {
        checks.push({ name, problem: messageOf(error) });
      } finally {
        apart.free();
      }
    }
    return checks;
  },
  async comparePacks() {
    const [{ comparePacks }, whole] = [await import('./pack'), await loadWhole()];
    const [first, ...others] = packs;
    const beside: PackBeside[] = [];
    for (const second of others) {
      if (first === undefined) break;
      const names = { first: first.name, second: second.name };
      try {
        beside.push({ ...names, comparison: await comparePacks(whole, first, second) });
      } catch (error) {
        beside.push({ ...names, problem: messageOf(error) });
      }
    }
    return beside;
  },
  startJob,
  lookOn: lookOnFrom,
  controlJob(what) {
    if (what === 'pause') job?.pause();
    else if (what === 'resume') job?.resume();
    else job?.cancel();
  },
  startAgents,
  controlAgents(what) {
    if (what === 'pause') agents?.pause();
    else if (what === 'resume') agents?.resume();
    else agents?.cancel();
  },
  agentHand,
  exportAgents,
  async forgetAgents() {
    const benchmark = open().benchmarkId();
    if (benchmark !== null) await (await import('./trajectories')).forgetCalls(benchmark);
  },
  async paste(reply) {
    const result = open().paste(reply);
    if (result.kept) tellReplies(1);
    return { ...result, stored: result.record !== null && (await store([result.record])) };
  },
  pasteReplies,
  removePasted,
  retryFailures() {
    const count = open().retryFailures();
    if (count > 0) read();
    return count;
  },
  async sheet(tasks, judge) {
    await useWhole();
    let text = 'Put what the judge said under its heading, word for word; headings stay as they are.\n\n';
    for (const { key, run } of tasks) {
      await picturesFor(open().request(key).needs);
      text += `${open().sheetHeading(key, judge, run)}\n`;
    }
    return text;
  },
  checkReplies,
  async forgetReplies() {
    const benchmark = open().benchmarkId();
    if (benchmark !== null) await (await import('./journal')).forget(benchmark);
  },
  async addMeasures(records, isLast) {
    await useWhole();
    open().addMeasures(records);
    if (isLast) post({ event: 'changed', phase: open().progress().phase });
  },
  comparePictures,
  cancelCompare() {
    comparing = null;
  },
};

/** Byte arrays inside a reply move instead of being copied. */
function transferable(value: unknown): Transferable[] {
  if (value instanceof Uint8Array && value.buffer instanceof ArrayBuffer) return [value.buffer];
  if (typeof value === 'object' && value !== null && 'png' in value) return transferable(value.png);
  return [];
}

/** Bytes of replies that the first part of a search looks into. */
const FIRST_PART_BYTES = 1 << 18;
/** How long a part may take, in ms: the next one is made larger or smaller by it. */
const PART_MS = 20;

/** Asks in parts, between which other calls are answered, until there is an answer or nobody wants it any more. */
async function inParts(id: number, ask: (bytes: number) => unknown): Promise<unknown> {
  for (let bytes = FIRST_PART_BYTES; ;) {
    const began = performance.now();
    const found = ask(Math.ceil(bytes));
    if (found !== null) return found;
    bytes *= performance.now() - began > PART_MS ? 0.5 : 2;
    await nextTask();
    if (aborted.has(id)) throw new EngineError('The search was given up.', 'aborted');
  }
}

/** Answers a question as its entry says; one that the first engine does not know is asked of the whole one. */
async function answerOf<Name extends QuestionName>(name: Name, args: Parameters<Questions[Name]>, id = 0): Promise<AnswerOf<Name>> {
  for (;;) {
    try {
      return (await askAround(name, args, id)) as AnswerOf<Name>;
    } catch (error) {
      if (isWhole || codeOf(error) !== 'not_here') throw error;
      await useWhole();
    }
  }
}

async function askAround(name: QuestionName, args: readonly unknown[], id: number): Promise<unknown> {
  const { around } = QUESTIONS[name];
  await (around.includes('read') ? readThrough() : upToDate());
  if (around.includes('ratings')) await takeRatings();
  if (around.includes('parts')) return inParts(id, (bytes) => ask(open(), name, args, bytes));
  const answer = ask(open(), name, args);
  if (around.includes('changes')) post({ event: 'changed', phase: open().progress().phase });
  if (!around.includes('pictures')) return answer;
  const { needs } = answer as { needs: number[] };
  if (needs.length === 0) return answer;
  await picturesFor(needs);
  return ask(open(), name, args);
}

const isOfHost = (name: string): name is keyof HostMethods => Object.hasOwn(methods, name);

function carryOut(id: number, method: MethodName, args: unknown[]): unknown {
  if (isOfHost(method)) return (methods[method] as (...args: unknown[]) => unknown)(...args);
  if (isOfPage(method)) return answerOf(method, args as never, id);
  throw new EngineError(`The engine has no method ${String(method)}.`, 'unknown_method');
}

async function answer(id: number, method: MethodName, args: unknown[]): Promise<void> {
  // A task of its own: a call that was aborted while it waited is then never carried out.
  await nextTask();
  if (aborted.delete(id)) return;
  try {
    takeFresh();
    const value = await carryOut(id, method, args);
    if (!aborted.delete(id)) post({ id, value }, transferable(value));
  } catch (error) {
    // Nobody waits for what was aborted.
    if (!aborted.delete(id)) post({ id, error: { message: messageOf(error), code: codeOf(error) } });
  }
}

/** Answers the page from now on. */
export function serve(to: PagePort): void {
  port = to;
  to.addEventListener('message', ({ data }) => receive(data));
  to.start?.();
}

function receive(message: ToWorker): void {
  if ('abort' in message) {
    aborted.add(message.abort);
    return;
  }
  if ('read' in message) {
    asked.get(message.read)?.(message.got);
    asked.delete(message.read);
    return;
  }
  void answer(message.id, message.method, message.args);
}
