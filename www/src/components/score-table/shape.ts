/** Which rows and columns a table of scores has: those that are defined, and one line a model unless judges share a column. */
import { MEASURED, keyLabel } from '../../state/format';
import type { Overview } from '../../engine/types/Overview';
import type { ScoreRow } from '../../engine/types/ScoreRow';

/** One column: a group of samples under one criterion. */
export interface Column {
  scope: string;
  key: string;
  criterion: string;
  label: string;
  /** What an address tells it by among the others: its criterion, its group, or both. */
  order: string;
  /** First of its group, which gets a rule on its left. */
  first: boolean;
  /** The one group that is everything there is: its numbers are those of the whole, and in the same column. */
  also?: Pick<Column, 'scope' | 'key' | 'criterion'>;
}

/** One line: a model under one judge, or under several that share no column. */
export interface Line {
  model: string;
  /** The judge whose numbers come first. */
  judge: string;
  judges: string[];
}

/** Whether the rows of a group have the numbers of the whole over the same samples, so that to show both says one thing twice. */
export function isWhole({ scores }: Pick<Overview, 'scores'>, group: Pick<Column, 'scope' | 'key'>, among: (row: ScoreRow) => boolean): boolean {
  const numbers = (scope: string, key: string): string => {
    const own = scores.filter((row) => row.scope === scope && row.key === key && among(row));
    const lines = own.map(({ model, judge, criterion, mean, n, expected }) => JSON.stringify([model, judge, criterion, mean, n, expected]));
    return lines.sort().join();
  };
  return numbers(group.scope, group.key) === numbers('overall', 'all');
}

/** What the whole is called where it is one group. */
export const wholeLabel = ({ scope, key }: Pick<Column, 'scope' | 'key'>): string => `Overall: ${keyLabel(scope, key)}`;

/** What a table's shape follows from. */
export type Shaped = Pick<Overview, 'models' | 'criteria' | 'scopes' | 'scores'>;

/** A criterion without a mean over everything is shown by the groups it has one for, if they are no more than so many. */
const MAX_GROUPS = 2;

type Place = Pick<Column, 'scope' | 'key' | 'criterion'>;

const columnId = ({ scope, key, criterion }: Place): string => `${scope}\n${key}\n${criterion}`;

const isOverall = ({ scope }: Pick<Column, 'scope'>): boolean => scope === 'overall';

/** Whether a row has no mean as its judge has not replied about its model; a report alone tells that of all judges together. */
export function isUnjudgedRow({ models, scores, row_incidents: found }: Unjudged, row: ScoreRow): boolean {
  const { model, judge, mean } = row;
  if (mean !== null || judge === MEASURED) return false;
  return found.find((one) => scores[one.row] === row)?.is_unjudged ?? models.some((one) => one.name === model && one.is_unjudged === true);
}

/** Found once for each answer of the engine. */
const unjudged = new WeakMap<Unjudged, Set<string>>();

type Unjudged = Pick<Overview, 'models' | 'scores' | 'row_incidents'>;

/** The models that have no score as nobody has replied about them, or not the judge whose numbers are shown. */
export function unjudgedModels(overview: Unjudged): Set<string> {
  const known = unjudged.get(overview);
  if (known !== undefined) return known;
  const totals = overview.scores.filter((row) => row.scope === 'overall' && row.criterion === 'total');
  const found = new Set<string>();
  for (const { name, is_unjudged: isUnjudged } of overview.models) {
    const own = totals.filter(({ model }) => model === name);
    if (own.length === 0 ? isUnjudged === true : own.every((row) => isUnjudgedRow(overview, row))) found.add(name);
  }
  unjudged.set(overview, found);
  return found;
}

/** The rows by line and column. */
export class Rows {
  readonly #rows: Map<string, ScoreRow>;
  readonly #columns: Set<string>;
  readonly #judges = new Map<string, Set<string>>();

  constructor(readonly data: Shaped) {
    this.#rows = new Map(data.scores.map((row) => [`${row.model}\n${row.judge}\n${columnId(row)}`, row]));
    const shown = new Set(data.models.map(({ name }) => name));
    this.#columns = new Set(data.scores.filter(({ model }) => shown.has(model)).map(columnId));
    for (const { model, judge } of data.scores) this.#judges.set(model, (this.#judges.get(model) ?? new Set()).add(judge));
  }

