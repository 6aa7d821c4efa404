/**
 * What a build carries inside itself: compressed, in base64, by name.
 *
 * In the single file each piece is the text of an element; a worker made from a Blob, and the script of the embed, find
 * them in a variable that stands around their code. Base64 is read by hand, as a page's policy may forbid to fetch even
 * `data:` addresses.
 */
import { workerUrl } from '../trusted';
import { workerName } from './allowed';
import type { Helper } from './contract';

declare global {
  var jurorPayload: Record<string, string> | undefined;
}

/** The text of a piece, where there is one. */
export function carried(name: string): string | null {
  const given = globalThis.jurorPayload?.[name];
  return given ?? (typeof document === 'undefined' ? null : (document.getElementById(`juror-payload-${name}`)?.textContent ?? null));
}

/** The packed text of a piece. */
function packed(name: string): string {
  const text = carried(name);
  if (text === null || text === '') throw new Error(`This copy of Juror is not complete: it lacks “${name}”. Get the file again.`);
  return text;
}

/** Whether something was put into a place that is empty as built. */
export function isFilled(name: string): boolean {
  return (document.getElementById(`juror-payload-${name}`)?.textContent ?? '') !== '';
}

/** A piece as it is compressed. */
export function compressed(name: string): Uint8Array<ArrayBuffer> {
  const binary = atob(packed(name));
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** The bytes of a piece in gzip. */
export async function payload(name: string): Promise<ArrayBuffer> {
  const bytes = compressed(name);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

/** The same as text. */
export async function payloadText(name: string): Promise<string> {
  return new TextDecoder().decode(await payload(name));
}

/** The first word of a worker from a Blob: until it comes, the worker may still be refused. */
const ALIVE = 'juror-alive';
/** Its answer to a Blob that it could read. */
const READS = 'juror-reads';
/** A worker that has begun and has not read a few bytes by then never will. */
const READ_WITHIN_MS = 5000;

/** What such a worker does first: the one message that it answers before its own code listens is a Blob, through a port of its own, as the answer may come late. */
const HELLO = `self.addEventListener("message",(event)=>{event.stopImmediatePropagation();const[port]=event.ports;event.data.arrayBuffer().then(()=>port.postMessage("${READS}"),()=>port.postMessage("juror-blind"))},{once:true});self.postMessage("${ALIVE}");`;

/** Set once a worker of this page read no Blob: none of them will, and waiting for another one would only take time. */
let readsNoBlobs = false;

/** Like {@link blobHelper}, but `null` also where it is let run and reads no Blob. */
export async function blobWorker(name: string, pieces: string[], further: Record<string, string> = {}): Promise<Worker | null> {
  const helper = readsNoBlobs ? null : await blobHelper(name, pieces, further);
  if (helper?.readsBlobs === false) helper.worker.terminate();
  return helper?.readsBlobs === true ? helper.worker : null;
}

/**
 * A classic worker from a Blob whose code is the piece `name`, with `pieces` that it unpacks itself and `further` texts; `null` where
 * the browser or the page's policy refuses it, which is told by an exception or only by an error event.
 *
 * WebKit lets workers run on pages from disk, and lets them read no Blob.
 */
export async function blobHelper(name: string, pieces: string[], further: Record<string, string> = {}): Promise<Helper | null> {
  const code = await payload(name);
  const given = { ...Object.fromEntries(pieces.map((piece) => [piece, packed(piece)])), ...further };
  const url = URL.createObjectURL(new Blob([`self.jurorPayload=${JSON.stringify(given)};${HELLO}`, code], { type: 'text/javascript' }));
  let worker: Worker;
  try {
    worker = new Worker(workerUrl(url), { name: workerName(`juror-${name}`) });
  } catch {
    URL.revokeObjectURL(url);
    return null;
  }
  const isAlive = (await nextWord(worker)) === ALIVE;
  URL.revokeObjectURL(url);
  if (!isAlive) {
    worker.terminate();
    return null;
  }
  const { port1, port2 } = new MessageChannel();
  worker.postMessage(new Blob(['juror']), [port2]);
  readsNoBlobs = readsNoBlobs || (await nextWord(port1, READ_WITHIN_MS)) !== READS;
  port1.close();
  return { worker, readsBlobs: !readsNoBlobs };
}

/** What a worker or a port says next; `null` where it fails, or says nothing for so long. */
function nextWord(speaker: Worker | MessagePort, withinMs = Infinity): Promise<unknown> {
  return new Promise((resolve) => {
    const over = withinMs === Infinity ? undefined : setTimeout(() => resolve(null), withinMs);
    speaker.addEventListener(
      'message',
      (event) => {
        clearTimeout(over);
        resolve((event as MessageEvent<unknown>).data);
      },
      { once: true },
    );
    if (speaker instanceof MessagePort) speaker.start();
    speaker.addEventListener(
      'error',
      (event) => {
        event.preventDefault();
        clearTimeout(over);
        resolve(null);
      },
      { once: true },
    );
  });
}
