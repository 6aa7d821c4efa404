import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { FocusKeeper } from '../../state/focus';
import { count, plural } from '../../state/format';
import { vars } from '../../state/vars';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import type { Phase } from '../../engine/types/Phase';
import { base, controls } from '../../styles/base.styles';
import { styles } from './progress.styles';

const WORDS: Record<Phase, string> = {
  benchmark: 'Reading the benchmark',
  replies: 'Reading replies',
  answers: 'Reading text answers',
  pictures: 'Checking pictures',
  decoding: 'Scores are provisional: checking whole pictures,',
};

/**
 * @summary A slim bar while files are read, with Cancel; after a cancel, a note with Resume.
 */
@customElement('juror-progress')
export class JurorProgress extends LitElement {
  static override styles = [base, controls, styles];

  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'progress' | 'reading' | 'opening' | 'listed'>;
  /**
   * Who stood on Cancel stays in the bar as long as it stands: files may be read before their source counts as opened, and
   * what is chosen for the numbers comes with that. Then it goes on with what stands next.
   */
  protected readonly keeper = new FocusKeeper(
    this,
    () =>
      this.renderRoot.querySelector<HTMLElement>('button') ??
      this.renderRoot.querySelector<HTMLElement>('.row') ??
      (this.getRootNode() as ParentNode).querySelector<HTMLElement>('.context input:checked, #main'),
  );

  override render(): TemplateResult | typeof nothing {
    const { progress, reading, opening, listed } = this.state;
    if (reading === 'cancelled') {
      return html`<div class="row warn" data-testid="progress" role="status">
        <span>Reading was cancelled, so the numbers below are partial.</span>
        <button type="button" class="button tiny" @click=${() => void this.client.resume()}>Resume</button>
      </div>`;
    }
    if (listed !== null) return this.renderBar(`Listing ${opening}, numbers are not final: ${plural(listed, 'file')}`, 0, 0);
    if (reading === 'reading' && progress?.phase != null) return this.renderBar(WORDS[progress.phase], progress.done, progress.total);
    return opening === '' ? nothing : this.renderBar(`Opening ${opening}`, 0, 0);
  }

  private renderBar(words: string, done: number, total: number): TemplateResult {
    const known = total > 0;
    return html`<div class="row" role="region" aria-label="Reading" data-testid="progress" tabindex="-1">
      <div
        class="bar ${known ? '' : 'unknown'}"
        role="progressbar"
        aria-label=${words}
        aria-valuemin="0"
        aria-valuemax=${known ? total : nothing}
        aria-valuenow=${known ? done : nothing}
        ${vars({ '--done': known ? done / total : 0 })}
      ></div>
      <span class="num">${words}${known ? html` ${count(done)} of ${count(total)}` : '…'}</span>
      ${known ? html`<button type="button" class="button tiny" @click=${() => void this.client.cancel()}>Cancel</button>` : nothing}
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-progress': JurorProgress;
  }
}
