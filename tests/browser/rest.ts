/** A page at rest: what passes by itself is over, or is kept from passing. */
import type { BrowserContext, Page } from '../../www/node_modules/@playwright/test';

/** After so long a message of the page that only informs is gone. */
const NOTICE_MS = 6000;

/** Messages of every page that is opened from now on stay until they are dismissed, however slow the machine is. */
export function keepNotices(pages: Page | BrowserContext): Promise<unknown> {
  return pages.addInitScript((ms) => {
    const own = window.setTimeout;
    window.setTimeout = ((call: TimerHandler, after?: number, ...args: unknown[]) => (after === ms ? 0 : own(call, after, ...args))) as typeof setTimeout;
  }, NOTICE_MS);
}

/** Waits until nothing moves or fades any more, and two frames were drawn after that. */
export function still(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise((drawn) => requestAnimationFrame(drawn));
    await frame();
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)));
    await frame();
    await frame();
  });
}
