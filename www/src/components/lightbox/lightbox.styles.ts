import { css } from 'lit';

export const styles = css`
  :host {
    --dialog-width: calc(100vw - 24px);
  }
  dialog {
    height: calc(100dvh - 24px);
  }
  .dialog-head {
    flex-wrap: wrap;
    gap: 4px 12px;
    padding-block: 8px;
  }
  .path {
    font-weight: 400;
  }
  .stage {
    flex: 1;
    min-height: 0;
    display: grid;
    place-items: center;
    overflow: hidden;
    background: repeating-conic-gradient(var(--juror-checker-a) 0 25%, var(--juror-checker-b) 0 50%) 0 0 / 20px 20px;
    outline-offset: -2px;
  }
  .stage.zoomed {
    display: block;
    overflow: auto;
  }
  img {
    display: block;
    max-width: 100%;
    max-height: 100%;
    min-height: 0;
    object-fit: contain;
  }
  .stage:not(.zoomed) img {
    width: 100%;
    height: 100%;
    object-fit: scale-down;
  }
  .zoomed img {
    width: var(--w);
    max-width: none;
    max-height: none;
    margin: auto;
    image-rendering: auto;
  }
  [aria-pressed='true'] {
    background: var(--juror-accent-soft);
    color: var(--juror-accent-strong);
  }
  .strip {
    display: flex;
    align-items: center;
    gap: 8px;
    padding: 8px 12px;
    border-top: 1px solid var(--juror-line);
  }
  .strip ol {
    display: flex;
    gap: 4px;
    flex: 1;
    overflow-x: auto;
    padding: 4px;
  }
  .strip .icon {
    flex: none;
  }
`;
