import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    justify-items: center;
    padding: 4vh 0;
  }
  .panel {
    display: grid;
    gap: 16px;
    width: min(100%, 68ch);
    padding: clamp(16px, 4vw, 32px);
  }
  ol {
    display: grid;
    gap: 8px;
  }
  li {
    display: grid;
    grid-template-columns: 24px minmax(0, 1fr);
    gap: 10px;
    padding: 10px 12px;
    border: 1px dashed var(--juror-line-strong);
    border-radius: var(--juror-radius);
    overflow-wrap: anywhere;
  }
  li .icon {
    margin-top: 1px;
    color: var(--juror-text-3);
  }
  li.open {
    border-style: solid;
    border-color: var(--juror-line);
  }
  li.open .icon {
    color: var(--juror-good);
  }
  li .muted {
    display: block;
  }
`;
