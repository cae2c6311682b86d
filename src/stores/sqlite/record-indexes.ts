/** What a memory is found by: its rows in the tag table and its words in the full-text index. */
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
const DELETE_TAG = 'DELETE FROM memory_tags WHERE key = ? AND timestamp_ms = ? AND memory = ?';
const UPDATE_TAG = `UPDATE memory_tags SET is_whole = ?, importance = ?
  WHERE key = ? AND timestamp_ms = ? AND memory = ?`;
const INSERT_TEXT = 'INSERT OR REPLACE INTO memory_text (rowid, content, tags, keys) VALUES (?, ?, ?, ?)';
const GIVEN_TERMS = 'term IN (SELECT value FROM json_each(?))';
// The condition tells the parser that what follows is no join.
const COUNT_TERMS = `INSERT INTO term_counts SELECT value, 1 FROM json_each(?) WHERE TRUE
  ON CONFLICT (term) DO UPDATE SET count = count + 1`;

export function writeTags(connection: Connection, row: number, memory: IndexedFields): void {
  const timestampMs = Date.parse(memory.timestamp);
  for (const [key, isWhole] of tagRows(memory)) {
    connection.run(INSERT_TAG, key, timestampMs, row, isWhole, memory.importance);
  }
}

/** Touches only what has changed: enrichment rewrites every memory, mostly to add a tag or two. */
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

/** For each key whether it is a whole tag (1) or a part of one only (0). */
function tagRows({ tags, tag_prefixes }: IndexedFields): Map<string, 0 | 1> {
  const wholeKeys = new Set(tagKeys(tags));
  return new Map(tag_prefixes.map(key => [key, wholeKeys.has(key) ? 1 : 0]));
}

type TextFields = SetRecord & Pick<Memory, 'content'>;

/** Writes the words of a memory, in place of those it had, and counts them. */
export function writeText(connection: Connection, row: number, memory: TextFields): void {
  const before = indexedTerms(connection, row);
  insertText(connection, row, memory);
  countTerms(connection, before, indexedTerms(connection, row));
}

export function deleteText(connection: Connection, row: number): void {
  const before = indexedTerms(connection, row);
  connection.run('DELETE FROM memory_text WHERE rowid = ?', row);
  countTerms(connection, before, new Set());
}

/** The index alone, without the counts. */
export function insertText(connection: Connection, row: number, memory: TextFields): void {
  const tagStems = stems(memory.tags.join(' '));
  connection.run(INSERT_TEXT, row, stems(memory.content).join(' '), tagStems.join(' '), setTokensOf(memory).join(' '));
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
  if (added.length > 0) connection.run(COUNT_TERMS, JSON.stringify(added));
}
