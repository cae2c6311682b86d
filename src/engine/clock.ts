/** The time of the machine. */
import type { Clock } from '../domain/time.js';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  schedule: (delayMs, callback, isAwaited = false) => {
    // A longer one would overflow, and be none at all.
    const timer = setTimeout(callback, Math.min(delayMs, LONGEST_TIMER_MS));
    if (!isAwaited) timer.unref();
    return () => clearTimeout(timer);
  },
};
