/**
 * The Rust edge `juror_web` as the page sees it.
 *
 * The package is built into `pkg/` and not committed; this file states the contract, so that the page can be checked
 * without a build, and so that nothing else imports the package.
 */
import type { FileColumns } from './columns';
import type { Flaw } from './decode/protocol';
import type { HeldRead, ReadBytes, Reading } from './reads';
import type { AgentIncident } from './types/AgentIncident';
import type { AgentKey } from './types/AgentKey';
import type { AgentSettings } from './types/AgentSettings';
import type { FileMeta } from './types/FileMeta';
import type { KeptCounts } from './types/KeptCounts';
import type { GenerateIncident } from './types/GenerateIncident';
import type { GenerateSettings } from './types/GenerateSettings';
import type { JobIncident } from './types/JobIncident';
import type { JobSettings } from './types/JobSettings';
import type { KeptReply } from './types/KeptReply';
import type { LabelRecord } from './types/LabelRecord';
import type { MeasuredPiece } from './types/MeasuredPiece';
import type { MeasureLanes } from './types/MeasureLanes';
import type { MeasurePair } from './types/MeasurePair';
import type { MeasurePiece } from './types/MeasurePiece';
import type { MeasureStanding } from './types/MeasureStanding';
import type { MeasureTold } from './types/MeasureTold';
import type { PackBeside } from './types/PackBeside';
import type { PackCheck } from './types/PackCheck';
import type { PackedFile } from './types/PackedFile';
import type { PackOutline } from './types/PackOutline';
import type { PackPictures } from './types/PackPictures';
import type { PackVerification } from './types/PackVerification';
import type { PastedReply } from './types/PastedReply';
import type { PastedTogether } from './types/PastedTogether';
import type { Phase } from './types/Phase';
import type { Progress } from './types/Progress';
import type { RaterSession } from './types/RaterSession';
import type { Rating } from './types/Rating';
import type { RemoteFile } from './types/RemoteFile';
import type { ReplyCheck } from './types/ReplyCheck';
import type { RunState } from './types/RunState';
import type { ScoreOptions } from './types/ScoreOptions';
import type { Sizes } from './types/Sizes';
import type { Treatment } from './types/Treatment';
import type { Want } from './types/Want';
import type { ZipEntry } from './types/ZipEntry';
import type { ZipSpan } from './types/ZipSpan';

/** Pictures side by side in one row, as models that take one picture are given them. */
export interface Concatenated {
  png: Uint8Array<ArrayBuffer>;
  width: number;
  height: number;
  font_px: number;
  downscaled: boolean;
}

/** A generated picture, and the format that it came in, where that is not the one of its file's name. */
export interface FittedPicture {
  bytes: Uint8Array<ArrayBuffer>;
  came_as: string;
}

/** What a job asks the worker for. */
export interface JobPage {
  /** The bytes of a file. */
  bytes(file: number): Promise<Uint8Array>;
  /** The bytes of a picture as it is sent. */
  picture(file: number | undefined, treatment: Treatment, other: number | undefined): Promise<Uint8Array>;
  /** Pictures as the one row that they are joined to, as PNG. */
  row(files: Uint32Array): Promise<Uint8Array>;
  /** A generated picture as the file of this name is written, and the format that it came in, where that is another one. */
  fit(bytes: Uint8Array, name: string): Promise<FittedPicture>;
  /** Lists the pictures that came among the open files. */
  list(): void;
  /** The session has what came. */
  came(): void;
  /** Whether what this browser keeps is shown with what is open. */
  showsKept(): boolean;
  /** The session was given what other tabs have kept. */
  given(given: KeptCounts): void;
  ended(): void;
  onState(state: RunState<JobIncident> | RunState<AgentIncident> | RunState<GenerateIncident>): void;
}

export type JobKind = 'judge' | 'agents' | 'generate';

/** The jobs under way, at most one of each kind. */
export interface Host {
  /** Begins a job once no other tab does the same; whether this browser can tell that. */
  judge(session: Handle, settings: JobSettings, page: JobPage): Promise<boolean>;
  make(session: Handle, settings: AgentSettings, page: JobPage): Promise<boolean>;
  generate(session: Handle, settings: GenerateSettings, page: JobPage): Promise<boolean>;
  /** Tells the page how the job of another tab stands. `who`: the judge, the set of agents as JSON, or the model. */
  lookOn(session: Handle, kind: JobKind, who: string, page: JobPage): void;
  lookAway(): void;
  /** Keeps what a person brings for the call that is due: the planner's reply, or the picture. */
  hand(session: Handle, key: AgentKey, brought: string | Blob, benchmark: string): Promise<void>;
  isRunning(kind: JobKind): boolean;
  control(kind: JobKind, what: 'pause' | 'resume' | 'cancel'): void;
}

