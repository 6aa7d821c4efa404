import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { Told } from '../../state/told';
import { save } from '../../state/save';
import type { EngineClient } from '../../engine/client';
import { baseName } from '../../engine/paths';
import type { ZipItem } from '../../engine/protocol';
import type { PartView } from '../../engine/types/PartView';
import type { Treatment } from '../../engine/types/Treatment';
import { base, controls } from '../../styles/base.styles';
import { OpenPictures, type Slide } from '../compare-pictures/slides';
import '../picture/picture';
import { isSeen } from '../prepared/prepared';
import '../prepared/prepared';

/** An image part with its place in the order of pictures, from 1. */
export interface PicturePart {
  place: number;
  file: number | null;
  path: string;
  role: string;
  number: number | null;
  treatment: Treatment;
  other: number | null;
}

/** The image parts in order, numbered. */
export function picturesOf(parts: PartView[]): PicturePart[] {
  return parts
    .filter((part) => part.type === 'image')
    .map(({ file, path, role, number, treatment, other }, index) => ({ place: index + 1, file, path, role, number, treatment, other }));
}

/** What is done to a picture before it is sent. */
const TREATMENTS: Record<Exclude<Treatment, `tinted_${string}` | `embedded_${string}`>, string> = {
  as_is: '',
  jpeg: 'sent upright, as RGB JPEG as Pillow writes it (quality 75, 4:2:0)',
  rgba_png: 'sent as PNG with an alpha channel',
  rgb_png: 'sent as RGB PNG',
  merged: 'the drawn instruction is laid over it, resized to its size; sent as PNG',
  stretched: 'resized to the size of the source, whatever its shape; sent as PNG',
  blank: 'missing: an empty picture of the source’s size is sent',
  whitened: 'changed for this variant: black became white; PNG',
  turbo: 'changed for this variant: grey became the colours of Turbo; PNG',
};

/** What is done to a picture, in words; nothing where nothing is. */
function treatmentWords(treatment: Treatment): string {
  if (treatment in TREATMENTS) return TREATMENTS[treatment as keyof typeof TREATMENTS];
  if (treatment.startsWith(EMBEDDED)) return `changed for this variant: “${treatment.slice(EMBEDDED.length)}” is written beside the drawn instruction; PNG`;
  return `changed for this variant: white became #${treatment.replace('tinted_', '')}; PNG`;
}

/** What the name of a treatment that writes a text into a picture begins with, before the text. */
const EMBEDDED = 'embedded_';

/** A treatment as a part of a file's name, which no text is. */
const treatmentName = (treatment: Treatment): string => (treatment.startsWith(EMBEDDED) ? 'embedded' : treatment);

/** What a picture is, in words. */
export function roleLabel({ role, number }: { role: string; number: number | null }): string {
  if (role === 'output') return 'generated output';
  if (role !== 'generated' && role !== 'dataset') return role;
  const image = number === null ? 'picture' : `Image #${number}`;
  return role === 'generated' ? `model’s own ${image}` : `data set ${image}`;
}

/** The whole text, with `[picture n: name]` where a picture stands. */
export function plainText(parts: PartView[]): string {
  let place = 0;
  return parts
    .map((part) => {
      if (part.type === 'text') return part.text;
      place += 1;
      return part.file === null && part.treatment !== 'blank' ? `[picture ${place}: missing]` : `[picture ${place}: ${baseName(part.path)}]`;
    })
    .join('');
}

/** Whether the judge is shown something here: the file, or what is put in its place. */
export const isSent = (picture: PicturePart): boolean => picture.file !== null || picture.treatment === 'blank';

/** The name of a picture in a downloaded folder: its place, then its own name, as PNG where it was put together. */
export function numberedName(picture: PicturePart): string {
  const name = baseName(picture.path);
  return `${String(picture.place).padStart(2, '0')}_${isSeen(picture.treatment) ? `${name.replace(/\.[^.]*$/, '')}_${treatmentName(picture.treatment)}.png` : name}`;
}

/** The pictures as entries of a ZIP; missing ones are left out, as they are from the request itself. */
export function pictureItems(client: EngineClient, pictures: PicturePart[]): Promise<ZipItem[]> {
  const item = async (picture: PicturePart): Promise<ZipItem> => {
    const name = numberedName(picture);
    if (isSeen(picture.treatment)) return { name, bytes: await client.prepare(picture.treatment, picture.file, picture.other) };
    return { name, file: picture.file ?? 0 };
  };
  return Promise.all(pictures.filter(isSent).map(item));
}

