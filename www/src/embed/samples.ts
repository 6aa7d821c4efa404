import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { NOT_JUDGED, count, interval, judgeScore, keyLabel, mean, turnNumber } from '../state/format';
import { intervalSteps, meanStep, roundingWords } from '../state/origin';
import { Query } from '../state/query';
import { picturesStyles, renderDetails, renderPictures } from '../components/dataset-pictures/dataset-pictures';
import { icon } from '../components/icon/icon';
import { isUnjudgedRow } from '../components/score-table/shape';
import '../components/picture/picture';
import { AskUrls } from '../components/picture/urls';
import { PointPicture, SeePicture, outputKey, pictureKey } from '../components/turn/turn';
import '../components/turn/turn';
import type { RowUnit } from '../engine/types/RowUnit';
import type { RowUnits } from '../engine/types/RowUnits';
import type { SampleView } from '../engine/types/SampleView';
import type { ScoreRow } from '../engine/types/ScoreRow';
import type { VerdictView } from '../engine/types/VerdictView';
import { base, controls, dialogs } from '../styles/base.styles';
import type { PackLook } from './look';
import type { ReportedScores } from './report';
import { styles } from './samples.styles';

/** Scores of a mean that are listed at once. */
const PAGE = 20;
/** Characters of an instruction or a reason that the list shows. */
const SHOWN = 160;

/** What of a pack is looked into: the scores behind a mean, or one sample. */
export type Place = { row: ScoreRow; sample: string | null; model: string } | { row: null; sample: string; model: string };

/** Who opened a place. */
export type Opened = 'by-reader' | 'by-page';

/** One score of the list, with what it is about. */
interface Line {
  unit: RowUnit;
  instruction: string;
  reason: string;
}

/** The reader goes to another place; `null` closes it. */
export class GoEvent extends Event {
  readonly place: Place | null;

  constructor(place: Place | null) {
    super('go');
    this.place = place;
  }
}

/**
 * @summary What stands behind a mean of a pack: its scores with their reasons, and each sample with pictures and replies.
 * @event go - The reader goes to another place.
 */
@customElement('juror-viewer-samples')
export class JurorViewerSamples extends LitElement {
  static override styles = [base, controls, dialogs, picturesStyles, styles];

  /** The report's own numbers. */
  @property({ attribute: false }) scores!: ReportedScores;
  /** The pack's samples; `null` while they are read. */
  @property({ attribute: false }) look: PackLook | null = null;
  @property({ attribute: false }) place!: Place;
  /** Who opened it: a reader, or the page around the viewer. */
  @property({ attribute: false }) opened: Opened = 'by-page';
  /** What is said while or because there are no samples. */
  @property({ attribute: false }) words: TemplateResult | typeof nothing = nothing;
  @state() private shown = PAGE;
  @state() private lit: number | null = null;
  /** The picture that is seen large. */
  @state() private seen: { file: number; label: string } | null = null;
  @query('.heading') private heading!: HTMLElement | null;
  @query('dialog') private dialog!: HTMLDialogElement;
  readonly #units = new Query<RowUnits | null>(this);
  readonly #lines = new Query<Line[]>(this);
  readonly #sample = new Query<SampleView>(this);
  #at = '';

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('juror-ask-urls', this.#onUrls);
  }

  protected override willUpdate(): void {
    const { look, place } = this;
    const rowAt = place.row === null ? '' : keyOf(place.row);
    if (rowAt !== this.#at) {
      this.#at = rowAt;
      this.shown = PAGE;
      this.#units.clear();
      this.#lines.clear();
    }
    if (look === null) return;
    const { row, sample } = place;
    if (row !== null) {
      this.#units.ask(rowAt, () => look.units(row));
      const units = this.#units.value?.units.slice(0, this.shown);
      if (units !== undefined) this.#lines.ask(`${rowAt}\n${units.length}`, () => Promise.all(units.map((unit) => lineOf(look, row, unit))));
    }
    if (sample !== null) this.#sample.ask(sample, () => look.sample(sample));
    else this.#sample.clear();
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    // Whoever opens something finds it: the focus goes to what was opened, and nowhere unless a reader did it.
    if (changed.has('place') && this.opened === 'by-reader') this.heading?.focus();
  }

  override render(): TemplateResult {
    const { sample, row } = this.place;
    // The head stays the same element whatever comes below it: the focus is in it.
    return html`<section aria-label=${sample === null ? 'Scores behind a mean' : 'Sample'}>
        ${this.renderHead()} ${sample !== null ? this.renderSample(sample) : row === null ? nothing : this.renderRow(row)}
      </section>
      <dialog aria-label=${this.seen?.label ?? 'Picture'} @click=${this.onBackdrop} @close=${() => (this.seen = null)}>
        <div class="dialog-head">
          <strong>${this.seen?.label}</strong><span class="spacer"></span>
          <button type="button" class="button quiet icon" aria-label="Close" @click=${() => this.dialog.close()}>${icon('close')}</button>
        </div>
        ${this.seen === null ? nothing : html`<juror-picture class="large" .file=${this.seen.file} alt=${this.seen.label}></juror-picture>`}
      </dialog>`;
  }

