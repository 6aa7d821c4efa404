import { css } from 'lit';

/** The panel of models that were made here. */
export const made = css`
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
`;
