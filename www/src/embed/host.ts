/** The engine's end of a viewer's calls: sessions by number, and the answers that they give. */
import { openSession, type Session } from '../engine/ask';
import type { Edge } from '../engine/edge';
import { codeOf, messageOf } from '../engine/errors';

/** One call of a session's method, or of the package's own. */
export interface Call {
  session: number | null;
  method: string;
  args: unknown[];
}

/** What came of it. */
export type Answer = { id: number; value: unknown } | { id: number; code: string; message: string };

/** Sessions and the Wasm below them. */
export class WasmHost {
  readonly #start: () => Promise<Edge>;
  #edge: Promise<Edge> | null = null;
  readonly #sessions = new Map<number, Session>();
  #next = 1;

  constructor(start: () => Promise<Edge>) {
    this.#start = start;
  }

  /** Does a call. */
  async call({ session, method, args }: Call): Promise<unknown> {
    const edge = await (this.#edge ??= this.#start());
    if (session === null && method === 'open') {
      this.#sessions.set(this.#next, openSession(edge));
      return this.#next++;
    }
    const on = session === null ? edge : this.#sessions.get(session);
    if (on === undefined) throw new Error('The session was closed.');
    if (session !== null && method === 'free') this.#sessions.delete(session);
    return (on as unknown as Record<string, (...args: unknown[]) => unknown>)[method]?.(...args);
  }
}

/** Answers calls that come as messages. */
export function serve(
  scope: { postMessage(message: Answer): void; addEventListener(type: 'message', listener: (event: MessageEvent<Call & { id: number }>) => void): void },
  start: () => Promise<Edge>,
): void {
  const host = new WasmHost(start);
  scope.addEventListener('message', ({ data: { id, ...call } }) => {
    host.call(call).then(
      (value) => scope.postMessage({ id, value }),
      (error: unknown) => scope.postMessage({ id, code: error instanceof WebAssembly.CompileError ? 'no_wasm' : codeOf(error), message: messageOf(error) }),
    );
  });
}
