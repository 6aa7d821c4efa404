/** Messages between the page and the engine's worker. */
import type { Concatenated, JobKind, Redirects, Zip } from './edge';
import type { HeldRead, ReadBytes, Reading } from './reads';
import type { PlainError } from './errors';
import type { AgentIncident } from './types/AgentIncident';
import type { AgentKey } from './types/AgentKey';
import type { AgentSettings } from './types/AgentSettings';
import type { GenerateIncident } from './types/GenerateIncident';
import type { GenerateSettings } from './types/GenerateSettings';
import type { JobIncident } from './types/JobIncident';
import type { JobSettings } from './types/JobSettings';
import type { JobTask } from './types/JobTask';
import type { LabelRecord } from './types/LabelRecord';
import type { Measure } from './types/Measure';
import type { MeasuredPiece } from './types/MeasuredPiece';
import type { MeasureLanes } from './types/MeasureLanes';
import type { MeasurePair } from './types/MeasurePair';
import type { MeasurePiece } from './types/MeasurePiece';
import type { MeasureStanding } from './types/MeasureStanding';
import type { MeasureTold } from './types/MeasureTold';
import type { KeptReply } from './types/KeptReply';
import type { PackItem } from './types/PackItem';
import type { PackPictures } from './types/PackPictures';
import type { PackBeside } from './types/PackBeside';
import type { PackCheck } from './types/PackCheck';
import type { PastedReply } from './types/PastedReply';
import type { PastedTogether } from './types/PastedTogether';
import type { Phase } from './types/Phase';
import type { Progress } from './types/Progress';
import type { RaterSession } from './types/RaterSession';
import type { Rating } from './types/Rating';
import type { ReplyCheck } from './types/ReplyCheck';
import type { RunState } from './types/RunState';
import type { ScoreOptions } from './types/ScoreOptions';
import type { Sizes } from './types/Sizes';
import type { Treatment } from './types/Treatment';
import type { PageQuestions } from './types/questions';

export type { HeldRead, ReadBytes, Reading };

/** Where a judging job stands, for the page. */
export type JobState = RunState<JobIncident>;

/** Where a job of agents stands. */
export type AgentState = RunState<AgentIncident>;

/** How far a generator's job is. */
export type GenerateState = RunState<GenerateIncident>;

/** A file that the page holds, by its number there; its size is known only where it had to be asked for. */
export interface HeldFile {
  path: string;
  size: number | null;
  held: number;
}

/** A generated picture that this browser keeps. */
export interface KeptFile {
  path: string;
  size: null;
  sha256: string;
  benchmark: string;
}

/** A file in a ZIP. */
export interface ZipFile {
  path: string;
  size: number | null;
  crc32: number;
  /** Name of the ZIP. */
  zip: string;
  /** The file's number in it. */
  entry: number;
  from: Pick<Zip, 'read'>;
}

/** A file that an evidence pack tells of and does not hold. */
export interface LeftOutFile {
  path: string;
  size: null;
  leftOut: true;
}

/** A file that a pack is to hold; `held` where the page has to say its size. */
export type PackFile = PackItem & { held: number | null };

/** A finding of a source about itself, before the engine has seen any file: a refused ZIP entry, for example. */
export interface SourceProblem {
  path: string;
  message: string;
  hint?: string;
}

/** What a file can be told by without reading it: its number on the page, or what its ZIP says of it. */
export type Stamp = { held: number } | { size: number; crc: number | null };

/** Files that took the place of earlier ones of the same path, with some of the pairs to compare. */
export interface Replaced {
  files: number;
  some: { path: string; before: Stamp; after: Stamp }[];
}

/** What adding a source did. */
export interface Added {
  files: number;
  problems: SourceProblem[];
  replaced: Replaced;
  /** It is an evidence pack; `apart` if it is compared with what is open and its files are not added to that. */
  pack?: 'added' | 'apart';
  /** What the pack's scores rest on. */
  options?: ScoreOptions;
}

