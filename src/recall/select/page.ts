/** Step: takes as many results of each question as its limit allows, and each memory once. */
import type { RecallContext } from '../context.js';
import { type Candidate, dropWhere, idsShown, type Pool, type RetrievedQuestion } from '../pool.js';
import { inOrder } from './order.js';
import { minimum } from './threshold.js';

/**
 * Each query returns up to its limit. If several queries return the same memory, the result with the highest score is
 * kept (specification, recall rule 7).
 */
export function page(context: RecallContext, pool: Pool): Pool {
  const { plan } = context;
  const passing = minimum(context, pool);
  const candidateCount = new Set(pool.considered.map(({ memory }) => memory.id)).size;
  const taken = new Map<RetrievedQuestion, number>();
  const cut = dropWhere(passing, 'page', ({ asked }) => {
    const count = (taken.get(asked) ?? 0) + 1;
    taken.set(asked, count);
    if (count <= asked.question.limit) return undefined;
    return plan.isListing ? { reason: 'listedLater', sort: plan.sort } : { reason: 'rankedLater', candidateCount };
  });
  if (pool.asked.length === 1) return cut;
  const once = merged(cut);
  return { ...once, kept: inOrder(once.kept, plan.order) };
}

/**
 * Keeps only the best result of each memory. Two questions may also have returned different memories with the same
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
