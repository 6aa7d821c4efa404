import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { alike, type AlikeRun } from '../state/alike';
import { Query, StoreController } from '../state/controllers';
import { download } from '../state/download';
import { FocusKeeper } from '../state/focus';
import { count, plural } from '../state/format';
import { timeLeft } from '../state/left';
import { networks } from '../state/networks';
import { NO_FILTER } from '../state/router';
import { store } from '../state/store';
import { OpenPictures, type Slide } from '../components/compare-pictures/slides';
import { icon } from '../components/icon/icon';
import { renderMeter } from '../components/meter/meter';
import '../components/picture/picture';
import { messageOf } from '../engine/errors';
import type { LintFinding } from '../engine/types/LintFinding';
import type { LintReport } from '../engine/types/LintReport';
import { manualLink } from '../manual/link';
import { base, controls, meter } from '../styles/base.styles';
import { page } from '../styles/page.styles';

/** Titles of the findings, in the order in which they are shown. */
const TITLES: [string, string][] = [
  ['missing_output', 'Missing outputs'],
  ['misnamed_output', 'Outputs under another name'],
  ['other_case', 'Names that differ in capitals'],
  ['not_a_picture', 'Files that are not pictures'],
  ['corrupt_picture', 'Pictures that cannot be decoded'],
  ['copied_output', 'Copies of a picture of the benchmark, byte for byte'],
  ['near_copy', 'Outputs that look like one of their inputs'],
  ['alike_input', 'Outputs that a network hardly tells apart from one of their inputs'],
  ['alike_reference', 'Outputs that a network hardly tells apart from another sample’s picture'],
  ['alike_output', 'Outputs of a model that a network hardly tells apart'],
  ['repeated_output', 'The same output for several samples'],
  ['shared_output', 'The same output by several models'],
  ['odd_size', 'Unusual sizes'],
  ['mixed_sizes', 'Mixed sizes'],
  ['extra_file', 'Unexpected files'],
];
/** Findings of one kind that are listed at first. */
const SHOWN = 50;

/**
 * @summary What is wrong with outputs before anything is judged, with the pictures side by side and renames to download.
 */
@customElement('juror-lint')
export class JurorLint extends LitElement {
  static override styles = [
    base,
    controls,
    meter,
    page,
    css`
      .check,
      .note {
        display: grid;
        gap: 12px;
        padding: 16px;
      }
      .group > h2 {
        padding: 14px 16px 10px;
        border-bottom: 1px solid var(--juror-line);
      }
      .group h2 .muted {
        font-weight: 400;
      }
      .group li {
        display: grid;
        gap: 4px;
        padding: 10px 16px;
        border-top: 1px solid var(--juror-line);
      }
      .group li:first-child {
        border-top: 0;
      }
      .line {
        display: flex;
        flex-wrap: wrap;
        gap: 2px 12px;
        align-items: baseline;
      }
      .pair {
        display: grid;
        grid-template-columns: repeat(2, minmax(0, 240px));
        gap: 12px;
        margin-top: 6px;
      }
      .pair juror-picture {
        height: 180px;
      }
      .picture {
        display: block;
        width: 100%;
        padding: 0;
        border: 0;
        background: none;
        cursor: zoom-in;
      }
      figcaption {
        margin-top: 2px;
        color: var(--juror-text-3);
        font-size: var(--juror-size-s);
        overflow-wrap: anywhere;
      }
      .more {
        padding: 10px 16px;
        border-top: 1px solid var(--juror-line);
      }
    `,
  ];

  readonly #store = new StoreController(this);
  readonly #report = new Query<LintReport>(this);
  readonly #changed = (): void => this.requestUpdate();
  /** Comparing ends its own button; who pressed it goes on with what is in its place, or with what was found. */
  protected readonly keeper = new FocusKeeper(
    this,
    () =>
      this.renderRoot.querySelector<HTMLElement>('[data-testid="lint-cancel"], [data-testid="alike-stop"], [data-testid="lint-compare"]:enabled') ??
      this.renderRoot.querySelector<HTMLElement>('[data-testid="lint-sum"]'),
  );
  @state() private running = false;
  @state() private error = '';
  /** Grows when pictures were compared. */
  @state() private compared = 0;
  @state() private whole: readonly string[] = [];

  protected override willUpdate(): void {
    const { engine, version, overview } = this.#store.state;
    if (engine !== 'ready' || overview?.benchmark == null) return;
    this.#report.ask(`${version} ${this.compared} ${alike.count}`, (signal) => store.client.lintReport(alike.features, signal));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    for (const one of [alike, networks]) one.addEventListener('change', this.#changed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const one of [alike, networks]) one.removeEventListener('change', this.#changed);
    if (this.running) void store.client.cancelCompare();
  }

