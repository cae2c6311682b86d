/** A histogram of durations, which takes little memory however many there are. */

/**
 * Upper bounds of the buckets, in milliseconds: from an answer from memory to one that a caller no longer waited for.
 */
export const DURATION_BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

export interface DurationCounts {
  /** Number of durations per bucket: at most its bound, and above the bound before it. */
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
