/** Step: drops candidates that do not match, and scores and sorts the others. */
import type { RecallContext } from '../context.js';
import { isScoped } from '../plan/plan.js';
import { type Candidate, dropWhere, type Pool } from '../pool.js';
import { BOUNDS } from '../ranking-constants.js';
import { inOrder } from '../select/order.js';
import { scored } from './candidates.js';
import { isEvidence } from './own-evidence.js';

export function score(context: RecallContext, pool: Pool): Pool {
  const { plan } = context;
  const times = pool.kept.map(({ reading }) => reading.notedMs);
  const bonuses = plan.hasRecencyBias && !plan.isListing ? recencyBonuses(times, BOUNDS.recencyBonus) : [];
  const withBonus = pool.kept.map((candidate, index) => {
    const bonus = bonuses[index] ?? 0;
    return bonus === 0 && candidate.lent === 0 ? candidate : scored(context, { ...candidate, bonus });
  });
  const matching = dropWhere({ ...pool, kept: withBonus }, 'score', candidate =>
    plan.isListing || isCandidate(context, candidate) ? undefined : { reason: 'noEvidence' },
  );
  const kept = inOrder(matching.kept, plan.order);
  return { ...matching, kept, considered: kept };
}

/**
 * Whether a memory matches the question. Retrieval also returns memories that do not match: even the nearest vector may
 * be far away, and the newest memory may be unrelated to the question.
 */
function isCandidate({ plan }: RecallContext, { own, lent, foundBy }: Candidate): boolean {
  if (foundBy.includes('priority')) return true;
  // In an order of time, a weak match may come first, so ignore a similarity that may be due to chance.
  if (plan.order !== 'score') return own.coverage > 0 || own.tag > 0 || own.closeness >= BOUNDS.closenessInTime;
  // Accept every candidate if the caller gives tags or a time. The caller then wants all memories with these tags or
  // from this time, best first.
  return isEvidence(own) || lent > 0 || isScoped(plan);
}

/** The bonuses by creation time, from 0 for the oldest memory to `weight` for the newest. */
export function recencyBonuses(times: readonly number[], weight: number): number[] {
  const oldest = times.reduce((least, time) => Math.min(least, time), Infinity);
  const span = times.reduce((most, time) => Math.max(most, time), -Infinity) - oldest;
  return times.map(time => (span > 0 ? weight * ((time - oldest) / span) : 0));
}
