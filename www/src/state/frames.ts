/** Deals work out over frames, so that a list that is scrolled fast never waits for its pictures. */

/** Begun in one frame: making an address for a picture takes a good part of a millisecond. */
const PER_FRAME = 4;

const waiting = new Set<() => void>();
let isSet = false;

/** Does the work in one of the next frames, what was asked for first at first; the answer takes it back. */
export function soon(work: () => void): () => void {
  waiting.add(work);
  set();
  return () => waiting.delete(work);
}

function set(): void {
  if (isSet) return;
  isSet = true;
  // A hidden page has no frames, and nobody who waits for one.
  if (document.hidden) setTimeout(deal);
  else requestAnimationFrame(deal);
}

function deal(): void {
  isSet = false;
  for (const work of [...waiting].slice(0, PER_FRAME)) {
    waiting.delete(work);
    work();
  }
  if (waiting.size > 0) set();
}
