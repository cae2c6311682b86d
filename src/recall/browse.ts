/** The part of recall that asks nothing: what is most important, or newest, among what passes the filter (decisions D19). */
import type { MemoryFilter } from '../domain/filter.js';
import type { SortOrder } from '../domain/recall-query.js';
import type { GraphStore, ListOrder } from '../stores/graph-store.js';
import type { Scored } from './candidate.js';
import { type Picked, type PickRules, pick } from './pick.js';
import type { ScoreRules } from './score.js';
import { scoreFound } from './search.js';

const LIST_ORDER: Record<SortOrder, ListOrder> = {
  score: 'importance',
  time_desc: 'updated_desc',
  updated_desc: 'updated_desc',
  time_asc: 'updated_asc',
  updated_asc: 'updated_asc',
};
/** How much more is read when too little of what was read holds now. */
const GROWTH = 4;

export interface BrowseRequest extends PickRules {
  sort: SortOrder;
}

export async function browse(request: BrowseRequest): Promise<Picked> {
  const { graph, filter, sort, scoring, limit } = request;
  for (let size = limit; ; size *= GROWTH) {
    const ids = await graph.list({ filter, order: LIST_ORDER[sort], limit: size });
    const picked = await pick(await listed(graph, ids, { filter, scoring }), request);
    if (picked.results.length >= limit || ids.length < size) return picked;
  }
}

async function listed(
  graph: GraphStore,
  ids: readonly string[],
  { filter, scoring }: { filter: MemoryFilter; scoring: ScoreRules },
): Promise<Scored[]> {
  const memories = await graph.getMemories(ids);
  const matchType = filter.tags ? 'tag' : 'keyword';
  return ids.flatMap(id => {
    const memory = memories.get(id);
    if (!memory) return [];
    const scored = scoreFound(memory, { foundBy: ['list'] }, scoring);
    return [{ ...scored, score: { ...scored.score, matchType, matchScore: memory.importance } as const }];
  });
}
