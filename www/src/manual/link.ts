/** The way from a view to its chapter of the manual. */
import { html, type TemplateResult } from 'lit';
import { hrefOf } from '../state/links';
import type { Route } from '../state/router';

/** A “?” behind a heading that opens a chapter, or a section of it. */
export function manualLink(route: Route, chapter: string, section = ''): TemplateResult {
  return html`<a class="to-manual" href=${hrefOf(route, { view: 'manual', chapter, section })} aria-label="Manual: about this view" title="About this view, in the manual">?</a>`;
}
