/** Fields that the forms of all benchmarks have. */
import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../../components/icon/icon';
import { form, type Form } from './form';

/** Puts what was chosen into the form. */
export type Put = (part: Partial<Form>) => void;

export const wholeOf = (event: Event): number => Math.max(0, Math.trunc(Number((event.target as HTMLInputElement).value) || 0));

export function checkField(
  put: Put,
  name: 'rate' | 'rewrite' | 'isChecked' | 'labels' | 'asksModel' | 'review' | 'judgeCheckpoints',
  id: string,
  words: string,
): TemplateResult {
  return html`<label
    ><input type="checkbox" data-testid=${id} .checked=${form[name]} @change=${(event: Event) => put({ [name]: (event.target as HTMLInputElement).checked })} /> ${words}</label
  >`;
}

/** Files of one's own in the place of ours. */
export function ownFiles(label: string, id: string, chosen: readonly File[], hint: string, many: boolean, put: (files: File[]) => void): TemplateResult {
  const take = (event: Event): void => {
    const field = event.target as HTMLInputElement;
    put([...(field.files ?? [])]);
    field.value = '';
  };
  return html`<div class="row">
    <span id=${`${id}-label`}>${label}</span>
    <span class="toolbar">
      <label class="button tiny pick">Choose…<input type="file" accept=".txt,.json" ?multiple=${many} class="visually-hidden" data-testid=${id} aria-describedby=${`${id}-label`} @change=${take} /></label>
      ${chosen.length === 0 ? nothing : html`<bdi>${chosen.map(({ name }) => name).join(', ')}</bdi> <button type="button" class="button tiny quiet" aria-label="Leave out: ${label}" @click=${() => put([])}>${icon('close', 16)}</button>`}
    </span>
    <small>${hint}.</small>
  </div>`;
}
