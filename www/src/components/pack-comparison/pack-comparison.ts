import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { Query } from '../../state/query';
import { count, keyLabel, mean, plural, shortHash, signed } from '../../state/format';
import type { State } from '../../state/state';
import type { ModelChange } from '../../engine/types/ModelChange';
import type { PackBeside } from '../../engine/types/PackBeside';
import type { PackComparison } from '../../engine/types/PackComparison';
import type { PackFinding } from '../../engine/types/PackFinding';
import type { ScoreChange } from '../../engine/types/ScoreChange';
import { base, controls } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import { linksFrom, styles } from '../pack-banner/banner';
import { renderChanges, renderFindings, verificationStyles, type LinkTo } from '../pack-banner/verification';

/** Rows that are shown at once; `juror verify A B` lists more. */
const SHOWN = 200;

/**
 * @summary Holds the evidence packs that are open against the first one: samples, requests, verdicts, and what that does to each score.
 */
@customElement('juror-pack-comparison')
export class JurorPackComparison extends LitElement {
  static override styles = [
    base,
    controls,
    verificationStyles,
    styles,
    css`
      ul {
        display: grid;
        gap: 4px;
        overflow-wrap: anywhere;
      }
    `,
  ];

  @property({ attribute: false }) state!: Pick<State, 'opened' | 'route'>;
  /** Compares the packs that are open, so many of them, with the first one. */
  @property({ attribute: false }) compare!: (packs: number) => Promise<PackBeside[]>;
  readonly #beside = new Query<PackBeside[]>(this);

  protected override willUpdate(): void {
    const packs = this.state.opened.filter(({ pack }) => pack).length;
    this.#beside.ask(String(packs), () => this.compare(packs));
  }

  override render(): TemplateResult {
    const { value, error } = this.#beside;
    if (error !== null) return html`<section role="alert"><p class="say">${icon('error')} The packs could not be compared: ${error.message}</p></section>`;
    return html`${(value ?? []).map((one) => this.renderOne(one))}`;
  }

  private renderOne(one: PackBeside): TemplateResult {
    const title = `${one.first} and ${one.second}, compared`;
    if ('problem' in one) return html`<section role="alert"><p class="say">${icon('error')} <strong>${title}</strong>: ${one.problem}</p></section>`;
    const { first, second, comparison } = one;
    const { models } = comparison;
    return html`<section aria-label=${title} data-testid="pack-comparison">
      <p class="say">${icon(comparison.same ? 'check' : 'note')} <strong>${second} beside ${first}.</strong></p>
      ${models.length === 0 ? nothing : html`<ul data-testid="pack-models">${models.map((change) => html`<li>${renderModel(change, [first, second], comparison)}</li>`)}</ul>`}
      <p class=${models.length === 0 ? '' : 'small muted'}>${sentence(comparison)}</p>
      ${renderLists([first, second], comparison, linksFrom(this.state.route))}
    </section>`;
  }
}

/** What the lists below have: what the lines of the models say is not in them again. */
function renderLists(
  sides: [string, string],
  { models, settings, files, verdicts, scores, only_first, only_second }: PackComparison,
  linkTo: LinkTo,
): TemplateResult {
  const [first, second] = sides;
  const fold = (title: string, all: number, table: () => TemplateResult, open = false): TemplateResult | typeof nothing =>
    all === 0
      ? nothing
      : html`<details ?open=${open}><summary>${title} (${all > SHOWN ? `${SHOWN} of ${count(all)}` : count(all)})</summary>${table()}</details>`;
  const hasNamed = models.some((model) => !model.in_first || !model.in_second);
  const others = settings.filter(({ about }) => !(hasNamed && about === 'models'));
  const rest = scores.filter((score) => !isTotal(score));
  return html`${fold('Settings', others.length, () => renderFindings('Settings that differ', sides, others, linkTo), true)}
    ${fold('Files', files.length, () => renderChanges('Files that differ', ['File', ...sides], files.slice(0, SHOWN).map(renderFile)))}
    ${fold('Verdicts', verdicts.length, () => renderFindings('Verdicts that differ', sides, verdicts.slice(0, SHOWN), linkTo))}
    ${fold('Other scores', rest.length, () => renderChanges('Scores that differ', ['Model', 'Score', ...sides, 'Difference'], rest.slice(0, SHOWN).map(renderScore)))}
    ${renderOnly(first, only_first)} ${renderOnly(second, only_second)}`;
}

/** Whether a score is an overall total whose mean differs, which the line of its model says. */
const isTotal = ({ scope, criterion, old_mean: old, new_mean: now }: ScoreChange): boolean => scope === 'overall' && criterion === 'total' && old !== now;

/** Effect and cause in one line. */
function renderModel(
  { model, in_first, in_second, files, requests, verdicts }: ModelChange,
  sides: [string, string],
  { scores, settings }: PackComparison,
): TemplateResult {
  const totals = scores.filter((score) => score.model === model && isTotal(score));
  const effect = in_first && in_second ? totals.map(totalWords).join(', ') || 'same total' : `only in ${sides[in_first ? 0 : 1]}`;
  const counted: [number, string][] = [
    [files, 'file'],
    [requests, 'request'],
    [verdicts, 'verdict'],
  ];
  const changed = counted.filter(([number]) => number > 0).map(([number, what]) => plural(number, what));
  const cause = changed.length > 0 ? `${inWords(changed)} changed` : settings.length > 0 ? 'by the settings' : 'no file, request or verdict of it changed';
  return html`<strong><bdi>${model}</bdi></strong> <span class="num">${effect}</span>; ${cause}`;
}

function totalWords({ judge, old_mean: old, new_mean: now, difference }: ScoreChange): string {
  return `${mean(old)} → ${mean(now)}${difference === null ? '' : ` (${signed(difference)})`}${judge === '' ? '' : ` by ${judge}`}`;
}

/** `1 file, 2 requests and 3 verdicts`. */
const inWords = (parts: string[]): string => (parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`);

function renderFile({ about, old, new: now }: PackFinding): TemplateResult {
  return html`<tr><th scope="row" dir="auto">${about}</th><td>${shortHash(old)}</td><td>${shortHash(now)}</td></tr>`;
}

/** How much is the same, and how much is not. */
function sentence({ same, samples, only_first, only_second, other_files, same_requests, other_requests, other_verdicts, scores }: PackComparison): string {
  const files = other_files === 0 ? [] : [`${plural(other_files, 'file')} changed.`];
  if (same) return [`The same: ${plural(samples, 'sample')}, ${plural(same_requests, 'request')}, every verdict and every score.`, ...files].join(' ');
  const rest = only_first.length + only_second.length;
  return [
    rest === 0 ? `Same ${plural(samples, 'sample')}.` : `${plural(samples, 'sample')} in both, ${count(rest)} in one only.`,
    ...files,
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
  return html`<p class="small muted">In ${name} only: ${samples.slice(0, SHOWN).join(', ')}${samples.length > SHOWN ? ', …' : ''}</p>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-pack-comparison': JurorPackComparison;
  }
}
