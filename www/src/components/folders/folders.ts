/** Where the files of each benchmark lie, as its protocol declares it. */
import { css, html, type TemplateResult } from 'lit';
import { SUITES } from '../../engine/types/suites';

export const foldersStyles = css`
  .folders {
    overflow-x: auto;
  }
  .folders table {
    border-collapse: collapse;
    min-width: 100%;
  }
  .folders th,
  .folders td {
    padding: 7px 16px 7px 0;
    border-top: 1px solid var(--juror-line);
    text-align: left;
    vertical-align: top;
    font-weight: 400;
  }
  .folders td {
    min-width: 18ch;
  }
  .folders thead th {
    border-top: 0;
    color: var(--juror-text-3);
    font-size: var(--juror-size-s);
  }
`;

const listed = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** The benchmarks that Juror knows: `A, B or C`. */
export const KNOWN_BENCHMARKS: string = listed.format(SUITES.map(({ title }) => title));

/** A table with one row for each benchmark. */
export function renderFolders(): TemplateResult {
  return html`<div class="folders" tabindex="0" role="region" aria-label="Folder layouts">
    <table>
      <thead>
        <tr><th scope="col">Benchmark</th><th scope="col">Its folder</th><th scope="col">A model’s outputs and verdicts</th><th scope="col">The authors’ judge texts</th></tr>
      </thead>
      <tbody>
        ${SUITES.map(
          ({ title, folders }) =>
            html`<tr><th scope="row">${title}</th><td class="path">${folders.benchmark}</td><td class="path">${folders.outputs}</td><td class="path">${folders.judge_texts || '–'}</td></tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
