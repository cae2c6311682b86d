/** Step: takes as many results of each query as its limit allows, and each memory once. */

import { invalidityAt } from '../../domain/filter.js';
import { estimateTokens } from '../../domain/shown-text.js';
import type { RecallContext } from '../context.js';
import {
  type Candidate,
  compareScores,
  dropWhere,
  idsShown,
  inOrder,
  isAdded,
  type Pool,
  type RetrievedQuery,
} from '../pool.js';
import { withSuccessor } from './supersede.js';

/**
 * Each query returns up to its limit. If several queries return the same memory, the result with the highest score is
 * kept (specification, recall rule 7).
 */
export function page(context: RecallContext, pool: Pool): Pool {
  const { plan } = context;
  const passing = minimum(context, pool);
  const candidateCount = new Set(pool.considered.map(({ memory }) => memory.id)).size;
  const taken = new Map<RetrievedQuery, number>();
  const cut = dropWhere(passing, 'page', ({ query }) => {
    const count = (taken.get(query) ?? 0) + 1;
    taken.set(query, count);
    if (count <= query.query.limit) return undefined;
    return plan.isListing ? { reason: 'listedLater', sort: plan.sort } : { reason: 'rankedLater', candidateCount };
  });
  if (pool.queries.length === 1) return cut;
  const once = merged(cut);
  return { ...once, kept: inOrder(once.kept, plan.order) };
}

/**
 * Keeps only the best result of each memory. Two queries may also have returned different memories with the same
 * text. One of these memories is then dropped.
 */
function merged(pool: Pool): Pool {
  const best = new Map<string, Candidate>();
  for (const candidate of pool.kept) {
    const { id } = candidate.memory;
    if (candidate.score.total > (best.get(id)?.score.total ?? -Infinity)) best.set(id, candidate);
  }
  const shownBy = new Map<string, string>();
  return dropWhere(pool, 'page', candidate => {
    const { id } = candidate.memory;
    const twinId = best.get(id) === candidate ? shownBy.get(id) : id;
    if (twinId !== undefined) return { reason: 'duplicate', twinId };
    for (const shown of idsShown([candidate])) if (!shownBy.has(shown)) shownBy.set(shown, id);
    return undefined;
  });
}

export function threshold({ plan }: RecallContext, pool: Pool): Pool {
  const results = pool.kept.filter(candidate => !isAdded(candidate));
  const usesFloor = plan.usesAdaptiveFloor && plan.sort === 'score' && !plan.isListing;
  const floor = usesFloor ? adaptiveFloor(results.map(({ score }) => score.total)) : undefined;
  const cut = dropWhere(pool, 'threshold', candidate => {
    const { total } = candidate.score;
    const isBelow = total < plan.minScore || (!isAdded(candidate) && total < (floor ?? 0));
    return isBelow ? { reason: 'belowThreshold' } : undefined;
  });
  return { ...cut, floor };
}

/** Step: drops candidates below the requested minimum score, so that they take no places on the page. */
function minimum({ plan }: RecallContext, pool: Pool): Pool {
  return dropWhere(pool, 'minimum', ({ score }) =>
    score.total < plan.minScore ? { reason: 'belowThreshold' } : undefined,
  );
}

/** Minimum number of results that the floor keeps. */
const FLOOR_MIN_KEPT = 3;
/** The difference between two consecutive scores is a gap when it exceeds this share of the best score. */
const FLOOR_GAP_SHARE = 0.25;

/**
 * The score just above the first gap after the third result; undefined without a gap. Only the results up to the gap
 * determine the floor, so it does not depend on the limit.
 *
 * @param totals descending
 */
export function adaptiveFloor(totals: readonly number[]): number | undefined {
  const least = (totals[0] ?? 0) * FLOOR_GAP_SHARE;
  return totals.find((total, index) => index + 1 >= FLOOR_MIN_KEPT && total - (totals[index + 1] ?? total) > least);
}

/** Tokens for the details of each memory: number, score, match type, id and time. */
const FRAME_TOKENS = 40;

/** Keeps the order of the answer. Always keeps the best result, because an empty answer would be useless. */
export function budget({ plan }: RecallContext, pool: Pool): Pool {
  const maxTokens = plan.request.max_tokens;
  if (maxTokens === undefined) return pool;
  const best = plan.isListing ? pool.kept : bestFirst(pool.kept);
  let spent = 0;
  const firstTooMany = best.findIndex((candidate, index) => {
    spent += tokensOf(candidate);
    return index > 0 && spent > maxTokens;
  });
  const fitting = new Set(firstTooMany < 0 ? best : best.slice(0, firstTooMany));
  return dropWhere(pool, 'budget', candidate => (fitting.has(candidate) ? undefined : { reason: 'overBudget' }));
}

/**
 * Whether even the best result alone is longer than allowed. The result is kept whole. The tool that shows the result
 * shortens it.
 */
export function exceedsBudget({ plan }: RecallContext, { kept: [first, ...others] }: Pool): boolean {
  const { max_tokens: maxTokens = Infinity } = plan.request;
  return first !== undefined && others.length === 0 && tokensOf(first) > maxTokens;
}

/**
 * Sorts by score, even if the answer has another order. Results added by expansion or the fallback come after direct
 * results.
 */
function bestFirst(results: readonly Candidate[]): Candidate[] {
  const direct = results.filter(candidate => !isAdded(candidate));
  return [...direct.sort(compareScores), ...results.filter(isAdded)];
}

function tokensOf({ memory }: Candidate): number {
  return estimateTokens(memory.content) + estimateTokens(memory.tags.join(', ')) + FRAME_TOKENS;
}

export async function markValidity({ supersessions: find, nowMs, plan }: RecallContext, pool: Pool): Promise<Pool> {
  if (plan.isCurrentOnly) return pool;
  const supersessions = await find(pool.kept.map(({ memory }) => memory.id));
  const kept = pool.kept.map((candidate): Candidate => {
    const invalidity = invalidityAt(candidate.memory, nowMs);
    return { ...withSuccessor(candidate, supersessions), ...(invalidity && { invalidity }) };
  });
  return { ...pool, kept };
}
