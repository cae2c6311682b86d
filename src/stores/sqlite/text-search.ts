/**
 * Full-text candidates. A search reads a bounded number of index entries, rarest terms first, so that its cost does not
 * grow with the memory; only when a filter then leaves too little does it read all there is.
 */
import type { MemoryFilter } from '../../domain/filter.js';
import { inverseDocumentFrequency } from '../../domain/term-weight.js';
import type { TermStatistics, TextAnswer, TextHit, TextSearch } from '../graph-store.js';
import type { Connection, SqlValue } from './connection.js';
import { fieldClause, scopeTokens, termExpression } from './filter-clause.js';
import type { TermFrequencies } from './term-frequencies.js';

/** Index entries that one search may read. */
const POSTINGS_BUDGET = 6_000;
/** A term in more than this share of all memories finds nothing that rarer ones would not. */
const COMMON_SHARE = 0.25;
/** Index entries that a search of a narrow time window may pass over on its way there. */
const WINDOW_POSTINGS_BUDGET = 30_000;
/** So many candidates are enough to go without the commonest terms. */
const ENOUGH_HITS = 8;
/** Most memories pass most filters: looking up a few times as many as wanted mostly yields enough. */
const LOOKED_AT_PER_HIT = 4;
/** A filter that leaves at most one of so many matches is selective: what the budget cut off may hold what it leaves. */
const STARVED_RATIO = 4;
/** A time window of at most this many memories is searched whole, however common the terms. */
const NARROW_WINDOW_ROWS = 5_000;

export interface TextIndex {
  connection: Connection;
  termFrequencies: TermFrequencies;
}

export function searchText(index: TextIndex, search: TextSearch, memoryCount: number): TextAnswer {
  const { connection } = index;
  const { terms, filter } = search;
  const frequencies = index.termFrequencies.of([...terms, ...scopeTokens(filter)], memoryCount);
  const statistics = { memoryCount, frequencies: new Map(terms.map(term => [term, frequencies.get(term) ?? 0])) };
  const rarestFirst = terms
    .map(term => ({ term, frequency: frequencies.get(term) ?? 0 }))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => a.frequency - b.frequency)
    .map(({ term }) => term);
  const window = narrowWindow(connection, filter);
  if (rarestFirst.length === 0 || window?.isEmpty) return { hits: [], statistics };

  const passes = { connection, search, statistics };
  const distinctive = distinctiveTerms(rarestFirst, statistics);
  if (window) {
    const cheap = withinBudget(distinctive, {
      postings: WINDOW_POSTINGS_BUDGET,
      of: term => frequencies.get(term) ?? 0,
    });
    return { hits: searchWindow(passes, window, [cheap, distinctive, rarestFirst]), statistics };
  }
  const affordable = withinBudget(distinctive, {
    postings: POSTINGS_BUDGET,
    of: term => scopedFrequency(term, filter, frequencies),
  });
  const best = { postingsPerTerm: POSTINGS_BUDGET, looksAt: search.limit * LOOKED_AT_PER_HIT };
  const { hits } = runPass(passes, affordable, best);
  if (hits.length >= search.limit) return { hits, statistics };
  const all = runPass(passes, affordable, { postingsPerTerm: POSTINGS_BUDGET });
  const isStarved = all.hits.length < search.limit && all.hits.length * STARVED_RATIO <= all.matched;
  return { hits: isStarved ? runPass(passes, rarestFirst, {}).hits : all.hits, statistics };
}

/** The terms that tell memories apart; all of them when none does. Reading the others costs most and says least. */
function distinctiveTerms(
  rarestFirst: readonly string[],
  { memoryCount, frequencies }: TermStatistics,
): readonly string[] {
  const distinctive = rarestFirst.filter(term => (frequencies.get(term) ?? 0) <= memoryCount * COMMON_SHARE);
  return distinctive.length > 0 ? distinctive : rarestFirst;
}

/** Tries more and commoner terms while too little is found; the commonest only when nothing is. */
function searchWindow(
  passes: Parameters<typeof runPass>[0],
  window: { first: number; last: number },
  [cheap, distinctive, all]: [readonly string[], readonly string[], readonly string[]],
): TextHit[] {
  let { hits } = runPass(passes, cheap, { rows: window });
  const isEnough = hits.length >= Math.min(passes.search.limit, ENOUGH_HITS);
  if (!isEnough && distinctive.length > cheap.length) ({ hits } = runPass(passes, distinctive, { rows: window }));
  if (hits.length === 0 && all.length > distinctive.length) ({ hits } = runPass(passes, all, { rows: window }));
  return hits;
}

