/** Addresses of scripts for pages that ask for trusted types: this module's policy makes them of Blobs' addresses alone. */

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): unknown };
  createPolicy(name: string, rules: { createScript(text: string): string }): { createScript(text: string): unknown };
}

/** What a page names after `trusted-types`, beside Lit's `lit-html`. */
export const POLICY = 'juror';

const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes;

function blobsOnly(url: string): string {
  if (url.startsWith('blob:')) return url;
  throw new TypeError(`${url} is no Blob’s address.`);
}

/** The policies of a page by name: several scripts of Juror's may run in one, and a name can be taken once. */
const SHARED = Symbol.for('juror-trusted-types');
const shared = globalThis as unknown as { [SHARED]: Map<string, unknown> | undefined };

function once<T>(name: string, make: () => T): T {
  const known = (shared[SHARED] ??= new Map<string, unknown>());
  if (!known.has(name)) known.set(name, make());
  return known.get(name) as T;
}

/** The address of a Blob as a worker takes it. */
export function workerUrl(url: string): string {
  if (policies === undefined) return url;
  try {
    const policy = once(POLICY, () => policies.createPolicy(POLICY, { createScriptURL: blobsOnly }));
    // The types of workers know of no trusted ones.
    return policy.createScriptURL(url) as string;
  } catch {
    // A page that does not name the policy: the worker is refused, and the page's own thread stands in.
    return url;
  }
}

/** A script's text as an inline element takes it. The page's policy knows the script by its hash: another one does not run. */
export function scriptText(name: string, text: string): string {
  if (policies === undefined) return text;
  // The types of elements know of no trusted ones.
  return once(name, () => policies.createPolicy(name, { createScript: (own) => own })).createScript(text) as string;
}

/** Lets a page's own scripts and Blobs become workers, whatever makes them; for pages that are Juror's own. */
export function trustOwnScripts(): void {
  const isOwn = (url: string): boolean => {
    const { origin, protocol } = new URL(url, location.href);
    // Pages from disk, and whatever has no origin, all have that of the name null.
    return origin === location.origin && (origin !== 'null' || protocol === 'blob:');
  };
  policies?.createPolicy('default', {
    createScriptURL(url) {
      if (isOwn(url)) return url;
      throw new TypeError(`${url} is no script of this page’s.`);
    },
  });
}