  override render(): TemplateResult {
    const { overview } = this.#store.state;
    const report = this.#report.value;
    const problem = this.error === '' ? this.#report.error?.message : this.error;
    return html`<div>
        <div class="titled"><h1>Output check</h1>${manualLink(this.#store.state.route, 'files', 'output-check')}</div>
        <p class="lead">Fix these before judging. Names, sizes and headers are checked at once; contents are compared when you ask for it. Nothing on your disk is changed.</p>
      </div>
      ${problem === undefined ? nothing : html`<p class="problem" role="alert">${icon('warn', 16)} ${problem}</p>`}
      ${
        overview?.benchmark == null
          ? html`<p class="panel note">Open a benchmark and models’ outputs first.</p>`
          : report === null
            ? html`<p class="panel note muted">Checking…</p>`
            : html`${this.renderCheck(report)} ${this.renderNetworks(report)} ${groupsOf(report.findings).map(([code, title, findings]) => this.renderGroup(code, title, findings))}`
      }`;
  }

  private renderCheck(report: LintReport): TemplateResult {
    const renames = report.findings.filter(({ rename_to: to }) => to !== null).length;
    const { compared } = this.#store.state;
    const sum =
      report.findings.length === 0
        ? `No problems found in ${plural(report.outputs, 'output')}`
        : `${plural(report.findings.length, 'finding')} about ${plural(report.outputs, 'output')}`;
    return html`<section class="panel check" aria-label="Summary">
      <p data-testid="lint-sum" tabindex="-1" aria-live="polite"><strong>${sum}.</strong> ${report.to_compare === 0 ? 'All contents were compared.' : `The contents of ${plural(report.to_compare, 'file')} were not compared yet.`}</p>
      ${
        this.running && compared !== null
          ? html`${renderMeter('Files compared', compared.done, compared.total)}
            <p class="small muted num">${count(compared.done)} of ${count(compared.total)} files</p>`
          : nothing
      }
      <div class="toolbar">
        ${
          this.running
            ? html`<button type="button" class="button" data-testid="lint-cancel" @click=${() => void store.client.cancelCompare()}>Stop comparing</button>`
            : html`<button type="button" class="button primary" data-testid="lint-compare" ?disabled=${report.to_compare === 0} @click=${() => void this.compare()}>Compare pictures</button>`
        }
        <button type="button" class="button" data-testid="lint-renames" ?disabled=${renames === 0} @click=${() => void this.renames()}>${icon('download', 16)}${renames === 0 ? 'No renames to suggest' : plural(renames, 'suggested rename')}</button>
      </div>
      <p class="small muted">
        An output looks like an input where their perceptual hashes (DCT of 32 × 32 grey levels, 64 bits; unrelated pictures differ in about 30) differ in at most ${report.copy_distance} bits,
        as scaling and compression do, and no cell of a 16 × 16 grid differs by more than ${report.copy_levels} of 255 grey levels, as an edit of one part does.
      </p>
    </section>`;
  }

  /** What networks add, where packs for it are open. */
  private renderNetworks({ pictures, alike: bar, alike_floor: floor }: LintReport): TemplateResult {
    const { packs, run } = alike;
    const names = packs.map(({ id }) => id).join(' and ');
    return html`<section class="panel check" aria-label="By networks" data-testid="alike">
      ${
        packs.length === 0
          ? html`<p class="small">Networks also find outputs that only look like others: open a pack for clip or dino under <a href=${store.href({ view: 'metrics' })} data-testid="alike-open">Metrics, Networks</a>.</p>`
          : html`<div class="toolbar">
              ${
                run?.isOver === false
                  ? html`<button type="button" class="button" data-testid="alike-stop" @click=${() => alike.stop()}>Stop</button>`
                  : html`<button type="button" class="button" data-testid="alike-start" ?disabled=${pictures.length === 0} @click=${() => void alike.start(pictures)}>Compare ${plural(pictures.length, 'picture')} by ${names}</button>`
              }
            </div>`
      }
      ${run === null ? nothing : renderRun(run)}
      <p class="small muted">
        A network hardly tells two pictures apart where the cosine of their features is ${bar} or more, or above the 99th percentile of its kind and at least ${floor.toFixed(2)}:
        Juror’s choice. An output is compared with its inputs, with other samples’ pictures and with the model’s other outputs; what its own sample asks for is no finding.
      </p>
    </section>`;
  }

  private renderGroup(code: string, title: string, findings: LintFinding[]): TemplateResult {
    const isWhole = this.whole.includes(code);
    const shown = isWhole ? findings : findings.slice(0, SHOWN);
    return html`<section class="panel group" data-testid="lint-group" data-code=${code} aria-label=${title}>
      <h2>${title} <span class="muted num">${count(findings.length)}</span></h2>
      <ul>
        ${shown.map((finding) => this.renderFinding(finding))}
      </ul>
      ${isWhole || findings.length <= SHOWN ? nothing : html`<div class="more"><button type="button" class="link" @click=${() => (this.whole = [...this.whole, code])}>Show all ${count(findings.length)}</button></div>`}
    </section>`;
  }

