/**
 * The words of a memory in the full-text index, and the number of memories with each word. After a change of the text
 * analyzer, the words of all memories are written again.
 */
import { type SetRecord, setTokensOf } from '../../domain/filter.js';
import type { Metadata } from '../../domain/json.js';
import type { Memory } from '../../domain/memory.js';
import { tagPrefixes } from '../../domain/tags.js';
import { indexedTerms } from '../../domain/text/terms.js';
import { ANALYZER_VERSION } from '../../domain/versions.js';
import type { Connection } from '../database/connection.js';
import type { OutdatedWords, RewrittenPage, WordUpkeep } from '../graph-store.js';
import { none, type Write } from './memory-database.js';
import { countMemoriesAfter } from './tags.js';

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
function insertWords(connection: Connection, row: number, { columns }: IndexedWords): void {
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

export function termFrequencies(connection: Connection, terms: readonly string[]): Map<string, number> {
  const rows = connection.all<{ term: string; count: number }>(
    `SELECT term, count FROM term_counts WHERE ${GIVEN_TERMS}`,
    JSON.stringify(terms),
  );
  return new Map(rows.map(({ term, count }) => [term, count]));
}

/**
 * Makes all words outdated if another version of the analyzer, older or newer, wrote the last words of the file. Must
 * be called before the first write.
 */
export function noteAnalyzer(connection: Connection): void {
  const { version } = connection.get<{ version: number }>('SELECT analyzer_version AS version FROM facts') ?? {};
  if (version === ANALYZER_VERSION) return;
  const rewrittenRow = 'iif(EXISTS (SELECT 1 FROM memories), 0, NULL)';
  connection.run(`UPDATE facts SET analyzer_version = ?, rewritten_row = ${rewrittenRow}`, ANALYZER_VERSION);
}

/** Implements the port `WordUpkeep`. */
export function wordUpkeep(connection: Connection, write: Write): WordUpkeep {
  return {
    countOutdatedWords: async () => countOutdated(connection),
    rewriteOutdatedWords: ({ limit }) => write(() => rewritePage(connection, limit), none),
  };
}

function countOutdated(connection: Connection): OutdatedWords {
  const row = rewrittenRow(connection);
  return { outdatedCount: row === undefined ? 0 : countMemoriesAfter(connection, row), hasNewer: false };
}

/** A loss of power may undo the last pages. Their words are then written again. */
function rewritePage(connection: Connection, limit: number): RewrittenPage {
  return connection.relaxedTransaction(() => {
    const after = rewrittenRow(connection);
    if (after === undefined) return { rewrittenCount: 0 };
    const rows = connection.all<{ row: number; content: string; tags: string; metadata: string }>(
      'SELECT row, content, tags, metadata FROM memories WHERE row > ? ORDER BY row LIMIT ?',
      after,
      limit,
    );
    for (const { row, content, ...texts } of rows) {
      const tags = JSON.parse(texts.tags) as string[];
      const metadata = JSON.parse(texts.metadata) as Metadata;
      rewriteWords(connection, row, { content, tags, tag_prefixes: tagPrefixes(tags), metadata });
    }
    const next = rows.length < limit ? undefined : rows.at(-1)?.row;
    connection.run('UPDATE facts SET rewritten_row = ?', next ?? null);
    return { rewrittenCount: rows.length, ...(next !== undefined && { next }) };
  });
}

function rewrittenRow(connection: Connection): number | undefined {
  return connection.get<{ row: number | null }>('SELECT rewritten_row AS row FROM facts')?.row ?? undefined;
}
