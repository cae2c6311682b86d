/**
 * Splits a read by many ids into several statements, so that each statement stays well below the time limit and the
 * server's row limit.
 */
import type { Connection } from './connection.js';
import { keysOf } from './encoding.js';
import type { Parameters } from './parameters.js';

const PART = 2_000;

/** @param statement receives the keys of some of the ids as `$ids` */
export function readByIds<Row>(
  connection: Connection,
  statement: string,
  ids: readonly string[],
  parameters?: Parameters,
): Promise<Row[]> {
  return readByKeys(connection, statement, keysOf(ids), parameters);
}

/** @param keys distinct values of the property `id` */
export async function readByKeys<Row>(
  connection: Connection,
  statement: string,
  keys: readonly string[],
  parameters: Parameters = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < keys.length; start += PART) {
    const part = { ...parameters, ids: keys.slice(start, start + PART) };
    for (const row of await connection.read<Row>(statement, part)) rows.push(row);
  }
  return rows;
}
