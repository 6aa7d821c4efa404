import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px;
  }
  .problem {
    padding: 8px 12px;
    border-radius: var(--juror-radius);
    background: var(--juror-warn-soft);
    color: var(--juror-warn);
    overflow-wrap: anywhere;
  }
  .name {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 10px;
  }
  .name .field {
    min-width: 0;
    max-width: 100%;
  }
  .output {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 8px;
  }
  h3 {
    font-size: var(--juror-size-m);
    overflow-wrap: anywhere;
  }
  .labels,
  .own {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .label {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-height: 28px;
    max-width: 100%;
    padding: 2px 10px;
    border: 1px solid var(--juror-line-strong, var(--juror-line));
    border-radius: 999px;
    background: none;
    color: var(--juror-text-2);
    font: inherit;
    font-size: var(--juror-size-s);
    overflow-wrap: anywhere;
    cursor: pointer;
  }
  .label:disabled {
    color: var(--juror-text-3);
    cursor: default;
  }
  .label[aria-pressed='true'] {
    border-color: var(--juror-bad);
    background: var(--juror-bad-soft);
    color: var(--juror-bad);
    font-weight: 600;
  }
  .label.none[aria-pressed='true'] {
    border-color: var(--juror-good);
    background: var(--juror-good-soft);
    color: var(--juror-good);
  }
  .own .field {
    flex: 0 1 26ch;
    min-width: 0;
  }
  .offered {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 16px;
    padding-block: 8px;
  }
  .others {
    display: grid;
    gap: 2px;
    overflow-wrap: anywhere;
  }
  @media (pointer: coarse) {
    .label {
      min-height: 40px;
    }
  }
`;
