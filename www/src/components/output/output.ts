import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { judgeScore, lowerWords, mean, paramWords, plural, printedScale, timeWords } from '../../state/format';
import { vars } from '../../state/vars';
import type { CriterionInfo } from '../../engine/types/CriterionInfo';
import type { MeasureView } from '../../engine/types/MeasureView';
import type { OutputView } from '../../engine/types/OutputView';
import type { RequestInfo } from '../../engine/types/RequestInfo';
import type { StaleReply } from '../../engine/types/StaleReply';
import type { VerdictView } from '../../engine/types/VerdictView';
import { base, controls } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import { nameStyles, renderLower, renderName } from '../name/name';
import '../picture/picture';
import { styles } from './output.styles';

/** Asks for the judge request of one criterion. */
export class OpenRequest extends Event {
  readonly model: string;
  readonly criterion: string;

  constructor(model: string, criterion: string) {
    super('juror-open-request', { bubbles: true, composed: true });
    this.model = model;
    this.criterion = criterion;
  }
}

/** Asks for a pasted reply to be taken out again. */
export class RemoveReply extends Event {
  readonly model: string;
  readonly verdict: VerdictView;

  constructor(model: string, verdict: VerdictView) {
    super('juror-remove-reply', { bubbles: true, composed: true });
    this.model = model;
    this.verdict = verdict;
  }
}

/** Where a reply stands that was pasted or called for in this browser, and can be taken out here. */
const PASTED = 'pasted';

const STATUS_WORDS: Record<string, string> = {
  missing_output: 'Output is missing',
  unreadable_output: 'Output cannot be read',
  inaccessible_output: 'Output could not be opened',
  missing_reply: 'Not judged',
  inaccessible_reply: 'Reply file could not be opened',
  unparsable: 'Reply cannot be read',
  out_of_range: 'Score is outside the scale',
  failed_call: 'Judging failed',
  no_counterpart: 'Nothing to measure against',
  size_differs: 'Sizes differ',
  unmeasurable: 'The metric has no value',
  not_measured: 'Not measured',
};

/**
 * @summary What one model answered in one turn: picture or text, and every verdict with its reply.
 * @fires juror-open-request - The user wants to see what the judge is asked.
 * @fires juror-remove-reply - The user wants a pasted reply taken out again.
 * @fires juror-open-output - The user wants to see the picture large.
 */
@customElement('juror-output')
export class JurorOutput extends LitElement {
  static override styles = [base, controls, nameStyles, styles];

  @property({ attribute: false }) output!: OutputView;
  @property() kind = 'image';
  @property({ attribute: false }) criteria: CriterionInfo[] = [];
  @property({ attribute: false }) requests: RequestInfo[] = [];
  /** Requests cannot be opened here. */
  @property({ type: Boolean }) plain = false;
  @state() private open = new Set<number>();

  override render(): TemplateResult {
    const { output } = this;
    const info = this.criteria.find(({ id }) => id === 'total');
    const total = printedScale(info);
    return html`<header>
        <h3>${renderName(output.model)}</h3>
        ${
          output.in_mode
            ? html`<span class="total num" title="Total, ${total.low} to ${total.high}${output.judge === null ? '' : `; judge ${output.judge === '' ? 'not stated' : output.judge}`}">${mean(output.score, info)}</span>`
            : html`<span class="chip" title="This model is judged on other turns only">not judged on this turn</span>`
        }
      </header>
      ${this.kind === 'image' ? this.renderPicture() : this.renderText()}
      ${output.problem === '' ? nothing : html`<p class="problem">${icon('warn', 16)}<span>${output.problem}</span></p>`}
      ${output.verdicts.length === 0 ? nothing : html`<ul class="verdicts">${this.renderVerdicts(output.verdicts)}</ul>`}
      ${output.measures.length === 0 ? nothing : this.renderMeasures(output.measures)}
      ${output.stale.length === 0 ? nothing : this.renderStale(output.stale)}`;
  }

  /** Image metrics of the output; none is part of its score. */
  private renderMeasures(measures: MeasureView[]): TemplateResult {
    return html`<dl class="measures" data-testid="measures" aria-label="Measured">
      ${measures.map(
        ({ criterion, short, value, decimals, unit, status, detail, backend }) =>
          html`<div data-criterion=${criterion} title=${backend === '' ? nothing : `Computed on ${backend.toUpperCase()}`}>
            <dt>${short}${renderLower(this.criteria.find(({ id }) => id === criterion))}</dt>
            <dd class="num">${value === null ? html`<span class="state" title=${detail}>${STATUS_WORDS[status] ?? status}</span>` : html`${value.toFixed(decimals)}${unit === '' ? nothing : html` <span class="muted small">${unit}</span>`}`}</dd>
          </div>`,
      )}
    </dl>`;
  }

