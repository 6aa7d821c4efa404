import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { Query } from '../../state/query';
import { count, judgeScore, paramWords, plural } from '../../state/format';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import { messageOf } from '../../engine/errors';
import type { Drift } from '../../engine/types/Drift';
import type { JudgeHealth } from '../../engine/types/JudgeHealth';
import type { Params } from '../../engine/types/Params';
import type { ReplyCheck } from '../../engine/types/ReplyCheck';
import { base, controls } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import { styles } from './judge-health.styles';

/**
 * @summary Whether kept replies still answer their requests, with what each judge was asked, and how its anchors have drifted.
 */
@customElement('juror-judge-health')
export class JurorJudgeHealth extends LitElement {
  static override styles = [base, controls, styles];

  /** Judge and parameters of the job that is being set up, to be compared with those of the replies. */
  @property({ attribute: false }) judge = '';
  @property({ attribute: false }) params: Params | null = null;
  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'engine' | 'version' | 'overview'>;
  /** Compares the replies with their requests as they are now. */
  @property({ attribute: false }) match!: () => Promise<ReplyCheck>;
  readonly #health = new Query<JudgeHealth[]>(this);
  @state() private check: ReplyCheck | 'running' | null = null;
  @state() private problem = '';

  protected override willUpdate(): void {
    const { engine, version, overview } = this.state;
    if (engine === 'ready' && overview?.benchmark != null) this.#health.ask(String(version), () => this.client.judgeHealth());
  }

  override render(): TemplateResult {
    const judges = (this.#health.value ?? []).filter(({ replies, anchors }) => replies > 0 || anchors.length > 0);
    return html`<h2>Judge health</h2>
      ${this.renderOthers()}
      <div class="toolbar">
        <button type="button" class="button" data-testid="health-check" ?disabled=${this.check === 'running'} @click=${() => void this.hold()}>Check that replies match their requests</button>
        ${this.renderCheck()}
      </div>
      <p class="small muted">Reads every judged picture. A reply that records the hash of another request is kept and shown, and no longer counts.</p>
      ${this.problem === '' ? nothing : html`<p class="problem" role="alert">${icon('error', 16)} ${this.problem}</p>`}
      ${judges.length === 0 ? html`<p class="small muted">No reply here records how its judge was asked.</p>` : judges.map((judge) => renderJudge(judge))}`;
  }

  /** A warning where the job's parameters are not those of the replies under the same name. */
  private renderOthers(): TemplateResult | typeof nothing {
    const health = this.#health.value?.find(({ judge }) => judge === this.judge);
    const own = JSON.stringify(this.params);
    if (this.params === null || health === undefined || health.params.length === 0 || health.params.every((params) => JSON.stringify(params) === own))
      return nothing;
    return html`<p class="warning" role="status" data-testid="health-mixed">
      ${icon('warn', 16)} Replies of <bdi>${this.judge}</bdi> were asked with ${health.params.map(paramWords).join('; ')}. This job has ${paramWords(this.params)}: file its replies under another name, or both count as one judge.
    </p>`;
  }

  private renderCheck(): TemplateResult | typeof nothing {
    const { check } = this;
    if (check === null) return nothing;
    if (check === 'running') return html`<span class="small muted" role="status">Reading…</span>`;
    return html`<span class="small" role="status" data-testid="health-result"
      >${count(check.current)} as they were asked, <b class=${check.stale > 0 ? 'bad' : ''}>${count(check.stale)} to an earlier request</b>${check.unknown === 0 ? '' : `, ${count(check.unknown)} that cannot be checked`}</span
    >`;
  }

  private async hold(): Promise<void> {
    this.problem = '';
    this.check = 'running';
    try {
      this.check = await this.match();
    } catch (error) {
      this.check = null;
      this.problem = messageOf(error);
    }
  }
}

function renderJudge({ judge, replies, params, without_params, anchors }: JudgeHealth): TemplateResult {
  return html`<section aria-label="Judge ${judge}">
    <h3 dir="auto">${judge === '' ? 'Judge without a name' : judge}</h3>
    <p class="small">
      ${plural(replies, 'reply', 'replies')}${params.length === 0 ? '' : `, asked with ${params.map(paramWords).join('; ')}`}${without_params > 0 && params.length > 0 ? `; ${count(without_params)} do not say` : ''}.
      ${anchors.length === 0 ? html`<span class="muted">No drift check yet.</span>` : nothing}
    </p>
    ${anchors.length === 0 ? nothing : renderAnchors(anchors)}
  </section>`;
}

function renderAnchors(anchors: Drift[]): TemplateResult {
  const number = (value: number | null): string => (value === null ? '–' : judgeScore(value));
  const signed = (value: number | null): string => (value === null ? '–' : `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(2)}`);
  return html`<div class="scroll">
    <table data-testid="health-anchors">
      <caption class="visually-hidden">Anchors asked again, beside the stored replies; scores on the judge’s scale</caption>
      <thead>
        <tr><th scope="col">Asked again</th><th scope="col">Criterion</th><th scope="col">Pairs</th><th scope="col">Stored</th><th scope="col">Drift</th><th scope="col">95 %</th><th scope="col">Equal</th><th scope="col">Largest</th></tr>
      </thead>
      <tbody>
        ${anchors.map(
          (one) =>
            html`<tr>
              <td class="num">${one.asked.slice(0, 16).replace('T', ' ')}</td>
              <td>${one.criterion.replaceAll('_', ' ')}</td>
              <td class="num">${one.n}${one.unpaired > 0 ? html` <span class="muted">(${one.unpaired} without)</span>` : nothing}</td>
              <td class="num">${number(one.stored)}</td>
              <td class="num">${signed(one.difference)}</td>
              <td class="num">${one.ci_low === null ? '–' : `${signed(one.ci_low)} to ${signed(one.ci_high)}`}</td>
              <td class="num">${one.equal}</td>
              <td class="num">${number(one.largest)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-judge-health': JurorJudgeHealth;
  }
}
