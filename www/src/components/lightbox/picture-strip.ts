/** The strip of all pictures, below the stage. */
import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../icon/icon';
import '../picture/picture';
import { isTwo, type Picked } from './picks';

export function pictureStrip({ slides, picks, mode }: Picked, choose: (at: number) => void, step: (by: number) => void): TemplateResult {
  return html`<div class="strip">
    <button type="button" class="button icon" aria-label="Previous picture" title="Previous picture (←)" @click=${() => step(-1)}>${icon('left')}</button>
    <ol aria-label="Pictures">
      ${slides.map((slide, at) => {
        const place = picks.indexOf(at);
        const here = place !== -1 && (mode === 'side' || place < (isTwo(mode) ? 2 : 1));
        const name = isTwo(mode) && here ? (place === 0 ? 'A' : 'B') : '';
        return html`<li>
          <button type="button" class=${here ? 'here' : ''} aria-pressed=${here} title=${isTwo(mode) ? `${slide.label}: take as B` : slide.label} @click=${() => choose(at)}>
            <juror-picture .file=${slide.file} alt=""></juror-picture>
            ${name === '' ? nothing : html`<span class="badge">${name}</span>`}<span class="label">${slide.label}</span>
          </button>
        </li>`;
      })}
    </ol>
    <button type="button" class="button icon" aria-label="Next picture" title="Next picture (→)" @click=${() => step(1)}>${icon('right')}</button>
  </div>`;
}
