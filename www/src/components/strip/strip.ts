import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { changes } from '../../state/diff';
import { mean } from '../../state/format';
import { NO_FILTER } from '../../state/router';
import { hrefOf } from '../../state/links';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import type { AgentSet } from '../../engine/types/AgentSet';
import type { AgentStep } from '../../engine/types/AgentStep';
import type { AgentStrip } from '../../engine/types/AgentStrip';
import type { CriterionInfo } from '../../engine/types/CriterionInfo';
import { base, controls } from '../../styles/base.styles';
import { OpenPictures, type Slide } from '../compare-pictures/slides';
import '../hand/hand';
import { icon } from '../icon/icon';
import '../picture/picture';
import { styles } from './strip.styles';

const SUPERSCRIPTS = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/** `G¹`. */
const symbol = (letter: string, number: number): string => `${letter}${SUPERSCRIPTS[number] ?? `^${number}`}`;

/**
 * @summary One trajectory: its pictures step by step, what the generator was told, what changed in that, and the scores.
 */
@customElement('juror-strip')
export class JurorStrip extends LitElement {
  static override styles = [base, controls, styles];

  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'version' | 'route'>;
  @property({ attribute: false }) strip: AgentStrip | null = null;
  @property({ attribute: false }) set: AgentSet | null = null;
  @property({ type: Number }) steps = 3;
  @property({ attribute: false }) total: CriterionInfo | undefined;
  @state() private byHand = false;

  override render(): TemplateResult | typeof nothing {
    const { strip } = this;
    if (strip === null) return nothing;
    return html`<div class="line">
        <h3><a href=${hrefOf(this.state.route, { view: 'sample', id: strip.sample, turn: null, models: null, filter: NO_FILTER })}>${strip.sample}</a></h3>
        ${this.renderDue(strip)}
      </div>
      <div class="references" role="group" aria-label="References of ${strip.sample}">
        ${strip.references.map(
          ({ file, label, path, problem }, at) =>
            html`<button type="button" ?disabled=${file === null} title=${problem || path} aria-label="Open reference ${at}" @click=${() => this.open(at)}><juror-picture .file=${file} alt="Reference ${at}"></juror-picture><span aria-hidden="true">${label}</span></button>`,
        )}
      </div>
      <div class="steps">${strip.steps.map((step, at) => this.renderStep(strip, step, strip.steps[at - 1]))}</div>
      ${this.byHand && this.set !== null ? html`<juror-hand .client=${this.client} .state=${this.state} .key=${{ set: this.set, sample: strip.sample, steps: this.steps }}></juror-hand>` : nothing}`;
  }

  private renderDue(strip: AgentStrip): TemplateResult {
    const { due } = strip;
    switch (due.type) {
      case 'done':
        return html`<span class="chip good">complete</span>`;
      case 'stopped':
        return html`<span class="chip accent">ended by the planner after step ${due.step}</span>`;
      case 'picture':
      case 'plan': {
        const what = due.type === 'picture' ? `picture ${symbol('G', due.step)}` : `the planner’s word on ${symbol('G', due.step)}`;
        return html`<span class="chip">waits for ${what}</span>
          <button type="button" class="button tiny" aria-expanded=${this.byHand} data-testid="by-hand" @click=${() => (this.byHand = !this.byHand)}>By hand${icon(this.byHand ? 'sortUp' : 'chevron', 16)}</button>`;
      }
    }
  }

  private renderStep(strip: AgentStrip, step: AgentStep, before: AgentStep | undefined): TemplateResult {
    const name = symbol('G', step.step);
    // A model without any reply has one nameless judge that said nothing.
    const scores = step.scores.filter(([judge, total]) => judge !== '' || total !== null);
    return html`<section class="step" data-testid="step" aria-label="${strip.sample}, step ${step.step}">
      ${
        step.file === null
          ? html`<span class="waiting">${step.failed === null ? `${name} is not made yet` : `${name} was not made`}</span>`
          : html`<button type="button" class="picture" aria-label="Open picture of step ${step.step}" @click=${() => this.open(strip.references.length + step.step - 1)}><juror-picture .file=${step.file} alt="Step ${step.step} of ${strip.sample}"></juror-picture></button>`
      }
      <span class="scores">
        <span class="name">${name}</span>
        ${scores.map(([judge, total]) => html`<span class="chip num" data-testid="step-score">${judge === '' ? 'judge' : judge}: ${mean(total, this.total)}</span>`)}
        ${step.file !== null && scores.length === 0 ? html`<span class="small muted">not judged</span>` : nothing}
      </span>
      ${
        step.is_carried
          ? html`<p class="small muted">The planner had nothing left to improve, so the picture of an earlier step is shown for this one.</p>`
          : html`<span class="used small">
              <span class="muted">${symbol('P', step.step - 1)} with</span>
              ${strip.references.map((_, index) => (step.references.includes(index) ? html`<span class="chip">R${index}</span>` : nothing))}
              ${step.step > 1 && this.set?.framework !== 'ipr' ? html`<span class="chip">${symbol('G', step.step - 1)}</span>` : nothing}
            </span>
            <div class="prompt" tabindex="0" role="region" aria-label="Prompt of ${strip.sample}, step ${step.step}">${this.renderPrompt(step, before)}</div>`
      }
      ${step.mark === null ? nothing : html`<p class="mark" data-testid="mark">${icon('warn', 16)} ${step.mark.message}</p>`}
      ${step.failed === null ? nothing : html`<p class="problem" data-testid="step-failed">${icon('error', 16)} ${step.failed}</p>`}
      ${step.reply === '' ? nothing : html`<details><summary>The planner’s reply</summary><pre dir="auto">${step.reply}</pre></details>`}
      ${step.remark === '' ? nothing : html`<details><summary>The generator’s remark</summary><pre dir="auto">${step.remark}</pre></details>`}
    </section>`;
  }

  private renderPrompt(step: AgentStep, before: AgentStep | undefined): TemplateResult {
    if (before === undefined) return html`${step.prompt}`;
    if (before.prompt === step.prompt) return html`<span class="muted">The prompt stays.</span>`;
    return html`${changes(before.prompt, step.prompt).map(({ kind, text }) => (kind === 'same' ? text : kind === 'added' ? html`<ins>${text}</ins>` : html`<del>${text}</del>`))}`;
  }

  private open(at: number): void {
    const { strip } = this;
    if (strip === null) return;
    const all: { file: number | null; label: string; path: string }[] = [
      ...strip.references.map(({ file, label, path }) => ({ file, label, path })),
      ...strip.steps.map(({ file, step, path }) => ({ file, label: symbol('G', step), path })),
    ];
    const wanted = all[at]?.file;
    const slides = all.filter((slide): slide is Slide => slide.file !== null);
    this.dispatchEvent(
      new OpenPictures(
        slides,
        Math.max(
          0,
          slides.findIndex(({ file }) => file === wanted),
        ),
      ),
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-strip': JurorStrip;
  }
}
