import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { mean, plural, signed } from '../../state/format';
import type { CriterionInfo } from '../../engine/types/CriterionInfo';
import type { Difference } from '../../engine/types/Difference';
import type { Effect } from '../../engine/types/Effect';
import { base, controls } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import { styles } from './differences.styles';
import { changeOf, weight } from './effect';

/**
 * @summary Where paper and released code differ, with the effect on each model's overall total.
 */
@customElement('juror-differences')
export class JurorDifferences extends LitElement {
  static override styles = [base, controls, styles];

  @property({ attribute: false }) differences: Difference[] = [];
  /** While pictures are still being checked, effects are not known. */
  @property({ type: Boolean }) provisional = false;
  /** How totals are printed. */
  @property({ attribute: false }) total: CriterionInfo | undefined;

  override render(): TemplateResult {
    const sorted = [...this.differences].sort((a, b) => weight(b) - weight(a));
    const effective = sorted.filter((one) => weight(one) > 0);
    const rest = sorted.filter((one) => weight(one) === 0);
    if (this.provisional && effective.length === 0) return html`<p class="none" role="status">Effects are shown once all pictures are checked.</p>`;
    return html`${effective.map((one) => this.renderOne(one))}
    ${effective.length === 0 ? html`<p class="none">None of the differences changes a number here.</p>` : nothing}
    ${
      rest.length === 0
        ? nothing
        : html`<details class="rest">
          <summary>${effective.length === 0 ? `All ${rest.length}` : `${rest.length} more without an effect on these numbers`}</summary>
          ${rest.map((one) => this.renderOne(one))}
        </details>`
    }`;
  }

  private renderOne(one: Difference): TemplateResult {
    return html`<article data-testid="difference" data-id=${one.id}>
      <h3>${one.title}</h3>
      <dl class="sides">
        <div><dt>Paper</dt><dd>${one.paper}</dd></div>
        <div><dt>Code</dt><dd>${one.released}</dd></div>
      </dl>
      ${
        one.has_effect && one.effects.length === 0
          ? nothing
          : one.has_effect
            ? html`<ul class="effects">
            ${shownOf(one.effects).map((effect) => this.renderEffect(effect))} ${this.renderOthers(one.effects)}
          </ul>`
            : html`<p class="muted small">Not a scoring rule: it concerns what is asked or generated, so the replies at hand do not change.</p>`
      }
    </article>`;
  }

  /** The models that a rule leaves as they are, told by their number where they are many. */
  private renderOthers(effects: Effect[]): TemplateResult | typeof nothing {
    const others = effects.length - shownOf(effects).length;
    if (others === 0) return nothing;
    return html`<li class="still"><span class="muted">no effect on ${others === effects.length ? `any of the ${others} models` : `the other ${plural(others, 'model')}`}</span></li>`;
  }

  private renderEffect(effect: Effect): TemplateResult {
    const change = changeOf(effect);
    return html`<li class=${change === 'none' ? 'still' : ''}>
      <span class="model" dir="auto">${effect.model}</span>
      ${
        change === 'none'
          ? html`<span class="muted">no effect here</span>`
          : html`<strong class="num">${change === 'undefined' ? html`${icon('warn', 16)} no number` : signed(change, this.total)}</strong>
            <span class="num muted">${fine(effect.paper, change, this.total)} → ${fine(effect.with_rule, change, this.total)}</span>`
      }
      ${effect.note === '' ? nothing : html`<span class="note">${effect.note}</span>`}
    </li>`;
  }
}

/** So many models without an effect are named. */
const NAMED = 3;

/** The effects that are listed: those of a few models, or those that are some. */
function shownOf(effects: Effect[]): Effect[] {
  const isStill = (effect: Effect): boolean => changeOf(effect) === 'none' && effect.note === '';
  return effects.filter(isStill).length <= NAMED ? effects : effects.filter((effect) => !isStill(effect));
}

/** A mean with as many decimals as its change needs to be seen. */
function fine(value: number | null, change: number | 'undefined', info: CriterionInfo | undefined): string {
  if (value === null || change === 'undefined' || Math.abs(change) >= 0.5 * 10 ** -(info?.decimals ?? 3)) return mean(value, info);
  return value.toFixed(Math.min(8, Math.ceil(-Math.log10(Math.abs(change))) + 1));
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-differences': JurorDifferences;
  }
}
