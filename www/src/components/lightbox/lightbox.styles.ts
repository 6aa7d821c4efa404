import { css } from 'lit';

export const styles = css`
  :host {
    --dialog-width: calc(100vw - 24px);
  }
  dialog {
    height: calc(100dvh - 24px);
    overflow: auto;
  }
  dialog > * {
    flex: none;
  }
  .dialog-head {
    flex-wrap: wrap;
    gap: 6px 12px;
    padding: 8px 8px 8px 16px;
  }
  .dialog-head h2 {
    flex: 1 1 160px;
    overflow-wrap: anywhere;
  }
  .dialog-head .path {
    font-weight: 400;
  }
  .modes label {
    padding: 0 10px;
  }
  .modes .short {
    display: none;
  }
  .zoom {
    flex-wrap: nowrap;
    gap: 4px;
  }
  .zoom output {
    min-width: 4.2em;
    text-align: center;
  }
  .tools {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 14px;
    padding: 8px 16px;
    border-bottom: 1px solid var(--juror-line);
    background: var(--juror-surface-2);
  }
  .tools label {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-width: 0;
  }
  .tools select {
    min-width: 0;
    max-width: 30ch;
  }
  .tools input[type='range'] {
    width: 180px;
    min-width: 80px;
    accent-color: var(--juror-accent);
  }
  .tools input[type='number'] {
    width: 72px;
  }
  .tools output {
    min-width: 3.4em;
  }
  juror-stage {
    flex: 1 0 min(45dvh, 24rem);
    outline-offset: -2px;
  }
  /* Its height stays while words and values change, so that the pictures above stay where they are. */
  .facts {
    display: grid;
    grid-template: minmax(3lh, auto) 1lh / minmax(0, 1fr);
    padding: 6px 16px;
    border-top: 1px solid var(--juror-line);
    color: var(--juror-text-2);
    font-size: var(--juror-size-s);
    overflow: auto;
    max-height: 30%;
  }
  .facts .words {
    overflow-wrap: anywhere;
  }
  .facts .pixel {
    overflow-x: auto;
    overflow-y: hidden;
    font-family: var(--juror-mono);
    white-space: nowrap;
  }
  .pixel span + span {
    margin-left: 14px;
  }
  .facts b {
    color: var(--juror-text);
  }
  .strip {
    display: flex;
    align-items: center;
    gap: 8px;
    padding: 6px 8px;
    border-top: 1px solid var(--juror-line);
  }
  .strip ol {
    display: flex;
    gap: 6px;
    flex: 1;
    min-width: 0;
    overflow-x: auto;
    padding: 4px;
  }
  .strip > .icon {
    flex: none;
  }
  .strip li button {
    position: relative;
    display: grid;
    gap: 2px;
    width: 84px;
    padding: 3px;
    border: 1px solid transparent;
    border-radius: var(--juror-radius);
    background: none;
    font-size: var(--juror-size-s);
    cursor: pointer;
  }
  .strip li button:hover {
    background: var(--juror-surface-3);
  }
  .strip .here {
    border-color: var(--juror-accent);
    background: var(--juror-accent-soft);
    color: var(--juror-accent-strong);
  }
  .strip juror-picture {
    height: 48px;
  }
  .strip .label {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .strip .badge {
    position: absolute;
    top: 5px;
    left: 5px;
    min-width: 18px;
    padding: 0 4px;
    border-radius: 9px;
    background: var(--juror-accent);
    color: var(--juror-on-accent);
    font-weight: 650;
    line-height: 18px;
    text-align: center;
  }
  @media (max-width: 760px) {
    .dialog-head {
      padding: 6px 8px;
    }
    .dialog-head h2 {
      order: -2;
      max-height: 2.6em;
      overflow: hidden;
    }
    .dialog-head .path,
    .strip > .icon {
      display: none;
    }
    .dialog-head .close {
      order: -1;
    }
    .modes {
      width: 100%;
    }
    .modes label {
      flex: 1;
      justify-content: center;
      padding: 0 4px;
    }
    .modes .long {
      display: none;
    }
    .modes .short {
      display: inline;
    }
    .tools {
      padding: 6px 8px;
    }
    .tools label {
      flex: 1 1 120px;
    }
    .tools label:has(input[type='range']) {
      flex-basis: 100%;
    }
    .tools input[type='range'],
    .tools select {
      flex: 1;
      max-width: none;
    }
    .facts {
      grid-template-rows: minmax(4lh, auto) 1lh;
      padding: 4px 8px;
    }
    .strip li button {
      width: 68px;
    }
    .strip juror-picture {
      height: 36px;
    }
  }
  @media (max-height: 560px) {
    .strip {
      display: none;
    }
  }
`;
