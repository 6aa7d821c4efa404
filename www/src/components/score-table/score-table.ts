import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { FocusFollower } from '../../state/focus';
import { MEASURED, NOT_JUDGED, count, goodness, interval, mean, plural, rowInterval, share, unitsOf } from '../../state/format';
import { printed, printedDecimals } from '../../state/published';
import type { Printed, ShownJudges } from '../../state/router';
import { vars } from '../../state/vars';
import type { CriterionInfo } from '../../engine/types/CriterionInfo';
import type { Overview } from '../../engine/types/Overview';
import type { PublishedCell } from '../../engine/types/PublishedCell';
import type { PublishedRow } from '../../engine/types/PublishedRow';
import type { ScoreRow } from '../../engine/types/ScoreRow';
import type { ModelRank } from '../../engine/types/ModelRank';
import { base, controls } from '../../styles/base.styles';
import { icon } from '../icon/icon';
import { nameStyles, renderLower, renderName } from '../name/name';
import { Rows, isUnjudgedRow, type Column, type Line } from './shape';
import { styles } from './score-table.styles';

/** What the table is made of. */
export type TableData = Pick<Overview, 'benchmark' | 'models' | 'criteria' | 'scopes' | 'scores' | 'row_incidents' | 'published'>;

/** A mean was pressed. */
export class CellEvent extends Event {
  readonly row: ScoreRow;

  constructor(row: ScoreRow) {
    super('cell');
    this.row = row;
  }
}

/** A number that the paper prints was pressed. */
export class PrintedEvent extends Event {
  readonly row: PublishedRow;
  readonly cell: PublishedCell;

  constructor(row: PublishedRow, cell: PublishedCell) {
    super('printed');
    this.row = row;
    this.cell = cell;
  }
}

/** Another order was asked for. */
export class OrderEvent extends Event {
  readonly order: string;

  constructor(order: string) {
    super('order');
    this.order = order;
  }
}

/** Other printed results were asked for, or none. */
export class PublishedEvent extends Event {
  readonly published: Printed;

  constructor(published: Printed) {
    super('published');
    this.published = published;
  }
}

/** Every judge's scores were asked for, or one judge's. */
export class JudgesEvent extends Event {
  readonly judges: ShownJudges;

  constructor(judges: ShownJudges) {
    super('judges');
    this.judges = judges;
  }
}

/**
 * @summary Models by groups: every mean with its count; each cell can be opened.
 * @event order - A column's head was pressed; carries the order as in the address.
 * @event cell - A mean was pressed; carries its row.
 * @event printed - A number that the paper prints was pressed.
 * @event published - Other printed results were asked for, or none.
 * @event judges - Every judge's scores were asked for, or one judge's.
 * @csspart table - The table.
 * @csspart mean - Each mean.
 */
@customElement('juror-score-table')
export class JurorScoreTable extends LitElement {
  static override styles = [base, controls, nameStyles, styles];

  @property({ attribute: false }) overview!: TableData;
  /** `category`, `domain` or `turn`; the overall column always comes first. */
  @property() scope = 'category';
  /** Criterion id, or `all` for every criterion of the overall scope. */
  @property() criterion = 'total';
  /** As in the address: `desc:` or `asc:` and the key of a column, no key for the models' names; `files` for the order of the files; empty for the best first. */
  @property() order = '';
  /** Where the models stand in the column that [`rankedColumn`] names, as far as that is known; `null` where nobody is ranked. */
  @property({ attribute: false }) standings: ModelRank[] | null = null;
  /** While pictures are still being checked, numbers may yet change. */
  @property({ type: Boolean, reflect: true }) provisional = false;
  /** Whether replies are still being read, so that a model without a score may yet have one. */
  @property({ type: Boolean }) waiting = false;
  /** Whose printed results stand below the models; as in the address. */
  @property() published: Printed = '';
  /** Whose scores are shown; as in the address. */
  @property() judges: ShownJudges = '';
  protected readonly follower = new FocusFollower(this, 'button.cell', (cell) => cell.getAttribute('data-of'));
  #rows = new Rows({ models: [], criteria: [], scopes: [], scores: [] });
  #incidents = new Map<ScoreRow, number>();
  /** Whether any judge that is shown has a name. */
  #named = false;

  protected override willUpdate(): void {
    const { scores, row_incidents: found } = this.overview;
    this.#incidents = new Map(found.flatMap(({ row, incidents }) => (scores[row] === undefined ? [] : [[scores[row], incidents]])));
    this.#rows = new Rows(this.overview);
  }

