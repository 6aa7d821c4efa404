import { css } from 'lit';

export const styles = css`
  details.steps {
    display: grid;
    gap: 4px;
    padding: 0 16px 14px;
    font-size: var(--juror-size-s);
  }
  details.steps p {
    max-width: 96ch;
    margin-top: 4px;
    overflow-wrap: anywhere;
  }
  :host,
  .results {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 16px;
  }
  .lead {
    max-width: 76ch;
    margin-top: 4px;
    color: var(--juror-text-2);
  }
  .panel {
    overflow: hidden;
  }
  .panel-head {
    display: flex;
    align-items: start;
    justify-content: space-between;
    gap: 12px;
    padding: 14px 16px 10px;
    border-bottom: 1px solid var(--juror-line);
  }
  .empty {
    display: grid;
    gap: 8px;
    padding: 24px;
  }
  .choices {
    display: flex;
    flex-wrap: wrap;
    gap: 12px 16px;
    padding: 12px 16px;
  }
  .choices label {
    display: grid;
    gap: 2px;
    min-width: 0;
    max-width: 100%;
  }
  .choices label > span {
    color: var(--juror-text-2);
    font-size: var(--juror-size-s);
    font-weight: 550;
  }
  .choices select {
    max-width: min(100%, 320px);
  }
  .seed input {
    width: 104px;
  }
  .partial,
  .problem {
    display: flex;
    align-items: start;
    gap: 8px;
    padding: 12px 16px;
    border-radius: var(--juror-radius);
  }
  .partial {
    background: var(--juror-warn-soft);
    color: var(--juror-warn);
  }
  .problem {
    background: var(--juror-bad-soft);
    color: var(--juror-bad);
  }
  /* Positioned, so that words for those who hear the page scroll with it and do not widen the page. */
  .scroll {
    position: relative;
    overflow-x: auto;
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
    padding: 8px 12px;
    border-bottom: 1px solid var(--juror-line);
    text-align: right;
    font-weight: 400;
    white-space: nowrap;
  }
  tbody tr:last-child > * {
    border-bottom: 0;
  }
  thead th,
  thead td {
    background: var(--juror-surface-2);
    color: var(--juror-text-2);
    font-weight: 600;
  }
  .model {
    position: sticky;
    left: 0;
    z-index: 1;
    padding-left: 16px;
    background: var(--juror-surface);
    text-align: left;
    font-weight: 600;
    white-space: normal;
    overflow-wrap: anywhere;
    min-width: min(14rem, 38vw);
    max-width: 280px;
  }
  thead .model {
    background: var(--juror-surface-2);
  }
  .group {
    text-align: center;
  }
  .main {
    font-size: var(--juror-size-l);
    font-weight: 600;
  }
  .short {
    color: var(--juror-warn);
    font-weight: 600;
  }
  abbr {
    text-decoration: underline dotted;
    text-underline-offset: 3px;
    cursor: help;
  }
  .wide {
    width: 22%;
    min-width: 140px;
  }
  .track,
  .axis {
    position: relative;
    display: block;
    height: 16px;
    margin: 0 6px;
  }
  .axis {
    display: flex;
    justify-content: space-between;
    margin: 0;
    font-weight: 400;
    font-size: var(--juror-size-s);
  }
  .track::before {
    content: '';
    position: absolute;
    inset: 7.5px 0 auto;
    height: 1px;
    background: var(--juror-line);
  }
  .span {
    position: absolute;
    left: var(--from);
    width: calc(var(--to) - var(--from));
    top: 6px;
    height: 4px;
    border-radius: 2px;
    background: var(--juror-tint);
  }
  .dot {
    position: absolute;
    left: calc(var(--at) - 5px);
    top: 3px;
    width: 10px;
    height: 10px;
    border-radius: 50%;
    border: 2px solid var(--juror-surface);
    background: var(--juror-accent);
  }
  .sentence {
    display: flex;
    align-items: start;
    justify-content: space-between;
    gap: 16px;
    padding: 14px 16px;
    border-top: 1px solid var(--juror-line);
    background: var(--juror-surface-2);
  }
  .panel-head + .sentence {
    border-top: 0;
  }
  .sentence p {
    max-width: 92ch;
    overflow-wrap: anywhere;
  }
  .notes {
    display: grid;
    gap: 6px;
    padding: 12px 16px;
    border-top: 1px solid var(--juror-line);
    color: var(--juror-text-2);
    font-size: var(--juror-size-s);
  }
  .notes li {
    display: flex;
    gap: 8px;
    max-width: 100ch;
  }
  .notes .icon {
    flex: none;
  }
  .matrix th:not(.model),
  .matrix td {
    text-align: center;
  }
  .matrix thead th {
    white-space: normal;
    overflow-wrap: anywhere;
    min-width: 96px;
    max-width: 132px;
  }
  .same {
    color: var(--juror-text-3);
  }
  .heat {
    padding: 0;
    border-left: 1px solid var(--juror-line);
  }
  .heat.ahead {
    background: color-mix(in srgb, var(--juror-tint) calc(var(--v) * 42%), var(--juror-surface));
  }
  .heat.behind {
    background: color-mix(in srgb, var(--juror-warn) calc(var(--v) * 24%), var(--juror-surface));
  }
  .heat a {
    display: grid;
    padding: 8px 12px;
    color: var(--juror-text);
    text-decoration: none;
    line-height: 1.3;
    outline-offset: -3px;
  }
  .heat a:hover {
    background: color-mix(in srgb, var(--juror-text) 7%, transparent);
  }
  .heat.separated .value {
    font-weight: 650;
  }
  .heat.separated a {
    box-shadow: inset 0 0 0 2px color-mix(in srgb, var(--juror-text) 38%, transparent);
  }
  .heat a[aria-current] {
    box-shadow: inset 0 0 0 3px var(--juror-accent);
  }
  .value {
    font-size: var(--juror-size-l);
  }
  .p {
    color: var(--juror-text-2);
    font-size: var(--juror-size-s);
  }
  .pair {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1.2fr);
    border-top: 1px solid var(--juror-line);
  }
  .figures {
    padding: 8px 16px 12px;
  }
  .figures div {
    display: flex;
    justify-content: space-between;
    gap: 16px;
    padding: 6px 0;
    border-bottom: 1px solid var(--juror-line);
  }
  .figures div:last-child {
    border-bottom: 0;
  }
  .figures dt {
    color: var(--juror-text-2);
  }
  .figures dd {
    text-align: right;
    font-weight: 600;
  }
  .reason dt {
    padding-left: 12px;
  }
  .reason dd {
    font-weight: 400;
  }
  .listed {
    border-left: 1px solid var(--juror-line);
  }
  .listed h3 {
    padding: 12px 16px 8px;
  }
  .listed th,
  .listed td {
    padding-block: 6px;
  }
  .more {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    padding: 10px 16px 14px;
  }
  .meaning summary {
    padding: 12px 16px;
    font-weight: 600;
  }
  .meaning dl {
    display: grid;
    gap: 8px;
    padding: 4px 16px 16px;
    max-width: 104ch;
  }
  .meaning dl div {
    display: grid;
    grid-template-columns: 168px minmax(0, 1fr);
    gap: 16px;
  }
  .meaning dt {
    font-weight: 600;
  }
  .meaning dd {
    color: var(--juror-text-2);
  }
  .waiting {
    display: grid;
    gap: 16px;
  }
  .block {
    height: 220px;
    border-radius: var(--juror-radius-s);
    background: var(--juror-surface-3);
  }
  @media (max-width: 760px) {
    .model {
      width: 8.5rem;
      min-width: 7rem;
      max-width: 8.5rem;
    }
    .pair,
    .meaning dl div {
      grid-template-columns: minmax(0, 1fr);
    }
    .meaning dl div {
      gap: 0;
    }
    .listed {
      border-left: 0;
      border-top: 1px solid var(--juror-line);
    }
    .sentence {
      flex-direction: column;
    }
    .choices label {
      flex: 1 1 140px;
    }
    .choices select,
    .seed input {
      width: 100%;
      max-width: 100%;
    }
  }
`;
