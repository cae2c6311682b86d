/** Inserts many rows with few statements. Binding a value takes less time than reading it from a JSON parameter. */
import { type Connection, placeholders, type SqlValue } from './connection.js';

/** Numbers of rows in one statement, largest first. There are few numbers, so that each statement is prepared once. */
const ROWS_OF_STATEMENT = [500, 50, 5, 1];

export interface Insertion {
  table: string;
  columns: readonly string[];
  /** `ON CONFLICT …`: the action for a row whose key exists. */
  onConflict?: string;
}

/**
 * Inserts rows in the given order.
 *
 * @param values the values of all rows, one row after the other
 */
export function insertRows(
  connection: Connection,
  { table, columns, onConflict = '' }: Insertion,
  values: readonly SqlValue[],
): void {
  const row = `(${placeholders(columns)})`;
  let at = 0;
  for (const rows of ROWS_OF_STATEMENT) {
    const length = rows * columns.length;
    if (at + length > values.length) continue;
    const statement = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')} ${onConflict}`;
    for (; at + length <= values.length; at += length) connection.run(statement, ...values.slice(at, at + length));
  }
}
