/** Durations counted by size, so that many of them take no room. */

/** Upper bounds of the sizes, in milliseconds: from an answer out of memory to one that somebody gave up waiting for. */
export const DURATION_BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

export interface DurationCounts {
  /** How many were at most as long as each of the bounds and longer than the one before it. */
  counts: readonly number[];
  /** Of any length. */
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
