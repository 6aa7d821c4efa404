import { LitElement, css, html, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { Query, StoreController } from '../../app/controllers';
import { count, plural } from '../../app/format';
import { NO_FILTER } from '../../app/router';
import { store } from '../../app/store';
import type { PackCheck } from '../../engine/protocol';
import { base, controls } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import { renderDiffers, renderReproduced, verificationStyles, type LinkTo } from './verification';

/**
 * @summary Says of each open evidence pack whether it reproduces, and lists what differs.
 */
@customElement('juror-pack-banner')
export class JurorPackBanner extends LitElement {
  static override styles = [
    base,
    controls,
    verificationStyles,
    css`
      section {
        display: grid;
        gap: 6px;
        padding: 10px max(16px, calc((100vw - var(--juror-width, 1400px)) / 2));
        border-bottom: 1px solid var(--juror-line);
        background: var(--juror-surface-2);
      }
      .small {
        margin: 0;
        overflow-wrap: anywhere;
      }
    `,
  ];

  readonly #store = new StoreController(this);
  readonly #checks = new Query<PackCheck[]>(this);

  protected override willUpdate(): void {
    const { opened, engine } = this.#store.state;
    const packs = opened.filter(({ pack }) => pack).length;
    if (engine === 'ready' && packs > 0) this.#checks.ask(String(packs), (signal) => store.client.checkPacks(signal));
  }

  override render(): TemplateResult {
    const { value, error, pending } = this.#checks;
    const { packing } = this.#store.state;
    if (error !== null) return html`<section role="alert"><p class="say">${icon('error')} The evidence pack could not be checked: ${error.message}</p></section>`;
    if (value === null || pending) {
      const far = packing === null ? '' : ` ${count(packing.done)} of ${plural(packing.total, 'file')} hashed.`;
      return html`<section aria-label="Evidence pack" data-testid="pack-banner"><p class="say">Recomputing the evidence pack from its raw replies…${far}</p></section>`;
    }
    return html`${value.map((check) => this.renderCheck(check))}`;
  }

  private renderCheck(check: PackCheck): TemplateResult {
    if ('problem' in check) {
      return html`<section role="alert" data-testid="pack-banner"><p class="say">${icon('error')} <strong>${check.name}</strong> could not be checked: ${check.problem}</p></section>`;
    }
    const { verification } = check;
    return html`<section aria-label="Evidence pack ${check.name}" role="status" data-testid="pack-banner">
      ${verification.reproduced ? renderReproduced(check.name, verification) : renderDiffers(check.name, verification, linkTo)}
      ${verification.notes.map((note) => html`<p class="small muted">${note}</p>`)}
    </section>`;
  }
}

/** A link to the sample that a finding is about. */
const linkTo: LinkTo = (sample, turn) => html`<a href=${store.href({ view: 'sample', id: sample, turn, models: null, filter: NO_FILTER })}>sample ${sample}</a>`;

declare global {
  interface HTMLElementTagNameMap {
    'juror-pack-banner': JurorPackBanner;
  }
}
