/** One file for `file://`: workers are classic ones from Blobs, and the page's own thread stands in where those are refused. */
import type { EnginePort, PageLoader } from './contract';
import { scriptText } from '../trusted';
import { blobHelper, blobWorker, compressed, isFilled, payloadText } from './payload';

/** Everything that the engine unpacks. */
const PIECES = ['session', 'pixels', 'demo'];

export const page: PageLoader = {
  demos: __JUROR_DEMOS__,
  hasExtras: false,
  network:
    'This file fetches nothing by itself: everything is inside. Its policy lets connections out over https:// and to services on this machine alone, for what you start: calls of a judge or generator that you name, and a ZIP that you open by its address. Pictures, scripts, fonts and frames from elsewhere are forbidden. What it keeps lies in the storage that this browser gives to pages opened from disk; Chromium shares that among all of them.',
  async startEngine() {
    return (await blobWorker('engine', PIECES)) ?? startHere();
  },
  startDecoder: async () => (await blobHelper('decoder', ['pixels']))?.worker ?? null,
  report: () => (isFilled('report') ? new Blob([compressed('report')]) : null),
  template: () => Promise.resolve(`<!doctype html>\n${globalThis.jurorShell?.outerHTML ?? ''}\n`),
};

/** The engine on the page's own thread: its code is an inline script, which the policy knows by its hash. */
async function startHere(): Promise<EnginePort> {
  const script = document.createElement('script');
  script.textContent = scriptText('juror-engine', await payloadText('engine'));
  document.head.append(script);
  script.remove();
  const { port1, port2 } = new MessageChannel();
  dispatchEvent(new CustomEvent('juror-engine-port', { detail: port2 }));
  return new Here(port1);
}

/** A channel that looks like a worker. */
class Here implements EnginePort {
  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    this.#port = port;
    port.start();
  }

  postMessage(message: Parameters<EnginePort['postMessage']>[0], transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer);
  }

  addEventListener(type: string, listener: (event: never) => void): void {
    if (type !== 'error') {
      this.#port.addEventListener(type, listener as (event: Event) => void);
      return;
    }
    // Errors of the engine and of the page come the same way here; notes of the browser's own carry no error.
    addEventListener('error', (event) => {
      if (event.error instanceof Error) (listener as (event: ErrorEvent) => void)(event);
    });
  }

  terminate(): void {
    this.#port.close();
  }
}
