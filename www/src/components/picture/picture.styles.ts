import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    border-radius: var(--juror-radius-s);
    background: repeating-conic-gradient(var(--juror-checker-a) 0 25%, var(--juror-checker-b) 0 50%) 0 0 / 16px 16px;
  }
  img {
    display: block;
    width: 100%;
    height: 100%;
    border-radius: inherit;
    object-fit: var(--picture-fit, contain);
  }
  .state {
    display: grid;
    place-items: center;
    width: 100%;
    height: 100%;
    min-height: inherit;
    color: var(--juror-text-3);
  }
`;
