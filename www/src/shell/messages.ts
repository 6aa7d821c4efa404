/** Passing messages, and the same for screen readers. */
import { html, nothing, type TemplateResult } from 'lit';
import { icon, type IconName } from '../components/icon/icon';
import type { Notice, State } from '../state/state';
import { store } from '../state/store';

const NOTICE_ICONS: Record<Notice['kind'], IconName> = { info: 'check', warn: 'warn', error: 'error' };

export function renderNotices(state: State): TemplateResult {
  return html`<div class="notices" role="region" aria-label="Messages">
    ${state.notices.map(
      ({ id, kind, text }) =>
        html`<div class="notice ${kind}" role=${kind === 'info' ? nothing : 'alert'}>
          ${icon(NOTICE_ICONS[kind])}<span>${text}</span>
          <button type="button" class="button quiet icon" aria-label="Dismiss" @click=${() => store.dismiss(id)}>${icon('close', 16)}</button>
        </div>`,
    )}
    <div class="visually-hidden" role="status" aria-live="polite">${announcement(state)}</div>
  </div>`;
}

function announcement({ notices, reading, engine, overview }: State): string {
  const last = notices.at(-1);
  if (last?.kind === 'info') return last.text;
  if (engine === 'loading') return 'The engine is starting.';
  if (reading === 'reading') return 'Reading files.';
  if (reading === 'done' && overview?.benchmark != null)
    return `${overview.benchmark.title} is loaded: ${overview.benchmark.samples} samples, ${overview.models.length} models.`;
  return '';
}
