import { css } from 'lit';

export const styles = css`
  .subset {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 16px;
  }
  :host {
    --columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr));
    --row-label: minmax(0, 9.25rem);
  }
  .side {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 16px;
  }
  .note,
  .form,
  .plan {
    padding: 16px;
  }
  .form {
    display: grid;
    gap: 20px;
  }
  .hint {
    color: var(--juror-text-3);
    font-size: var(--juror-size-s);
  }
  .check {
    display: flex;
    gap: 6px;
    align-items: center;
  }
  .narrow {
    max-width: 120px;
  }
  .pair {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 12px;
  }
  .pair .row {
    grid-template-columns: minmax(0, 1fr);
  }
  .choices {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 16px;
  }
  .choices input {
    margin: 0 4px 0 0;
    vertical-align: -2px;
  }
  .plan {
    display: grid;
    gap: 12px;
  }
  .incidents {
    display: grid;
    gap: 8px;
    max-height: 320px;
    margin-top: 8px;
    overflow: auto;
    font-size: var(--juror-size-s);
    overflow-wrap: anywhere;
  }
  .callout {
    flex-wrap: wrap;
  }
  .callout .button {
    white-space: nowrap;
  }
  @media (max-width: 760px) {
    .pair {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
