import { css } from 'lit';

export const styles = css`
  :host {
    --dialog-width: 1120px;
  }
  .sub {
    display: block;
    color: var(--juror-text-2);
    font-size: var(--juror-size-m);
    font-weight: 400;
    overflow-wrap: anywhere;
  }
  .dialog-body {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 24rem);
    gap: 24px;
    align-items: start;
  }
  .request {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px;
  }
  .paste {
    position: sticky;
    top: 0;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 10px;
    padding: 16px;
    border-radius: var(--juror-radius-l);
    background: var(--juror-surface-2);
  }
  .who {
    display: flex;
    gap: 12px;
  }
  .who label {
    display: flex;
    align-items: center;
    gap: 6px;
    color: var(--juror-text-2);
  }
  .who label:first-child {
    flex: 1;
  }
  .who input {
    width: 100%;
    min-width: 0;
    color: var(--juror-text);
  }
  .who .run {
    width: 64px;
  }
  .status {
    display: grid;
    gap: 6px;
  }
  .verdict {
    display: grid;
    grid-template-columns: 16px minmax(0, 1fr);
    gap: 8px;
    font-size: 0.8125rem;
    overflow-wrap: anywhere;
  }
  .verdict .icon {
    margin-top: 2px;
  }
  .ok .icon {
    color: var(--juror-good);
  }
  .bad {
    color: var(--juror-bad);
  }
  .warn {
    color: var(--juror-warn);
  }
  .problem {
    padding: 8px 12px;
    border-radius: var(--juror-radius);
    background: var(--juror-bad-soft);
    color: var(--juror-bad);
    overflow-wrap: anywhere;
  }
  .notes {
    display: grid;
    gap: 4px;
    padding: 10px 12px;
    border-radius: var(--juror-radius);
    background: var(--juror-warn-soft);
    color: var(--juror-warn);
  }
  .notes li {
    display: grid;
    grid-template-columns: 16px minmax(0, 1fr);
    gap: 8px;
  }
  .notes .icon {
    margin-top: 3px;
  }
  .facts {
    display: grid;
    gap: 4px;
    padding-top: 8px;
    border-top: 1px solid var(--juror-line);
  }
  .facts div {
    display: grid;
    grid-template-columns: 110px minmax(0, 1fr);
    gap: 8px;
  }
  .facts dt {
    color: var(--juror-text-3);
  }
  .facts dd {
    overflow-wrap: anywhere;
  }
  @media (max-width: 56em) {
    .dialog-body {
      grid-template-columns: minmax(0, 1fr);
    }
    .paste {
      position: static;
    }
  }
  .system {
    display: grid;
    gap: 4px;
    padding: 10px 12px;
    border: 1px solid var(--juror-line);
    border-radius: var(--juror-radius);
    background: var(--juror-surface-2);
  }
  .system h3 {
    font-size: var(--juror-size-s);
  }
`;
