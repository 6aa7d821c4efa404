/** What could change a number, in one line for each kind of finding, as the command line says it. */
import { html, nothing, type TemplateResult } from 'lit';
import { count, plural } from '../../state/format';
import type { FindingInShort } from '../../engine/types/FindingInShort';
import { icon } from '../icon/icon';

/** A summary that opens into the lines; nothing where there are none. */
export function renderNotices(notices: readonly FindingInShort[], more: TemplateResult | typeof nothing = nothing): TemplateResult | typeof nothing {
  if (notices.length === 0) return nothing;
  return html`<details data-testid="notices">
    <summary>${icon('warn', 16)} ${plural(notices.length, 'kind of finding', 'kinds of findings')} could change a number</summary>
    <ul>
      ${notices.map(
        ({ severity, code, count: number, text }) =>
          html`<li data-finding=${code}><strong>${severity === 'error' ? 'Error' : 'Warning'}</strong> <span dir="auto">${text}</span>${number === 1 ? nothing : ` (${count(number - 1)} more of this kind)`}</li>`,
      )}
    </ul>
    ${more}
  </details>`;
}
