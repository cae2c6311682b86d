/** Step: drops results with a low score. */
import type { RecallContext } from '../context.js';
import { dropWhere, isAdded, type Pool } from '../pool.js';

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
export function minimum({ plan }: RecallContext, pool: Pool): Pool {
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
