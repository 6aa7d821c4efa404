import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 15rem) minmax(0, 76ch);
    gap: 24px 40px;
    align-items: start;
  }
  aside {
    position: sticky;
    top: 64px;
    display: grid;
    gap: 12px;
    max-height: calc(100vh - 80px);
    overflow: auto;
    padding: 4px;
  }
  aside ul {
    display: grid;
    gap: 2px;
  }
  aside ul ul {
    padding-left: 12px;
    margin: 2px 0 6px;
  }
  aside a {
    display: block;
    padding: 4px 8px;
    border-radius: var(--juror-radius-s);
    color: var(--juror-text-2);
    text-decoration: none;
  }
  aside a:hover {
    background: var(--juror-surface-2);
    color: var(--juror-text);
  }
  aside a[aria-current] {
    color: var(--juror-text);
    font-weight: 650;
  }
  article,
  .found {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 20px;
  }
  section {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 10px;
    scroll-margin-top: 64px;
  }
  .figure {
    width: 100%;
    max-width: 720px;
    height: auto;
    color: var(--juror-text);
  }
  h1:focus,
  h2:focus {
    outline: none;
  }
  h2,
  h3 {
    margin-top: 8px;
  }
  p,
  li,
  td {
    color: var(--juror-text-2);
    line-height: 1.6;
  }
  strong,
  b {
    color: var(--juror-text);
  }
  ul.list,
  section ul {
    display: grid;
    gap: 4px;
    padding-left: 20px;
    list-style: disc;
  }
  section ol {
    display: grid;
    gap: 4px;
    padding-left: 24px;
    list-style: decimal;
  }
  pre {
    margin: 0;
    padding: 12px 16px;
    overflow: auto;
    border: 1px solid var(--juror-line);
    border-radius: var(--juror-radius);
    background: var(--juror-surface-2);
    line-height: 1.5;
  }
  .wide {
    overflow-x: auto;
  }
  table {
    border-collapse: collapse;
    width: 100%;
  }
  th,
  td {
    padding: 6px 10px;
    border-bottom: 1px solid var(--juror-line);
    text-align: start;
    vertical-align: top;
  }
  .around {
    display: flex;
    justify-content: space-between;
    gap: 16px;
    padding-top: 16px;
    border-top: 1px solid var(--juror-line);
  }
  .found li {
    display: grid;
    gap: 2px;
  }
  @media (max-width: 800px) {
    :host {
      grid-template-columns: minmax(0, 1fr);
    }
    aside {
      position: static;
      max-height: none;
    }
    aside ul ul {
      display: none;
    }
    aside > nav > ul {
      display: flex;
      flex-wrap: wrap;
      gap: 4px;
    }
  }
`;
