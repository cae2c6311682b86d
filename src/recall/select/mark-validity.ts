/**
 * Step: in a recall that includes history, marks each result that is not current. If the results are sorted by score,
 * the step also places the current results before the others, and the added results last.
 */
import { invalidityAt } from '../../domain/filter.js';
import type { RecallContext } from '../context.js';
import { type Candidate, isAdded, type Pool } from '../pool.js';
import { withSuccessor } from './supersede.js';

export async function markValidity({ supersessions: find, nowMs, plan }: RecallContext, pool: Pool): Promise<Pool> {
  if (plan.isCurrentOnly) return pool;
  const supersessions = await find(pool.kept.map(({ memory }) => memory.id));
  const kept = pool.kept.map((candidate): Candidate => {
    const invalidity = invalidityAt(candidate.memory, nowMs);
    return { ...withSuccessor(candidate, supersessions), ...(invalidity && { invalidity }) };
  });
  // If the results are sorted by time, keep that order.
  return { ...pool, kept: plan.sort === 'score' ? kept.sort((a, b) => rank(a) - rank(b)) : kept };
}

/** Sort key: direct results that are current, then direct results that are not, then added results. */
function rank(candidate: Candidate): number {
  if (isAdded(candidate)) return 2;
  return candidate.supersededBy || candidate.invalidity ? 1 : 0;
}
