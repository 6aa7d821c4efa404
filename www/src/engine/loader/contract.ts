/**
 * What every build gives the engine and the page: where workers, Wasm and demo suites come from.
 *
 * The files beside this one differ in that alone. `page.ts` and `engine.ts` are the hosted app's; another build puts
 * `page.<build>.ts` and `engine.<build>.ts` in their place (`build/loaders.ts`).
 */
import type { DarEdge } from '../dar/edge';
import type { Edge, PictureEdge, Recogniser } from '../edge';
import type { MakeEdge } from '../make/edge';
import type { NetworksEdge } from '../networks/edge';
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
  /** Whether each of them has an extra that can be fetched. */
  hasExtras: boolean;
  /** What this copy of the page fetches by itself and may reach, as a sentence for the reader. */
  network: string;
  /** A new engine; rejects if none can be started. */
  startEngine(): Promise<EnginePort>;
  /**
   * A worker that decodes pictures for the engine; `null` where workers are refused.
   *
   * Firefox (153) stops for good now and then where the engine's worker starts one by itself.
   */
  startDecoder(): Promise<Worker | null>;
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
  /** Whether this build has what runs networks, on the CPU and on WebGPU. */
  runsNetworks: boolean;
  /** Compares pictures as the browser decodes them; it reads Blobs. */
  startDifference(): Promise<Worker | null>;
  /** Measures pictures and makes maps of them. */
  startMetrics(): Promise<Helper | null>;
  /** Works on attention tensors. */
  startTensors(): Promise<Helper | null>;
  /** Draws VIBE's Billiards and checks drawn answers; it reads Blobs. `null` also in a build that makes none. */
  startBilliards(): Promise<Worker | null>;
  /** Runs networks; it reads Blobs. `null` also in a build without what runs them. */
  startNetworks(): Promise<Worker | null>;
}

/** What a worker that computes on pixels or tensors asks for. */
export interface PixelLoader {
  /** The package, ready. */
  metrics(): Promise<DarEdge>;
}

/** What the worker that runs networks asks for. */
export interface NetworksLoader {
  /** The package, ready. */
  edge(): Promise<NetworksEdge>;
}

/** What the view that makes benchmarks asks for. */
export interface MakeLoader {
  /** The package, ready; `null` in a build without it. */
  edge(): Promise<MakeEdge | null>;
}

/** What the engine asks for, in its worker or wherever it runs. */
export interface EngineLoader {
  /** What tells benchmarks apart before an engine is fetched; `null` where there is one engine for all. */
  recogniser(): Promise<Recogniser | null>;
  /** The engine with what is asked of a benchmark at first; the whole one where there is no smaller one. */
  first(benchmark: string): Promise<Edge>;
  /** The engine with every question about every benchmark. */
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
