/** The form of samples that are drawn from originals. */
import { html, nothing, type TemplateResult } from 'lit';
import { count } from '../../state/format';
import type { MatrixCell } from '../../engine/types/MatrixCell';
import type { OriginalsAsked } from '../../engine/types/OriginalsAsked';
import { checkField, ownFiles, wholeOf, type Put } from './fields';
import { form } from './form';

const RULES: [OriginalsAsked['rule'], string][] = [
  ['kinds', 'the benchmark’s 33: what subjects, styles and persons give'],
  ['matrix', 'the 44 legal ones'],
  ['matrix_four', 'the 44, and those of four references: 51'],
  ['released', 'as the authors’ program draws, one for each original'],
];
const FILTERS: [OriginalsAsked['filter'], string][] = [
  ['paper', 'none with a rating below 3; what is not rated stays'],
  ['released', 'by the ratings that the authors’ program looks at'],
];
/** What a cell of the matrix shows, and says. */
const CELLS: Record<MatrixCell['cell'], [string, string]> = {
  possible: ['✓', 'go together'],
  impossible: ['×', 'exclude each other'],
  dependency: ['needs', 'the first needs the second, or the other that names the thing'],
  dash: ['–', 'printed as a dash'],
};

/** Which types of references go together, and the cell that is explained. */
export interface Matrix {
  cells: readonly MatrixCell[];
  explained: MatrixCell | null;
  explain: (cell: MatrixCell) => void;
}

export function originalsFields(put: Put, matrix: Matrix): TemplateResult {
  const choose = <T extends string>(label: string, id: string, values: [T, string][], value: T, use: (value: T) => void): TemplateResult =>
    html`<label class="row"
      ><span>${label}</span>
      <select class="field" data-testid=${id} @change=${(event: Event) => use((event.target as HTMLSelectElement).value as T)}>
        ${values.map(([own, words]) => html`<option value=${own} ?selected=${own === value}>${words}</option>`)}
      </select></label
    >`;
  return html`${choose('Combinations', 'make-rule', RULES, form.rule, (rule) => put({ rule }))}
    ${choose('Good enough', 'make-filter', FILTERS, form.filter, (filter) => put({ filter }))}
    <div class="row">
      <span id="asks">Models are asked</span>
      <span class="subset" role="group" aria-labelledby="asks">
        ${checkField(put, 'rate', 'make-rate', 'for ratings that lack')} ${checkField(put, 'rewrite', 'make-rewrite', 'to rewrite each instruction in somebody’s voice')}
      </span>
    </div>
    <label class="row"
      ><span>Of each combination</span>
      <input class="field narrow" type="number" min="0" max="100000" data-testid="make-quota" .value=${String(form.quota)} @input=${(event: Event) => put({ quota: wholeOf(event) })} />
      <small>So many samples, each original once; 0 makes one sample of each original.</small></label
    >
    ${ownFiles('Sentences', 'make-templates', form.templates === null ? [] : [form.templates], 'Ours, or the authors’ condition_mapping.json', false, ([templates = null]) => put({ templates }))}
    ${form.rewrite ? ownFiles('Voices', 'make-voices', form.voices === null ? [] : [form.voices], 'Our forty, or a list of your own: JSON, or one on each line', false, ([voices = null]) => put({ voices })) : nothing}
    <div class="row"><span></span><span class="subset">${checkField(put, 'isChecked', 'make-checked', 'Leave out references that are not drawn as their type must be')}</span></div>
    <p class="small muted">The folder has original/ with pictures and their references by type beside it: depth/, sketch/, mask/, subject/, caption/ and so on. Edge maps that lack are computed.</p>
    ${matrixTable(matrix)}`;
}

/** Which types go together; a cell that is pressed is explained below. */
function matrixTable({ cells, explained, explain }: Matrix): TemplateResult {
  const types = [...new Set(cells.map(({ row }) => row))];
  const name = (type: string): string => type.replace('_', ' ');
  return html`<details data-testid="make-matrix">
    <summary>Which references go together</summary>
    <div class="scroll" tabindex="0" role="group" aria-label="Which references go together">
      <table class="matrix">
        <thead>
          <tr><td></td>${types.map((type) => html`<th scope="col">${name(type)}</th>`)}</tr>
        </thead>
        <tbody>
          ${types.map(
            (row) =>
              html`<tr><th scope="row">${name(row)}</th>${cells
                .filter((cell) => cell.row === row)
                .map(
                  (cell) =>
                    html`<td><button type="button" class="button tiny quiet cell ${cell.cell}" aria-label="${name(row)} and ${name(cell.column)}: ${CELLS[cell.cell][1]}" aria-pressed=${cell === explained ? 'true' : 'false'} @click=${() => explain(cell)}>${CELLS[cell.cell][0]}</button></td>`,
                )}</tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="small" aria-live="polite" data-testid="make-told">
      ${explained === null ? 'Press a cell for the reason.' : html`${explained.told} ${explained.combinations.length === 0 ? nothing : html`In ${count(explained.combinations.length)} of the 33 combinations: ${explained.combinations.join(', ')}.`}`}
    </p>
  </details>`;
}
