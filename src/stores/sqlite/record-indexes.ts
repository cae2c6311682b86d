/** The indexes of a memory: its rows in the tag table and its words in the full-text index. */
import { type SetRecord, setTokensOf } from '../../domain/filter-fields.js';
import type { Memory } from '../../domain/memory.js';
import { tagKeys } from '../../domain/tags.js';
import { stems } from '../../domain/text.js';
import type { Connection } from '../database/connection.js';

export type IndexedFields = SetRecord & Pick<Memory, 'content' | 'importance' | 'timestamp'>;

interface TagRow {
  key: string;
  timestamp_ms: number;
  is_whole: 0 | 1;
  importance: number;
}

const INSERT_TAG = 'INSERT INTO memory_tags (key, timestamp_ms, memory, is_whole, importance) VALUES (?, ?, ?, ?, ?)';
const INSERT_TAGS = `INSERT INTO memory_tags (key, timestamp_ms, memory, is_whole, importance)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?)`;
const DELETE_TAG = 'DELETE FROM memory_tags WHERE key = ? AND timestamp_ms = ? AND memory = ?';
const UPDATE_TAG = `UPDATE memory_tags SET is_whole = ?, importance = ?
  WHERE key = ? AND timestamp_ms = ? AND memory = ?`;
const INSERT_TEXT = 'INSERT OR REPLACE INTO memory_text (rowid, content, tags, keys) VALUES (?, ?, ?, ?)';
const GIVEN_TERMS = 'term IN (SELECT value FROM json_each(?))';
// Without `WHERE TRUE`, the parser would read ON CONFLICT as the condition of a join.
const COUNT_TERMS = `INSERT INTO term_counts
  SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?) WHERE TRUE
  ON CONFLICT (term) DO UPDATE SET count = count + excluded.count`;

/**
 * Writes the tags of new memories, in the order of the table, because neighbouring rows are in the same pages.
 *
 * @param memories new memories with their rows, for which no tags have been written yet
 */
export function writeNewTags(
  connection: Connection,
  memories: readonly { row: number; memory: IndexedFields }[],
): void {
  const rows = memories.flatMap(({ row, memory }) => {
    const timestampMs = Date.parse(memory.timestamp);
    return [...tagRows(memory)].map(([key, isWhole]) => [key, timestampMs, row, isWhole, memory.importance] as const);
  });
  rows.sort(([key, timestampMs], [other, otherMs]) => (key < other ? -1 : key > other ? 1 : timestampMs - otherMs));
  if (rows.length > 0) connection.run(INSERT_TAGS, JSON.stringify(rows));
}

/**
 * Writes only the differences between the old and the new tags, because enrichment rewrites every memory, and usually
 * adds only a tag or two.
 */
export function rewriteTags(connection: Connection, row: number, memory: IndexedFields): void {
  const timestampMs = Date.parse(memory.timestamp);
  const wanted = tagRows(memory);
  const present = connection.all<TagRow>('SELECT * FROM memory_tags WHERE memory = ?', row);
  for (const { key, timestamp_ms, is_whole, importance } of present) {
    const isWhole = wanted.get(key);
    if (isWhole === undefined || timestamp_ms !== timestampMs) {
      connection.run(DELETE_TAG, key, timestamp_ms, row);
      continue;
    }
    wanted.delete(key);
    if (isWhole === is_whole && importance === memory.importance) continue;
    connection.run(UPDATE_TAG, isWhole, memory.importance, key, timestamp_ms, row);
  }
  for (const [key, isWhole] of wanted) {
    connection.run(INSERT_TAG, key, timestampMs, row, isWhole, memory.importance);
  }
}

/** Maps each key to 1 for a whole tag, or 0 for a prefix only. */
function tagRows({ tags, tag_prefixes }: IndexedFields): Map<string, 0 | 1> {
  const wholeKeys = new Set(tagKeys(tags));
  return new Map(tag_prefixes.map(key => [key, wholeKeys.has(key) ? 1 : 0]));
}

type TextFields = SetRecord & Pick<Memory, 'content'>;

/** Writes the words of a memory in place of its former words, and updates the counts of these words. */
export function writeText(connection: Connection, row: number, memory: TextFields): void {
  const before = indexedTerms(connection, row);
  countTerms(connection, before, insertText(connection, row, memory));
}

export function deleteText(connection: Connection, row: number): void {
  const before = indexedTerms(connection, row);
  connection.run('DELETE FROM memory_text WHERE rowid = ?', row);
  countTerms(connection, before, new Set());
}

/**
 * Writes the words of new memories. The words of a batch are counted together, because most words occur in many texts
 * of the batch.
 *
 * @param memories new memories with their rows, for which no words have been written yet
 */
export function writeNewTexts(connection: Connection, memories: readonly { row: number; memory: TextFields }[]): void {
  const counts = new Map<string, number>();
  for (const { row, memory } of memories) {
    for (const term of insertText(connection, row, memory)) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  addCounts(connection, counts);
}

/**
 * Writes the words to the index, and does not update the counts.
 *
 * @returns the distinct words under which the memory is found
 */
export function insertText(connection: Connection, row: number, memory: TextFields): Set<string> {
  const ofContent = stems(memory.content);
  const ofTags = stems(memory.tags.join(' '));
  const ofKeys = setTokensOf(memory);
  connection.run(INSERT_TEXT, row, ofContent.join(' '), ofTags.join(' '), ofKeys.join(' '));
  return new Set([...ofContent, ...ofTags, ...ofKeys]);
}

function indexedTerms(connection: Connection, row: number): Set<string> {
  const statement = 'SELECT content, tags, keys FROM memory_text WHERE rowid = ?';
  const text = connection.get<{ content: string; tags: string; keys: string }>(statement, row);
  const terms = text ? `${text.content} ${text.tags} ${text.keys}`.split(' ') : [];
  return new Set(terms.filter(term => term !== ''));
}

function countTerms(connection: Connection, before: ReadonlySet<string>, after: ReadonlySet<string>): void {
  const gone = [...before].filter(term => !after.has(term));
  const added = [...after].filter(term => !before.has(term));
  if (gone.length > 0) {
    connection.run(`UPDATE term_counts SET count = count - 1 WHERE ${GIVEN_TERMS}`, JSON.stringify(gone));
    connection.run(`DELETE FROM term_counts WHERE ${GIVEN_TERMS} AND count = 0`, JSON.stringify(gone));
  }
  addCounts(connection, new Map(added.map(term => [term, 1])));
}

/** Adds the counts in the order of the table's key. */
function addCounts(connection: Connection, counts: ReadonlyMap<string, number>): void {
  if (counts.size === 0) return;
  const inOrder = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  connection.run(COUNT_TERMS, JSON.stringify(inOrder));
}
