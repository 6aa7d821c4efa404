import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { count, plural, turnNumber } from '../../state/format';
import { neighbours, type Alike, type Looked } from '../../state/neighbours';
import { networks } from '../../state/networks';
import { NO_FILTER } from '../../state/router';
import { store } from '../../state/store';
import { base, controls, meter } from '../../styles/base.styles';
import { forms } from '../../styles/page.styles';
import { icon } from '../icon/icon';
import { renderMeter } from '../meter/meter';
import '../picture/picture';

/** Networks by whose features pictures are near to each other. */
const TASKS = ['clip', 'dino'];

/**
 * @summary Finds outputs that look alike, and outputs that look like a picture of the benchmark, by the features of an open network.
 */
@customElement('juror-neighbours')
export class JurorNeighbours extends LitElement {
  static override styles = [
    base,
    controls,
    meter,
    forms,
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
      figure {
        display: grid;
        grid-template-columns: 56px minmax(0, 1fr);
        gap: 8px;
        align-items: center;
        margin: 0;
      }
      juror-picture {
        width: 56px;
        height: 56px;
      }
      figcaption {
        overflow-wrap: anywhere;
        font-size: var(--juror-size-s);
      }
    `,
  ];

  /** Models whose outputs can be looked through. */
  @property({ attribute: false }) models: readonly string[] = [];
  /** What outputs are held against: golden answers and references. */
  @property({ attribute: false }) against: readonly string[] = [];
  @property({ type: Boolean }) disabled = false;
  @state() private model = '';
  @state() private task = '';
  readonly #update = (): void => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    neighbours.addEventListener('change', this.#update);
    networks.addEventListener('change', this.#update);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    neighbours.removeEventListener('change', this.#update);
    networks.removeEventListener('change', this.#update);
  }

  override render(): TemplateResult | typeof nothing {
    const tasks = TASKS.filter((task) => networks.ready.has(task));
    const { search } = neighbours;
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
          neighbours.isRunning
            ? html`<button type="button" class="button" data-testid="neighbours-stop" @click=${() => neighbours.stop()}>Stop</button>`
            : html`<button type="button" class="button" data-testid="neighbours-start" ?disabled=${this.disabled || task === ''} @click=${() => void neighbours.start(task, model, [...this.against])}>Look through its outputs</button>`
        }
      </div>
      ${search === null ? nothing : this.renderSearch()}`;
  }

  private renderSearch(): TemplateResult | typeof nothing {
    const { search } = neighbours;
    if (search === null) return nothing;
    const { done, total, isOver, problem, failed, outputs, references, model, task } = search;
    if (!isOver) return html`${renderMeter('Pictures looked at', done, total)}<p class="muted">${count(done)} of ${plural(total, 'picture')}</p>`;
    return html`${problem === '' ? nothing : html`<p class="problem" role="alert">${icon('error', 16)} ${problem}</p>`}
      ${failed === 0 ? nothing : html`<p class="problem">${icon('warn', 16)} ${plural(failed, 'picture')} could not be looked at.</p>`}
      ${
        problem !== ''
          ? nothing
          : html`<p class="muted" data-testid="neighbours-done">${plural(total, 'picture')} of <bdi>${model}</bdi> and the benchmark, by ${task}; 1 is the same picture.</p>
            ${renderPairs('Outputs that look alike', 'neighbours-outputs', outputs)} ${renderPairs('Outputs that look like a picture of the benchmark', 'neighbours-references', references)}`
      }`;
  }
}

function renderPairs(title: string, id: string, pairs: readonly Alike[]): TemplateResult | typeof nothing {
  if (pairs.length === 0) return nothing;
  return html`<h4>${title}</h4>
    <ol data-testid=${id}>
      ${pairs.map(({ a, b, cosine }) => html`<li><b class="num">${cosine.toFixed(4)}</b>${renderLooked(a)}${renderLooked(b)}</li>`)}
    </ol>`;
}

function renderLooked({ file, sample, turn, number, isGolden }: Looked): TemplateResult {
  const words = `${sample}${turn === 0 ? '' : `, turn ${turnNumber(turn)}`}${number === null ? '' : isGolden ? ', golden answer' : `, picture ${number}`}`;
  return html`<figure>
    <juror-picture .file=${file} alt=${words}></juror-picture>
    <figcaption><a href=${store.href({ view: 'sample', id: sample, turn: turn === 0 ? null : turn, models: null, filter: NO_FILTER })}><bdi>${words}</bdi></a></figcaption>
  </figure>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-neighbours': JurorNeighbours;
  }
}
