import { css } from 'lit';

export const styles = css`
  :host {
    position: relative;
    display: grid;
    grid-template-columns: repeat(var(--columns, 1), minmax(0, 1fr));
    grid-auto-rows: minmax(0, 1fr);
    gap: 2px;
    min-height: 0;
    background: var(--juror-line);
    touch-action: none;
    user-select: none;
    -webkit-user-select: none;
  }
  .pane {
    position: relative;
    min-width: 0;
    min-height: 0;
    overflow: hidden;
    background: repeating-conic-gradient(var(--juror-checker-a) 0 25%, var(--juror-checker-b) 0 50%) 0 0 / 20px 20px;
    cursor: crosshair;
  }
  .pane.movable {
    cursor: grab;
  }
  .pane.held {
    cursor: grabbing;
  }
  .layer {
    position: absolute;
    inset: 0;
    overflow: hidden;
    opacity: var(--opacity, 1);
    clip-path: var(--clip, none);
  }
  .layer.hidden {
    visibility: hidden;
  }
  img,
  canvas,
  .backdrop,
  .part {
    position: absolute;
    left: var(--left);
    top: var(--top);
    width: var(--width);
    height: var(--height);
    max-width: none;
    pointer-events: none;
  }
  .exact {
    image-rendering: pixelated;
  }
  canvas {
    filter: brightness(var(--gain, 1));
    background: #000;
  }
  canvas.map {
    background: none;
    opacity: var(--opacity);
  }
  .backdrop {
    background: #000;
  }
  .beneath {
    position: absolute;
    inset: 0;
    opacity: var(--opacity);
  }
  .part {
    outline: 1px solid #fff;
    box-shadow: 0 0 0 2px #000;
  }
  .name {
    position: absolute;
    top: 8px;
    left: 8px;
    display: flex;
    gap: 6px;
    max-width: calc(100% - 16px);
    padding: 2px 8px;
    border-radius: var(--juror-radius);
    background: color-mix(in srgb, var(--juror-surface) 88%, transparent);
    font-size: var(--juror-size-s);
    pointer-events: none;
  }
  .name.half {
    max-width: calc(50% - 12px);
    flex-wrap: wrap;
    gap: 0 6px;
  }
  .name.half b {
    max-width: 100%;
  }
  .name.right {
    left: auto;
    right: 8px;
  }
  .name b {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .name .num {
    flex: 0 1 auto;
  }
  .rule {
    position: absolute;
    z-index: 1;
    top: 0;
    bottom: 0;
    left: var(--split);
    width: 44px;
    margin-left: -22px;
    cursor: ew-resize;
  }
  .rule::before {
    content: '';
    position: absolute;
    top: 0;
    bottom: 0;
    left: 21px;
    width: 2px;
    background: var(--juror-accent);
    box-shadow: 0 0 0 1px var(--juror-surface);
  }
  .rule span {
    position: absolute;
    top: 50%;
    left: 4px;
    display: grid;
    place-items: center;
    width: 36px;
    height: 36px;
    margin-top: -18px;
    border: 2px solid var(--juror-surface);
    border-radius: 50%;
    background: var(--juror-accent);
    color: var(--juror-on-accent);
    pointer-events: none;
    grid-auto-flow: column;
  }
  .rule .icon {
    width: 16px;
    height: 16px;
  }
  .rule span .icon + .icon {
    margin-left: -6px;
  }
  .cross {
    position: absolute;
    left: 50%;
    top: 50%;
    width: 17px;
    height: 17px;
    margin: -8px;
    background:
      linear-gradient(var(--juror-accent) 0 0) center / 17px 1px no-repeat,
      linear-gradient(var(--juror-accent) 0 0) center / 1px 17px no-repeat;
    pointer-events: none;
  }
  .state {
    position: absolute;
    inset: 0;
    display: grid;
    place-items: center;
    align-content: center;
    gap: 4px;
    padding: 32px 16px 16px;
    color: var(--juror-text-2);
    text-align: center;
    overflow-wrap: anywhere;
  }
`;
