/** What stands around a score table: the choice of columns and criterion above it, and below it what the numbers mean. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { MEASURED_SENTENCE, POLICY_SENTENCES, isMeasured, isWide, printedScale, titleOf } from '../../state/format';
import type { CriterionInfo } from '../../engine/types/CriterionInfo';
import type { Overview } from '../../engine/types/Overview';
import { renderLower } from '../name/name';
import { readingSentence } from '../reading/words';
import type { TableData } from './score-table';

/** Columns and criterion of a table. */
export interface Chosen {
  scope: string;
  /** Criterion id, or `all` for every criterion overall. */
  criterion: string;
}

export const aroundStyles = css`
  .scores > .toolbar {
    gap: 8px 12px;
    padding: 12px 16px;
  }
  .scores .segmented {
    overflow-x: auto;
    max-width: 100%;
  }
  .scores .segmented label:has(:disabled) {
    color: var(--juror-text-3);
  }
  .meaning {
    flex: 1 1 240px;
    text-align: right;
  }
  .provisional {
    color: var(--juror-warn);
  }
  .foot {
    padding: 4px 16px 12px;
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 2px 8px;
    padding: 10px 16px 0;
  }
  .codes {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 16px;
    padding: 10px 16px 0;
  }
  .codes div {
    display: flex;
    gap: 5px;
  }
  .codes dt {
    font-weight: 600;
  }
  .ramp {
    width: 96px;
    height: 12px;
    border: 1px solid var(--juror-line);
    border-radius: var(--juror-radius-s);
    background: linear-gradient(to right, var(--juror-surface), color-mix(in srgb, var(--juror-tint) 42%, var(--juror-surface)));
  }
  .dot::before {
    content: '';
    display: inline-block;
    width: 6px;
    height: 6px;
    margin: 0 2px 1px 6px;
    border-radius: 50%;
    background: var(--juror-warn);
  }
  @media (max-width: 900px) {
    .meaning {
      text-align: left;
    }
  }
`;

/** Columns are named in the plural. */
const plurals = (label: string): string => (label.endsWith('y') ? `${label.slice(0, -1)}ies` : /s$/.test(label) ? label : `${label}s`);

/** What is asked for, as far as there is such a thing; else the first scope, and the total. */
export function chosenIn({ scopes, criteria, scores }: TableData, asked: Chosen): Chosen {
  const criterion = asked.criterion === 'all' ? 'all' : (criteria.find(({ id }) => id === asked.criterion)?.id ?? 'total');
  const rest = scopes.filter(({ scope }) => scope !== 'overall');
  // Where nothing is asked for, groups in which the criterion is defined come first.
  const first = rest.find(({ scope }) => scores.some((row) => row.scope === scope && row.criterion === criterion)) ?? rest[0];
  return { scope: rest.find((one) => one.scope === asked.scope)?.scope ?? first?.scope ?? '', criterion };
}

/** The choice of columns and criterion; the total is told as an empty criterion. */
export function renderChoices(data: TableData, { scope, criterion }: Chosen, go: (part: Partial<Chosen>) => void, provisional = false): TemplateResult {
  const scopes = data.scopes.filter((one) => one.scope !== 'overall');
  const criteria = [...data.criteria].sort((a, b) => Number(b.id === 'total') - Number(a.id === 'total'));
  const info = data.criteria.find(({ id }) => id === criterion);
  return html`<fieldset class="segmented">
      <legend class="visually-hidden">Columns</legend>
      ${scopes.map(
        (one) =>
          html`<label>
            <input type="radio" name="scope" ?disabled=${criterion === 'all'} .checked=${one.scope === scope && criterion !== 'all'} @change=${() => go({ scope: one.scope })} />
            ${plurals(one.label)}
          </label>`,
      )}
    </fieldset>
    <fieldset class="segmented">
      <legend class="visually-hidden">Criterion</legend>
      ${criteria.map(
        (info) =>
          html`<label title=${titleOf(info)}>
            <input type="radio" name="criterion" .checked=${info.id === criterion} @change=${() => go({ criterion: info.id === 'total' ? '' : info.id })} />
            ${info.id === 'total' ? 'Total' : info.short}${renderLower(info)}
          </label>`,
      )}
      <label title="Every criterion, overall where it has such a mean">
        <input type="radio" name="criterion" .checked=${criterion === 'all'} @change=${() => go({ criterion: 'all' })} />
        All
      </label>
    </fieldset>
    ${provisional ? html`<p class="meaning provisional small" role="status">Provisional: pictures are still being checked, so these numbers may change.</p>` : html`<p class="meaning muted small">${meaningOf(info, data)}</p>`}`;
}

const meaningOf = (info: CriterionInfo | undefined, data: TableData): string =>
  info?.meaning ?? `Every criterion over all ${data.benchmark?.words.samples ?? 'samples'}, or over its groups where they are few; the others are by group`;

/** What the criteria's codes stand for, as the paper's tables have them. */
export function renderCodes({ criteria }: Pick<TableData, 'criteria'>): TemplateResult | typeof nothing {
  const coded = criteria.filter(({ short, label }) => short !== label);
  if (coded.length === 0) return nothing;
  return html`<dl class="codes small" data-testid="codes" aria-label="What the codes stand for">${coded.map(({ short, label }) => html`<div><dt>${short}</dt><dd class="muted">${label}</dd></div>`)}</dl>`;
}

/** What the tint means, with the ends of the scale it stands for. */
export function renderLegend(info: CriterionInfo | undefined): TemplateResult {
  if (info?.direction === 'neither') return html`<p class="legend small muted">${scaleSentence(info)} It is not tinted.</p>`;
  const { low, high } = printedScale(info);
  const [from, to] = info?.direction === 'down' ? [high, low] : [low, high];
  return html`<p class="legend small muted">
    <span>Tint:</span>
    <span class="num">${info === undefined ? 'worse' : from}</span>
    <span class="ramp" aria-hidden="true"></span>
    <span class="num">${info === undefined ? 'better' : to}</span>
    <span>${info === undefined ? 'of each criterion’s own scale, as printed.' : `the scale’s ends, as printed; the deeper, the better. ${info.direction === 'down' ? 'Lower is better.' : 'Higher is better.'}${isWide(info) ? ' It goes by the logarithm.' : ''}`}</span>
  </p>`;
}

/** What the ends of the scale mean. */
function scaleSentence(info: CriterionInfo | undefined): string {
  if (info === undefined) return 'Each criterion on the scale that the paper prints.';
  const { low, high } = printedScale(info);
  const which = { up: 'higher is better', down: 'lower is better', neither: 'a figure that does not rate' }[info.direction];
  return `Means from ${low} to ${high}, ${which}.`;
}

/** How to read the cells, and by which rules they are computed. */
export function renderFoot(
  { benchmark, profile, policy, reading, tolerance }: Pick<Overview, 'benchmark' | 'profile' | 'policy'> & Partial<Pick<Overview, 'reading' | 'tolerance'>>,
  criterion: string,
  more: string,
): TemplateResult {
  const rules = isMeasured(criterion)
    ? MEASURED_SENTENCE
    : `${profile === 'paper' ? 'Formulas as printed.' : 'As the released code computes.'} ${POLICY_SENTENCES[policy]} ${readingSentence(reading, tolerance ?? [], null)}`;
  return html`<p class="foot muted small">
    Below each mean: its 95 % interval, and where it covers fewer ${benchmark?.words.units ?? 'units'} than expected<span class="dot"> a dot and how many</span>. A triangle marks requests without a usable verdict, whatever they count as. ${more}
    ${rules}
  </p>`;
}
