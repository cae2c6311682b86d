/** The rows of a memory in the tag table: one for each distinct prefix of its tags. */
import type { Memory } from '../../domain/memory.js';
import { tagKeys } from '../../domain/tags.js';
import type { Connection } from '../database/connection.js';
import { addToBlocks } from './tag-blocks.js';

type TaggedFields = Pick<Memory, 'tags' | 'tag_prefixes' | 'importance' | 'timestamp'>;

export interface TagRow {
  key: string;
  timestamp_ms: number;
  /** 1 for a whole tag, or 0 for a prefix only. */
  is_whole: 0 | 1;
  importance: number;
}

const INSERT_TAGS = `INSERT INTO memory_tags (key, timestamp_ms, memory, is_whole, importance)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?)`;
const DELETE_TAG = 'DELETE FROM memory_tags WHERE key = ? AND timestamp_ms = ? AND memory = ?';
const UPDATE_TAG = `UPDATE memory_tags SET is_whole = ?, importance = ?
  WHERE key = ? AND timestamp_ms = ? AND memory = ?`;

export function tagRowsOf({ tags, tag_prefixes, importance, timestamp }: TaggedFields): TagRow[] {
  const wholeKeys = new Set(tagKeys(tags));
  const timestamp_ms = Date.parse(timestamp);
  return [...new Set(tag_prefixes)].map(key => ({
    key,
    timestamp_ms,
    is_whole: wholeKeys.has(key) ? 1 : 0,
    importance,
  }));
}

/** @param memories the row of each memory, and its new rows for the tag table */
export function writeTagRows(
  connection: Connection,
  memories: readonly { row: number; tags: readonly TagRow[] }[],
): void {
  const added = memories.flatMap(({ row, tags }) => tags.map(tag => ({ ...tag, row })));
  if (added.length === 0) return;
  // Write in the order of the table, because neighbouring rows are in the same pages.
  added.sort((one, other) =>
    one.key < other.key ? -1 : one.key > other.key ? 1 : one.timestamp_ms - other.timestamp_ms,
  );
  const values = added.map(({ key, timestamp_ms, row, is_whole, importance }) => [
    key,
    timestamp_ms,
    row,
    is_whole,
    importance,
  ]);
  connection.run(INSERT_TAGS, JSON.stringify(values));
  addToBlocks(connection, added);
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
