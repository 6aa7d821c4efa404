/** The difference of two pictures and the pixels below the cursor, as the viewer asks for them. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { EngineClient } from '../../engine/client';
import { messageOf } from '../../engine/errors';
import { Comparer } from '../compare-pictures/comparer';
import type { Difference } from '../compare-pictures/difference';
import type { Slide } from '../compare-pictures/slides';

/** Shown instead of a comparison. */
export const MISSING_PICTURE = 'There is nothing to compare: a picture is missing.';

interface Point {
  x: number;
  y: number;
}

/** What a pixel holds in each picture. */
export interface Pixel extends Point {
  values: (number[] | null)[];
}

export class PixelComparison implements ReactiveController {
  difference: Difference | null = null;
  /** What is said while there is no difference. */
  words = '';
  pixel: Pixel | null = null;
  readonly #host: ReactiveControllerHost;
  readonly #comparer = new Comparer();
  #compared = '';
  #pointed = 0;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#comparer.clear();
  }

  /** Compares the first two pictures, unless they are compared already. */
  compare(client: EngineClient, [first, second]: Slide[]): void {
    const question = `${first?.file} ${second?.file}`;
    if (question === this.#compared) return;
    this.#compared = question;
    if (first?.file == null || second?.file == null) {
      this.#show(null, MISSING_PICTURE);
      return;
    }
    this.#show(null, 'Comparing…');
    this.#comparer.compare(client, first.file, second.file).then(
      (found) => {
        if (this.#compared === question && found !== null) this.#show(found);
      },
      (error: unknown) => {
        if (this.#compared === question) this.#show(this.difference, `These pictures cannot be compared: ${messageOf(error)}`);
      },
    );
  }

  /** Reads what each picture has at a point of the frame; `pixelOf` finds its pixel there. */
  async point(client: EngineClient, slides: Slide[], at: Point | null, pixelOf: (slide: Slide, at: Point) => Point | null): Promise<void> {
    const mine = ++this.#pointed;
    if (at === null) {
      this.forgetPixel();
      return;
    }
    const values = await Promise.all(
      slides.map(async (slide) => {
        const place = pixelOf(slide, at);
        return place === null || slide.file === null ? null : await this.#comparer.pixel(client, slide.file, place.x, place.y);
      }),
    );
    if (mine === this.#pointed) this.#showPixel({ x: Math.floor(at.x), y: Math.floor(at.y), values });
  }

  forget(): void {
    this.#compared = '';
    this.#show(null);
  }

  forgetPixel(): void {
    this.#showPixel(null);
  }

  /** Forgets all, and gives up the pictures. */
  clear(): void {
    this.forget();
    this.forgetPixel();
    this.#comparer.clear();
  }

  #show(difference: Difference | null, words = this.words): void {
    [this.difference, this.words] = [difference, words];
    this.#host.requestUpdate();
  }

  #showPixel(pixel: Pixel | null): void {
    this.pixel = pixel;
    this.#host.requestUpdate();
  }
}
