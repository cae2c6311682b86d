/** Finds candidates that share words with the question, and the document frequencies of these words. */
import type { MemoryFilter } from '../../domain/filter.js';
import type { SearchIndex, TermStatistics } from '../../stores/ports/search-index.js';
import { nextTurn } from '../turns.js';

export interface KeywordOutcome {
  ids: string[];
  statistics: TermStatistics;
}

export async function keywordChannel(
  graph: Pick<SearchIndex, 'searchText'>,
  search: { terms: readonly string[]; filter: MemoryFilter; limit: number },
): Promise<KeywordOutcome> {
  if (search.terms.length === 0) return { ids: [], statistics: { memoryCount: 0, frequencies: new Map() } };
  // Wait for a turn of the event loop, because an embedded graph store blocks this thread. If the embedder has answered
  // by then, the vector search starts first.
  await nextTurn();
  const { hits, statistics } = await graph.searchText(search);
  return { ids: hits.map(({ id }) => id), statistics };
}
