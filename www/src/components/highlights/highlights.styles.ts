import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    min-width: 0;
  }
  .top {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 12px;
    padding: 12px 16px 8px;
  }
  .spacer {
    flex: 1;
  }
  .band {
    display: flex;
    gap: 12px;
    /* As high as its cards from the start, so that nothing below moves when they come. */
    min-height: 16.25rem;
    padding: 4px 16px 14px;
    overflow-x: auto;
    scroll-snap-type: x proximity;
    scroll-padding-inline: 16px;
  }
  .none {
    align-items: center;
    justify-content: center;
  }
  li,
  .waiting {
    flex: none;
    width: min(27rem, 86vw);
    scroll-snap-align: start;
  }
  .card {
    display: flex;
    flex-direction: column;
    gap: 6px;
    height: 100%;
    padding: 10px;
    border: 1px solid var(--juror-line);
    border-radius: var(--juror-radius);
    color: var(--juror-text);
    text-decoration: none;
  }
  .card:hover {
    border-color: var(--juror-line-strong);
    background: var(--juror-surface-2);
    color: var(--juror-text);
  }
  .card.waiting {
    background: var(--juror-surface-2);
  }
  .outputs {
    display: grid;
    grid-template-columns: repeat(var(--outputs, 1), minmax(0, 1fr));
    gap: 6px;
  }
  .output {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    gap: 2px;
    min-width: 0;
  }
  .output juror-picture {
    height: 8.25rem;
  }
  /* The number goes below a name that leaves it no room, and the pictures make room for that. */
  .outputs:has(.output:nth-child(4)) juror-picture {
    height: 7rem;
  }
  .caption {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 6px;
    font-size: var(--juror-size-s);
  }
  .name {
    flex: 1 1 6em;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    color: var(--juror-text-2);
  }
  .said {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: hidden;
    overflow-wrap: anywhere;
    line-height: 1.35;
  }
  .foot {
    display: flex;
    flex-wrap: wrap;
    gap: 0 12px;
    margin-top: auto;
  }
  .value {
    margin-left: auto;
  }
  @media (max-width: 760px) {
    .all {
      flex-basis: 100%;
    }
    .spacer {
      display: none;
    }
    .top .segmented {
      max-width: 100%;
      overflow-x: auto;
      flex-wrap: nowrap;
    }
    .segmented label {
      flex: none;
    }
    .caption {
      flex-wrap: wrap;
      gap: 0 6px;
    }
    .name {
      flex-basis: 100%;
    }
    .band {
      scroll-snap-type: x mandatory;
    }
  }
`;
