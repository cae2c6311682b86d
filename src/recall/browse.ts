/** The part of recall that asks nothing: what is most important, or newest, among what passes the filter (decisions D19). */
import { passesFilter } from '../domain/filter.js';
import type { SortOrder } from '../domain/recall-query.js';
import type { GraphStore, ListOrder } from '../stores/graph-store.js';
import type { Scored } from './candidate.js';
import { compareScores } from './order.js';
import { type Picked, type PickRules, pick } from './pick.js';
import { scoreFound } from './search.js';
import { createPacer } from './turns.js';

const LIST_ORDER: Record<SortOrder, ListOrder> = {
  score: 'importance',
  time_desc: 'updated_desc',
  updated_desc: 'updated_desc',
  time_asc: 'updated_asc',
  updated_asc: 'updated_asc',
};
/** How much more is read when too little of what was read holds now or scores enough. */
const GROWTH = 4;
/** No store is in the order of scores: this many of the most important and of the newest stand for all. */
const SCORED_MIN = 100;
/** A minimum score that hardly anything reaches must not read everything. */
const READ_FOR_MINIMUM = 2_000;

export interface BrowseRequest extends PickRules {
  graph: GraphStore;
  sort: SortOrder;
  /** By final score instead of importance. */
  isByScore: boolean;
  minScore: number;
}

export async function browse(request: BrowseRequest): Promise<Picked & { belowMinimum: number }> {
  const { limit, minScore, isByScore } = request;
  for (let size = isByScore ? Math.max(limit, SCORED_MIN) : limit; ; size *= GROWTH) {
    const { ids, isAll } = await listIds(request, size);
    const listed = await scoreListed(ids, request);
    const passing = listed.filter(({ score }) => score.total >= minScore);
    const picked = await pick(isByScore ? passing.sort(compareScores) : passing, request);
    const isEnough = picked.results.length >= limit || isAll || (minScore > 0 && size >= READ_FOR_MINIMUM);
    if (isEnough) return { ...picked, belowMinimum: listed.length - passing.length };
  }
}

async function listIds(
  { graph, filter, sort, isByScore, scoring }: BrowseRequest,
  size: number,
): Promise<{ ids: string[]; isAll: boolean }> {
  const orders = isByScore ? (['importance', 'newest'] as const) : [LIST_ORDER[sort]];
  const lists = await Promise.all(orders.map(order => graph.list({ filter, order, limit: size })));
  const preferred = isByScore ? (scoring.hints?.ids ?? []) : [];
  return { ids: [...new Set([...lists.flat(), ...preferred])], isAll: lists.some(({ length }) => length < size) };
}

async function scoreListed(ids: readonly string[], { graph, filter, scoring }: BrowseRequest): Promise<Scored[]> {
  const memories = await graph.getMemories(ids);
  const pace = createPacer();
  const listed: Scored[] = [];
  for (const id of ids) {
    const memory = memories.get(id);
    if (!memory || !passesFilter(memory, filter)) continue;
    await pace(memory.content.length);
    const scored = scoreFound(memory, { foundBy: ['list'] }, scoring);
    const score = { ...scored.score, matchType: scoring.unmatchedType, matchScore: memory.importance };
    listed.push({ ...scored, score });
  }
  return listed;
}
