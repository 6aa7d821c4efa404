import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 16px;
  }
  .head {
    position: sticky;
    top: 56px;
    z-index: 10;
    display: grid;
    gap: 8px;
    margin: -24px calc(-1 * var(--juror-gutter)) 0;
    padding: 12px var(--juror-gutter) 10px;
    background: var(--juror-bg);
    border-bottom: 1px solid var(--juror-line);
  }
  .line {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 10px;
  }
  .line > .quiet {
    margin-left: -12px;
    padding-left: 6px;
  }
  h1 {
    font-size: var(--juror-size-xl);
    overflow-wrap: anywhere;
  }
  .steps {
    display: inline-flex;
    gap: 4px;
  }
  .models {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .model {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-height: 28px;
    padding: 2px 10px 2px 4px;
    border: 1px solid var(--juror-line-strong);
    border-radius: 14px;
    background: none;
    color: var(--juror-text-2);
    font-weight: 550;
    cursor: pointer;
  }
  .model kbd {
    min-width: 18px;
    padding: 0 4px;
    border: 0;
    border-radius: 9px;
    background: var(--juror-surface-3);
    line-height: 18px;
    color: var(--juror-text-2);
  }
  .model[aria-pressed='true'] {
    border-color: var(--juror-accent);
    background: var(--juror-accent-soft);
    color: var(--juror-accent-strong);
  }
  .pictures {
    display: flex;
    gap: 12px;
    overflow-x: auto;
    padding: 4px;
    margin: -4px;
  }
  .pictures li {
    flex: none;
    display: grid;
    align-content: start;
    gap: 4px;
    width: 9rem;
  }
  .pictures button {
    padding: 0;
    border: 0;
    border-radius: var(--juror-radius-s);
    background: none;
    cursor: zoom-in;
  }
  .pictures button:disabled {
    cursor: not-allowed;
  }
  .pictures juror-picture {
    width: 100%;
    aspect-ratio: 4 / 3;
  }
  .pictures .lit button {
    outline: 3px solid var(--juror-accent);
    outline-offset: 1px;
  }
  .legend {
    display: flex;
    align-items: baseline;
    gap: 6px;
    overflow-wrap: anywhere;
    line-height: 1.35;
  }
  .legend > span {
    min-width: 0;
  }
  .number {
    flex: none;
    min-width: 18px;
    padding: 0 5px;
    border-radius: 9px;
    background: var(--juror-surface-3);
    color: var(--juror-text-2);
    line-height: 18px;
    text-align: center;
    font-variant-numeric: tabular-nums;
  }
  .lit .number {
    background: var(--juror-accent);
    color: var(--juror-on-accent);
  }
  .bad {
    color: var(--juror-warn);
  }
  .turns {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 32px;
  }
  .turns > * + * {
    padding-top: 24px;
    border-top: 1px solid var(--juror-line);
  }
  .stale {
    opacity: 0.6;
  }
  .empty {
    display: grid;
    justify-items: center;
    gap: 12px;
    padding: 56px 24px;
    text-align: center;
  }
  .waiting {
    display: grid;
    gap: 16px;
  }
  .waiting span {
    height: 96px;
    border-radius: var(--juror-radius-l);
    background: var(--juror-surface-2);
  }
  .waiting span + span {
    height: 300px;
  }
  @media (max-width: 760px) {
    .head {
      position: static;
      margin-top: -16px;
    }
  }

  .details {
    display: grid;
    gap: 4px;
    padding: 10px 14px;
    font-size: 0.8125rem;
  }
  .details div {
    display: flex;
    flex-wrap: wrap;
    gap: 0 12px;
  }
  .details dt {
    flex: 0 0 9rem;
    color: var(--juror-text-3);
  }
  .details dd {
    flex: 1 1 12rem;
    min-width: 0;
    margin: 0;
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
`;
