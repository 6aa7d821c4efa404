import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { base, controls } from '../../styles/base.styles';
import { icon } from '../icon/icon';

/** Letters of a key that are shown: its beginning has the number that minisign prints, its end tells it from others. */
const [SHOWN_FIRST, SHOWN_LAST] = [14, 6];

/**
 * @summary A public key in short, with a button that copies the whole of it; where a page may not write to the clipboard, the whole key appears.
 */
@customElement('juror-signed-key')
export class JurorSignedKey extends LitElement {
  static override styles = [
    base,
    controls,
    css`
      :host {
        display: inline;
      }
      code {
        overflow-wrap: anywhere;
      }
    `,
  ];

  /** The key as minisign writes it. */
  @property() key = '';
  @state() private told: 'nothing' | 'copied' | 'whole' = 'nothing';

  override render(): TemplateResult {
    const { key, told } = this;
    const short = key.length > SHOWN_FIRST + SHOWN_LAST ? `${key.slice(0, SHOWN_FIRST)}…${key.slice(-SHOWN_LAST)}` : key;
    return html`<code title=${key}>${told === 'whole' ? key : short}</code>
      <button type="button" class="button tiny" data-testid="copy-key" @click=${() => void this.copy()}>${icon('copy', 14)} Copy key</button>
      <span role="status">${told === 'nothing' ? nothing : told === 'copied' ? 'Copied.' : 'This page may not copy: here is the whole key.'}</span>`;
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.key);
      this.told = 'copied';
    } catch {
      this.told = 'whole';
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-signed-key': JurorSignedKey;
  }
}
