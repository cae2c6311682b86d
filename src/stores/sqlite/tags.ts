/**
 * The rows of a memory in the tag table: one for each distinct prefix of its tags. Also finds rows without a tag that
 * nearly every memory has: the rows are grouped into blocks, and each block has a count of its memories with the tag.
 * Looking at each of 100,000 memories would take 37 ms.
 */
import type { Memory } from '../../domain/memory.js';
import { tagKeys } from '../../domain/tags.js';
import { type Connection, insertRows, type SqlValue } from '../database/connection.js';

type TaggedFields = Pick<Memory, 'tags' | 'tag_prefixes' | 'importance' | 'timestamp'>;

export interface TagRow {
  key: string;
  timestamp_ms: number;
  /** 1 for a whole tag, or 0 for a prefix only. */
  is_whole: 0 | 1;
  importance: number;
}

const INSERTED = { table: 'memory_tags', columns: ['key', 'timestamp_ms', 'memory', 'is_whole', 'importance'] };
const DELETE_TAG = 'DELETE FROM memory_tags WHERE key = ? AND timestamp_ms = ? AND memory = ?';
const UPDATE_TAG = `UPDATE memory_tags SET is_whole = ?, importance = ?
  WHERE key = ? AND timestamp_ms = ? AND memory = ?`;

/**
 * Returns one row for each distinct key. SQLite replaces lone surrogates, so that different keys may become equal. A
 * blank tag of another program gets no row, because no filter can name it.
 */
export function tagRowsOf({ tags, tag_prefixes, importance, timestamp }: TaggedFields): TagRow[] {
  const wholeKeys = wellFormed(tagKeys(tags));
  const timestamp_ms = Date.parse(timestamp);
  return [...wellFormed(tag_prefixes.filter(key => key !== ''))].map(key => ({
    key,
    timestamp_ms,
    is_whole: wholeKeys.has(key) ? 1 : 0,
    importance,
  }));
}

function wellFormed(keys: readonly string[]): Set<string> {
  return new Set(keys.map(key => key.toWellFormed()));
}

/** @param memories the row of each memory, and its new rows for the tag table */
export function writeTagRows(
  connection: Connection,
  memories: readonly { row: number; tags: readonly TagRow[] }[],
): void {
  const ofKeys = inTableOrder(memories);
  const values: SqlValue[] = [];
  for (const [key, rows] of ofKeys) {
    for (const { row, tag } of rows) values.push(key, tag.timestamp_ms, row, tag.is_whole, tag.importance);
  }
  insertRows(connection, INSERTED, values);
  countTagRows(
    connection,
    ofKeys.map(([key, rows]) => [key, rows.map(({ row }) => row)] as const),
  );
}

interface NewRow {
  row: number;
  tag: TagRow;
}

/** Returns the new rows in the order of the table, by key, because neighbouring rows are in the same pages. */
function inTableOrder(memories: readonly { row: number; tags: readonly TagRow[] }[]): [key: string, rows: NewRow[]][] {
  const ofKeys = new Map<string, NewRow[]>();
  for (const { row, tags } of memories) {
    for (const tag of tags) {
      const rows = ofKeys.get(tag.key);
      if (rows) rows.push({ row, tag });
      else ofKeys.set(tag.key, [{ row, tag }]);
    }
  }
  for (const rows of ofKeys.values()) rows.sort((one, other) => one.tag.timestamp_ms - other.tag.timestamp_ms);
  // Sorting only the distinct keys takes less time than sorting all rows by their keys.
  return [...ofKeys.keys()].sort().map(key => [key, ofKeys.get(key) ?? []]);
}

/**
 * Writes only the differences between the old and the new tags, because enrichment rewrites every memory, and usually
 * adds only a tag or two.
 */
