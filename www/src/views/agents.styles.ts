import { css } from 'lit';

/** What the agents' view has beside the Judge view's form, plan and job. */
export const styles = css`
  .make > summary {
    padding: 4px 0;
    font-weight: 550;
  }
  .make[open] > summary {
    margin-bottom: 8px;
  }
  .made {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px;
    padding: 16px;
  }
  .table {
    overflow-x: auto;
  }
  table {
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    padding: 4px 16px 4px 0;
    border-bottom: 1px solid var(--juror-line);
    text-align: left;
    white-space: nowrap;
  }
  td {
    text-align: right;
  }
  td small {
    color: var(--juror-text-3);
  }
  thead th:not(:first-child) {
    text-align: right;
  }
  .strips {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 16px;
  }
  .domains {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 14px;
    max-height: 160px;
    margin-top: 6px;
    overflow: auto;
  }
  .domains input {
    margin: 0 4px 0 0;
    vertical-align: -2px;
  }
  .segmented {
    justify-self: start;
  }
`;
