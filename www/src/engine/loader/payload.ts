/**
 * What a build carries inside itself: compressed, in base64, by name.
 *
 * In the single file each piece is the text of an element; a worker made from a Blob, and the script of the embed, find
 * them in a variable that stands around their code. Base64 is read by hand, as a page's policy may forbid to fetch even
 * `data:` addresses.
 */
import { workerUrl } from '../../app/trusted';

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

/** What such a worker does first: the one message that it answers before its own code listens is a Blob. */
const HELLO = `self.addEventListener("message",(event)=>{event.stopImmediatePropagation();event.data.arrayBuffer().then(()=>self.postMessage("${READS}"),()=>self.postMessage("juror-blind"))},{once:true});self.postMessage("${ALIVE}");`;

/**
 * A classic worker from a Blob whose code is the piece `name`, with `pieces` that it unpacks itself and `further` texts; `null` where
 * the browser or the page's policy refuses it, which is told by an exception or only by an error event, and where it is
 * let run but reads no Blob, as WebKit's workers are on pages from disk.
 */
export async function blobWorker(name: string, pieces: string[], further: Record<string, string> = {}): Promise<Worker | null> {
  const code = await payload(name);
  const given = { ...Object.fromEntries(pieces.map((piece) => [piece, packed(piece)])), ...further };
  const url = URL.createObjectURL(new Blob([`self.jurorPayload=${JSON.stringify(given)};${HELLO}`, code], { type: 'text/javascript' }));
  let worker: Worker;
  try {
    worker = new Worker(workerUrl(url), { name: `juror-${name}` });
  } catch {
    URL.revokeObjectURL(url);
    return null;
  }
  const isAlive = (await nextWord(worker)) === ALIVE;
  URL.revokeObjectURL(url);
  if (isAlive) {
    worker.postMessage(new Blob(['juror']));
    if ((await nextWord(worker, READ_WITHIN_MS)) === READS) return worker;
  }
  worker.terminate();
  return null;
}

/** What a worker says next; `null` where it fails, or says nothing for so long. */
function nextWord(worker: Worker, withinMs = Infinity): Promise<unknown> {
  return new Promise((resolve) => {
    const over = withinMs === Infinity ? undefined : setTimeout(() => resolve(null), withinMs);
    worker.addEventListener('message', ({ data }) => {
      clearTimeout(over);
      resolve(data);
    }, { once: true });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      clearTimeout(over);
      resolve(null);
    }, { once: true });
  });
}