/** A run of image metrics, which is dealt out to lanes. */
export interface Measuring {
  /** The first worker stands, and so many are wanted in all; how the work is spread. */
  stands(standing: MeasureStanding, wanted: number): MeasureLanes;
  /** Takes what came of a lane's last piece and gives it the next one, `null` where nothing is left; waits in a pause. */
  next(came: MeasuredPiece | null): Promise<MeasurePiece | null>;
  /** What there is to tell, once something has changed since that was last asked. */
  told(): Promise<MeasureTold>;
  control(what: 'pause' | 'resume' | 'cancel'): void;
  /** Its lanes have ended, or what measures has stopped, and why. */
  end(why?: string): void;
  free(): void;
}

/** Where what a person brings is kept: in this browser's storage, or in this tab alone. */
export type KeptIn = 'storage' | 'tab';

/** What this browser keeps, by benchmark. What is written resolves once it is on disk. */
export interface Kept {
  /** Gives a session what is kept for its benchmark. */
  restore(session: Handle, benchmark: string): Promise<KeptCounts>;
  giveRatings(session: Handle, benchmark: string): Promise<void>;
  /** Reads a pasted reply and keeps it. */
  paste(session: Handle, reply: PastedReply, place: KeptIn): Promise<KeptReply>;
  /** The same for several: a filled-in sheet, a journal, results of a batch engine. */
  pasteTogether(session: Handle, text: string, place: KeptIn): Promise<PastedTogether>;
  /** Takes a pasted reply out again; how many copies of it there were. */
  removePasted(session: Handle, reply: PastedReply, place: KeptIn): Promise<number>;
  /** Names who judged in files that do not state it, an empty name takes that back; whether storage has it. */
  nameJudge(session: Handle, places: string[], judge: string, place: KeptIn): Promise<boolean>;
  forgetReplies(benchmark: string): Promise<void>;
  /** A generated picture: one of `loose`, by content, or a kept one. */
  picture(loose: Map<string, Blob>, benchmark: string, sha256: string): Promise<Blob>;
  /** Forgets the calls and pictures of agents. */
  forgetCalls(benchmark: string): Promise<void>;
  /** Forgets the calls and pictures of generators. */
  forgetGenerated(benchmark: string): Promise<void>;
  keepRatings(benchmark: string, ratings: readonly Rating[]): Promise<void>;
  ratings(benchmark: string): Promise<Rating[]>;
  keepLabels(benchmark: string, labels: readonly LabelRecord[]): Promise<void>;
  keepRater(session: RaterSession): Promise<void>;
  raters(benchmark: string): Promise<RaterSession[]>;
  forgetRater(benchmark: string, rater: string): Promise<void>;
}

/** A session as the package has it: files go in, and questions are answered; `ask.ts` gives it a method for each of those. */
export interface Handle {
  add_files(files: FileMeta[]): number;
  wants(limit: number): Want[];
  provide(file: number, bytes: Uint8Array): void;
  /** What came of decoding a picture that was wanted for that: nothing wrong, or what and the mend. */
  provide_decoded(file: number, message?: string, hint?: string): void;
  failed(file: number, message: string): void;
  progress(): Progress;
  /** What it lacks for the files that are open, once their replies were read: where it is anything, its numbers are not to be shown. */
  lack(): 'nothing' | 'readers' | 'benchmarks';
  /** What the user chose, and what is shown without having been chosen. */
  choices(): { chosen: string | null; shown: string | null; prompts: string };
  /** Answers a question; `null` where a search has looked into so many bytes of replies and is not done: asked again, it goes on there. */
  ask(question: unknown, bytes: number): unknown;
  free(): void;
  // The rest is there in the engine with every question alone.
  /** Gives it the replies of a job that came since this was last asked; how many they are. */
  take_fresh(): number;
}

/** Whether another engine takes over: none; one, and this one's numbers are shown meanwhile; one, as this one lacks something and shows nothing more. */
export type HandedOn = 'nothing' | 'soon' | 'lacking';

