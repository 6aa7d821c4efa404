/** `<juror-compare>`: two pictures over each other with a divider between them, for other people's pages. It needs neither Wasm nor a library. */

/** Where the divider stands before anybody moves it, in percent of the width. */
const MIDDLE = 50;

const STYLES = `
  :host {
    display: block;
    width: fit-content;
    max-width: 100%;
    direction: ltr;
    font: 500 14px/1.3 system-ui, sans-serif;
  }
  :host([hidden]) {
    display: none;
  }
  .pictures {
    position: relative;
    overflow: hidden;
  }
  img {
    display: block;
    max-width: 100%;
    height: auto;
    user-select: none;
  }
  .after {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    object-fit: contain;
    clip-path: inset(0 0 0 var(--at));
  }
  .before {
    position: relative;
    clip-path: inset(0 calc(100% - var(--at)) 0 0);
  }
  .label {
    position: absolute;
    bottom: 8px;
    max-width: calc(50% - 24px);
    padding: 2px 8px;
    border-radius: 999px;
    background: rgb(0 0 0 / 65%);
    color: #fff;
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
  }
  .label:empty {
    display: none;
  }
  .label.one {
    left: 8px;
  }
  .label.two {
    right: 8px;
  }
  input {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    margin: 0;
    appearance: none;
    background: none;
    opacity: 0;
    cursor: ew-resize;
    touch-action: pan-y;
  }
  input::-webkit-slider-thumb {
    appearance: none;
    width: 1px;
    height: 100%;
  }
  input::-moz-range-thumb {
    width: 1px;
    height: 100%;
    border: 0;
  }
  .divider {
    position: absolute;
    top: 0;
    bottom: 0;
    left: var(--at);
    width: 2px;
    margin-left: -1px;
    background: #fff;
    box-shadow: 0 0 0 1px rgb(0 0 0 / 40%);
    pointer-events: none;
  }
  .divider::after {
    content: '↔';
    position: absolute;
    top: 50%;
    left: 50%;
    width: 32px;
    height: 32px;
    border-radius: 50%;
    background: #fff;
    color: #222;
    font-size: 18px;
    line-height: 32px;
    text-align: center;
    box-shadow: 0 1px 4px rgb(0 0 0 / 50%);
    transform: translate(-50%, -50%);
  }
  input:focus-visible ~ .divider::after {
    outline: 3px solid #0b57d0;
    outline-offset: 2px;
  }
  .problem {
    margin: 0;
    padding: 8px;
    border: 1px solid currentcolor;
  }
`;

/** A page's policy on styles does not bear on a sheet that a script makes. */
const SHEET = new CSSStyleSheet();
SHEET.replaceSync(STYLES);

/**
 * @summary Two pictures in one place: the divider is dragged, or moved by the arrow keys, Home and End.
 * @attribute before - Address of the picture on the left of the divider; its shape is that of the whole.
 * @attribute after - Address of the picture on its right, fitted into the same place.
 * @attribute before-label - What the first one is called; `Before` without it, and nothing where it is empty.
 * @attribute after-label - The same of the second one; `After`.
 * @attribute at - Where the divider stands, in percent of the width; 50 without it.
 * @attribute width - Width of the first picture in pixels: with `height` its place is kept free until it has come.
 * @attribute height - Its height.
 */
class JurorCompare extends HTMLElement {
  static readonly observedAttributes = ['before', 'after', 'before-label', 'after-label', 'at', 'width', 'height'];

  readonly #before = picture('before');
  readonly #after = picture('after');
  readonly #range = document.createElement('input');
  readonly #labels = ['one', 'two'].map((side) => part('span', `label ${side}`)) as [HTMLElement, HTMLElement];
  readonly #pictures = part('div', 'pictures');
  readonly #problem = part('p', 'problem');
  readonly #failed = new Set<HTMLImageElement>();

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    root.adoptedStyleSheets = [SHEET];
    this.#range.type = 'range';
    this.#range.addEventListener('input', () => this.#move());
    for (const one of [this.#before, this.#after]) {
      one.addEventListener('error', () => this.#tell(this.#failed.add(one)));
      one.addEventListener('load', () => {
        this.#failed.delete(one);
        this.#tell(this.#failed);
      });
    }
    for (const label of this.#labels) label.ariaHidden = 'true';
    this.#problem.role = 'alert';
    this.#problem.hidden = true;
    this.#pictures.append(this.#after, this.#before, ...this.#labels, this.#range, part('div', 'divider'));
    root.append(this.#pictures, this.#problem);
    this.#move();
  }

  /** How much of the width the first picture takes, in percent. */
  get at(): number {
    return Number(this.#range.value);
  }

  set at(at: number) {
    this.#range.value = String(at);
    this.#move();
  }

  attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    if (before === value) return;
    switch (name) {
      case 'before':
        show(this.#before, value);
        break;
      case 'after':
        show(this.#after, value);
        break;
      case 'at':
        this.at = value === null || Number.isNaN(Number(value)) ? MIDDLE : Number(value);
        break;
      case 'width':
      case 'height':
        if (value === null) this.#before.removeAttribute(name);
        else this.#before.setAttribute(name, value);
        break;
      default:
        this.#name();
    }
  }

  connectedCallback(): void {
    this.#name();
  }

  #name(): void {
    const names = [this.getAttribute('before-label') ?? 'Before', this.getAttribute('after-label') ?? 'After'] as const;
    for (const [index, label] of this.#labels.entries()) label.textContent = names[index] ?? '';
    [this.#before.alt, this.#after.alt] = names;
    this.#range.ariaLabel = `${names[0] || 'First picture'} | ${names[1] || 'second picture'}`;
    this.#move();
  }

  #move(): void {
    this.#pictures.style.setProperty('--at', `${this.at}%`);
    this.#range.setAttribute('aria-valuetext', `${this.at} % ${this.#before.alt}`);
  }

  /** Says which pictures did not come. */
  #tell(failed: ReadonlySet<HTMLImageElement>): void {
    this.#problem.hidden = failed.size === 0;
    this.#problem.textContent = [...failed].map((one) => `The picture ${one.getAttribute('src') ?? ''} could not be loaded.`).join(' ');
  }
}

function part(tag: string, name: string): HTMLElement {
  const element = document.createElement(tag);
  element.className = name;
  return element;
}

function picture(name: string): HTMLImageElement {
  const image = document.createElement('img');
  image.className = name;
  image.decoding = 'async';
  image.draggable = false;
  return image;
}

function show(image: HTMLImageElement, address: string | null): void {
  if (address === null) image.removeAttribute('src');
  else image.src = address;
}

// The script may stand in a page twice.
if (customElements.get('juror-compare') === undefined) customElements.define('juror-compare', JurorCompare);

export {};
