import { css } from 'lit';

export const styles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 100dvh;
  }
  .skip {
    position: fixed;
    z-index: 30;
    left: 8px;
    top: 8px;
    padding: 8px 12px;
    background: var(--juror-surface);
    border-radius: var(--juror-radius);
  }
  .skip:not(:focus) {
    transform: translateY(calc(-100% - 16px));
  }
  header {
    position: sticky;
    top: 0;
    z-index: 20;
    background: var(--juror-surface);
    border-bottom: 1px solid var(--juror-line);
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    min-height: 56px;
    padding: 8px var(--juror-gutter);
    max-width: calc(var(--juror-width) + 2 * var(--juror-gutter));
    margin: 0 auto;
  }
  .brand {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    margin-right: 16px;
    color: var(--juror-text);
    font-size: var(--juror-size-l);
    font-weight: 700;
    letter-spacing: -0.01em;
    text-decoration: none;
  }
  nav {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
    min-width: 0;
  }
  nav a {
    padding: 6px 12px;
    border-radius: var(--juror-radius);
    color: var(--juror-text-2);
    font-weight: 550;
    text-decoration: none;
  }
  nav a:hover {
    background: var(--juror-surface-2);
    color: var(--juror-text);
  }
  nav a[aria-current] {
    background: var(--juror-accent-soft);
    color: var(--juror-accent-strong);
  }
  .running {
    padding: 4px 10px;
    border: 1px solid var(--juror-accent);
    border-radius: 999px;
    background: var(--juror-accent-soft);
    color: var(--juror-accent-strong);
    font-size: var(--juror-size-s);
    text-decoration: none;
    white-space: nowrap;
  }
  #tools {
    position: fixed;
    inset: auto;
    width: min(26rem, calc(100vw - 16px));
    max-height: calc(100dvh - 80px);
    margin: 0;
    padding: 6px;
    overflow-y: auto;
    border: 1px solid var(--juror-line);
    border-radius: var(--juror-radius);
    background: var(--juror-surface);
    color: var(--juror-text);
    box-shadow: var(--juror-shadow);
  }
  #tools a {
    display: grid;
    gap: 1px;
    padding: 8px 10px;
    border-radius: var(--juror-radius-s);
    color: var(--juror-text-2);
    text-decoration: none;
  }
  #tools a:hover,
  #tools a:focus-visible {
    background: var(--juror-surface-2);
  }
  #tools b {
    color: var(--juror-text);
  }
  .needs {
    display: flex;
    align-items: center;
    gap: 4px;
    color: var(--juror-text-3);
    font-size: var(--juror-size-s);
  }
  .needs .icon {
    flex: none;
  }
  .needs.has .icon {
    color: var(--juror-good);
  }
  .banner {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 10px;
    padding: 8px var(--juror-gutter);
  }
  .banner.demo {
    justify-content: center;
    background: var(--juror-accent-soft);
    color: var(--juror-text);
  }
  .demos {
    display: flex;
    flex-wrap: wrap;
    gap: 2px;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .demos a {
    display: block;
    padding: 2px 8px;
    border-radius: 999px;
    color: var(--juror-accent-strong);
    text-decoration: none;
    white-space: nowrap;
  }
  .demos a:hover {
    text-decoration: underline;
  }
  .demos a[aria-current] {
    background: var(--juror-surface);
    color: var(--juror-text);
    font-weight: 600;
  }
  .banner.demo .muted {
    color: var(--juror-text-2);
  }
  .banner .link {
    font-weight: 600;
    color: var(--juror-accent-strong);
  }
  .banner.bad {
    background: var(--juror-bad-soft);
    color: var(--juror-bad);
  }
  .banner.bad .button {
    color: var(--juror-text);
  }
  /* Room for what is said of the files, so that nothing moves when it is. */
  .status {
    display: flex;
    flex-wrap: wrap;
    align-content: start;
    background: var(--juror-bg);
  }
  .status > * {
    min-width: 0;
    max-width: 100%;
  }
  .status > juror-standing {
    flex: 1 1 auto;
  }
  .status > juror-reading {
    margin-inline-start: auto;
  }
  .status > juror-progress {
    flex: none;
    width: 100%;
  }
  .status:has(juror-standing:not([blind])),
  .status:has(juror-reading:not([empty], [waiting]):defined) {
    border-bottom: 1px solid var(--juror-line);
    background: var(--juror-surface-2);
  }
  .status.reading,
  .status:has(juror-standing:not([blind])),
  .status:has(juror-reading:not([empty])) {
    min-height: 53px;
  }
  .context {
    background: var(--juror-bg);
    border-bottom: 1px solid var(--juror-line);
  }
  .context-in {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 12px;
    max-width: calc(var(--juror-width) + 2 * var(--juror-gutter));
    margin: 0 auto;
    padding: 8px var(--juror-gutter);
  }
  .what {
    display: flex;
    align-items: baseline;
    gap: 8px;
    min-width: 0;
  }
  .sources {
    max-width: 36ch;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  #settings {
    display: contents;
  }
  .unfold {
    display: none;
  }
  .policy {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    color: var(--juror-text-2);
    white-space: nowrap;
  }
  .policy .field {
    color: var(--juror-text);
  }
  main {
    flex: 1;
    width: 100%;
    max-width: calc(var(--juror-width) + 2 * var(--juror-gutter));
    margin: 0 auto;
    padding: 24px var(--juror-gutter) 48px;
    outline: none;
    min-width: 0;
  }
  .unloaded {
    display: grid;
    justify-items: center;
    gap: 12px;
    padding: 56px 24px;
    text-align: center;
    overflow-wrap: anywhere;
  }
  .unloaded > .icon {
    color: var(--juror-bad);
  }
  .unloaded > p {
    max-width: 64ch;
  }
  footer {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 4px 16px;
    padding: 16px var(--juror-gutter) 24px;
    color: var(--juror-text-3);
    font-size: var(--juror-size-s);
  }
  .drop {
    position: fixed;
    inset: 0;
    z-index: 40;
    display: grid;
    place-items: center;
    padding: 24px;
    background: color-mix(in srgb, var(--juror-bg) 82%, transparent);
    pointer-events: none;
  }
  .drop div {
    display: grid;
    justify-items: center;
    align-content: center;
    gap: 8px;
    width: 100%;
    height: 100%;
    border: 3px dashed var(--juror-accent);
    border-radius: 16px;
    color: var(--juror-accent-strong);
    font-size: var(--juror-size-l);
  }
  .drop strong {
    font-size: var(--juror-size-xl);
  }
  .drop span {
    color: var(--juror-text-2);
  }
  .notices {
    position: fixed;
    z-index: 50;
    right: 16px;
    bottom: 16px;
    display: grid;
    gap: 8px;
    width: min(440px, calc(100vw - 32px));
  }
  .notice {
    display: flex;
    align-items: flex-start;
    gap: 10px;
    padding: 10px 8px 10px 14px;
    border: 1px solid var(--juror-line);
    border-radius: var(--juror-radius);
    background: var(--juror-surface);
    box-shadow: var(--juror-shadow);
    overflow-wrap: anywhere;
  }
  .notice span {
    flex: 1;
    padding-top: 2px;
  }
  .notice > .icon {
    flex: none;
    margin-top: 4px;
    color: var(--juror-good);
  }
  .notice.error {
    border-color: var(--juror-bad);
  }
  .notice.error > .icon {
    color: var(--juror-bad);
  }
  .notice.warn {
    border-color: var(--juror-warn);
  }
  .notice.warn > .icon {
    color: var(--juror-warn);
  }
  .notice .button {
    flex: none;
    color: var(--juror-text-2);
    min-height: 28px;
    width: 28px;
  }
  @media (max-width: 760px) {
    .bar {
      gap: 4px;
      padding-block: 8px 4px;
    }
    .brand {
      margin-right: 0;
    }
    .more {
      order: 6;
      padding-inline: 6px;
    }
    nav {
      order: 5;
      flex: 1 1 60%;
      flex-wrap: nowrap;
      gap: 0;
      overflow-x: auto;
      scroll-snap-type: x proximity;
      scrollbar-width: none;
    }
    nav a {
      flex: 1 0 auto;
      text-align: center;
      padding-inline: 9px;
      scroll-snap-align: center;
    }
    .wide,
    .banner.demo.with-context:not(.unfolded),
    .banner.demo:not(.unfolded) .demos {
      display: none;
    }
    .banner.demo {
      justify-content: space-between;
    }
    .demos {
      order: 3;
      width: calc(100% + 16px);
      margin-inline: -8px;
    }
    .status:has(juror-standing:not([blind])),
    .status:has(juror-reading:not([empty])) {
      min-height: 45px;
    }
    .status > juror-reading {
      flex: 1 0 100%;
    }
    .status.reading,
    .status:has(juror-reading:is([waiting], :not(:defined))),
    .status:has(juror-standing:not([blind])):has(juror-reading:not([empty])) {
      min-height: 90px;
    }
    .context .spacer {
      display: none;
    }
    .context-in {
      flex-wrap: nowrap;
      justify-content: space-between;
      padding-block: 2px;
    }
    .context-in:has(.unfolded) {
      flex-wrap: wrap;
      padding-bottom: 8px;
    }
    .what {
      flex: 1;
      overflow: hidden;
      white-space: nowrap;
    }
    .unfold {
      display: inline-flex;
      flex: none;
      padding-inline: 4px;
      font-size: var(--juror-size-s);
    }
    #settings:not(.unfolded) {
      display: none;
    }
    .policy {
      width: 100%;
    }
    .policy .field {
      flex: 1;
      min-width: 0;
    }
    main {
      padding-top: 16px;
    }
  }
`;
