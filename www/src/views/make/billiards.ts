/** VIBE's Billiards: the form, how far the cases are, and what the first of them look like. */
import { html, nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { bytes, count, plural } from '../../state/format';
import { listOf, listText } from '../../state/router';
import { save } from '../../state/save';
import { store } from '../../state/store';
import { icon } from '../../components/icon/icon';
import { renderMeter } from '../../components/meter/meter';
import { about, drawing, type BilliardsAsked, type Run, type ShownCase } from '../../engine/make/billiards';
import type { BilliardsAbout } from '../../engine/types/BilliardsAbout';
import { billiards as fields, form } from './form';

const ZIP = 'juror-billiards.zip';
/** What the address of cases begins with. */
const KIND = 'billiards';

/** What a view has besides a controller's host. */
interface Host extends ReactiveControllerHost {
  renderRoot: HTMLElement | DocumentFragment;
}

/** `billiards,12,1,3`: number of cases, seed, cushions where they do not take turns. */
const addressOf = ({ count: number, seed, cushions }: BilliardsAsked): string => listText([KIND, number, seed, ...(cushions === '' ? [] : [cushions])]);

function askedBy(address: string): BilliardsAsked | null {
  const [kind, number = '', seed = '', cushions = ''] = listOf(address);
  return kind === KIND ? { count: number, seed, cushions } : null;
}

const secsWords = (left: number): string => (left < 90 ? `${Math.ceil(left)} s` : `${Math.ceil(left / 60)} min`);

/** The part of the view that makes Billiards. */
export class BilliardsMaker implements ReactiveController {
  about: BilliardsAbout | null = null;
  readonly #host: Host;
  readonly #say: (words: string) => void;
  readonly #urls = new Map<Blob, string>();
  /** The address that was looked at last. */
  #looked = '';
  #isDrawn = false;

  constructor(host: Host, say: (words: string) => void) {
    this.#host = host;
    this.#say = say;
    host.addController(this);
  }

  hostConnected(): void {
    drawing.addEventListener('change', this.#changed);
    store.addEventListener('change', this.#look);
    this.#isDrawn = drawing.run?.zip != null;
  }

  hostDisconnected(): void {
    drawing.removeEventListener('change', this.#changed);
    store.removeEventListener('change', this.#look);
    this.#forget([]);
  }

  /** Learns what can be asked for, and draws what the address names. */
  async load(): Promise<void> {
    this.about = await about();
    this.#look();
  }

  /** The fields, and the button that draws. */
  renderFields(): TemplateResult {
    const { about } = this;
    if (about === null) return html``;
    const { counts, seeds, cushions, size } = about;
    const [least, most] = cushions;
    const numbers = Array.from({ length: most - least + 1 }, (_, at) => String(least + at));
    const field = (label: string, name: 'count' | 'seed', hint: string): TemplateResult =>
      html`<label class="row"
        ><span>${label}</span>
        <input class="field ${name === 'count' ? 'narrow' : ''}" inputmode="numeric" autocomplete="off" spellcheck="false" data-testid="billiards-${name}" .value=${fields[name]} @input=${(event: Event) => this.#put({ [name]: (event.target as HTMLInputElement).value.trim() })} />
        <small>${hint}</small></label
      >`;
    return html`${field('Cases', 'count', `${counts[0]} to ${counts[1]}, each with an input and a golden answer of ${size[0]} × ${size[1]} pixels.`)}
      ${field('Seed', 'seed', `A whole number from ${seeds[0]} to ${seeds[1]}. It decides every random choice: the same seed gives the same bytes, and more cases leave the first as they are.`)}
      <label class="row"
        ><span>Cushions</span>
        <select class="field" data-testid="billiards-cushions" @change=${(event: Event) => this.#put({ cushions: (event.target as HTMLSelectElement).value })}>
          <option value="" ?selected=${fields.cushions === ''}>${least} to ${most}, in turn</option>
          ${numbers.map((k) => html`<option value=${k} ?selected=${fields.cushions === k}>${k}</option>`)}
        </select>
        <small>How many the white ball touches in each case before it hits the ball in the box.</small></label
      >
      <div class="toolbar"><button type="submit" class="button primary" data-testid="billiards-draw">Draw the cases</button></div>
      ${drawing.problem === '' ? nothing : html`<p class="problem" role="alert" data-testid="billiards-problem">${icon('warn', 16)} ${drawing.problem}</p>`}`;
  }

  /** What is drawn, or was; nothing before. */
  renderRun(): TemplateResult | typeof nothing {
    const { run } = drawing;
    return run === null ? nothing : this.#panel(run);
  }

  /** Draws what the fields say. */
  async draw(): Promise<void> {
    const asked = { ...fields };
    if (!(await drawing.begin(asked))) return;
    this.#isDrawn = false;
    this.#say(`Drawing ${plural(Number(asked.count), 'case')}.`);
    this.#goTo(addressOf(asked));
  }

  #panel(run: Run): TemplateResult {
    const { done, total, secsLeft, zip, asked, shown } = run;
    const left = secsLeft === null ? '' : `, ${secsWords(secsLeft)} left`;
    return html`<section class="panel part" aria-labelledby="billiards" data-testid="billiards">
      <h2 id="billiards">${zip === null ? `Drawing ${plural(total, 'case')}` : `${plural(total, 'case')} drawn`}</h2>
      <p class="muted small">Seed ${asked.seed}, ${asked.cushions === '' ? 'numbers of cushions in turn' : `${asked.cushions} cushions in each`}.</p>
      ${zip === null ? html`${renderMeter('Cases drawn', done, total)}<p class="num" data-testid="billiards-done">${count(done)} of ${count(total)}${left}</p>` : nothing}
      <div class="toolbar">
        ${
          zip === null
            ? html`<button type="button" class="button" data-testid="billiards-cancel" @click=${() => void this.#discard('Cancelled.')}>Cancel</button>`
            : html`<button type="button" class="button primary" data-testid="billiards-suite" @click=${() => void this.#openSuite(zip)}>Open as a benchmark</button>
              <button type="button" class="button" data-testid="billiards-zip" @click=${() => save(zip, ZIP)}>${icon('download', 16)}Save as ZIP, ${bytes(zip.size)}</button>
              <button type="button" class="button quiet" data-testid="billiards-discard" @click=${() => void this.#discard('Discarded.')}>Discard</button>`
        }
      </div>
      ${
        shown.length === 0
          ? nothing
          : html`<p class="small muted">Inputs and golden answers of the first ${shown.length === 1 ? 'case' : `${shown.length} cases`}:</p>
            <div class="cases">${shown.map((one) => this.#case(one))}</div>`
      }
    </section>`;
  }

  #case({ about: { id, k, target, words }, pictures }: ShownCase): TemplateResult {
    const [width, height] = this.about?.size ?? [0, 0];
    return html`<figure data-testid="billiards-case">
      <div class="pair">${pictures.map((picture, at) => html`<img src=${this.#url(picture)} alt=${words[at] ?? id} width=${width} height=${height} />`)}</div>
      <figcaption class="small">${id}: ${plural(k, 'cushion')}, ball ${target}</figcaption>
    </figure>`;
  }

  #put(part: Partial<BilliardsAsked>): void {
    Object.assign(fields, part);
    this.#host.requestUpdate();
  }

  #url(picture: Blob): string {
    const url = this.#urls.get(picture) ?? URL.createObjectURL(picture);
    this.#urls.set(picture, url);
    return url;
  }

  /** Gives back the addresses of pictures that are not shown any more. */
  #forget(kept: readonly Blob[]): void {
    for (const [picture, url] of this.#urls) {
      if (kept.includes(picture)) continue;
      URL.revokeObjectURL(url);
      this.#urls.delete(picture);
    }
  }

  readonly #changed = (): void => {
    const { run } = drawing;
    this.#forget(run?.shown.flatMap(({ pictures }) => pictures) ?? []);
    const isDrawn = run?.zip != null;
    if (isDrawn && !this.#isDrawn) this.#say(`${plural(run.total, 'case')} drawn.`);
    this.#isDrawn = isDrawn;
    const { activeElement } = this.#host.renderRoot as ShadowRoot;
    const isAtCancel = isDrawn && activeElement instanceof HTMLElement && activeElement.dataset.testid === 'billiards-cancel';
    this.#host.requestUpdate();
    if (isAtCancel) void this.#focus('billiards-suite');
  };

  /** Draws what a link or an earlier visit has in its address, unless that is drawn. */
  readonly #look = (): void => {
    const { place } = store.state.route;
    const address = place.view === 'make' ? (place.asked ?? '') : '';
    if (this.about === null || address === this.#looked) return;
    this.#looked = address;
    const asked = askedBy(address);
    if (asked === null || (drawing.run !== null && addressOf(drawing.run.asked) === address)) return;
    form.begins = KIND;
    Object.assign(fields, asked);
    this.#host.requestUpdate();
    void this.draw();
  };

  #goTo(address: string): void {
    this.#looked = address;
    if (store.state.route.place.view === 'make') store.go({ view: 'make', asked: address }, 'replace');
  }

  async #discard(words: string): Promise<void> {
    drawing.discard();
    this.#goTo('');
    this.#say(words);
    await this.#focus('billiards-draw');
  }

  /** The button that had the focus is gone: this one has it next. */
  async #focus(id: string): Promise<void> {
    await this.#host.updateComplete;
    this.#host.renderRoot.querySelector<HTMLElement>(`[data-testid="${id}"]`)?.focus();
  }

  async #openSuite(zip: Blob): Promise<void> {
    await store.open([{ kind: 'zip', name: ZIP, blob: zip }]);
    store.go({ view: 'overview', scope: '', criterion: '' });
  }
}
