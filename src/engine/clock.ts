/** The time of the machine. */
import type { Clock } from '../domain/time.js';
import { outsideRequests } from '../request-context.js';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  schedule: (delayMs, callback, isAwaited = false) => {
    // A longer one would overflow, and be none at all.
    const limitedMs = Math.min(delayMs, LONGEST_TIMER_MS);
    // Background work is for many: the log must not put it down to the request that happened to set it off.
    const timer = outsideRequests(() => setTimeout(callback, limitedMs));
    if (!isAwaited) timer.unref();
    return () => clearTimeout(timer);
  },
};
