/** What the views that act have in common: a title with a paragraph, warnings, and rows of a form. */
import { css } from 'lit';

export const page = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 16px;
  }
  .lead {
    max-width: 80ch;
    margin-top: 6px;
    color: var(--juror-text-2);
  }
  .problem {
    padding: 10px 12px;
    border-radius: var(--juror-radius);
    background: var(--juror-warn-soft);
    color: var(--juror-warn);
    overflow-wrap: anywhere;
  }
`;

/** A form beside what it leads to; `--row-label` is the width of its labels. */
export const forms = css`
  .columns {
    display: grid;
    grid-template-columns: var(--columns);
    gap: 16px;
    align-items: start;
  }
  .row {
    display: grid;
    grid-template-columns: var(--row-label) minmax(0, 1fr);
    gap: 2px 12px;
    align-items: center;
  }
  .row:has(> .choices) {
    align-items: start;
  }
  /* Names may be longer than a line, without a place to break. */
  .choices label,
  .check {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .row > small {
    grid-column: 2;
    color: var(--juror-text-3);
    font-size: var(--juror-size-s);
  }
  .row > span:first-child {
    color: var(--juror-text-2);
  }
  fieldset {
    display: grid;
    gap: 12px;
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  legend {
    padding: 0 0 8px;
    font-size: var(--juror-size-l);
    font-weight: 650;
  }
  @media (max-width: 760px) {
    .columns,
    .row {
      grid-template-columns: minmax(0, 1fr);
    }
    .row > small {
      grid-column: 1;
    }
  }
`;

/** Narrow fields, and boxes and buttons of which some are chosen, side by side. */
export const chosen = css`
  .narrow {
    width: 120px;
  }
  .choices,
  .subset {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 16px;
  }
  input[type='checkbox'],
  input[type='radio'] {
    margin: 0 4px 0 0;
    vertical-align: -2px;
  }
`;

/** Tables of figures, which scroll sideways where they are wider than their place. */
export const tables = css`
  .scroll {
    overflow-x: auto;
  }
  table {
    border-collapse: collapse;
    min-width: 100%;
  }
  th,
  td {
    padding: 6px 14px 6px 0;
    border-top: 1px solid var(--juror-line);
    text-align: right;
    font-weight: 400;
    font-variant-numeric: tabular-nums;
  }
  th[scope='row'],
  .text {
    text-align: left;
  }
  thead th {
    border-top: 0;
    color: var(--juror-text-3);
    font-size: var(--juror-size-s);
  }
`;

/** Tables of figures with their intervals below them, of which one line may be the one that is looked at. */
export const figures = css`
  caption {
    padding: 4px 0;
    text-align: left;
    font-weight: 600;
  }
  th,
  td {
    white-space: nowrap;
  }
  .interval {
    display: block;
    color: var(--juror-text-3);
    font-size: var(--juror-size-s);
  }
  tr.here th,
  tr.here td {
    background: var(--juror-accent-soft);
  }
`;

/** A button that is a field of files. */
export const picks = css`
  .pick {
    position: relative;
  }
  .pick:focus-within {
    outline: 2px solid var(--juror-accent);
    outline-offset: 2px;
  }
`;
