/** The pictures and texts of a project, as a call or a decision shows them. */
import { html, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';
import type { MakePart } from '../../engine/types/MakePart';

/** Addresses of pictures that are shown, by path; of a picture that the project lacks, an empty one. */
export class ProjectPictures implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #read: (path: string) => Promise<Blob | null>;
  readonly #urls = new Map<string, string>();

  constructor(host: ReactiveControllerHost, read: (path: string) => Promise<Blob | null>) {
    this.#host = host;
    this.#read = read;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.forget();
  }

  /** The address; `undefined` until the picture is read. */
  urlOf(path: string): string | undefined {
    const url = this.#urls.get(path);
    if (url === undefined) void this.#load(path);
    return url;
  }

  forget(): void {
    for (const url of this.#urls.values()) if (url !== '') URL.revokeObjectURL(url);
    this.#urls.clear();
    this.#host.requestUpdate();
  }

  async #load(path: string): Promise<void> {
    const picture = await this.#read(path);
    if (this.#urls.has(path)) return;
    this.#urls.set(path, picture === null ? '' : URL.createObjectURL(picture));
    this.#host.requestUpdate();
  }
}

export function renderParts(parts: readonly MakePart[], pictures: ProjectPictures): TemplateResult {
  return html`<div class="shown">
    ${parts.map((part) => {
      if (part.type === 'text') return html`<pre dir="auto" tabindex="0">${part.text}</pre>`;
      const url = pictures.urlOf(part.path);
      return url === undefined || url === ''
        ? html`<p class="muted small">${url === undefined ? 'One moment…' : `${part.path} is not in the project’s folder.`}</p>`
        : html`<img src=${url} alt=${part.path} />`;
    })}
  </div>`;
}
