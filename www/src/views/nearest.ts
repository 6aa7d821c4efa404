import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { count, plural } from '../state/format';
import { timeLeft } from '../state/left';
import { hrefOf } from '../state/links';
import { TASKS, type Alike, type NeighbourSearch } from '../state/look-alikes';
import { neighbours } from '../state/neighbours';
import { networks } from '../state/networks';
import type { State } from '../state/state';
import { base, controls, meter } from '../styles/base.styles';
import { forms } from '../styles/page.styles';
import { icon } from '../components/icon/icon';
import { renderMeter } from '../components/meter/meter';
import { looked, renderLooked } from '../components/neighbours/looked';

/**
 * @summary What each output of a sample looks like most, among the model's other outputs and the benchmark's pictures, by an open network.
 */
@customElement('juror-nearest')
export class JurorNearest extends LitElement {
  static override styles = [
    base,
    controls,
    meter,
    forms,
    looked,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 10px;
      }
      p {
        margin: 0;
      }
      ul {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 8px;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      .one {
        display: grid;
        max-width: 40rem;
        grid-template-columns: minmax(0, 1fr) 4.5em minmax(0, 1fr);
        gap: 8px;
        align-items: center;
      }
      h4 {
        margin: 0;
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property() sample = '';
  @property({ attribute: false }) models: readonly string[] = [];
  @property({ attribute: false }) state!: Pick<State, 'route'>;
  @state() private task = '';
  readonly #update = (): void => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    networks.addEventListener('change', this.#update);
    neighbours.addEventListener('change', this.#update);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    networks.removeEventListener('change', this.#update);
    neighbours.removeEventListener('change', this.#update);
  }

  override render(): TemplateResult {
    const tasks = TASKS.filter((task) => networks.ready.has(task));
    const task = tasks.find((one) => one === this.task) ?? tasks[0];
    if (task === undefined) {
      const href = hrefOf(this.state.route, { view: 'metrics' });
      return html`<p class="muted" data-testid="nearest-closed">A network tells how alike two pictures are. Open a pack for CLIP or DINO under <a href=${href}>Metrics</a>, Networks, and come back.</p>`;
    }
    return html`${
      tasks.length < 2
        ? nothing
        : html`<label class="row"
              ><span>By</span>
              <select class="field" data-testid="nearest-task" @change=${(event: Event) => (this.task = (event.target as HTMLSelectElement).value)}>
                ${tasks.map((one) => html`<option value=${one} ?selected=${one === task}>${one}</option>`)}
              </select></label
            >`
    }
      ${this.models.map((model) => this.renderModel(model, task))}`;
  }

  private renderModel(model: string, task: string): TemplateResult {
    const { search, isRunning } = neighbours;
    const found = neighbours.found(model, task);
    const isOwn = search?.model === model && search.task === task;
    return html`<section data-testid="nearest-model" aria-label=${model}>
      <h4><bdi>${model}</bdi></h4>
      ${found !== null ? this.renderFound(found) : isOwn && isRunning ? renderRunning(search) : this.renderStart(model, task, isOwn ? search.problem : '', isRunning)}
    </section>`;
  }

  private renderStart(model: string, task: string, problem: string, isRunning: boolean): TemplateResult {
    return html`${problem === '' ? nothing : html`<p class="problem" role="alert">${icon('error', 16)} ${problem}</p>`}
      <div class="toolbar">
        <button type="button" class="button" data-testid="nearest-start" ?disabled=${isRunning || networks.busy !== ''} @click=${() => void neighbours.start(task, model)}>Look through its outputs</button>
      </div>`;
  }

  private renderFound({ outputs, references, task, failed }: NeighbourSearch): TemplateResult {
    const own = (pairs: readonly Alike[]): Alike[] => pairs.filter(({ a }) => a.sample === this.sample);
    const [others, pictures] = [own(outputs), own(references)];
    return html`${failed === 0 ? nothing : html`<p class="problem">${icon('warn', 16)} ${plural(failed, 'picture')} could not be looked at.</p>`}
      ${others.length + pictures.length === 0 ? html`<p class="muted">Nothing is near: there is no output of this sample, or no other picture.</p>` : nothing}
      ${this.renderPairs('Nearest of the model’s other outputs', 'nearest-outputs', others, task)} ${this.renderPairs('Nearest picture of the benchmark', 'nearest-references', pictures, task)}`;
  }

  private renderPairs(title: string, id: string, pairs: readonly Alike[], task: string): TemplateResult | typeof nothing {
    if (pairs.length === 0) return nothing;
    const { route } = this.state;
    return html`<p class="muted">${title}, by ${task}; 1 is the same picture:</p>
      <ul data-testid=${id}>
        ${pairs.map(({ a, b, cosine }) => html`<li class="one">${renderLooked(a, route)}<b class="num">${cosine.toFixed(4)}</b>${renderLooked(b, route)}</li>`)}
      </ul>`;
  }
}

function renderRunning({ done, total, began }: NeighbourSearch): TemplateResult {
  const left = timeLeft(began, done, total);
  return html`${renderMeter('Pictures looked at', done, total)}
    <p class="muted">${count(done)} of ${plural(total, 'picture')}${left === '' ? '' : `, ${left}`}</p>
    <div class="toolbar"><button type="button" class="button" @click=${() => neighbours.stop()}>Stop</button></div>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-nearest': JurorNearest;
  }
}
