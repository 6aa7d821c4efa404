/** Counts as bars: a table whose rows are as long as their numbers. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { count } from '../../state/format';
import { vars } from '../../state/vars';

/** One bar. */
export interface Bar {
  label: string;
  n: number;
  /** 0 to 1, written behind the number. */
  share: number | null;
}

export const bars = css`
  .bars {
    width: 100%;
    min-width: 0;
    border-collapse: collapse;
  }
  .bars th,
  .bars td {
    padding: 3px 0;
    border: 0;
    vertical-align: middle;
  }
  .bars th[scope='row'] {
    width: 40%;
    padding-right: 10px;
    text-align: left;
    font-weight: 400;
    white-space: normal;
    overflow-wrap: anywhere;
  }
  /* One width for all rows, so that bars are to one scale. */
  .bars td.n,
  .bars td.share {
    width: 1%;
    padding-left: 8px;
    text-align: right;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .bar {
    display: block;
    height: 12px;
    width: max(1px, calc(var(--part) * 100%));
    border-radius: 2px;
    background: var(--juror-tint);
  }
`;

/** `12.5 %`. */
export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Rows with their bars; the longest one is that of `most`. */
export function renderBars(
  name: string,
  heads: readonly [string, string],
  rows: readonly Bar[],
  most = Math.max(1, ...rows.map(({ n }) => n)),
): TemplateResult {
  const hasShares = rows.some(({ share }) => share !== null);
  return html`<table class="bars" aria-label=${name}>
    <thead class="visually-hidden">
      <tr><th scope="col">${heads[0]}</th><td></td><th scope="col">${heads[1]}</th>${hasShares ? html`<th scope="col">share</th>` : nothing}</tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ label, n, share }) =>
          html`<tr>
            <th scope="row" dir="auto">${label}</th>
            <td aria-hidden="true">${n === 0 ? nothing : html`<span class="bar" ${vars({ '--part': n / most })}></span>`}</td>
            <td class="n">${count(n)}</td>
            ${hasShares ? html`<td class="share muted small">${share === null ? '–' : percent(share)}</td>` : nothing}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