  private renderFinding(finding: LintFinding): TemplateResult {
    const { severity, path, message, hint, distance, cosine } = finding;
    const pictures = picturesOf(finding);
    return html`<li data-testid="lint-finding">
      <div class="line">
        <span class="chip ${severity === 'error' ? 'bad' : severity === 'warning' ? 'warn' : ''}">${severity}</span>
        <bdi class="path">${path}</bdi>
        ${this.renderPlace(finding)}
        ${distance === null ? nothing : html`<span class="chip num">${distance} of 64 bits</span>`}
        ${cosine === null ? nothing : html`<span class="chip num">cosine ${cosine.toFixed(4)}</span>`}
      </div>
      <p dir="auto">${message} <span class="muted">${hint}</span></p>
      ${
        pictures.length === 0
          ? nothing
          : html`<div class="pair">
            ${pictures.map(
              ({ file, label, path: alt }, at) =>
                html`<figure>
                  <button type="button" class="picture" aria-label="Open ${alt}" @click=${() => this.dispatchEvent(new OpenPictures(pictures, at))}><juror-picture .file=${file} alt=${alt}></juror-picture></button>
                  <figcaption>${label}</figcaption>
                </figure>`,
            )}
          </div>`
      }
    </li>`;
  }

  /** Where a finding belongs: a link to the sample that it is about. */
  private renderPlace({ place, sample, turn, model }: LintFinding): TemplateResult | typeof nothing {
    if (sample === null) return place === '' ? nothing : html`<span class="muted small">${place}</span>`;
    const href = store.href({ view: 'sample', id: sample, turn, models: model === '' ? null : [model], filter: NO_FILTER });
    return html`<a class="small" href=${href}>${place}</a>`;
  }

  private async compare(): Promise<void> {
    this.running = true;
    this.error = '';
    try {
      await store.client.comparePictures();
    } catch (error) {
      this.error = messageOf(error);
    }
    this.running = false;
    this.compared += 1;
  }

  private async renames(): Promise<void> {
    try {
      download(new Blob([await store.client.renameScript()], { type: 'text/x-shellscript' }), 'sh', 'renames');
    } catch (error) {
      this.error = messageOf(error);
    }
  }
}

/** How far the networks are, or what came of it. */
function renderRun({ done, total, began, isOver, problem, failed }: AlikeRun): TemplateResult {
  if (!isOver) {
    const left = timeLeft(began, done, total);
    const words = left === '' ? '' : `, ${left}`;
    return html`${renderMeter('Pictures compared', done, total)}
      <p class="small muted num" data-testid="alike-left">${count(done)} of ${plural(total, 'picture')}${words}</p>`;
  }
  if (problem !== '') return html`<p class="problem" role="alert">${icon('error', 16)} ${problem}</p>`;
  return html`<p class="small" data-testid="alike-done" aria-live="polite">
    ${plural(total - failed, 'picture')} compared.${failed === 0 ? nothing : html` <span class="problem">${icon('warn', 16)} ${plural(failed, 'picture')} cannot be read.</span>`}
  </p>`;
}

/** The output and what it repeats or copies, where both are pictures. */
function picturesOf({ path, file, other, other_path: otherPath, model }: LintFinding): Slide[] {
  if (other === null || !isPicture(path) || !isPicture(otherPath)) return [];
  return [
    { file, label: `Output of ${model}`, path },
    { file: other, label: otherPath, path: otherPath },
  ];
}

/** Texts repeat as well; those are told by their paths. */
const isPicture = (path: string): boolean => !/\.txt$/i.test(path);

/** Code, title and findings of each kind, known ones first. */
function groupsOf(findings: LintFinding[]): [string, string, LintFinding[]][] {
  const byCode = new Map<string, LintFinding[]>();
  for (const finding of findings) {
    const own = byCode.get(finding.code);
    if (own === undefined) byCode.set(finding.code, [finding]);
    else own.push(finding);
  }
  const known = TITLES.flatMap(([code, title]): [string, string, LintFinding[]][] => {
    const own = byCode.get(code);
    byCode.delete(code);
    return own === undefined ? [] : [[code, title, own]];
  });
  return [...known, ...[...byCode].map(([code, own]): [string, string, LintFinding[]] => [code, sentence(code), own])];
}

/** `bad_rating` as `Bad rating`. */
const sentence = (code: string): string => code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ');

declare global {
  interface HTMLElementTagNameMap {
    'juror-lint': JurorLint;
  }
}
