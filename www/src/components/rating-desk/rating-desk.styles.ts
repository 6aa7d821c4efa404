import { css } from 'lit';

export const styles = css`
  :host {
    --dialog-width: 1200px;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px;
    outline: none;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 16px;
  }
  .head h1 .muted {
    font-size: var(--juror-size-l);
    font-weight: 400;
    overflow-wrap: anywhere;
  }
  .problem {
    padding: 10px 12px;
    border-radius: var(--juror-radius);
    background: var(--juror-bad-soft);
    color: var(--juror-bad);
    overflow-wrap: anywhere;
  }
  .desk {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(320px, 400px);
    gap: 16px;
    align-items: start;
  }
  .show {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px;
  }
  .waiting {
    min-height: 60vh;
  }
  .text {
    display: grid;
    gap: 6px;
    padding: 12px 16px;
  }
  .text ol {
    display: grid;
    gap: 8px;
    margin-top: 8px;
    color: var(--juror-text-2);
  }
  .instruction {
    max-width: 80ch;
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
  mark {
    padding: 0 2px;
    border-radius: var(--juror-radius-s);
    background: var(--juror-accent-soft);
    color: var(--juror-accent-strong);
    font-weight: 600;
  }
  .pictures {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(160px, 100%), 1fr));
    gap: 12px;
  }
  figure {
    display: grid;
    gap: 4px;
  }
  figcaption {
    color: var(--juror-text-2);
    font-size: var(--juror-size-s);
    overflow-wrap: anywhere;
  }
  .output figcaption {
    color: var(--juror-text);
    font-size: var(--juror-size-m);
    font-weight: 650;
  }
  .picture {
    display: block;
    width: 100%;
    padding: 0;
    border: 1px solid var(--juror-line);
    border-radius: var(--juror-radius-s);
    background: none;
    cursor: zoom-in;
  }
  .pictures juror-blind-picture {
    height: 160px;
  }
  .golden .picture {
    border: 2px solid var(--juror-good);
  }
  .output .picture {
    border: 2px solid var(--juror-accent);
  }
  .output juror-blind-picture {
    height: min(56vh, 640px);
    min-height: 220px;
  }
  .answer {
    border: 2px solid var(--juror-accent);
  }
  .scores {
    position: sticky;
    top: 8px;
    display: grid;
    gap: 12px;
    max-height: calc(100dvh - 16px);
    padding: 16px;
    overflow: auto;
  }
  .criterion {
    display: grid;
    gap: 4px;
    padding: 8px 10px;
    border: 1px solid var(--juror-line);
    border-left-width: 4px;
    border-radius: var(--juror-radius);
  }
  .criterion.here {
    border-color: var(--juror-accent);
    background: var(--juror-accent-soft);
  }
  .criterion.here .muted {
    color: var(--juror-text-2);
  }
  .name {
    display: flex;
    justify-content: space-between;
    gap: 8px;
  }
  .hard {
    padding: 0 6px;
    border: 1px solid var(--juror-line-strong);
    border-radius: 999px;
    color: var(--juror-text-2);
    font-size: var(--juror-size-s);
    font-weight: 500;
  }
  .state {
    color: var(--juror-good);
    font-size: var(--juror-size-s);
    white-space: nowrap;
  }
  .state b {
    color: var(--juror-bad);
  }
  .criterion.here .state {
    color: var(--juror-text);
  }
  .refused {
    color: var(--juror-bad);
  }
  .keys kbd {
    margin-inline: 1px;
  }
  .steps {
    display: flex;
    flex-wrap: wrap;
    gap: 3px;
  }
  .step {
    flex: 1 0 1.75em;
    max-width: 4em;
    min-height: 28px;
    padding: 2px 0;
    border: 1px solid var(--juror-line-strong);
    border-radius: 6px;
    background: var(--juror-surface);
    font-variant-numeric: tabular-nums;
    cursor: pointer;
  }
  .step:hover {
    background: var(--juror-surface-2);
  }
  .step[aria-pressed='true'] {
    border-color: var(--juror-accent);
    background: var(--juror-accent);
    color: var(--juror-on-accent);
    font-weight: 650;
  }
  .note {
    display: grid;
    gap: 4px;
    color: var(--juror-text-2);
  }
  .note textarea {
    color: var(--juror-text);
    font-family: inherit;
  }
  .primary kbd {
    background: transparent;
    border-color: currentcolor;
  }
  .rubrics pre {
    max-height: 320px;
    margin: 4px 0 12px;
    padding: 10px;
    border-radius: var(--juror-radius);
    background: var(--juror-surface-2);
    font: var(--juror-size-s) / 1.5 var(--juror-mono);
    white-space: pre-wrap;
    overflow: auto;
    overflow-wrap: anywhere;
  }
  .end {
    display: grid;
    gap: 8px;
    padding: 24px;
  }
  .large {
    height: calc(100dvh - 100px);
    cursor: zoom-out;
  }
  @media (max-width: 900px) {
    .desk {
      grid-template-columns: minmax(0, 1fr);
    }
    .scores {
      position: static;
      max-height: none;
    }
    .pictures {
      grid-template-columns: repeat(auto-fill, minmax(min(120px, 100%), 1fr));
    }
    .pictures juror-blind-picture {
      height: 120px;
    }
  }
`;
