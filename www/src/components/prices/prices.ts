import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { prices, setPrice, type Price } from '../../state/prices';
import { base, controls } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import { styles } from './prices.styles';

/**
 * @summary The prices that this browser keeps, by model, to be corrected or forgotten.
 * @event change - A price was changed here.
 */
@customElement('juror-prices')
export class JurorPrices extends LitElement {
  static override styles = [base, controls, styles];

  override render(): TemplateResult | typeof nothing {
    const all = Object.entries(prices()).sort(([a], [b]) => a.localeCompare(b));
    if (all.length === 0) return nothing;
    return html`<details>
      <summary>Prices kept in this browser (${all.length})</summary>
      <table>
        <thead>
          <tr><th scope="col">Model</th><th scope="col">Input</th><th scope="col">Output</th><th><span class="visually-hidden">Forget</span></th></tr>
        </thead>
        <tbody>
          ${all.map(([model, price]) => this.renderRow(model, price))}
        </tbody>
      </table>
    </details>`;
  }

  private renderRow(model: string, price: Price): TemplateResult {
    const field = (key: keyof Price): TemplateResult =>
      html`<td><input class="field num" inputmode="decimal" aria-label="${key} price of ${model}" .value=${price[key]} @change=${(event: Event) => this.put(model, { ...price, [key]: (event.target as HTMLInputElement).value.trim() })} /></td>`;
    return html`<tr>
      <th scope="row" dir="auto">${model}</th>
      ${field('input')} ${field('output')}
      <td><button type="button" class="button quiet icon" aria-label="Forget the prices of ${model}" @click=${() => this.put(model, null)}>${icon('close', 16)}</button></td>
    </tr>`;
  }

  private put(model: string, price: Price | null): void {
    setPrice(model, price);
    this.requestUpdate();
    this.dispatchEvent(new Event('change'));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-prices': JurorPrices;
  }
}
