import { css } from 'lit';

/** What the agents' view has beside the Judge view's form, plan and job. */
export const styles = css`
  .make > summary {
    padding: 4px 0;
    font-weight: 550;
  }
  .make[open] > summary {
    margin-bottom: 8px;
  }
  .strips {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 16px;
  }
  .domains {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 14px;
    max-height: 160px;
    margin-top: 6px;
    overflow: auto;
  }
  .domains input {
    margin: 0 4px 0 0;
    vertical-align: -2px;
  }
  .segmented {
    justify-self: start;
  }
`;
