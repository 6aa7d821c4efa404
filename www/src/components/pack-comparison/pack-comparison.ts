import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { Query, StoreController } from '../../app/controllers';
import { count, keyLabel, plural, signed } from '../../app/format';
import { store } from '../../app/store';
import type { PackBeside } from '../../engine/types/PackBeside';
import type { PackComparison } from '../../engine/types/PackComparison';
import type { ScoreChange } from '../../engine/types/ScoreChange';
import { base, controls } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import { linkTo, styles } from '../pack-banner/banner';
import { renderChanges, renderFindings, verificationStyles } from '../pack-banner/verification';

/** Rows that are shown at once; `juror verify A B` lists more. */
const SHOWN = 200;

/**
 * @summary Holds the evidence packs that are open against the first one: samples, requests, verdicts, and what that does to each score.
 */
@customElement('juror-pack-comparison')
export class JurorPackComparison extends LitElement {
  static override styles = [base, controls, verificationStyles, styles];

  readonly #store = new StoreController(this);
  readonly #beside = new Query<PackBeside[]>(this);

  protected override willUpdate(): void {
    const packs = this.#store.state.opened.filter(({ pack }) => pack).length;
    this.#beside.ask(String(packs), (signal) => store.client.comparePacks(signal));
  }

  override render(): TemplateResult {
    const { value, error } = this.#beside;
    if (error !== null) return html`<section role="alert"><p class="say">${icon('error')} The packs could not be compared: ${error.message}</p></section>`;
    return html`${(value ?? []).map((one) => this.renderOne(one))}`;
  }

  private renderOne(one: PackBeside): TemplateResult {
    const title = `${one.first} and ${one.second}, compared`;
    if ('problem' in one) return html`<section role="alert"><p class="say">${icon('error')} <strong>${title}</strong>: ${one.problem}</p></section>`;
    return html`<section aria-label=${title} data-testid="pack-comparison">
      <p class="say">
        ${icon(one.comparison.same ? 'check' : 'note')} <strong>${one.second} beside ${one.first}.</strong>
        <span>${sentence(one.comparison)}</span>
      </p>
      ${this.renderLists(one, one.comparison)}
    </section>`;
  }

  private renderLists({ first, second }: PackBeside, { settings, verdicts, scores, only_first, only_second }: PackComparison): TemplateResult {
    const sides: [string, string] = [first, second];
    const fold = (title: string, all: number, open: boolean, table: TemplateResult): TemplateResult =>
      html`<details ?open=${open}><summary>${title} (${all > SHOWN ? `${SHOWN} of ${count(all)}` : count(all)})</summary>${table}</details>`;
    return html`${settings.length === 0 ? nothing : fold('Settings', settings.length, true, renderFindings('Settings that differ', sides, settings, linkTo))}
      ${scores.length === 0 ? nothing : fold('Scores', scores.length, scores.length <= 12, renderChanges('Scores that differ', ['Model', 'Score', ...sides, 'Difference'], scores.slice(0, SHOWN).map(renderScore)))}
      ${verdicts.length === 0 ? nothing : fold('Verdicts', verdicts.length, verdicts.length <= 12, renderFindings('Verdicts that differ', sides, verdicts.slice(0, SHOWN), linkTo))}
      ${renderOnly(first, only_first)} ${renderOnly(second, only_second)}`;
  }
}

function sentence({ same, samples, only_first, only_second, same_requests, other_requests, other_verdicts, scores }: PackComparison): string {
  if (same) return `The same: ${plural(samples, 'sample')}, ${plural(same_requests, 'request')}, every verdict and every score.`;
  const alone = only_first.length + only_second.length;
  return [
    alone === 0 ? `Same ${plural(samples, 'sample')}.` : `${plural(samples, 'sample')} in both, ${count(alone)} in one alone.`,
    other_requests === 0 ? `Same ${plural(same_requests, 'request')}.` : `${plural(same_requests, 'request')} the same, ${count(other_requests)} not.`,
    `${plural(other_verdicts, 'verdict')} changed.`,
    `${plural(scores.length, 'score row')} changed.`,
  ].join(' ');
}

function renderScore({ model, judge, scope, key, criterion, old, new: now, difference }: ScoreChange): TemplateResult {
  const group = scope === 'overall' ? '' : `, ${scope} ${keyLabel(scope, key)}`;
  return html`<tr>
    <th scope="row" dir="auto">${model}</th>
    <td>${criterion}${group}${judge === '' ? '' : `, judge ${judge}`}</td>
    <td>${old}</td>
    <td>${now}</td>
    <td class="num">${difference === null ? '–' : signed(difference)}</td>
  </tr>`;
}

function renderOnly(name: string, samples: readonly string[]): TemplateResult | typeof nothing {
  if (samples.length === 0) return nothing;
  return html`<p class="small muted">In ${name} alone: ${samples.slice(0, SHOWN).join(', ')}${samples.length > SHOWN ? ', …' : ''}</p>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-pack-comparison': JurorPackComparison;
  }
}
