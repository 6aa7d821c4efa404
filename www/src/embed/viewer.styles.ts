import { css } from 'lit';

/* A guest: nothing of the page's text styles comes in, and sizes do not hang on its root's. */
export const styles = css`
  :host {
    all: initial;
    display: block;
    color-scheme: inherit;
    /* The height of a table of three models, wider or narrower: what stands below does not move when it comes. */
    min-height: clamp(470px, calc(655px - (100vw - 390px) * 0.3), 655px);
    --juror-size-s: 12px;
    --juror-size-m: 14px;
    --juror-size-l: 16px;
    --juror-size-xl: 20px;
    --juror-size-xxl: 26px;
    --juror-gutter: 16px;
    color: var(--juror-text);
    font: 400 var(--juror-size-m) / 1.5 var(--juror-font);
  }
  /* A sample is long: as high as a window and more, so that what stands below it is not in sight. */
  :host([view^='sample/']) {
    min-height: max(110vh, 900px);
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
  .viewer {
    overflow: hidden;
    border: 1px solid var(--juror-line-strong);
    border-radius: var(--juror-radius-l);
    background: var(--juror-surface);
    container-type: inline-size;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 2px 14px;
    padding: 12px 16px 4px;
    color: var(--juror-text-2);
  }
  .title {
    color: var(--juror-text);
    font-size: var(--juror-size-l);
    font-weight: 650;
  }
  .head a {
    display: inline-flex;
    align-items: center;
    gap: 4px;
  }
  .status {
    display: grid;
    padding: 4px 16px 10px;
  }
  .status::before {
    content: attr(data-room);
    padding: 8px 12px 8px 42px;
    visibility: hidden;
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
  .status::before,
  .now {
    grid-area: 1 / 1;
    min-width: 0;
  }
  .now {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    gap: 4px;
  }
  @media print {
    :host,
    :host([view^='sample/']) {
      min-height: 0;
    }
    .viewer {
      overflow: visible;
      container-type: normal;
    }
  }
  .say > .icon {
    flex: none;
  }
  code {
    overflow-wrap: anywhere;
  }
  .viewer > .toolbar {
    gap: 8px 12px;
    padding: 10px 16px;
    border-top: 1px solid var(--juror-line);
  }
  .segmented {
    max-width: 100%;
  }
  juror-score-table {
    border-top: 1px solid var(--juror-line);
  }
  .how {
    border-top: 1px solid var(--juror-line);
  }
  .how > summary {
    padding: 8px 16px;
  }
  .note {
    display: flex;
    gap: 8px;
    margin: 0;
    padding: 8px 12px;
    border-radius: var(--juror-radius);
    background: var(--juror-surface-2);
    color: var(--juror-text-2);
    overflow-wrap: anywhere;
  }
  .note.bad {
    background: var(--juror-bad-soft);
    color: var(--juror-bad);
  }
`;