  override render(): TemplateResult {
    const columns = this.columns();
    const lines = this.lines(columns);
    this.#named = lines.some((line) => line.judges.some((judge) => judge !== ''));
    const blocks = this.#rows.byJudge(lines);
    const main = mainColumn(columns);
    const first = main === undefined ? undefined : lines.map((line) => this.#rows.at(line, main)).find((row) => row !== undefined);
    if (columns.length === 0) return html`<p class="undefined">No model has a score of this criterion in these groups.</p>`;
    return html`<div class="scroll" role="region" aria-label="Scores, scrollable" tabindex="0">
        <table part="table" data-testid="overview-table">
          <caption class="visually-hidden">
            Mean scores by model; a cell says how many of the expected ${this.units} it covers where some are missing.
          </caption>
          <thead>
            <tr>
              ${this.renderHead(null, columns)}
              <th scope="col" class="coverage">Scored ${first === undefined ? this.units : unitsOf(this.overview, first)}</th>
              ${columns.map((column) => this.renderHead(column, columns))}
            </tr>
          </thead>
          ${blocks.map(
            (own, at) =>
              html`<tbody>
                ${blocks.length === 1 ? nothing : this.renderBar(own, at, columns.length + 2)}
                ${at > 0 && this.judges !== 'all' && own[0]?.judges.length !== 0 ? nothing : own.map((line) => this.renderLine(line, columns, main))}
              </tbody>`,
          )}
          ${this.renderPublished(columns)}
        </table>
      </div>`;
  }

  private get units(): string {
    return this.overview.benchmark?.words.units ?? 'units';
  }

  /** The head of a judge's models. The first judge's are always there, the others' when all are asked for. */
  private renderBar([first, ...rest]: Line[], at: number, colspan: number): TemplateResult {
    const isOpen = this.judges === 'all';
    const judge = first === undefined || first.judges.length === 0 ? NOT_JUDGED : html`<span>Judge <bdi>${judgesOf(first)}</bdi></span>`;
    return html`<tr class="block" data-testid="judge-block"><th scope="rowgroup" colspan=${colspan} class="bar"><div>${
      at === 0 || first?.judges.length === 0
        ? judge
        : html`<button type="button" class="fold" aria-expanded=${isOpen ? 'true' : 'false'} @click=${() => this.show(isOpen ? '' : 'all')}><span class="arrow ${isOpen ? 'open' : 'closed'}">${icon('chevron', 14)}</span>${judge}</button><span class="note">${plural(rest.length + 1, 'model')}</span>`
    }</div></th></tr>`;
  }

  private show(judges: ShownJudges): void {
    this.judges = judges;
    this.dispatchEvent(new JudgesEvent(judges));
  }

  private renderLine(line: Line, columns: Column[], main: Column | undefined): TemplateResult {
    const whole = main === undefined ? undefined : this.#rows.at(line, main);
    const scored = whole === undefined || (this.waiting && whole.mean === null) ? '–' : `${count(whole.n)}/${count(whole.expected)}`;
    const isPartial = whole !== undefined && whole.n < whole.expected;
    return html`<tr>
      <th scope="row" class="model ${isPartial ? 'partial' : ''}" data-scored=${scored}>
        ${this.renderRank(line)}<span class="name">${renderName(line.model)}</span>${this.isUnjudged(line.model) ? html`<span class="judge" data-testid="not-judged">${NOT_JUDGED}</span>` : this.#named ? html`<span class="judge" dir="auto">${judgesOf(line)}</span>` : nothing}${this.renderUnrecognised(line.model)}
      </th>
      <td class="coverage num ${isPartial ? 'partial' : ''}">${scored}</td>
      ${columns.map((column) => this.renderCell(line, column, column === main))}
    </tr>`;
  }

  /** The paper's own rows, as far as they have anything in these columns. */
  private renderPublished(columns: Column[]): TemplateResult | typeof nothing {
    const { published, benchmark } = this.overview;
    const shown = new Set(columns.flatMap((column) => [columnId(column), ...(column.also === undefined ? [] : [columnId(column.also)])]));
    const rows = published.rows.filter(({ cells }) => cells.some((cell) => shown.has(columnId(cell))));
    if (rows.length === 0) return nothing;
    // Replies that do not name their judge are nobody's.
    const isJudgeStated = this.overview.scores.some(({ judge }) => judge !== '' && judge !== MEASURED);
    const same = rows.filter((row) => row.is_same_judge);
    const chosen = this.published === '' ? [] : this.published === 'all' || same.length === 0 ? rows : same;
    const others = rows.length - same.length;
    const differs = benchmark !== null && benchmark.samples !== published.num_samples;
    return html`<tbody class="published" data-testid="published">
      <tr>
        <th scope="colgroup" colspan=${columns.length + 2} class="bar">
          <div>
            <button
              type="button"
              class="fold"
              aria-expanded=${this.published === '' ? 'false' : 'true'}
              @click=${() => this.publish(this.published !== '' ? '' : same.length > 0 ? 'same' : 'all')}
            >
              <span class="arrow ${this.published === '' ? 'closed' : 'open'}">${icon('chevron', 14)}</span>Published results
            </button>
            <span class="note">
              ${same.length > 0 ? `${plural(same.length, 'row')} of the paper by a judge of the same name` : `${plural(rows.length, 'row')} of the paper, ${isJudgeStated ? 'all by other judges' : 'which may be by another judge: the replies here do not state theirs'}`}, over
              ${published.of}${differs ? html`; <em>this folder has ${plural(benchmark.samples, benchmark.words.sample, benchmark.words.samples)}</em>` : nothing}
            </span>
            ${
              this.published === '' || others === 0 || same.length === 0
                ? nothing
                : html`<label class="note"><input type="checkbox" .checked=${this.published === 'all'} @change=${(event: Event) => this.publish((event.target as HTMLInputElement).checked ? 'all' : 'same')} /> ${plural(others, 'row')} by other judges too</label>`
            }
          </div>
        </th>
      </tr>
      ${this.sortPublished(chosen, columns).map(
        (row) =>
          html`<tr>
            <th scope="row" class="model">${this.standings === null ? nothing : html`<span class="rank"></span>`}<span class="name">${renderName(row.model)}</span><span class="judge" dir="auto">${row.judge}</span></th>
            <td class="coverage"></td>
            ${columns.map((column) => this.renderPrinted(row, column))}
          </tr>`,
      )}
    </tbody>`;
  }

  private publish(published: Printed): void {
    this.published = published;
    this.dispatchEvent(new PublishedEvent(published));
  }

  private sortPublished(rows: PublishedRow[], columns: Column[]): PublishedRow[] {
    return this.ordered(
      rows,
      columns,
      (row) => row.model,
      (row, column) => printedAt(row, column)?.value ?? null,
    );
  }

  private renderPrinted(row: PublishedRow, column: Column): TemplateResult {
    const cell = printedAt(row, column);
    const edge = column.first ? 'first' : '';
    if (cell === undefined) return html`<td class=${edge}><span class="none" title="Not printed">–</span></td>`;
    const decimals = printedDecimals(this.overview.published, cell.table);
    const text = printed(cell.value, decimals);
    const wrong = cell.follows === false && cell.computed !== null;
    const below = wrong ? `≠ ${printed(cell.computed ?? 0, decimals)}` : cell.sd === null ? cell.table : `± ${printed(cell.sd, decimals)}`;
    const words = `${text}, ${cell.table}${wrong ? `; its parts come to ${printed(cell.computed ?? 0, decimals)}` : ''}`;
    return html`<td class=${edge}>
      <button type="button" class="cell" aria-label="${row.model}, ${column.label}: printed ${words}" title=${words} @click=${() => this.dispatchEvent(new PrintedEvent(row, cell))}>
        <span class="mean">${text}</span>
        <span class="count ${wrong ? 'wrong' : ''}">${below}</span>
      </button>
    </td>`;
  }

  /** The place of a line, and whom the samples do not tell it from. */
  private renderRank({ model, judges }: Line): TemplateResult | typeof nothing {
    if (this.standings === null) return nothing;
    const own = this.standings.find((one) => one.model === model && judges.includes(one.judge));
    if (own?.rank == null) return html`<span class="rank"></span>`;
    const tied = own.tied_with.length === 0 ? '' : `statistically tied with ${own.tied_with.join(', ')}`;
    return html`<span class="rank num" title="Rank ${own.rank}${tied === '' ? '' : `, ${tied}`}"
      ><span class="visually-hidden">Rank </span>${own.rank}${tied === '' ? nothing : html`<span class="tied"><span aria-hidden="true">≈ ${own.group}</span><span class="visually-hidden">, ${tied}</span></span>`}</span
    >`;
  }

  private columns(): Column[] {
    return this.#rows.columns(this.scope, this.criterion);
  }

  private lines(columns: Column[]): Line[] {
    const lines = this.#rows.lines(columns);
    return this.ordered(
      lines,
      columns,
      (line) => line.model,
      (line, column) => this.#rows.at(line, column)?.mean ?? null,
    );
  }

  /** What has no number goes to the end in either direction. */
  private ordered<T>(all: T[], columns: Column[], name: (one: T) => string, number: (one: T, column: Column) => number | null): T[] {
    const [direction, key] = this.orderIn(columns);
    if (direction === 'none') return all;
    const sign = direction === 'descending' ? -1 : 1;
    if (key === '') return [...all].sort((a, b) => sign * name(a).localeCompare(name(b), 'en', { numeric: true }));
    const column = columns.find((one) => one.order === key);
    if (column === undefined) return all;
    return [...all].sort((a, b) => {
      const [x, y] = [number(a, column), number(b, column)];
      if (x === null || y === null) return Number(x === null) - Number(y === null);
      return sign * (x - y);
    });
  }

  /** The order in force: the one asked for, else the best of what is shown first. */
  private orderIn(columns: Column[]): [Direction, string] {
    if (this.order !== '') return parseOrder(this.order);
    const main = mainColumn(columns);
    return main === undefined ? ['none', ''] : [this.bestFirst(main), main.order];
  }

  private info({ criterion }: Pick<Column, 'criterion'>): CriterionInfo | undefined {
    return this.overview.criteria.find(({ id }) => id === criterion);
  }

  private bestFirst({ criterion }: Column): Direction {
    return this.info({ criterion })?.direction === 'down' ? 'ascending' : 'descending';
  }

  private renderHead(column: Column | null, columns: Column[]): TemplateResult {
    const key = column === null ? '' : column.order;
    const [direction, by] = this.orderIn(columns);
    const order = by === key ? direction : 'none';
    return html`<th scope="col" aria-sort=${order} class=${column === null ? 'model' : column.first ? 'first' : ''}>
      <button type="button" class="sort" title=${column === null ? 'Sort by name; once more for the order of the files' : nothing} @click=${() => this.sortBy(column, order, columns)}>
        ${column === null ? 'Model' : html`<bdi>${column.label}</bdi>${renderLower(this.info(column))}`}<span class="arrow ${order}">${icon(order === 'none' ? 'sort' : 'chevron', 14)}</span>
      </button>
    </th>`;
  }

  /** Nobody replied about the model, so none of its numbers is a score. */
  private isUnjudged(model: string): boolean {
    return !this.waiting && this.overview.models.some(({ name, is_unjudged: unjudged }) => name === model && unjudged === true);
  }

  /** Text answers that no turn asks for by their names: what the model is judged on is not what its files say. */
  private renderUnrecognised(model: string): TemplateResult | typeof nothing {
    const number = this.overview.models.find(({ name }) => name === model)?.unrecognised_answers ?? 0;
    return number === 0
      ? nothing
      : html`<span class="judge" data-testid="row-unrecognised">${plural(number, 'unrecognised text answer', 'unrecognised text answers')}</span>`;
  }

  private renderCell(line: Line, column: Column, isMain: boolean): TemplateResult {
    const row = this.#rows.at(line, column);
    const edge = column.first ? 'first' : '';
    if (this.waiting && row?.mean == null) return html`<td class=${edge}><span class="none" title="Still being read">…</span></td>`;
    if (row === undefined) {
      // A model without any row is one that nobody has judged; with some, nothing is expected here.
      if (line.judges.length === 0 && this.isUnjudged(line.model)) return html`<td class=${edge}><span class="none">${NOT_JUDGED}</span></td>`;
      return html`<td class=${edge}><span class="none" title="Not defined: nothing is expected here">–</span></td>`;
    }
    const partial = row.n < row.expected;
    const info = this.info(row);
    const units = unitsOf(this.overview, row);
    const incidents = this.#incidents.get(row) ?? 0;
    const unjudged = isUnjudgedRow(this.overview, row);
    const words = `${describe(row, info, units, unjudged)}${incidents > 0 ? `, ${plural(incidents, 'request')} without a usable verdict` : ''}`;
    const tint = row.mean === null || info?.direction === 'neither' ? 0 : goodness(row.mean, info);
    return html`<td class=${edge} ${vars({ '--v': tint })}>
      <button type="button" class="cell ${row.mean === null ? 'empty' : ''}" data-of=${JSON.stringify([line.model, row.judge, columnId(column)])} aria-label="${line.model}, ${column.label}: ${words}" title=${words} @click=${() => this.dispatchEvent(new CellEvent(row))}>
        <span class="mean ${unjudged ? 'words' : ''}" part="mean">${unjudged ? NOT_JUDGED : mean(row.mean, info)}</span>
        ${row.ci_low === null || row.ci_high === null ? nothing : html`<span class="ci">${interval(row.ci_low, row.ci_high, info)}</span>`}
        ${(partial && !isMain) || incidents > 0 ? html`<span class="count ${partial ? 'partial' : ''}">${incidents > 0 ? html`<span class="incidents">${icon('warn', 12)}${plural(incidents, 'request')}</span> ` : nothing}${partial && !isMain ? share(row.n, row.expected, units) : nothing}</span>` : nothing}
      </button>
    </td>`;
  }

  /** The best first, names from A; then the other way round; then what is usual, or behind the names the order of the files. */
  private sortBy(column: Column | null, order: Direction, columns: Column[]): void {
    const first = column === null ? 'ascending' : this.bestFirst(column);
    const key = column === null ? '' : column.order;
    const isMain = column !== null && key === (mainColumn(columns) ?? column).order;
    const orderText = (direction: Direction): string => `${direction === 'ascending' ? 'asc' : 'desc'}:${key}`;
    const next = order === 'none' ? first : order === first ? opposite(first) : 'none';
    const asked = next === 'none' ? (column === null ? FILES : '') : next === first && isMain ? '' : orderText(next);
    this.dispatchEvent(new OrderEvent(asked));
  }
}

/** The order in which the files were opened, as an address has it. */
const FILES = 'files';

const opposite = (direction: Direction): Direction => (direction === 'ascending' ? 'descending' : 'ascending');

type Direction = 'none' | 'ascending' | 'descending';

/** The columns of a table. */
const columnsOf = (data: TableData, scope: string, criterion: string): Column[] => new Rows(data).columns(scope, criterion);

/** What a table goes by where no order is asked for: the total, or the first column. */
function mainColumn(columns: Column[]): Column | undefined {
  return columns.find(({ scope, criterion }) => scope === 'overall' && criterion === 'total') ?? columns[0];
}

/** The column whose models are ranked: the one that the table is sorted by, else the one it goes by anyway. */
export function rankedColumn(data: TableData, scope: string, criterion: string, order: string): Pick<Column, 'scope' | 'key' | 'criterion'> | null {
  const columns = columnsOf(data, scope, criterion);
  const [, key] = parseOrder(order);
  return columns.find((one) => key !== '' && one.order === key) ?? mainColumn(columns) ?? null;
}

function parseOrder(order: string): [Direction, string] {
  const at = order.indexOf(':');
  const direction = ({ asc: 'ascending', desc: 'descending' } as const)[order.slice(0, Math.max(0, at))] as Direction | undefined;
  return direction === undefined ? ['none', ''] : [direction, order.slice(at + 1)];
}

/** The judges of a line in words. */
const judgesOf = ({ judges }: Line): string =>
  judges.length === 0 ? NOT_JUDGED : judges.map((judge) => (judge === '' ? 'judge not stated' : judge)).join(' and ');

function columnId({ scope, key, criterion }: { scope: string; key: string; criterion: string }): string {
  return `${scope}\n${key}\n${criterion}`;
}

function printedAt(row: PublishedRow, column: Column): PublishedCell | undefined {
  const at = (place: Pick<Column, 'scope' | 'key' | 'criterion'>): PublishedCell | undefined => row.cells.find((cell) => columnId(cell) === columnId(place));
  return at(column) ?? (column.also === undefined ? undefined : at(column.also));
}

function describe(row: ScoreRow, info: CriterionInfo | undefined, units: string, unjudged: boolean): string {
  const counted = `${row.n} of ${row.expected} ${units}`;
  if (unjudged) return `not judged, ${counted}`;
  if (row.mean === null) return `no number, ${counted}; open for the reason`;
  return `mean ${mean(row.mean, info)}, ${counted}, 95 % interval ${rowInterval(row, info)}`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-score-table': JurorScoreTable;
  }
}
