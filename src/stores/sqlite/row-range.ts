/**
 * Finds the range of rows in which the memories of a filter are. Memories of a week are usually close together, because
 * they were stored one after the other. The index of words can then be read for this range only.
 */
import { type Condition, isSetCondition, type NumberCondition } from '../../domain/filter.js';
import type { Connection } from '../database/connection.js';
import { NUMBER_COLUMNS } from './filter-clause.js';

/** The range includes both rows. */
export interface RowRange {
  first: number;
  last: number;
}

/** Memories are close together if their range has at most this many rows for each of them. */
const SPREAD_MAX = 4;
/** Maximum number of memories of a window. Finding the range of more takes longer than it saves. */
const WINDOW_MAX = 100_000;

/** Returns the number of rows in the range. */
export function lengthOf({ first, last }: RowRange): number {
  return last - first + 1;
}

/** @returns undefined when the rows are not close together */
export function rangeOfRows(rows: readonly number[]): RowRange | undefined {
  const sorted = Float64Array.from(rows).sort();
  const range = { first: sorted[0] ?? 0, last: sorted.at(-1) ?? 0 };
  return lengthOf(range) <= rows.length * SPREAD_MAX ? range : undefined;
}

/**
 * Returns the range of the memories that meet the condition on the creation time.
 *
 * @param rowsMax maximum number of rows in the range
 * @returns undefined without such a condition, and when more than `WINDOW_MAX` memories meet it, their range has more
 * than `rowsMax` rows, or they are not close together
 */
export function rangeOfWindow(
  connection: Connection,
  conditions: readonly Condition[],
  rowsMax: number,
): RowRange | undefined {
  const window = conditions.find(isWindow);
  if (!window) return undefined;
  const { least, most } = window;
  const within = `FROM memories WHERE ${NUMBER_COLUMNS.createdMs} BETWEEN ? AND ?`;
  const end = (order: string) => `(SELECT row ${within} ORDER BY ${NUMBER_COLUMNS.createdMs} ${order} LIMIT 1)`;
  const ends = `SELECT abs(${end('ASC')} - ${end('DESC')}) AS distance`;
  const { distance } = connection.get<{ distance: number | null }>(ends, least, most, least, most) ?? {};
  if (distance === undefined || distance === null) return undefined;
  // Memories this far apart are too many or not close together. In both cases their range is not used.
  if (distance >= Math.min(rowsMax, WINDOW_MAX * SPREAD_MAX)) return undefined;
  // This check comes first, because it takes a third of the time of the next statement.
  if (connection.get(`SELECT 1 ${within} LIMIT 1 OFFSET ?`, least, most, WINDOW_MAX)) return undefined;
  const range = connection.get<RowRange & { count: number }>(
    `SELECT min(row) AS first, max(row) AS last, count(*) AS count ${within}`,
    least,
    most,
  );
  return range && lengthOf(range) <= Math.min(rowsMax, range.count * SPREAD_MAX) ? range : undefined;
}

function isWindow(condition: Condition): condition is NumberCondition {
  return !isSetCondition(condition) && condition.field === 'createdMs';
}
