import { LitElement, css, html, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { EngineClient } from '../../engine/client';
import { messageOf } from '../../engine/errors';
import type { Treatment } from '../../engine/types/Treatment';
import { base } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import { styles } from '../picture/picture.styles';
import { isSeen } from '../prepared/prepared';

/** Pictures that are kept at hand: those of the item on the screen and of its neighbours. */
const MAX_URLS = 60;
const urls = new Map<string, Promise<string>>();

/** An address without the file's name or path, which may say whose picture it is. */
export function blindUrl(client: EngineClient, treatment: Treatment, file: number | null, other: number | null): Promise<string> {
  const key = `${treatment} ${file} ${other}`;
  const known = urls.get(key);
  if (known !== undefined) return known;
  const url = make(client, treatment, file, other);
  urls.set(key, url);
  url.catch(() => urls.delete(key));
  for (const [oldest, old] of urls) {
    if (urls.size <= MAX_URLS) break;
    urls.delete(oldest);
    old.then(
      (text) => URL.revokeObjectURL(text),
      () => undefined,
    );
  }
  return url;
}

/** Forgets all pictures: file numbers mean others once something else is opened. */
export function forgetBlindUrls(): void {
  for (const url of urls.values())
    url.then(
      (text) => URL.revokeObjectURL(text),
      () => undefined,
    );
  urls.clear();
}

async function make(client: EngineClient, treatment: Treatment, file: number | null, other: number | null): Promise<string> {
  if (isSeen(treatment)) return URL.createObjectURL(new Blob([await client.prepare(treatment, file, other)], { type: 'image/png' }));
  if (file === null) throw new Error('The file is missing.');
  const blob = await client.fileBlob(file);
  // A File has a name; a slice of it has none.
  return URL.createObjectURL(blob.slice(0, blob.size, blob.type));
}

/**
 * @summary A picture without its name, on a neutral checker.
 * @cssproperty --picture-fit - `contain` (default) or `cover`.
 */
@customElement('juror-blind-picture')
export class JurorBlindPicture extends LitElement {
  static override styles = [
    base,
    styles,
    css`
      img {
        max-height: inherit;
      }
    `,
  ];

  @property({ attribute: false }) client!: EngineClient;
  @property() treatment: Treatment = 'as_is';
  @property({ type: Number }) file: number | null = null;
  @property({ type: Number }) other: number | null = null;
  /** What the picture is, for those who do not see it. */
  @property() alt = '';
  @state() private url = '';
  @state() private problem = '';
  #shown = '';

  protected override willUpdate(): void {
    const key = `${this.treatment} ${this.file} ${this.other}`;
    if (key === this.#shown) return;
    this.#shown = key;
    this.url = '';
    this.problem = '';
    blindUrl(this.client, this.treatment, this.file, this.other).then(
      (url) => {
        if (this.#shown === key) this.url = url;
      },
      (error: unknown) => {
        if (this.#shown === key) this.problem = messageOf(error);
      },
    );
  }

  override render(): TemplateResult {
    if (this.problem !== '') return html`<span class="state" role="img" aria-label="${this.alt}: cannot be shown">${icon('error', 20)}</span>`;
    if (this.url === '') return html`<span class="state waiting"></span>`;
    return html`<img src=${this.url} alt=${this.alt} decoding="async" draggable="false" />`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-blind-picture': JurorBlindPicture;
  }
}
