/** The time of the machine. */
import type { Clock } from '../domain/time.js';

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  schedule: (delayMs, callback, isAwaited = false) => {
    const timer = setTimeout(callback, delayMs);
    if (!isAwaited) timer.unref();
    return () => clearTimeout(timer);
  },
};
