/** The channels that find memories by their words, and by words and time. */
import type { MemoryFilter } from '../../domain/filter.js';
import { halvesOf, type QueryTerm } from '../../domain/text/terms.js';
import type { SearchIndex, TermStatistics } from '../../stores/ports/search-index.js';
import type { NamedDate } from '../language/dates-named.js';
import { BOUNDS } from '../ranking-constants.js';
import { searchKeys } from '../score/analyzed-query.js';

export interface FoundByWords {
  ids: string[];
  /** The terms with the pairs of words that were found. */
  terms: readonly QueryTerm[];
  statistics: TermStatistics;
}

/** Searches for the terms of a query. A word that no memory has is also searched as two words. */
export async function findByWords(
  graph: Pick<SearchIndex, 'searchText'>,
  terms: readonly QueryTerm[],
  search: { filter: MemoryFilter; limit: number },
): Promise<FoundByWords> {
  const { ids, statistics } = await searchText(graph, { terms: searchKeys(terms), ...search });
  const unknown = terms.filter(({ term, isName }) => !isName && !statistics.frequencies.get(term));
  const halves = new Map(unknown.map(({ term, word }) => [term, halvesOf(word)]));
  const possible = [...new Set([...halves.values()].flat(2))];
  if (possible.length === 0) return { terms, ids, statistics };
  const { frequencies } = (await graph.searchText({ terms: possible, filter: {}, limit: 0 })).statistics;
  const knownOf = (term: string) => (halves.get(term) ?? []).filter(pair => pair.every(half => frequencies.get(half)));
  const pairs = unknown.flatMap(({ term }) => knownOf(term));
  if (pairs.length === 0) return { terms, ids, statistics };
  const further = await searchText(graph, { terms: [...new Set(pairs.flat())], ...search });
  return {
    terms: terms.map(each => ({ ...each, spellings: [...each.spellings, ...knownOf(each.term)] })),
    ids: [...new Set([...ids, ...further.ids])],
    statistics: { ...statistics, frequencies: new Map([...statistics.frequencies, ...frequencies]) },
  };
}

export async function searchText(
  graph: Pick<SearchIndex, 'searchText'>,
  search: { terms: readonly string[]; filter: MemoryFilter; limit: number },
): Promise<{ ids: string[]; statistics: TermStatistics }> {
  if (search.terms.length === 0) return { ids: [], statistics: { memoryCount: 0, frequencies: new Map() } };
  const { hits, statistics } = await graph.searchText(search);
  return { ids: hits.map(({ id }) => id), statistics };
}

/**
 * Finds memories that were noted on the date or soon after it, and that share the other words of the query. Also lists
 * the most important memories of the date itself, because a query may share no word with them.
 */
export async function findByDate(
  graph: Pick<SearchIndex, 'list' | 'searchText'>,
  date: NamedDate,
  search: { terms: readonly string[]; filter: MemoryFilter; limit: number },
): Promise<string[]> {
  const { filter, limit } = search;
  const { fromMs: earliestMs = -Infinity, toMs: latestMs = Infinity } = filter;
  const fromMs = Math.max(earliestMs, date.fromMs);
  const within = (toMs: number) => ({ ...filter, fromMs, toMs: Math.min(latestMs, toMs) });
  if (fromMs > latestMs) return [];
  const terms = search.terms.filter(term => !date.terms.has(term));
  const [{ ids }, listed] = await Promise.all([
    searchText(graph, { terms, filter: within(date.toMs + BOUNDS.notedLaterMs), limit }),
    graph.list({ filter: within(date.toMs), order: 'importance', limit }),
  ]);
  return [...new Set([...ids, ...listed])];
}
