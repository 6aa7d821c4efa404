/** The engine's end of a viewer's calls: packs and sessions by number, and the answers that they give. */
import { openSession, type Session } from '../engine/ask';
import { readingPage } from '../engine/decode/reading';
import type { Edge, Pack, PictureEdge, ReadingPage, Zip, ZipSource } from '../engine/edge';
import { codeOf, EngineError, messageOf } from '../engine/errors';
import { engine as loader } from '../engine/loader/engine';
import type { PackedFile } from '../engine/types/PackedFile';
import type { PackVerification } from '../engine/types/PackVerification';
import type { ScoreOptions } from '../engine/types/ScoreOptions';

/** One call of a method of something that is open, or of the engine itself. */
export interface Call {
  on: number | null;
  method: string;
  args: unknown[];
}

/** What the engine asks the viewer for: bytes of a pack, by its number there, and to tell how far it is. */
export interface Wish {
  source: number;
  method: 'read' | 'readAhead' | 'onProgress';
  args: unknown[];
}

/** What decodes pictures; `null` where it cannot be had, and then no pack with pictures is called reproduced. */
const decoders = (): Promise<PictureEdge | null> => loader.pictures().catch(() => null);

/** Grants a wish. */
export type Grant = (wish: Wish) => Promise<unknown>;

/** What came of a call or a wish. */
export type Answer = { id: number; value: unknown } | { id: number; code: string; message: string };

/** What comes from the viewer's end. */
export type ToHost = (Call & { id: number }) | { granted: Answer };

/** What goes there. */
export type FromHost = Answer | { wish: Wish; id: number };

/** What a viewer asks of a pack; a session that comes of it is the viewer's to end. */
export interface HostPack {
  options(): ScoreOptions;
  files(): PackedFile[];
  /** A file of it, by its entry. */
  read(entry: number): Promise<Uint8Array<ArrayBuffer>>;
  /** A session that has read all but its pictures, and the number of its first file there. */
  look(): Promise<{ session: number; first: number }>;
  /** What came of recomputing it, and the session that it was recomputed in. */
  check(): Promise<{ session: number; verification: PackVerification }>;
  free(): void;
}

/** Packs and sessions, and the Wasm below them. */
export class WasmHost {
  readonly #start: () => Promise<Edge>;
  readonly #grant: Grant;
  #edge: Promise<Edge> | null = null;
  readonly #open = new Map<number, Session | HostPack>();
  #next = 1;

  constructor(start: () => Promise<Edge>, grant: Grant) {
    this.#start = start;
    this.#grant = grant;
  }

  /** Does a call. */
  async call({ on, method, args }: Call): Promise<unknown> {
    const edge = await (this.#edge ??= this.#start());
    if (on === null) return method === 'pack' ? this.#pack(edge, ...(args as [number, number, string])) : undefined;
    const what = this.#open.get(on);
    if (what === undefined) throw new Error('It was closed.');
    if (method === 'free') this.#open.delete(on);
    return (what as unknown as Record<string, (...args: unknown[]) => unknown>)[method]?.(...args);
  }

  #add(what: Session | HostPack): number {
    this.#open.set(this.#next, what);
    return this.#next++;
  }

  /** Opens a pack that the viewer has by this number. */
  async #pack(edge: Edge, source: number, size: number, name: string): Promise<number> {
    const ask = (method: Wish['method'], ...args: unknown[]): Promise<unknown> => this.#grant({ source, method, args });
    const from: ZipSource = {
      size,
      read: async (at, length) => (await ask('read', at, length)) as Uint8Array,
      async readAhead(parts) {
        await ask('readAhead', parts);
      },
    };
    const zip = await edge.Zip.list(from, name);
    const pack = await edge.Pack.open(zip);
    if (pack === undefined) throw new EngineError(`${name} has no manifest of an evidence pack.`, 'no_pack');
    const page = readingPage(decoders, (done, total) => void ask('onProgress', done, total).catch(() => undefined));
    return this.#add(this.#packOf(edge, zip, pack, page));
  }

  #packOf(edge: Edge, zip: Zip, pack: Pack, page: ReadingPage): HostPack {
    /** Has a session of its own take the pack in. */
    const taken = async <Came>(take: (session: Session) => Promise<Came>): Promise<{ session: number; came: Came }> => {
      const session = openSession(edge);
      try {
        const came = await take(session);
        return { session: this.#add(session), came };
      } catch (error) {
        session.free();
        throw error;
      }
    };
    return {
      options: () => pack.options(),
      files: () => pack.files(),
      async read(entry) {
        await zip.readAhead(Uint32Array.of(entry));
        return zip.read(entry, null);
      },
      async look() {
        const { session, came } = await taken((session) => pack.look(session, page));
        return { session, first: came };
      },
      async check() {
        const { session, came } = await taken((session) => pack.check(session, page));
        return { session, verification: came };
      },
      free() {
        pack.free();
        zip.free();
      },
    };
  }
}

/** What the host's end of the messages is. */
interface Scope {
  postMessage(message: FromHost, options?: { transfer: Transferable[] }): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ToHost>) => void): void;
}

/** Answers calls that come as messages; wishes go back in the same way. */
export function serve(scope: Scope, start: () => Promise<Edge>): void {
  const wishes = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let next = 1;
  const grant: Grant = (wish) =>
    new Promise((resolve, reject) => {
      wishes.set(next, { resolve, reject });
      scope.postMessage({ wish, id: next });
      next += 1;
    });
  const host = new WasmHost(start, grant);
  scope.addEventListener('message', ({ data }) => {
    if ('granted' in data) {
      const { granted } = data;
      const one = wishes.get(granted.id);
      wishes.delete(granted.id);
      if ('value' in granted) one?.resolve(granted.value);
      else one?.reject(new EngineError(granted.message, granted.code));
      return;
    }
    const { id, ...call } = data;
    host.call(call).then(
      (value) => scope.postMessage({ id, value }, { transfer: moved(value) }),
      (error: unknown) => scope.postMessage({ id, ...refusal(error) }),
    );
  });
}

/** Code and words of what was thrown. */
export const refusal = (error: unknown): { code: string; message: string } => ({
  code: error instanceof WebAssembly.CompileError ? 'no_wasm' : codeOf(error),
  message: messageOf(error),
});

/** Bytes move; everything else is copied. */
export const moved = (value: unknown): Transferable[] =>
  value instanceof Uint8Array && value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength ? [value.buffer] : [];
