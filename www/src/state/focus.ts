/** Where the focus goes when what had it is gone or can no longer be used. */
import type { LitElement, ReactiveController } from 'lit';
import { deepFocus, isFocusFree } from './keys';

/**
 * Goes on elsewhere in its host where a render has removed or disabled what had the focus: a browser then gives it to the page,
 * and whoever goes by keys no longer sees where they are.
 */
export class FocusKeeper implements ReactiveController {
  readonly #host: LitElement;
  readonly #goOn: () => HTMLElement | null;
  #before: Element | null = null;

  /** `goOn` is asked once the loss shows; `null` leaves the focus to the page. */
  constructor(host: LitElement, goOn: () => HTMLElement | null) {
    this.#host = host;
    this.#goOn = goOn;
    host.addController(this);
  }

  hostUpdate(): void {
    this.#before = deepFocus(this.#host.renderRoot as ShadowRoot);
  }

  hostUpdated(): void {
    const before = this.#before;
    if (before === null || (before.isConnected && !before.matches(':disabled'))) return;
    // A browser takes the focus away only after it has painted.
    requestAnimationFrame(() => requestAnimationFrame(() => this.#restore()));
  }

  #restore(): void {
    const now = deepFocus(document);
    // One that is disabled may still have it: a busy page gives it away late.
    if (now === null || now === document.body || now.matches(':disabled') || isFocusFree()) this.#goOn()?.focus();
  }
}

/**
 * Lets the focus go along with what it is on, where a render draws that with another element of its host: numbers that are
 * replaced put models and samples in another order.
 */
export class FocusFollower implements ReactiveController {
  readonly #host: LitElement;
  readonly #candidates: string;
  readonly #nameOf: (element: Element) => string | null;
  #before: { element: Element; name: string } | null = null;

  /** `candidates` selects what may have the focus; `nameOf` tells one of them from the others, `null` where nothing does. */
  constructor(host: LitElement, candidates: string, nameOf: (element: Element) => string | null) {
    this.#host = host;
    this.#candidates = candidates;
    this.#nameOf = nameOf;
    host.addController(this);
  }

  hostUpdate(): void {
    const element = this.#focused();
    const name = element?.matches(this.#candidates) === true ? this.#nameOf(element) : null;
    this.#before = element === null || name === null ? null : { element, name };
  }

  hostUpdated(): void {
    const before = this.#before;
    const now = this.#focused();
    // Who has taken the focus meanwhile keeps it.
    if (before === null || (now !== null && now !== before.element) || (now !== null && this.#nameOf(now) === before.name)) return;
    const same = [...this.#host.renderRoot.querySelectorAll<HTMLElement | SVGElement>(this.#candidates)].find((one) => this.#nameOf(one) === before.name);
    same?.focus();
  }

  #focused(): Element | null {
    return deepFocus(this.#host.renderRoot as ShadowRoot);
  }
}
