/** Decides when an operation that failed may be tried again. */

const FIRST_MS = 15_000;
const MAX_MS = 600_000;

export interface Backoff {
  /** Whether the operation may be tried now. */
  isDue(): boolean;
  /** Records a failure. Each consecutive failure doubles the wait, from 15 seconds up to 10 minutes. */
  fail(): void;
  succeed(): void;
}

export function createBackoff(clock: { elapsedMs(): number }): Backoff {
  let failures = 0;
  let dueMs = Number.NEGATIVE_INFINITY;
  return {
    isDue: () => clock.elapsedMs() >= dueMs,
    fail: () => {
      dueMs = clock.elapsedMs() + Math.min(FIRST_MS * 2 ** failures, MAX_MS);
      failures += 1;
    },
    succeed: () => {
      failures = 0;
    },
  };
}
