import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { StoreController } from '../state/controllers';
import { suiteThatCan } from '../state/demos';
import { store } from '../state/store';
import { foldersStyles, renderFolders } from '../components/folders/folders';
import { page } from '../engine/loader/page';
import { manualLink } from '../manual/link';
import { base, controls } from '../styles/base.styles';

/**
 * @summary What is computed, how, and where the files go: nowhere.
 */
@customElement('juror-about')
export class JurorAbout extends LitElement {
  static override styles = [
    base,
    controls,
    foldersStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 24px;
        max-width: 76ch;
      }
      section {
        display: grid;
        gap: 8px;
      }
      p,
      li {
        color: var(--juror-text-2);
        line-height: 1.6;
      }
      ul {
        display: grid;
        gap: 4px;
        padding-left: 20px;
        list-style: disc;
      }
      b {
        color: var(--juror-text);
      }
      .formulas {
        display: grid;
        gap: 8px;
        padding: 12px 16px;
      }
      .formulas div {
        display: grid;
        gap: 2px;
      }
      .formulas dt {
        font-weight: 600;
      }
    `,
  ];

  readonly #store = new StoreController(this);

  override render(): TemplateResult {
    const { overview } = this.#store.state;
    const method = suiteThatCan('attention');
    const made = suiteThatCan('made_cases');
    return html`<div class="titled"><h1>What Juror computes</h1>${manualLink(this.#store.state.route, 'scores')}</div>
      <section>
        <p>
          Juror opens an image-generation benchmark and the outputs and judge replies of one or more models from your disk, shows every sample beside its references, and computes the scores. Each
          number comes with its count, its formula and the replies behind it.
        </p>
      </section>
      <section>
        <h2>Privacy</h2>
        <ul>
          <li>Everything is read and computed in this browser tab. There is no server, no account, no telemetry, and nothing is uploaded.</li>
          <li>Requests go to a judge only when you press Send under Judge, and only to the address that you named there. Your key stays in the tab’s memory.</li>
          <li>${page.network}</li>
          <li>The chosen theme is stored, and the replies of judging jobs, under their benchmark, until you forget them. Whatever you open and paste is gone when the tab closes, so export what you want to keep.</li>
        </ul>
      </section>
      <section>
        <h2>Two ways to score</h2>
        <p><b>Score as: paper’s formulas</b> uses the formulas as printed, with a strict reader: a score outside its scale or a reply outside its grammar is an incident.</p>
        <p><b>Score as: authors’ code</b> computes as the authors’ published code does, defects included, so that published numbers can be reproduced. The overview lists each place where the two differ with its effect.</p>
      </section>
      <section>
        <h2>Incidents and policies</h2>
        <p>An incident is anything that kept a score from being read. The policy says what an output that is missing counts as: zero, nothing at all, or whatever the authors’ code makes of it. A reply that is missing or unreadable is left out, never guessed. Worst and best bounds show how much the missing ones could change.</p>
      </section>
      ${
        overview === null || overview.formulas.length === 0
          ? nothing
          : html`<section>
            <h2>Formulas in force (${overview.profile === 'paper' ? 'paper’s formulas' : 'authors’ code'})</h2>
            <dl class="formulas panel">
              ${overview.formulas.map(
                ({ criterion, text, source }) =>
                  html`<div>
                    <dt>${overview.criteria.find(({ id }) => id === criterion)?.label ?? criterion}</dt>
                    <dd class="mono">${text}</dd>
                    <dd class="small muted">${source}</dd>
                  </div>`,
              )}
            </dl>
          </section>`
      }
      <section>
        <div class="titled"><h2>Bringing your own data</h2>${manualLink(this.#store.state.route, 'files')}</div>
        <p>Drop a benchmark’s folder and the models’ folders together or one after another, in any order, as folders, files or ZIPs. The authors’ own layout is read as it is:</p>
        ${renderFolders()}
        <p>With the authors’ judge texts, requests use their wording; such files are read, never run. A benchmark of your own declares its layout in a file <span class="path">juror.json</span>.</p>
        ${made === undefined ? nothing : html`<p>More cases of ${made.title}, each with its golden answer, are made by the command <span class="path">juror make</span>.</p>`}
        <p><a href=${store.href({ view: 'dar' })}>Attention rebalancing</a>${method === undefined ? nothing : html`, the method of ${method.title}’s paper,`} works on tensors of your own and needs no benchmark.</p>
      </section>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-about': JurorAbout;
  }
}
