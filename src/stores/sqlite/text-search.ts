/**
 * Full-text candidates. A search reads a bounded number of index entries, rarest terms first, so that its cost does not
 * grow with the memory. Where a filter leaves few of those, the search starts from the filter's side instead.
 */
import type { MemoryFilter } from '../../domain/filter.js';
import { inverseDocumentFrequency } from '../../domain/term-weight.js';
import { type Connection, GIVEN_ROWS, type SqlValue } from '../database/connection.js';
import type { TermStatistics, TextAnswer, TextHit, TextSearch } from '../graph-store.js';
import { filterClause, scopeTokens, termExpression } from './filter-clause.js';
import { filteredRows, prevailingExclusion } from './filtered-rows.js';
import { termFrequencies } from './term-frequencies.js';

/** Index entries that one search may read. */
const POSTINGS_BUDGET = 6_000;
/** A term in more than this share of all memories finds nothing that rarer ones would not. */
const COMMON_SHARE = 0.25;
/** Most memories pass most filters: looking up a few times as many as wanted mostly yields enough. */
const LOOKED_AT_PER_HIT = 2;
/** A filter that leaves at most one of so many matches is selective: what the budget cut off may hold what it leaves. */
const STARVED_RATIO = 4;

export function searchText(connection: Connection, search: TextSearch, memoryCount: number): TextAnswer {
  const { terms, filter } = search;
  const frequencies = termFrequencies(connection, [...terms, ...scopeTokens(filter)]);
  const statistics = { memoryCount, frequencies: new Map(terms.map(term => [term, frequencies.get(term) ?? 0])) };
  const rarestFirst = terms
    .map(term => ({ term, frequency: frequencies.get(term) ?? 0 }))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => a.frequency - b.frequency)
    .map(({ term }) => term);
  if (rarestFirst.length === 0) return { hits: [], statistics };

  const affordable = withinBudget(distinctiveTerms(rarestFirst, statistics), {
    postings: POSTINGS_BUDGET,
    of: term => scopedFrequency(term, filter, frequencies),
  });
  const passes = { connection, search, statistics, ...splitFilter(connection, filter) };
  return { hits: findHits(passes, rarestFirst, affordable), statistics };
}

/**
 * The index passes over what a tag excludes entry by entry. Where that is most of them, the entries are read and checked
 * instead, within the budget.
 */
function splitFilter(connection: Connection, filter: MemoryFilter): Pick<Passes, 'inIndex' | 'besideIndex'> {
  const { tags, excludedTagKeys = [], ...fields } = filter;
  const prevailing = prevailingExclusion(connection, filter)?.key;
  return {
    inIndex: { ...(tags && { tags }), excludedTagKeys: excludedTagKeys.filter(key => key !== prevailing) },
    besideIndex: { ...fields, ...(prevailing !== undefined && { excludedTagKeys: [prevailing] }) },
  };
}

/** From the words' side first, unless the index knows nothing of the filter; from the filter's side when it leaves few. */
function findHits(passes: Passes, terms: readonly string[], affordable: readonly string[]): TextHit[] {
  const { filter, limit } = passes.search;
  const readFilter = () => filteredRows(passes.connection, filter);
  const { fromMs, toMs, excludedTagKeys } = passes.besideIndex;
  let left = (fromMs ?? toMs ?? excludedTagKeys) === undefined ? undefined : readFilter();
  if (left?.isAll) return rankRows(passes, terms, left.rows);

  const best = runPass(passes, affordable, limit * LOOKED_AT_PER_HIT);
  if (best.hits.length >= limit) return best.hits;
  if (isStarved(best)) left ??= readFilter();
  if (left?.isAll) return rankRows(passes, terms, left.rows);

  // Rare words found too few. Where reading everything costs little, the others have their say too.
  const all = runPass(passes, passes.statistics.memoryCount <= POSTINGS_BUDGET ? terms : affordable);
  if (all.hits.length >= limit || !isStarved(all)) return all.hits;
  left ??= readFilter();
  return left ? bestOf([all.hits, rankRows(passes, terms, left.rows)], limit) : all.hits;
}

