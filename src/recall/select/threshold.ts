/** Step: drops results with a low score. */
import type { RecallContext } from '../context.js';
import { dropWhere, isAdded, type Pool } from '../pool.js';
import { standingOf } from './order.js';

export function threshold({ plan }: RecallContext, pool: Pool): Pool {
  const results = pool.kept.filter(candidate => !isAdded(candidate));
  const usesFloor = plan.usesAdaptiveFloor && plan.sort === 'score' && !plan.isListing;
  const floor = usesFloor ? adaptiveFloor(results.map(standingOf)) : undefined;
  const cut = dropWhere(pool, 'threshold', candidate => {
    const isBelow =
      candidate.score.total < plan.minScore || (!isAdded(candidate) && standingOf(candidate) < (floor ?? 0));
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

/** Minimum number of results for an adaptive floor, because a gap between fewer results is not reliable. */
const FLOOR_MIN_RESULTS = 4;
const FLOOR_MIN_KEPT = 3;
/** The difference between two consecutive scores is a gap when it exceeds this share of the best score. */
const FLOOR_GAP_SHARE = 0.25;

/**
 * The score just above the widest gap in the upper half of the results. Undefined when the widest gap is too small, or
 * when fewer than half of the results would stay.
 *
 * @param totals descending
 */
export function adaptiveFloor(totals: readonly number[]): number | undefined {
  if (totals.length < FLOOR_MIN_RESULTS) return undefined;
  const half = Math.max(FLOOR_MIN_KEPT, Math.floor(totals.length / 2));
  let widest = { gap: 0, above: 0 };
  for (let index = 1; index < Math.min(half, totals.length - 1); index++) {
    const gap = (totals[index] ?? 0) - (totals[index + 1] ?? 0);
    if (gap > widest.gap) widest = { gap, above: index };
  }
  const keepsEnough = widest.above + 1 >= Math.ceil(totals.length / 2);
  return widest.gap > (totals[0] ?? 0) * FLOOR_GAP_SHARE && keepsEnough ? totals[widest.above] : undefined;
}
