/** The page as the engine's worker sees it: whom it tells, whom it asks for files, and whose calls it answers. */
import type { Session } from '../ask';
import { AskedReads } from '../asked';
import type { Decoder, ToDecoder } from '../decode/protocol';
import { codeOf, messageOf } from '../errors';
import type { FromWorker, MethodName, ToWorker } from '../protocol';

/** What the engine talks through: its worker's own scope or a channel. */
export interface PagePort {
  postMessage(message: FromWorker, options: { transfer: Transferable[] }): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<ToWorker>) => void): void;
  /** A channel's messages wait until it is started. */
  start?(): void;
}

/** Carries a call out. */
type CarryOut = (id: number, method: MethodName, args: unknown[]) => unknown;

/** The page at the other end of a port. */
export class Page {
  readonly #port: PagePort;
  /** Calls that nobody waits for any more. */
  readonly #aborted = new Set<number>();
  /** Decoders that the page has started, by number. */
  readonly #decoders = new Map<number, Decoding>();
  #nextDecoder = 1;
  /** Calls that are being carried out. */
  readonly #running = new Map<number, MethodName>();
  /** Reads that the page is asked for. */
  readonly reads = new AskedReads((message) => this.post(message));

  constructor(port: PagePort) {
    this.#port = port;
  }

  post(message: FromWorker, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, { transfer });
  }

  /** Has the page start a worker that decodes pictures. */
  startDecoder(): Decoder {
    const id = this.#nextDecoder++;
    const { port1, port2 } = new MessageChannel();
    const decoder = new Decoding(port1, () => {
      this.#decoders.delete(id);
      this.post({ event: 'decoder', decoder: id, port: null });
    });
    this.#decoders.set(id, decoder);
    this.post({ event: 'decoder', decoder: id, port: port2 }, [port2]);
    return decoder;
  }

  /** Answers of this session may have changed. */
  tellChanged(session: Pick<Session, 'progress'>): void {
    this.post({ event: 'changed', phase: session.progress().phase });
  }

  /** Whether nobody waits any more for the answer to a call. */
  isAborted(id: number): boolean {
    return this.#aborted.has(id);
  }

  /** Answers the page from now on. */
  serve(carryOut: CarryOut): void {
    this.#port.addEventListener('message', ({ data }) => this.#receive(data, carryOut));
    this.#port.start?.();
  }

  #receive(message: ToWorker, carryOut: CarryOut): void {
    if ('abort' in message) {
      this.#aborted.add(message.abort);
      return;
    }
    if ('read' in message) {
      this.reads.answered(message.read, message.got);
      return;
    }
    if ('died' in message) {
      this.#decoders.get(message.died)?.dispatchEvent(new Event('error', { cancelable: true }));
      return;
    }
    if ('ping' in message) {
      this.post({ event: 'pong', waits: this.#waits() });
      return;
    }
    const { id, method, args } = message;
    void this.#answer(id, method, () => carryOut(id, method, args));
  }

  /** What the engine waits for: calls, reads and decoders. */
  #waits(): string {
    const { waiting } = this.reads;
    const decoders = this.#decoders.size;
    return [
      ...new Set(this.#running.values()),
      ...(waiting === 0 ? [] : [`${waiting} ${waiting === 1 ? 'read' : 'reads'}`]),
      ...(decoders === 0 ? [] : [`${decoders} ${decoders === 1 ? 'decoder' : 'decoders'}`]),
    ].join(', ');
  }

  async #answer(id: number, method: MethodName, call: () => unknown): Promise<void> {
    // A task of its own: a call that was aborted while it waited is then never carried out.
    await nextTask();
    if (this.#aborted.delete(id)) return;
    this.#running.set(id, method);
    try {
      const value = await call();
      if (!this.#aborted.delete(id)) this.post({ id, value }, transferable(value));
    } catch (error) {
      // Nobody waits for what was aborted.
      if (!this.#aborted.delete(id)) this.post({ id, error: { message: messageOf(error), code: codeOf(error) } });
    } finally {
      this.#running.delete(id);
    }
  }
}

/** A decoder of the page's, at the other end of a port. */
class Decoding extends EventTarget implements Decoder {
  readonly #port: MessagePort;
  readonly #end: () => void;

  constructor(port: MessagePort, end: () => void) {
    super();
    this.#port = port;
    this.#end = end;
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.dispatchEvent(new MessageEvent('message', { data })));
    port.addEventListener('messageerror', () => this.dispatchEvent(new Event('messageerror')));
    port.start();
  }

  postMessage(message: ToDecoder, transfer: Transferable[]): void {
    this.#port.postMessage(message, transfer);
  }

  terminate(): void {
    this.#port.close();
    this.#end();
  }
}

/** Lets waiting messages in, even where every read resolves at once. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Byte arrays inside a reply move instead of being copied. */
function transferable(value: unknown): Transferable[] {
  if (value instanceof Uint8Array && value.buffer instanceof ArrayBuffer) return [value.buffer];
  if (typeof value === 'object' && value !== null && 'png' in value) return transferable(value.png);
  return [];
}
