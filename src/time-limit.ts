/** A limit on how long something is waited for, by the clock that the memory was opened with. */
import pTimeout from 'p-timeout';
import type { Clock } from './domain/time.js';

export interface TimeLimit {
  clock: Pick<Clock, 'schedule'>;
  limitMs: number;
  /** What to reject with when the time is over. */
  late(): Error;
}

/** Settles as `work` does, or rejects when that takes too long. What `work` does afterwards is of no consequence any more. */
export function withinLimit<Value>(work: Promise<Value>, { clock, limitMs, late }: TimeLimit): Promise<Value> {
  return pTimeout(work, {
    milliseconds: limitMs,
    fallback: () => {
      throw late();
    },
    customTimers: timersOf(clock),
  });
}

/** The library only keeps what the one gives for the other. */
function timersOf({ schedule }: TimeLimit['clock']) {
  return {
    setTimeout: (callback: () => void, delayMs: number) => schedule(delayMs, callback),
    clearTimeout: (cancel: (() => void) | undefined) => cancel?.(),
  } as unknown as { setTimeout: typeof setTimeout; clearTimeout: typeof clearTimeout };
}
