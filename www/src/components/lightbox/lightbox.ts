import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import { store } from '../../app/store';
import { vars } from '../../app/vars';
import { base, controls, dialogs } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import { styles } from './lightbox.styles';

/** A picture with the words that say what it is. */
export interface Slide {
  file: number;
  label: string;
  path: string;
}

/** Asks the page's lightbox to show pictures. */
export class OpenPictures extends Event {
  readonly slides: Slide[];
  readonly start: number;

  constructor(slides: Slide[], start: number) {
    super('juror-open-pictures', { bubbles: true, composed: true });
    this.slides = slides;
    this.start = start;
  }
}

const MAX_ZOOM = 16;

/**
 * @summary Shows one picture large, with zoom, and its neighbours by the arrow keys.
 */
@customElement('juror-lightbox')
export class JurorLightbox extends LitElement {
  static override styles = [base, controls, dialogs, styles];

  @state() private slides: Slide[] = [];
  @state() private at = 0;
  @state() private url = '';
  /** CSS pixels per picture pixel; 0 fits the window. */
  @state() private zoom = 0;
  @state() private natural: { width: number; height: number } | null = null;
  @query('dialog') private dialog!: HTMLDialogElement;
  @query('.stage') private stage!: HTMLElement;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('juror-open-pictures', this.#onOpen);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('juror-open-pictures', this.#onOpen);
  }

  override render(): TemplateResult {
    const slide = this.slides[this.at];
    const size = this.natural;
    const zoomed = this.zoom > 0 && size !== null;
    return html`<dialog aria-label="Picture" @keydown=${this.onKey}>
      <div class="dialog-head">
        <h2>${slide?.label ?? ''} <span class="path muted small">${slide?.path ?? ''}</span></h2>
        <span class="num muted small">${size === null ? '' : `${size.width} × ${size.height}`}${zoomed ? ` · ${Math.round(this.zoom * 100)} %` : ''}</span>
        <span class="toolbar">
          <button type="button" class="button tiny" aria-pressed=${this.zoom === 0} @click=${() => (this.zoom = 0)}>Fit</button>
          <button type="button" class="button tiny" aria-pressed=${this.zoom === 1} @click=${() => this.zoomTo(1)}>1:1</button>
        </span>
        <button type="button" class="button quiet icon" aria-label="Close" @click=${() => this.dialog.close()}>${icon('close')}</button>
      </div>
      <div class="stage ${zoomed ? 'zoomed' : ''}" tabindex="0" @wheel=${this.onWheel}>
        ${this.url === ''
          ? nothing
          : html`<img
              src=${this.url}
              alt=${slide?.label ?? ''}
              @load=${this.onLoad}
              ${vars({ '--w': zoomed ? `${size.width * this.zoom}px` : 'auto' })}
            />`}
      </div>
      ${this.slides.length < 2
        ? nothing
        : html`<div class="strip">
            <button type="button" class="button icon" aria-label="Previous picture" @click=${() => this.step(-1)}>${icon('left')}</button>
            <ol>
              ${this.slides.map(
                ({ label }, index) =>
                  html`<li>
                    <button type="button" class="button tiny ${index === this.at ? 'primary' : ''}" aria-current=${index === this.at ? 'true' : nothing} @click=${() => this.go(index)}>
                      ${label}
                    </button>
                  </li>`,
              )}
            </ol>
            <button type="button" class="button icon" aria-label="Next picture" @click=${() => this.step(1)}>${icon('right')}</button>
          </div>`}
    </dialog>`;
  }

  readonly #onOpen = (event: Event): void => {
    if (!(event instanceof OpenPictures)) return;
    this.slides = event.slides;
    this.go(event.start);
    if (!this.dialog.open) this.dialog.showModal();
    this.stage.focus();
  };

  private go(index: number): void {
    this.at = index;
    this.natural = null;
    const file = this.slides[index]?.file;
    if (file === undefined) return;
    void this.updateComplete.then(() => this.renderRoot.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
    void store.client.fileUrl(file).then((url) => {
      if (this.slides[this.at]?.file === file) this.url = url;
    });
  }

  private step(by: number): void {
    this.go((this.at + by + this.slides.length) % this.slides.length);
  }

  private onLoad(event: Event): void {
    const { naturalWidth, naturalHeight } = event.target as HTMLImageElement;
    this.natural = { width: naturalWidth, height: naturalHeight };
  }

  private fitZoom(): number {
    if (this.natural === null) return 1;
    return Math.min(1, this.stage.clientWidth / this.natural.width, this.stage.clientHeight / this.natural.height);
  }

  private zoomTo(zoom: number): void {
    this.zoom = Math.min(MAX_ZOOM, Math.max(0.05, zoom));
  }

  private onWheel(event: WheelEvent): void {
    event.preventDefault();
    const before = this.zoom || this.fitZoom();
    const stage = this.stage;
    const box = stage.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    this.zoomTo(before * Math.exp(-event.deltaY / 400));
    const factor = this.zoom / before;
    void this.updateComplete.then(() => {
      stage.scrollLeft = (stage.scrollLeft + x) * factor - x;
      stage.scrollTop = (stage.scrollTop + y) * factor - y;
    });
  }

  private onKey(event: KeyboardEvent): void {
    const zoomed = this.zoom > 0;
    const actions: Record<string, (() => void) | undefined> = {
      ArrowLeft: zoomed ? undefined : () => this.step(-1),
      ArrowRight: zoomed ? undefined : () => this.step(1),
      '+': () => this.zoomTo((this.zoom || this.fitZoom()) * 1.25),
      '=': () => this.zoomTo((this.zoom || this.fitZoom()) * 1.25),
      '-': () => this.zoomTo((this.zoom || this.fitZoom()) / 1.25),
      '0': () => (this.zoom = 0),
      '1': () => this.zoomTo(1),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-lightbox': JurorLightbox;
  }
}
