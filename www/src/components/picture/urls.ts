/** Where pictures get their addresses: whoever shows them answers, be it the page or a viewer on somebody else's. */

/** Gives addresses of files that an `<img>` can show. */
export interface PictureUrls {
  /** Whether a file has an address already. */
  hasUrl(file: number): boolean;
  fileUrl(file: number): Promise<string>;
  /** Drops an address that did not work. */
  forgetUrl(file: number): void;
}

/** A picture asks on its way up who gives its address; the nearest that knows answers and stops it. */
export class AskUrls extends Event {
  urls: PictureUrls | null = null;

  constructor() {
    super('juror-ask-urls', { bubbles: true, composed: true });
  }

  answer(urls: PictureUrls): void {
    this.urls = urls;
    this.stopPropagation();
  }
}
