import { css } from 'lit';

export const styles = css`
  :host {
    --columns: minmax(0, 3fr) minmax(0, 2fr);
    --row-label: 128px;
  }
  .note,
  .form,
  .raters {
    padding: 16px;
  }
  .kept {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 8px;
    padding: 10px 16px;
    overflow-wrap: anywhere;
  }
  .form,
  .raters {
    display: grid;
    gap: 16px;
  }
  .raters ul {
    display: grid;
    gap: 12px;
  }
  .raters li {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 6px 16px;
    overflow-wrap: anywhere;
  }
  .raters li span {
    display: block;
  }
  /* The criterion that keys act on is marked inside. */
  juror-rating-desk:focus-visible {
    outline: none;
  }
  .import {
    position: relative;
  }
  .import:focus-within {
    outline: 2px solid var(--juror-accent);
    outline-offset: 2px;
  }
`;
