import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 16px;
  }
  .head {
    position: sticky;
    top: 56px;
    z-index: 10;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 8px;
    margin: -24px calc(-1 * var(--juror-gutter)) 0;
    padding: 12px var(--juror-gutter) 10px;
    background: var(--juror-bg);
    border-bottom: 1px solid var(--juror-line);
  }
  .line {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 10px;
  }
  .line > .quiet {
    margin-left: -12px;
    padding-left: 6px;
  }
  h1 {
    font-size: var(--juror-size-xl);
    overflow-wrap: anywhere;
  }
  .tags {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 6px;
    min-width: 0;
  }
  .beside {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px;
  }
  .labels {
    padding: 10px 16px;
  }
  .labels[open] summary {
    margin-bottom: 12px;
  }
  .labels summary {
    font-weight: 600;
  }
  .dataset {
    padding: 8px 12px;
  }
  .dataset[open] summary {
    margin-bottom: 8px;
  }
  /* Of many models two lines, and the others by scrolling: the outputs are to be seen. */
  .models {
    max-height: 4.5rem;
    overflow-y: auto;
  }
  .model .cut {
    max-width: 16rem;
  }
  .steps {
    display: inline-flex;
    gap: 4px;
  }
  .models {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .model {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-height: 28px;
    padding: 2px 10px 2px 4px;
    border: 1px solid var(--juror-line-strong);
    border-radius: 14px;
    background: none;
    color: var(--juror-text-2);
    font-weight: 550;
    cursor: pointer;
  }
  .model kbd {
    min-width: 18px;
    padding: 0 4px;
    border: 0;
    border-radius: 9px;
    background: var(--juror-surface-3);
    line-height: 18px;
    color: var(--juror-text-2);
  }
  .model[aria-pressed='true'] {
    border-color: var(--juror-accent);
    background: var(--juror-accent-soft);
    color: var(--juror-accent-strong);
  }
  .turns {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 32px;
  }
  .turns > * + * {
    padding-top: 24px;
    border-top: 1px solid var(--juror-line);
  }
  .stale {
    opacity: 0.6;
  }
  .empty {
    display: grid;
    justify-items: center;
    gap: 12px;
    padding: 56px 24px;
    text-align: center;
  }
  .waiting {
    display: grid;
    gap: 16px;
  }
  .waiting span {
    height: 96px;
    border-radius: var(--juror-radius-l);
    background: var(--juror-surface-2);
  }
  .waiting span + span {
    height: 300px;
  }
  @media (max-width: 760px) {
    .head {
      position: static;
      gap: 6px;
      margin-top: -16px;
      padding-block: 6px;
    }
    h1 {
      font-size: var(--juror-size-l);
    }
    .line {
      gap: 4px 6px;
    }
    /* One line each that can be pushed along: the outputs are to be seen. */
    .tags,
    .models {
      flex-wrap: nowrap;
      overflow-x: auto;
      scroll-snap-type: x proximity;
      white-space: nowrap;
    }
    .tags > *,
    .models > * {
      flex: none;
      scroll-snap-align: start;
    }
    .tags {
      order: 5;
      flex: 1 1 0;
    }
    .steps {
      order: 4;
    }
  }
`;
