import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { Query } from '../../state/query';
import { NOT_JUDGED, mean } from '../../state/format';
import { NO_FILTER, type Filter, type SamplePlace } from '../../state/router';
import { vars } from '../../state/vars';
import { hrefOf } from '../../state/links';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import type { CriterionInfo } from '../../engine/types/CriterionInfo';
import type { Dispute } from '../../engine/types/Dispute';
import type { HighlightPick } from '../../engine/types/HighlightPick';
import type { HighlightedOutput } from '../../engine/types/HighlightedOutput';
import type { HighlightedSample } from '../../engine/types/HighlightedSample';
import type { Highlights } from '../../engine/types/Highlights';
import { base, controls } from '../../styles/base.styles';
import { nameStyles, renderName, renderTokens } from '../name/name';
import '../picture/picture';
import { unjudgedModels } from '../score-table/shape';
import { styles } from './highlights.styles';

/** Samples that are shown at once; the list has the others. */
const SHOWN = 8;

/** Another choice of samples was asked for. */
export class PickEvent extends Event {
  readonly pick: HighlightPick;
  readonly seed: number;

  constructor(pick: HighlightPick, seed: number) {
    super('pick');
    this.pick = pick;
    this.seed = seed;
  }
}

/** By what samples are chosen, in words. */
const PICKS: Record<HighlightPick, Record<Dispute, string>> = {
  lowest: { nobody: 'Lowest scored', judges: 'Lowest scored', models: 'Lowest scored' },
  disputed: { nobody: 'Most disputed', judges: 'Judges differ most', models: 'Models differ most' },
  random: { nobody: 'Random', judges: 'Random', models: 'Random' },
};

/**
 * @summary Samples worth looking at: the outputs of the models side by side, each with its score; a click opens the sample.
 * @event pick - Another choice, or another draw, was asked for.
 */
@customElement('juror-highlights')
export class JurorHighlights extends LitElement {
  static override styles = [base, controls, nameStyles, styles];

  @property() pick: HighlightPick = 'lowest';
  /** Of a draw. */
  @property({ type: Number }) seed = 1;
  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'engine' | 'version' | 'route' | 'overview'>;
  readonly #found = new Query<Highlights>(this);

  protected override willUpdate(): void {
    const { engine, version, route } = this.state;
    if (engine !== 'ready' || version === 0) return;
    const { options } = route;
    const { pick, seed } = this;
    this.#found.ask(`${version} ${JSON.stringify([pick, seed, options])}`, (signal) => this.client.highlights({ options, pick, seed, len: SHOWN }, signal));
  }

  override render(): TemplateResult | typeof nothing {
    const found = this.#found.value;
    // What has no pictures at all, as replies alone, needs no band.
    if (this.#found.error !== null || (found?.samples.length === 0 && this.pick !== 'disputed')) return nothing;
    return html`<section class="panel" aria-labelledby="highlights">
      <div class="top">
        <h2 id="highlights">Samples worth a look</h2>
        ${this.renderPicks(found?.dispute ?? null)} ${this.pick === 'random' ? this.renderDraw() : nothing}
        ${found?.judge == null ? nothing : html`<span class="muted small" data-testid="highlights-judge">scores by <bdi>${found.judge === '' ? 'judge not stated' : found.judge}</bdi></span>`}
        <span class="spacer"></span>
        <a class="all" href=${hrefOf(this.state.route, { view: 'samples', filter: this.filter(found) })}>All samples in this order</a>
      </div>
      ${
        found === null
          ? html`<div class="band" aria-hidden="true">${Array.from({ length: 3 }, () => html`<span class="card waiting"></span>`)}</div>`
          : found.samples.length === 0
            ? html`<p class="band none muted">No two scores of a sample with pictures differ here.</p>`
            : html`<ul class="band" data-testid="highlights">
              ${found.samples.map((sample) => this.renderSample(sample, found))}
            </ul>`
      }
    </section>`;
  }

  private renderPicks(dispute: Dispute | null): TemplateResult {
    const picks = (['lowest', 'disputed', 'random'] as const).filter((pick) => pick === this.pick || pick !== 'disputed' || dispute !== 'nobody');
    return html`<fieldset class="segmented">
      <legend class="visually-hidden">Which samples</legend>
      ${picks.map(
        (pick) =>
          html`<label><input type="radio" name="pick" data-testid="pick-${pick}" .checked=${pick === this.pick} @change=${() => this.dispatchEvent(new PickEvent(pick, this.seed))} />${PICKS[pick][dispute ?? 'nobody']}</label>`,
      )}
    </fieldset>`;
  }

  private renderDraw(): TemplateResult {
    return html`<span class="draw muted small">seed <b class="num">${this.seed}</b></span>
      <button type="button" class="button" @click=${() => this.dispatchEvent(new PickEvent('random', this.seed + 1))}>Draw again</button>`;
  }

  /** The order of the list that the choice stands for. */
  private filter(found: Highlights | null): Filter {
    const { pick, seed } = this;
    if (pick === 'random') return { ...NO_FILTER, sort: 'random', seed };
    if (pick === 'lowest') return { ...NO_FILTER, sort: this.isDown() ? 'score_desc' : 'score_asc' };
    return { ...NO_FILTER, sort: found?.dispute === 'judges' ? 'disagreement' : 'spread' };
  }

  private total(): CriterionInfo | undefined {
    return this.state.overview?.criteria.find(({ id }) => id === 'total');
  }

  private isDown(): boolean {
    return this.total()?.direction === 'down';
  }

  private renderSample(sample: HighlightedSample, found: Highlights): TemplateResult {
    const { id, turn, outputs, instruction, value } = sample;
    const names = outputs.map(({ model }) => found.models[model] ?? '');
    const place: SamplePlace = { view: 'sample', id, turn, models: found.models.length > names.length ? names : null, filter: this.filter(found) };
    return html`<li>
      <a class="card" href=${hrefOf(this.state.route, place)} data-testid="highlight" data-id=${id}>
        <span class="outputs" ${vars({ '--outputs': outputs.length })}>${outputs.map((output, at) => this.renderOutput(output, names[at] ?? '', id))}</span>
        <span class="said" dir="auto">${renderTokens(instruction)}</span>
        <span class="foot small muted"><bdi>${id}</bdi>${turn === null ? nothing : html`<span>turn ${turn + 1}</span>`}${this.renderValue(value, found.dispute)}</span>
      </a>
    </li>`;
  }

  private renderOutput({ file, score }: HighlightedOutput, model: string, id: string): TemplateResult {
    const { overview } = this.state;
    const isUnjudged = score === null && overview !== null && unjudgedModels(overview).has(model);
    return html`<span class="output">
      <juror-picture .file=${file} alt="Output of ${model} for ${id}"></juror-picture>
      <span class="caption"><span class="name">${renderName(model)}</span><b class="num">${isUnjudged ? NOT_JUDGED : mean(score, this.total())}</b></span>
    </span>`;
  }

  private renderValue(value: number | null, dispute: Dispute): TemplateResult | typeof nothing {
    if (value === null) return nothing;
    const words = this.pick === 'lowest' ? 'mean of models' : dispute === 'judges' ? 'judges differ by' : 'models differ by';
    return html`<span class="value">${words} <b class="num">${mean(value, this.total())}</b></span>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-highlights': JurorHighlights;
  }
}
