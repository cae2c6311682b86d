/** Finds candidates that share words with the question, and the document frequencies of these words. */
import type { MemoryFilter } from '../../domain/filter.js';
import { halvesOf, type QueryTerm } from '../../domain/text/terms.js';
import type { SearchIndex, TermStatistics } from '../../stores/ports/search-index.js';
import { searchKeys } from '../score/evidence.js';

export interface KeywordOutcome {
  ids: string[];
  statistics: TermStatistics;
}

/**
 * Searches for the terms of a question. A word that no memory has is also searched as two words.
 *
 * @returns the terms with the pairs of words that were found, and what `keywordChannel` returns
 */
export async function searchWords(
  graph: Pick<SearchIndex, 'searchText' | 'countTerms'>,
  asked: readonly QueryTerm[],
  search: { filter: MemoryFilter; limit: number },
): Promise<KeywordOutcome & { asked: readonly QueryTerm[] }> {
  const found = await keywordChannel(graph, { terms: searchKeys(asked), ...search });
  const unknown = asked.filter(({ term, isName }) => !isName && !found.statistics.frequencies.get(term));
  const halves = new Map(unknown.map(({ term, word }) => [term, halvesOf(word)]));
  const possible = [...new Set([...halves.values()].flat(2))];
  if (possible.length === 0) return { asked, ...found };
  const { frequencies } = await graph.countTerms(possible);
  const isKnown = (pair: readonly string[]) => pair.every(half => frequencies.get(half));
  const terms = [...new Set([...halves.values()].flat().filter(isKnown).flat())];
  if (terms.length === 0) return { asked, ...found };
  const known = asked.map(each => ({
    ...each,
    spellings: [...each.spellings, ...(halves.get(each.term) ?? []).filter(isKnown)],
  }));
  const further = await keywordChannel(graph, { terms, ...search });
  return {
    asked: known,
    ids: [...new Set([...found.ids, ...further.ids])],
    statistics: { ...found.statistics, frequencies: new Map([...found.statistics.frequencies, ...frequencies]) },
  };
}

export async function keywordChannel(
  graph: Pick<SearchIndex, 'searchText'>,
  search: { terms: readonly string[]; filter: MemoryFilter; limit: number },
): Promise<KeywordOutcome> {
  if (search.terms.length === 0) return { ids: [], statistics: { memoryCount: 0, frequencies: new Map() } };
  const { hits, statistics } = await graph.searchText(search);
  return { ids: hits.map(({ id }) => id), statistics };
}
