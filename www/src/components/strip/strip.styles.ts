import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px;
    padding: 16px;
  }
  .line {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 12px;
  }
  h3 {
    font-size: var(--juror-size-l);
  }
  .references {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .references button,
  .picture {
    position: relative;
    padding: 0;
    border: 0;
    background: none;
    cursor: zoom-in;
  }
  .references juror-picture {
    width: 56px;
    height: 42px;
  }
  .references span {
    display: block;
    color: var(--juror-text-3);
    font-size: var(--juror-size-s);
    text-align: center;
  }
  .steps {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 260px), 1fr));
    gap: 16px;
  }
  .step {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    gap: 8px;
    min-width: 0;
  }
  .picture {
    display: block;
    width: 100%;
  }
  .picture juror-picture {
    width: 100%;
    height: 200px;
  }
  .waiting {
    display: grid;
    place-items: center;
    height: 200px;
    padding: 12px;
    border: 1px dashed var(--juror-line-strong);
    border-radius: var(--juror-radius);
    color: var(--juror-text-2);
    text-align: center;
  }
  .scores,
  .used {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 6px;
  }
  .name {
    font-weight: 650;
  }
  .prompt {
    max-height: 220px;
    overflow: auto;
    padding: 8px 10px;
    border-radius: var(--juror-radius);
    background: var(--juror-surface-2);
    font-size: var(--juror-size-s);
    line-height: 1.5;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  ins {
    background: var(--juror-good-soft);
    color: var(--juror-good);
    text-decoration: underline;
    text-underline-offset: 2px;
  }
  del {
    color: var(--juror-bad);
    text-decoration: line-through;
  }
  .problem,
  .mark {
    padding: 6px 10px;
    border-radius: var(--juror-radius);
    background: var(--juror-warn-soft);
    color: var(--juror-warn);
    font-size: var(--juror-size-s);
    overflow-wrap: anywhere;
  }
  .problem {
    background: var(--juror-bad-soft);
    color: var(--juror-bad);
  }
  pre {
    max-height: 220px;
    margin: 6px 0 0;
    overflow: auto;
    font: 0.8125rem / 1.5 var(--juror-mono);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  summary {
    color: var(--juror-text-2);
    font-size: var(--juror-size-s);
  }
`;
