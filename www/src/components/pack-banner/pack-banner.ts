import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { Query, StoreController } from '../../state/controllers';
import { count, plural } from '../../state/format';
import { store } from '../../state/store';
import type { PackCheck } from '../../engine/types/PackCheck';
import { base, controls } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import { linkTo, styles } from './banner';
import { renderVerdict, verificationStyles } from './verification';

/**
 * @summary Says of each open evidence pack whether it reproduces, and lists what differs.
 */
@customElement('juror-pack-banner')
export class JurorPackBanner extends LitElement {
  static override styles = [base, controls, verificationStyles, styles];

  readonly #store = new StoreController(this);
  readonly #checks = new Query<PackCheck[]>(this);

  protected override willUpdate(): void {
    const { opened, engine } = this.#store.state;
    const packs = opened.filter(({ pack }) => pack).length;
    if (engine === 'ready' && packs > 0) this.#checks.ask(String(packs), () => store.once(`check ${packs}`, () => store.client.checkPacks()));
  }

  override render(): TemplateResult {
    const { value, error, pending } = this.#checks;
    const { packing } = this.#store.state;
    if (error !== null)
      return html`<section role="alert"><p class="say">${icon('error')} The evidence pack could not be checked: ${error.message}</p></section>`;
    if (value === null || pending) {
      const far = packing === null ? '' : ` ${count(packing.done)} of ${plural(packing.total, 'file')} hashed.`;
      return html`<section aria-label="Evidence pack" data-testid="pack-banner"><p class="say">Recomputing the evidence pack from its raw replies…${far}</p></section>`;
    }
    return html`${value.map((check) => this.renderCheck(check))}${this.renderComparison(value.length)}`;
  }

  /** Several packs are also held against each other. */
  private renderComparison(packs: number): TemplateResult | typeof nothing {
    if (packs < 2) return nothing;
    void import('../pack-comparison/pack-comparison');
    return html`<juror-pack-comparison></juror-pack-comparison>`;
  }

  private renderCheck(check: PackCheck): TemplateResult {
    if ('problem' in check) {
      return html`<section role="alert" data-testid="pack-banner"><p class="say">${icon('error')} <strong>${check.name}</strong> could not be checked: ${check.problem}</p></section>`;
    }
    const { verification } = check;
    return html`<section aria-label="Evidence pack ${check.name}" role="status" data-testid="pack-banner">
      ${renderVerdict(check.name, verification, linkTo)}
      ${verification.notes.map((note) => html`<p class="small muted">${note}</p>`)}
    </section>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-pack-banner': JurorPackBanner;
  }
}