  /** The row of a line in a column; what was measured is so whoever judges. */
  at({ model, judges }: Line, column: Place): ScoreRow | undefined {
    for (const judge of [...judges, MEASURED]) {
      const row = this.#rows.get(`${model}\n${judge}\n${columnId(column)}`);
      if (row !== undefined) return row;
    }
    return undefined;
  }

  /** Whether any model that is shown has a row there. */
  has(column: Place): boolean {
    return this.#columns.has(columnId(column));
  }

  /** The columns of one scope under one criterion, or of every criterion. */
  columns(scope: string, criterion: string): Column[] {
    const all = criterion === 'all' ? this.data.criteria.flatMap(({ id, short }) => this.#whole(id, short)) : this.#groups(scope, criterion);
    const last = criterion === 'all' ? all.findIndex((column) => column.criterion === 'total') : -1;
    return all.map((column, index) => ({ ...column, first: criterion === 'all' ? index === last : index === 1 && all[0] !== undefined && isOverall(all[0]) }));
  }

  /** One line for each model; several where its judges have numbers in one column. */
  lines(columns: Column[]): Line[] {
    return this.data.models.flatMap(({ name: model }) => {
      const judges = [...(this.#judges.get(model) ?? [])];
      const alone = judges.map((judge): Line => ({ model, judge, judges: [judge] }));
      const own = (line: Line): Column[] => columns.filter((column) => this.#rows.has(`${model}\n${line.judge}\n${columnId(column)}`));
      const some = alone.filter((line) => own(line).length > 0);
      if (some.length === 0) return [{ model, judge: '', judges: [] }];
      // Measured values are in every line of their model.
      const judged = some.filter(({ judge }) => judge !== MEASURED);
      if (judged.length === 0) return some;
      const places = judged.flatMap(own).map(columnId);
      if (new Set(places).size < places.length) return judged;
      return [{ model, judge: judged[0]?.judge ?? '', judges: judged.map(({ judge }) => judge) }];
    });
  }

  /** Lines by judge, as only one judge's can be ranked: first the judge that most models have, last what nobody judged. */
  byJudge(lines: readonly Line[]): Line[][] {
    const judges = [...new Set(this.data.scores.map(({ judge }) => judge))];
    const place = ({ judges: own, judge }: Line): number => (own.length === 0 ? judges.length : judges.indexOf(judge));
    const blocks = new Map<string, Line[]>();
    for (const line of [...lines].sort((a, b) => place(a) - place(b))) {
      const key = JSON.stringify(line.judges);
      blocks.set(key, [...(blocks.get(key) ?? []), line]);
    }
    // Beside one judge alone the others need no header of their own.
    const judged = [...blocks.keys()].filter((key) => key !== '[]');
    if (judged.length < 2) return [[...lines]];
    const size = (own: readonly Line[]): number => (own[0]?.judges.length === 0 ? 0 : own.length);
    return [...blocks.values()].sort((a, b) => size(b) - size(a));
  }

  #groups(scope: string, criterion: string): Omit<Column, 'first'>[] {
    const keys = this.data.scopes.find((one) => one.scope === scope)?.keys ?? [];
    const groups = scope === 'overall' ? [] : keys.map((key) => ({ scope, key, criterion, label: keyLabel(scope, key), order: key }));
    const whole = { scope: 'overall', key: 'all', criterion, label: 'Overall', order: criterion };
    const all = [whole, ...groups].filter((column) => this.has(column));
    const [first, only] = all;
    if (all.length !== 2 || first !== whole || only === undefined || !isWhole(this.data, only, (row) => row.criterion === criterion)) return all;
    return [{ ...whole, label: wholeLabel(only), also: { scope, key: only.key, criterion } }];
  }

  /** A criterion over everything; where it has no such mean, by the first scope in which it has few. */
  #whole(criterion: string, label: string): Omit<Column, 'first'>[] {
    const whole = { scope: 'overall', key: 'all', criterion, label, order: criterion };
    if (this.has(whole)) return [whole];
    for (const { scope, keys } of this.data.scopes) {
      const found = keys
        .map((key) => ({ scope, key, criterion, label: `${label}, ${keyLabel(scope, key)}`, order: `${criterion}/${key}` }))
        .filter((column) => this.has(column));
      if (found.length > 0) return found.length <= MAX_GROUPS ? found : [];
    }
    return [];
  }
}