/** A picture as it is sent. */
async function blobOf(client: EngineClient, picture: PicturePart): Promise<Blob> {
  if (isSeen(picture.treatment)) return new Blob([await client.prepare(picture.treatment, picture.file, picture.other)], { type: 'image/png' });
  return client.fileBlob(picture.file ?? 0);
}

/** Puts a picture on the clipboard; where that is not possible it is downloaded, and the words say which. */
export async function copyPicture(client: EngineClient, picture: PicturePart): Promise<string> {
  if (!isSent(picture)) return 'This picture is missing.';
  const blob = await blobOf(client, picture);
  try {
    const bitmap = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
    const png = await canvas.convertToBlob({ type: 'image/png' });
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
    return `Picture ${picture.place} copied.`;
  } catch {
    save(blob, numberedName(picture));
    return `Picture ${picture.place} downloaded: the browser does not let pages copy pictures here.`;
  }
}

/**
 * @summary Text and pictures in the order in which they are sent.
 */
@customElement('juror-parts')
export class JurorParts extends LitElement {
  static override styles = [
    base,
    controls,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 8px;
      }
      pre {
        margin: 0;
        padding: 10px 14px;
        border-radius: var(--juror-radius);
        background: var(--juror-surface-2);
        font: 0.8125rem / 1.55 var(--juror-mono);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      .image {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 12px;
        padding: 8px;
        border: 1px solid var(--juror-line);
        border-radius: var(--juror-radius);
      }
      .image > button {
        padding: 0;
        border: 0;
        background: none;
        cursor: zoom-in;
      }
      .image > button:disabled {
        cursor: default;
      }
      juror-picture,
      juror-prepared {
        width: 168px;
        height: 126px;
      }
      .words {
        flex: 1 1 160px;
        display: grid;
        gap: 4px;
        justify-items: start;
        min-width: 0;
      }
      .role {
        font-weight: 600;
      }
    `,
  ];

  @property({ attribute: false }) client!: EngineClient;
  protected readonly told = new Told(this);
  @property({ attribute: false }) parts: PartView[] = [];

  override render(): TemplateResult {
    const pictures = picturesOf(this.parts);
    let place = 0;
    return html`${this.parts.map((part) => {
      if (part.type === 'text') return part.text.trim() === '' ? html`` : html`<pre dir="auto">${part.text.replace(/^\n+|\n+$/g, '')}</pre>`;
      const picture = pictures[place++];
      return picture === undefined ? html`` : this.renderPicture(picture);
    })}`;
  }

  private renderPicture(picture: PicturePart): TemplateResult {
    return html`<div class="image">
      <button type="button" ?disabled=${picture.file === null} aria-label="Open picture ${picture.place}" @click=${() => this.open(picture)}>
        ${
          isSeen(picture.treatment)
            ? html`<juror-prepared .client=${this.client} treatment=${picture.treatment} .file=${picture.file} .other=${picture.other} alt="Picture ${picture.place}, ${roleLabel(picture)}"></juror-prepared>`
            : html`<juror-picture .file=${picture.file} alt="Picture ${picture.place}, ${roleLabel(picture)}"></juror-picture>`
        }
      </button>
      <div class="words">
        <span class="role">Picture ${picture.place}: ${picture.role === 'output' ? 'generated output' : `reference, ${roleLabel(picture)}`}${picture.treatment === 'merged' || picture.treatment.startsWith(EMBEDDED) ? ' with the drawn instruction' : ''}</span>
        <span class="path small muted">${picture.path}</span>
        ${treatmentWords(picture.treatment) === '' ? nothing : html`<span class="small muted">${treatmentWords(picture.treatment)}</span>`}
        ${!isSent(picture) ? html`<span class="chip bad">missing, so not sent</span>` : html`<button type="button" class="button tiny" @click=${() => void this.told.tell(String(picture.place), () => copyPicture(this.client, picture))}>${this.told.words(String(picture.place), `Copy picture ${picture.place}`, 16)}</button>${this.told.answer(String(picture.place))}`}
      </div>
    </div>`;
  }

  private open(picture: PicturePart): void {
    const slides: Slide[] = picturesOf(this.parts).flatMap((one) =>
      one.file === null ? [] : [{ file: one.file, label: `${one.place}: ${roleLabel(one)}`, path: one.path }],
    );
    this.dispatchEvent(
      new OpenPictures(
        slides,
        Math.max(
          0,
          slides.findIndex(({ file }) => file === picture.file),
        ),
      ),
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-parts': JurorParts;
  }
}
