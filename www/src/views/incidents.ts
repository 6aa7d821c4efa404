import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { StoreController } from '../state/controllers';
import { POLICY_SENTENCES } from '../state/format';
import { store } from '../state/store';
import { manualLink } from '../manual/link';
import '../components/files/files';
import type { ChooseBenchmark } from '../components/files/files';
import '../components/incidents/incidents';
import { base, controls } from '../styles/base.styles';

/**
 * @summary Everything that kept a sample from being scored, and what it counts as.
 */
@customElement('juror-incidents-view')
export class JurorIncidentsView extends LitElement {
  static override styles = [
    base,
    controls,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 16px;
      }
      .lead {
        max-width: 76ch;
        color: var(--juror-text-2);
      }
      dl {
        display: grid;
        gap: 6px;
        max-width: 88ch;
      }
      dl div {
        display: grid;
        grid-template-columns: 96px minmax(0, 1fr);
        gap: 12px;
      }
      dt {
        font-weight: 600;
      }
      dd {
        color: var(--juror-text-2);
      }
      .panel-head {
        padding: 14px 16px 10px;
        border-bottom: 1px solid var(--juror-line);
      }
      .here dt::after {
        content: ' (in force)';
        color: var(--juror-accent);
        font-weight: 400;
        font-size: var(--juror-size-s);
      }
      .policies {
        padding: 16px;
      }
    `,
  ];

  readonly #store = new StoreController(this);

  override render(): TemplateResult {
    const { overview, sourceProblems } = this.#store.state;
    return html`<div class="titled"><h1>Incidents</h1>${manualLink(this.#store.state.route, 'scores', 'incidents-and-missing-outputs')}</div>
      <p class="lead">Whatever kept a score from being read: an output that is missing or no picture, a reply that is missing, unreadable or outside its scale. None of them is silently turned into a number or left out.</p>
      <p><a href=${store.href({ view: 'lint' })}>Check the outputs before they are judged</a>: missing, misnamed, broken, repeated and copied ones.</p>
      ${
        overview === null
          ? html`<p class="muted">Nothing is open yet.</p>`
          : html`<section class="panel"><juror-incidents .state=${this.#store.state} .overview=${overview}></juror-incidents></section>
            <section class="panel policies">
              <dl>
                ${(
                  [
                    ['zero', 'Lowest score', `${POLICY_SENTENCES.zero} The default under the paper’s formulas.`],
                    ['exclude', 'Skipped', POLICY_SENTENCES.exclude],
                    ['upstream', 'As in the authors’ code', `${POLICY_SENTENCES.upstream} The default under the authors’ code.`],
                  ] as const
                ).map(([id, label, words]) => html`<div class=${overview.policy === id ? 'here' : nothing}><dt>${label}</dt><dd>${words}</dd></div>`)}
              </dl>
            </section>
            <section class="panel">
              <div class="panel-head"><h2>Files</h2></div>
              <juror-files .overview=${overview} .sourceProblems=${sourceProblems} @choose-benchmark=${({ path }: ChooseBenchmark) => void store.chooseBenchmark(path)}></juror-files>
            </section>`
      }`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-incidents-view': JurorIncidentsView;
  }
}
