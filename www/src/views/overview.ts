import { LitElement, html, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';

@customElement('juror-overview')
export class View extends LitElement {
  override render(): TemplateResult {
    return html`<p>overview</p>`;
  }
}
