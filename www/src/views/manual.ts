import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { chapters, type Chapter, type Section } from 'virtual:juror-manual';
import { StoreController } from '../state/controllers';
import { plural } from '../state/format';
import { parseHash } from '../state/router';
import { store } from '../state/store';
import { searched } from '../manual/search';
import { base, controls } from '../styles/base.styles';
import { styles } from './manual.styles';

/**
 * @summary The manual: a chapter at a time, with its sections, and a search through all of them.
 */
@customElement('juror-manual')
export class JurorManual extends LitElement {
  static override styles = [base, controls, styles];

  readonly #store = new StoreController(this);
  @state() private query = '';
  /** The place that was scrolled to last. */
  #shown = '';

  protected override updated(_: PropertyValues<this>): void {
    const { place } = this.#store.state.route;
    if (place.view !== 'manual') return;
    const now = `${place.chapter}/${place.section}`;
    if (now === this.#shown) return;
    const isFirst = this.#shown === '';
    this.#shown = now;
    const heading = place.section === '' ? null : this.renderRoot.querySelector<HTMLElement>(`#${CSS.escape(place.section)}`);
    if (heading !== null) heading.scrollIntoView();
    else if (!isFirst) scrollTo(0, 0);
    if (!isFirst || heading !== null) (heading ?? this.renderRoot).querySelector<HTMLElement>('h1, h2')?.focus({ preventScroll: true });
  }

  override render(): TemplateResult {
    const { place } = this.#store.state.route;
    const wanted = place.view === 'manual' ? place.chapter : '';
    const [first] = chapters;
    const chapter = chapters.find(({ id }) => id === wanted) ?? first;
    if (chapter === undefined) return html`<h1>Manual</h1>`;
    return html`<aside>
        <label class="visually-hidden" for="search">Search the manual</label>
        <input id="search" class="field" type="search" placeholder="Search the manual" data-testid="manual-search" .value=${this.query} @input=${this.onSearch} />
        <nav aria-label="Chapters">
          <ul>
            ${chapters.map((one) => this.renderChapterLink(one, one === chapter))}
          </ul>
        </nav>
      </aside>
      ${this.query.trim() === '' ? this.renderChapter(chapter) : this.renderFound()}`;
  }

  private renderChapterLink(one: Chapter, isOpen: boolean): TemplateResult {
    const parts = one.sections.filter(({ id }) => id !== '');
    return html`<li>
      <a href=${this.href(one)} aria-current=${isOpen ? 'true' : nothing} @click=${this.leaveSearch}>${one.title}</a>
      ${isOpen && parts.length > 0 ? html`<ul>${parts.map((part) => html`<li><a href=${this.href(one, part)} @click=${this.leaveSearch}>${part.title}</a></li>`)}</ul>` : nothing}
    </li>`;
  }

  private renderChapter(chapter: Chapter): TemplateResult {
    const at = chapters.indexOf(chapter);
    const [before, next] = [chapters[at - 1], chapters[at + 1]];
    return html`<article aria-label=${chapter.title} @click=${this.onLink}>
      ${chapter.sections.map(({ id, title, body }) => html`<section id=${id === '' ? nothing : id}>${id === '' ? html`<h1 tabindex="-1">${title}</h1>` : html`<h2 tabindex="-1">${title}</h2>`}${body}</section>`)}
      <nav class="around" aria-label="Chapters before and after">
        ${before === undefined ? html`<span></span>` : html`<a href=${this.href(before)}>← ${before.title}</a>`} ${next === undefined ? nothing : html`<a href=${this.href(next)}>${next.title} →</a>`}
      </nav>
    </article>`;
  }

  private renderFound(): TemplateResult {
    const found = searched(chapters, this.query);
    return html`<div class="found">
      <h1>Manual: search</h1>
      <p aria-live="polite" data-testid="manual-found">${found.length === 0 ? 'No section has all of these words.' : `${plural(found.length, 'section')}:`}</p>
      <ul class="list">
        ${found.map(({ chapter, section, excerpt }) => html`<li><a href=${this.href(chapter, section)} @click=${this.leaveSearch}>${section.id === '' ? chapter.title : `${chapter.title}: ${section.title}`}</a><span class="small muted">${excerpt}</span></li>`)}
      </ul>
    </div>`;
  }

  private href(chapter: Chapter, section?: Section): string {
    return store.href({ view: 'manual', chapter: chapter.id, section: section?.id ?? '' });
  }

  private readonly onSearch = (event: Event): void => {
    this.query = (event.target as HTMLInputElement).value;
  };

  /** A link inside the text keeps what else the address holds: the demo suite, the pack, the choices. */
  private readonly onLink = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="#/manual/"]') : null;
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    const { place } = parseHash(link.getAttribute('href') ?? '');
    location.hash = store.href(place);
  };

  /** A section that was found is shown, even if it is the one of the address. */
  private readonly leaveSearch = (): void => {
    this.query = '';
    this.#shown = ' ';
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-manual': JurorManual;
  }
}