/** What the reading of files asks the worker for. What gives a promise never throws by itself. */
export interface LoadingPage {
  /** Reads files that the page holds; what that gave, in their order. */
  held(reads: HeldRead[]): Promise<ReadBytes[]>;
  /** The bytes of a file that neither the page holds nor an address leads to: the first so many, or all. */
  apart(file: number, head: number | undefined): Promise<Uint8Array<ArrayBuffer>>;
  /** The bytes of a file at an address where they came with its list. */
  atHand(file: number): Uint8Array<ArrayBuffer> | undefined;
  /** Whether pictures are known to be whole. */
  areWhole(): boolean;
  /** Finds out in workers which pictures decode; `null` where no worker can say. */
  decode(pictures: Uint8Array<ArrayBuffer>[]): Promise<Flaw[] | null>;
  /** The same for one picture in this thread; `null` without decoders. */
  check(picture: Uint8Array<ArrayBuffer>): Promise<{ flaw: Flaw } | null>;
  /** Nothing is decoded for a while. */
  stopDecoders(): void;
  onProgress(progress: Progress, reading: Reading): void;
  /** Answers may have changed: everything of this step was read, or everything there is. */
  onChanged(phase: Phase | null): void;
  /** Whether another engine takes over: asked once, when the replies were read. */
  handOn(): HandedOn;
  /** The reading has ended; what this brings is known before the page hears of that. */
  onEnd(): Promise<void>;
  /** What a picture looks like. */
  print(picture: Uint8Array<ArrayBuffer>): Promise<{ hash: string; cells: Uint8Array }>;
  onCompared(done: number, total: number): void;
}

