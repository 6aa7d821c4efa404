import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { Query } from '../../state/query';
import { TENSORS, isOffered, listOf, type ExtraList } from '../../state/extra';
import { bytes } from '../../state/format';
import type { State } from '../../state/state';
import { base, controls } from '../../styles/base.styles';
import { say } from '../events';

/**
 * @summary Offers what the demo suite leaves open: another judge, ratings, trajectories and tensors. Nothing where no demo suite is open.
 */
@customElement('juror-extra')
export class JurorExtra extends LitElement {
  static override styles = [
    base,
    controls,
    css`
      /* Nothing to offer takes no place. */
      :host {
        display: contents;
      }
      section {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 10px 16px;
        padding: 14px 16px;
      }
    `,
  ];

  @property({ attribute: false }) state!: Pick<State, 'opened' | 'route'>;
  readonly #lists = new Query<ExtraList[]>(this);

  protected override willUpdate(): void {
    const { demo, extra } = this.state.route;
    if (isOffered(this.state) && !extra) this.#lists.ask(demo, () => Promise.all([`${demo}-extra`, TENSORS].map(listOf)));
  }

  override render(): TemplateResult | typeof nothing {
    const files = this.#lists.settled?.flatMap((list) => list.files);
    if (files === undefined || !isOffered(this.state) || this.state.route.extra) return nothing;
    const size = files.reduce((sum, file) => sum + file.size, 0);
    const loops = files.some(({ path }) => path.startsWith('agents/')) ? ', agent loops' : '';
    return html`<section class="panel" aria-label="More of the demo">
      <button type="button" class="button primary" data-testid="add-extra" @click=${() => say(this, 'extra', null)}>Add another judge, ratings by three people${loops} and attention tensors</button>
      <span class="muted small">${bytes(size)}, made up as the rest of the demo is. It goes away with the demo.</span>
    </section>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-extra': JurorExtra;
  }
}
