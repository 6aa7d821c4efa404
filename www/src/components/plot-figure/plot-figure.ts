import { LitElement, html, nothing, render, svg, type PropertyValues, type SVGTemplateResult, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { FocusFollower } from '../../state/focus';
import { base, controls } from '../../styles/base.styles';
import { download } from '../events';
import { icon } from '../icon/icon';
import { renderSentence } from '../name/name';
import { PAGE, PAPER, csv, type Action, type Chart, type Mark } from './chart';
import { styles } from './plot-figure.styles';

/** What a mark asks for when it is opened. */
export class MarkEvent extends Event {
  readonly action: Action;
  readonly words: string;

  constructor(action: Action, words: string) {
    super('mark', { bubbles: true, composed: true });
    this.action = action;
    this.words = words;
  }
}

/** Width of an exported drawing, in CSS pixels: about a column and a half of a paper. */
const PAPER_WIDTH = 720;
const PAPER_FONT = 'Helvetica, Arial, sans-serif';

/**
 * @summary A drawing with its words: marks that keys go to, the sentence under it, and both exports.
 * @event mark - A mark was opened; carries its action and words.
 */
@customElement('juror-plot-figure')
export class JurorPlotFigure extends LitElement {
  static override styles = [base, controls, styles];

  @property({ attribute: false }) chart!: Chart;
  /** What the numbers are of, for the file's name and its description. */
  @property() source = '';
  /** The names of models that the sentence may hold. */
  @property({ attribute: false }) names: readonly string[] = [];
  /** Newer numbers are on their way: those are saved, once they are here. */
  @property({ type: Boolean }) partial = false;
  /** What saves the drawing then, in each way that was asked for. */
  @state() private due: ReadonlySet<() => void> = new Set();
  @state() private width = 0;
  @state() private readout = '';
  /** What a mark is of stands before its numbers. */
  protected readonly follower = new FocusFollower(this, '.mark', (mark) => (mark.getAttribute('aria-label') ?? '').replace(/:.*/s, ''));
  /** The mark that Tab goes to. */
  #current = 0;

  readonly #observer = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    if (width > 0 && width !== this.width) this.width = width;
  });

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.due = new Set();
    this.#observer.disconnect();
  }

  protected override firstUpdated(): void {
    this.observe();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.observe();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('chart') && changed.get('chart')?.title !== this.chart.title) {
      this.#current = 0;
      this.readout = '';
    }
  }

  protected override updated(): void {
    const marks = this.marks();
    this.#current = Math.min(this.#current, Math.max(0, marks.length - 1));
    marks.forEach((mark, at) => mark.setAttribute('tabindex', at === this.#current ? '0' : '-1'));
    if (!this.partial && this.due.size > 0) {
      for (const save of this.due) save();
      this.due = new Set();
    }
  }

  override render(): TemplateResult {
    const { title, sentence, note } = this.chart;
    return html`<figure aria-labelledby="title" aria-describedby="sentence" aria-busy=${this.partial}>
      <div class="head">
        <h2 id="title">${title}</h2>
        <button type="button" class="button tiny" data-testid="svg" @click=${() => this.save(this.saveSvg)}>${icon('download', 16)}SVG</button>
        <button type="button" class="button tiny" data-testid="csv" @click=${() => this.save(this.saveCsv)}>${icon('download', 16)}CSV</button>
        ${this.due.size === 0 ? nothing : html`<span class="muted small" role="status">Saved once the newer numbers are here.</span>`}
      </div>
      <div class="drawing" @keydown=${this.onKey} @focusin=${this.onFocus}>${this.width === 0 ? nothing : this.renderDrawing()}</div>
      <p class="readout small" aria-hidden="true">${this.readout === '' ? 'Point at a mark, or press Tab to reach the drawing and the arrow keys to move through it; Enter opens what is behind a mark.' : this.readout}</p>
      <figcaption>
        <p class="sentence" id="sentence" data-testid="sentence">${renderSentence(sentence, this.names)}</p>
        <p class="muted small">${note}</p>
      </figcaption>
    </figure>`;
  }

  /** The focus goes to the mark that Tab goes to. */
  override focus(options?: FocusOptions): void {
    this.marks()[this.#current]?.focus(options);
  }

  private renderDrawing(): TemplateResult {
    const height = Math.ceil(this.chart.height(this.width));
    const mark: Mark = (words, action, drawing) =>
      svg`<g
        class="mark"
        role=${'row' in action && action.row < 0 ? 'img' : 'button'}
        tabindex="-1"
        aria-label=${words}
        @click=${() => this.dispatchEvent(new MarkEvent(action, words))}
        @focus=${() => (this.readout = words)}
        @pointerenter=${() => (this.readout = words)}
      >${drawing}</g>`;
    return html`<svg
      class="chart"
      width=${this.width}
      height=${height}
      viewBox="0 0 ${this.width} ${height}"
      role="group"
      aria-label="${this.chart.title}: marks"
    >
      ${this.chart.draw(this.width, PAGE, mark)}
    </svg>`;
  }

  private observe(): void {
    const drawing = this.renderRoot.querySelector('.drawing');
    if (drawing !== null) this.#observer.observe(drawing);
  }

  private marks(): SVGGElement[] {
    return [...this.renderRoot.querySelectorAll<SVGGElement>('.mark')];
  }

  private onFocus(event: FocusEvent): void {
    const marks = this.marks();
    const at = marks.findIndex((mark) => mark === event.target);
    if (at < 0 || at === this.#current) return;
    this.#current = at;
    marks.forEach((mark, index) => mark.setAttribute('tabindex', index === at ? '0' : '-1'));
  }

  private onKey(event: KeyboardEvent): void {
    const marks = this.marks();
    if (!marks.some((mark) => mark === event.target)) return;
    const last = marks.length - 1;
    const to = { ArrowRight: this.#current + 1, ArrowDown: this.#current + 1, ArrowLeft: this.#current - 1, ArrowUp: this.#current - 1, Home: 0, End: last }[
      event.key
    ];
    if (to !== undefined) {
      event.preventDefault();
      marks[Math.min(last, Math.max(0, to))]?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      marks[this.#current]?.dispatchEvent(new MouseEvent('click'));
    }
  }

  /** A button that is out of use for a moment would lose a click that comes just then. */
  private save(now: () => void): void {
    if (this.partial) this.due = new Set([...this.due, now]);
    else now();
  }

  private readonly saveSvg = (): void => {
    download(this, new Blob([this.standalone()], { type: 'image/svg+xml' }), 'svg', 'plot', this.fileName());
  };

  private readonly saveCsv = (): void => {
    download(this, new Blob([csv(this.chart)], { type: 'text/csv' }), 'csv', 'plot', this.fileName());
  };

  private fileName(): string {
    return this.chart.title.toLowerCase();
  }

  /** The drawing as a file of its own: light, every colour a number, nothing to click. */
  private standalone(): string {
    const { title, sentence, note } = this.chart;
    const height = Math.ceil(this.chart.height(PAPER_WIDTH));
    const plain: Mark = (words, _action, drawing): SVGTemplateResult => svg`<g><title>${words}</title>${drawing}</g>`;
    const sheet = document.createElement('div');
    render(
      html`<svg xmlns="http://www.w3.org/2000/svg" width=${PAPER_WIDTH} height=${height} viewBox="0 0 ${PAPER_WIDTH} ${height}" font-family=${PAPER_FONT} role="img">
        <title>${title}</title>
        <desc>${`${this.source}. ${sentence} ${note}`}</desc>
        <rect width=${PAPER_WIDTH} height=${height} fill=${PAPER.surface} />
        ${this.chart.draw(PAPER_WIDTH, PAPER, plain)}
      </svg>`,
      sheet,
    );
    const drawing = sheet.querySelector('svg');
    if (drawing === null) return '';
    const comments = document.createTreeWalker(drawing, NodeFilter.SHOW_COMMENT);
    const found: Node[] = [];
    while (comments.nextNode() !== null) found.push(comments.currentNode);
    for (const comment of found) comment.parentNode?.removeChild(comment);
    return `<?xml version="1.0" encoding="UTF-8"?>\n${wellFormed(new XMLSerializer().serializeToString(drawing))}\n`;
  }
}

/** XML without the characters that it has no place for, whatever is in a name. */
function wellFormed(xml: string): string {
  // eslint-disable-next-line no-control-regex -- these are what XML may not hold
  return xml.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|&#(?:x[0-9a-f]+|\d+);/gi, '\ufffd');
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-plot-figure': JurorPlotFigure;
  }
}
