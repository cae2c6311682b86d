/**
 * Full-text candidates. A search reads a bounded number of index entries, rarest words first, so that its cost does not
 * grow with the memory. Where a filter leaves few memories, they are read instead.
 */
import type { MemoryFilter } from '../../domain/filter.js';
import { inverseDocumentFrequency } from '../../domain/term-weight.js';
import type { TermStatistics, TextAnswer, TextHit, TextSearch } from '../graph-store.js';
import type { Connection } from './connection.js';
import { decodeText, idIn } from './encoding.js';
import { countMemories } from './lists.js';
import type { Parameters } from './parameters.js';
import { countStatement, type Selection, selectionOf } from './selection.js';
import type { TermFrequencies } from './term-frequencies.js';
import { scopeTokens, stemExpression, stemToken } from './tokens.js';

/** Index entries that one search may rank. */
const POSTINGS_BUDGET = 4_000;
/** A word in more than this share of all memories finds nothing that rarer ones would not. */
const COMMON_SHARE = 0.25;
/** So many memories are few enough to be read and ranked one by one. */
const FEW = 2_000;
/** The best by their rarer words are ranked again by all words; so many for each one wanted. */
const RANKED_AGAIN = 4;

export interface TextIndex {
  connection: Connection;
  frequencies: TermFrequencies;
}

export async function searchText(index: TextIndex, search: TextSearch): Promise<TextAnswer> {
  const { terms, filter } = search;
  const scope = scopeTokens(filter);
  const { statistics, found } = await count(index, terms, scope);
  const { frequencies } = statistics;
  const rarestFirst = terms
    .filter(term => (frequencies.get(term) ?? 0) > 0)
    .sort((a, b) => (frequencies.get(a) ?? 0) - (frequencies.get(b) ?? 0));
  if (rarestFirst.length === 0 || search.limit <= 0) return { hits: [], statistics };
  const scopeSize = scopeSizeOf(
    filter,
    scope.map(token => found.get(token) ?? 0),
  );
  const plan = { ...index, search, statistics, rarestFirst, scopeSize, selection: selectionOf(filter) };
  return { hits: await findHits(plan), statistics };
}

export async function countTerms(index: TextIndex, terms: readonly string[]): Promise<TermStatistics> {
  return (await count(index, terms, [])).statistics;
}

/** @param scope tokens that are counted too */
async function count(index: TextIndex, terms: readonly string[], scope: readonly string[]) {
  const memoryCount = await countMemories(index.connection);
  const tokens = new Map(terms.map(term => [term, stemToken(term)]));
  const found = await index.frequencies.of([...tokens.values(), ...scope], memoryCount);
  const frequencies = new Map(terms.map(term => [term, found.get(tokens.get(term) ?? '') ?? 0]));
  return { statistics: { memoryCount, frequencies }, found };
}

interface Plan extends TextIndex {
  search: TextSearch;
  statistics: TermStatistics;
  rarestFirst: readonly string[];
  /** At most so many memories have the tags of the filter. */
  scopeSize: number;
  selection: Selection;
}

/** From the words' side first, unless a time window is there to begin with; from the filter's side when it leaves few. */
async function findHits(plan: Plan): Promise<TextHit[]> {
  const { search, rarestFirst } = plan;
  const { filter, limit } = search;
  const hasWindow = filter.fromMs !== undefined || filter.toMs !== undefined;
  if (hasWindow && (await leavesFew(plan))) return rankSelected(plan);
  const chosen = withinBudget(plan);
  const hits = await rankFound(plan, chosen);
  const isComplete = chosen.length === rarestFirst.length && postings(plan, rarestFirst) <= POSTINGS_BUDGET;
  if (hits.length >= limit || isComplete) return hits;
  if (!hasWindow && (await leavesFew(plan))) return rankSelected(plan);
  return chosen.length === rarestFirst.length ? hits : rankFound(plan, rarestFirst);
}

