import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { count } from '../../state/format';
import { vars } from '../../state/vars';
import type { Facet } from '../../engine/types/Facet';
import type { FacetValue } from '../../engine/types/FacetValue';
import { base, controls } from '../../styles/base.styles';
import { FilterChange } from '../filter-field/filter-field';
import { nameStyles, renderName } from '../name/name';

/** Values of a field that are shown before one asks for more. */
const FIRST = 8;

/**
 * @summary Every field of the benchmark with its values, how many samples each leaves, and a click to filter by it.
 * @event juror-filter - A value was added to the expression or taken out.
 */
@customElement('juror-facets')
export class JurorFacets extends LitElement {
  static override styles = [
    base,
    controls,
    nameStyles,
    css`
      :host {
        display: grid;
        gap: 16px;
        align-content: start;
      }
      h2 {
        display: flex;
        justify-content: space-between;
        gap: 8px;
        margin-bottom: 4px;
        text-transform: capitalize;
        font-size: var(--juror-size-s);
        color: var(--juror-text-2);
      }
      h2 .muted {
        text-transform: none;
        font-weight: 400;
      }
      .value {
        position: relative;
        display: flex;
        justify-content: space-between;
        gap: 8px;
        width: 100%;
        min-height: 28px;
        padding: 3px 8px;
        border: 1px solid transparent;
        border-radius: 6px;
        background: linear-gradient(var(--juror-surface-3), var(--juror-surface-3)) no-repeat 0 0 / calc(var(--part, 0) * 100%) 100%;
        text-align: left;
        cursor: pointer;
      }
      .value:hover {
        border-color: var(--juror-line-strong);
      }
      .value[aria-pressed='true'] {
        border-color: var(--juror-accent);
        background-image: linear-gradient(var(--juror-accent-soft), var(--juror-accent-soft));
        background-size: 100% 100%;
        font-weight: 600;
      }
      .value > .num {
        flex: none;
      }
      .scored {
        color: var(--juror-text-2);
      }
      .value.none {
        color: var(--juror-text-3);
      }
      .name {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      ul {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 2px;
      }
      .link {
        margin: 4px 8px 0;
        font-size: var(--juror-size-s);
      }
    `,
  ];

  @property({ attribute: false }) facets: Facet[] = [];
  @state() private unfolded: string[] = [];

  override render(): unknown {
    return this.facets.map((facet) => this.renderFacet(facet));
  }

  private renderFacet(facet: Facet): TemplateResult | typeof nothing {
    // Kinds of incident that occur nowhere say nothing; all values of a group do.
    const values = facet.field === 'incident' ? facet.values.filter(({ count, is_active, value }) => count > 0 || is_active || value === 'none') : facet.values;
    const isUnfolded = this.unfolded.includes(facet.field);
    const shown = isUnfolded || values.length <= FIRST + 1 ? values : values.filter(({ is_active }, at) => at < FIRST || is_active);
    const most = Math.max(1, ...values.map(({ count }) => count));
    return html`<section aria-labelledby="facet-${facet.field}" data-testid="facet" data-field=${facet.field}>
      <h2 id="facet-${facet.field}">${facet.label}</h2>
      <ul>
        ${shown.map((value) => html`<li>${this.renderValue(value, most)}</li>`)}
      </ul>
      ${
        shown.length === values.length && !isUnfolded
          ? nothing
          : html`<button type="button" class="link" aria-expanded=${isUnfolded ? 'true' : 'false'} @click=${() => this.fold(facet.field)}>${isUnfolded ? 'Fewer' : `All ${values.length}`}</button>`
      }
    </section>`;
  }

  private renderValue({ value, label, count: number, scored, is_active, toggled }: FacetValue, most: number): TemplateResult {
    return html`<button
      type="button"
      class="value ${number === 0 ? 'none' : ''}"
      aria-pressed=${is_active ? 'true' : 'false'}
      data-value=${value}
      title=${label}
      @click=${() => this.dispatchEvent(new FilterChange(toggled))}
      ${vars({ '--part': number / most })}
    >
      <span class="name">${renderName(label)}</span><span class="num">${scored === null || scored >= number ? nothing : html`<span class="scored small">${count(scored)} scored of </span>`}${count(number)}</span>
    </button>`;
  }

  private fold(field: string): void {
    this.unfolded = this.unfolded.includes(field) ? this.unfolded.filter((one) => one !== field) : [...this.unfolded, field];
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-facets': JurorFacets;
  }
}
