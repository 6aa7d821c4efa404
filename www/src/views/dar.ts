import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { StoreController } from '../state/controllers';
import { save } from '../state/save';
import { TENSORS, fetched, isShown, listOf } from '../state/extra';
import { count, plural } from '../state/format';
import { spanning, type Scale } from '../components/heat-map/colours';
import '../components/dar-sweep/dar-sweep';
import '../components/extra/extra';
import '../components/heat-map/heat-map';
import { icon } from '../components/icon/icon';
import { DarClient } from '../engine/dar/client';
import type { DarAsked } from '../engine/types/DarAsked';
import type { DarOptions } from '../engine/types/DarOptions';
import type { DarReference } from '../engine/types/DarReference';
import type { DarReport } from '../engine/types/DarReport';
import type { DarSweep } from '../engine/types/DarSweep';
import type { Backend } from '../engine/types/Backend';
import { codeOf, messageOf } from '../engine/errors';
import { manualLink } from '../manual/link';
import { base, controls } from '../styles/base.styles';
import { forms, page } from '../styles/page.styles';
import { styles } from './dar.styles';

type Side = 'q' | 'k';

/** A tensor's file and what is in it. */
interface Source {
  file: File;
  /** Names to choose from; none for NPY. */
  names: string[];
  tensor: string;
}

/** What the form holds; kept while the page is open, so that leaving the view loses nothing. */
interface Form {
  q: Source | null;
  k: Source | null;
  layout: DarAsked['layout'];
  references: string;
  options: DarOptions;
  row: string;
  head: string;
  backend: Backend;
  pictures: string[];
  /** The tensors are the demo's. */
  isDemo: boolean;
  /** Values of a sweep, with commas between; empty for what is not varied. */
  sweep: Record<'gamma' | 'high' | 'low' | 'samples', string>;
}

const form: Form = {
  q: null,
  k: null,
  layout: 'tokens_heads',
  references: '',
  options: { samples: 64, gamma: 0.15, high: 0.7, low: 0.3, extent: 'joint', flat: 'unchanged', others: 'left_out', heads: 'equal' },
  row: '',
  head: '',
  backend: 'cpu',
  pictures: [],
  isDemo: false,
  // The strengths that the paper prints scores of.
  sweep: { gamma: '0.05, 0.15, 0.25, 0.35, 0.55', high: '', low: '', samples: '' },
};

/** What was computed last, kept as the form is. */
interface Found {
  report: DarReport | null;
  /** The same as text. */
  json: string;
  fallback: string;
  swept: { report: DarSweep; csv: string } | null;
}

const found: Found = { report: null, json: '', fallback: '', swept: null };

/** What the method leaves open: key, name, choices with what each means; the first one is the paper's reading. */
const CHOICES: ['extent' | 'flat' | 'others' | 'heads', string, [string, string][]][] = [
  [
    'extent',
    'Normalised over',
    [
      ['joint', 'all references together'],
      ['per_reference', 'each reference by itself'],
    ],
  ],
  [
    'flat',
    'Equal relevance',
    [
      ['unchanged', 'w = 1'],
      ['lowest', 'w = 1 − γ'],
    ],
  ],
  [
    'others',
    'Other keys',
    [
      ['left_out', 'left out, as printed'],
      ['unweighted', 'in the softmax with w = 1'],
    ],
  ],
  [
    'heads',
    'Heads of Q and K',
    [
      ['equal', 'as many of both'],
      ['grouped', 'several of Q share one of K'],
    ],
  ],
];
const NUMBERS: ['samples' | 'gamma' | 'high' | 'low', string, string, string][] = [
  ['samples', 'Rows of Q, m', '1', 'Relevance is taken from so many rows, evenly drawn.'],
  ['gamma', 'Strength γ', 'any', 'Keys are multiplied by 1 + γ or 1 − γ.'],
  ['high', 'Raised from τ', 'any', 'Normalised relevance from which on w = 1 + γ.'],
  ['low', 'Lowered up to τ', 'any', 'Normalised relevance up to which w = 1 − γ.'],
];
const SWEPT: ['gamma' | 'high' | 'low' | 'samples', string, string][] = [
  ['gamma', 'Strengths γ', '0.05, 0.15, 0.25'],
  ['high', 'Raised from τ', 'as above'],
  ['low', 'Lowered up to τ', 'as above'],
  ['samples', 'Rows of Q, m', 'as above'],
];
const MAPS = [
  ['before', 'Before'],
  ['after', 'After'],
  ['weights', 'Weight w'],
] as const;

