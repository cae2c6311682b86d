/** Candidates of a recall that asks nothing: what is most important or newest among what passes the filter. */
import type { MemoryFilter } from '../../domain/filter.js';
import type { SortOrder } from '../../domain/recall-query.js';
import type { GraphStore, ListOrder } from '../../stores/graph-store.js';

const LIST_ORDER: Record<SortOrder, ListOrder> = {
  score: 'importance',
  time_desc: 'updated_desc',
  updated_desc: 'updated_desc',
  time_asc: 'updated_asc',
  updated_asc: 'updated_asc',
};

export function listedChannel(
  graph: GraphStore,
  request: { filter: MemoryFilter; sort: SortOrder; limit: number },
): Promise<string[]> {
  const { filter, sort, limit } = request;
  return graph.list({ filter, order: LIST_ORDER[sort], limit });
}
