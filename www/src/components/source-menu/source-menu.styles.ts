import { css } from 'lit';

export const styles = css`
  :host {
    display: inline-flex;
    position: relative;
    --dialog-width: 520px;
  }
  .pair {
    display: inline-flex;
  }
  .pair > juror-menu {
    display: flex;
  }
  .pair > .button {
    border-start-end-radius: 0;
    border-end-end-radius: 0;
    border-right: 0;
  }
  .dialog-body {
    display: grid;
    gap: 12px;
  }
  label {
    font-weight: 550;
  }
  .field {
    width: 100%;
  }
`;