/** A file of a ZIP to be written: text, bytes, or a file of the session by number. */
export type ZipItem = { name: string; text: string } | { name: string; bytes: Uint8Array } | { name: string; file: number };

/** What is called of runs of image metrics; the page numbers them and measures what is dealt out. */
export interface MeasuringMethods {
  startMeasuring(run: number, protocol: string, pairs: readonly MeasurePair[], sizes: Sizes): void;
  /** The first worker stands, and so many are wanted in all; how the work is spread. */
  measurersStand(run: number, standing: MeasureStanding, wanted: number): MeasureLanes;
  /** Tells what came of a lane's last piece; its next one, `null` where nothing is left. Waits while the run is paused. */
  nextPiece(run: number, came: MeasuredPiece | null): MeasurePiece | null;
  /** Where the run stands and what was measured, once something has changed; after its end there is nothing more to ask. */
  measuringTold(run: number): MeasureTold;
  controlMeasuring(run: number, what: 'pause' | 'resume' | 'cancel'): void;
  /** The lanes have ended, or what measures has stopped, and why. */
  endMeasuring(run: number, why: string | null): void;
}

/** What the host of the session does besides the session's own methods. */
export interface HostMethods extends MeasuringMethods {
  /** Starts the Wasm module of a benchmark, the one whose demo suite is likely to be opened, and an empty session. */
  start(benchmark: string): void;
  /** Drops everything that was opened. */
  reset(): void;
  /** Files of the user's own are about to come: fetches what tells their benchmark. */
  expectFiles(): void;
  /** Takes files that the page holds; all of a source together, as each addition makes the engine look at all files anew. */
  addFiles(files: HeldFile[]): Added;
  addZip(blob: Blob, name: string): Added;
  addZipUrl(url: string, redirects: Redirects): Added;
  /** Opens a benchmark's demo suite. */
  addDemo(indexUrl: string, benchmark: string): Added;
  /** Stops reading; `resume` goes on where it stopped. */
  cancel(): void;
  resume(): void;
  /** A file as a Blob, its address, or its number on the page. */
  file(file: number): Blob | string | { held: number };
  concatenate(files: number[]): Concatenated;
  /** A picture as a judge is sent it, as PNG; `null` where no file is needed. */
  prepare(treatment: Treatment, file: number | null, other: number | null): Uint8Array<ArrayBuffer>;
  zip(items: ZipItem[]): Blob;
  /** The files that an evidence pack would hold. */
  packFiles(): PackFile[];
  /** Writes an evidence pack; tells how far it is by events. */
  writePack(options: ScoreOptions, pictures: PackPictures): Blob;
  /** Says which benchmark counts where several may be meant, by its file. */
  chooseBenchmark(path: string): void;
  /** Names who judged in files of replies that do not state it, and keeps that for the benchmark; an empty name takes it back. False: the browser keeps nothing. */
  nameJudge(places: string[], judge: string): boolean;
  /** Recomputes the packs that are open. */
  checkPacks(): PackCheck[];
  /** Compares the first pack that is open with each of the others. */
  comparePacks(): PackBeside[];
  /** Reads a reply and keeps it: in the browser's storage, but those of a demo suite in this tab alone. */
  paste(reply: PastedReply): KeptReply;
  /** The same for several: a filled-in sheet, a journal, results of a batch engine. */
  pasteReplies(text: string): PastedTogether;
  /** Takes a pasted reply out again, of the browser's storage as well; how many copies of it there were. */
  removePasted(reply: PastedReply): number;
  /** Reads the files again that could not be read; how many they are. */
  retryFailures(): number;
  /** A sheet with the headings of these requests, for replies to be put under. */
  sheet(tasks: JobTask[], judge: string): string;
  /** Holds the replies against their requests as they are now; those to earlier ones no longer count. */
  checkReplies(): ReplyCheck;
  /** Starts a judging job, which reports by events, unless another tab has one; whether this browser can tell. */
  startJob(settings: JobSettings): boolean;
  /** Reports how the job of another tab stands, by the same events. `who`: the judge, the set of agents as JSON, or the model. */
  lookOn(kind: JobKind, who: string): void;
  controlJob(what: 'pause' | 'resume' | 'cancel'): void;
  /** Writes people's ratings to this browser's storage; done once they are on disk. */
  keepRatings(benchmark: string, ratings: readonly Rating[]): void;
  /** The ratings that were kept for a benchmark, oldest first, those included that others took the place of. */
  keptRatings(benchmark: string): Rating[];
  /** Writes failure labels to this browser's storage; done once they are on disk. */
  keepLabels(benchmark: string, labels: readonly LabelRecord[]): void;
  /** Remembers what a rater sets out to rate. */
  keepRater(session: RaterSession): void;
  /** What raters set out to rate. */
  keptRaters(benchmark: string): RaterSession[];
  /** Forgets a rater's ratings and failure labels of a benchmark, and what was set out to. */
  forgetRater(benchmark: string, rater: string): void;
  /** Forgets the replies that this browser keeps for the benchmark. */
  forgetReplies(): void;
  /** Starts a job of agents in the same way. */
  startAgents(settings: AgentSettings): boolean;
  controlAgents(what: 'pause' | 'resume' | 'cancel'): void;
  /** Keeps what a person brings for it: the planner's reply as text, or the picture. */
  agentHand(key: AgentKey, brought: string | Blob): void;
  /** All generated pictures as a ZIP in the benchmark's own layout, with `trajectories.jsonl`. */
  exportAgents(): Blob;
  /** Starts a generator's job in the same way. */
  startGenerate(settings: GenerateSettings): boolean;
  controlGenerate(what: 'pause' | 'resume' | 'cancel'): void;
  /** A model's folder as a ZIP, as `juror generate` writes it. */
  exportGenerated(model: string): Blob;
  /** Forgets the generated pictures that this browser keeps for the benchmark. */
  forgetGenerated(): void;
  /** Has scores go by the ratings, and samples found by the failure labels, that this browser keeps now. */
  takeRatings(): void;
  /** Forgets the trajectories that this browser keeps for the benchmark. */
  forgetAgents(): void;
  /** Reads and compares the content of pictures; tells of its progress by events and ends early where that is asked for. */
  comparePictures(): void;
  cancelCompare(): void;
  /** Takes measured values in, so that scores show them; `isLast` if no more follow soon. */
  addMeasures(records: Measure[], isLast: boolean): void;
}