  /** Replies that were held against their requests and answer earlier ones. */
  private renderStale(stale: StaleReply[]): TemplateResult {
    return html`<details class="stale" data-testid="stale">
      <summary class="small">${icon('warn', 16)} ${plural(stale.length, 'reply', 'replies')} to an earlier request, not counted</summary>
      <p class="small muted">A picture, a text or the prompt has changed since.</p>
      ${stale.map((one) => {
        const info = this.requests.find(({ id }) => id === one.criterion);
        return html`<section>
          <p class="small"><b>${info?.short ?? one.criterion}</b> <span class="muted">judge ${one.judge === '' ? 'not stated' : one.judge}, run ${one.run}${one.time === '' ? '' : `, ${one.time.slice(0, 16).replace('T', ' ')}`}, <span class="path">${one.source}</span></span></p>
          <pre dir="auto">${one.raw}</pre>
        </section>`;
      })}
    </details>`;
  }

  /** With several judges or runs, each group says whose it is. */
  private renderVerdicts(verdicts: VerdictView[]): TemplateResult[] {
    const groups = new Set(verdicts.map(groupOf));
    return verdicts.map((verdict, index) => {
      const previous = verdicts[index - 1];
      const named = groups.size > 1 && (previous === undefined || groupOf(previous) !== groupOf(verdict));
      return html`${named ? html`<li class="group small muted">${groupOf(verdict)}</li>` : nothing}${this.renderVerdict(verdict, index)}`;
    });
  }

  private renderPicture(): TemplateResult {
    const { file, model, path, width, height } = this.output;
    if (file === null) {
      return html`<div class="missing">
        ${icon('missing', 26)}<strong>No picture</strong>
        <span class="small">expected at</span><span class="path small">${path}</span>
      </div>`;
    }
    return html`<button type="button" class="picture" aria-label="Open the picture of ${model}" @click=${() => this.dispatchEvent(new Event('juror-open-output', { bubbles: true, composed: true }))}>
        <juror-picture .file=${file} alt="Picture of ${model}"></juror-picture>
      </button>
      <p class="caption small muted"><span class="path">${path.slice(path.lastIndexOf('/') + 1)}</span>${width !== null && height !== null ? html`<span class="num">${width} × ${height}</span>` : nothing}</p>`;
  }

  private renderText(): TemplateResult {
    const { text, path } = this.output;
    if (text === null) {
      return html`<div class="missing">${icon('missing', 26)}<strong>No answer</strong><span class="small">expected at</span><span class="path small">${path}</span></div>`;
    }
    if (text.trim() === '') return html`<div class="missing"><strong>Empty answer</strong><span class="path small">${path}</span></div>`;
    return html`<p class="answer" dir="auto">${text}</p>`;
  }

  private renderVerdict(verdict: VerdictView, index: number): TemplateResult {
    const info = this.requests.find(({ id }) => id === verdict.criterion);
    const criterion = this.criteria.find(({ id }) => id === verdict.criterion);
    const open = this.open.has(index);
    const state = verdict.status === 'ok' ? 'ok' : verdict.status === 'missing_reply' ? 'waiting' : 'bad';
    return html`<li class="verdict ${state} ${verdict.counted ? '' : 'uncounted'}" data-criterion=${verdict.criterion} data-status=${verdict.status}>
      <div class="line">
        <button type="button" class="toggle" aria-expanded=${open} @click=${() => this.toggle(index)} title="${info?.label ?? verdict.criterion}${lowerWords(criterion)}">
          <span class="short">${info?.short ?? verdict.criterion}${renderLower(criterion)}</span>
          ${this.renderScore(verdict, criterion)}${this.renderTie(verdict, verdict.criterion)}
          <span class="caret">${icon('chevron', 16)}</span>
        </button>
        <button
          type="button"
          class="button quiet tiny"
          title="What the judge is asked, and pasting its reply"
          aria-label="Request for ${info?.label ?? verdict.criterion}, ${this.output.model}"
          data-testid="open-request"
          ?hidden=${this.plain}
          @click=${() => this.dispatchEvent(new OpenRequest(this.output.model, verdict.criterion))}
        >
          Request
        </button>
      </div>
      ${this.renderParts(verdict)}
      ${open ? this.renderDetail(verdict) : verdict.reason === '' ? nothing : html`<p class="reason clamp" dir="auto">${verdict.reason}</p>`}
    </li>`;
  }

  /** Said where no answer of a panel's judges was in front. */
  private renderTie({ tied = [] }: VerdictView, name: string): TemplateResult | typeof nothing {
    if (!tied.includes(name)) return nothing;
    return html` <span class="small muted" data-testid="tie" title="No answer of the judges was in front of the others, so one of several was taken">tie</span>`;
  }

