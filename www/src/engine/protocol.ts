/** Messages between the page and the engine's worker. */
import type { AgentSettings, AgentState } from './agents';
import type { Concatenated } from './edge';
import type { PlainError } from './errors';
import type { JobSettings, JobState } from './judge';
import type { AgentKey } from './types/AgentKey';
import type { JobTask } from './types/JobTask';
import type { Measure } from './types/Measure';
import type { PackComparison } from './types/PackComparison';
import type { PackItem } from './types/PackItem';
import type { PackPictures } from './types/PackPictures';
import type { PackVerification } from './types/PackVerification';
import type { PastedReply } from './types/PastedReply';
import type { PasteResult } from './types/PasteResult';
import type { Phase } from './types/Phase';
import type { Progress } from './types/Progress';
import type { ReplyCheck } from './types/ReplyCheck';
import type { ScoreOptions } from './types/ScoreOptions';
import type { Treatment } from './types/Treatment';
import type { PageQuestions } from './types/questions';

/** A file that the page holds, by its number there; its size is known only where it had to be asked for. */
export interface HeldFile {
  path: string;
  size: number | null;
  held: number;
}

/** A file that the worker fetches by itself. */
export interface RemoteFile {
  path: string;
  size: number;
  url: string;
}

/** A generated picture that this browser keeps. */
export interface KeptFile {
  path: string;
  size: null;
  sha256: string;
  benchmark: string;
}

/** A file that an evidence pack tells of and does not hold. */
export interface LeftOutFile {
  path: string;
  size: null;
  leftOut: true;
}

/** A pack as it was checked, or why it could not be. */
export type PackCheck = { name: string } & ({ verification: PackVerification } | { problem: string });

/** A pack beside the first one that is open, or why they cannot be compared. */
export type PackBeside = { first: string; second: string } & ({ comparison: PackComparison } | { problem: string });

/** A file that a pack is to hold; `held` where the page has to say its size. */
export type PackFile = PackItem & { held: number | null };

/** A read of a file that the page holds: its first bytes, or all of them. */
export interface HeldRead {
  held: number;
  head: number | null;
}

/** What a read gave; the reason where it gave nothing. */
export type ReadBytes = { bytes: Uint8Array<ArrayBuffer> } | { message: string; damaged?: { zip: string; entry: string; why: string } };

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

/** Whether a server may send a request on to another place. */
export type Redirects = 'followed' | 'refused';

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

/** What the host of the session does besides the session's own methods. */
export interface HostMethods {
  /** Starts the Wasm module and an empty session. */
  start(): void;
  /** Drops everything that was opened. */
  reset(): void;
  /** Takes files that the page holds; all of a source together, as each addition makes the engine look at all files anew. */
  addFiles(files: HeldFile[]): Added;
  addZip(blob: Blob, name: string): Added;
  addZipUrl(url: string, redirects: Redirects): Added;
  /** Opens a demo suite; the first one needs no more than the engine that the page starts with. */
  addDemo(indexUrl: string, isFirst: boolean): Added;
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
  paste(reply: PastedReply): Kept;
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
  /** Reports how the job of another tab stands, by the same events. `who`: the judge, or the set of agents as JSON. */
  lookOn(kind: 'judge' | 'agents', who: string): void;
  controlJob(what: 'pause' | 'resume' | 'cancel'): void;
  /** Forgets the replies that this browser keeps for the benchmark. */
  forgetReplies(): void;
  /** Starts a job of agents in the same way. */
  startAgents(settings: AgentSettings): boolean;
  controlAgents(what: 'pause' | 'resume' | 'cancel'): void;
  /** Keeps what a person brings for it: the planner's reply as text, or the picture. */
  agentHand(key: AgentKey, brought: string | Blob): void;
  /** All generated pictures as a ZIP in the benchmark's own layout, with `trajectories.jsonl`. */
  exportAgents(): Blob;
  /** Forgets the trajectories that this browser keeps for the benchmark. */
  forgetAgents(): void;
  /** Reads and compares the content of pictures; tells of its progress by events and ends early where that is asked for. */
  comparePictures(): void;
  cancelCompare(): void;
  /** Takes measured values in, so that scores show them; `isLast` if no more follow soon. */
  addMeasures(records: Measure[], isLast: boolean): void;
}

/** Their names. */
export const HOST_METHODS = Object.keys({
  start: true,
  reset: true,
  addFiles: true,
  addZip: true,
  addZipUrl: true,
  addDemo: true,
  cancel: true,
  resume: true,
  file: true,
  concatenate: true,
  prepare: true,
  zip: true,
  packFiles: true,
  writePack: true,
  chooseBenchmark: true,
  nameJudge: true,
  checkPacks: true,
  comparePacks: true,
  paste: true,
  pasteReplies: true,
  removePasted: true,
  retryFailures: true,
  sheet: true,
  checkReplies: true,
  startJob: true,
  lookOn: true,
  controlJob: true,
  forgetReplies: true,
  startAgents: true,
  controlAgents: true,
  agentHand: true,
  exportAgents: true,
  forgetAgents: true,
  comparePictures: true,
  cancelCompare: true,
  addMeasures: true,
} satisfies Record<keyof HostMethods, true>) as (keyof HostMethods)[];

/** How a pasted reply reads, and whether it is in the browser's storage. */
export interface Kept extends PasteResult {
  stored: boolean;
}

/** What became of replies that were pasted together. */
export interface PastedTogether {
  taken: number;
  unreadable: number;
  problems: string[];
  stored: boolean;
}

/** Every method that the page can call. */
export type Methods = HostMethods & PageQuestions;
export type MethodName = keyof Methods;

/** Page → worker. */
export type ToWorker =
  | { id: number; method: MethodName; args: unknown[] }
  | { abort: number }
  /** The answer to a `read`, in its order. */
  | { read: number; got: ReadBytes[] };

/** How reading stands. */
export type Reading = 'idle' | 'reading' | 'cancelled' | 'done';

/** Worker → page. */
export type FromWorker =
  | { id: number; value: unknown }
  | { id: number; error: PlainError }
  | { event: 'read'; id: number; reads: HeldRead[] }
  | { event: 'progress'; progress: Progress; reading: Reading }
  | { event: 'changed'; phase: Phase | null }
  | { event: 'compared'; done: number; total: number }
  | { event: 'pack'; done: number; total: number }
  /** So many replies are here that a journal would hold. */
  | { event: 'replies'; count: number }
  | { event: 'job'; state: JobState }
  | { event: 'agents'; state: AgentState };
