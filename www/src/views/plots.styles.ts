import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 16px;
  }
  .kinds {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
  }
  .kinds a {
    padding: 6px 12px;
    border: 1px solid var(--juror-line);
    border-radius: var(--juror-radius);
    background: var(--juror-surface);
    color: var(--juror-text-2);
    font-weight: 550;
    text-decoration: none;
  }
  .kinds a:hover {
    background: var(--juror-surface-2);
    color: var(--juror-text);
  }
  .kinds a[aria-current] {
    border-color: var(--juror-accent);
    background: var(--juror-accent-soft);
    color: var(--juror-accent-strong);
  }
  .choices {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 16px;
    margin-bottom: 14px;
  }
  .choices label {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    min-width: 0;
    color: var(--juror-text-2);
  }
  .choices .field {
    color: var(--juror-text);
    min-width: 0;
  }
  .panel {
    padding: 16px;
    min-width: 0;
  }
  .tests {
    margin-top: 8px;
    font-size: var(--juror-size-s);
  }
  .behind {
    display: grid;
    gap: 8px;
    margin-top: 16px;
    padding: 12px 16px;
    border-radius: var(--juror-radius);
    background: var(--juror-surface-2);
  }
  .behind-head {
    display: flex;
    align-items: flex-start;
    gap: 12px;
  }
  .behind-head h3 {
    flex: 1;
    overflow-wrap: anywhere;
  }
  .behind ul {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(220px, 100%), 1fr));
    gap: 2px 16px;
    max-height: 320px;
    overflow: auto;
  }
  .behind li {
    display: flex;
    gap: 8px;
    justify-content: space-between;
    padding: 2px 0;
    border-bottom: 1px solid var(--juror-line);
  }
  .behind a {
    overflow-wrap: anywhere;
  }
  .problem {
    color: var(--juror-bad);
  }
`;
