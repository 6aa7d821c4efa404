import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 16px;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 4px 20px;
    margin-bottom: 4px;
  }
  .facts {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 16px;
    flex: 1;
    color: var(--juror-text-2);
  }
  .facts b {
    color: var(--juror-text);
    font-weight: 650;
  }
  .intro {
    display: grid;
    gap: 8px;
  }
  .intro > p,
  .intro .small {
    max-width: 92ch;
    color: var(--juror-text-2);
  }
  .title {
    font-size: var(--juror-size-xl);
  }
  em {
    color: var(--juror-warn);
    font-style: normal;
    font-weight: 600;
  }
  .pack {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    flex-wrap: wrap;
  }
  juror-score-table {
    border-top: 1px solid var(--juror-line);
    border-bottom: 1px solid var(--juror-line);
  }
  .below > .segmented {
    margin: 12px 16px;
    max-width: calc(100% - 32px);
    overflow-x: auto;
  }
  .below b {
    margin-inline-start: 4px;
    color: var(--juror-text-2);
    font-weight: 400;
  }
  .below .about {
    padding: 0 16px 8px;
  }
  .panel-head {
    padding: 14px 16px 10px;
    border-bottom: 1px solid var(--juror-line);
  }
  .empty {
    display: grid;
    gap: 8px;
    padding: 24px;
    max-width: 72ch;
  }
  .problem {
    display: flex;
    gap: 8px;
    padding: 16px;
    border-radius: var(--juror-radius);
    background: var(--juror-bad-soft);
    color: var(--juror-bad);
  }
  .start {
    display: grid;
    justify-items: center;
    gap: 12px;
    max-width: 640px;
    margin: 8vh auto 0;
    padding: 48px 32px;
    text-align: center;
  }
  .start .demos {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 8px;
  }
  .start .icon {
    color: var(--juror-accent);
  }
  .waiting {
    display: grid;
    align-content: start;
    gap: 16px;
    min-height: 100vh;
  }
  .waiting span {
    border-radius: var(--juror-radius-s);
    background: var(--juror-surface-3);
  }
  .line {
    height: 16px;
  }
  .w30 {
    width: min(30%, 280px);
    height: 28px;
  }
  .w60 {
    width: min(60%, 520px);
  }
  .block {
    height: 300px;
  }
  .waiting .block {
    border-radius: var(--juror-radius-l);
    background: var(--juror-surface);
    border: 1px solid var(--juror-line);
  }
  .block.small {
    height: 120px;
  }
  @media (max-width: 760px) {
    h1,
    .facts {
      flex-basis: 100%;
    }
  }

  .layouts {
    display: grid;
    gap: 10px;
    padding: 16px;
  }
`;
