/**
 * Lists the most important, the newest or the oldest memories that pass the filter. A listing uses only these memories.
 * A recall sorted by time adds the matches of the other channels.
 */
import type { ListOrder } from '../../stores/ports/search-index.js';
import type { RecallContext } from '../context.js';
import type { RecallPlan } from '../plan/plan.js';

const LIST_ORDER: Record<RecallPlan['order'], readonly ListOrder[]> = {
  // No store sorts by score, so the most important and the newest memories are read instead of the best ones.
  score: ['importance', 'newest'],
  importance: ['importance'],
  time_desc: ['updated_desc'],
  updated_desc: ['updated_desc'],
  time_asc: ['updated_asc'],
  updated_asc: ['updated_asc'],
};
/** Minimum and maximum number of memories to read when some of them will not belong to the answer. */
const LOOKED_THROUGH_MIN = 100;
const LOOKED_THROUGH_MAX = 6_400;

export interface Listed {
  ids: string[];
  hasMore: boolean;
}

export async function listIds({ graph, plan }: RecallContext, reach: number): Promise<Listed> {
  const { filter, order, hints, query, isListing } = plan;
  const first = order === 'score' || !isListing ? Math.max(query.limit, LOOKED_THROUGH_MIN) : query.limit;
  const limit = Math.min(first * reach, LOOKED_THROUGH_MAX);
  const lists = await Promise.all(LIST_ORDER[order].map(each => graph.list({ filter, order: each, limit })));
  const preferred = order === 'score' ? (hints?.ids ?? []) : [];
  return {
    ids: [...new Set([...lists.flat(), ...preferred])],
    hasMore: limit < LOOKED_THROUGH_MAX && lists.every(({ length }) => length >= limit),
  };
}
