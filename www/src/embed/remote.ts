/**
 * The Wasm engine of all viewers of a page: in one worker, or on the page's own thread where workers are refused.
 *
 * It takes bytes and gives answers; it reads nothing and keeps nothing.
 */
import type { Session } from '../engine/ask';
import type { Edge } from '../engine/edge';
import { viewer } from '../engine/loader/viewer';
import { EngineError } from '../engine/errors';
import { WasmHost, type Answer, type Call } from './host';

/** The methods of something in another thread. */
export type Remote<Of> = { [Name in keyof Of]: Of[Name] extends (...args: infer Args) => infer Result ? (...args: Args) => Promise<Awaited<Result>> : never };

/** What a viewer asks of a session. */
export type RemoteSession = Remote<Session>;
type RemoteEdge = Remote<Pick<Edge, 'pack_sources' | 'pack_has_journal' | 'settle_names' | 'sha256' | 'zip_tail_bytes' | 'zip_directory' | 'zip_entries'>>;

type Ask = (session: number | null, method: string, args: unknown[]) => Promise<unknown>;

/** An engine that runs. */
export class Engine {
  /** Where it runs. */
  readonly place: 'worker' | 'page';
  readonly edge: RemoteEdge;
  readonly #ask: Ask;

  private constructor(place: 'worker' | 'page', ask: Ask) {
    this.place = place;
    this.#ask = ask;
    this.edge = proxy(ask, null) as RemoteEdge;
  }

  /** The page's engine; started on the first call, and anew after it failed. */
  static async shared(wasm: string): Promise<Engine> {
    running ??= start(wasm);
    try {
      return await running;
    } catch (error) {
      running = null;
      throw error;
    }
  }

  static of(place: 'worker' | 'page', ask: Ask): Engine {
    return new Engine(place, ask);
  }

  /** A session of one's own; `free()` ends it. */
  async session(): Promise<RemoteSession> {
    const id = (await this.#ask(null, 'open', [])) as number;
    return proxy(this.#ask, id) as RemoteSession;
  }
}

let running: Promise<Engine> | null = null;

/** Whatever is called on it is asked of the session, or of the package. */
function proxy(ask: Ask, session: number | null): object {
  const methods = new Map<string, unknown>();
  return new Proxy(
    {},
    {
      get(_target, name) {
        // A promise that gives this one looks whether it is another promise.
        if (typeof name !== 'string' || name === 'then') return undefined;
        const known = methods.get(name) ?? ((...args: unknown[]) => ask(session, name, args));
        methods.set(name, known);
        return known;
      },
    },
  );
}

async function start(wasm: string): Promise<Engine> {
  const worker = await viewer.startWorker(wasm);
  const engine = worker === null ? onPage(wasm) : inWorker(worker);
  // Compiled now, so that a page that forbids it is told at once.
  await engine.edge.sha256(new Uint8Array());
  return engine;
}

function onPage(wasm: string): Engine {
  const host = new WasmHost(() => viewer.edge(wasm));
  return Engine.of('page', (session, method, args) => host.call({ session, method, args }));
}

function inWorker(worker: Worker): Engine {
  const pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let nextId = 1;
  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    const one = pending.get(data.id);
    pending.delete(data.id);
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
  return Engine.of(
    'worker',
    (session, method, args) =>
      new Promise((resolve, reject) => {
        const call: Call & { id: number } = { id: nextId++, session, method, args };
        pending.set(call.id, { resolve, reject });
        worker.postMessage(
          call,
          args.flatMap((arg) => (arg instanceof Uint8Array && arg.byteLength === arg.buffer.byteLength ? [arg.buffer] : [])),
        );
      }),
  );
}
