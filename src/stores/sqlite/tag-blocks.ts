/**
 * Finds rows without a tag that nearly every memory has. Rows are grouped into blocks of two sizes, and each block has
 * a count of its memories with the tag. Only blocks that contain a memory without the tag are read.
 */
import type { Connection, SqlValue } from '../database/connection.js';
import { insertRows } from '../database/insert-rows.js';

/** Number of low bits in which the rows of a block differ: blocks have 32 or 1,024 rows. */
export const BLOCK_SHIFTS = [5, 10] as const;
const [FINE, COARSE] = BLOCK_SHIFTS;

const COUNTED = {
  table: 'tag_blocks',
  columns: ['key', 'shift', 'block', 'count'],
  onConflict: 'ON CONFLICT (key, shift, block) DO UPDATE SET count = count + excluded.count',
};
/** The key under which every memory is counted. */
export const EVERY_MEMORY = '';

/**
 * Counts new rows of the tag table, and new memories, in their blocks. Triggers subtract the rows that are deleted.
 *
 * @param tags the rows of the memories with each new tag, or `EVERY_MEMORY` and the rows of the new memories
 */
export function addToBlocks(connection: Connection, tags: readonly { key: string; rows: readonly number[] }[]): void {
  const values: SqlValue[] = [];
  for (const { key, rows } of tags) {
    for (const shift of BLOCK_SHIFTS) {
      for (const [block, count] of countsOfBlocks(rows, shift)) values.push(key, shift, block, count);
    }
  }
  insertRows(connection, COUNTED, values);
}

function countsOfBlocks(rows: readonly number[], shift: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const row of rows) {
    const block = Math.floor(row / 2 ** shift);
    counts.set(block, (counts.get(block) ?? 0) + 1);
  }
  return counts;
}

export function countMemories(connection: Connection): number {
  const statement = `SELECT total(count) AS count FROM tag_blocks WHERE key = '' AND shift = ${COARSE}`;
  return connection.get<{ count: number }>(statement)?.count ?? 0;
}

/** Returns the rows of memories that have no tag at or below the key, newest first. */
export function rowsWithout(connection: Connection, key: string, max: number): number[] {
  const rows: number[] = [];
  for (const block of coarseBlocks(connection, key)) {
    rows.push(...rowsOfBlock(connection, key, block));
    if (rows.length >= max) break;
  }
  return rows.slice(0, max);
}

/** Returns the coarse blocks that contain a memory without the tag, newest first. */
function coarseBlocks(connection: Connection, key: string): number[] {
  return connection
    .all<{ block: number }>(
      `SELECT block FROM tag_blocks AS every WHERE key = '' AND shift = ${COARSE} AND count > ${countOf('?')}
       ORDER BY block DESC`,
      key,
    )
    .map(({ block }) => block);
}

function rowsOfBlock(connection: Connection, key: string, coarse: number): number[] {
  const first = coarse << (COARSE - FINE);
  return connection
    .all<{ row: number }>(
      `SELECT row FROM tag_blocks AS every CROSS JOIN memories
         ON row BETWEEN block << ${FINE} AND (block << ${FINE}) + ${(1 << FINE) - 1}
       WHERE every.key = '' AND every.shift = ${FINE} AND block BETWEEN ? AND ? AND count > ${countOf('?')}
         AND NOT EXISTS (SELECT 1 FROM memory_tags WHERE memory = row AND memory_tags.key = ?)
       ORDER BY block DESC, row DESC`,
      first,
      first + (1 << (COARSE - FINE)) - 1,
      key,
      key,
    )
    .map(({ row }) => row);
}

/** Returns SQL for the number of memories with the tag in the block of the outer row `every`. */
function countOf(key: string): string {
  return `ifnull((
    SELECT count FROM tag_blocks WHERE key = ${key} AND shift = every.shift AND block = every.block
  ), 0)`;
}
