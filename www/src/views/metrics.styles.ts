import { css } from 'lit';

export const styles = css`
  .metrics {
    display: grid;
    gap: 8px;
  }
  .group {
    color: var(--juror-text-2);
    font-weight: 650;
  }
  .metric {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 8px;
    align-items: start;
  }
  .metric input {
    margin-top: 4px;
  }
  .metric small {
    display: block;
    color: var(--juror-text-2);
    font-size: var(--juror-size-s);
  }
  .metrics .fold {
    padding-top: 0;
    border-top: 0;
  }
  .pack {
    display: grid;
    gap: 2px;
    padding: 8px 0;
    border-top: 1px solid var(--juror-line);
  }
  .pack p {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .pack button {
    justify-self: start;
  }
  .scroll {
    overflow-x: auto;
  }
  table {
    width: 100%;
    border-collapse: collapse;
  }
  th,
  td {
    padding: 4px 8px;
    border-bottom: 1px solid var(--juror-line);
    text-align: left;
    white-space: nowrap;
  }
  .right {
    text-align: right;
  }
  thead th {
    color: var(--juror-text-2);
    font-size: var(--juror-size-s);
    font-weight: 600;
  }
  .toolbar {
    flex-wrap: wrap;
  }
`;
