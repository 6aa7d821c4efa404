import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { personName } from '../../state/format';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import { messageOf } from '../../engine/errors';
import type { PanelRule } from '../../engine/types/PanelRule';
import { base, controls, dialogs } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import type { AskPanel } from './ask';

const RULES: [PanelRule, string, string][] = [
  ['mean', 'Mean', 'Each judge is scored alone, and the scores are averaged.'],
  ['median', 'Median', 'The median of the judges’ answers to each question counts; the benchmark’s own formula scores them.'],
  [
    'majority',
    'Majority',
    'The answer that most judges gave to each question counts; on a tie, the median of the tied answers does, or the lower of two. Ties are counted.',
  ],
];

/**
 * @summary Chooses several judges that are scored together as one, and by which rule.
 */
@customElement('juror-panel-dialog')
export class JurorPanelDialog extends LitElement {
  static override styles = [
    base,
    controls,
    dialogs,
    css`
      .dialog-body {
        display: grid;
        gap: 14px;
      }
      fieldset {
        display: grid;
        gap: 8px;
        margin: 0;
        padding: 0;
        border: 0;
      }
      legend {
        margin-bottom: 6px;
        font-weight: 600;
      }
      .rules label {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 2px 10px;
        align-items: baseline;
        padding: 10px 12px;
        border: 1px solid var(--juror-line);
        border-radius: var(--juror-radius);
      }
      .rules small {
        grid-column: 2;
        color: var(--juror-text-2);
      }
      .judges label {
        display: flex;
        gap: 10px;
        align-items: baseline;
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'overview'>;
  @query('dialog') private dialog!: HTMLDialogElement;
  @state() private rule: PanelRule = 'median';
  @state() private judges: readonly string[] = [];
  @state() private problem = '';
  /** What is done with the panel. */
  private use: (judge: string) => void = () => undefined;
  @state() private action = '';

  /** Opens the dialog with every judge chosen. */
  show({ use, action }: AskPanel): void {
    this.use = use;
    this.action = action;
    const { overview } = this.state;
    const { judges = [], people = [] } = overview?.at_hand ?? {};
    this.judges = judges.length > 0 ? judges : people.filter((name) => name === 'people');
    this.problem = '';
    if (!this.dialog.open) this.dialog.showModal();
  }

  override render(): TemplateResult {
    const { judges = [], people = [] } = this.state.overview?.at_hand ?? {};
    return html`<dialog aria-labelledby="title">
      <div class="dialog-head">
        <h2 id="title">Judges together</h2>
        <button type="button" class="button quiet icon" aria-label="Close" @click=${() => this.dialog.close()}>${icon('close')}</button>
      </div>
      <form class="dialog-body" @submit=${this.onSubmit}>
        <fieldset class="rules">
          <legend>Rule</legend>
          ${RULES.map(
            ([id, label, what]) =>
              html`<label><input type="radio" name="rule" value=${id} .checked=${this.rule === id} @change=${() => (this.rule = id)} /><b>${label}</b><small>${what}</small></label>`,
          )}
        </fieldset>
        <fieldset class="judges">
          <legend>Judges</legend>
          ${judges.map((id) => this.renderJudge(id, id === '' ? 'not stated' : id))}
        </fieldset>
        ${
          people.length === 0
            ? nothing
            : html`<fieldset class="judges">
                <legend>People who rated</legend>
                ${people.map((id) => this.renderJudge(id, id === 'people' ? 'everyone who rated, each with one vote' : personName(id)))}
              </fieldset>`
        }
        <p class="small muted">With median and majority, whatever one of the judges did not answer is not scored, as n shows. Of everyone who rated, those who rated the output count.</p>
        ${this.problem === '' ? nothing : html`<p class="problem" role="alert">${icon('error', 16)} ${this.problem}</p>`}
        <div class="toolbar">
          <span class="spacer"></span>
          <button type="button" class="button" @click=${() => this.dialog.close()}>Cancel</button>
          <button type="submit" class="button primary" data-testid="panel-score" ?disabled=${this.judges.length === 0}>${this.action}</button>
        </div>
      </form>
    </dialog>`;
  }

  private renderJudge(id: string, name: string): TemplateResult {
    const change = (event: Event): void => {
      const others = this.judges.filter((one) => one !== id);
      this.judges = (event.target as HTMLInputElement).checked ? [...others, id] : others;
    };
    return html`<label><input type="checkbox" value=${id} .checked=${this.judges.includes(id)} @change=${change} /><span dir="auto">${name}</span></label>`;
  }

  private readonly onSubmit = (event: Event): void => {
    event.preventDefault();
    this.client.panelName({ rule: this.rule, judges: [...this.judges] }).then(
      (judge) => {
        this.dialog.close();
        this.use(judge);
      },
      (error: unknown) => (this.problem = messageOf(error)),
    );
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-panel-dialog': JurorPanelDialog;
  }
}
