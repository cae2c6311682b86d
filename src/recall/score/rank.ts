/** Step: every candidate gets its score and its place. */
import type { RecallContext } from '../context.js';
import { isScoped } from '../plan/plan.js';
import { type Candidate, dropWhere, type Pool } from '../pool.js';
import { inOrder } from '../select/order.js';
import { isEvidence } from './own-evidence.js';
import { scoreOf } from './score.js';

export function score(context: RecallContext, pool: Pool): Pool {
  const { plan, settings } = context;
  const scored = pool.kept.map(candidate => ({ ...candidate, score: scoreOf(context, candidate) }));
  const biased = plan.hasRecencyBias && !plan.isListing ? withRecencyBias(scored, settings.temporalWeight) : scored;
  const matching = dropWhere({ ...pool, kept: biased }, 'score', candidate =>
    plan.isListing || isCandidate(context, candidate) ? undefined : { reason: 'noEvidence' },
  );
  const kept = inOrder(matching.kept, plan.order);
  return { ...matching, kept, considered: kept };
}

/** The nearest vector may be far away, and the newest memory may have no bearing on the question. */
function isCandidate({ plan }: RecallContext, { own, lent, foundBy }: Candidate): boolean {
  if (isEvidence(own) || lent > 0 || foundBy.includes('priority')) return true;
  // Whoever names tags or a time asks for what lies there, in the best order.
  return isScoped(plan) && plan.order === 'score';
}

/** Adds up to `weight` by creation time, from the oldest candidate to the newest. */
export function withRecencyBias(candidates: readonly Candidate[], weight: number): Candidate[] {
  const times = candidates.map(({ memory }) => Date.parse(memory.timestamp));
  const oldest = times.reduce((least, time) => Math.min(least, time), Infinity);
  const span = times.reduce((most, time) => Math.max(most, time), -Infinity) - oldest;
  if (!(span > 0)) return [...candidates];
  return candidates.map((candidate, index) => {
    const bonus = weight * (((times[index] ?? oldest) - oldest) / span);
    const { components, total } = candidate.score;
    const adjusted = { ...components, context: components.context + bonus };
    return { ...candidate, score: { ...candidate.score, total: total + bonus, components: adjusted } };
  });
}
