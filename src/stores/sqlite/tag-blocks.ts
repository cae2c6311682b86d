/**
 * Finds rows without a tag that nearly every memory has. Rows are grouped into blocks of two sizes, and each block has
 * a count of its memories with the tag. Only blocks that contain a memory without the tag are read.
 */
import { type Connection, insertRows, type SqlValue } from '../database/connection.js';

/** Number of low bits in which the rows of a block differ: blocks have 32 or 1,024 rows. */
export const BLOCK_SHIFTS = [5, 10] as const;
const [FINE, COARSE] = BLOCK_SHIFTS;
/** Number of coarse blocks that one query returns. Usually the newest few contain enough memories. */
const BLOCKS_PER_READ = 20;

const ADD = 'DO UPDATE SET count = count + excluded.count';
const MEMORY_BLOCKS = {
  table: 'memory_blocks',
  columns: ['shift', 'block', 'count'],
  onConflict: `ON CONFLICT (shift, block) ${ADD}`,
};
const TAG_BLOCKS = {
  table: 'tag_blocks',
  columns: ['shift', 'block', 'key', 'count'],
  onConflict: `ON CONFLICT (shift, block, key) ${ADD}`,
};

/** Counts new memories in their blocks. A trigger subtracts the memories that are deleted. */
export function countMemoryRows(connection: Connection, rows: readonly number[]): void {
  const counts = BLOCK_SHIFTS.flatMap(shift => [...countsOfBlocks(rows, shift)].map(counted => [shift, ...counted]));
  insertRows(connection, MEMORY_BLOCKS, counts.flat());
}

/**
 * Counts new rows of the tag table in their blocks. A trigger subtracts the rows that are deleted.
 *
 * @param tags the rows of the memories with each new tag, in the order of the keys
 */
export function countTagRows(
  connection: Connection,
  tags: readonly (readonly [key: string, rows: readonly number[]])[],
): void {
  for (const shift of BLOCK_SHIFTS) {
    // The counts are written in the order of the table, because those of one block are in the same pages.
    const ofBlocks = new Map<number, SqlValue[]>();
    for (const [key, rows] of tags) {
      for (const [block, count] of countsOfBlocks(rows, shift)) {
        const values = ofBlocks.get(block);
        if (values) values.push(shift, block, key, count);
        else ofBlocks.set(block, [shift, block, key, count]);
      }
    }
    insertRows(connection, TAG_BLOCKS, [...ofBlocks.values()].flat());
  }
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
  const statement = `SELECT total(count) AS count FROM memory_blocks WHERE shift = ${COARSE}`;
  return connection.get<{ count: number }>(statement)?.count ?? 0;
}

/** Counts the memories whose row is greater than `row`. */
export function countMemoriesAfter(connection: Connection, row: number): number {
  const block = row >> FINE;
  const statement = `SELECT (SELECT count(*) FROM memories WHERE row > ? AND row < ?) + total(count) AS count
    FROM memory_blocks WHERE shift = ${FINE} AND block > ?`;
  return connection.get<{ count: number }>(statement, row, (block + 1) << FINE, block)?.count ?? 0;
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
function* coarseBlocks(connection: Connection, key: string): Generator<number> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const blocks = connection.all<{ block: number }>(
      `SELECT block FROM memory_blocks AS every
       WHERE shift = ${COARSE} AND block < ? AND count > ${countOf('?')} ORDER BY block DESC LIMIT ${BLOCKS_PER_READ}`,
      before,
      key,
    );
    for (const { block } of blocks) yield block;
    if (blocks.length < BLOCKS_PER_READ) return;
    before = blocks.at(-1)?.block ?? 0;
  }
}

function rowsOfBlock(connection: Connection, key: string, coarse: number): number[] {
  const first = coarse << (COARSE - FINE);
  return connection
    .all<{ row: number }>(
      `SELECT row FROM memory_blocks AS every CROSS JOIN memories
         ON row BETWEEN block << ${FINE} AND (block << ${FINE}) + ${(1 << FINE) - 1}
       WHERE every.shift = ${FINE} AND block BETWEEN ? AND ? AND count > ${countOf('?')}
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
    SELECT count FROM tag_blocks WHERE shift = every.shift AND block = every.block AND key = ${key}
  ), 0)`;
}
