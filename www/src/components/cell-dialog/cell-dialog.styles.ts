import { css } from 'lit';

export const styles = css`
  :host {
    --dialog-width: 560px;
  }
  h2:focus {
    outline: none;
  }
  .what {
    display: block;
    color: var(--juror-text-2);
    font-size: var(--juror-size-m);
    font-weight: 400;
  }
  .dialog-body {
    display: grid;
    gap: 16px;
  }
  .value {
    display: flex;
    align-items: baseline;
    gap: 12px;
    flex-wrap: wrap;
  }
  .big {
    font-size: 2.25rem;
    font-weight: 650;
    letter-spacing: -0.02em;
    line-height: 1.1;
  }
  .partial {
    color: var(--juror-warn);
    font-weight: 600;
  }
  .reason {
    padding: 10px 12px;
    border-radius: var(--juror-radius);
    background: var(--juror-warn-soft);
    color: var(--juror-warn);
  }
  .range {
    position: relative;
    height: 34px;
    margin: 0 4px;
    border-bottom: 1px solid var(--juror-line-strong);
  }
  .range span {
    position: absolute;
  }
  .bounds {
    left: calc(var(--worst) * 100%);
    right: calc((1 - var(--best)) * 100%);
    top: 21px;
    height: 6px;
    border-radius: 3px;
    background: var(--juror-surface-3);
  }
  .ci {
    left: calc(var(--low) * 100%);
    right: calc((1 - var(--high)) * 100%);
    top: 22px;
    height: 4px;
    border-radius: 2px;
    background: var(--juror-tint);
  }
  .at {
    left: calc(var(--mean) * 100% - 6px);
    top: 18px;
    width: 12px;
    height: 12px;
    border: 2px solid var(--juror-surface);
    border-radius: 50%;
    background: var(--juror-accent);
  }
  .tick {
    top: 0;
    color: var(--juror-text-3);
    font-size: var(--juror-size-s);
  }
  .zero {
    left: 0;
  }
  .one {
    right: 0;
  }
  .formula {
    display: grid;
    gap: 6px;
    padding: 12px 16px;
    border-radius: var(--juror-radius);
    background: var(--juror-surface-2);
  }
  .formula .mono {
    overflow-wrap: anywhere;
  }
  caption {
    padding-top: 8px;
    text-align: left;
    font-weight: 600;
  }
  .steps {
    display: grid;
    gap: 2px;
    font-size: var(--juror-size-s);
  }
  .steps .name {
    color: var(--juror-text-2);
  }
  .filled {
    color: var(--juror-accent-strong);
  }
  table {
    width: 100%;
    margin-top: 6px;
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
    font-size: var(--juror-size-s);
  }
  th,
  td {
    padding: 4px 0 4px 8px;
    border-top: 1px solid var(--juror-line);
    text-align: right;
    font-weight: 400;
  }
  th:first-child {
    padding-left: 0;
    text-align: left;
  }
  thead th {
    border-top: 0;
    color: var(--juror-text-3);
  }
  .units ul {
    display: grid;
    max-height: 260px;
    margin-top: 6px;
    overflow: auto;
    outline-offset: -2px;
  }
  .units li {
    display: flex;
    gap: 10px;
    align-items: baseline;
    padding: 4px 8px 4px 0;
    border-top: 1px solid var(--juror-line);
  }
  .units a {
    flex: 1;
    overflow-wrap: anywhere;
  }
`;
