/** What people decide, one thing at a time. */
import { html, nothing, type TemplateResult } from 'lit';
import { count } from '../../state/format';
import { icon } from '../../components/icon/icon';
import type { MadeThing } from '../../engine/types/MadeThing';
import { renderParts, type ProjectPictures } from './pictures';

export interface Things {
  things: readonly MadeThing[];
  /** The thing that is shown. */
  at: number;
  /** Whether the name is missing under which decisions are filed. */
  isNameless: boolean;
  pictures: ProjectPictures;
  move: (by: number) => void;
  decide: (isIn: boolean) => void;
}

export function renderThings({ things, at, isNameless, pictures, move, decide }: Things): TemplateResult {
  const thing = things[at];
  return html`<section class="panel part" aria-labelledby="things" data-testid="make-things">
    <h2 id="things">What people decide</h2>
    ${
      thing === undefined
        ? html`<p class="muted">Nothing to look at yet.</p>`
        : html`<div class="toolbar">
            <button type="button" class="button tiny" aria-label="Previous" aria-keyshortcuts="k" ?disabled=${at === 0} @click=${() => move(-1)}>${icon('left', 16)}<kbd>K</kbd></button>
            <span class="num">${count(at + 1)} of ${count(things.length)}, ${count(things.filter(({ decided }) => decided === null).length)} undecided</span>
            <button type="button" class="button tiny" aria-label="Next" aria-keyshortcuts="j" ?disabled=${at + 1 >= things.length} @click=${() => move(1)}><kbd>J</kbd>${icon('right', 16)}</button>
          </div>
          <h3 dir="auto" data-testid="make-thing">${thing.name}</h3>
          ${
            thing.decided === null
              ? html`<p class="muted">Not decided yet.</p>`
              : html`<p class="verdict ${thing.decided.verdict === 'accept' ? 'in' : 'out'}" data-testid="make-verdict">${thing.decided.verdict === 'accept' ? 'Accepted' : 'Rejected'} by <bdi>${thing.decided.by}</bdi>${thing.decided.reason === '' ? nothing : html`: <bdi>${thing.decided.reason}</bdi>`}</p>`
          }
          ${renderParts(thing.look, pictures)}
          <div class="toolbar">
            <button type="button" class="button" aria-keyshortcuts="a" data-testid="make-accept" ?disabled=${isNameless} @click=${() => decide(true)}>Accept <kbd>A</kbd></button>
            <button type="button" class="button" aria-keyshortcuts="r" data-testid="make-reject" ?disabled=${isNameless} @click=${() => decide(false)}>Reject <kbd>R</kbd></button>
            <input class="field" data-testid="make-reason" maxlength="200" aria-label="Why it is rejected" placeholder="Why, if it is rejected" />
          </div>
          ${isNameless ? html`<p class="small muted">Enter your name first.</p>` : nothing}`
    }
  </section>`;
}
