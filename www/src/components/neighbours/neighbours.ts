import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { count, plural } from '../../state/format';
import { timeLeft } from '../../state/left';
import { TASKS, mostAlike, type Alike, type NeighbourSearch } from '../../state/look-alikes';
import type { Route } from '../../state/router';
import type { State } from '../../state/state';
import { base, controls, meter } from '../../styles/base.styles';
import { forms } from '../../styles/page.styles';
import { icon } from '../icon/icon';
import { renderMeter } from '../meter/meter';
import { looked, renderLooked } from './looked';

/** So many pairs are shown of each kind. */
const MAX_SHOWN = 20;

/** A model's outputs are to be looked through, by the features of a network. */
export class LookEvent extends Event {
  constructor(
    readonly task: string,
    readonly model: string,
  ) {
    super('look');
  }
}

/**
 * @summary Finds outputs that look alike, and outputs that look like a picture of the benchmark, by the features of an open network.
 * @event look - A model's outputs are to be looked through; carries the network's task and the model.
 * @event stop - The search is to end.
 */
@customElement('juror-neighbours')
export class JurorNeighbours extends LitElement {
  static override styles = [
    base,
    controls,
    meter,
    forms,
    looked,
    css`
      :host {
        display: grid;
        gap: 10px;
        padding-top: 10px;
        border-top: 1px solid var(--juror-line);
      }
      h3,
      h4,
      p {
        margin: 0;
      }
      ol {
        display: grid;
        gap: 8px;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: grid;
        grid-template-columns: 4.5em repeat(2, minmax(0, 1fr));
        gap: 8px;
        align-items: center;
      }
    `,
  ];

  @property({ attribute: false }) state!: Pick<State, 'route'>;
  /** Networks that are open, by what they compute. */
  @property({ attribute: false }) ready: ReadonlySet<string> = new Set();
  /** How far looking came, which is written into one object; `null` before it began. */
  @property({ attribute: false, hasChanged: () => true }) search: NeighbourSearch | null = null;
  /** Models whose outputs can be looked through. */
  @property({ attribute: false }) models: readonly string[] = [];
  /** What outputs are held against: golden answers and references. */
  @property({ attribute: false }) against: readonly string[] = [];
  @property({ type: Boolean }) disabled = false;
  @state() private model = '';
  @state() private task = '';

  override render(): TemplateResult | typeof nothing {
    const tasks = TASKS.filter((task) => this.ready.has(task));
    const { search } = this;
    if ((tasks.length === 0 && search === null) || this.models.length === 0 || this.against.length === 0) return nothing;
    const task = tasks.find((one) => one === this.task) ?? tasks[0] ?? '';
    const model = this.models.find((one) => one === this.model) ?? this.models[0] ?? '';
    const choose = (label: string, id: string, values: readonly string[], value: string, put: (value: string) => void): TemplateResult =>
      html`<label class="row"
        ><span>${label}</span>
        <select class="field" data-testid=${id} @change=${(event: Event) => put((event.target as HTMLSelectElement).value)}>
          ${values.map((one) => html`<option value=${one} ?selected=${one === value}>${one}</option>`)}
        </select></label
      >`;
    return html`<h3>Find copies</h3>
      <p class="muted">Outputs that a network hardly tells apart, and outputs that it takes for a picture of the benchmark: copied references, and styles that a model falls into.</p>
      ${choose('Model', 'neighbours-model', this.models, model, (value) => (this.model = value))} ${tasks.length < 2 ? nothing : choose('By', 'neighbours-task', tasks, task, (value) => (this.task = value))}
      <div class="toolbar">
        ${
          search?.isOver === false
            ? html`<button type="button" class="button" data-testid="neighbours-stop" @click=${() => this.dispatchEvent(new Event('stop'))}>Stop</button>`
            : html`<button type="button" class="button" data-testid="neighbours-start" ?disabled=${this.disabled || task === ''} @click=${() => this.dispatchEvent(new LookEvent(task, model))}>Look through its outputs</button>`
        }
      </div>
      ${search === null ? nothing : this.renderSearch(search)}`;
  }

  private renderSearch(search: NeighbourSearch): TemplateResult {
    const { done, total, began, isOver, problem, failed, outputs, references, model, task } = search;
    const { route } = this.state;
    const left = timeLeft(began, done, total);
    if (!isOver)
      return html`${renderMeter('Pictures looked at', done, total)}<p class="muted">${count(done)} of ${plural(total, 'picture')}${left === '' ? '' : `, ${left}`}</p>`;
    return html`${problem === '' ? nothing : html`<p class="problem" role="alert">${icon('error', 16)} ${problem}</p>`}
      ${failed === 0 ? nothing : html`<p class="problem">${icon('warn', 16)} ${plural(failed, 'picture')} could not be looked at.</p>`}
      ${
        problem !== ''
          ? nothing
          : html`<p class="muted" data-testid="neighbours-done">${plural(total, 'picture')} of <bdi>${model}</bdi> and the benchmark, by ${task}; 1 is the same picture.</p>
            ${renderPairs('Outputs that look alike', 'neighbours-outputs', mostAlike(outputs, MAX_SHOWN), route)} ${renderPairs('Outputs that look like a picture of the benchmark', 'neighbours-references', mostAlike(references, MAX_SHOWN), route)}`
      }`;
  }
}

function renderPairs(title: string, id: string, pairs: readonly Alike[], route: Route): TemplateResult | typeof nothing {
  if (pairs.length === 0) return nothing;
  return html`<h4>${title}</h4>
    <ol data-testid=${id}>
      ${pairs.map(({ a, b, cosine }) => html`<li><b class="num">${cosine.toFixed(4)}</b>${renderLooked(a, route)}${renderLooked(b, route)}</li>`)}
    </ol>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-neighbours': JurorNeighbours;
  }
}
