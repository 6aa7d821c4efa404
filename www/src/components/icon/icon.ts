/** The page's own line icons: 20 × 20, drawn with the current colour. */
import { svg, html, type TemplateResult } from 'lit';

const PATHS = {
  folder: svg`<path d="M2.5 15V5.5a1 1 0 0 1 1-1h4l2 2h7a1 1 0 0 1 1 1V15a1 1 0 0 1-1 1h-13a1 1 0 0 1-1-1Z"/>`,
  chevron: svg`<path d="m6 8 4 4 4-4"/>`,
  left: svg`<path d="m12 5-5 5 5 5"/>`,
  right: svg`<path d="m8 5 5 5-5 5"/>`,
  close: svg`<path d="m5 5 10 10M15 5 5 15"/>`,
  check: svg`<path d="m4 10.5 4 4 8-9"/>`,
  copy: svg`<rect x="7" y="7" width="9.5" height="9.5" rx="1.5"/><path d="M13 4.5V4a1 1 0 0 0-1-1H4a1 1 0 0 0-1 1v8a1 1 0 0 0 1 1h.5"/>`,
  download: svg`<path d="M10 3v9m-4-3.5 4 4 4-4M3.5 16.5h13"/>`,
  link: svg`<path d="M8.5 11.5a3 3 0 0 0 4.3 0l3-3a3 3 0 0 0-4.3-4.3l-1 1"/><path d="M11.5 8.5a3 3 0 0 0-4.3 0l-3 3a3 3 0 0 0 4.3 4.3l1-1"/>`,
  sun: svg`<circle cx="10" cy="10" r="3.2"/><path d="M10 2.5v1.8m0 11.4v1.8M2.5 10h1.8m11.4 0h1.8M4.7 4.7 6 6m8 8 1.3 1.3m0-10.6L14 6m-8 8-1.3 1.3"/>`,
  moon: svg`<path d="M16 11.7A6.5 6.5 0 0 1 8.3 4a6.5 6.5 0 1 0 7.7 7.7Z"/>`,
  system: svg`<rect x="2.5" y="4" width="15" height="9.5" rx="1.5"/><path d="M7 16.5h6"/>`,
  help: svg`<circle cx="10" cy="10" r="7.2"/><path d="M7.9 7.9a2.2 2.2 0 1 1 3.1 2c-.7.4-1 .8-1 1.6m0 2.2v.1"/>`,
  warn: svg`<path d="M10 3.5 2.8 16h14.4L10 3.5ZM10 8.5v3.6m0 1.9v.1"/>`,
  error: svg`<circle cx="10" cy="10" r="7.2"/><path d="M10 6.2v4.6m0 2.4v.1"/>`,
  note: svg`<circle cx="10" cy="10" r="7.2"/><path d="M10 9.2v4.4M10 6.6v.1"/>`,
  search: svg`<circle cx="9" cy="9" r="5"/><path d="m13 13 3.5 3.5"/>`,
  request: svg`<path d="M3 5.5a1.5 1.5 0 0 1 1.5-1.5h11A1.5 1.5 0 0 1 17 5.5v7a1.5 1.5 0 0 1-1.5 1.5H9l-4 3v-3h-.5A1.5 1.5 0 0 1 3 12.5v-7Z"/><path d="M6.5 7.5h7M6.5 10.5h4"/>`,
  input: svg`<rect x="3" y="3.5" width="14" height="13" rx="1.5"/><path d="m6 13 3-3.5 2.2 2.4L13 10l1.5 2.2M7 7.2v.1"/>`,
  zoomIn: svg`<circle cx="9" cy="9" r="5"/><path d="m13 13 3.5 3.5M9 7v4M7 9h4"/>`,
  sort: svg`<path d="m7 8 3-3 3 3M7 12l3 3 3-3"/>`,
  sortUp: svg`<path d="m6 12 4-4 4 4"/>`,
  list: svg`<path d="M3.5 5.5h13M3.5 10h13M3.5 14.5h13"/>`,
  missing: svg`<rect x="3" y="3.5" width="14" height="13" rx="1.5" stroke-dasharray="2.5 2.5"/><path d="m7.5 7.5 5 5m0-5-5 5"/>`,
  picture: svg`<rect x="3" y="3.5" width="14" height="13" rx="1.5"/><circle cx="7.2" cy="7.8" r="1.2"/><path d="m4 14 3.8-3.8 2.7 2.6L13 10l3.5 3.5"/>`,
};

export type IconName = keyof typeof PATHS;

/** The root's font size that sizes are given for, in px. */
const ROOT_PX = 14;

/** An icon, `size` px wide beside text of the usual size and growing with it; it says nothing to a screen reader, so its button needs a name. */
export function icon(name: IconName, size = 18): TemplateResult {
  const length = `${(size / ROOT_PX).toFixed(4)}rem`;
  return html`<svg
    class="icon"
    viewBox="0 0 20 20"
    width=${length}
    height=${length}
    fill="none"
    stroke="currentColor"
    stroke-width="1.6"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${PATHS[name]}
  </svg>`;
}

/** The product's mark. */
export const mark = html`<svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
  <rect width="32" height="32" rx="8" fill="var(--juror-accent)" />
  <path d="M8 9h7v7H8zM17 9h7v7h-7zM8 18h7v5H8z" fill="var(--juror-on-accent)" opacity=".5" />
  <path d="m17.5 20.5 2.6 2.6 5-5.2" fill="none" stroke="var(--juror-on-accent)" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round" />
</svg>`;
