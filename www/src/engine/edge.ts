/**
 * The Rust edge `juror_web` as the page sees it.
 *
 * The package is built into `pkg/` and not committed; this file states the contract, so that the page can be checked
 * without a build, and so that nothing else imports the package.
 */
import type { Answer } from './types/Answer';
import type { Archive } from './types/Archive';
import type { ArchiveDirectory } from './types/ArchiveDirectory';
import type { Auth } from './types/Auth';
import type { FileMeta } from './types/FileMeta';
import type { FoundNames } from './types/FoundNames';
import type { Failure } from './types/Failure';
import type { JobLimits } from './types/JobLimits';
import type { JobProgress } from './types/JobProgress';
import type { Next } from './types/Next';
import type { OpenedPack } from './types/OpenedPack';
import type { PackComparison } from './types/PackComparison';
import type { Params } from './types/Params';
import type { PictureAnswer } from './types/PictureAnswer';
import type { PictureWire } from './types/PictureWire';
import type { Progress } from './types/Progress';
import type { TrajectoryRecord } from './types/TrajectoryRecord';
import type { Treatment } from './types/Treatment';
import type { Usage } from './types/Usage';
import type { Want } from './types/Want';
import type { Wire } from './types/Wire';

/** Pictures side by side in one row, as models that take one picture are given them. */
export interface Concatenated {
  png: Uint8Array<ArrayBuffer>;
  width: number;
  height: number;
  font_px: number;
  downscaled: boolean;
}

/** A judging job's state machine. */
export interface Job {
  next(nowMs: number): Next;
  /** Sets aside what a call may cost, right before it is sent; whether it may be sent. */
  reserve_text(task: number, body: string, pictures: number): boolean;
  reserve_picture(task: number): boolean;
  answered(task: number, nowMs: number, usage: Usage): void;
  /** Nothing of the task's chain is to be done after it. */
  end_chain(task: number): void;
  /** Whether the task is given up with it. */
  failed(task: number, nowMs: number, failure: Failure, retryAfterMs: number | undefined, status: number | undefined, usage: Usage | null): boolean;
  pause(): void;
  resume(): void;
  cancel(): void;
  progress(nowMs: number): JobProgress;
  free(): void;
}

/** A session as the package has it: files go in, and questions are answered; `ask.ts` gives it a method for each of those. */
export interface Handle {
  add_files(files: FileMeta[]): number;
  wants(limit: number): Want[];
  /** Puts the reads of these files before the others that were not handed out yet. */
  hasten(files: Uint32Array): void;
  provide(file: number, bytes: Uint8Array): void;
  /** What came of decoding a picture that was wanted for that: nothing wrong, or what and the mend. */
  provide_decoded(file: number, message?: string, hint?: string): void;
  failed(file: number, message: string): void;
  damaged_entry(file: number, zip: string, entry: string, why: string): void;
  progress(): Progress;
  provide_picture(file: number, bytes: Uint8Array): void;
  /** Answers a question; `null` where a search has looked into so many bytes of replies and is not done: asked again, it goes on there. */
  ask(question: unknown, bytes: number): unknown;
  free(): void;
  // The rest is there in the whole engine alone.
  provide_print(file: number, hash: string, cells: Uint8Array): void;
  no_print(file: number, message: string): void;
}

/** What the package exports. */
export interface Edge {
  Session: new () => Handle;
  // The rest is there in the whole engine alone.
  Job: {
    new (tasks: number, limits: JobLimits, seed: bigint): Job;
    /** A job whose tasks stand in chains of these lengths. */
    chained(lengths: Uint32Array, limits: JobLimits, pictures: number, plans: number, seed: bigint): Job;
  };
  auth: (wire: Wire) => Auth;
  url: (wire: Wire, base: string, model: string) => string;
  /** The most tokens of a reply that such a request allows. */
  most_reply_tokens: (wire: Wire, params: Params) => number | undefined;
  /** What an answer of any status says of its tokens. */
  read_usage: (wire: Wire, body: string) => Usage;
  read_answer: (wire: Wire, status: number, body: string) => Answer;
  read_picture_answer: (wire: PictureWire, status: number, body: string) => PictureAnswer;
  with_picture: (record: TrajectoryRecord, bytes: Uint8Array) => TrajectoryRecord;
  /** Which limit of the service the pictures break, given their sizes in bytes. */
  check_size: (wire: Wire, images: Uint32Array) => string | undefined;
  check_picture_size: (wire: PictureWire, images: Uint32Array) => string | undefined;
  media_type: (head: Uint8Array, path: string) => string;
  /** Bytes of a ZIP's end that are enough to find its directory. */
  zip_tail_bytes: () => number;
  zip_directory: (tail: Uint8Array, at: number) => ArchiveDirectory;
  /** What a ZIP holds, by the rules of every host. */
  zip_entries: (directory: Uint8Array, place: ArchiveDirectory, name: string) => Archive;
  /** The names of a pack's files as its manifest has them. */
  settle_names: (manifest: string, paths: string[]) => FoundNames;
  /** The paths of a pack's files in the order in which `add_pack` numbers them. */
  pack_sources: (manifest: string) => string[];
  pack_has_journal: (manifest: string) => boolean;
  compare_packs: (first: OpenedPack, second: OpenedPack) => PackComparison;
  /** Paths of files that both packs have, with other contents. */
  pack_conflicts: (first: string, second: string) => string[];
  sha256: (bytes: Uint8Array) => string;
  default: () => Promise<unknown>;
}

/** What the package for work on pixels exports. */
export interface PictureEdge {
  concatenate: (pictures: Uint8Array[]) => Concatenated;
  pack_thumbnail: (picture: Uint8Array, maxPx: number) => Uint8Array<ArrayBuffer>;
  prepare: (treatment: Treatment, picture: Uint8Array, other: Uint8Array) => Uint8Array<ArrayBuffer>;
  /** What keeps a whole picture from being decoded; nothing where it decodes. */
  check: (picture: Uint8Array) => { message: string; hint: string } | undefined;
  /** What a picture looks like. */
  print: (picture: Uint8Array) => { hash: string; cells: Uint8Array };
  default: () => Promise<unknown>;
}
