/** Printed numbers with the digits that their table prints. */
import type { PublishedResults } from '../engine/types/PublishedResults';

/** Digits of each table, found once for each answer of the engine. */
const known = new WeakMap<PublishedResults, Map<string, number>>();

/** Digits after the point in a table: the most that any of its numbers needs, as trailing zeros were printed too. */
export function printedDecimals(published: PublishedResults, table: string): number {
  const tables = known.get(published) ?? new Map<string, number>();
  known.set(published, tables);
  const decimals = tables.get(table) ?? mostDecimals(published, table);
  tables.set(table, decimals);
  return decimals;
}

function mostDecimals(published: PublishedResults, table: string): number {
  const values = published.rows.flatMap(({ cells }) => cells.filter((cell) => cell.table === table).map(({ value }) => value));
  return values.reduce((most, value) => Math.max(most, (String(value).split('.')[1] ?? '').length), 0);
}

/** A number with a table's digits. */
export const printed = (value: number, decimals: number): string => value.toFixed(decimals);
