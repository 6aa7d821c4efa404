/** The way from a view to its chapter of the manual. */
import { html, type TemplateResult } from 'lit';
import { store } from '../state/store';

/** A “?” behind a heading that opens a chapter, or a section of it. */
export function manualLink(chapter: string, section = ''): TemplateResult {
  return html`<a class="to-manual" href=${store.href({ view: 'manual', chapter, section })} aria-label="Manual: about this view" title="About this view, in the manual">?</a>`;
}
