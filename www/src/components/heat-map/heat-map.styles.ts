import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    gap: 4px;
    min-width: 0;
  }
  .frame {
    position: relative;
    aspect-ratio: var(--columns) / var(--rows);
    border: 1px solid var(--juror-line);
    border-radius: var(--juror-radius-s);
    background: var(--juror-surface-3);
    overflow: hidden;
  }
  img,
  canvas {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
  }
  canvas {
    image-rendering: pixelated;
    cursor: crosshair;
    opacity: var(--heat, 1);
  }
  .frame:focus-visible {
    outline-offset: 1px;
  }
  .cell {
    position: absolute;
    left: calc(var(--column) / var(--columns) * 100%);
    top: calc(var(--row) / var(--rows) * 100%);
    width: max(4px, calc(100% / var(--columns)));
    height: max(4px, calc(100% / var(--rows)));
    outline: 2px solid #fff;
    box-shadow: 0 0 0 3px #000;
    pointer-events: none;
  }
`;
