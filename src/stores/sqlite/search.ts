/** Finding memories: by words, by tag, by order. No step reads more than a bounded number of index entries. */
import type { MemoryFilter } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import type { ListOrder, TextHit, TextSearch } from '../graph-store.js';
import { type Connection, placeholders, type SqlValue } from './connection.js';
import { filterClause, termExpression, windowClause } from './filter-clause.js';
import { type MemoryRow, memoryOf } from './rows.js';

/** Index entries that one search may read: rarer terms first, so what is left out says the least. */
const POSTINGS_BUDGET = 12_000;
/** A time window of at most this many memories is searched whole, however common the terms. */
const NARROW_WINDOW_ROWS = 5_000;

const ORDER_BY: Record<ListOrder, string> = {
  importance: 'importance DESC, timestamp_ms DESC, id',
  updated_desc: 'updated_ms DESC, timestamp_ms DESC, id',
  updated_asc: 'updated_ms, timestamp_ms, id',
};

export function list(
  connection: Connection,
  request: { filter: MemoryFilter; order: ListOrder; limit: number },
): string[] {
  const { text, values } = filterClause(request.filter);
  const statement = `SELECT id FROM memories WHERE ${text} ORDER BY ${ORDER_BY[request.order]} LIMIT ?`;
  return connection.all<{ id: string }>(statement, ...values, request.limit).map(({ id }) => id);
}

export function listByTags(
  connection: Connection,
  { keys, limit, offset }: { keys: readonly string[]; limit: number; offset: number },
): Memory[] {
  const { text, values } = filterClause({ tags: { keys, mode: 'any', match: 'exact' } });
  const statement = `SELECT * FROM memories WHERE ${text} ORDER BY ${ORDER_BY.importance} LIMIT ? OFFSET ?`;
  return connection.all<MemoryRow>(statement, ...values, limit, offset).map(memoryOf);
}

/** In how many memories each term occurs. */
export function termFrequencies(connection: Connection, terms: readonly string[]): Map<string, number> {
  const rows = connection.all<{ term: string; doc: number }>(
    `SELECT term, doc FROM memory_terms WHERE term IN (${placeholders(terms)})`,
    ...terms,
  );
  return new Map(rows.map(({ term, doc }) => [term, doc]));
}

export function countMemories(connection: Connection): number {
  return connection.get<{ count: number }>('SELECT count(*) AS count FROM memories')?.count ?? 0;
}

export function countEmbedded(connection: Connection): number {
  const statement = 'SELECT count(*) AS count FROM memories WHERE embedded_by IS NOT NULL';
  return connection.get<{ count: number }>(statement)?.count ?? 0;
}

/**
 * Ranks by the sum of the idf of the terms found. That is BM25 without term frequency and length, which short texts
 * hardly need, and it costs one index entry a hit; the caller scores the candidates properly.
 */
export function searchText(
  connection: Connection,
  { terms, filter, limit }: TextSearch,
  memoryCount: number,
): TextHit[] {
  const frequencies = termFrequencies(connection, terms);
  const known = terms
    .map(term => ({ term, frequency: frequencies.get(term) ?? 0 }))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => a.frequency - b.frequency);
  const chosen = withinBudget(known);
  if (chosen.length === 0) return [];

  const window = narrowWindow(connection, filter);
  if (window?.isEmpty) return [];
  const range = window ? 'AND rowid BETWEEN ? AND ?' : '';
  const bounds: SqlValue[] = window ? [window.first, window.last] : [];
  const parts: string[] = [];
  const values: SqlValue[] = [];
  for (const { term, frequency } of chosen) {
    const weight = Math.log(1 + (memoryCount - frequency + 0.5) / (frequency + 0.5));
    parts.push(
      `SELECT * FROM (SELECT rowid AS row, ? AS weight FROM memory_text WHERE memory_text MATCH ? ${range}
       ORDER BY rowid DESC LIMIT ?)`,
    );
    values.push(weight, termExpression(term, filter), ...bounds, window ? -1 : POSTINGS_BUDGET);
  }
  const within = windowClause(filter);
  return connection
    .all<TextHit>(
      `SELECT id, score FROM (
       SELECT row AS hit, sum(weight) AS score FROM (${parts.join(' UNION ALL ')}) GROUP BY row
     ) JOIN memories ON memories.row = hit
     WHERE ${within.text} ORDER BY score DESC, hit DESC LIMIT ?`,
      ...values,
      ...within.values,
      limit,
    )
    .map(({ id, score }) => ({ id, score }));
}

function withinBudget<Term extends { frequency: number }>(rarestFirst: readonly Term[]): Term[] {
  let postings = 0;
  return rarestFirst.filter((term, index) => {
    postings += term.frequency;
    return index === 0 || postings <= POSTINGS_BUDGET;
  });
}

/** The rows of a time window when they are few; undefined when there is no window or it is wide. */
function narrowWindow(
  connection: Connection,
  filter: MemoryFilter,
): { isEmpty: boolean; first: number; last: number } | undefined {
  const { text, values } = windowClause(filter);
  if (values.length === 0) return undefined;
  const span = connection.get<{ count: number; first: number | null; last: number | null }>(
    `SELECT count(*) AS count, min(row) AS first, max(row) AS last
     FROM (SELECT row FROM memories WHERE ${text} LIMIT ?)`,
    ...values,
    NARROW_WINDOW_ROWS + 1,
  );
  if (!span || span.count > NARROW_WINDOW_ROWS) return undefined;
  return { isEmpty: span.count === 0, first: span.first ?? 0, last: span.last ?? 0 };
}
