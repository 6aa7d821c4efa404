import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { turnNumber } from '../../state/format';
import { DEMOS, FIRST_DEMO } from '../../state/demos';
import { SUITES } from '../../engine/types/suites';
import { namedModels, type Place } from '../../state/router';
import { hrefOf } from '../../state/links';
import type { State } from '../../state/state';
import type { Overview } from '../../engine/types/Overview';
import { base, controls } from '../../styles/base.styles';
import { say } from '../events';
import { icon } from '../icon/icon';
import { styles } from './missing-data.styles';

/** What the screens that an address can lead to are called. */
const SCREENS: Partial<Record<string, string>> = {
  overview: 'The overview',
  samples: 'The list of samples',
  compare: 'The comparison of models',
  incidents: 'The incidents',
  judge: 'The judging',
};

const SEEN = {
  one: 'one picture, large',
  side: 'pictures side by side',
  swipe: 'two pictures with a line to swipe',
  onion: 'two pictures over each other',
  difference: 'the difference of two pictures',
  map: 'a metric of two pictures as a map',
  blink: 'two pictures in turns',
};

/**
 * @summary Says what an address shows and what has to be opened to see it, and what of that is open already.
 * @fires juror-open-folder - The reader wants to open a folder.
 */
@customElement('juror-missing-data')
export class JurorMissingData extends LitElement {
  static override styles = [base, controls, styles];

  @property({ attribute: false }) state!: Pick<State, 'route'>;
  /** Protocol of the benchmark that the address is of. */
  @property() bench = '';
  @property({ attribute: false }) place!: Place;
  @property({ attribute: false }) overview: Overview | null = null;
  @property({ type: Boolean }) busy = false;

  override render(): TemplateResult {
    const title = titleOf(this.bench);
    const found = this.overview?.benchmark ?? null;
    return html`<section class="panel" aria-labelledby="title" data-testid="missing-data">
      <h1 id="title">Open ${title} to see this</h1>
      <p>${this.renderPlace()} An address holds no data: it shows the same to whoever has the same files.</p>
      <ol aria-label="What is needed">
        ${this.renderNeed(`The benchmark: ${title}`, 'its folder as it is published, or a ZIP of it', found?.protocol === this.bench)}
        ${this.models().map((model) => this.renderNeed(`Results of ${model}`, 'the folder with this model’s outputs and replies', this.overview?.models.some(({ name }) => name === model) ?? false))}
      </ol>
      ${
        found === null || found.protocol === this.bench
          ? nothing
          : html`<p class="callout" role="status">${icon('warn')}<span>What is open now is ${found.title}. <a href=${hrefOf(this.state.route, { view: 'overview', scope: '', criterion: '' })}>Go to its overview</a>, or open ${title} after closing it.</span></p>`
      }
      <div class="toolbar">
        <button type="button" class="button primary" @click=${() => this.dispatchEvent(new Event('juror-open-folder', { bubbles: true, composed: true }))}>${icon('folder')}Open folder…</button>
        <span class="muted">${this.busy ? 'Reading…' : 'or drop folders and ZIPs anywhere, in any order.'}</span>
      </div>
      <p class="small muted">Nothing you open leaves your machine. Without the files: <button type="button" class="link" @click=${() => say(this, 'demo', DEMOS.find(({ id }) => id === this.bench)?.id ?? FIRST_DEMO)}>see a demo suite</button>.</p>
    </section>`;
  }

  private renderNeed(what: string, how: string, isOpen: boolean): TemplateResult {
    return html`<li class=${isOpen ? 'open' : ''}>${icon(isOpen ? 'check' : 'folder', 20)}<span><b>${what}</b><span class="muted small">${isOpen ? 'open' : how}</span></span></li>`;
  }

  private renderPlace(): TemplateResult {
    const { place } = this;
    if (place.view !== 'sample') return html`${SCREENS[place.view] ?? 'A screen'} of this benchmark.`;
    const turn = place.turn === null ? '' : `, turn ${turnNumber(place.turn)}`;
    const what =
      place.see !== undefined
        ? `: ${SEEN[place.see.mode]}`
        : place.ask !== undefined
          ? ': what its judge is asked'
          : place.input !== undefined
            ? ': what its generator is given'
            : '';
    return html`Sample <b>${place.id}</b>${turn}${what}.`;
  }

  private models(): string[] {
    return this.place.view === 'sample' ? namedModels(this.place) : [];
  }
}

/** The name of a benchmark; a declared one goes by its id. */
const titleOf = (protocol: string): string => SUITES.find(({ id }) => id === protocol)?.title ?? protocol;

declare global {
  interface HTMLElementTagNameMap {
    'juror-missing-data': JurorMissingData;
  }
}
