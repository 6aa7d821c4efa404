/** What the page's state is: the store holds it, and components get parts of it. */
import type { Keeping } from './keeping';
import type { AgentState, GenerateState, JobState, Reading, SourceProblem } from '../engine/protocol';
import type { Overview } from '../engine/types/Overview';
import type { Progress } from '../engine/types/Progress';
import type { Route } from './router';

/**
 * What a change of the address is in the browser's history: a step; none; one that opens a dialog, or one within it, which
 * are taken back together when it is closed; or one with whatever is typed next.
 */
export type Step = 'push' | 'replace' | 'layer' | 'within' | 'typed';

export type Theme = 'system' | 'light' | 'dark';

/** A passing message; warnings and errors stay until they are dismissed. */
export interface Notice {
  id: number;
  kind: 'info' | 'warn' | 'error';
  text: string;
}

/** A source that is open. */
export interface OpenedSource {
  name: string;
  demo: boolean;
  pack: boolean;
  /** It came with this copy of the page, or by the address: nobody has to open it again. */
  given: boolean;
}

/** Everything that views depend on. */
export interface State {
  engine: 'loading' | 'ready' | 'failed';
  engineError: string;
  /** What the engine waited for when it stopped answering; `null` while it answers. */
  silent: string | null;
  reading: Reading;
  progress: Progress | null;
  /** Grows whenever an answer of the engine may have changed. */
  version: number;
  opened: OpenedSource[];
  /** A source is being listed, fetched or unpacked; its name. */
  opening: string;
  /** How many of its files were found so far, while it is being listed. */
  listed: number | null;
  sourceProblems: SourceProblem[];
  overview: Overview | null;
  /** A newer overview is on its way. */
  overviewPending: boolean;
  overviewError: string;
  route: Route;
  /** Address of an evidence pack on another server than the page's: fetched once the reader says so. */
  linked: string;
  theme: Theme;
  unexportedPastes: number;
  /** Replies that an exported journal would hold. */
  pastes: number;
  /** How long the browser keeps replies; `null` before it was asked. */
  keeping: Keeping | null;
  notices: Notice[];
  /** How many of a pack's files were read, while one is written or checked. */
  packing: { done: number; total: number } | null;
  /** The judging job that runs or ran last. */
  job: JobState | null;
  /** The same of agents. */
  agents: AgentState | null;
  /** And of a generator. */
  generate: GenerateState | null;
  /** How far the comparison of pictures came. */
  compared: { done: number; total: number } | null;
}