  private renderHead(): TemplateResult {
    const { row, sample, model } = this.place;
    return html`<div class="head">
      ${
        row === null || sample === null
          ? nothing
          : html`<button type="button" class="button quiet" data-testid="viewer-back" @click=${() => this.go({ row, sample: null, model })}>${icon('left')}Scores</button>`
      }
      <h2 class="heading" tabindex="-1">${sample === null ? this.rowTitle(row) : `${capital(this.scores.benchmark?.words.sample ?? 'sample')} ${sample}`}</h2>
      <span class="spacer"></span>
      <button type="button" class="button quiet icon" aria-label="Close" data-testid="viewer-close" @click=${() => this.go(null)}>${icon('close')}</button>
    </div>`;
  }

  private rowTitle(row: ScoreRow | null): TemplateResult | typeof nothing {
    if (row === null) return nothing;
    const label = this.scores.criteria.find(({ id }) => id === row.criterion)?.label ?? row.criterion;
    return html`${row.model} <span class="muted">${keyLabel(row.scope, row.key)} · ${label}</span>`;
  }

  private renderRow(row: ScoreRow): TemplateResult {
    const info = this.scores.criteria.find(({ id }) => id === row.criterion);
    const formula = this.scores.formulas.find(({ criterion }) => criterion === row.criterion);
    const units = this.scores.benchmark?.words.units ?? 'units';
    return html`<dl class="facts">
        <div><dt>Mean</dt><dd class="num"><b>${isUnjudgedRow(this.scores, row) ? NOT_JUDGED : mean(row.mean, info)}</b> over ${count(row.n)} of ${count(row.expected)} ${units}</dd></div>
        <div><dt>95 % interval</dt><dd class="num">${interval(row.ci_low, row.ci_high, info)}</dd></div>
        <div><dt>Worst / best case: all unscored at the lowest / highest score</dt><dd class="num">${mean(row.worst, info)} / ${mean(row.best, info)}</dd></div>
        <div><dt>Judge</dt><dd>${row.judge === '' ? 'not stated by the replies' : row.judge}</dd></div>
        ${formula === undefined ? nothing : html`<div class="wide"><dt>Formula</dt><dd><span class="mono">${formula.text}</span> <span class="muted small">${formula.source}</span></dd></div>`}
        ${this.renderFilled(row)}
      </dl>
      ${this.look === null ? this.words : this.renderUnits(row)}`;
  }

  /** Mean and interval with their values filled in, as the pack's replies give them. */
  private renderFilled(row: ScoreRow): TemplateResult | typeof nothing {
    const { mean: found, interval: spread } = this.#units.value?.origin ?? { mean: null, interval: null };
    const info = this.scores.criteria.find(({ id }) => id === row.criterion);
    const step = found === null || row.mean === null ? null : meanStep(found, info);
    if (step === null || found === null) return nothing;
    const rounding = roundingWords(found);
    const ends = spread === null ? [] : intervalSteps(spread, [row.ci_low, row.ci_high], info);
    return html`<div class="wide" data-testid="viewer-filled">
      <dt>Filled in</dt>
      <dd>
        <span class="mono">${step.expression} = ${step.result}</span>${rounding === '' ? nothing : html` <span class="muted small">${rounding}</span>`}
        ${ends.map(({ name, expression, result }) => html`<br /><span class="mono small">${name}${expression === '' ? '' : ` = ${expression}`} = ${result}</span>`)}
      </dd>
    </div>`;
  }

  private renderUnits(row: ScoreRow): TemplateResult {
    const { value: found, error, pending } = this.#units;
    if (error !== null) return html`<p class="callout" role="alert">${icon('error', 16)}<span>${error.message}</span></p>`;
    if (pending) return html`<p class="muted">Looking up the scores behind it…</p>`;
    if (found === null)
      return html`<p class="callout">${icon('warn', 16)}<span>The replies in the pack give no such row: what the report says here does not follow from them.</span></p>`;
    const lines = this.#lines.value ?? [];
    const many = capital(this.scores.benchmark?.words.samples ?? 'samples');
    return html`<p class="small muted">
        ${count(found.n)} of ${count(found.total)} ${this.scores.benchmark?.words.units ?? 'units'} have a score; the lowest first.
      </p>
      <ul class="units" aria-label="${many} behind this mean">
        ${lines.map((line) => html`<li>${this.renderLine(row, line)}</li>`)}
      </ul>
      ${
        lines.length < found.units.length && lines.length > 0
          ? html`<button type="button" class="button" @click=${() => (this.shown += 5 * PAGE)}>Show ${count(Math.min(5 * PAGE, found.units.length - lines.length))} more of ${count(found.units.length - lines.length)}</button>`
          : nothing
      }`;
  }

