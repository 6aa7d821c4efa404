import { LitElement, html, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { EngineClient } from '../../engine/client';
import { messageOf } from '../../engine/errors';
import type { Treatment } from '../../engine/types/Treatment';
import { icon } from '../icon/icon';
import { base } from '../../styles/base.styles';
import { styles } from '../picture/picture.styles';

/** Whether a treatment changes what is seen, so that the file itself will not do. */
export const isSeen = (treatment: Treatment): boolean => !['as_is', 'jpeg', 'rgba_png', 'rgb_png'].includes(treatment);

/**
 * @summary A picture as a judge is sent it, put together from its files.
 */
@customElement('juror-prepared')
export class JurorPrepared extends LitElement {
  static override styles = [base, styles];

  @property({ attribute: false }) client!: EngineClient;
  @property() treatment: Treatment = 'as_is';
  @property({ type: Number }) file: number | null = null;
  @property({ type: Number }) other: number | null = null;
  /** What the picture is, for those who do not see it. */
  @property() alt = '';
  @state() private url = '';
  @state() private problem = '';
  #shown = '';

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.drop();
  }

  protected override willUpdate(): void {
    const key = `${this.treatment} ${this.file} ${this.other}`;
    if (key === this.#shown) return;
    this.drop();
    this.#shown = key;
    this.problem = '';
    this.client.prepare(this.treatment, this.file, this.other).then(
      (png) => {
        if (this.#shown === key) this.url = URL.createObjectURL(new Blob([png], { type: 'image/png' }));
      },
      (error: unknown) => {
        if (this.#shown === key) this.problem = messageOf(error);
      },
    );
  }

  override render(): TemplateResult {
    if (this.problem !== '')
      return html`<span class="state" role="img" aria-label="${this.alt}: ${this.problem}" title=${this.problem}>${icon('error', 20)}</span>`;
    if (this.url === '') return html`<span class="state waiting"></span>`;
    return html`<img src=${this.url} alt=${this.alt} decoding="async" draggable="false" />`;
  }

  private drop(): void {
    if (this.url !== '') URL.revokeObjectURL(this.url);
    this.url = '';
    this.#shown = '';
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-prepared': JurorPrepared;
  }
}
