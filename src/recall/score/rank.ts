/** Step: every candidate gets its score and its place. */
import type { Memory } from '../../domain/memory.js';
import type { RecallContext } from '../context.js';
import { isScoped } from '../plan/plan.js';
import { type Candidate, dropWhere, type Pool } from '../pool.js';
import { inOrder } from '../select/order.js';
import { rescored } from './candidates.js';
import { isEvidence } from './own-evidence.js';

export function score(context: RecallContext, pool: Pool): Pool {
  const { plan, settings } = context;
  const scored = pool.kept.map(candidate => rescored(context, candidate));
  const biased = plan.hasRecencyBias && !plan.isListing ? withRecencyBias(scored, settings.temporalWeight) : scored;
  const matching = dropWhere({ ...pool, kept: biased }, 'score', candidate =>
    plan.isListing || isCandidate(context, candidate) ? undefined : { reason: 'noEvidence' },
  );
  const kept = inOrder(matching.kept, plan.order);
  return { ...matching, kept, considered: kept };
}

/** Closeness in meaning that is no chance. */
const PLAINLY_CLOSE = 0.25;

/** The nearest vector may be far away, and the newest memory may have no bearing on the question. */
function isCandidate({ plan }: RecallContext, { own, lent, foundBy }: Candidate): boolean {
  if (foundBy.includes('priority')) return true;
  // In an order of time a weak match may come first: nearness by chance is none.
  if (plan.order !== 'score') return own.coverage > 0 || own.tag > 0 || own.closeness >= PLAINLY_CLOSE;
  // Whoever names tags or a time asks for what lies there, in the best order.
  return isEvidence(own) || lent > 0 || isScoped(plan);
}

/** The parts of a candidate that the bias reads and changes. */
interface Biased {
  memory: Pick<Memory, 'timestamp'>;
  score: { total: number; components: { context: number } };
}

/** Adds up to `weight` by creation time, from the oldest candidate to the newest. */
export function withRecencyBias<Some extends Biased>(candidates: readonly Some[], weight: number): Some[] {
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
