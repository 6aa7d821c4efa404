/** The agreement of all sides in a sentence, and in a picture where there are three of them or more. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { MIN_FOR_INTERVAL, plural } from '../../state/format';
import { vars } from '../../state/vars';
import type { Agreement } from '../../engine/types/Agreement';
import type { AgreementRow } from '../../engine/types/AgreementRow';
import type { Estimate } from '../../engine/types/Estimate';
import type { SteadinessRow } from '../../engine/types/SteadinessRow';
import { renderChoice, sidesStyles } from '../sides/sides';

/** Figures of which 1 is full agreement: key, name, name within a sentence. */
const FIGURES = [
  ['weighted_kappa', 'κ, quadratic weights', 'quadratic κ'],
  ['kappa', 'Cohen’s κ', 'Cohen’s κ'],
  ['alpha_interval', 'Krippendorff’s α, interval', 'α (interval)'],
  ['alpha_ordinal', 'Krippendorff’s α, ordinal', 'α (ordinal)'],
  ['spearman', 'Spearman ρ', 'ρ'],
  ['pearson', 'Pearson r', 'r'],
  ['equal', 'Equal scores', 'equal scores'],
] as const;

type Figure = (typeof FIGURES)[number];

/** Sides from which on they are drawn: of two the table says it all. */
const DRAWN = 3;

export const resultStyles = css`
  ${sidesStyles}
  .result {
    max-width: 90ch;
    font-size: var(--juror-size-l);
    overflow-wrap: anywhere;
  }
  .picture {
    display: grid;
    gap: 8px;
  }
  .picture .matrix {
    min-width: 0;
  }
  .picture .matrix th {
    max-width: 20ch;
    white-space: normal;
    overflow-wrap: anywhere;
  }
  .picture .matrix th[scope='row'] {
    min-width: 10ch;
    text-align: start;
  }
  .picture .matrix th[scope='col'] {
    min-width: 9ch;
    vertical-align: bottom;
  }
  .picture .matrix .none {
    border-width: 0;
  }
  .picture .matrix td:has(button) {
    padding: 0;
  }
  .picture .matrix button {
    width: 100%;
    min-height: 36px;
    padding: 4px 10px;
    border: 0;
    background: none;
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
`;

/** What the sentence and the picture are of. */
export interface Asked {
  figure: Figure;
  criterion: string;
  /** Criteria that there are pairs on, with their names. */
  criteria: [string, string][];
  /** The pairs on it: of all models and all samples. */
  rows: AgreementRow[];
  /** Whether there are enough sides for a picture, on this criterion or another. */
  isDrawn: boolean;
}

export const named = (side: string): string => (side === '' ? 'judge not stated' : side);

export const percent = (share: number | null): string => (share === null ? '–' : `${(100 * share).toFixed(0)} %`);

/** A figure as every table of agreement has it; nothing is no less than nothing. */
export const fixed = (value: number): string => value.toFixed(3).replace(/^-(0\.0+)$/, '$1');

/** A figure with its interval, in words. */
export const words = (one: Estimate | null): string =>
  one === null ? 'not defined' : `${fixed(one.value)}${one.low === null || one.high === null ? '' : ` [${fixed(one.low)}, ${fixed(one.high)}]`}`;

/** What the address chooses of an answer, or the usual where that is not there. */
export function askedOf({ pairs }: Agreement, sought: readonly string[], label: (criterion: string) => string): Asked {
  const all = pairs.filter(({ model, key }) => model === '' && key === '');
  const known = [...new Set(all.map((row) => row.criterion))];
  const of = (criterion: string): AgreementRow[] => all.filter((row) => row.criterion === criterion);
  // The total goes before others that as many pairs are on.
  const size = (criterion: string): number => of(criterion).length + (criterion === 'total' ? 0.5 : 0);
  const usual = known.reduce((most, one) => (size(one) > size(most) ? one : most), known[0] ?? '');
  const criterion = known.find((one) => one === sought[1]) ?? usual;
  return {
    figure: FIGURES.find(([id]) => id === sought[0]) ?? FIGURES[0],
    criterion,
    criteria: known.map((one) => [one, label(one)]),
    rows: of(criterion),
    isDrawn: known.some((one) => new Set(of(one).flatMap(sidesOf).map(keyOf)).size >= DRAWN),
  };
}

