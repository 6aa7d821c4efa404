/** A clock inside the page: when files came, when phases began, when something was on the screen, how long it stood still. */
import type { Page } from '../../www/node_modules/@playwright/test';

/** What the clock says, in milliseconds after the files were handed to the page. */
export interface Times {
  /** Each phase of opening, when it was first seen. */
  phases: Record<string, number>;
  /** Each goal, when a frame was drawn after it was met. */
  goals: Record<string, number>;
  /** The first click that the page handled. */
  click: number | null;
  /** The longest time between two frames until everything was read. */
  longestGap: number;
}

/** What to look for: a path through shadow roots to an element, and text that it has to hold. */
export type Goals = Record<string, { path: string[]; text: string }>;

type Window_ = Window & { jurorClock?: Times & { start: number | null } };

/** Starts the clock; it begins to count when files reach an input of the page. */
export async function startClock(page: Page, goals: Goals): Promise<void> {
  await page.evaluate((wanted) => {
    const clock = {
      start: null as number | null,
      phases: {} as Record<string, number>,
      goals: {} as Record<string, number>,
      click: null as number | null,
      longestGap: 0,
    };
    (window as Window_).jurorClock = clock;
    const since = (): number | null => (clock.start === null ? null : performance.now() - clock.start);
    addEventListener(
      'input',
      (event) => {
        if ((event.composedPath()[0] as HTMLInputElement).type === 'file') clock.start = performance.now();
      },
      true,
    );
    addEventListener(
      'click',
      (event) => {
        if (event.isTrusted) clock.click ??= since();
      },
      true,
    );
    const phaseNow = (): string => document.documentElement.dataset.phase ?? '';
    const notePhase = (): void => {
      const now = since();
      if (now === null) return;
      // Until something is read, what is done is what was open before.
      if (phaseNow() !== 'done') delete clock.phases['done'];
      clock.phases[phaseNow()] ??= now;
    };
    new MutationObserver(notePhase).observe(document.documentElement, { attributeFilter: ['data-phase'] });
    const find = (path: string[]): Element | null => {
      let root: Document | ShadowRoot | null = document;
      let element: Element | null = null;
      for (const step of path) {
        element = root?.querySelector(step) ?? null;
        root = element?.shadowRoot ?? null;
      }
      return element;
    };
    let last = performance.now();
    const frame = (): void => {
      const now = performance.now();
      if (clock.start !== null) {
        if (clock.phases['done'] === undefined && clock.phases['cancelled'] === undefined)
          clock.longestGap = Math.max(clock.longestGap, now - Math.max(last, clock.start));
        for (const [name, { path, text }] of Object.entries(wanted)) {
          if (clock.goals[name] === undefined && (find(path)?.textContent ?? '').includes(text) && find(path) !== null) clock.goals[name] = now - clock.start;
        }
      }
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }, goals);
}

/** What the clock says now. */
export function readClock(page: Page): Promise<Times> {
  return page.evaluate(() => {
    const clock = (window as Window_).jurorClock;
    if (clock === undefined) throw new Error('The clock was not started.');
    return clock;
  });
}
