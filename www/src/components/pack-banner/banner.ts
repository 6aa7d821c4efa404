/** What is said of evidence packs above everything else: how it looks, and how it leads to samples. */
import { css, html } from 'lit';
import { hrefOf } from '../../state/links';
import { NO_FILTER, type Route } from '../../state/router';
import type { LinkTo } from './verification';

export const styles = css`
  section {
    display: grid;
    /* A list that is wider scrolls by itself. */
    grid-template-columns: minmax(0, 1fr);
    gap: 6px;
    padding: 10px max(16px, calc((100vw - var(--juror-width, 1400px)) / 2));
    border-bottom: 1px solid var(--juror-line);
    background: var(--juror-surface-2);
  }
  .small {
    margin: 0;
    overflow-wrap: anywhere;
  }
`;

/** Links to the samples that findings are about, as a route leads to them. */
export const linksFrom =
  (route: Route): LinkTo =>
  (sample, turn) =>
    html`<a href=${hrefOf(route, { view: 'sample', id: sample, turn, models: null, filter: NO_FILTER })}>sample ${sample}</a>`;