async function leavesFew({ connection, selection, search }: Plan): Promise<boolean> {
  const { filter } = search;
  const isOpen =
    !filter.tags && filter.fromMs === undefined && filter.toMs === undefined && filter.validAtMs === undefined;
  if (isOpen) return false;
  const [row] = await connection.read<{ count: number }>(countStatement(selection), {
    ...selection.parameters,
    max: FEW + 1,
  });
  return (row?.count ?? 0) <= FEW;
}

/** The words that tell memories apart, as far as the budget reaches; the rarest in any case. */
function withinBudget(plan: Plan): string[] {
  const { rarestFirst, statistics } = plan;
  const { memoryCount, frequencies } = statistics;
  const isDistinctive = (term: string) => (frequencies.get(term) ?? 0) <= memoryCount * COMMON_SHARE;
  const distinctive = rarestFirst.some(isDistinctive) ? rarestFirst.filter(isDistinctive) : rarestFirst;
  return distinctive.filter(
    (_, index) => index === 0 || postings(plan, distinctive.slice(0, index + 1)) <= POSTINGS_BUDGET,
  );
}

/** An upper bound of the index entries that these words have within the tags of the filter. */
function postings({ statistics, scopeSize }: Plan, terms: readonly string[]): number {
  return terms.reduce((sum, term) => sum + Math.min(statistics.frequencies.get(term) ?? 0, scopeSize), 0);
}

function scopeSizeOf({ tags }: MemoryFilter, frequencies: readonly number[]): number {
  if (!tags) return Number.POSITIVE_INFINITY;
  if (tags.mode === 'all') return Math.min(...frequencies);
  return frequencies.reduce((sum, frequency) => sum + frequency, 0);
}

/**
 * Ranks by the sum of the idf of the words found, and the best of them again by all words of the question. That is BM25
 * without term frequency and length, which short texts hardly need; the caller scores the candidates properly.
 */
async function rankFound(plan: Plan, terms: readonly string[]): Promise<TextHit[]> {
  const { search, selection } = plan;
  const [only, ...more] = terms;
  const expressions = terms.map(term => ({
    expression: stemExpression(term, search.filter),
    weight: weightOf(plan, term),
  }));
  // Read only as far as the budget reaches. That cannot be said for several words: the server forgets where it is.
  const found =
    only !== undefined && more.length === 0
      ? `CALL db.idx.fulltext.queryNodes('_MemoryIndex', $expressions[0].expression) YIELD node
         WITH node AS i LIMIT $budget WITH i, 1 AS score`
      : `UNWIND $expressions AS each CALL db.idx.fulltext.queryNodes('_MemoryIndex', each.expression) YIELD node
         WITH node AS i, sum(each.weight) AS score`;
  return rank(
    plan,
    `${found} WHERE ${selection.conditions} WITH i, score ORDER BY score DESC, i.timestamp_ms DESC LIMIT $looked_at`,
    {
      expressions,
      budget: POSTINGS_BUDGET,
      looked_at: search.limit * RANKED_AGAIN,
    },
  );
}

/** Ranks all that the filter leaves, which has been found to be few. */
function rankSelected(plan: Plan): Promise<TextHit[]> {
  return rank(plan, plan.selection.match, {});
}

async function rank(plan: Plan, found: string, parameters: Parameters): Promise<TextHit[]> {
  const { connection, search, selection, rarestFirst } = plan;
  const rows = await connection.read<{ id: string; score: number }>(
    `${found}
     WITH i, reduce(sum = 0.0, word IN $words | sum + CASE WHEN i.words CONTAINS word[0] THEN word[1] ELSE 0.0 END) AS score
     WHERE score > 0
     RETURN ${idIn('i')} AS id, score ORDER BY score DESC, i.timestamp_ms DESC, i.id LIMIT $limit`,
    {
      ...selection.parameters,
      ...parameters,
      words: rarestFirst.map(term => [` ${stemToken(term)} `, weightOf(plan, term)]),
      limit: search.limit,
    },
  );
  return rows.map(({ id, score }) => ({ id: decodeText(id), score }));
}

function weightOf({ statistics: { frequencies, memoryCount } }: Plan, term: string): number {
  return inverseDocumentFrequency(frequencies.get(term) ?? 0, memoryCount);
}
