import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { AgainstInfo } from '../../engine/types/AgainstInfo';
import { count, plural } from '../../state/format';
import { timeLeft } from '../../state/left';
import type { SetDistance, SetRun } from '../../state/set-distances';
import { base, controls, meter } from '../../styles/base.styles';
import { forms } from '../../styles/page.styles';
import { icon } from '../icon/icon';
import { renderMeter } from '../meter/meter';

/** Features of Inception-v3: with fewer pictures than these a covariance is not of full rank. */
const NUM_FEATURES = 2048;

/** The distances of all models' outputs from a kind of pictures are to be computed. */
export class DistanceEvent extends Event {
  constructor(readonly against: string) {
    super('distance');
  }
}

/**
 * @summary Fréchet distances of whole sets: each model's outputs and pictures of the benchmark, by an open pack of Inception.
 * @event distance - All models' distances are to be computed; carries what outputs are compared with.
 * @event stop - The run is to end.
 * @event export - The distances are to be downloaded as JSON.
 */
@customElement('juror-set-distances')
export class JurorSetDistances extends LitElement {
  static override styles = [
    base,
    controls,
    meter,
    forms,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 10px;
        padding-top: 10px;
        border-top: 1px solid var(--juror-line);
      }
      :host([hidden]) {
        display: none;
      }
      h3,
      p {
        margin: 0;
        overflow-wrap: anywhere;
      }
      .scroll {
        overflow-x: auto;
      }
      table {
        width: 100%;
        border-collapse: collapse;
      }
      th,
      td {
        padding: 4px 8px;
        border-bottom: 1px solid var(--juror-line);
        text-align: left;
      }
      th[scope='row'] {
        overflow-wrap: anywhere;
      }
      td.right,
      th.right {
        text-align: right;
        white-space: nowrap;
      }
    `,
  ];

  /** Whether a pack for Inception is open. */
  @property({ type: Boolean }) ready = false;
  /** How far the run came, which is written into one object; `null` before it began. */
  @property({ attribute: false, hasChanged: () => true }) run: SetRun | null = null;
  /** What outputs can be compared with: golden answers and references. */
  @property({ attribute: false }) against: readonly AgainstInfo[] = [];
  @property({ type: Boolean }) disabled = false;
  @state() private chosen = '';

  override render(): TemplateResult | typeof nothing {
    const { run, against } = this;
    if ((!this.ready && run === null) || against.length === 0) return nothing;
    const chosen = against.find(({ id }) => id === this.chosen) ?? against[0];
    return html`<h3>Fréchet distance of sets</h3>
      <p class="muted">How far the outputs of each model are from the benchmark’s pictures as a whole, by the features of Inception-v3; lower is nearer. It is no number of one output, and enters no score.</p>
      <label class="row"
        ><span>Outputs and</span>
        <select class="field" data-testid="sets-against" @change=${(event: Event) => (this.chosen = (event.target as HTMLSelectElement).value)}>
          ${against.map(({ id, label }) => html`<option value=${id} ?selected=${id === chosen?.id}>${label}</option>`)}
        </select></label
      >
      <div class="toolbar">
        ${
          run?.isOver === false
            ? html`<button type="button" class="button" data-testid="sets-stop" @click=${() => this.dispatchEvent(new Event('stop'))}>Stop</button>`
            : html`<button type="button" class="button" data-testid="sets-start" ?disabled=${this.disabled || !this.ready} @click=${() => this.dispatchEvent(new DistanceEvent(chosen?.id ?? ''))}>Compute all models’ distances</button>`
        }
        ${run === null || run.rows.length === 0 ? nothing : html`<button type="button" class="button" data-testid="sets-export" @click=${() => this.dispatchEvent(new Event('export'))}>${icon('download')}Distances as JSON</button>`}
      </div>
      ${run === null ? nothing : this.renderRun(run)}`;
  }

  private renderRun(run: SetRun): TemplateResult {
    const { done, total, began, isOver, problem, rows } = run;
    const left = timeLeft(began, done, total);
    const told = this.against.find(({ id }) => id === run.against)?.label ?? run.against;
    return html`${
      isOver
        ? nothing
        : html`${renderMeter('Pictures looked at', done, total)}<p class="muted" data-testid="sets-done">${
            total > 0 && done === total ? 'Computing the distance…' : `${count(done)} of ${plural(total, 'picture')}${left === '' ? '' : `, ${left}`}`
          }</p>`
    }
    ${problem === '' ? nothing : html`<p class="problem" role="alert">${icon('error', 16)} ${problem}</p>`}
    ${
      rows.length === 0
        ? nothing
        : html`<div class="scroll" tabindex="0" role="region" aria-label="Distances, scrollable">
              <table data-testid="sets-table">
                <thead>
                  <tr><th scope="col">Model</th><th scope="col" class="right">Distance ↓</th><th scope="col" class="right">Outputs</th><th scope="col" class="right">${told}</th></tr>
                </thead>
                <tbody>${rows.map(renderRow)}</tbody>
              </table>
            </div>
            ${renderCautions(rows)}`
    }`;
  }
}

function renderRow({ model, value, candidate, reference, problem }: SetDistance): TemplateResult {
  return html`<tr data-model=${model}>
    <th scope="row"><bdi>${model}</bdi>${problem === '' ? nothing : html`<br /><span class="problem small">${icon('warn', 16)} ${problem}</span>`}</th>
    <td class="num right">${value === null ? '–' : value.toPrecision(6)}</td>
    <td class="num right">${count(candidate)}</td>
    <td class="num right">${count(reference)}</td>
  </tr>`;
}

/** What of these distances is not comparable, and which network they are of. */
function renderCautions(rows: readonly SetDistance[]): TemplateResult {
  const there = rows.filter(({ value }) => value !== null);
  const sizes = new Set(there.map(({ candidate, reference }) => `${candidate} ${reference}`));
  const least = Math.min(...there.map(({ candidate, reference }) => Math.min(candidate, reference)));
  return html`${sizes.size < 2 ? nothing : html`<p class="problem" data-testid="sets-sizes">${icon('warn', 16)} These sets are not of one size, and the distance grows as a set shrinks: compare only models with the same number of pictures.</p>`}
    ${there.length === 0 || least >= NUM_FEATURES ? nothing : html`<p class="muted small">A set of fewer than ${count(NUM_FEATURES)} pictures makes the distance too large; published numbers are of many thousands.</p>`}
    ${rows[0] === undefined ? nothing : html`<p class="muted small" dir="auto" data-testid="sets-network">${rows[0].network}</p>`}`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-set-distances': JurorSetDistances;
  }
}
