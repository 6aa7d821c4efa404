import { LitElement, html, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { soon } from '../../state/frames';
import { icon } from '../icon/icon';
import { base } from '../../styles/base.styles';
import { styles } from './picture.styles';
import { AskUrls, type PictureUrls } from './urls';

/**
 * @summary A picture of the session by its file number, on a neutral checker; shows waiting, failed and absent.
 * @fires juror-ask-urls - The picture asks who gives its address.
 * @cssproperty --picture-fit - `contain` (default) or `cover`.
 */
@customElement('juror-picture')
export class JurorPicture extends LitElement {
  static override styles = [base, styles];

  /** File number; `null` where the file is absent. */
  @property({ type: Number }) file: number | null = null;
  /** What the picture is, for those who do not see it. */
  @property() alt = '';
  @state() private url = '';
  @state() private problem = '';
  #shown: number | null = null;
  #urls: PictureUrls | null = null;
  #retried = false;
  /** Takes back what was not begun yet. */
  #forget: (() => void) | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#forget !== null && this.file !== null) this.wait(this.file);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#forget?.();
  }

  protected override willUpdate(): void {
    if (this.file === this.#shown) return;
    this.#shown = this.file;
    this.#retried = false;
    this.url = '';
    this.problem = '';
    this.#forget?.();
    this.#forget = null;
    if (this.file === null) return;
    const ask = new AskUrls();
    this.dispatchEvent(ask);
    this.#urls = ask.urls;
    if (this.#urls === null) this.problem = 'Nothing here gives pictures their addresses';
    else if (this.#urls.hasUrl(this.file)) this.load(this.file);
    else this.wait(this.file);
  }

  override render(): TemplateResult {
    if (this.file === null) return html`<span class="state" role="img" aria-label="${this.alt}: missing">${icon('missing', 20)}</span>`;
    if (this.problem !== '')
      return html`<span class="state" role="img" aria-label="${this.alt}: ${this.problem}" title=${this.problem}>${icon('error', 20)}</span>`;
    if (this.url === '') return html`<span class="state waiting"></span>`;
    return html`<img src=${this.url} alt=${this.alt} loading="lazy" decoding="async" draggable="false" @error=${this.onError} />`;
  }

  /** A picture that is scrolled past before its turn comes is never read. */
  private wait(file: number): void {
    this.#forget = soon(() => {
      this.#forget = null;
      if (this.file === file) this.load(file);
    });
  }

  private load(file: number): void {
    this.#urls?.fileUrl(file).then(
      (url) => {
        if (this.file === file) this.url = url;
      },
      (error: unknown) => {
        if (this.file === file) this.problem = String(error);
      },
    );
  }

  /** The address may have been given up in between; then a second try works. */
  private onError(): void {
    if (this.file === null) return;
    if (this.#retried) {
      this.problem = 'The browser cannot show this file';
      return;
    }
    this.#retried = true;
    this.url = '';
    this.#urls?.forgetUrl(this.file);
    this.load(this.file);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-picture': JurorPicture;
  }
}
