/** The rows of a memory in the tag table: one for each distinct prefix of its tags. */
import type { Memory } from '../../domain/memory.js';
import { tagKeys } from '../../domain/tags.js';
import { type Connection, insertRows, type SqlValue } from '../database/connection.js';
import { countTagRows } from './tag-blocks.js';

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
