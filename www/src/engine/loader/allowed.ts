/**
 * How large pictures may be, where the address of the page says so: `?megapixels=400`.
 *
 * A worker has no such address; it is told by its name. Each package is told when it starts.
 */

const MEGAPIXELS = /\bmegapixels=(\d{1,4})\b/;

/** What the address or the name says; `null` where it says nothing. */
export function megapixelsIn(text: string): number | null {
  const [, digits] = MEGAPIXELS.exec(text) ?? [];
  return digits === undefined ? null : Number(digits);
}

const allowed = (): number | null => megapixelsIn(typeof document === 'undefined' ? self.name : location.search);

/** A worker's name, with what it is to know. */
export function workerName(name: string): string {
  const megapixels = allowed();
  return megapixels === null ? name : `${name} megapixels=${megapixels}`;
}

/** Tells a package that has started. */
export function tellAllowed(started: object): void {
  const megapixels = allowed();
  if (megapixels !== null && 'allowMegapixels' in started) (started.allowMegapixels as (megapixels: number) => void)(megapixels);
}
