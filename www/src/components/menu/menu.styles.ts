import { css } from 'lit';

export const styles = css`
  :host {
    display: inline-block;
  }
  [popover] {
    position: fixed;
    inset: auto;
    margin: 0;
    padding: 6px;
    min-width: 200px;
    max-width: calc(100vw - 16px);
    max-height: calc(100vh - 16px);
    overflow-y: auto;
    border: 1px solid var(--juror-line);
    border-radius: var(--juror-radius);
    background: var(--juror-surface);
    color: var(--juror-text);
    box-shadow: var(--juror-shadow);
  }
  ::slotted(button) {
    display: flex;
    align-items: center;
    gap: 8px;
    width: 100%;
    min-height: 36px;
    padding: 6px 10px;
    border: 0;
    border-radius: 6px;
    background: none;
    color: var(--juror-text);
    font: 500 var(--juror-size-m) / 1.4 var(--juror-font);
    text-align: left;
    cursor: pointer;
  }
  ::slotted(hr) {
    margin: 6px 4px;
    border: 0;
    border-top: 1px solid var(--juror-line);
  }
  ::slotted(button:hover),
  ::slotted(button:focus-visible) {
    background: var(--juror-surface-2);
  }
  ::slotted(button[aria-disabled]) {
    display: block;
    color: var(--juror-text-3);
    cursor: not-allowed;
  }
  ::slotted(button:disabled) {
    color: var(--juror-text-3);
    cursor: not-allowed;
  }
  .trigger {
    padding-right: 8px;
  }
  .trigger.primary {
    padding: 4px 6px;
    border-start-start-radius: 0;
    border-end-start-radius: 0;
    border-left-color: color-mix(in srgb, var(--juror-on-accent) 35%, transparent);
  }
`;
