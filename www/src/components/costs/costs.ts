import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { Query } from '../../state/query';
import { MIN_FOR_INTERVAL, count } from '../../state/format';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import { messageOf } from '../../engine/errors';
import type { CostQuery } from '../../engine/types/CostQuery';
import type { CostRow } from '../../engine/types/CostRow';
import type { Costs } from '../../engine/types/Costs';
import type { Level } from '../../engine/types/Level';
import type { Words } from '../../engine/types/Words';
import { manualLink } from '../../manual/link';
import { base, controls } from '../../styles/base.styles';
import { figures, tables } from '../../styles/page.styles';
import { download, notify } from '../events';
import { icon } from '../icon/icon';
import { renderChoice, sidesStyles } from '../sides/sides';

const LEVELS: readonly [Level, string][] = [
  ['90', '90 %'],
  ['95', '95 %'],
  ['99', '99 %'],
];

/**
 * @summary Seconds that outputs took, of two models paired by sample, beside what the paper prints of its own method.
 */
@customElement('juror-costs')
export class JurorCosts extends LitElement {
  static override styles = [
    base,
    controls,
    tables,
    figures,
    sidesStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 12px;
        padding: 14px 16px 16px;
      }
      label.button input {
        position: absolute;
        width: 1px;
        height: 1px;
        opacity: 0;
      }
      label.button:focus-within {
        outline: 2px solid var(--juror-accent);
        outline-offset: 2px;
      }
      ul {
        margin: 0;
        padding-left: 20px;
      }
    `,
  ];

  @property({ attribute: false }) words!: Words;
  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'engine' | 'version' | 'route'>;
  readonly #costs = new Query<Costs>(this);
  @state() private file: { path: string; text: string } | null = null;
  @state() private base = '';
  @state() private other = '';
  @state() private level: Level = '95';
  @state() private problem = '';

  private get query(): CostQuery | null {
    const { file, base, other, level } = this;
    return file === null ? null : { ...file, base, other, scope: '', level };
  }

  protected override willUpdate(): void {
    const { version, engine } = this.state;
    const { query } = this;
    if (engine !== 'ready' || query === null) return;
    this.#costs.ask(`${version} ${JSON.stringify(query)}`, (signal) => this.client.costs(query, signal));
  }

  override render(): TemplateResult {
    const found = this.#costs.value;
    const error = this.problem === '' ? (this.#costs.error?.message ?? '') : this.problem;
    return html`<div class="titled"><h2>Seconds</h2>${manualLink(this.state.route, 'attention', 'what-it-costs')}</div>
      <p class="small muted">
        What a method costs in time: CSV with the columns model, sample and seconds; two of its models are compared on the ${this.words.samples} that both have seconds of. The file stays in this tab.
      </p>
      <div class="sides">
        <label class="button tiny">Choose a file…<input type="file" accept=".csv,text/csv" data-testid="seconds-file" aria-label="File of seconds" @change=${(event: Event) => void this.take(event)} /></label>
        ${this.file === null ? nothing : html`<span class="path">${this.file.path}</span>`}
        ${
          found === null
            ? nothing
            : html`${renderChoice(
                'Without',
                found.models.map((name) => [name, name]),
                found.base,
                (name) => (this.base = name),
                'seconds-base',
              )}
              ${renderChoice(
                'With',
                found.models.map((name) => [name, name]),
                found.other,
                (name) => (this.other = name),
                'seconds-other',
              )}
              ${renderChoice('Intervals', LEVELS, this.level, (level) => (this.level = level as Level))}
              <button type="button" class="button tiny" data-testid="seconds-csv" @click=${() => this.csv()}>${icon('download', 16)}CSV</button>`
        }
      </div>
      ${error === '' ? nothing : html`<p class="problem" role="alert">${icon('error')} ${error}</p>`} ${found === null || error !== '' ? nothing : this.renderFound(found)}`;
  }

  private renderFound(found: Costs): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Seconds of an output">
        <table data-testid="seconds-table">
          <thead>
            <tr>
              <th scope="col" class="text">${found.scope === '' ? 'Group' : capital(found.scope)}</th><th scope="col">${found.base}, s</th><th scope="col">${found.other}, s</th><th scope="col">Difference, s</th><th scope="col">in percent</th>
              <th scope="col">${capital(this.words.samples)}</th>
            </tr>
          </thead>
          <tbody>
            ${found.rows.map((row) => renderRow(row))}
            ${found.printed.map(
              ({ base, other, key, base_seconds: first, other_seconds: second, source }) =>
                html`<tr>
                  <th scope="row">${key}<span class="interval">printed: ${base}, ${other} (${source})</span></th>
                  <td>${first.toFixed(2)}</td><td>${second.toFixed(2)}</td><td>${signed(second - first, 2)}</td><td>${signed(100 * (second / first - 1), 1)} %</td><td>–</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${found.problems.length === 0 ? nothing : html`<ul class="small" data-testid="seconds-problems">${found.problems.map((problem) => html`<li>${problem}</li>`)}</ul>`}`;
  }

  private async take(event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (file === undefined) return;
    this.problem = '';
    try {
      this.file = { path: file.name, text: await file.text() };
      [this.base, this.other] = ['', ''];
    } catch (error) {
      this.problem = `${file.name}: ${messageOf(error)}`;
    }
    // The same file may be chosen again after it was mended.
    input.value = '';
  }

  private csv(): void {
    const { query } = this;
    if (query === null) return;
    this.client.costsCsv(query).then(
      (bytes) => download(this, new Blob([bytes], { type: 'text/csv' }), 'csv', 'seconds'),
      (error: unknown) => notify(this, 'error', `The seconds could not be written: ${messageOf(error)}`),
    );
  }
}

function renderRow({ key, n, expected, base, other, difference, share }: CostRow): TemplateResult {
  const ends =
    difference === null
      ? ''
      : difference.low !== null && difference.high !== null
        ? `[${signed(difference.low, 2)}, ${signed(difference.high, 2)}]`
        : n < MIN_FOR_INTERVAL
          ? 'n too small'
          : '–';
  return html`<tr>
    <th scope="row">${key === '' ? 'all' : key}</th>
    <td>${seconds(base)}</td><td>${seconds(other)}</td>
    <td>${difference === null ? '–' : signed(difference.value, 2)}<span class="interval">${ends}</span></td>
    <td>${share === null ? '–' : `${signed(100 * share, 1)} %`}</td>
    <td>${count(n)}<span class="interval">of ${count(expected)}</span></td>
  </tr>`;
}

const seconds = (value: number | null): string => (value === null ? '–' : value.toFixed(2));

/** A number with its sign. */
function signed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : `${value < 0 ? '−' : '+'}${text}`;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

declare global {
  interface HTMLElementTagNameMap {
    'juror-costs': JurorCosts;
  }
}
