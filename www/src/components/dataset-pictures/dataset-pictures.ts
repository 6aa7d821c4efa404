/** A sample's numbered pictures and what a reader needs besides the instruction. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { turnNumber } from '../../state/format';
import type { SampleView } from '../../engine/types/SampleView';
import { renderTokens } from '../name/name';
import '../picture/picture';
import { pictureKey } from '../turn/turn';

export const picturesStyles = css`
  .pictures {
    display: flex;
    gap: 10px;
    overflow-x: auto;
    scroll-snap-type: x proximity;
    padding: 4px;
    margin: -4px;
  }
  .pictures li {
    flex: none;
    display: grid;
    align-content: start;
    gap: 4px;
    width: min-content;
    min-width: 7rem;
    scroll-snap-align: start;
  }
  .pictures.many li {
    min-width: 5.5rem;
  }
  .pictures button {
    padding: 0;
    border: 0;
    border-radius: var(--juror-radius-s);
    background: none;
    cursor: zoom-in;
  }
  .pictures button:disabled {
    cursor: not-allowed;
  }
  .pictures juror-picture {
    width: 100%;
    height: 5.25rem;
  }
  .pictures.many juror-picture {
    height: 4.125rem;
  }
  .pictures .lit button {
    outline: 3px solid var(--juror-accent);
    outline-offset: 1px;
  }
  .legend {
    display: flex;
    align-items: baseline;
    gap: 6px;
    overflow-wrap: anywhere;
    line-height: 1.35;
  }
  .legend > span {
    min-width: 0;
  }
  .number {
    flex: none;
    min-width: 18px;
    padding: 0 5px;
    border-radius: 9px;
    background: var(--juror-surface-3);
    color: var(--juror-text-2);
    line-height: 18px;
    text-align: center;
    font-variant-numeric: tabular-nums;
  }
  .lit .number {
    background: var(--juror-accent);
    color: var(--juror-on-accent);
  }
  .bad {
    color: var(--juror-warn);
  }
  .details {
    display: grid;
    gap: 4px;
    padding: 10px 14px;
    font-size: 0.8125rem;
  }
  .details div {
    display: flex;
    flex-wrap: wrap;
    gap: 0 12px;
  }
  .details dt {
    flex: 0 0 9rem;
    color: var(--juror-text-3);
  }
  .details dd {
    flex: 1 1 12rem;
    min-width: 0;
    margin: 0;
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
`;

/** What can be done with a picture. */
export interface OnPicture {
  see(key: string): void;
  /** Points at it wherever it is shown or spoken of. */
  point(number: number | null): void;
}

/** The pictures of the data set; `lit` is the one that is pointed at. */
export function renderPictures(sample: SampleView, lit: number | null, { see, point }: OnPicture): TemplateResult {
  const alone = sample.turns.length === 1;
  return html`<ol class="pictures ${sample.pictures.length > 4 ? 'many' : ''}" aria-label="Pictures of the data set">
    ${sample.pictures.map((picture) => {
      const { number, file, label, path, problem, produced_by: by } = picture;
      const role = by === null ? 'input' : alone ? 'answer' : `asked for in turn ${turnNumber(by)}`;
      const name = /^Image #\d+$/.test(label) ? '' : label;
      return html`<li class=${lit === number ? 'lit' : ''} data-picture=${number}>
        <button
          type="button"
          ?disabled=${file === null}
          aria-label="Open picture ${number}${name === '' ? '' : `, ${name}`}, ${role}"
          title=${problem || path}
          @click=${() => see(pictureKey(number))}
          @pointerenter=${() => point(number)}
          @pointerleave=${() => point(null)}
          @focus=${() => point(number)}
          @blur=${() => point(null)}
        >
          <juror-picture .file=${file} alt="Picture ${number}${name === '' ? '' : `, ${name}`}"></juror-picture>
        </button>
        <span class="small legend"><b class="number">${number}</b><span>${name === '' ? nothing : html`<b dir="auto">${renderTokens(name)}</b> `}<span class="muted">${role}</span></span></span>
        ${problem === '' ? nothing : html`<span class="small bad">${problem}</span>`}
      </li>`;
    })}
  </ol>`;
}

/** What a reader needs besides the instruction, beside it. */
export function renderDetails({ details }: SampleView): TemplateResult | typeof nothing {
  if (details.length === 0) return nothing;
  return html`<dl class="details panel" slot="beside">${details.map(([label, text]) => html`<div><dt dir="auto">${label}</dt><dd dir="auto">${text}</dd></div>`)}</dl>`;
}
