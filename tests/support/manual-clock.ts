/** A clock that moves only when a test moves it. */
import type { Clock } from '../../src/domain/time.js';

export interface ManualClock extends Clock {
  /** Advances the time and runs due timers in order. */
  advance(durationMs: number): void;
  /** Sets the time of day, as when somebody corrects a clock. No time passes. */
  set(iso: string): void;
}

export function createManualClock(startIso = '2026-03-01T12:00:00.000Z'): ManualClock {
  let nowMs = Date.parse(startIso);
  let correctionMs = 0;
  const timers = new Set<{ dueMs: number; callback: () => void }>();
  return {
    nowMs: () => nowMs + correctionMs,
    elapsedMs: () => nowMs,
    schedule: (delayMs, callback) => {
      const timer = { dueMs: nowMs + delayMs, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    set: iso => {
      correctionMs = Date.parse(iso) - nowMs;
    },
    advance: durationMs => {
      const untilMs = nowMs + durationMs;
      for (;;) {
        const next = [...timers].filter(({ dueMs }) => dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0];
        if (!next) break;
        timers.delete(next);
        nowMs = Math.max(nowMs, next.dueMs);
        next.callback();
      }
      nowMs = untilMs;
    },
  };
}
