/**
 * The service worker: keeps the page for visits without a network, a whole version at a time.
 *
 * It answers for the page's own files alone. A new version is kept beside the one that runs and takes over when the
 * reader says so, or once every tab is closed; the files of the version before stay, for tabs that still run it.
 */
import type { Files, FromKeeper, ToKeeper } from './files';

declare const __JUROR_FILES__: Files;

/** As much of a service worker's scope as is used here; the page's types do not have it. */
interface Scope {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(
    type: 'message',
    listener: (event: Extendable & { data: ToKeeper; source: { postMessage(message: FromKeeper): void } | null }) => void,
  ): void;
  addEventListener(type: 'fetch', listener: (event: { request: Request; respondWith(response: Promise<Response>): void }) => void): void;
}
interface Extendable {
  waitUntil(work: Promise<unknown>): void;
}

const worker = self as unknown as Scope;
const SCOPE = worker.registration.scope;
/** Other copies of the page may live at the same host. */
const OURS = `juror ${SCOPE} `;
const { version, first, later, demos } = __JUROR_FILES__;
const PAGE = `${OURS}page ${version}`;
const OWN_NAMES = new Set([...first, ...later].map(([path]) => addressOf(path)));
/** Files under way at once. */
const LANES = 4;

function addressOf(path: string): string {
  return new URL(path, SCOPE).href;
}

const demoCache = (id: string, hash: string): string => `${OURS}demo-${id} ${hash}`;

/** Fetches what a cache lacks. */
async function keep(name: string, files: readonly (readonly [path: string, integrity: string])[]): Promise<void> {
  const cache = await caches.open(name);
  const waiting = files.values();
  const lane = async (): Promise<void> => {
    for (const [path, integrity] of waiting) {
      const address = addressOf(path);
      if ((await cache.match(address)) !== undefined) continue;
      // A name with a hash in it means the same content in every version.
      const known = path.startsWith('assets/') ? await caches.match(address) : undefined;
      await cache.put(address, known ?? (await fetched(address, integrity)));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** A file of exactly this content: in the midst of a deployment a server has files of two versions. */
async function fetched(address: string, integrity: string): Promise<Response> {
  const response = await fetch(address, { cache: 'no-cache', ...(integrity === '' ? {} : { integrity }) });
  if (!response.ok) throw new Error(`The server answered ${response.status} for ${address}.`);
  return response;
}

/** A demo suite, whose own list names its files. */
async function keepDemo([id, hash]: [id: string, hash: string]): Promise<void> {
  const list = `demo/${id}/index.json`;
  const cache = demoCache(id, hash);
  await keep(cache, [[list, '']]);
  const index = (await (await (await caches.open(cache)).match(addressOf(list)))?.json()) as { together?: string; files: { path: string }[] } | undefined;
  const names = (index?.files ?? []).map(({ path }) => path.split('/').map(encodeURIComponent).join('/'));
  if (index?.together !== undefined) names.unshift(index.together);
  await keep(
    cache,
    names.map((name) => [`demo/${id}/${name}`, '']),
  );
}

async function keepFirst(): Promise<void> {
  await keep(PAGE, first);
  const [demo] = demos;
  if (demo !== undefined) await keepDemo(demo);
}

/** All that a visit without a network needs; also what the first visit kept, as a reader may have cleared it since. */
async function keepRest(): Promise<void> {
  await keep(PAGE, [...first, ...later]);
  for (const demo of demos) await keepDemo(demo);
}

/** Forgets versions, except for this one and the one before. */
async function tidy(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(OURS));
  const mine = new Set([PAGE, ...demos.map(([id, hash]) => demoCache(id, hash))]);
  const kindOf = (name: string): string => name.slice(0, name.lastIndexOf(' '));
  for (const kind of new Set(names.map(kindOf))) {
    // The browser names them in the order in which they were made.
    const old = names.filter((name) => kindOf(name) === kind && !mine.has(name));
    for (const name of old.slice(0, -1)) await caches.delete(name);
  }
}

/** The kept answer: of this version, or for a tab that runs the one before, of that. */
async function answer(address: string, request: Request): Promise<Response> {
  const cache = await caches.open(PAGE);
  return (await cache.match(address)) ?? (await caches.match(address)) ?? fetch(request);
}

worker.addEventListener('install', (event) => event.waitUntil(keepFirst()));
worker.addEventListener('activate', (event) => event.waitUntil(tidy().then(() => worker.clients.claim())));

worker.addEventListener('message', (event) => {
  if (event.data === 'take-over') event.waitUntil(worker.skipWaiting());
  // Where the network goes away in between, the next visit keeps what is missing.
  else
    event.waitUntil(
      keepRest().then(
        () => event.source?.postMessage('all-kept'),
        () => undefined,
      ),
    );
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(SCOPE)) return;
  const { origin, pathname } = new URL(request.url);
  const address = origin + pathname;
  if (request.mode === 'navigate') {
    const isPage = address === SCOPE || address === `${SCOPE}index.html`;
    if (isPage) event.respondWith(answer(SCOPE, request));
  } else if (OWN_NAMES.has(address) || /^(assets|demo)\//.test(address.slice(SCOPE.length))) {
    event.respondWith(answer(address, request));
  }
});
