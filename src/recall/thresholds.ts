/** Adjusting and cutting by score: recency bias, adaptive floor, minimum score (automem-behaviour 3.8 and 3.12). */
import type { RecencyBias } from '../domain/recall-query.js';
import type { Scored } from './candidate.js';

const ASKS_FOR_THE_LATEST =
  /\b(latest|most recent|recently|current(ly)?|now|nowadays|today|changed|updated|last time|newest|these days|anymore)\b/i;

export function hasRecencyBias(bias: RecencyBias, text: string): boolean {
  return bias === 'on' || (bias === 'auto' && ASKS_FOR_THE_LATEST.test(text));
}

/** Adds up to `weight` by creation time, from the oldest candidate to the newest. */
export function withRecencyBias(candidates: readonly Scored[], weight: number): Scored[] {
  const times = candidates.map(({ candidate }) => Date.parse(candidate.memory.timestamp));
  const oldest = times.reduce((least, time) => Math.min(least, time), Infinity);
  const span = times.reduce((most, time) => Math.max(most, time), -Infinity) - oldest;
  if (!(span > 0)) return [...candidates];
  return candidates.map((scored, index) => {
    const bonus = weight * (((times[index] ?? oldest) - oldest) / span);
    const { components, total } = scored.score;
    const adjusted = { ...components, context: components.context + bonus };
    return { ...scored, score: { ...scored.score, total: total + bonus, components: adjusted } };
  });
}

/** Fewer results than this show no gap worth trusting. */
const FLOOR_MIN_RESULTS = 4;
const FLOOR_MIN_KEPT = 3;
/** A drop is a gap when it is more than this share of the best score. */
const FLOOR_GAP_SHARE = 0.25;

/**
 * The score just above the widest gap, when there is a real one in the upper half and at least half of the results stay;
 * undefined when there is none.
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
