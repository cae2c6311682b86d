/** Compares the best candidates with the question by their stored vectors, so that the shown components are exact. */
import type { RecallContext } from '../context.js';
import type { Candidate, Pool, RetrievedQuestion } from '../pool.js';
import { measuredSimilarities } from '../retrieve/similarities.js';
import { inOrder } from '../select/order.js';
import { scored } from './candidates.js';
import { ownEvidence } from './own-evidence.js';

/** Number of candidates that are measured in addition to the page, because they may take its last places. */
const MEASURED_BEYOND = 10;

/** @param pool sorted in the order of the answer, by estimated similarities */
export async function measure(context: RecallContext, pool: Pool): Promise<Pool> {
  let current = pool;
  for (;;) {
    const best = current.asked.flatMap(asked => bestOf(current, asked));
    const next = await measured(context, current, best);
    // Measure again until nothing changes. An estimate can be too high, so other candidates may have moved up.
    if (next === current) return current;
    current = next;
  }
}

function bestOf({ kept, reach }: Pool, asked: RetrievedQuestion): Candidate[] {
  const mine = kept.filter(candidate => candidate.asked === asked);
  return mine.slice(0, (asked.question.limit + MEASURED_BEYOND) * reach);
}

/** Measures the chosen candidates that were not measured before, and leaves the rest of the pool unchanged. */
export async function measured(context: RecallContext, pool: Pool, chosen: readonly Candidate[]): Promise<Pool> {
  const exact = new Map<Candidate, Candidate>();
  for (const asked of pool.asked) {
    const mine = chosen.filter(candidate => candidate.asked === asked && !candidate.own.isMeasured);
    const made = mine.length > 0 ? await measureAll(context, asked, mine) : [];
    for (const [index, candidate] of mine.entries()) {
      const each = made[index];
      if (each?.own.isMeasured) exact.set(candidate, each);
    }
  }
  if (exact.size === 0) return pool;
  const replaced = (candidates: readonly Candidate[]) => {
    const inPlace = candidates.map(candidate => exact.get(candidate) ?? candidate);
    return inOrder(inPlace, context.plan.order);
  };
  const kept = replaced(pool.kept);
  return { ...pool, kept, considered: pool.considered === pool.kept ? kept : replaced(pool.considered) };
}

/** Returns all candidates in the given order, with measured similarities and the scores that result from them. */
export async function measureAll(
  context: RecallContext,
  asked: RetrievedQuestion,
  candidates: readonly Candidate[],
): Promise<Candidate[]> {
  const similarityOf = await measuredSimilarities(
    context,
    asked,
    candidates.map(({ memory }) => memory),
  );
  return candidates.map(candidate => {
    const own = ownEvidence(candidate.own, similarityOf(candidate.memory));
    return scored(context, { ...candidate, own });
  });
}
