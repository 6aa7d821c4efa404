import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    min-width: 0;
  }
  .scroll {
    overflow-x: auto;
    border-radius: inherit;
    outline-offset: -2px;
  }
  table {
    width: 100%;
    border-collapse: separate;
    border-spacing: 0;
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    padding: 0;
    border-bottom: 1px solid var(--juror-line);
    text-align: right;
    font-weight: 400;
  }
  tbody tr:last-child > * {
    border-bottom: 0;
  }
  .model {
    position: sticky;
    left: 0;
    z-index: 1;
    padding: 4px 16px;
    background: var(--juror-surface);
    text-align: left;
    min-width: 148px;
    max-width: 260px;
  }
  thead th,
  thead th.model {
    background: var(--juror-surface-2);
    color: var(--juror-text-2);
    font-weight: 600;
    white-space: nowrap;
  }
  thead th.model {
    z-index: 2;
    padding: 0 16px;
  }
  tbody .model {
    position: sticky;
  }
  tbody .model:has(.rank) {
    padding-left: 56px;
  }
  .rank {
    position: absolute;
    left: 12px;
    top: 50%;
    min-width: 32px;
    transform: translateY(-50%);
    text-align: right;
    font-weight: 600;
    color: var(--juror-text-2);
  }
  .tied {
    display: block;
    color: var(--juror-text-3);
    font-size: var(--juror-size-s);
    font-weight: 400;
    white-space: nowrap;
  }
  .name {
    display: block;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .judge {
    display: block;
    color: var(--juror-text-3);
    font-size: var(--juror-size-s);
    overflow-wrap: anywhere;
  }
  .coverage {
    min-width: 0;
    padding: 0 12px;
    background: var(--juror-surface);
    color: var(--juror-text-2);
    white-space: nowrap;
  }
  thead .coverage {
    background: var(--juror-surface-2);
    white-space: normal;
    width: 4rem;
  }
  .coverage.partial {
    color: var(--juror-warn);
    font-weight: 600;
  }
  .first {
    border-left: 1px solid var(--juror-line);
  }
  .sort {
    display: inline-flex;
    align-items: center;
    justify-content: flex-end;
    gap: 2px;
    width: 100%;
    min-height: 40px;
    padding: 4px 8px 4px 16px;
    border: 0;
    background: none;
    color: inherit;
    font-weight: inherit;
    cursor: pointer;
    outline-offset: -2px;
  }
  .sort:hover {
    color: var(--juror-text);
  }
  .arrow {
    flex: none;
    display: inline-flex;
    opacity: 0;
  }
  .sort:hover .arrow,
  .sort:focus-visible .arrow {
    opacity: 0.6;
  }
  .arrow.descending,
  .arrow.ascending {
    opacity: 1 !important;
    color: var(--juror-accent);
  }
  .arrow.ascending {
    transform: scaleY(-1);
  }
  td {
    background: color-mix(in srgb, var(--juror-tint) calc(var(--v, 0) * 42%), var(--juror-surface));
    min-width: 96px;
  }
  .cell {
    display: grid;
    justify-items: end;
    align-content: center;
    width: 100%;
    min-height: 52px;
    padding: 6px 24px 5px 12px;
    border: 0;
    background: none;
    text-align: right;
    cursor: pointer;
    outline-offset: -2px;
    line-height: 1.3;
  }
  /* A ring, as a darker ground would take the small figures their contrast. */
  .cell:hover {
    box-shadow: inset 0 0 0 2px var(--juror-line-strong);
  }
  .mean {
    font-size: var(--juror-size-l);
    font-weight: 600;
  }
  .empty .mean {
    color: var(--juror-text-3);
  }
  .mean.words {
    font-size: inherit;
    font-weight: 400;
    white-space: nowrap;
  }
  .ci {
    color: var(--juror-text-2);
    font-size: var(--juror-size-s);
    white-space: nowrap;
  }
  .incidents {
    display: flex;
    align-items: center;
    justify-content: flex-end;
    gap: 2px;
    white-space: nowrap;
    color: var(--juror-warn);
  }
  thead .model .sort {
    justify-content: flex-start;
    padding: 4px 0;
  }
  .count {
    position: relative;
    white-space: nowrap;
    color: var(--juror-text-2);
    font-size: var(--juror-size-s);
  }
  .count.partial {
    color: var(--juror-warn);
    font-weight: 600;
  }
  .count.partial::after {
    content: '';
    position: absolute;
    right: -11px;
    top: calc(50% - 3px);
    width: 6px;
    height: 6px;
    border-radius: 50%;
    background: currentColor;
  }
  .published td,
  .published .model {
    background: var(--juror-surface-2);
  }
  .published .mean {
    font-weight: 400;
  }
  .published .name {
    font-weight: 500;
  }
  .bar {
    padding: 4px 16px;
    background: var(--juror-surface-2);
    text-align: left;
  }
  .block .bar {
    font-weight: 600;
  }
  tbody + tbody tr:first-child > *,
  tbody.published tr:first-child > * {
    border-top: 1px solid var(--juror-line-strong);
  }
  .bar > div {
    position: sticky;
    left: 16px;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 2px 16px;
    width: fit-content;
    max-width: min(100%, calc(100vw - 64px));
  }
  .fold {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-height: 36px;
    padding: 0;
    border: 0;
    background: none;
    color: inherit;
    font-weight: 600;
    cursor: pointer;
  }
  .fold .arrow {
    opacity: 1;
  }
  .fold .closed {
    transform: rotate(-90deg);
  }
  .note {
    color: var(--juror-text-2);
    font-size: var(--juror-size-s);
  }
  .note em {
    color: var(--juror-warn);
    font-style: normal;
    font-weight: 600;
  }
  .note input {
    margin: 0 4px 0 0;
    vertical-align: -2px;
  }
  .count.wrong {
    color: var(--juror-warn);
    font-weight: 600;
  }
  .undefined {
    margin: 0;
    padding: 8px 16px;
    color: var(--juror-text-2);
  }
  :host([provisional]) .mean {
    color: var(--juror-text-2);
    font-style: italic;
    font-weight: 400;
  }
  :host([provisional]) td {
    background: var(--juror-surface);
  }
  /* On paper nothing scrolls: every column is as narrow as the page makes it. */
  @media print {
    .scroll {
      overflow: visible;
    }
    table {
      table-layout: fixed;
    }
    .model,
    td {
      position: static;
      min-width: 0;
      overflow-wrap: anywhere;
    }
    thead th,
    thead th.model,
    .ci {
      white-space: normal;
    }
    .cell,
    .sort,
    thead th.model,
    .model {
      padding-inline: 4px;
    }
    .arrow {
      display: none;
    }
  }
  /* On a phone the first score is in sight: how much of it there is stands below the name. */
  @media (max-width: 600px) {
    .coverage {
      display: none;
    }
    .model {
      width: 11.5rem;
      padding-right: 8px;
    }
    tbody .model[data-scored]::after {
      content: attr(data-scored) ' scored';
      font-size: var(--juror-size-s);
      font-weight: 400;
    }
    .model.partial::after {
      color: var(--juror-warn);
    }
  }
  td .none {
    display: grid;
    align-content: center;
    min-height: 52px;
    padding: 0 24px 0 12px;
    color: var(--juror-text-3);
  }
`;
