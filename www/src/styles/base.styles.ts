/** Controls and text shared by every element of the page. */
import { css } from 'lit';

export const base = css`
  :host {
    box-sizing: border-box;
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h1,
  h2,
  h3,
  h4,
  p,
  ul,
  ol,
  dl,
  dd,
  figure {
    margin: 0;
    padding: 0;
  }
  ul,
  ol {
    list-style: none;
  }
  h1 {
    font-size: var(--juror-size-xxl);
    font-weight: 650;
    letter-spacing: -0.015em;
    line-height: 1.2;
  }
  h2 {
    font-size: var(--juror-size-l);
    font-weight: 650;
    line-height: 1.3;
  }
  h3 {
    font-size: var(--juror-size-m);
    font-weight: 650;
  }
  a {
    color: var(--juror-accent);
    text-underline-offset: 2px;
  }
  a:hover {
    color: var(--juror-accent-strong);
  }
  button,
  input,
  select,
  textarea {
    font: inherit;
    color: inherit;
  }
  :focus-visible {
    outline: 2px solid var(--juror-accent);
    outline-offset: 2px;
    border-radius: var(--juror-radius-s);
  }
  code,
  .mono {
    font-family: var(--juror-mono);
    font-size: 0.92em;
  }
  /* A heading with the way to its chapter of the manual. */
  .titled {
    display: flex;
    align-items: baseline;
    gap: 8px;
  }
  .to-manual {
    flex: none;
    display: inline-grid;
    place-items: center;
    width: 22px;
    height: 22px;
    border: 1px solid var(--juror-line-strong);
    border-radius: 50%;
    color: var(--juror-text-3);
    font-size: var(--juror-size-s);
    font-weight: 650;
    text-decoration: none;
    transform: translateY(-2px);
  }
  .muted {
    color: var(--juror-text-3);
  }
  .small {
    font-size: var(--juror-size-s);
  }
  .num {
    font-variant-numeric: tabular-nums;
  }
  .path {
    font-family: var(--juror-mono);
    font-size: 0.92em;
    overflow-wrap: anywhere;
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;

export const controls = css`
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 6px;
    min-height: 32px;
    padding: 4px 12px;
    border: 1px solid var(--juror-line-strong);
    border-radius: var(--juror-radius);
    background: var(--juror-surface);
    color: var(--juror-text);
    font-weight: 550;
    text-decoration: none;
    white-space: nowrap;
    cursor: pointer;
  }
  .button:hover:not(:disabled) {
    background: var(--juror-surface-2);
    color: var(--juror-text);
  }
  .button:disabled {
    color: var(--juror-text-3);
    border-color: var(--juror-line);
    cursor: not-allowed;
  }
  .button.primary {
    background: var(--juror-accent);
    border-color: var(--juror-accent);
    color: var(--juror-on-accent);
  }
  .button.primary:hover:not(:disabled) {
    background: var(--juror-accent-strong);
    border-color: var(--juror-accent-strong);
    color: var(--juror-on-accent);
  }
  .button.primary:disabled {
    background: var(--juror-surface-3);
    border-color: var(--juror-surface-3);
    color: var(--juror-text-3);
  }
  @media (max-width: 760px) {
    .button {
      white-space: normal;
    }
  }
  .button.quiet {
    border-color: transparent;
    background: transparent;
  }
  .button.quiet:hover:not(:disabled) {
    background: var(--juror-surface-3);
  }
  .button.icon {
    padding: 4px;
    min-width: 32px;
  }
  .button.tiny {
    min-height: 24px;
    padding: 1px 8px;
    font-size: var(--juror-size-s);
    border-radius: 6px;
  }
  .link {
    border: 0;
    padding: 0;
    background: none;
    color: var(--juror-accent);
    text-decoration: underline;
    text-underline-offset: 2px;
    cursor: pointer;
  }
  .link:hover {
    color: var(--juror-accent-strong);
  }
  .field {
    min-height: 32px;
    padding: 4px 8px;
    border: 1px solid var(--juror-line-strong);
    border-radius: var(--juror-radius);
    background: var(--juror-surface);
    max-width: 100%;
  }
  textarea.field {
    width: 100%;
    font-family: var(--juror-mono);
    font-size: var(--juror-size-s);
    line-height: 1.5;
    resize: vertical;
  }
  .segmented {
    display: inline-flex;
    flex-wrap: wrap;
    padding: 2px;
    gap: 2px;
    border-radius: var(--juror-radius);
    background: var(--juror-surface-3);
    border: 0;
    margin: 0;
    min-width: 0;
  }
  .segmented label {
    position: relative;
    display: inline-flex;
    align-items: center;
    min-height: 28px;
    padding: 0 12px;
    border-radius: 6px;
    font-weight: 550;
    color: var(--juror-text-2);
    cursor: pointer;
    white-space: nowrap;
  }
  .segmented input {
    position: absolute;
    inset: 0;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
  .segmented label:hover {
    color: var(--juror-text);
  }
  .segmented label:has(input:checked) {
    background: var(--juror-surface);
    color: var(--juror-text);
    box-shadow: 0 1px 2px light-dark(#0002, #0006);
  }
  .segmented label:has(input:focus-visible) {
    outline: 2px solid var(--juror-accent);
    outline-offset: 1px;
  }
  .chip {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    padding: 0 8px;
    min-height: 22px;
    border-radius: 11px;
    background: var(--juror-surface-3);
    color: var(--juror-text-2);
    font-size: var(--juror-size-s);
    font-weight: 550;
    white-space: nowrap;
  }
  .chip.warn {
    background: var(--juror-warn-soft);
    color: var(--juror-warn);
  }
  .chip.bad {
    background: var(--juror-bad-soft);
    color: var(--juror-bad);
  }
  .chip.good {
    background: var(--juror-good-soft);
    color: var(--juror-good);
  }
  .chip.accent {
    background: var(--juror-accent-soft);
    color: var(--juror-accent-strong);
  }
  .callout {
    display: flex;
    gap: 8px;
    padding: 8px 12px;
    border-radius: var(--juror-radius);
    background: var(--juror-warn-soft);
    color: var(--juror-warn);
    overflow-wrap: anywhere;
  }
  .callout > .icon {
    flex: none;
    margin-top: 2px;
  }
  .panel {
    background: var(--juror-surface);
    border: 1px solid var(--juror-line);
    border-radius: var(--juror-radius-l);
  }
  .toolbar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  .spacer {
    flex: 1;
  }
  kbd {
    display: inline-block;
    min-width: 22px;
    padding: 0 6px;
    border: 1px solid var(--juror-line-strong);
    border-bottom-width: 2px;
    border-radius: var(--juror-radius-s);
    background: var(--juror-surface);
    font: 550 var(--juror-size-s) / 20px var(--juror-font);
    text-align: center;
  }
  summary {
    padding-block: 3px;
    cursor: pointer;
  }
`;

/** A list of figures, their names at the left. */
export const facts = css`
  .facts {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 6px;
  }
  .facts div {
    display: flex;
    justify-content: space-between;
    gap: 16px;
  }
  .facts dt {
    color: var(--juror-text-2);
  }
  .facts dd {
    text-align: right;
    overflow-wrap: anywhere;
  }
`;

/** A bar whose share `--part` is filled; `--meter-height` is its height. */
export const meter = css`
  .meter {
    height: var(--meter-height, 6px);
    border-radius: calc(var(--meter-height, 6px) / 2);
    background: var(--juror-surface-3);
    overflow: hidden;
  }
  .meter::after {
    content: '';
    display: block;
    width: calc(var(--part) * 100%);
    height: 100%;
    border-radius: inherit;
    background: var(--juror-tint);
  }
`;

export const dialogs = css`
  dialog {
    padding: 0;
    border: 1px solid var(--juror-line);
    border-radius: var(--juror-radius-l);
    background: var(--juror-surface);
    color: var(--juror-text);
    box-shadow: var(--juror-shadow);
    width: min(var(--dialog-width, 640px), calc(100vw - 24px));
    max-width: none;
    max-height: calc(100dvh - 24px);
    overflow: hidden;
  }
  dialog[open] {
    display: flex;
    flex-direction: column;
  }
  dialog::backdrop {
    background: var(--juror-backdrop);
  }
  .dialog-head {
    display: flex;
    align-items: center;
    gap: 12px;
    padding: 12px 12px 12px 20px;
    border-bottom: 1px solid var(--juror-line);
  }
  .dialog-head h2 {
    flex: 1;
    min-width: 0;
  }
  .dialog-body {
    padding: 20px;
    overflow: auto;
    min-height: 0;
    overscroll-behavior: contain;
  }
`;

/** A line across the page, between its head and what it shows. */
export const banner = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
  }
  section {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 12px;
    padding: 10px max(16px, calc((100vw - var(--juror-width, 1400px)) / 2));
    border-bottom: 1px solid var(--juror-line);
    background: var(--juror-surface-2);
  }
  section:last-of-type {
    border-bottom: 0;
  }
  p {
    margin: 0;
    overflow-wrap: anywhere;
  }
`;
