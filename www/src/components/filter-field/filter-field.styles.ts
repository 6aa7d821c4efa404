import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    min-width: 0;
  }
  .box {
    position: relative;
    display: flex;
    align-items: center;
  }
  .box > svg {
    position: absolute;
    left: 0.625rem;
    color: var(--juror-text-3);
    pointer-events: none;
  }
  input.field {
    width: 100%;
    min-height: 2.25rem;
    padding-left: 2.125rem;
    padding-right: 2.375rem;
  }
  input::placeholder {
    font-family: var(--juror-font);
    color: var(--juror-text-3);
  }
  input[aria-invalid] {
    border-color: var(--juror-bad);
  }
  .box > kbd,
  .clear {
    position: absolute;
    right: 3px;
  }
  .box > kbd {
    right: 9px;
    color: var(--juror-text-3);
  }
  input:focus + kbd {
    display: none;
  }
  .clear {
    min-height: 28px;
    width: 30px;
  }
  ul {
    position: absolute;
    z-index: 5;
    top: calc(100% + 4px);
    left: 0;
    width: min(32rem, 100%);
    max-height: 20rem;
    overflow-y: auto;
    padding: 6px;
    border: 1px solid var(--juror-line);
    border-radius: var(--juror-radius);
    background: var(--juror-surface);
    box-shadow: var(--juror-shadow);
  }
  li {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: 0 16px;
    padding: 5px 10px;
    border-radius: 6px;
    overflow-wrap: anywhere;
    cursor: pointer;
  }
  li:hover {
    background: var(--juror-surface-2);
  }
  li[aria-selected='true'] {
    background: var(--juror-accent-soft);
    outline: 2px solid var(--juror-accent);
    outline-offset: -2px;
  }
  .fault {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 12px;
    margin-top: 6px;
    padding: 8px 12px;
    border-radius: var(--juror-radius);
    background: var(--juror-bad-soft);
    color: var(--juror-text);
  }
  .fault code {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .fault strong {
    color: var(--juror-bad);
    font-weight: 600;
  }
  .fault .muted {
    color: var(--juror-text-2);
  }
  mark {
    background: none;
    color: var(--juror-bad);
    text-decoration: underline wavy;
    text-underline-offset: 3px;
  }
`;