/** Whether too few outputs are rated by both to say how far they agree. */
const isFew = ({ n }: AgreementRow): boolean => n < MIN_FOR_INTERVAL;

/** The figure of a pair, as a number; none where it is not defined or says nothing. */
function valueOf(row: AgreementRow, [id]: Figure): number | null {
  if (isFew(row)) return null;
  return id === 'equal' ? row.equal : (row[id]?.value ?? null);
}

function shown(row: AgreementRow, figure: Figure): string {
  const value = valueOf(row, figure);
  if (value === null) return isFew(row) ? 'too few' : 'not defined';
  return figure[0] === 'equal' ? percent(value) : fixed(value);
}

/** The figure of a pair with its name and its interval. */
const figureWords = (row: AgreementRow, [id, , name]: Figure): string => (id === 'equal' ? `${percent(row.equal)} ${name}` : `${name} ${words(row[id])}`);

const pairName = ({ a, b }: AgreementRow): TemplateResult => html`<b><bdi>${named(a)}</bdi></b> and <b><bdi>${named(b)}</bdi></b>`;

/** The result in one sentence; nothing where nothing is compared. */
export function renderSentence(asked: Asked, { steadiness }: Agreement, label: (criterion: string) => string): TemplateResult | typeof nothing {
  const { rows } = asked;
  const [first] = rows;
  const steady = steadiness.find(({ model, key, criterion }) => model === '' && key === '' && criterion === 'total') ?? steadiness[0];
  if (first === undefined && steady === undefined) return nothing;
  const sentence =
    first !== undefined
      ? rows.length === 1
        ? pairSentence(first, asked, label)
        : pairsSentence(asked, label)
      : steady === undefined
        ? nothing
        : steadySentence(steady, label);
  return html`<p class="result" data-testid="agreement-result">${sentence}</p>`;
}

function pairSentence(row: AgreementRow, { figure, criterion }: Asked, label: (criterion: string) => string): TemplateResult {
  if (isFew(row)) return html`${pairName(row)} have only ${plural(row.n, 'output')} in common on ${label(criterion)}: too few to say how far they agree.`;
  const figureToo = figure[0] === 'equal' ? '' : `; ${figureWords(row, figure)}`;
  return html`${pairName(row)} give equal scores to ${percent(row.equal)} of ${plural(row.n, 'output')} on ${label(criterion)}${figureToo}.`;
}

function pairsSentence({ rows, figure, criterion }: Asked, label: (criterion: string) => string): TemplateResult {
  const value = (row: AgreementRow): number => valueOf(row, figure) ?? 0;
  const defined = rows.filter((row) => valueOf(row, figure) !== null).sort((a, b) => value(b) - value(a));
  const [most, least] = [defined[0], defined.at(-1)];
  const of = (row: AgreementRow): TemplateResult => html`${pairName(row)} (${figureWords(row, figure)}; ${plural(row.n, 'output')})`;
  const have = (number: number, what: string): string[] => (number === 0 ? [] : [`${plural(number, 'pair')} ${number === 1 ? 'has' : 'have'} ${what}`]);
  const few = rows.filter(isFew).length;
  const rest = [...have(few, 'too few outputs'), ...have(rows.length - few - defined.length, `no ${figure[2]}, as a side gives only one score`)].join(', ');
  const lead = html`Of ${plural(rows.length, 'pair')} on ${label(criterion)},`;
  if (most === undefined || least === undefined) return html`${lead} ${rest}.`;
  const behind = rest === '' ? '' : `; ${rest}`;
  if (most === least) return html`${lead} ${of(most)} can be compared${behind}.`;
  return html`${lead} ${of(most)} agree most, and ${of(least)} least${behind}.`;
}

