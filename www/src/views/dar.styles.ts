import { css, unsafeCSS } from 'lit';
import { LOWERED, RAISED, SAME, STOPS, cssOf } from '../components/heat-map/colours';

export const styles = css`
  :host {
    --columns: minmax(0, 30rem) minmax(0, 1fr);
    --row-label: minmax(0, 9.25rem);
  }
  .form,
  .result,
  .note {
    display: grid;
    gap: 16px;
    padding: 16px;
  }
  .results {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 16px;
    align-content: start;
  }
  .take {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 8px;
    align-items: center;
  }
  .take input[type='file'] {
    position: absolute;
    width: 1px;
    height: 1px;
    opacity: 0;
  }
  .take label:focus-within {
    outline: 2px solid var(--juror-accent);
    outline-offset: 2px;
  }
  .narrow {
    width: 8rem;
  }
  .pictures {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 10rem), 1fr));
    gap: 12px;
  }
  .reference {
    display: grid;
    gap: 8px;
    padding-top: 12px;
    border-top: 1px solid var(--juror-line);
  }
  .readout {
    min-height: 3em;
    padding: 8px 12px;
    border-radius: var(--juror-radius);
    background: var(--juror-surface-2);
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 16px;
    align-items: center;
  }
  .ramp {
    width: 8rem;
    height: 10px;
    border-radius: 3px;
    background: linear-gradient(to right, ${unsafeCSS(STOPS.map(cssOf).join(', '))});
  }
  .swatch {
    display: inline-block;
    width: 10px;
    height: 10px;
    margin-right: 4px;
    border-radius: 2px;
  }
  .raised {
    background: ${unsafeCSS(cssOf(RAISED))};
  }
  .lowered {
    background: ${unsafeCSS(cssOf(LOWERED))};
  }
  .same {
    background: ${unsafeCSS(cssOf(SAME))};
  }
  .wide {
    overflow-x: auto;
  }
  table {
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    padding: 4px 12px 4px 0;
    border-bottom: 1px solid var(--juror-line);
    text-align: right;
    white-space: nowrap;
  }
  th:first-child {
    text-align: left;
  }
  thead th {
    color: var(--juror-text-2);
    font-weight: 550;
  }
`;
