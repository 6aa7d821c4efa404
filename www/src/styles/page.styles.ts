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
