/** One call of a service: the key goes into a header and nowhere else, and no text comes back with it. */
import { messageOf } from './errors';
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
    return { status: response.status, text: new TextDecoder().decode((await bounded(response)) ?? TOO_LONG), retryAfter };
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
    return (await bounded(response)) ?? { kind: 'bad_picture', message: 'The picture is larger than 64 MiB and was not read.' };
  } catch (error) {
    return { kind: timeout.aborted ? 'timeout' : 'network', message: `The picture could not be fetched: ${messageOf(error)}` };
  }
}

/** The most bytes of an answer: the core's `limits::RESPONSE_BYTES`. */
export const RESPONSE_BYTES = 64 * 2 ** 20;

/** What stands for an answer that is longer: no JSON, so the call has failed, and says why. */
const TOO_LONG = new TextEncoder().encode('The answer is longer than 64 MiB, and the rest was not read.');

/** The bytes of an answer; `null` for one that is too long, whose rest is not fetched. */
async function bounded(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (response.body === null) return new Uint8Array(0);
  const reader = response.body.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > RESPONSE_BYTES) {
      await reader.cancel();
      return null;
    }
    parts.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
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
  return keys.reduce((clean, key) => (key.length < 6 ? clean : forms(key).reduce((rest, form) => rest.replace(form, '[key]'), clean)), text);
}

/** The forms that a key may come back in: with blanks or line ends between its letters, escaped for an address, in base64. */
function forms(key: string): RegExp[] {
  const literals = (text: string): string[] => Array.from(text, (letter) => letter.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  const found = [new RegExp(literals(key).join('[\\s\\u200b\\ufeff]*'), 'g'), new RegExp(literals(encodeURIComponent(key)).join(''), 'gi')];
  const bytes = new TextEncoder().encode(key);
  // Base64 writes three bytes at a time, so what stands before the key shifts it in one of three ways; the ends are left out.
  for (const before of [0, 1, 2]) {
    const shifted = Array.from({ length: before + bytes.length }, (_, at) => String.fromCharCode(bytes[at - before] ?? 0)).join('');
    const inner = btoa(shifted).slice(before === 0 ? 0 : 4, Math.floor(shifted.length / 3) * 4);
    if (inner.length < 8) continue;
    // The alphabet for addresses has two other letters.
    const letters = Array.from(inner, (letter) => (letter === '+' ? '[-+]' : letter === '/' ? '[/_]' : letter));
    found.push(new RegExp(`[A-Za-z0-9+/_-]*${letters.join('')}[A-Za-z0-9+/=_-]*`, 'g'));
  }
  return found;
}