  private renderLine(row: ScoreRow, { unit, instruction, reason }: Line): TemplateResult {
    const where = [
      unit.sample,
      ...(unit.turn === null || unit.turn === 0 ? [] : [`turn ${turnNumber(unit.turn)}`]),
      ...(unit.run === null || unit.run === 1 ? [] : [`run ${unit.run}`]),
    ].join(', ');
    return html`<button type="button" class="unit" @click=${() => this.go({ row, sample: unit.sample, model: row.model })}>
      <span class="value num">${unit.value === null ? '–' : judgeScore(unit.value)}</span>
      <span class="what"><b>${where}</b> <span dir="auto">${instruction}</span>${reason === '' ? nothing : html`<span class="reason muted" dir="auto">${reason}</span>`}</span>
      ${unit.status === 'ok' ? nothing : html`<span class="chip warn">${this.look?.overview.incidents.find(({ kind }) => kind === unit.status)?.label ?? unit.status}</span>`}
    </button>`;
  }

  private renderSample(id: string): TemplateResult | typeof nothing {
    const { model } = this.place;
    const { value: sample, error } = this.#sample;
    if (this.look === null) return this.words;
    if (error !== null) return html`<p class="callout" role="alert">${icon('error', 16)}<span>${error.message}</span></p>`;
    if (sample?.id !== id) return html`<p class="muted">Looking it up…</p>`;
    const all = sample.turns[0]?.outputs.map((output) => output.model).filter((name) => this.scores.models.some((one) => one.name === name)) ?? [];
    const models = all.includes(model) ? [model] : all.slice(0, 3);
    const alone = sample.turns.length === 1;
    const groups = [...new Set([sample.category, sample.domain, ...sample.tags.map(([scope, key]) => `${scope}: ${key}`)])].filter((text) => text !== '');
    const { overview } = this.look;
    return html`<p class="chips">${groups.map((text) => html`<span class="chip" dir="auto">${text}</span>`)}</p>
      ${
        all.length < 2
          ? nothing
          : html`<div class="models" role="group" aria-label="Model shown">
            ${all.map((name) => html`<button type="button" class="button tiny" aria-pressed=${models.includes(name)} @click=${() => this.go({ ...this.place, sample: id, model: name })}>${name}</button>`)}
          </div>`
      }
      ${sample.pictures.length === 0 ? nothing : renderPictures(sample, this.lit, { see: (key) => this.see(sample, key), point: (number) => (this.lit = number) })}
      ${alone ? nothing : renderDetails(sample)}
      <div class="turns" @juror-see-picture=${(event: Event) => event instanceof SeePicture && this.see(sample, event.key)} @juror-point-picture=${(event: Event) => event instanceof PointPicture && (this.lit = event.number)}>
        ${sample.turns.map(
          (turn) =>
            html`<juror-turn plain .sample=${sample} .turn=${turn} .models=${models} .lit=${this.lit} .criteria=${overview.criteria} .requests=${overview.requests}
              >${alone ? renderDetails(sample) : nothing}</juror-turn
            >`,
        )}
      </div>`;
  }

  private go(place: Place | null): void {
    this.dispatchEvent(new GoEvent(place));
  }

  private see(sample: SampleView, key: string): void {
    const pictures = sample.pictures.map(({ number, file, label }) => ({ key: pictureKey(number), file, label }));
    const outputs = sample.turns.flatMap((turn) => turn.outputs.map(({ model, file }) => ({ key: outputKey(turn.index, model), file, label: model })));
    const found = [...pictures, ...outputs].find((one) => one.key === key);
    if (found?.file == null) return;
    this.seen = { file: found.file, label: found.label };
    this.dialog.showModal();
  }

  private onBackdrop(event: Event): void {
    if (event.target === this.dialog) this.dialog.close();
  }

  readonly #onUrls = (event: Event): void => {
    if (event instanceof AskUrls && this.look !== null) event.answer(this.look);
  };
}

const capital = (text: string): string => text.replace(/^./, (letter) => letter.toUpperCase());

const keyOf = ({ model, judge, scope, key, criterion }: ScoreRow): string => [model, judge, scope, key, criterion].join('\n');

const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1)}…` : line;
};

/** A score with its instruction and the reason that the judge gave; of several verdicts the lowest one’s. */
async function lineOf(look: PackLook, row: ScoreRow, unit: RowUnit): Promise<Line> {
  const sample = await look.sample(unit.sample);
  const turns = sample.turns.filter(({ index }) => unit.turn === null || index === unit.turn);
  const outputs = turns.flatMap((turn) => turn.outputs.filter(({ model }) => model === row.model));
  const isMeant = ({ criterion, parts, judge, run }: VerdictView): boolean =>
    (row.criterion === 'total' || criterion === row.criterion || row.criterion in parts) &&
    (row.judge === '' || judge === row.judge) &&
    (unit.run === null || run === unit.run);
  const verdicts = outputs.flatMap((output) => output.verdicts).filter(isMeant);
  const lowest = [...verdicts].sort((a, b) => (a.score ?? -Infinity) - (b.score ?? -Infinity))[0];
  const problem = outputs.find((output) => output.problem !== '')?.problem ?? '';
  const instruction = (turns[0] ?? sample.turns[0])?.instruction.map(({ text }) => text).join('') ?? '';
  return { unit, instruction: short(instruction), reason: short(problem || (lowest?.reason ?? '') || (lowest?.detail ?? '')) };
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-viewer-samples': JurorViewerSamples;
  }
}
