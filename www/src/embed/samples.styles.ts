import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    min-width: 0;
  }
  section {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px;
    padding: 12px 16px 16px;
    border-top: 1px solid var(--juror-line-strong);
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 10px;
  }
  .head > .quiet:first-child {
    margin-left: -8px;
    padding-left: 4px;
  }
  .head h2 {
    overflow-wrap: anywhere;
  }
  .facts {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 24px;
  }
  .facts .wide {
    flex-basis: 100%;
  }
  dt {
    color: var(--juror-text-3);
    font-size: var(--juror-size-s);
  }
  .units {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    border: 1px solid var(--juror-line);
    border-radius: var(--juror-radius);
    overflow: hidden;
  }
  .units li + li {
    border-top: 1px solid var(--juror-line);
  }
  .unit {
    display: grid;
    grid-template-columns: 3.5rem minmax(0, 1fr) auto;
    gap: 0 8px;
    align-items: start;
    width: 100%;
    padding: 8px 12px 8px 0;
    border: 0;
    background: var(--juror-surface);
    text-align: start;
    cursor: pointer;
    outline-offset: -2px;
  }
  .unit:hover {
    background: var(--juror-surface-2);
  }
  .value {
    font-weight: 650;
    text-align: end;
  }
  .what {
    overflow-wrap: anywhere;
  }
  .reason {
    display: block;
    font-size: var(--juror-size-s);
  }
  .chips,
  .models {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .models [aria-pressed='true'] {
    border-color: var(--juror-accent);
    background: var(--juror-accent-soft);
    color: var(--juror-accent-strong);
  }
  .turns {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 24px;
  }
  .turns > * + * {
    padding-top: 16px;
    border-top: 1px solid var(--juror-line);
  }
  dialog {
    --dialog-width: 1200px;
  }
  .large {
    --picture-fit: contain;
    min-height: 0;
    height: min(80dvh, 1200px);
    border-radius: 0;
  }
`;
