/** A histogram of durations. Its size does not depend on the number of durations. */

/**
 * Upper bounds of the buckets, in milliseconds. The lowest bound fits an answer from a cache. The highest bound fits an
 * answer that comes after the caller has given up.
 */
export const DURATION_BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

export interface DurationCounts {
  /** Number of durations per bucket. A bucket counts the durations up to its bound and above the previous bound. */
  counts: readonly number[];
  /** Number of all durations. */
  total: number;
  sumMs: number;
}

export interface DurationCounter {
  add(durationMs: number): void;
  read(): DurationCounts;
}

export function createDurationCounter(): DurationCounter {
  const counts = DURATION_BOUNDS_MS.map(() => 0);
  let total = 0;
  let sumMs = 0;
  return {
    add: durationMs => {
      total += 1;
      sumMs += durationMs;
      const size = DURATION_BOUNDS_MS.findIndex(boundMs => durationMs <= boundMs);
      if (size >= 0) counts[size] = (counts[size] ?? 0) + 1;
    },
    read: () => ({ counts: [...counts], total, sumMs }),
  };
}
