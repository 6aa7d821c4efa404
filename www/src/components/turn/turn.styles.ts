import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px;
    scroll-margin-top: 128px;
  }
  header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 10px;
  }
  .said-by {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr));
    gap: 12px 24px;
    align-items: start;
  }
  .message {
    display: grid;
    gap: 10px;
    max-width: 76ch;
    padding: 10px 16px;
    border-radius: 4px 14px 14px 14px;
    background: var(--juror-accent-soft);
  }
  .who {
    color: var(--juror-accent-strong);
    font-size: var(--juror-size-s);
    font-weight: 650;
  }
  .said {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    font-size: 0.9375rem;
  }
  .mention {
    padding: 0 5px;
    border: 1px solid color-mix(in srgb, var(--juror-accent) 45%, transparent);
    border-radius: 5px;
    background: color-mix(in srgb, var(--juror-surface) 60%, transparent);
    color: var(--juror-accent-strong);
    font-weight: 600;
    line-height: 1.3;
    white-space: nowrap;
    cursor: zoom-in;
  }
  .mention:hover,
  .mention.lit {
    border-color: var(--juror-accent);
    background: var(--juror-accent);
    color: var(--juror-on-accent);
  }
  .thumb.lit {
    outline: 3px solid var(--juror-accent);
    outline-offset: 1px;
  }
  .broken {
    text-decoration: underline wavy var(--juror-warn);
    text-underline-offset: 3px;
  }
  .mentions {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .thumb {
    position: relative;
    display: block;
    padding: 0;
    border: 0;
    border-radius: var(--juror-radius-s);
    background: none;
    cursor: zoom-in;
  }
  .thumb juror-picture {
    width: 56px;
    height: 56px;
  }
  .thumb span {
    position: absolute;
    left: 4px;
    bottom: 4px;
    padding: 0 6px;
    border-radius: 8px;
    background: var(--juror-surface);
    font-size: var(--juror-size-s);
    font-weight: 600;
    line-height: 17px;
  }
  .points {
    padding: 10px 16px 12px;
    border-left: 3px solid var(--juror-line);
  }
  .points h3 .muted {
    font-weight: 400;
  }
  .points ol {
    display: grid;
    gap: 8px;
    margin-top: 6px;
  }
  .points li {
    display: grid;
    grid-template-columns: 16px minmax(0, 1fr);
    gap: 8px;
    line-height: 1.7;
    overflow-wrap: anywhere;
  }
  .points .dot {
    width: 5px;
    height: 5px;
    margin: 10px auto 0;
    border-radius: 50%;
    background: var(--juror-text-3);
  }
  .inline {
    display: inline-block;
    padding: 0;
    margin: 0 3px;
    border: 0;
    border-radius: var(--juror-radius-s);
    background: none;
    vertical-align: middle;
    cursor: zoom-in;
  }
  .inline:disabled {
    cursor: not-allowed;
  }
  .inline juror-picture {
    width: 40px;
    height: 40px;
  }
  .answers {
    display: grid;
    grid-template-columns: repeat(var(--columns, 1), minmax(248px, 1fr));
    gap: 12px;
    align-items: start;
    overflow-x: auto;
    padding-bottom: 4px;
    outline-offset: 2px;
  }
  /* As a guest there is room for one or two answers, which need not fill it. */
  :host([plain]) .answers > * {
    max-width: 480px;
  }
  .target {
    display: flex;
    flex-direction: column;
    gap: 8px;
    padding: 12px;
    border: 1px dashed var(--juror-line-strong);
    border-radius: var(--juror-radius);
  }
  .target header {
    justify-content: space-between;
  }
  .picture {
    display: block;
    width: 100%;
    padding: 0;
    border: 0;
    border-radius: var(--juror-radius-s);
    background: none;
    cursor: zoom-in;
  }
  .picture juror-picture {
    aspect-ratio: 4 / 3;
  }
  .answer {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    padding: 10px 12px;
    border-radius: var(--juror-radius-s);
    background: var(--juror-surface-2);
    max-height: 420px;
    overflow: auto;
  }
  .missing {
    display: grid;
    justify-items: center;
    align-content: center;
    gap: 2px;
    aspect-ratio: 4 / 3;
    padding: 12px;
    border: 1px dashed var(--juror-line-strong);
    border-radius: var(--juror-radius-s);
    background: repeating-linear-gradient(-45deg, var(--juror-surface-2) 0 8px, var(--juror-surface) 8px 16px);
    color: var(--juror-text-2);
    text-align: center;
  }
  .problem {
    color: var(--juror-warn);
  }
  @media (max-width: 760px) {
    .who {
      display: none;
    }
    .message {
      padding: 8px 12px;
    }
    .said-by {
      grid-template-columns: minmax(0, 1fr);
    }
    .answers {
      grid-template-columns: repeat(var(--columns, 1), 86%);
      scroll-snap-type: x mandatory;
      margin-inline: calc(-1 * var(--juror-gutter));
      padding-inline: var(--juror-gutter);
      scroll-padding-inline: var(--juror-gutter);
    }
    .answers > * {
      scroll-snap-align: start;
    }
  }
`;