interface PassBounds {
  /** Only rows in this range, both ends included. */
  rows?: { first: number; last: number };
  postingsPerTerm?: number;
  /** Only so many of the best are looked at, whether or not they pass the filter. */
  looksAt?: number;
}

interface PassResult {
  hits: TextHit[];
  /** How many were looked at. */
  matched: number;
}

/**
 * Ranks by the sum of the idf of the terms found. That is BM25 without term frequency and length, which short texts
 * hardly need, and it costs one index entry a hit; the caller scores the candidates properly.
 */
function runPass(
  { connection, search, statistics }: { connection: Connection; search: TextSearch; statistics: TermStatistics },
  terms: readonly string[],
  { rows, postingsPerTerm = -1, looksAt = -1 }: PassBounds,
): PassResult {
  const values: SqlValue[] = [];
  const parts = terms.map(term => {
    const frequency = statistics.frequencies.get(term) ?? 0;
    values.push(inverseDocumentFrequency(frequency, statistics.memoryCount), termExpression(term, search.filter));
    if (rows) values.push(rows.first, rows.last);
    values.push(postingsPerTerm);
    return `SELECT * FROM (SELECT rowid AS row, ? AS weight FROM memory_text WHERE memory_text MATCH ?
      ${rows ? 'AND rowid BETWEEN ? AND ?' : ''} ORDER BY rowid DESC LIMIT ?)`;
  });
  const fields = fieldClause(search.filter);
  // The first row counts what was looked at.
  const [counted, ...found] = connection.all<{ id: string | null; score: number }>(
    `WITH ranked AS MATERIALIZED (
       SELECT row AS hit, sum(weight) AS score FROM (${parts.join(' UNION ALL ')})
       GROUP BY row ORDER BY score DESC, hit DESC LIMIT ?
     )
     SELECT NULL AS id, count(*) AS score FROM ranked
     UNION ALL
     SELECT * FROM (
       SELECT id, score FROM ranked JOIN memories ON memories.row = hit
       WHERE ${fields.text} ORDER BY score DESC, hit DESC LIMIT ?
     )`,
    ...values,
    looksAt,
    ...fields.values,
    search.limit,
  );
  return {
    hits: found.flatMap(({ id, score }) => (id === null ? [] : [{ id, score }])),
    matched: counted?.score ?? 0,
  };
}

function withinBudget(
  rarestFirst: readonly string[],
  budget: { postings: number; of(term: string): number },
): string[] {
  let postings = 0;
  return rarestFirst.filter((term, index) => {
    postings += budget.of(term);
    return index === 0 || postings <= budget.postings;
  });
}

/** An upper bound of how many memories within the filter's tags hold the term. */
function scopedFrequency(term: string, filter: MemoryFilter, frequencies: ReadonlyMap<string, number>): number {
  const frequency = frequencies.get(term) ?? 0;
  const scope = scopeTokens(filter).map(token => frequencies.get(token) ?? 0);
  if (scope.length === 0) return frequency;
  const scopeSize = filter.tags?.mode === 'all' ? Math.min(...scope) : scope.reduce((sum, size) => sum + size, 0);
  return Math.min(frequency, scopeSize);
}

/** The rows of a time window when they are few; undefined when there is no window or it is wide. */
function narrowWindow(
  connection: Connection,
  { fromMs, toMs }: MemoryFilter,
): { isEmpty: boolean; first: number; last: number } | undefined {
  if (fromMs === undefined && toMs === undefined) return undefined;
  const span = connection.get<{ count: number; first: number | null; last: number | null }>(
    `SELECT count(*) AS count, min(row) AS first, max(row) AS last
     FROM (SELECT row FROM memories WHERE timestamp_ms BETWEEN ? AND ? LIMIT ?)`,
    fromMs ?? Number.MIN_SAFE_INTEGER,
    toMs ?? Number.MAX_SAFE_INTEGER,
    NARROW_WINDOW_ROWS + 1,
  );
  if (!span || span.count > NARROW_WINDOW_ROWS) return undefined;
  return { isEmpty: span.count === 0, first: span.first ?? 0, last: span.last ?? 0 };
}
