import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    min-width: 0;
  }
  figure {
    display: grid;
    gap: 10px;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 12px;
  }
  .head h2 {
    flex: 1 1 240px;
    overflow-wrap: anywhere;
  }
  .drawing {
    min-width: 0;
  }
  svg.chart {
    display: block;
    overflow: visible;
    font-family: inherit;
    font-variant-numeric: tabular-nums;
  }
  .mark {
    cursor: pointer;
    outline: none;
  }
  .mark:hover {
    opacity: 0.8;
  }
  .mark:focus-visible {
    outline: 2px solid var(--juror-accent);
    outline-offset: 1px;
  }
  .readout {
    min-height: 1.5em;
    color: var(--juror-text-2);
    font-variant-numeric: tabular-nums;
  }
  figcaption {
    display: grid;
    gap: 6px;
    max-width: 92ch;
  }
  .sentence {
    overflow-wrap: anywhere;
  }
`;
