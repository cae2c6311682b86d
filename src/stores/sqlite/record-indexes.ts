/** What a memory is found by: its rows in the tag table and its words in the full-text index. */
import type { Memory } from '../../domain/memory.js';
import { tagDigest, tagKeys } from '../../domain/tags.js';
import { stems } from '../../domain/text.js';
import type { Connection } from './connection.js';

export type IndexedFields = Pick<Memory, 'content' | 'tags' | 'tag_prefixes' | 'importance' | 'timestamp'>;

const INSERT_TAG = 'INSERT INTO memory_tags (key, timestamp_ms, memory, is_whole, importance) VALUES (?, ?, ?, ?, ?)';
const INSERT_TEXT = 'INSERT OR REPLACE INTO memory_text (rowid, content, tags, keys) VALUES (?, ?, ?, ?)';

export function writeTags(connection: Connection, row: number, memory: IndexedFields): void {
  const wholeKeys = new Set(tagKeys(memory.tags));
  const timestampMs = Date.parse(memory.timestamp);
  for (const key of memory.tag_prefixes) {
    connection.run(INSERT_TAG, key, timestampMs, row, wholeKeys.has(key) ? 1 : 0, memory.importance);
  }
}

export function rewriteTags(connection: Connection, row: number, memory: IndexedFields): void {
  connection.run('DELETE FROM memory_tags WHERE memory = ?', row);
  writeTags(connection, row, memory);
}

export function writeText(
  connection: Connection,
  row: number,
  memory: Pick<IndexedFields, 'content' | 'tags' | 'tag_prefixes'>,
): void {
  const tokens = [
    ...memory.tag_prefixes.map(key => keyToken(key, 'prefix')),
    ...tagKeys(memory.tags).map(key => keyToken(key, 'exact')),
  ];
  const tagStems = stems(memory.tags.join(' '));
  connection.run(INSERT_TEXT, row, stems(memory.content).join(' '), tagStems.join(' '), tokens.join(' '));
}

/** A key's digest as a word of the index: `p` for at or below the key, `w` for the key itself. */
export function keyToken(key: string, match: 'prefix' | 'exact'): string {
  return `${match === 'prefix' ? 'p' : 'w'}${tagDigest(key)}`;
}