  private renderScore(verdict: VerdictView, info: CriterionInfo | undefined): TemplateResult {
    const { score, status } = verdict;
    const incident = status === 'ok' ? nothing : html`<span class="state">${STATUS_WORDS[status] ?? status}</span>`;
    if (score === null) return html`${incident}`;
    if (info === undefined) return html`${incident}<span class="score num">${judgeScore(score)}</span>`;
    const { min, max } = info;
    // A metric's own number may stand on another scale than its column, as a cosine times 100 does.
    const part = Math.min(1, Math.max(0, (score - min) / (max - min)));
    return html`${status === 'ok' ? html`<span class="bar" ${vars({ '--part': part })}></span>` : incident}<span class="score num">${judgeScore(score)}${score > max ? nothing : html`<span class="muted">/${max}</span>`}</span>`;
  }

  /** The sub-scores of a reply that gives several. */
  private renderParts(verdict: VerdictView): TemplateResult | typeof nothing {
    const entries = Object.entries(verdict.parts).filter(([name]) => !this.requests.some(({ id, criteria }) => id === name && criteria.length === 1));
    if (entries.length < 2) return nothing;
    return html`<ul class="parts">
      ${entries.map(([name, value]) => {
        const info = this.criteria.find(({ id }) => id === name);
        return html`<li title=${info?.label ?? name}><span class="muted">${info?.short ?? name.slice(name.lastIndexOf('/') + 1).replaceAll('_', ' ')}${renderLower(info)}</span> <b class="num">${judgeScore(value)}</b>${this.renderTie(verdict, name)}</li>`;
      })}
    </ul>`;
  }

  private renderDetail(verdict: VerdictView): TemplateResult {
    return html`<div class="detail">
      ${verdict.detail === '' ? nothing : html`<p class="why" dir="auto">${verdict.detail}</p>`}
      ${verdict.reason === '' ? nothing : html`<p class="reason" dir="auto">${verdict.reason}</p>`}
      ${verdict.counted || verdict.status === 'missing_reply' ? nothing : html`<p class="small muted">This reply does not count towards the score under the current options.</p>`}
      ${
        verdict.raw === null
          ? nothing
          : html`<details>
            <summary class="small">Raw reply</summary>
            <pre dir="auto">${verdict.raw}</pre>
          </details>`
      }
      ${
        verdict.source === ''
          ? nothing
          : html`<p class="small muted">
            <span class="path">${verdict.source}</span>, judge ${verdict.judge === '' ? 'not stated' : verdict.judge}, run ${verdict.run}${verdict.time === '' ? nothing : html`, <time data-testid="reply-time" datetime=${verdict.time}>${timeWords(verdict.time)}</time>`}
          </p>`
      }
      ${this.renderAllowances(verdict)} ${this.renderAsked(verdict)}
      ${
        verdict.source !== PASTED || verdict.raw === null
          ? nothing
          : html`<p><button type="button" class="button quiet tiny" data-testid="remove-reply" ?hidden=${this.plain} @click=${() => this.dispatchEvent(new RemoveReply(this.output.model, verdict))}>Remove this reply</button></p>`
      }
    </div>`;
  }

  /** What the tolerant reading took off the reply. */
  private renderAllowances({ allowances = [] }: VerdictView): TemplateResult | typeof nothing {
    if (allowances.length === 0) return nothing;
    return html`<p class="small muted" data-testid="reply-allowances">Read tolerantly: ${allowances.join(', ')}.</p>`;
  }

  /** What the reply's own record says of the model behind it, as far as it says anything. */
  private renderAsked({ judge, params, answered_by: answered }: VerdictView): TemplateResult | typeof nothing {
    const own = answered ?? params?.model ?? null;
    if (own === null) return nothing;
    const by = answered === null ? '' : params === null ? `Answered by ${answered}` : `; answered by ${answered}`;
    return html`<p class="small muted" data-testid="reply-asked">${params === null ? nothing : `Asked with ${paramWords(params)}`}${by}</p>
      ${judge === '' || judge === own ? nothing : html`<p class="other small" data-testid="reply-other-model">${icon('warn', 16)}<span>The reply is filed under the judge ${judge}, but its record names the model ${own}.</span></p>`}`;
  }

  private toggle(index: number): void {
    const open = new Set(this.open);
    if (!open.delete(index)) open.add(index);
    this.open = open;
  }
}

/** Judge and run, in words. */
function groupOf({ judge, run }: VerdictView): string {
  return `${judge === '' ? 'Judge not stated' : judge}${run > 1 ? `, run ${run}` : ''}`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-output': JurorOutput;
  }
}
