/** Step: in a recall that includes history, marks each result that is not current. */
import { invalidityAt } from '../../domain/filter.js';
import type { RecallContext } from '../context.js';
import type { Candidate, Pool } from '../pool.js';
import { withSuccessor } from './supersede.js';

export async function markValidity({ supersessions: find, nowMs, plan }: RecallContext, pool: Pool): Promise<Pool> {
  if (plan.isCurrentOnly) return pool;
  const supersessions = await find(pool.kept.map(({ memory }) => memory.id));
  const kept = pool.kept.map((candidate): Candidate => {
    const invalidity = invalidityAt(candidate.memory, nowMs);
    return { ...withSuccessor(candidate, supersessions), ...(invalidity && { invalidity }) };
  });
  return { ...pool, kept };
}
