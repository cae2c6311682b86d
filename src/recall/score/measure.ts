/** The best are compared with the question by their vectors themselves, so that the components that are shown are exact. */
import type { RecallContext } from '../context.js';
import type { AskedQuestion, Candidate, Pool } from '../pool.js';
import { measuredSimilarities } from '../retrieve/similarities.js';
import { inOrder } from '../select/order.js';
import { rescored } from './candidates.js';

/** Beyond what a page takes: among these its last places are decided. */
const MEASURED_BEYOND = 10;

/** @param pool in the order of the answer, by estimates */
export async function measure(context: RecallContext, pool: Pool): Promise<Pool> {
  let current = pool;
  for (;;) {
    const best = current.asked.flatMap(asked => bestOf(current, asked));
    const next = await measured(context, current, best);
    // Others may have moved up, since an estimate can be too high.
    if (next === current) return current;
    current = next;
  }
}

function bestOf({ kept, reach }: Pool, asked: AskedQuestion): Candidate[] {
  const mine = kept.filter(candidate => candidate.asked === asked);
  return mine.slice(0, (asked.question.limit + MEASURED_BEYOND) * reach);
}

/** The same pool with these of its candidates measured, those of them that were not. */
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

/** In their order. */
export async function measureAll(
  context: RecallContext,
  asked: AskedQuestion,
  candidates: readonly Candidate[],
): Promise<Candidate[]> {
  const similarityOf = await measuredSimilarities(
    context,
    asked,
    candidates.map(({ memory }) => memory),
  );
  return candidates.map(candidate => {
    const own = { ...candidate.own, ...similarityOf(candidate.memory) };
    return rescored(context, { ...candidate, own });
  });
}
