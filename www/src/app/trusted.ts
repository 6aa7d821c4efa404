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

let policy: { createScriptURL(url: string): unknown } | null = null;

/** The address of a Blob as a worker takes it. */
export function workerUrl(url: string): string {
  try {
    policy ??= policies?.createPolicy(POLICY, { createScriptURL: blobsOnly }) ?? null;
  } catch {
    // A page that does not name the policy: the worker is refused, and the page's own thread stands in.
    return url;
  }
  // The types of workers know of no trusted ones.
  return policy === null ? url : (policy.createScriptURL(url) as string);
}

/** A script's text as an inline element takes it. The page's policy knows the script by its hash: another one does not run. */
export function scriptText(name: string, text: string): string {
  // The types of elements know of no trusted ones.
  return policies === undefined ? text : (policies.createPolicy(name, { createScript: (own) => own }).createScript(text) as string);
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
