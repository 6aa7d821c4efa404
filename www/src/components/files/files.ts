import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { OTHER_BENCHMARKS, count, plural } from '../../state/format';
import type { SourceProblem } from '../../engine/protocol';
import type { Overview } from '../../engine/types/Overview';
import type { Problem } from '../../engine/types/Problem';
import { base, controls } from '../../styles/base.styles';
import { icon } from '../icon/icon';

const RANK = { error: 0, warning: 1, note: 2 };
const ICONS = { error: 'error', warning: 'warn', note: 'note' } as const;
const FIRST = 20;

/** The benchmark of this file is to count. */
export class ChooseBenchmark extends Event {
  constructor(readonly path: string) {
    super('choose-benchmark', { bubbles: true, composed: true });
  }
}

/**
 * @summary Findings about the files themselves, and unrecognised files.
 * @fires choose-benchmark - A benchmark that is not shown is to be shown; `path` is its file's.
 */
@customElement('juror-files')
export class JurorFiles extends LitElement {
  static override styles = [
    base,
    controls,
    css`
      li.problem {
        display: grid;
        grid-template-columns: 20px minmax(0, 1fr);
        gap: 10px;
        padding: 10px 16px;
        border-top: 1px solid var(--juror-line);
      }
      li.problem:first-child {
        border-top: 0;
      }
      .error > .icon {
        color: var(--juror-bad);
      }
      .warning > .icon {
        color: var(--juror-warn);
      }
      .note > .icon {
        color: var(--juror-text-3);
      }
      .where {
        color: var(--juror-text-3);
        font-size: var(--juror-size-s);
      }
      .hint {
        color: var(--juror-text-2);
      }
      details,
      .more,
      .none {
        padding: 12px 16px;
        border-top: 1px solid var(--juror-line);
        color: var(--juror-text-2);
      }
      .none {
        border-top: 0;
      }
      details ul {
        max-height: 320px;
        overflow: auto;
        margin-top: 8px;
      }
    `,
  ];

  @property({ attribute: false }) overview!: Overview;
  @property({ attribute: false }) sourceProblems: SourceProblem[] = [];
  @state() private all = false;

  override render(): TemplateResult {
    const own: Problem[] = this.sourceProblems.map(({ path, message, hint }) => ({
      severity: 'warning',
      code: 'source',
      path,
      place: '',
      message,
      hint: hint ?? '',
    }));
    const problems = [...own, ...this.overview.problems].sort((a, b) => RANK[a.severity] - RANK[b.severity]);
    const { num_unknown_files: unknown, unknown_files: names } = this.overview;
    const shown = this.all ? problems : problems.slice(0, FIRST);
    return html`${problems.length === 0 ? html`<p class="none">No problems found.</p>` : html`<ul>${shown.map((problem) => renderProblem(problem))}</ul>`}
    ${
      shown.length === problems.length
        ? nothing
        : html`<p class="more"><button type="button" class="link" @click=${() => (this.all = true)}>Show all ${count(problems.length)}</button></p>`
    }
    ${
      unknown === 0
        ? nothing
        : html`<details>
          <summary>${plural(unknown, 'unrecognised file')}</summary>
          <ul class="small">
            ${names.map((name) => html`<li class="path">${name}</li>`)}
            ${unknown > names.length ? html`<li class="muted">… and ${count(unknown - names.length)} more</li>` : nothing}
          </ul>
        </details>`
    }`;
  }
}

function renderProblem(problem: Problem): TemplateResult {
  return html`<li class="problem ${problem.severity}" data-testid="problem" data-code=${problem.code}>
    ${icon(ICONS[problem.severity])}
    <div>
      <span class="visually-hidden">${problem.severity}:</span>
      <p class="message" dir="auto">${problem.message}</p>
      <p class="where"><bdi class="path">${problem.path}</bdi>${problem.place === '' ? nothing : html`, <bdi>${problem.place}</bdi>`}</p>
      ${problem.hint === '' ? nothing : html`<p class="hint small" dir="auto">${problem.hint}</p>`}
      ${
        OTHER_BENCHMARKS.includes(problem.code)
          ? html`<button type="button" class="button tiny" data-testid="choose-benchmark" @click=${(event: Event) => event.currentTarget?.dispatchEvent(new ChooseBenchmark(problem.path))}>Use this benchmark</button>`
          : nothing
      }
    </div>
  </li>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-files': JurorFiles;
  }
}