export function rewriteTags(connection: Connection, row: number, memory: TaggedFields): void {
  const wanted = new Map(tagRowsOf(memory).map(tag => [tag.key, tag]));
  const present = connection.all<TagRow>('SELECT * FROM memory_tags WHERE memory = ?', row);
  for (const { key, timestamp_ms, is_whole, importance } of present) {
    const tag = wanted.get(key);
    if (tag?.timestamp_ms !== timestamp_ms) {
      connection.run(DELETE_TAG, key, timestamp_ms, row);
      continue;
    }
    wanted.delete(key);
    if (tag.is_whole === is_whole && importance === tag.importance) continue;
    connection.run(UPDATE_TAG, tag.is_whole, tag.importance, key, timestamp_ms, row);
  }
  writeTagRows(connection, [{ row, tags: [...wanted.values()] }]);
}

/** A block has 256 rows: those whose numbers differ only in so many low bits. */
export const BLOCK_BITS = 8;
/** Number of blocks that one query returns. Usually the newest few contain enough memories. */
const BLOCKS_PER_READ = 20;

const ADD = 'DO UPDATE SET count = count + excluded.count';
const MEMORY_BLOCKS = {
  table: 'memory_blocks',
  columns: ['block', 'count'],
  onConflict: `ON CONFLICT (block) ${ADD}`,
};
const TAG_BLOCKS = {
  table: 'tag_blocks',
  columns: ['block', 'key', 'count'],
  onConflict: `ON CONFLICT (block, key) ${ADD}`,
};

/** Counts new memories in their blocks. A trigger subtracts the memories that are deleted. */
export function countMemoryRows(connection: Connection, rows: readonly number[]): void {
  insertRows(connection, MEMORY_BLOCKS, [...countsOfBlocks(rows)].flat());
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
  // The counts are written in the order of the table, because those of one block are in the same pages.
  const ofBlocks = new Map<number, SqlValue[]>();
  for (const [key, rows] of tags) {
    for (const [block, count] of countsOfBlocks(rows)) {
      const values = ofBlocks.get(block);
      if (values) values.push(block, key, count);
      else ofBlocks.set(block, [block, key, count]);
    }
  }
  insertRows(connection, TAG_BLOCKS, [...ofBlocks.values()].flat());
}

function countsOfBlocks(rows: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const row of rows) {
    const block = Math.floor(row / 2 ** BLOCK_BITS);
    counts.set(block, (counts.get(block) ?? 0) + 1);
  }
  return counts;
}

export function countMemories(connection: Connection): number {
  return connection.get<{ count: number }>('SELECT total(count) AS count FROM memory_blocks')?.count ?? 0;
}

/** Counts the memories whose row is greater than `row`. */
export function countMemoriesAfter(connection: Connection, row: number): number {
  const block = row >> BLOCK_BITS;
  const statement = `SELECT (SELECT count(*) FROM memories WHERE row > ? AND row < ?) + total(count) AS count
    FROM memory_blocks WHERE block > ?`;
  return connection.get<{ count: number }>(statement, row, (block + 1) << BLOCK_BITS, block)?.count ?? 0;
}

/** Returns the rows of memories that have no tag at or below the key, newest first. */
export function rowsWithout(connection: Connection, key: string, max: number): number[] {
  const rows: number[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; rows.length < max; ) {
    const blocks = connection.all<{ block: number }>(
      `SELECT block FROM memory_blocks AS every WHERE block < ? AND count > ifnull((
         SELECT count FROM tag_blocks WHERE block = every.block AND key = ?
       ), 0) ORDER BY block DESC LIMIT ${BLOCKS_PER_READ}`,
      before,
      key,
    );
    rows.push(...blocks.flatMap(({ block }) => rowsOfBlock(connection, key, block)));
    if (blocks.length < BLOCKS_PER_READ) break;
    before = blocks.at(-1)?.block ?? 0;
  }
  return rows.slice(0, max);
}

function rowsOfBlock(connection: Connection, key: string, block: number): number[] {
  const statement = `SELECT row FROM memories WHERE row BETWEEN ? AND ?
    AND NOT EXISTS (SELECT 1 FROM memory_tags WHERE memory = row AND memory_tags.key = ?) ORDER BY row DESC`;
  const first = block << BLOCK_BITS;
  return connection.all<{ row: number }>(statement, first, first + 2 ** BLOCK_BITS - 1, key).map(({ row }) => row);
}
