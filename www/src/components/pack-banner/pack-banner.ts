import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { Query } from '../../state/query';
import { count, plural } from '../../state/format';
import type { State } from '../../state/state';
import type { PackBeside } from '../../engine/types/PackBeside';
import type { PackCheck } from '../../engine/types/PackCheck';
import { base, controls } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import { linksFrom, styles } from './banner';
import { renderVerdict, verificationStyles } from './verification';

/**
 * @summary Says of each open evidence pack whether it reproduces, and lists what differs.
 */
@customElement('juror-pack-banner')
export class JurorPackBanner extends LitElement {
  static override styles = [base, controls, verificationStyles, styles];

  @property({ attribute: false }) state!: Pick<State, 'opened' | 'engine' | 'packing' | 'route'>;
  /** Checks the packs that are open, so many of them. */
  @property({ attribute: false }) check!: (packs: number) => Promise<PackCheck[]>;
  /** Compares them with the first one. */
  @property({ attribute: false }) compare!: (packs: number) => Promise<PackBeside[]>;
  readonly #checks = new Query<PackCheck[]>(this);

  protected override willUpdate(): void {
    const { opened, engine } = this.state;
    const packs = opened.filter(({ pack }) => pack).length;
    if (engine === 'ready' && packs > 0) this.#checks.ask(String(packs), () => this.check(packs));
  }

  override render(): TemplateResult {
    const { value, error, pending } = this.#checks;
    const { packing } = this.state;
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
    return html`<juror-pack-comparison .compare=${this.compare} .state=${this.state}></juror-pack-comparison>`;
  }

  private renderCheck(check: PackCheck): TemplateResult {
    if ('problem' in check) {
      return html`<section role="alert" data-testid="pack-banner"><p class="say">${icon('error')} <strong>${check.name}</strong> could not be checked: ${check.problem}</p></section>`;
    }
    const { verification } = check;
    return html`<section aria-label="Evidence pack ${check.name}" role="status" data-testid="pack-banner">
      ${renderVerdict(check.name, verification, linksFrom(this.state.route))}
      ${verification.notes.map((note) => html`<p class="small muted">${note}</p>`)}
    </section>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-pack-banner': JurorPackBanner;
  }
}
