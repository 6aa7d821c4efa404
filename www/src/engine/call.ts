/** One call of a service: the key goes into a header and nowhere else, and no text comes back with it. */
import { messageOf } from './protocol';
import type { Auth } from './types/Auth';
import type { Failure } from './types/Failure';

/** What a call brought: an answer of any status, or why there is none; an answer that broke off has a status all the same. */
export type Called = { status: number; text: string; retryAfter: number | null } | { failure: Failure; status: number | null; retryAfter: number | null };

/** Nothing about the page goes along, and nobody is followed elsewhere. */
const PLAIN = { credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store', redirect: 'error' } as const;

/** Posts a body; a form brings its own content type. */
export async function post(url: string, auth: Auth, key: string, body: string | FormData, timeoutSecs: number): Promise<Called> {
  const headers = new Headers(auth.fixed.map(([name, value]): [string, string] => [name, value]));
  if (typeof body !== 'string') headers.delete('content-type');
  if (key !== '') headers.set(auth.header, `${auth.prefix}${key}`);
  const timeout = AbortSignal.timeout(timeoutSecs * 1000);
  let status: number | null = null;
  let retryAfter: number | null = null;
  try {
    const response = await fetch(url, { ...PLAIN, method: 'POST', headers, body, signal: timeout });
    status = response.status;
    retryAfter = retryAfterMs(response.headers);
    return { status: response.status, text: await response.text(), retryAfter };
  } catch (error) {
    return { failure: { kind: timeout.aborted ? 'timeout' : 'network', message: withoutKeys(messageOf(error), [key]) }, status, retryAfter };
  }
}

/** Fetches the picture at an address that a service answered with, without any key. */
export async function fetchPicture(url: string, timeoutSecs: number): Promise<Uint8Array<ArrayBuffer> | Failure> {
  const timeout = AbortSignal.timeout(timeoutSecs * 1000);
  try {
    const response = await fetch(url, { ...PLAIN, signal: timeout });
    if (!response.ok) return { kind: response.status >= 500 ? 'server' : 'bad_picture', message: `The picture’s address answers ${response.status}.` };
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    return { kind: timeout.aborted ? 'timeout' : 'network', message: `The picture could not be fetched: ${messageOf(error)}` };
  }
}

/** `Retry-After` in seconds or as a date; `retry-after-ms`, which some servers send. */
function retryAfterMs(headers: Headers): number | null {
  const exact = headers.get('retry-after-ms');
  if (exact !== null && Number.isFinite(Number(exact))) return Number(exact);
  const text = headers.get('retry-after');
  if (text === null) return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

/** No text leaves with a key in it, not even one that a server sent back. */
export function withoutKeys(text: string, keys: string[]): string {
  return keys.reduce((clean, key) => (key.length < 6 ? clean : clean.replaceAll(key, '[key]')), text);
}
