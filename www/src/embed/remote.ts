/**
 * The Wasm engine of all viewers of a page: in one worker, or on the page's own thread where workers are refused.
 *
 * It asks for the bytes of packs and gives answers; it reads nothing else and keeps nothing.
 */
import type { Session } from '../engine/ask';
import { viewer } from '../engine/loader/viewer';
import { EngineError } from '../engine/errors';
import type { PackedFile } from '../engine/types/PackedFile';
import type { PackVerification } from '../engine/types/PackVerification';
import type { ScoreOptions } from '../engine/types/ScoreOptions';
import { moved, refusal, WasmHost, type Call, type FromHost, type Grant, type HostPack, type ToHost } from './host';
import type { PackSource } from './source';

/** The methods of something in another thread. */
export type Remote<Of> = { [Name in keyof Of]: Of[Name] extends (...args: infer Args) => infer Result ? (...args: Args) => Promise<Awaited<Result>> : never };

/** What a viewer asks of a session. */
export type RemoteSession = Remote<Session>;

/** So many of so many texts or files are read. */
export type OnProgress = (done: number, total: number) => void;

type Ask = (on: number | null, method: string, args: unknown[]) => Promise<unknown>;

/** What the engine is given of a pack: its bytes, and whom it tells how far it is. */
interface PackInput {
  source: PackSource;
  onProgress: OnProgress;
}

/** Packs that the engine may ask for, by number. */
class PackInputs {
  readonly #all = new Map<number, PackInput>();
  #next = 1;

  add(given: PackInput): number {
    this.#all.set(this.#next, given);
    return this.#next++;
  }

  forget(number: number): void {
    this.#all.delete(number);
  }

  readonly grant: Grant = async ({ source: number, method, args }) => {
    const given = this.#all.get(number);
    if (given === undefined) throw new EngineError('The pack was closed.', 'closed');
    if (method === 'read') return given.source.read(...(args as Parameters<PackSource['read']>));
    if (method === 'readAhead') await given.source.readAhead(...(args as Parameters<PackSource['readAhead']>));
    else given.onProgress(...(args as Parameters<OnProgress>));
    return undefined;
  };
}

/** A pack that is open in the engine. */
export class RemotePack {
  readonly #ask: Ask;
  readonly #pack: Remote<HostPack>;
  readonly #forget: () => void;

  constructor(ask: Ask, id: number, forget: () => void) {
    this.#ask = ask;
    this.#pack = proxy(ask, id) as Remote<HostPack>;
    this.#forget = forget;
  }

  options(): Promise<ScoreOptions> {
    return this.#pack.options();
  }

  /** The files that it stands for, in the order in which a session numbers them. */
  files(): Promise<PackedFile[]> {
    return this.#pack.files();
  }

  /** A file of it, by its entry. */
  read(entry: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#pack.read(entry);
  }

  /** A session that has read all but its pictures, and the number of its first file there; `free()` ends it. */
  async look(): Promise<{ session: RemoteSession; first: number }> {
    const { session, first } = await this.#pack.look();
    return { session: proxy(this.#ask, session) as RemoteSession, first };
  }

  /** What came of recomputing it, and the session that it was recomputed in; `free()` ends it. */
  async check(): Promise<{ session: RemoteSession; verification: PackVerification }> {
    const { session, verification } = await this.#pack.check();
    return { session: proxy(this.#ask, session) as RemoteSession, verification };
  }

  close(): void {
    this.#forget();
    void this.#pack.free().catch(() => undefined);
  }
}

/** An engine that runs. */
export class Engine {
  /** Where it runs. */
  readonly place: 'worker' | 'page';
  readonly #ask: Ask;
  readonly #givens: PackInputs;

  private constructor(place: 'worker' | 'page', ask: Ask, givens: PackInputs) {
    [this.place, this.#ask, this.#givens] = [place, ask, givens];
  }

  /** The page's engine; started on the first call, and anew after it failed. */
  static async shared(wasm: string): Promise<Engine> {
    running ??= Engine.#start(wasm);
    try {
      return await running;
    } catch (error) {
      running = null;
      throw error;
    }
  }

  static async #start(wasm: string): Promise<Engine> {
    const givens = new PackInputs();
    const worker = await viewer.startWorker(wasm);
    const ask = worker === null ? onPage(wasm, givens) : inWorker(worker, givens);
    // Compiled now, so that a page that forbids it is told at once.
    await ask(null, 'start', []);
    return new Engine(worker === null ? 'page' : 'worker', ask, givens);
  }

  /** Opens a pack; `close()` ends it. */
  async pack(source: PackSource, onProgress: OnProgress): Promise<RemotePack> {
    const number = this.#givens.add({ source, onProgress });
    const forget = (): void => this.#givens.forget(number);
    try {
      const id = (await this.#ask(null, 'pack', [number, source.size, source.name])) as number;
      return new RemotePack(this.#ask, id, forget);
    } catch (error) {
      forget();
      throw error;
    }
  }
}

let running: Promise<Engine> | null = null;

/** Whatever is called on it is asked of what is open under this number. */
function proxy(ask: Ask, on: number): object {
  const methods = new Map<string, unknown>();
  return new Proxy(
    {},
    {
      get(_target, name) {
        // A promise that gives this one looks whether it is another promise.
        if (typeof name !== 'string' || name === 'then') return undefined;
        const known = methods.get(name) ?? ((...args: unknown[]) => ask(on, name, args));
        methods.set(name, known);
        return known;
      },
    },
  );
}

function onPage(wasm: string, givens: PackInputs): Ask {
  const host = new WasmHost(() => viewer.edge(wasm), givens.grant);
  return (on, method, args) => host.call({ on, method, args });
}

function inWorker(worker: Worker, givens: PackInputs): Ask {
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let nextId = 1;
  const post = (message: ToHost, transfer: Transferable[] = []): void => worker.postMessage(message, transfer);
  worker.addEventListener('message', ({ data }: MessageEvent<FromHost>) => {
    const { id } = data;
    if ('wish' in data) {
      givens.grant(data.wish).then(
        (value) => post({ granted: { id, value } }, moved(value)),
        (error: unknown) => post({ granted: { id, ...refusal(error) } }),
      );
      return;
    }
    const one = pending.get(id);
    pending.delete(id);
    if ('value' in data) one?.resolve(data.value);
    else one?.reject(new EngineError(data.message, data.code));
  });
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    running = null;
    worker.terminate();
    for (const { reject } of pending.values()) reject(new EngineError(event.message || 'The engine stopped.', 'engine'));
    pending.clear();
  });
  return (on, method, args) =>
    new Promise((resolve, reject) => {
      const call: Call & { id: number } = { id: nextId++, on, method, args };
      pending.set(call.id, { resolve, reject });
      post(call);
    });
}
