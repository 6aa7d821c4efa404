import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
  }
  .head,
  .rows {
    --line: var(--id, 6rem) 132px minmax(8rem, 1fr) repeat(var(--cells, 1), minmax(4rem, 6rem));
    --least: calc(14rem + 132px + 68px + var(--cells, 1) * (4rem + 12px));
  }
  .top {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px;
    margin-bottom: 12px;
  }
  .order {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  .pair,
  .pair label {
    display: inline-flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px;
  }
  .number {
    width: 6.5em;
  }
  select {
    max-width: 18rem;
  }
  .body {
    display: grid;
    grid-template-columns: min(14rem, 22vw) minmax(0, 1fr);
    gap: 24px;
    align-items: start;
  }
  aside.side {
    position: sticky;
    top: 12px;
    max-height: calc(100vh - 24px);
    overflow-y: auto;
    padding: 2px;
  }
  details.side {
    padding: 8px 12px;
  }
  details.side juror-facets {
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 12.5rem), 1fr));
    margin-top: 12px;
  }
  .stale.panel,
  .stale .card {
    border-style: dashed;
    border-color: var(--juror-line-strong);
  }
  .count {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 4px 16px;
    margin-bottom: 8px;
    min-height: 1.3125rem;
  }
  .head {
    display: grid;
    grid-template-columns: var(--line);
    gap: 12px;
    align-items: end;
    padding: 0 16px 6px;
    color: var(--juror-text-3);
    font-size: var(--juror-size-s);
    font-weight: 600;
  }
  /* A model's name: its beginning in three lines at most, then its end. */
  .head .cell {
    padding-right: 8px;
    overflow: hidden;
    overflow-wrap: anywhere;
    line-height: 1.25;
    text-align: right;
  }
  .head .cut {
    display: grid;
  }
  .head .cut > .start {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
    white-space: normal;
  }
  .head .cut > .end {
    white-space: normal;
  }
  /* More models than there is room for are scrolled to. */
  .wide {
    overflow-x: auto;
  }
  .wide.short {
    --id: 3.5rem;
  }
  .head,
  .rows.panel {
    min-width: var(--least);
  }
  .rows {
    overflow: hidden;
  }
  .sizer {
    position: relative;
    height: var(--height);
  }
  .slot {
    position: absolute;
    top: var(--top);
    left: calc(var(--column, 0) * (100% + 12px) / var(--columns, 1));
    width: calc((100% + 12px) / var(--columns, 1) - 12px);
    contain: layout style;
  }
  .rows.panel .slot {
    left: 0;
    width: 100%;
  }
  .row.loading {
    background: linear-gradient(90deg, transparent 16px, var(--juror-surface-3) 16px 284px, transparent 284px) no-repeat 0 16px / 100% 64px;
  }
  .grid .row {
    height: 23.25rem;
  }
  .row.card {
    display: flex;
    flex-direction: column;
    align-items: stretch;
    gap: 8px;
    padding: 12px;
    border: 1px solid var(--juror-line);
    border-radius: var(--juror-radius-l);
    background: var(--juror-surface);
    overflow: hidden;
  }
  .card .large {
    display: grid;
    grid-template-columns: repeat(var(--large, 1), minmax(0, 1fr));
    gap: 6px;
    flex: 1;
    min-height: 0;
  }
  .card .output {
    display: flex;
    flex-direction: column;
    gap: 4px;
    min-width: 0;
    min-height: 0;
  }
  .card .output juror-picture {
    flex: 1;
    min-height: 0;
  }
  .card .large > juror-picture {
    height: 100%;
    min-height: 0;
  }
  .caption {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 6px;
    font-size: var(--juror-size-s);
  }
  .caption .name {
    display: block;
    flex: 1 1 8em;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    color: var(--juror-text-2);
  }
  .caption .icon {
    color: var(--juror-warn);
  }
  .strip {
    display: flex;
    gap: 4px;
    overflow: hidden;
  }
  .strip juror-picture {
    flex: none;
    width: 40px;
    height: 40px;
  }
  .row {
    height: 7.5rem;
    display: grid;
    grid-template-columns: var(--line);
    gap: 12px;
    align-items: center;
    padding: 0 16px;
    border-bottom: 1px solid var(--juror-line);
    color: var(--juror-text);
    text-decoration: none;
    outline-offset: -2px;
  }
  .row:hover {
    background: var(--juror-surface-2);
    color: var(--juror-text);
  }
  .row.active {
    background: var(--juror-accent-soft);
  }
  .id {
    color: var(--juror-text-3);
    font-size: var(--juror-size-s);
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 5;
    overflow: hidden;
    overflow-wrap: anywhere;
  }
  .thumbs {
    position: relative;
    display: grid;
    grid-template-columns: repeat(2, 64px);
    gap: 4px;
  }
  .thumbs juror-picture {
    width: 64px;
    height: 64px;
  }
  .more {
    /* Below the pictures: upon them it would hide a part of a drawing. */
    position: absolute;
    top: 100%;
    right: 0;
    color: var(--juror-text-2);
    font-size: var(--juror-size-s);
    font-weight: 600;
    line-height: 1.0625rem;
  }
  .text {
    display: grid;
    gap: 6px;
    min-width: 0;
  }
  .instruction {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: hidden;
    overflow-wrap: anywhere;
    line-height: 1.4;
  }
  .chips {
    display: flex;
    gap: 6px;
    align-items: center;
    overflow: hidden;
    white-space: nowrap;
  }
  .chips .chip {
    flex: 0 1 auto;
    min-width: 3ch;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .chips .id {
    display: block;
    min-width: 6ch;
    text-overflow: ellipsis;
  }
  .cells {
    display: contents;
  }
  .row .cell {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: end;
    align-content: center;
    min-width: 0;
    min-height: 3.5rem;
    padding: 4px 6px;
    overflow-wrap: anywhere;
    text-align: right;
    border-radius: var(--juror-radius-s);
    background: color-mix(in srgb, var(--juror-tint) calc(var(--v, 0) * 42%), transparent);
    line-height: 1.3;
  }
  .row .cell juror-picture {
    width: 100%;
    height: 3.25rem;
  }
  .name {
    display: none;
  }
  #picker {
    position: fixed;
    inset: auto;
    max-width: min(28rem, calc(100vw - 16px));
    max-height: min(28rem, 70vh);
    margin: 0;
    padding: 12px 16px;
    overflow-y: auto;
    border: 1px solid var(--juror-line);
    border-radius: var(--juror-radius);
    background: var(--juror-surface);
    color: var(--juror-text);
    box-shadow: var(--juror-shadow);
  }
  #picker li label {
    display: flex;
    gap: 8px;
    padding: 4px 0;
    overflow-wrap: anywhere;
    cursor: pointer;
  }
  .score {
    font-weight: 600;
  }
  .score.words {
    font-weight: 400;
  }
  .sub {
    display: inline-flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: end;
    gap: 0 3px;
    line-height: 1.2;
    color: var(--juror-text-2);
    font-size: var(--juror-size-s);
  }
  .sub.partial,
  .sub .icon {
    color: var(--juror-warn);
  }
  .empty {
    display: grid;
    justify-items: center;
    gap: 12px;
    padding: 56px 24px;
    text-align: center;
  }
  .empty .icon {
    color: var(--juror-text-3);
  }
  .problem {
    display: flex;
    gap: 8px;
    padding: 12px 16px;
    margin-bottom: 12px;
    border-radius: var(--juror-radius);
    background: var(--juror-bad-soft);
    color: var(--juror-bad);
  }
  .waiting {
    display: grid;
    gap: 0;
    overflow: hidden;
  }
  .waiting span {
    height: 7.5rem;
    border-bottom: 1px solid var(--juror-line);
    background: linear-gradient(90deg, transparent 16px, var(--juror-surface-3) 16px 284px, transparent 284px) no-repeat 0 16px / 100% 64px;
  }
  @media (max-width: 1100px) {
    .body {
      grid-template-columns: minmax(0, 1fr);
      gap: 12px;
    }
    .head,
    .rows {
      --line: var(--id, 5rem) 64px minmax(7rem, 1fr) repeat(var(--cells, 1), minmax(4rem, 4.5rem));
      --least: calc(12rem + 64px + 68px + var(--cells, 1) * (4rem + 12px));
    }
    .thumbs {
      grid-template-columns: 64px;
    }
    .thumbs juror-picture:nth-of-type(n + 2) {
      display: none;
    }
  }
  @media (max-width: 760px) {
    .head {
      display: none;
    }
    select {
      flex: 1 1 40%;
      max-width: none;
      min-width: 0;
    }
    .order .wide,
    .order .spacer {
      display: none;
    }
    .head,
    .rows.panel {
      min-width: 0;
    }
    .row:not(.card) {
      height: 13rem;
      grid-template-columns: 64px minmax(0, 1fr);
      grid-template-rows: 1fr auto;
      gap: 6px 12px;
      padding: 10px 12px;
    }
    .row:not(.card) .id {
      display: none;
    }
    .thumbs {
      grid-template-columns: 64px;
      align-self: start;
    }
    .thumbs juror-picture:nth-of-type(n + 2) {
      display: none;
    }
    .text {
      align-self: start;
    }
    .chips .muted {
      display: none;
    }
    .cells {
      grid-column: 1 / -1;
      display: flex;
      gap: 6px;
      overflow-x: auto;
      scroll-snap-type: x proximity;
    }
    .row .cell {
      flex: 1 0 9rem;
      grid-template-columns: minmax(0, 1fr) auto;
      min-width: 0;
      height: auto;
      padding: 4px 8px;
      justify-items: start;
      scroll-snap-align: start;
    }
    .row .cell juror-picture,
    .row .cell .name {
      grid-column: 1 / -1;
    }
    .row .cell juror-picture {
      height: 3.75rem;
    }
    .name {
      display: block;
      max-width: 100%;
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
      color: var(--juror-text-2);
      font-size: var(--juror-size-s);
    }
  }
`;
