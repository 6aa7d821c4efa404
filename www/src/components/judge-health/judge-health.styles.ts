import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 10px;
  }
  h2 {
    font-size: var(--juror-size-l);
  }
  h3 {
    font-size: var(--juror-size-m);
    overflow-wrap: anywhere;
  }
  p {
    overflow-wrap: anywhere;
  }
  .warning {
    padding: 8px 12px;
    border-radius: var(--juror-radius);
    background: var(--juror-warn-soft);
  }
  .bad {
    color: var(--juror-bad);
  }
  .scroll {
    overflow-x: auto;
  }
  table {
    border-collapse: collapse;
    font-size: var(--juror-size-s);
  }
  th,
  td {
    padding: 4px 10px 4px 0;
    text-align: start;
    white-space: nowrap;
  }
  th {
    color: var(--juror-text-2);
    font-weight: 500;
  }
`;
