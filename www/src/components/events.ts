/**
 * How a component takes part in the page without its store.
 *
 * What it shows and asks it gets as properties: `state` is the part of the page's state that its type names by `Pick`, `client`
 * is the engine, and a function is what has an answer. It links by `hrefOf` from the route in its state.
 * What the reader wants it says by events that bubble to the page, where the shell listens to all of them: `shell/acts.ts`.
 */
import type { Source } from '../engine/client';
import type { ScoreOptions } from '../engine/types/ScoreOptions';
import type { Place } from '../state/router';
import type { Notice } from '../state/state';

/** What can be said to the page. */
export interface Said {
  /** Shows a passing message. */
  notify: Pick<Notice, 'kind' | 'text'>;
  /** Saves a file about the open benchmark; its name says which it is, and what it holds, general before special. */
  download: { blob: Blob; ending: string; kind: readonly string[] };
  /** Goes to a place. */
  go: Place;
  /** Changes what every number depends on. */
  choose: Partial<ScoreOptions>;
  /** Opens what the reader chose. */
  open: Source[];
  /** Opens a demo suite. */
  demo: string;
  /** Adds to the demo suite what it has besides. */
  extra: null;
  /** Closes everything. */
  close: null;
  /** Reads the files again that could not be read. */
  retry: null;
  /** Ratings were written: what is compared with them changes. */
  rated: null;
  /** Pasted replies were saved as a file. */
  exported: null;
}

/** Says it to the page; a component that has left the page meanwhile says it to the document. */
export function say<What extends keyof Said>(from: Element, what: What, detail: Said[What]): void {
  (from.isConnected ? from : document).dispatchEvent(new CustomEvent(`juror-page-${what}`, { detail, bubbles: true, composed: true }));
}

export const notify = (from: Element, kind: Notice['kind'], text: string): void => say(from, 'notify', { kind, text });

export const download = (from: Element, blob: Blob, ending: string, ...kind: string[]): void => say(from, 'download', { blob, ending, kind });
