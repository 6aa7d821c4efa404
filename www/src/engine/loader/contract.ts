/**
 * What every build gives the engine and the page: where workers, Wasm and demo suites come from.
 *
 * The files beside this one differ in that alone. `page.ts` and `engine.ts` are the hosted app's; another build puts
 * `page.<build>.ts` and `engine.<build>.ts` in their place (`build/loaders.ts`).
 */
import type { DarEdge } from '../dar/edge';
import type { Edge, PictureEdge } from '../edge';
import type { FromWorker, ToWorker } from '../protocol';

/** The engine's end as the page sees it: a worker, or a channel to an engine on the page's own thread. */
export interface EnginePort {
  postMessage(message: ToWorker, transfer?: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<FromWorker>) => void): void;
  addEventListener(type: 'error', listener: (event: ErrorEvent) => void): void;
  addEventListener(type: 'messageerror', listener: () => void): void;
  terminate(): void;
}

/** What the page asks for. */
export interface PageLoader {
  /** The demo suites that this build brings along, the first one first. */
  demos: readonly string[];
  /** What this copy of the page fetches by itself and may reach, as a sentence for the reader. */
  network: string;
  /** A new engine; rejects if none can be started. */
  startEngine(): Promise<EnginePort>;
  /** The evidence pack that this copy of the page was written with, if any. */
  report(): Blob | null;
  /** The page in one file, into which a report can be put; rejects with the reason where there is none at hand. */
  template(): Promise<string>;
}

/** A worker besides the engine's. */
export interface Helper {
  worker: Worker;
  /** Whether it reads Blobs. One that does not, as WebKit's on pages from disk, is handed their bytes. */
  readsBlobs: boolean;
}

/** A file as a worker is handed it. */
export type Handed = Blob | ArrayBuffer;

/** Workers besides the engine's; `null` where workers are refused. */
export interface WorkerLoader {
  /** Compares pictures as the browser decodes them; it reads Blobs. */
  startDifference(): Promise<Worker | null>;
  /** Measures pictures and makes maps of them. */
  startMetrics(): Promise<Helper | null>;
  /** Finds out which pictures decode; it is handed bytes. */
  startDecoder(): Promise<Worker | null>;
  /** Works on attention tensors. */
  startTensors(): Promise<Helper | null>;
}

/** What a worker that computes on pixels or tensors asks for. */
export interface PixelLoader {
  /** The package, ready. */
  metrics(): Promise<DarEdge>;
}

/** What the engine asks for, in its worker or wherever it runs. */
export interface EngineLoader {
  /** The engine that the page starts with; the whole one where there is no smaller one. */
  first(): Promise<Edge>;
  /** The engine that knows every benchmark. */
  whole(): Promise<Edge>;
  /** The package for work on pixels. */
  pictures(): Promise<PictureEdge>;
  /** The demo suite as a ZIP; `null` where its files are fetched one by one. */
  demo(): Promise<Blob | null>;
}

/** What the element `<juror-viewer>` asks for. */
export interface ViewerLoader {
  /** The worker of `host.thread.ts`; `null` where workers are refused. `wasm` is the address of the Wasm for a build that has none inside. */
  startWorker(wasm: string): Promise<Worker | null>;
  /** The engine on the page's own thread. */
  edge(wasm: string): Promise<Edge>;
}
