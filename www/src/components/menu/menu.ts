import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { deepFocus } from '../../state/keys';
import { base, controls } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import { styles } from './menu.styles';

/**
 * @summary A button that opens a small menu; the items are slotted buttons.
 * @fires juror-menu-open - The menu was opened.
 * @slot - The items: `<button>` elements, with `<hr>` between groups.
 */
@customElement('juror-menu')
export class JurorMenu extends LitElement {
  static override styles = [base, controls, styles];

  /** The button's text; empty shows only the arrow. */
  @property() label = '';
  /** The button's name where there is no text. */
  @property() name = '';
  /** `primary` joins the menu to a primary button on its left. */
  @property() look: '' | 'primary' = '';
  @query('.trigger') private trigger!: HTMLButtonElement;
  @query('[popover]') private popup!: HTMLElement;

  override render(): TemplateResult {
    return html`<button
        type="button"
        class="button trigger ${this.look}"
        popovertarget="items"
        aria-haspopup="menu"
        aria-label=${this.label === '' ? this.name : nothing}
      >
        ${this.label}${icon('chevron', 16)}
      </button>
      <div id="items" popover role="menu" aria-label=${this.label || this.name} @toggle=${this.onToggle} @click=${this.close} @keydown=${this.onKey}>
        <slot></slot>
      </div>`;
  }

  private items(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('button:not(:disabled)')];
  }

  private onToggle(event: ToggleEvent): void {
    if (event.newState !== 'open') {
      // What was chosen is slotted, so the browser does not see that it had the focus.
      const now = deepFocus(document);
      if (now === null || now === document.body || this.contains(now)) this.trigger.focus();
      return;
    }
    this.dispatchEvent(new Event('juror-menu-open'));
    const at = this.trigger.getBoundingClientRect();
    const left = Math.max(8, Math.min(at.right - this.popup.offsetWidth, innerWidth - this.popup.offsetWidth - 8));
    this.popup.style.setProperty('left', `${left}px`);
    // Above its button where there is no room below: a menu outside of the window cannot be scrolled to.
    const below = at.bottom + 6;
    const isAbove = below + this.popup.offsetHeight > innerHeight - 8 && at.top > innerHeight - at.bottom;
    this.popup.style.setProperty('top', `${isAbove ? Math.max(8, at.top - 6 - this.popup.offsetHeight) : below}px`);
    this.items()[0]?.focus();
  }

  private close(): void {
    this.popup.hidePopover();
  }

  private onKey(event: KeyboardEvent): void {
    const items = this.items();
    const at = items.indexOf(document.activeElement as HTMLElement);
    const here = at === -1 ? items.findIndex((item) => item.matches(':focus')) : at;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    items[(here + step + items.length) % items.length]?.focus();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-menu': JurorMenu;
  }
}