function isStarved({ hits, matched }: PassResult): boolean {
  return hits.length * STARVED_RATIO <= matched;
}

/** The terms that tell memories apart; all of them when none does. Reading the others costs most and says least. */
function distinctiveTerms(
  rarestFirst: readonly string[],
  { memoryCount, frequencies }: TermStatistics,
): readonly string[] {
  const distinctive = rarestFirst.filter(term => (frequencies.get(term) ?? 0) <= memoryCount * COMMON_SHARE);
  return distinctive.length > 0 ? distinctive : rarestFirst;
}

interface Passes {
  connection: Connection;
  search: TextSearch;
  statistics: TermStatistics;
  /** The filter in two parts: what the index evaluates, and what is checked for each of its entries. */
  inIndex: MemoryFilter;
  besideIndex: MemoryFilter;
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
  { connection, search, statistics, inIndex, besideIndex }: Passes,
  terms: readonly string[],
  looksAt = -1,
): PassResult {
  const values: SqlValue[] = [];
  const parts = terms.map(term => {
    values.push(weightOf(term, statistics), termExpression(term, inIndex), POSTINGS_BUDGET);
    return `SELECT * FROM (SELECT rowid AS row, ? AS weight FROM memory_text WHERE memory_text MATCH ?
      ORDER BY rowid DESC LIMIT ?)`;
  });
  const fields = filterClause(besideIndex);
  // The first row counts what was looked at.
  const [counted, ...found] = connection.all<{ id: string | null; score: number }>(
    `WITH ranked AS MATERIALIZED (
       SELECT row AS hit, sum(weight) AS score FROM (${parts.join(' UNION ALL ')})
       GROUP BY row ORDER BY score DESC, hit DESC LIMIT ?
     )
     SELECT NULL AS id, count(*) AS score FROM ranked
     UNION ALL
     SELECT * FROM (
       SELECT id, score FROM ranked CROSS JOIN memories ON memories.row = hit
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

/** Ranks the rows that pass the filter as `runPass` does, by reading their words instead of the index. */
function rankRows(
  { connection, search, statistics }: Passes,
  terms: readonly string[],
  rows: readonly number[],
): TextHit[] {
  const filter = filterClause(search.filter);
  const score = terms.map(() => '? * (instr(text, ?) > 0)').join(' + ');
  return connection.all<TextHit>(
    `WITH passing AS MATERIALIZED (
       SELECT row AS hit, id FROM ${GIVEN_ROWS}
       WHERE ${filter.text}
     ), texts AS MATERIALIZED (
       SELECT hit, id, ' ' || content || ' ' || tags || ' ' AS text FROM passing JOIN memory_text ON rowid = hit
     ), scored AS MATERIALIZED (SELECT hit, id, ${score} AS score FROM texts)
     SELECT id, score FROM scored WHERE score > 0 ORDER BY score DESC, hit DESC LIMIT ?`,
    JSON.stringify(rows),
    ...filter.values,
    ...terms.flatMap(term => [weightOf(term, statistics), ` ${term} `]),
    search.limit,
  );
}

function weightOf(term: string, { frequencies, memoryCount }: TermStatistics): number {
  return inverseDocumentFrequency(frequencies.get(term) ?? 0, memoryCount);
}

/** The best of several rankings by the same measure; a hit may stand in more than one. */
function bestOf(rankings: readonly TextHit[][], limit: number): TextHit[] {
  const hits = new Map<string, TextHit>();
  for (const hit of rankings.flat()) {
    if (hit.score > (hits.get(hit.id)?.score ?? 0)) hits.set(hit.id, hit);
  }
  return [...hits.values()].sort((a, b) => b.score - a.score).slice(0, limit);
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
