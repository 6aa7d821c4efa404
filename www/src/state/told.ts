/** What came of a button, told in the button itself: a message of the page lies behind a modal dialog, where nobody sees it. */
import { html, nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { icon } from '../components/icon/icon';

/** How long a button tells what came of it. */
const TOLD_MS = 4000;

/** The answers of a component's buttons, one at a time. */
export class Told implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #told: { of: string; words: string; failed: boolean } | null = null;
  #timer = 0;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#told = null;
  }

  /** Does what the button `of` is for; it answers with words, or throws some. */
  async tell(of: string, does: () => Promise<string>): Promise<void> {
    try {
      this.#say(of, await does(), false);
    } catch (error) {
      this.#say(of, error instanceof Error ? error.message : String(error), true);
    }
  }

  /** What the button shows: its own words, or for some seconds what came of it. A failure stays. */
  words(of: string, own: string, size = 18, sign: 'copy' | 'download' = 'copy'): TemplateResult {
    const told = this.#told?.of === of ? this.#told : null;
    return html`${icon(told === null ? sign : told.failed ? 'warn' : 'check', size)}${told === null || told.failed ? own : told.words}`;
  }

  /** The same for screen readers, and what failed for everybody; stands behind the button. */
  answer(of: string): TemplateResult {
    const told = this.#told?.of === of ? this.#told : null;
    return told?.failed === true
      ? html`<span class="small" role="alert">${told.words}</span>`
      : html`<span class="visually-hidden" role="status">${told?.words ?? nothing}</span>`;
  }

  #say(of: string, words: string, failed: boolean): void {
    clearTimeout(this.#timer);
    this.#told = { of, words, failed };
    this.#host.requestUpdate();
    if (failed) return;
    this.#timer = window.setTimeout(() => {
      this.#told = null;
      this.#host.requestUpdate();
    }, TOLD_MS);
  }
}
