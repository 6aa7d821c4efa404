import { css } from 'lit';

export const styles = css`
  :host {
    --columns: minmax(0, 3fr) minmax(0, 2fr);
    --row-label: 152px;
  }
  .form,
  .part {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 14px;
    padding: 16px;
  }
  .many {
    display: grid;
    gap: 10px;
    padding-top: 10px;
  }
  .shown {
    display: flex;
    flex-wrap: wrap;
    gap: 12px;
  }
  .shown pre,
  .shown img {
    max-width: 100%;
    margin: 0;
    border-radius: var(--juror-radius);
  }
  .shown pre {
    flex: 1 1 100%;
    max-height: 320px;
    overflow: auto;
    padding: 10px 12px;
    background: var(--juror-surface-2);
    font: inherit;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .shown img {
    max-height: 260px;
    object-fit: contain;
    background: var(--juror-surface-2);
  }
  .part > .field {
    max-width: 40ch;
  }
  textarea {
    width: 100%;
    min-height: 96px;
  }
  .verdict {
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .verdict.in {
    color: var(--juror-good);
  }
  .verdict.out {
    color: var(--juror-bad);
  }
  .remarks {
    display: grid;
    gap: 4px;
  }
  .matrix thead td {
    border-top: 0;
  }
  .matrix th,
  .matrix td {
    padding: 2px;
    text-align: center;
  }
  .matrix th[scope='row'] {
    padding-right: 8px;
    text-align: left;
    white-space: nowrap;
  }
  .cell {
    min-width: 34px;
    justify-content: center;
  }
  .cell.possible {
    color: var(--juror-good);
  }
  .cell.impossible {
    color: var(--juror-bad);
  }
  .cell[aria-pressed='true'] {
    background: var(--juror-accent-soft);
  }
  .answers td,
  .answers th {
    vertical-align: top;
  }
  .answers small {
    display: block;
    min-width: 18ch;
    color: var(--juror-text-3);
  }
  .outcome {
    font-weight: 600;
  }
  .outcome.right {
    color: var(--juror-good);
  }
  .outcome.wrong {
    color: var(--juror-bad);
  }
  .cases {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 420px), 1fr));
    gap: 16px;
  }
  .pair {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    gap: 4px;
  }
  .pair img {
    width: 100%;
    height: auto;
    border: 1px solid var(--juror-line);
    border-radius: var(--juror-radius-s);
  }
  @media (max-width: 760px) {
    .pair {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  .marks {
    display: grid;
    gap: 4px;
    margin: 0;
    padding: 0;
    list-style: none;
    overflow-wrap: anywhere;
  }
  .marks li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 4px 8px;
  }
  [aria-pressed='true'] {
    border-color: var(--juror-accent);
    background: var(--juror-accent-soft);
  }
  h3 {
    overflow-wrap: anywhere;
  }
`;
