/** Messages between the page and the engine's worker. */
import type { Concatenated, Session } from './edge';
import type { Phase } from './types/Phase';
import type { Progress } from './types/Progress';

/** One file of a source, with what is needed to read it. */
export type SourceFile =
  | { path: string; size: number; blob: Blob }
  | { path: string; size: number; url: string };

/** A finding of a source about itself, before the engine has seen any file: a refused ZIP entry, for example. */
export interface SourceProblem {
  path: string;
  message: string;
}

/** What adding a source did. */
export interface Added {
  files: number;
  problems: SourceProblem[];
}

/** A file of a ZIP to be written: text, bytes, or a file of the session by number. */
export type ZipItem = { name: string; text: string } | { name: string; bytes: Uint8Array } | { name: string; file: number };

/** What the host of the session does besides the session's own methods. */
export interface HostMethods {
  /** Starts the Wasm module and an empty session. */
  start(): void;
  /** Drops everything that was opened. */
  reset(): void;
  /**
   * `urgent`: read these at once, though more will come; `more`: keep them until `last`.
   *
   * Every addition makes the engine look at all files anew, so thousands of pictures go in together.
   */
  addFiles(files: SourceFile[], rest: 'urgent' | 'more' | 'last'): Added;
  addZip(blob: Blob, name: string): Added;
  addZipUrl(url: string): Added;
  addDemo(indexUrl: string): Added;
  /** Stops reading; `resume` goes on where it stopped. */
  cancel(): void;
  resume(): void;
  /** The bytes of a file as a Blob, or its address. */
  file(file: number): Blob | string;
  concatenate(files: number[]): Concatenated;
  zip(items: ZipItem[]): Blob;
}

type SessionMethods = Pick<
  Session,
  'overview' | 'samples' | 'sample' | 'request' | 'parse' | 'paste' | 'generator_input' | 'use_pack' | 'report' | 'journal'
>;

/** Every method that the page can call. */
export type Methods = HostMethods & SessionMethods;
export type MethodName = keyof Methods;

/** Page → worker. */
export type ToWorker =
  | { id: number; method: MethodName; args: unknown[] }
  | { abort: number };

/** An error with the stable code that callers branch on. */
export interface PlainError {
  message: string;
  code: string;
}

/** How reading stands. */
export type Reading = 'idle' | 'reading' | 'cancelled' | 'done';

/** Worker → page. */
export type FromWorker =
  | { id: number; value: unknown }
  | { id: number; error: PlainError }
  | { event: 'progress'; progress: Progress; reading: Reading }
  | { event: 'changed'; phase: Phase | null };

/** An error of the engine or of its host. */
export class EngineError extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
  }
}

/** The code of whatever was thrown; `unknown` for foreign errors. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return 'unknown';
}

/** The words of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