function steadySentence(row: SteadinessRow, label: (criterion: string) => string): TemplateResult {
  return html`The averages of <b><bdi>${named(row.judge)}</bdi></b> over ${plural(row.runs, 'run')} differ by at most ${fixed(row.largest_difference)} on ${label(row.criterion)}, over ${plural(row.n, 'output')}.`;
}

/** A side: a person and a judge may have one name. */
interface Side {
  isPerson: boolean;
  name: string;
}

/** The mean of people is compared with judges only, so it is the last side. */
const PEOPLE = 'people';

/** People, then judges, then the mean of people. */
const orderOf = ({ isPerson, name }: Side): number => (isPerson ? (name === PEOPLE ? 2 : 0) : 1);

const sidesOf = ({ kind, a, b }: AgreementRow): [Side, Side] => [
  { isPerson: kind !== 'judge_judge', name: a },
  { isPerson: kind === 'human_human', name: b },
];

const keyOf = (side: Side): string => JSON.stringify(side);

/** What the picture tells its host. */
export interface Picture {
  isChosen(row: AgreementRow): boolean;
  choose(row: AgreementRow): void;
  seek(figure: string, criterion: string): void;
}

/** Who agrees with whom; nothing where fewer than three are compared. */
export function renderPicture({ figure, criterion, criteria, rows, isDrawn }: Asked, { isChosen, choose, seek }: Picture): TemplateResult | typeof nothing {
  if (!isDrawn) return nothing;
  const byKey = new Map<string, Side>();
  for (const side of rows.flatMap(sidesOf)) byKey.set(keyOf(side), side);
  const sides = [...byKey].sort(([, one], [, other]) => orderOf(one) - orderOf(other));
  const cells = new Map<string, AgreementRow>();
  for (const row of rows) {
    const [a, b] = sidesOf(row).map(keyOf) as [string, string];
    cells.set(`${a} ${b}`, row).set(`${b} ${a}`, row);
  }
  const cell = (row: AgreementRow | undefined): TemplateResult => {
    if (row === undefined) return html`<td></td>`;
    const value = shown(row, figure);
    return html`<td class=${isChosen(row) ? 'same' : ''} ${vars({ '--part': Math.max(0, valueOf(row, figure) ?? 0) })}>
      <button type="button" aria-expanded=${isChosen(row) ? 'true' : 'false'} aria-label="${named(row.a)} and ${named(row.b)}: ${value}" @click=${() => choose(row)}>${value}</button>
    </td>`;
  };
  return html`<section class="picture" aria-label="Who agrees with whom">
    <div class="sides">
      ${renderChoice(
        'Figure',
        FIGURES.map(([id, name]): [string, string] => [id, name]),
        figure[0],
        (id) => seek(id, criterion),
        'agreement-figure',
      )}
      ${criteria.length < 2 ? nothing : renderChoice('Criterion', criteria, criterion, (id) => seek(figure[0], id), 'agreement-criterion')}
      <span class="muted small">The stronger the colour, the more they agree.</span>
    </div>
    <div class="scroll" tabindex="0" role="region" aria-label="Matrix of pairs">
      <table class="matrix" data-testid="agreement-matrix">
        <caption>Who agrees with whom</caption>
        <thead><tr><td></td>${sides.slice(0, -1).map(([, side]) => html`<th scope="col"><bdi>${named(side.name)}</bdi></th>`)}</tr></thead>
        <tbody>
          ${sides
            .slice(1)
            .map(
              ([key, side], at) =>
                html`<tr><th scope="row"><bdi>${named(side.name)}</bdi></th>${sides.slice(0, -1).map(([other], place) => (place > at ? html`<td class="none"></td>` : cell(cells.get(`${key} ${other}`))))}</tr>`,
            )}
        </tbody>
      </table>
    </div>
  </section>`;
}