/** The reading of one session's files. */
export interface Loading {
  /** Adds files and reads what is wanted of them, unless reading was cancelled; the number of the first. */
  add(files: FileColumns): number;
  /** The same for files that the session has numbered already, as those of a pack. */
  take(files: FileColumns): void;
  /** Reads what is wanted, also after it was cancelled. */
  read(): void;
  cancel(): void;
  /** Reads anew what the session wants: another benchmark was chosen. */
  readAnew(): void;
  /** Has a file that the page shows read before the others. */
  show(file: number): void;
  readonly reading: Reading;
  /** The step that reading is at, `null` where it is at none: what another engine is to catch up with. */
  phase(): Phase | null;
  /** Says what the engine before had read, which nobody is answered before: all before this step, or everything. */
  catchUp(phase: Phase | null): void;
  /** Resolves once what the engine before had read is known, or this reading is ended. */
  upToDate(): Promise<void>;
  /** Resolves once everything was read, or reading was cancelled or ended. */
  through(): Promise<void>;
  bytes(file: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Brings the session the contents of pictures that an answer rests on. */
  bring(files: Uint32Array): Promise<void>;
  /** Ends it. */
  free(): void;
  // The rest is there in the engine with every question alone.
  /** Holds the replies against their requests as they are now; those to earlier ones no longer count. */
  checkReplies(): Promise<ReplyCheck>;
  /** Reads all pictures for what they hold and look like; resolves early where that is stopped. */
  compare(): Promise<void>;
  stopCompare(): void;
}

/** The bytes of a ZIP that is no file at hand; `read` brings fewer where the file ends before. */
export interface ZipSource {
  readonly size: number;
  read(at: number, length: number): Promise<Uint8Array>;
  readAhead(parts: ZipSpan[]): Promise<void>;
}

/** Whether a server may send a request on to another place. */
export type Redirects = 'followed' | 'refused';

/** A ZIP that was listed. */
export interface Zip {
  /** The number of what may be the manifest of an evidence pack. */
  readonly manifest: number | undefined;
  /** Its files with the folder that it stands for; the number of one is its place. */
  files(): ZipEntry[];
  /** What is refused of it. */
  problems(): { path: string; message: string }[];
  /** A file, or its first `head` bytes. */
  read(entry: number, head: number | null): Promise<Uint8Array<ArrayBuffer>>;
  /** Has the source bring what is read next. */
  readAhead(entries: Uint32Array): Promise<void>;
  free(): void;
}

interface ZipClass {
  /** Lists a ZIP; two entries of one name refuse all of it. */
  list(source: Blob | ZipSource, name: string): Promise<Zip>;
}

/** What reading a pack needs of the page. */
export interface ReadingPage {
  /** So many of all files are in; throws where nobody waits any more. */
  onProgress(done: number, total: number): void;
  /** Whether pictures are decoded here; where they are not, what the manifest says of them stands. */
  decodes(): Promise<boolean>;
  /** What keeps a picture from being decoded; nothing where it decodes. */
  flaw(picture: Uint8Array): Promise<{ message: string; hint: string } | undefined>;
  /** What a metric of two pictures comes to; nothing where pictures are not measured here. */
  measure(metric: string, sizes: Sizes, reference: Uint8Array, candidate: Uint8Array): Promise<{ value?: number; problem?: string } | undefined>;
}

/** What writing a pack needs of the page. */
export interface WritingPage extends Pick<ReadingPage, 'onProgress'> {
  bytes(file: number): Promise<Uint8Array>;
  /** A small form of a picture; nothing where it does not decode. */
  thumbnail(picture: Uint8Array, mostPx: number): Promise<Uint8Array | undefined>;
  /** Puts a piece into the ZIP, deflated at this level or, at 0, stored. */
  add(path: string, data: string | Uint8Array, level: number): Promise<void>;
}

/** An evidence pack that is open. */
export interface Pack {
  readonly manifest: string;
  /** How many entries it has. */
  readonly size: number;
  /** The choices that its scores rest on; a policy that is the profile's own is none. */
  options(): ScoreOptions;
  /** Whether it is one of these, told by their manifests, or has other versions of their files. */
  standsApart(open: string[]): boolean;
  /** The files that it stands for, in the order in which a session numbers them. */
  files(): PackedFile[];
  /** Its own journal; empty where it has none. */
  journal(): Promise<string>;
  /** Recomputes it from its raw replies in a session without files. */
  check(session: Handle, page: ReadingPage): Promise<PackVerification>;
  /** Reads all but its pictures into a session without files; the number of its first file. */
  look(session: Handle, page: ReadingPage): Promise<number>;
  free(): void;
}

interface PackClass {
  /** The pack that a ZIP is; nothing where it is any other one. */
  open(zip: Zip): Promise<Pack | undefined>;
}

/** What the package exports that tells benchmarks apart. */
export interface Recogniser extends Pick<Edge, 'Zip' | 'downloaded' | 'default'> {
  /** The id of the one benchmark that these files are of, by their names; nothing where that is not sure. */
  recognised: (files: FileColumns) => string | undefined;
  /** The pack that a ZIP is, in outline; nothing where it is any other one. */
  outlineOf: (zip: Zip) => Promise<PackOutline | undefined>;
}

/** What the package exports. */
export interface Edge {
  Session: new () => Handle;
  Loading: new (session: Handle, page: LoadingPage, decoders: number) => Loading;
  /** The files of a demo suite, by the address of its index, and where they came together the bytes of each. */
  demoFiles: (index: string) => Promise<[RemoteFile[], Uint8Array<ArrayBuffer>[]]>;
  // The rest is there in the engine with every question alone.
  /** What lies at an address. */
  downloaded: (url: string, redirects: Redirects) => Promise<Blob>;
  /** Generated pictures that storage does not take are put into `loose`, by content. */
  Host: new (loose: Map<string, Blob>) => Host;
  Kept: Kept;
  Measuring: new (protocol: string, pairs: readonly MeasurePair[], sizes: Sizes) => Measuring;
  Zip: ZipClass;
  Pack: PackClass;
  /** Writes a pack of what is open, piece by piece. */
  writePack: (session: Handle, options: ScoreOptions, pictures: PackPictures, page: WritingPage) => Promise<void>;
  /** Writes the generated pictures with their records, piece by piece. */
  writeAgents: (session: Handle, page: Pick<WritingPage, 'bytes' | 'add'>) => Promise<void>;
  /** Recomputes the pack that a file is; nothing where it is of a benchmark that this engine does not know. */
  checkPack: (file: Blob, name: string, page: ReadingPage) => Promise<PackCheck | undefined>;
  /** Compares the first of some packs with each of the others, by what they state. */
  comparePacks: (files: Blob[], names: string[]) => Promise<PackBeside[]>;
  default: () => Promise<unknown>;
}

/** What the package for work on pixels exports. */
export interface PictureEdge {
  concatenate: (pictures: Uint8Array[]) => Concatenated;
  /** A generated picture as the file of this name is written. */
  fit: (picture: Uint8Array, name: string) => FittedPicture;
  pack_thumbnail: (picture: Uint8Array, maxPx: number) => Uint8Array<ArrayBuffer>;
  prepare: (treatment: Treatment, picture: Uint8Array, other: Uint8Array) => Uint8Array<ArrayBuffer>;
  /** What keeps a whole picture from being decoded; nothing where it decodes. */
  check: (picture: Uint8Array) => { message: string; hint: string } | undefined;
  /** What a picture looks like. */
  print: (picture: Uint8Array) => { hash: string; cells: Uint8Array };
  /** The value of a metric of two pictures on the CPU, or why there is none. */
  measure: (metric: string, sizes: Sizes, reference: Uint8Array, candidate: Uint8Array) => { value?: number; problem?: string };
  default: () => Promise<unknown>;
}
