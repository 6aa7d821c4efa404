import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    gap: 10px;
  }
  h2 {
    font-size: var(--juror-size-l);
  }
  .paste {
    display: grid;
    gap: 4px;
    color: var(--juror-text-2);
  }
  ul {
    margin: 4px 0 0;
    padding-inline-start: 20px;
    color: var(--juror-text-2);
    font-size: var(--juror-size-s);
    overflow-wrap: anywhere;
  }
`;
