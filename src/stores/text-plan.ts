/**
 * Finds full-text candidates, in every store in the same way. A search looks the rarest words up in the index of words,
 * as long as they have few entries, so that its cost does not grow with the number of memories. If this finds too few
 * memories that pass the filter, the newest of these are ranked by all words. If they are still too few, one more word
 * is looked up.
 *
 * The score of a candidate is the sum of the idf of its words. This is BM25 without term frequency and length, which
 * matter little in short texts. Recall scores the candidates in full.
 */
import { type Condition, conditionsOf, isSetCondition, isUnmeetable, type SetField } from '../domain/filter.js';
import { inverseDocumentFrequency } from '../domain/text/terms.js';
import type { TermStatistics, TextAnswer, TextHit, TextSearch } from './ports/search-index.js';

/** Maximum number of index entries that a search reads for several words. */
export const ENTRIES_MAX = 4_000;
/** This share of the requested candidates is enough if more would need another search: the best have been found. */
const ENOUGH_SHARE = 0.5;

export interface WeightedTerm {
  term: string;
  /** Inverse document frequency. */
  weight: number;
}

/** A value of a field. A search asks how many memories have this value. */
export type ScopeValue = readonly [field: SetField, value: string];

/** What a store does for a search. */
export interface TextIndex<Hit extends TextHit> {
  /** Maximum number of index entries of a single word that is looked up last. */
  entriesOfOneMax: number;
  /** Counts the memories with each term and with each value of a field. */
  count(terms: readonly string[], scope: readonly ScopeValue[]): Promise<WordCounts>;
  /** Ranks the memories that have any of the `terms`, which are the rarest of `all`. */
  rankMatches(terms: readonly WeightedTerm[], all: readonly WeightedTerm[]): Promise<Ranking<Hit>>;
  /** Ranks the newest memories that pass the filter by all terms. */
  rankNewest(all: readonly WeightedTerm[]): Promise<Hit[]>;
  inOrder(one: Hit, other: Hit): number;
}

export interface WordCounts {
  statistics: TermStatistics;
  countOf(...value: ScopeValue): number;
  /** Upper bound of the number of memories among which the index is searched, if the store knows one. */
  searchedMax?: number;
}

export interface Ranking<Hit> {
  hits: Hit[];
  /** Whether no other memory can pass the filter. */
  isComplete?: boolean;
}

export async function findByWords<Hit extends TextHit>(
  index: TextIndex<Hit>,
  { terms, filter, limit }: TextSearch,
): Promise<TextAnswer> {
  const conditions = conditionsOf(filter);
  const {
    statistics,
    countOf,
    searchedMax = statistics.memoryCount,
  } = await index.count(terms, scopeFields(conditions));
  const all = rarestFirst(terms, statistics);
  if (limit <= 0 || all.length === 0 || conditions.some(isUnmeetable)) return { hits: [], statistics };

  const scopeSize = Math.min(scopeSizeOf(conditions, countOf), searchedMax);
  const entriesOf = ({ term }: WeightedTerm) => Math.min(statistics.frequencies.get(term) ?? 0, scopeSize);
  let total = 0;
  const totals = all.map(term => {
    total += entriesOf(term);
    return total;
  });
  const affordable = all.filter((_, at) => (totals[at] ?? 0) <= ENTRIES_MAX);
  let { hits, isComplete = total <= ENTRIES_MAX }: Ranking<Hit> =
    affordable.length > 0 ? await index.rankMatches(affordable, all) : { hits: [] };
  const isTooFew = () => !isComplete && hits.length < limit * ENOUGH_SHARE;
  const add = (more: readonly Hit[]) => {
    hits = bestOf([hits, more], limit, index.inOrder);
  };
  if (isTooFew()) add(await index.rankNewest(all));
  const next = all.slice(affordable.length, affordable.length + 1);
  if (isTooFew() && next.every(term => entriesOf(term) <= index.entriesOfOneMax)) {
    add((await index.rankMatches(next, all)).hits);
  }
  return { hits: hits.map(({ id, score }) => ({ id, score })), statistics };
}

/** Returns the terms that occur in at least one memory. */
function rarestFirst(terms: readonly string[], { memoryCount, frequencies }: TermStatistics): WeightedTerm[] {
  const frequencyOf = (term: string) => frequencies.get(term) ?? 0;
  return terms
    .filter(term => frequencyOf(term) > 0)
    .sort((a, b) => frequencyOf(a) - frequencyOf(b))
    .map(term => ({ term, weight: inverseDocumentFrequency(frequencyOf(term), memoryCount) }));
}

function scopeFields(conditions: readonly Condition[]): ScopeValue[] {
  return conditions
    .filter(isSetCondition)
    .flatMap(({ field, needs, values }) => (needs === 'none' ? [] : values.map((value): ScopeValue => [field, value])));
}

/** Computes an upper bound of the number of memories that meet the conditions, from the count of each value. */
function scopeSizeOf(conditions: readonly Condition[], countOf: WordCounts['countOf']): number {
  const sizes = conditions.filter(isSetCondition).map(({ field, needs, values }) => {
    const counts = values.map(value => countOf(field, value));
    if (needs === 'none') return Number.POSITIVE_INFINITY;
    return needs === 'all' ? Math.min(...counts) : counts.reduce((sum, count) => sum + count, 0);
  });
  return Math.min(...sizes);
}

/** Merges rankings. A memory may occur in more than one of them, with a lower score if fewer terms were used. */
function bestOf<Hit extends TextHit>(
  rankings: readonly (readonly Hit[])[],
  limit: number,
  inOrder: (a: Hit, b: Hit) => number,
): Hit[] {
  const hits = new Map<string, Hit>();
  for (const hit of rankings.flat()) if (hit.score > (hits.get(hit.id)?.score ?? 0)) hits.set(hit.id, hit);
  return [...hits.values()].sort(inOrder).slice(0, limit);
}
