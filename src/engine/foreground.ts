/** Delays long background work while callers wait for the answers to their requests. */
import type { Clock } from '../domain/time.js';
import { yieldToEventLoop } from '../event-loop.js';

/** Maximum wait of background work, because it must finish even under constant load. */
const WAIT_MAX_MS = 50;

export interface Foreground {
  /** Counts the call as a waiting request until `answer` has settled. */
  during<Result>(answer: () => Promise<Result>): Promise<Result>;
  /** Resolves when no request is waiting, or after 50 ms. */
  giveWay(): Promise<void>;
}

export function createForeground(clock: Pick<Clock, 'schedule'>): Foreground {
  let waitingCount = 0;
  let waiting = new Set<() => void>();
  const wakeAll = () => {
    const all = waiting;
    waiting = new Set();
    for (const wake of all) wake();
  };
  const untilAnswered = () =>
    new Promise<void>(resolve => {
      const cancel = clock.schedule(WAIT_MAX_MS, () => wake(), true);
      const wake = () => {
        cancel();
        waiting.delete(wake);
        resolve();
      };
      waiting.add(wake);
    });
  return {
    during: async answer => {
      waitingCount += 1;
      try {
        return await answer();
      } finally {
        waitingCount -= 1;
        if (waitingCount === 0) wakeAll();
      }
    },
    giveWay: async () => {
      await yieldToEventLoop();
      if (waitingCount > 0) await untilAnswered();
    },
  };
}
