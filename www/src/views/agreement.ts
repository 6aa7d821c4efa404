import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { StoreController } from '../state/controllers';
import { store } from '../state/store';
import { manualLink } from '../manual/link';
import '../components/agreement/agreement';
import '../components/extra/extra';
import '../components/label-counts/label-counts';
import '../components/questions/questions';
import '../components/rankings/rankings';
import { base, controls } from '../styles/base.styles';
import { page } from '../styles/page.styles';

/**
 * @summary How far judges agree with people and with each other.
 */
@customElement('juror-agreement-view')
export class JurorAgreementView extends LitElement {
  static override styles = [
    base,
    controls,
    page,
    css`
      .note {
        padding: 16px;
      }
    `,
  ];

  readonly #store = new StoreController(this);

  override render(): TemplateResult {
    const { overview } = this.#store.state;
    return html`<div>
        <div class="titled"><h1>Judges and people</h1>${manualLink(this.#store.state.route, 'judging', 'agreement')}</div>
        <p class="lead">
          How far verdicts agree, with people’s ratings and with each other, and how steady each judge is over its runs. What is missing is left out, whatever the policy says.
          <a href=${store.href({ view: 'rate' })}>Rate outputs yourself, blind</a>
        </p>
      </div>
      <juror-extra .state=${this.#store.state}></juror-extra>
      ${
        overview?.benchmark == null || overview.models.length === 0
          ? html`<p class="panel note">Open a benchmark and models with replies or ratings first.</p>`
          : html`<section class="panel" aria-label="Agreement"><juror-agreement .client=${store.client} .state=${this.#store.state} .overview=${overview}></juror-agreement></section>
              ${
                overview.at_hand.judges.length + overview.at_hand.people.length < 2
                  ? nothing
                  : html`<section class="panel" aria-label="Rankings"><juror-rankings .client=${store.client} .state=${this.#store.state} .overview=${overview}></juror-rankings></section>
                      <section class="panel" aria-label="Question by question"><juror-questions .client=${store.client} .state=${this.#store.state} .overview=${overview}></juror-questions></section>`
              }
              <section class="panel" aria-label="Failure labels"><juror-label-counts .client=${store.client} .state=${this.#store.state}></juror-label-counts></section>`
      }`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-agreement-view': JurorAgreementView;
  }
}
