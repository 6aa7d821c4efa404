import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 16px;
  }
  .lead {
    max-width: 80ch;
    margin-top: 6px;
    color: var(--juror-text-2);
  }
  .columns {
    display: grid;
    grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
    gap: 16px;
    align-items: start;
  }
  .note,
  .form,
  .raters {
    padding: 16px;
  }
  .form,
  .raters {
    display: grid;
    gap: 16px;
  }
  .row {
    display: grid;
    grid-template-columns: 128px minmax(0, 1fr);
    gap: 2px 12px;
    align-items: center;
  }
  .row > small {
    grid-column: 2;
    color: var(--juror-text-3);
    font-size: var(--juror-size-s);
  }
  .row > span:first-child {
    color: var(--juror-text-2);
  }
  .narrow {
    width: 120px;
  }
  .choices,
  .subset {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 16px;
  }
  input[type='checkbox'],
  input[type='radio'] {
    margin: 0 4px 0 0;
    vertical-align: -2px;
  }
  .problem {
    padding: 10px 12px;
    border-radius: var(--juror-radius);
    background: var(--juror-warn-soft);
    color: var(--juror-warn);
    overflow-wrap: anywhere;
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
  @media (max-width: 760px) {
    .columns {
      grid-template-columns: minmax(0, 1fr);
    }
    .row {
      grid-template-columns: minmax(0, 1fr);
    }
    .row > small {
      grid-column: 1;
    }
  }
`;
