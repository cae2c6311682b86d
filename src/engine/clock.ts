/** The clock of the machine. */
import type { Clock } from '../domain/time.js';
import { outsideRequests } from '../request-context.js';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  schedule: (delayMs, callback, isAwaited = false) => {
    // Limit the delay, because Node treats a longer delay as no delay.
    const limitedMs = Math.min(delayMs, LONGEST_TIMER_MS);
    // Start timers outside of the current request. Background work serves many requests, so the log must not attribute
    // it to the request that started it.
    const timer = outsideRequests(() => setTimeout(callback, limitedMs));
    if (!isAwaited) timer.unref();
    return () => clearTimeout(timer);
  },
};
