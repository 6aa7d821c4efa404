import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
  }
  article {
    display: grid;
    gap: 8px;
    padding: 14px 16px;
    border-top: 1px solid var(--juror-line);
  }
  article:first-of-type {
    border-top: 0;
  }
  .sides {
    display: grid;
    gap: 4px;
  }
  .sides div {
    display: grid;
    grid-template-columns: 48px 1fr;
    gap: 8px;
  }
  dt {
    color: var(--juror-text-3);
    font-size: var(--juror-size-s);
    line-height: 1.75;
  }
  dd {
    color: var(--juror-text-2);
  }
  .effects {
    display: grid;
    gap: 4px;
    padding: 8px 12px;
    border-radius: var(--juror-radius);
    background: var(--juror-surface-2);
  }
  .effects li {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 2px 12px;
  }
  .model {
    min-width: 96px;
    font-weight: 550;
    overflow-wrap: anywhere;
  }
  .effects strong {
    min-width: 56px;
    display: inline-flex;
    align-items: center;
    gap: 4px;
  }
  .note {
    flex-basis: 100%;
    color: var(--juror-text-2);
    font-size: var(--juror-size-s);
  }
  .still .model {
    font-weight: 400;
    color: var(--juror-text-2);
  }
  .rest > summary,
  .none {
    padding: 12px 16px;
    color: var(--juror-text-2);
  }
  .rest {
    border-top: 1px solid var(--juror-line);
  }
`;
