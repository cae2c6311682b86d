/** Rounds numbers for answers. */

const SCORE_DECIMALS = 1e6;
const AVERAGE_DECIMALS = 1e3;
const MILLISECOND_DECIMALS = 1e3;

/** A score, or a component of a score, with six decimals. */
export function roundScore(value: number): number {
  return Math.round(value * SCORE_DECIMALS) / SCORE_DECIMALS;
}

/** An average with three decimals. */
export function roundAverage(value: number): number {
  return Math.round(value * AVERAGE_DECIMALS) / AVERAGE_DECIMALS;
}

/** Milliseconds with three decimals. */
export function roundMs(durationMs: number): number {
  return Math.round(durationMs * MILLISECOND_DECIMALS) / MILLISECOND_DECIMALS;
}

/** Whole seconds. A negative duration becomes 0. */
export function toSeconds(durationMs: number): number {
  return Math.max(0, Math.round(durationMs / 1000));
}
