/** A picture that a search for neighbours looked at, with the way to its sample. */
import { css, html, type TemplateResult } from 'lit';
import { turnNumber } from '../../state/format';
import { hrefOf } from '../../state/links';
import type { Looked } from '../../state/look-alikes';
import { NO_FILTER, type Route } from '../../state/router';
import '../picture/picture';

export const looked = css`
  figure {
    display: grid;
    grid-template-columns: 56px minmax(0, 1fr);
    gap: 8px;
    align-items: center;
    margin: 0;
  }
  juror-picture {
    width: 56px;
    height: 56px;
  }
  figcaption {
    overflow-wrap: anywhere;
    font-size: var(--juror-size-s);
  }
`;

export function renderLooked({ file, sample, turn, number, isGolden }: Looked, route: Route): TemplateResult {
  const words = `${sample}${turn === 0 ? '' : `, turn ${turnNumber(turn)}`}${number === null ? '' : isGolden ? ', golden answer' : `, picture ${number}`}`;
  return html`<figure>
    <juror-picture .file=${file} alt=${words}></juror-picture>
    <figcaption><a href=${hrefOf(route, { view: 'sample', id: sample, turn: turn === 0 ? null : turn, models: null, filter: NO_FILTER })}><bdi>${words}</bdi></a></figcaption>
  </figure>`;
}
