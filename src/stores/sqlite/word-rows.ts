/** The words of a memory in the full-text index, and the number of memories with each word. */
import { type SetRecord, setTokensOf } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import { indexedTerms } from '../../domain/text/terms.js';
import type { Connection } from '../database/connection.js';

const INSERT_TEXT = 'INSERT OR REPLACE INTO memory_text (rowid, content, tags, keys) VALUES (?, ?, ?, ?)';
const GIVEN_TERMS = 'term IN (SELECT value FROM json_each(?))';
// Without `WHERE TRUE`, the parser would read ON CONFLICT as the condition of a join.
const COUNT_TERMS = `INSERT INTO term_counts
  SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?) WHERE TRUE
  ON CONFLICT (term) DO UPDATE SET count = count + excluded.count`;

type WordedFields = SetRecord & Pick<Memory, 'content' | 'metadata'>;

/** The words under which a memory is found. */
export interface IndexedWords {
  /** The columns of the full-text index, each with its words in order. The column `tags` also has those of metadata. */
  columns: readonly [content: string, tags: string, keys: string];
  distinct: ReadonlySet<string>;
}

export function indexedWords(memory: WordedFields): IndexedWords {
  const { ofContent, ofTags, ofMetadata } = indexedTerms(memory);
  const ofLabels = [...ofTags, ...ofMetadata];
  const ofKeys = setTokensOf(memory);
  return {
    columns: [ofContent.join(' '), ofLabels.join(' '), ofKeys.join(' ')],
    distinct: new Set([...ofContent, ...ofLabels, ...ofKeys]),
  };
}

/** Writes the words to the index, and does not update the counts. */
export function insertWords(connection: Connection, row: number, { columns }: IndexedWords): void {
  connection.run(INSERT_TEXT, row, ...columns);
}

/**
 * Writes the words of new memories. The words of a batch are counted together, because most words occur in many texts
 * of the batch.
 *
 * @param memories the row of each new memory, and its words, which are not in the index yet
 */
export function writeNewWords(connection: Connection, memories: readonly { row: number; words: IndexedWords }[]): void {
  const counts = new Map<string, number>();
  for (const { row, words } of memories) {
    insertWords(connection, row, words);
    for (const word of words.distinct) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  addCounts(connection, counts);
}

/** Writes the words of a memory in place of its former words, and updates the counts of both. */
export function rewriteWords(connection: Connection, row: number, memory: WordedFields): void {
  const before = wordsInIndex(connection, row);
  const words = indexedWords(memory);
  insertWords(connection, row, words);
  updateCounts(connection, before, words.distinct);
}

export function deleteWords(connection: Connection, row: number): void {
  const before = wordsInIndex(connection, row);
  connection.run('DELETE FROM memory_text WHERE rowid = ?', row);
  updateCounts(connection, before, new Set());
}

function wordsInIndex(connection: Connection, row: number): Set<string> {
  const statement = 'SELECT content, tags, keys FROM memory_text WHERE rowid = ?';
  const text = connection.get<{ content: string; tags: string; keys: string }>(statement, row);
  const words = text ? `${text.content} ${text.tags} ${text.keys}`.split(' ') : [];
  return new Set(words.filter(word => word !== ''));
}

function updateCounts(connection: Connection, before: ReadonlySet<string>, after: ReadonlySet<string>): void {
  const gone = [...before].filter(word => !after.has(word));
  const added = [...after].filter(word => !before.has(word));
  if (gone.length > 0) {
    connection.run(`UPDATE term_counts SET count = count - 1 WHERE ${GIVEN_TERMS}`, JSON.stringify(gone));
    connection.run(`DELETE FROM term_counts WHERE ${GIVEN_TERMS} AND count = 0`, JSON.stringify(gone));
  }
  addCounts(connection, new Map(added.map(word => [word, 1])));
}

/** Adds the counts in the order of the table's key, because neighbouring rows are in the same pages. */
function addCounts(connection: Connection, counts: ReadonlyMap<string, number>): void {
  if (counts.size === 0) return;
  const inOrder = [...counts.keys()].sort().map(term => [term, counts.get(term)]);
  connection.run(COUNT_TERMS, JSON.stringify(inOrder));
}
