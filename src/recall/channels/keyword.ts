/** Candidates that share words with the query. */
import type { MemoryFilter } from '../../domain/filter.js';
import type { GraphStore } from '../../stores/graph-store.js';

export async function keywordChannel(
  graph: GraphStore,
  search: { terms: readonly string[]; filter: MemoryFilter; limit: number },
): Promise<string[]> {
  if (search.terms.length === 0) return [];
  return (await graph.searchText(search)).map(({ id }) => id);
}
