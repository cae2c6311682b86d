/** Limits how long a caller waits, measured by an injected clock. */
import pTimeout from 'p-timeout';
import type { Clock } from './domain/time.js';

export interface TimeLimit {
  clock: Pick<Clock, 'schedule'>;
  limitMs: number;
  /** The error to reject with when the time has expired. */
  late(): Error;
}

/** Settles with the outcome of `work`, or rejects when `work` takes too long. A later outcome of `work` is ignored. */
export function withinLimit<Value>(work: Promise<Value>, { clock, limitMs, late }: TimeLimit): Promise<Value> {
  return pTimeout(work, {
    milliseconds: limitMs,
    fallback: () => {
      throw late();
    },
    customTimers: timersOf(clock),
  });
}

/**
 * Returns timers that use the clock. p-timeout passes to `clearTimeout` the value that `setTimeout` returned. Here this
 * value is the function that cancels the timer.
 */
function timersOf({ schedule }: TimeLimit['clock']) {
  return {
    setTimeout: (callback: () => void, delayMs: number) => schedule(delayMs, callback),
    clearTimeout: (cancel: (() => void) | undefined) => cancel?.(),
  } as unknown as { setTimeout: typeof setTimeout; clearTimeout: typeof clearTimeout };
}
