/**
 * Counts how many memories each filter of a recall hides, when the recall finds almost nothing. The caller learns which
 * filter to leave out. The count costs one more search per kind of filter. These searches run in parallel, and only for
 * the first question. If several filters are given and none of them hides a memory on its own, one last search leaves
 * out all of them.
 */
import { invalidityAt, type MemoryFilter, passesFilter } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import type { HiddenCounts, Suppressed } from '../../domain/recall.js';
import type { RecallContext } from '../context.js';
import type { RecallPlan } from '../plan.js';
import { byQuery, EMPTY_POOL, isAdded, type Pool, type RetrievedQuery } from '../pool.js';
import { isEvidence } from '../score/evidence.js';
import { fillPage } from '../select/fill-page.js';
import type { RecallRun } from '../steps.js';

/** Maximum count. Callers need no exact number above this maximum. */
const COUNTED_MAX = 20;

/**
 * From this number of results on, nothing is counted: the filters did not hide the answer, and the additional searches
 * would cost more than the recall.
 */
const ENOUGH = 3;

/** A part of the filter that the caller may leave out. */
interface Part {
  name: 'tags' | 'excludedTags' | 'time';
  filter: MemoryFilter;
}

/**
 * Memories that are hidden by their state are counted only if the recall found nothing.
 *
 * @returns undefined when the recall found enough, or when it has no filter to leave out and no such memory was counted
 */
export async function countHidden({ context, pool }: RecallRun): Promise<HiddenCounts | undefined> {
  const { plan } = context;
  const { validAtMs } = plan.filter;
  const statedParts = partsOf(plan);
  const found = pool.kept.filter(candidate => !isAdded(candidate)).length;
  if (found >= Math.min(wanted(plan), ENOUGH) || (found > 0 && statedParts.length === 0)) return undefined;
  const countedTo = Math.min(plan.request.limit, COUNTED_MAX);
  const relaxed: Relaxed = { context, limit: countedTo + found };
  const counts: HiddenCounts = { countedTo };
  const countPart = async (part: Part) => {
    const memories = await findWithout(relaxed, [part]);
    counts[part.name] = upTo(countedTo, memories, memory => !passesFilter(memory, part.filter));
  };
  const isStateCounted = validAtMs !== undefined && found === 0;
  const [atAnyTime] = await Promise.all([isStateCounted ? findAtAnyTime(relaxed) : [], ...statedParts.map(countPart)]);
  if (statedParts.length > 1 && statedParts.every(({ name }) => counts[name] === 0)) {
    const memories = await findWithout(relaxed, statedParts);
    counts.together = upTo(countedTo, memories, memory => statedParts.some(each => !passesFilter(memory, each.filter)));
  }
  const isInvalid = (memory: Memory) => validAtMs !== undefined && invalidityAt(memory, validAtMs) !== undefined;
  const state = upTo(countedTo, atAnyTime, isInvalid);
  if (state > 0) counts.state = state;
  return statedParts.length > 0 || state > 0 ? counts : undefined;
}

function wanted({ queries }: RecallPlan): number {
  return Math.max(...queries.map(({ limit }) => limit));
}

/**
 * The parts of the filter that the caller may leave out. With `scope_fallback` the tags are not such a part, because
 * the recall has already searched outside the tags.
 */
function partsOf({ request, filter: { tags, excludedTagKeys, fromMs, toMs } }: RecallPlan): Part[] {
  const time = { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) };
  return [
    ...(tags && !request.scope_fallback ? [{ name: 'tags', filter: { tags } } as const] : []),
    ...(excludedTagKeys ? [{ name: 'excludedTags', filter: { excludedTagKeys } } as const] : []),
    ...(Object.keys(time).length > 0 ? [{ name: 'time', filter: time } as const] : []),
  ];
}

function upTo(most: number, memories: readonly Memory[], isHidden: (memory: Memory) => boolean): number {
  return Math.min(most, memories.filter(isHidden).length);
}

interface Relaxed {
  context: RecallContext;
  limit: number;
}

function findWithout({ context, limit }: Relaxed, left: readonly Part[]): Promise<Memory[]> {
  const dropped = new Set(left.flatMap(({ filter }) => Object.keys(filter)));
  const kept = Object.entries(context.plan.filter).filter(([name]) => !dropped.has(name));
  return find(context, { filter: Object.fromEntries(kept) }, limit);
}

function findAtAnyTime({ context, limit }: Relaxed): Promise<Memory[]> {
  const { validAtMs: _now, ...filter } = context.plan.filter;
  return find(context, { filter, isCurrentOnly: false }, limit);
}

/**
 * The memories that the recall finds with a changed plan. In a recall with a question, a memory counts only if it has
 * evidence for the question, even if the recall also has tags or a time.
 */
async function find(context: RecallContext, change: Partial<RecallPlan>, limit: number): Promise<Memory[]> {
  const { plan } = context;
  const queries = plan.queries.slice(0, 1).map(query => ({ ...query, limit, supplements: [] }));
  const { kept } = await fillPage({ ...context, plan: { ...plan, ...change, queries } }, EMPTY_POOL);
  const bearing = kept.filter(({ own, propagated }) => plan.isListing || propagated > 0 || isEvidence(own));
  return bearing.map(({ memory }) => memory);
}

/**
 * The memories that the page would have shown if they were current, each once. Memories that the stores themselves
 * filter out are looked up only with `state_debug`.
 */
export async function findSuppressed({ context, pool }: RecallRun): Promise<Suppressed[]> {
  if (!context.plan.isCurrentOnly) return [];
  const shown = new Set(pool.kept.map(({ memory }) => memory.id));
  const lowest = lowestScores(pool);
  const found = new Map<string, Suppressed>();
  for (const { id, reason, candidate, isReplaced } of pool.dropped) {
    if (reason.reason !== 'superseded' || found.has(id)) continue;
    const { successorId, relationType } = reason;
    const least = Math.max(context.plan.minScore, (candidate && lowest.get(candidate.query)) ?? 0);
    const isOnPage = candidate !== undefined && candidate.score.total >= least;
    if (isOnPage || (isReplaced && shown.has(successorId))) {
      found.set(id, { id, reason: 'superseded', successorId, relationType });
    }
  }
  if (context.plan.request.state_debug) {
    for (const each of await invalidOnes(context)) if (!found.has(each.id)) found.set(each.id, each);
  }
  return [...found.values()];
}

/** The score that a memory needs to come onto the page, by query. It is the lowest score of a full page. */
function lowestScores(pool: Pool): Map<RetrievedQuery, number> {
  const found = new Map<RetrievedQuery, number>();
  for (const [query, kept] of byQuery(pool, pool.kept)) {
    if (kept.length >= query.query.limit) found.set(query, Math.min(...kept.map(({ score }) => score.total)));
  }
  return found;
}

/** Reads the page of results again without the validity filter, and lists the memories on it that are not valid. */
async function invalidOnes(context: RecallContext): Promise<Suppressed[]> {
  const { validAtMs, ...filter } = context.plan.filter;
  if (validAtMs === undefined) return [];
  const plan = { ...context.plan, filter, isCurrentOnly: false };
  const { kept } = await fillPage({ ...context, plan }, EMPTY_POOL);
  return kept.flatMap(({ memory }) => {
    const reason = invalidityAt(memory, validAtMs);
    return reason ? [{ id: memory.id, reason }] : [];
  });
}
