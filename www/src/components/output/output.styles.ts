import { css } from 'lit';

export const styles = css`
  :host {
    display: flex;
    flex-direction: column;
    gap: 8px;
    min-width: 0;
    padding: 12px;
    border: 1px solid var(--juror-line);
    border-radius: var(--juror-radius);
    background: var(--juror-surface);
  }
  header {
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    gap: 8px;
  }
  h3 {
    min-width: 0;
    overflow: hidden;
    overflow-wrap: anywhere;
  }
  .total {
    font-size: var(--juror-size-l);
    font-weight: 650;
  }
  .picture {
    display: block;
    width: 100%;
    padding: 0;
    border: 0;
    background: none;
    cursor: zoom-in;
    border-radius: var(--juror-radius-s);
  }
  .picture juror-picture {
    aspect-ratio: 4 / 3;
  }
  .caption {
    display: flex;
    justify-content: space-between;
    gap: 8px;
  }
  .caption .num {
    white-space: nowrap;
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
  :host([kind='text']) .missing {
    aspect-ratio: auto;
    min-height: 96px;
  }
  .answer {
    padding: 10px 12px;
    border-radius: var(--juror-radius-s);
    background: var(--juror-surface-2);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    max-height: 420px;
    overflow: auto;
  }
  .problem {
    display: flex;
    gap: 6px;
    color: var(--juror-warn);
    font-size: var(--juror-size-s);
  }
  .problem .icon {
    flex: none;
    margin-top: 1px;
  }
  .verdicts {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 2px;
    border-top: 1px solid var(--juror-line);
    padding-top: 4px;
  }
  .verdict {
    padding: 2px 0 4px;
  }
  .line {
    display: flex;
    align-items: center;
    gap: 4px;
  }
  .toggle {
    display: flex;
    align-items: center;
    gap: 8px;
    flex: 1;
    min-width: 0;
    min-height: 32px;
    padding: 2px 4px;
    margin-left: -4px;
    border: 0;
    border-radius: var(--juror-radius-s);
    background: none;
    text-align: left;
    cursor: pointer;
  }
  .toggle:hover {
    background: var(--juror-surface-2);
  }
  .short {
    flex: none;
    min-width: 32px;
    max-width: 6.5em;
    overflow-wrap: anywhere;
    line-height: 1.25;
    font-weight: 600;
  }
  .bar {
    flex: 1;
    min-width: 8px;
    height: 5px;
    border-radius: 3px;
    background: var(--juror-surface-3);
    overflow: hidden;
  }
  .bar::after {
    content: '';
    display: block;
    width: calc(var(--part, 0) * 100%);
    height: 100%;
    border-radius: 3px;
    background: var(--juror-tint);
  }
  .score {
    min-width: 38px;
    margin-left: auto;
    text-align: right;
    font-weight: 600;
  }
  .score .muted {
    font-weight: 400;
  }
  .state {
    flex: 1;
    line-height: 1.3;
    font-size: var(--juror-size-s);
    font-weight: 600;
    color: var(--juror-text-3);
  }
  .bad .state {
    color: var(--juror-bad);
  }
  .caret {
    display: inline-flex;
    color: var(--juror-text-3);
  }
  [aria-expanded='true'] .caret {
    transform: rotate(180deg);
  }
  .reason {
    color: var(--juror-text-2);
    font-size: 0.8125rem;
    line-height: 1.45;
    overflow-wrap: anywhere;
    white-space: pre-line;
  }
  .clamp {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: hidden;
    white-space: normal;
  }
  .detail {
    display: grid;
    gap: 6px;
    padding: 4px 0 6px;
  }
  .why {
    padding: 8px 10px;
    border-radius: var(--juror-radius-s);
    background: var(--juror-surface-2);
    font-size: 0.8125rem;
    overflow-wrap: anywhere;
  }
  .other {
    display: flex;
    gap: 6px;
    align-items: start;
    color: var(--juror-warn);
    overflow-wrap: anywhere;
  }
  .other .icon {
    flex: none;
  }
  .bad .why {
    background: var(--juror-bad-soft);
    color: var(--juror-bad);
  }
  .uncounted .short,
  .uncounted .score,
  .uncounted .reason {
    color: var(--juror-text-3);
  }
  .group {
    padding-top: 6px;
    font-weight: 600;
  }
  .group ~ .group {
    margin-top: 4px;
    border-top: 1px dashed var(--juror-line);
  }
  pre {
    margin: 4px 0 0;
    padding: 8px 10px;
    max-height: 260px;
    overflow: auto;
    border-radius: var(--juror-radius-s);
    background: var(--juror-surface-2);
    font: var(--juror-size-s) / 1.5 var(--juror-mono);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  .parts {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 14px;
    margin: 0;
    padding: 0 0 2px;
    list-style: none;
    font-size: var(--juror-size-s);
  }
  .stale {
    padding: 8px 12px 12px;
    border-block-start: 1px solid var(--juror-line);
  }
  .stale summary {
    cursor: pointer;
  }
  .measures {
    display: grid;
    gap: 2px;
    padding-top: 8px;
    border-top: 1px solid var(--juror-line);
    font-size: var(--juror-size-s);
  }
  .measures div {
    display: flex;
    justify-content: space-between;
    gap: 12px;
  }
  .measures dt {
    color: var(--juror-text-2);
  }
  .measures .state {
    color: var(--juror-warn);
  }
`;
