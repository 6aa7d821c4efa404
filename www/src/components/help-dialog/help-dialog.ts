import { LitElement, css, html, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { hrefOf } from '../../state/links';
import type { State } from '../../state/state';
import { base, controls, dialogs } from '../../styles/base.styles';
import { icon } from '../icon/icon';

const KEYS: [string, [string[], string][]][] = [
  [
    'Everywhere',
    [
      [['?'], 'This list'],
      [['Esc'], 'Close a dialog'],
    ],
  ],
  [
    'Samples',
    [
      [['/'], 'Search or filter'],
      [['←', '→'], 'Previous, next picture, where pictures are shown'],
      [['J', '↓'], 'Next row'],
      [['K', '↑'], 'Previous row'],
      [['Enter'], 'Open the row'],
    ],
  ],
  [
    'Sample',
    [
      [['J', '→'], 'Next sample'],
      [['K', '←'], 'Previous sample'],
      [['1', '…', '9'], 'Show or hide a model'],
      [['C'], 'Compare the pictures'],
    ],
  ],
  [
    'Rate',
    [
      [['0', '…', '9'], 'Score; 1, then 0 is 10'],
      [['Enter', '→'], 'Next criterion or output'],
      [['←'], 'Back'],
      [['U'], 'Undo the last score'],
      [['S'], 'Skip; it comes again at the end'],
      [['N'], 'Note; Esc leaves it'],
    ],
  ],
  [
    'Pictures',
    [
      [['P'], 'One picture'],
      [['S'], 'Side by side'],
      [['W'], 'Swipe'],
      [['O'], 'Onion'],
      [['D'], 'Difference'],
      [['M'], 'Map of a metric'],
      [['B'], 'Blink; Space shows the other'],
      [['X'], 'Swap A and B'],
      [['1', '…', '9'], 'A model’s output: shown, added or as B'],
      [['+', '−'], 'Larger, smaller; also the wheel'],
      [['0', 'Z'], 'Fit the window, one to one'],
      [['←', '→'], 'Move where zoomed in, else the next picture'],
      [['J', 'K'], 'Next, previous sample in the same view'],
    ],
  ],
  [
    'Plots',
    [
      [['Tab'], 'Into the drawing'],
      [['→', '←'], 'Next, previous mark; also ↓ and ↑'],
      [['Home', 'End'], 'First, last mark'],
      [['Enter'], 'What is behind the mark'],
    ],
  ],
];

/** What the words of the page mean. */
const WORDS: [string, string][] = [
  ['Sample', 'one case of the benchmark: an instruction and its reference pictures; in WEAVEBench a dialogue of several turns'],
  ['Output', 'the picture or text that a model made for a sample or a turn'],
  ['Judge', 'the vision-language model, or the person, who rates outputs'],
  ['Request, reply', 'exactly what a judge is asked, and the text that came back'],
  ['Verdict', 'the scores that a reply was read as'],
  ['Criterion', 'one kind of score; its code is as in the paper’s tables'],
  ['Run', 'one repeat of the whole judging'],
  ['Score as', 'the formulas as printed, or as the authors’ code computes them'],
  ['Incident', 'whatever kept a score from being read: no output, no reply, a reply that cannot be read'],
  ['Missing outputs', 'the policy, what they count as: the lowest score, skipped, or as in the authors’ code'],
  ['28/32', 'how many scores are in a mean, of how many that were expected'],
  ['[0.41, 0.66]', 'the 95 % interval of the mean above it'],
  ['≈ a', 'models with the same letter are statistically tied: their differences from the best of them are not significant; see Compare'],
  ['Evidence pack', 'a ZIP with everything that is needed to compute a report again'],
];

/** The filter expression by example. */
const FILTERS: [string, string][] = [
  ['red banana', 'both words, in instructions, answers, replies, reasons or errors'],
  ['"red banana"', 'this passage; text~/red.*banana/ for an expression'],
  ['reason~blurry', 'likewise instruction~, answer~, reply~, error~'],
  ['task:add,style', 'one of these; task!=add, references>=3, references:2..4'],
  ['score<4', 'of any model; with model:A beside it, of that one'],
  ['model:A>model:B+2', 'A is more than 2 ahead of B'],
  ['judge:J', 'whose scores, replies and incidents the other conditions refer to, as with model:A'],
  ['criterion:NAME<3', 'a sub-score; spread>1 between models, disagreement>1 between judges'],
  ['incident:any', 'or none, or a kind; judged:part, scored:no'],
  ['a OR (b -c)', 'or, and, not; side by side means and'],
];

/**
 * @summary Explains the page's words, lists the keys, and shows the filter expression by example.
 */
@customElement('juror-help-dialog')
export class JurorHelpDialog extends LitElement {
  static override styles = [
    base,
    controls,
    dialogs,
    css`
      :host {
        --dialog-width: 720px;
      }
      .dialog-body {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(220px, 1fr));
        gap: 20px 32px;
      }
      dl {
        display: grid;
        gap: 6px;
        margin-top: 8px;
      }
      dl div {
        display: flex;
        gap: 12px;
      }
      .filters {
        grid-column: 1 / -1;
      }
      .filters dl div {
        flex-wrap: wrap;
        gap: 0 12px;
      }
      .filters dt {
        min-width: 11rem;
      }
      .filters dd {
        flex: 1 1 18rem;
      }
      .about {
        margin-top: 8px;
      }
      dt {
        display: flex;
        flex: none;
        align-items: start;
        gap: 4px;
        min-width: 76px;
      }
    `,
  ];

  @property({ attribute: false }) state!: Pick<State, 'route'>;
  @query('dialog') private dialog!: HTMLDialogElement;

  override render(): TemplateResult {
    return html`<dialog aria-labelledby="title">
      <div class="dialog-head">
        <h2 id="title">Help</h2>
        <button type="button" class="button quiet icon" aria-label="Close" @click=${() => this.dialog.close()}>${icon('close')}</button>
      </div>
      <div class="dialog-body" tabindex="0">
        <section class="filters">
          <h3>Words</h3>
          <dl data-testid="glossary">
            ${WORDS.map(([word, means]) => html`<div><dt><b>${word}</b></dt><dd>${means}</dd></div>`)}
          </dl>
          <p class="about"><a href=${hrefOf(this.state.route, { view: 'manual', chapter: '', section: '' })} @click=${() => this.dialog.close()}>Manual</a> · <a href=${hrefOf(this.state.route, { view: 'about' })} @click=${() => this.dialog.close()}>What is computed, and how</a></p>
        </section>
        ${KEYS.map(
          ([place, keys]) =>
            html`<section>
              <h3>${place}</h3>
              <dl>
                ${keys.map(([names, words]) => html`<div><dt>${names.map((name) => (name === '…' ? '…' : html`<kbd>${name}</kbd>`))}</dt><dd>${words}</dd></div>`)}
              </dl>
            </section>`,
        )}
        <section class="filters">
          <h3>Filter of the samples</h3>
          <dl>
            ${FILTERS.map(([example, words]) => html`<div><dt><code>${example}</code></dt><dd>${words}</dd></div>`)}
          </dl>
        </section>
      </div>
    </dialog>`;
  }

  /** Opens the list. */
  async show(): Promise<void> {
    await this.updateComplete;
    if (!this.dialog.open) this.dialog.showModal();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-help-dialog': JurorHelpDialog;
  }
}
