import { css } from 'lit';

export const styles = css`
  .row {
    position: relative;
    display: flex;
    align-items: center;
    gap: 12px;
    min-height: 36px;
    padding: 6px var(--juror-gutter);
    background: var(--juror-surface);
    border-bottom: 1px solid var(--juror-line);
    color: var(--juror-text-2);
    font-size: var(--juror-size-s);
  }
  .row.warn {
    background: var(--juror-warn-soft);
    color: var(--juror-warn);
    font-size: var(--juror-size-m);
  }
  .bar {
    position: absolute;
    inset: 0 0 auto;
    height: 3px;
    background: var(--juror-surface-3);
    overflow: hidden;
  }
  .bar::after {
    content: '';
    position: absolute;
    inset: 0;
    background: var(--juror-accent);
    transform-origin: left;
    transform: scaleX(var(--done, 0));
  }
  .bar.unknown::after {
    transform: scaleX(0.3);
  }
  @media (prefers-reduced-motion: no-preference) {
    .bar::after {
      transition: transform 0.15s linear;
    }
    .bar.unknown::after {
      animation: slide 1.4s ease-in-out infinite alternate;
    }
    @keyframes slide {
      from {
        transform: translateX(0) scaleX(0.3);
      }
      to {
        transform: translateX(70%) scaleX(0.3);
      }
    }
  }
`;