/** Every method that the page can call. */
export type Methods = HostMethods & PageQuestions;
export type MethodName = keyof Methods;

/** Page → worker. */
export type ToWorker =
  | { id: number; method: MethodName; args: unknown[] }
  | { abort: number }
  /** The answer to a `read`, in its order. */
  | { read: number; got: ReadBytes[] }
  /** A decoder died, or none could be started. */
  | { died: number }
  /** Is the engine's thread running? */
  | { ping: true };

/** Worker → page. */
export type FromWorker =
  | { id: number; value: unknown }
  | { id: number; error: PlainError }
  | { event: 'read'; id: number; reads: HeldRead[] }
  /** The page is to start a worker that decodes pictures, which the engine talks to through the port; without one, to end it. */
  | { event: 'decoder'; decoder: number; port: MessagePort | null }
  | { event: 'progress'; progress: Progress; reading: Reading }
  | { event: 'changed'; phase: Phase | null }
  | { event: 'compared'; done: number; total: number }
  | { event: 'pack'; done: number; total: number }
  /** So many replies are here that a journal would hold. */
  | { event: 'replies'; count: number }
  | { event: 'job'; state: JobState }
  | { event: 'agents'; state: AgentState }
  | { event: 'generate'; state: GenerateState }
  /** The answer to a ping: what the engine waits for, in words for the reader; empty if for nothing. */
  | { event: 'pong'; waits: string };
