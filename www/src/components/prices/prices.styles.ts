import { css } from 'lit';

export const styles = css`
  summary {
    color: var(--juror-text-2);
    cursor: pointer;
  }
  table {
    width: 100%;
    margin-top: 8px;
    border-collapse: collapse;
  }
  th {
    padding: 2px 8px 2px 0;
    color: var(--juror-text-2);
    font-weight: 400;
    text-align: start;
    overflow-wrap: anywhere;
  }
  td {
    padding: 2px 4px 2px 0;
  }
  td input {
    width: 88px;
  }
`;