/**
 * @summary Attention rebalancing (MICON-Bench's DAR) of tensors from one's own disk: relevance, weights, attention before and after.
 */
@customElement('juror-dar')
export class JurorDar extends LitElement {
  static override styles = [base, controls, page, forms, styles];

  readonly #store = new StoreController(this);
  readonly #client = new DarClient();
  @state() private busy = '';
  @state() private problem = '';
  @state() private kind: 'linear' | 'logarithmic' = 'linear';
  /** The token that is looked at: reference and place in it, and the map that told it. */
  @state() private looked: { reference: number; cell: number; map: EventTarget | null } | null = null;
  /** How often files were chosen, and which choice each side has. */
  #takes = 0;
  #taken: Record<Side, number> = { q: 0, k: 0 };
  /** What is open in the worker. */
  #opened = '';
  #q: File | null = null;
  #k: File | null = null;
  /** The demo's tensors were asked for since this was opened. */
  #asked = false;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#client.stop();
    this.#opened = '';
  }

  /** Shows the demo's tensors where the address has them and nothing was chosen; they go away with the demo. */
  protected override willUpdate(): void {
    if (!isShown(this.#store.state)) {
      this.#asked = false;
      if (form.isDemo && this.#store.state.opening === '') this.dropDemo();
    } else if (!this.#asked && (form.isDemo || (form.q === null && form.k === null))) {
      this.#asked = true;
      void this.showDemo();
    }
  }

  override render(): TemplateResult {
    return html`<div>
        <div class="titled"><h1>Attention rebalancing</h1>${manualLink(this.#store.state.route, 'attention')}</div>
        <p class="lead">
          MICON-Bench’s DAR on your own tensors: which reference tokens one attention call looks at, the weights w that follow, and its attention before and after. Drop Q and K as NPY or safetensors; nothing leaves this tab.
        </p>
      </div>
      <juror-extra .state=${this.#store.state}></juror-extra>
      ${this.problem === '' ? nothing : html`<p class="problem" role="alert">${icon('warn', 16)} ${this.problem}</p>`}
      <div class="columns" @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${this.onDrop}>
        ${this.renderForm()}
        <div class="results">
          ${found.swept === null ? nothing : html`<section class="panel result" aria-label="Sweep"><juror-dar-sweep .report=${found.swept.report} .csv=${found.swept.csv}></juror-dar-sweep></section>`}
          ${found.report === null && found.swept !== null ? nothing : this.renderResult()}
        </div>
      </div>`;
  }

  private renderForm(): TemplateResult {
    const { layout, references, row, head, backend, pictures, q, k } = form;
    return html`<form class="panel form" @submit=${this.onSubmit}>
      <fieldset>
        <legend>Tensors</legend>
        ${this.renderSource('q', 'Q')} ${this.renderSource('k', 'K')}
        <label class="row"
          ><span>Axes</span>
          <select class="field" @change=${(event: Event) => this.set({ layout: valueOf(event) as Form['layout'] })}>
            <option value="tokens_heads" ?selected=${layout === 'tokens_heads'}>tokens, heads, numbers</option>
            <option value="heads_tokens" ?selected=${layout === 'heads_tokens'}>heads, tokens, numbers</option>
          </select></label
        >
        <label class="row"
          ><span>References</span>
          <input class="field" data-testid="references" placeholder="32x32,24x40" .value=${references} @change=${(event: Event) => this.set({ references: valueOf(event) })} />
          <small>Rows × columns of each reference’s tokens among the keys; 512:32x32 begins at key 512. Empty: all keys.</small></label
        >
        <div class="row">
          <span>Pictures</span>
          <span class="take"
            ><label class="button tiny">Choose…<input type="file" multiple accept="image/*" aria-label="Reference pictures" @change=${this.onPictures} /></label
            ><span class="small muted">${pictures.length === 0 ? 'optional, shown below the maps' : plural(pictures.length, 'picture')}</span></span
          >
        </div>
      </fieldset>
      <fieldset>
        <legend>Method</legend>
        ${NUMBERS.map(
          ([key, label, step, hint]) =>
            html`<label class="row"
              ><span>${label}</span><input class="field narrow" type="number" step=${step} required data-testid=${key} .value=${String(form.options[key])} @change=${(event: Event) => this.choose({ [key]: Number(valueOf(event)) })} /><small>${hint}</small></label
            >`,
        )}
        ${CHOICES.map(
          ([key, label, choices]) =>
            html`<label class="row"
              ><span>${label}</span
              ><select class="field" data-testid=${key} @change=${(event: Event) => this.choose({ [key]: valueOf(event) })}>
                ${choices.map(([id, name], at) => html`<option value=${id} ?selected=${form.options[key] === id}>${name}${at === 0 ? ' (default)' : ''}</option>`)}
              </select></label
            >`,
        )}
      </fieldset>
      <fieldset>
        <legend>Map</legend>
        <label class="row"><span>Row of Q</span><input class="field narrow" type="number" min="0" step="1" placeholder="mean of all" data-testid="row" .value=${row} @change=${(event: Event) => this.set({ row: valueOf(event) })} /></label>
        <label class="row"><span>Head</span><input class="field narrow" type="number" min="0" step="1" placeholder="mean of all" data-testid="head" .value=${head} @change=${(event: Event) => this.set({ head: valueOf(event) })} /></label>
        <label class="row"
          ><span>Computed on</span
          ><select class="field" data-testid="backend" @change=${(event: Event) => this.set({ backend: valueOf(event) as Backend })}>
            <option value="cpu" ?selected=${backend === 'cpu'}>CPU, 64-bit</option>
            <option value="gpu" ?selected=${backend === 'gpu'}>GPU, 32-bit maps</option>
          </select></label
        >
      </fieldset>
      <div class="toolbar">
        ${
          this.busy === ''
            ? html`<button class="button primary" data-testid="compute" ?disabled=${q === null || k === null}>Compute</button>`
            : html`<button type="button" class="button" data-testid="stop" @click=${() => this.stop()}>Stop</button><span class="muted" role="status">${this.busy}</span>`
        }
      </div>
      <fieldset>
        <legend>Sweep</legend>
        <p class="small muted">Several values at once, with commas between; of several parameters, all combinations. The rest is as chosen above.</p>
        ${SWEPT.map(
          ([key, label, hint]) =>
            html`<label class="row"><span>${label}</span><input class="field" inputmode="decimal" placeholder=${hint} data-testid="sweep-${key}" .value=${form.sweep[key]} @change=${(event: Event) => this.set({ sweep: { ...form.sweep, [key]: valueOf(event) } })} /></label>`,
        )}
        <div class="toolbar"><button type="button" class="button" data-testid="sweep" ?disabled=${q === null || k === null || this.busy !== ''} @click=${() => void this.sweep()}>Compare settings</button></div>
      </fieldset>
    </form>`;
  }

  private renderSource(side: Side, label: string): TemplateResult {
    const source = form[side];
    return html`<div class="row">
      <span>${label}</span>
      <span class="take"
        ><label class="button tiny">Choose…<input type="file" accept=".npy,.safetensors" data-testid="file-${side}" aria-label="File of ${label}" @change=${(event: Event) => void this.take([...((event.target as HTMLInputElement).files ?? [])], side)} /></label>
        <span class=${source === null ? 'small muted' : 'path'}>${source?.file.name ?? 'NPY or safetensors'}</span>
        ${
          source === null || source.names.length < 2
            ? nothing
            : html`<select class="field" aria-label="Tensor of ${label}" @change=${(event: Event) => this.set({ [side]: { ...source, tensor: valueOf(event) } })}>
              ${source.names.map((name) => html`<option value=${name} ?selected=${name === source.tensor}>${name}</option>`)}
            </select>`
        }</span
      >
    </div>`;
  }

  private renderResult(): TemplateResult {
    const { report } = found;
    if (report === null)
      return html`<section class="panel note muted" aria-label="Result">Choose Q and K of one attention call, say which keys are which reference, and compute.</section>`;
    const { tokens, references, against, options } = report;
    const scale = spanning(this.kind, [...tokens.before, ...tokens.after]);
    const shape = (sides: number[]): string => sides.map(count).join(' × ');
    const focus = [
      report.focus.row === null ? 'all rows' : `row ${report.focus.row}`,
      report.focus.head === null ? 'all heads' : `head ${report.focus.head}`,
    ].join(', ');
    return html`<section class="panel result" aria-label="Result" data-testid="dar-result">
      <h2>One call, before and after</h2>
      <p class="num">
        Q ${shape(report.q)}, K ${shape(report.k)}; relevance from ${plural(report.rows.length, 'row')} of Q; maps of ${focus}, computed on the ${report.backend === 'gpu' ? 'GPU in 32-bit' : 'CPU in 64-bit'} numbers.
        ${found.fallback === '' ? nothing : html`<span class="chip warn">CPU instead of the GPU: ${found.fallback}</span>`}
      </p>
      ${this.renderTable(report)}
      <p class="small muted">
        ${
          against.raised_but_lost + against.lowered_but_gained === 0
            ? 'Attention went where the weights point, for every token.'
            : `w multiplies keys and so logits, also negative ones: ${plural(against.raised_but_lost, 'raised token')} lost attention and ${plural(against.lowered_but_gained, 'lowered token')} gained some.`
        }
      </p>
      <div class="legend small">
        <fieldset class="segmented">
          <legend class="visually-hidden">Scale of the colours</legend>
          ${(['linear', 'logarithmic'] as const).map((kind) => html`<label><input type="radio" name="kind" .checked=${this.kind === kind} @change=${() => (this.kind = kind)} />${kind}</label>`)}
        </fieldset>
        <span class="num">${short(scale.low)}</span><span class="ramp" role="img" aria-label="Dark to light"></span><span class="num">${short(scale.high)}</span>
        <span><span class="swatch raised"></span>${1 + options.gamma}</span><span><span class="swatch same"></span>1</span><span><span class="swatch lowered"></span>${Number((1 - options.gamma).toPrecision(12))}</span>
        <span class="spacer"></span>
        <button type="button" class="button tiny" data-testid="download" @click=${() => save(new Blob([found.json], { type: 'application/json' }), 'juror-dar.json')}>${icon('download', 16)}Numbers as JSON</button>
      </div>
      <p class="readout small num" data-testid="readout" aria-live="polite">${this.looked === null ? 'Point at a token, or go to a map by Tab and through it by the arrow keys (with Shift, ten tokens).' : this.words(this.looked.reference, this.looked.cell)}</p>
      ${references.map((reference, at) => this.renderReference(reference, at, scale))}
    </section>`;
  }

  private renderTable({ references, others_before: othersBefore, others_after: othersAfter }: DarReport): TemplateResult {
    const share = (part: number): string => `${(100 * part).toFixed(2)} %`;
    return html`<div class="wide">
      <table data-testid="dar-table">
        <thead>
          <tr><th scope="col">Reference</th><th scope="col">Keys</th><th scope="col">Σ r</th><th scope="col">raised</th><th scope="col">lowered</th><th scope="col">before</th><th scope="col">after</th></tr>
        </thead>
        <tbody>
          ${references.map(
            ({ start, height, width, relevance, raised, lowered, before, after }, at) =>
              html`<tr><th scope="row">${at + 1}</th><td>${count(start)}–${count(start + height * width - 1)}</td><td>${relevance.toFixed(3)}</td><td>${count(raised)}</td><td>${count(lowered)}</td><td>${share(before)}</td><td>${share(after)}</td></tr>`,
          )}
          ${othersBefore === null || othersAfter === null ? nothing : html`<tr><th scope="row">other keys</th><td></td><td></td><td></td><td></td><td>${share(othersBefore)}</td><td>${share(othersAfter)}</td></tr>`}
        </tbody>
      </table>
    </div>`;
  }

  private renderReference({ height, width }: DarReference, at: number, scale: Scale): TemplateResult {
    const cell = this.looked?.reference === at ? this.looked.cell : null;
    const weights: Scale = { kind: 'around', low: 0, high: 1 };
    return html`<section class="reference" aria-label="Reference ${at + 1}">
      <h3>Reference ${at + 1} <span class="muted small num">${height} × ${width} tokens</span></h3>
      <div class="pictures">
        ${MAPS.map(
          ([map, title]) =>
            html`<figure>
              <figcaption class="small muted">${title}</figcaption>
              <juror-heat-map
                data-map=${map}
                .values=${this.numbersOf(map, at)}
                columns=${width}
                .scale=${map === 'weights' ? weights : scale}
                label="Reference ${at + 1}, ${title.toLowerCase()}"
                .readout=${cell === null ? '' : this.words(at, cell)}
                .cell=${cell}
                picture=${map === 'weights' ? '' : (form.pictures[at] ?? '')}
                @juror-cell=${({ detail, currentTarget }: CustomEvent<number | null>) => {
                  // A map that is left takes nothing from the one that is gone to.
                  if (detail !== null) this.looked = { reference: at, cell: detail, map: currentTarget };
                  else if (this.looked?.map === currentTarget) this.looked = null;
                }}
              ></juror-heat-map>
            </figure>`,
        )}
      </div>
    </section>`;
  }

  /** Where the tokens of a reference begin among all reference tokens. */
  private first(at: number): number {
    return (found.report?.references ?? []).slice(0, at).reduce((sum, { height, width }) => sum + height * width, 0);
  }

  private numbersOf(map: 'before' | 'after' | 'weights', at: number): number[] {
    const { report } = found;
    const reference = report?.references[at];
    if (report === null || reference === undefined) return [];
    const first = this.first(at);
    return report.tokens[map].slice(first, first + reference.height * reference.width);
  }

  private words(at: number, cell: number): string {
    const { report } = found;
    const reference = report?.references[at];
    if (report === null || reference === undefined) return '';
    const { tokens } = report;
    const place = this.first(at) + cell;
    const normal = tokens.normalised[place];
    const number = (values: number[]): string => short(values[place] ?? NaN);
    return `Reference ${at + 1}, row ${Math.floor(cell / reference.width)}, column ${cell % reference.width}, key ${reference.start + cell}: attention ${number(tokens.before)} before, ${number(tokens.after)} after; r ${number(tokens.relevance)}, r̂ ${normal == null ? 'none, all are equal' : short(normal)}, w ${tokens.weights[place]}.`;
  }

  private set(change: Partial<Form>): void {
    Object.assign(form, change);
    this.requestUpdate();
  }

  private choose(change: Partial<DarOptions>): void {
    this.set({ options: { ...form.options, ...change } });
  }

  private onDrop(event: DragEvent): void {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (!files.some(({ name }) => isTensor(name))) return;
    event.preventDefault();
    void this.take(
      files.filter(({ name }) => isTensor(name)),
      null,
    );
  }

  private async showDemo(): Promise<void> {
    if (!form.isDemo) {
      try {
        const { files, references = '' } = await listOf(TENSORS);
        const blobs = await Promise.all(files.map(async ({ path }) => new File([await (await fetched(TENSORS, path)).blob()], path)));
        if (!isShown(this.#store.state)) return;
        await this.take(
          blobs.filter(({ name }) => isTensor(name)),
          null,
        );
        // Who has left meanwhile finds the tensors fetched again.
        if (form.q === null) return;
        this.set({ references, isDemo: true, pictures: blobs.filter(({ name }) => !isTensor(name)).map((file) => URL.createObjectURL(file)) });
      } catch (error) {
        this.problem = messageOf(error);
        return;
      }
    }
    await this.compute();
  }

  private dropDemo(): void {
    this.stop();
    form.pictures.forEach((url) => URL.revokeObjectURL(url));
    Object.assign(form, { q: null, k: null, references: '', pictures: [], isDemo: false });
    Object.assign(found, { report: null, json: '', fallback: '', swept: null } satisfies Found);
    this.looked = null;
  }

  /** Takes files for Q and K: by what their names and tensors say where no side is given. */
  private async take(files: File[], side: Side | null): Promise<void> {
    const mine = ++this.#takes;
    this.problem = '';
    this.busy = 'Reading…';
    try {
      for (const file of files) {
        const names = await this.#client.names(file);
        const sides: Side[] =
          side !== null ? [side] : names.length > 1 ? ['q', 'k'] : [saysKey(file.name) ? 'k' : form.q === null || /(^|[^a-z])q/i.test(file.name) ? 'q' : 'k'];
        // What was chosen later stands, however long each file takes to be read.
        for (const one of sides.filter((one) => this.#taken[one] <= mine)) {
          this.#taken[one] = mine;
          form.isDemo = false;
          form[one] = { file, names, tensor: names.find((name) => saysKey(name) === (one === 'k')) ?? names[0] ?? '' };
        }
      }
    } catch (error) {
      this.problem = `${files.map(({ name }) => name).join(', ')}: ${messageOf(error)}`;
    }
    if (mine === this.#takes) this.busy = '';
    this.requestUpdate();
  }

  private onPictures(event: Event): void {
    form.pictures.forEach((url) => URL.revokeObjectURL(url));
    this.set({ pictures: [...((event.target as HTMLInputElement).files ?? [])].map((file) => URL.createObjectURL(file)) });
  }

  private onSubmit(event: Event): void {
    event.preventDefault();
    void this.compute();
  }

  /** Opens what the form names, unless it is open, and asks about it. */
  private async ask(doing: string, question: () => Promise<void>): Promise<void> {
    const { q, k, layout, references, options } = form;
    if (q === null || k === null || this.busy !== '') return;
    this.problem = '';
    const asked: DarAsked = { q_file: q.file.name, k_file: k.file.name, q_tensor: q.tensor, k_tensor: k.tensor, layout, references, options };
    try {
      const key = JSON.stringify(asked);
      if (key !== this.#opened || q.file !== this.#q || k.file !== this.#k) {
        this.busy = 'Reading the tensors and weighing…';
        this.#opened = '';
        await this.#client.open(q.file, k.file, asked);
        [this.#opened, this.#q, this.#k] = [key, q.file, k.file];
      }
      this.busy = doing;
      await question();
    } catch (error) {
      if (codeOf(error) !== 'stopped') this.problem = messageOf(error);
    }
    this.busy = '';
  }

  private async compute(): Promise<void> {
    found.fallback = '';
    await this.ask('Computing the maps…', async () => {
      const { json, fallback } = await this.#client.report(form.backend, whole(form.row), whole(form.head));
      Object.assign(found, { json, report: JSON.parse(json) as DarReport, fallback: fallback ?? '' });
      this.looked = null;
    });
  }

  private async sweep(): Promise<void> {
    const axes = SWEPT.filter(([key]) => form.sweep[key].trim() !== '').map(([key]) => `${key}=${form.sweep[key]}`);
    if (axes.length === 0) {
      this.problem = 'Enter values of at least one parameter to compare settings.';
      return;
    }
    await this.ask('Computing each setting…', async () => {
      const { json, csv } = await this.#client.sweep(axes.join('\n'), whole(form.row), whole(form.head));
      found.swept = { report: JSON.parse(json) as DarSweep, csv };
    });
  }

  private stop(): void {
    this.#client.stop();
    this.#opened = '';
  }
}

const valueOf = (event: Event): string => (event.target as HTMLInputElement | HTMLSelectElement).value;
const isTensor = (name: string): boolean => /\.(npy|safetensors)$/i.test(name);
/** `k.npy`, `layer0.key`, `attn_k`. */
const saysKey = (name: string): boolean => /(^|[^a-z])k(ey|eys)?([^a-z]|$)/i.test(name);
const whole = (text: string): number | null => (/^\d+$/.test(text) ? Number(text) : null);
/** Five digits. */
const short = (value: number): string =>
  value === 0 ? '0' : Math.abs(value) < 1e-3 || Math.abs(value) >= 1e5 ? value.toExponential(4) : String(Number(value.toPrecision(5)));

declare global {
  interface HTMLElementTagNameMap {
    'juror-dar': JurorDar;
  }
}
