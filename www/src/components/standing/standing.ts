import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { count, plural } from '../../state/format';
import { partialToTell } from '../../state/partial';
import { hrefOf } from '../../state/links';
import type { State } from '../../state/state';
import type { FindingInShort } from '../../engine/types/FindingInShort';
import type { Overview } from '../../engine/types/Overview';
import type { PartialJudge } from '../../engine/types/PartialJudge';
import { banner, base, controls } from '../../styles/base.styles';
import { say } from '../events';
import { icon } from '../icon/icon';
import { renderNotices } from '../notices/notices';

/**
 * @summary Says above everything else what the numbers leave out: files that could not be read, judges
 * that replied to a part only, and each kind of finding that could change a number.
 */
@customElement('juror-standing')
export class JurorStanding extends LitElement {
  static override styles = [
    base,
    controls,
    banner,
    css`
      section.bad {
        border-left: 6px solid var(--juror-bad);
        background: var(--juror-bad-soft, var(--juror-surface-2));
      }
      .bad .icon {
        color: var(--juror-bad);
      }
      .path {
        color: var(--juror-text-2);
      }
      /* Room to press it within the line's own height, which is kept free for it. */
      summary {
        margin-block: -3px;
      }
      ul {
        margin: 8px 0;
        padding-inline-start: 20px;
      }
      li {
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property({ attribute: false }) state!: Pick<State, 'route'>;
  @property({ attribute: false }) overview!: Overview;
  /** The kinds of findings to show. */
  @property({ attribute: false }) notices: readonly FindingInShort[] = [];
  /** Files are being read. */
  @property({ type: Boolean }) busy = false;
  /** Nothing that may bear a model's name is shown. */
  @property({ type: Boolean }) blind = false;

  override render(): TemplateResult {
    const partial = partialToTell(this.overview, this.state.route.options);
    return html`${this.renderUnread()}
      ${this.blind || partial.length === 0 ? nothing : this.renderPartial(partial)} ${this.blind ? nothing : this.renderNotices()}`;
  }

  private renderUnread(): TemplateResult | typeof nothing {
    const { files, folders, example, message } = this.overview.unread;
    if (files + folders === 0) return nothing;
    const what = [files === 0 ? '' : plural(files, 'file', 'files'), folders === 0 ? '' : plural(folders, 'folder', 'folders')]
      .filter((one) => one !== '')
      .join(' and ');
    return html`<section class="bad" role="alert" data-testid="unread">
      <p>
        ${icon('error', 16)} <strong>${what} could not be read.</strong> Everything about them is left out of the scores, so the numbers below are incomplete.
        ${this.blind ? nothing : html`<span class="small path">First: ${example}. ${message}</span>`}
      </p>
      <button type="button" class="button" data-testid="retry" ?disabled=${this.busy} @click=${() => say(this, 'retry', null)}>${this.busy ? 'Reading…' : 'Retry'}</button>
    </section>`;
  }

  /** One line for each kind of finding, as the command line says them. */
  private renderNotices(): TemplateResult | typeof nothing {
    const { notices } = this;
    if (notices.length === 0) return nothing;
    const all = html`<p class="small"><a href=${hrefOf(this.state.route, { view: 'incidents' })}>All findings</a></p>`;
    return html`<section aria-label="Findings">${renderNotices(notices, all)}</section>`;
  }

  /** Each judge once, however many models it replied about in part. */
  private renderPartial(partial: PartialJudge[]): TemplateResult {
    const judges = [...new Set(partial.map(({ judge }) => judge))];
    return html`${judges.map((judge) => {
      const own = partial.filter((one) => one.judge === judge);
      const name = judge === '' ? 'The judge that is not stated' : judge;
      const list = (of: PartialJudge[]): string =>
        of.map(({ model, replies, of: all }) => `${count(replies)} of ${count(all)} requests for ${model}`).join(', ');
      return html`<section role="status" data-testid="partial-judge">
        <p>${icon('warn', 16)} <strong dir="auto">${name}</strong> replied in part only: its means are over this part (<span dir="auto">${list(own)}</span>).</p>
        ${this.state.route.options.judge === judge ? nothing : html`<button type="button" class="button" @click=${() => say(this, 'choose', { judge })}>Show its scores alone</button>`}
      </section>`;
    })}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-standing': JurorStanding;
  }
}
