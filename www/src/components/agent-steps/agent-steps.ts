import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { State } from '../../state/state';
import type { AgentSetView } from '../../engine/types/AgentSetView';
import { base, controls } from '../../styles/base.styles';
import { stepsChart } from '../plot-figure/group-charts';
import '../plot-figure/plot-figure';
import { renderChoice, sidesStyles } from '../sides/sides';

/** The choice of all judges, whose means are averaged. */
const ALL_JUDGES = '*';

/**
 * @summary Means by step of an agent's loop: lines are criteria, or the groups of a scope under one criterion.
 */
@customElement('juror-agent-steps')
export class JurorAgentSteps extends LitElement {
  static override styles = [
    base,
    controls,
    sidesStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 8px;
      }
    `,
  ];

  @property({ attribute: false }) view!: AgentSetView;
  @property({ attribute: false }) state!: Pick<State, 'overview'>;
  @state() private scope = '';
  @state() private criterion = 'total';
  @state() private judge = ALL_JUDGES;

  override render(): TemplateResult | typeof nothing {
    const { overview } = this.state;
    const { models, set } = this.view;
    if (overview === null || models.length < 2) return nothing;
    const scopes = overview.scopes.filter(({ scope, keys }) => !['overall', 'run', 'turn'].includes(scope) && keys.length > 0);
    const scope = scopes.some((one) => one.scope === this.scope) ? this.scope : '';
    const judges = [...new Set(overview.scores.filter(({ model, mean }) => mean !== null && models.includes(model)).map(({ judge }) => judge))];
    const [only] = judges;
    const judge = judges.length === 1 && only !== undefined ? only : judges.includes(this.judge) ? this.judge : null;
    const criterion = overview.criteria.some(({ id }) => id === this.criterion) ? this.criterion : 'total';
    const chart = stepsChart(overview, models, { judge, scope, criterion });
    if (chart === null) return nothing;
    return html`<div class="sides">
        ${renderChoice('Lines', [['', 'criteria'], ...scopes.map((one): [string, string] => [one.scope, one.label])], scope, (id) => (this.scope = id), 'steps-lines')}
        ${
          scope === ''
            ? nothing
            : renderChoice(
                'Criterion',
                overview.criteria.map(({ id, label }): [string, string] => [id, label]),
                criterion,
                (id) => (this.criterion = id),
                'steps-criterion',
              )
        }
        ${
          judges.length < 2
            ? nothing
            : renderChoice(
                'Scores by',
                [[ALL_JUDGES, 'mean of judges'], ...judges.map((one): [string, string] => [one, one === '' ? 'not stated' : one])],
                judge ?? ALL_JUDGES,
                (id) => (this.judge = id),
                'steps-judge',
              )
        }
      </div>
      <juror-plot-figure data-testid="steps-plot" .chart=${chart} .names=${models} .source=${[overview.benchmark?.title ?? '', set.name].join(', ')}></juror-plot-figure>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-agent-steps': JurorAgentSteps;
  }
}
