/** Determines when each task is due, and starts due tasks by a timer. */
import { CONSOLIDATION_TASKS, type ConsolidationTask } from '../domain/consolidation.js';
import type { ConsolidationSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';
import type { LastRuns } from './run-records.js';

/** First wait after a failed run. The wait doubles with each further failure. */
const FIRST_WAIT_MS = 600_000;
const LONGEST_WAIT_MS = 86_400_000;

/** @returns when the task is due, in Unix milliseconds; null if the task is not scheduled */
export function nextRunMs(task: ConsolidationTask, last: LastRuns, settings: ConsolidationSettings): number | null {
  const intervalSeconds = settings.intervalsSeconds[task];
  return intervalSeconds === 0 ? null : last[task] + intervalSeconds * 1000;
}

export function isDue(
  task: ConsolidationTask,
  { last, settings, nowMs }: { last: LastRuns; settings: ConsolidationSettings; nowMs: number },
): boolean {
  const dueMs = nextRunMs(task, last, settings);
  return dueMs !== null && dueMs <= nowMs;
}

/** Background work that may fail and is tried again later. */
export type ScheduledWork = ConsolidationTask | 'the schedule' | 'tidying up';

export interface Scheduler {
  readonly isAlive: boolean;
  stop(): Promise<void>;
}

export interface SchedulerParts {
  clock: Clock;
  settings: ConsolidationSettings;
  lastRuns(): Promise<LastRuns>;
  /** Does nothing while another run is in progress; the next tick tries again. */
  run(task: ConsolidationTask): Promise<void>;
  onFailure(undertaking: ScheduledWork, error: unknown): void;
}

/** At every tick, runs all due tasks, one after the other. A task waits longer after each further failure. */
export function startScheduler({ clock, settings, lastRuns, run, onFailure }: SchedulerParts): Scheduler {
  const failures = new Map<ConsolidationTask, { count: number; notBeforeMs: number }>();
  let isAlive = CONSOLIDATION_TASKS.some(task => settings.intervalsSeconds[task] > 0);
  let cancelTimer = () => {};
  let ticking: Promise<void> | undefined;

  const attempt = async (task: ConsolidationTask) => {
    try {
      await run(task);
      failures.delete(task);
    } catch (error) {
      const count = (failures.get(task)?.count ?? 0) + 1;
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (count - 1), LONGEST_WAIT_MS);
      failures.set(task, { count, notBeforeMs: clock.nowMs() + waitMs });
      if (isAlive) onFailure(task, error);
    }
  };

  const tick = async () => {
    const last = await lastRuns();
    for (const task of CONSOLIDATION_TASKS) {
      const nowMs = clock.nowMs();
      const isToWait = nowMs < (failures.get(task)?.notBeforeMs ?? 0);
      if (isAlive && !isToWait && isDue(task, { last, settings, nowMs })) await attempt(task);
    }
  };

  const schedule = () => {
    if (!isAlive) return;
    cancelTimer = clock.schedule(settings.tickSeconds * 1000, () => {
      ticking = tick()
        .catch(error => {
          if (isAlive) onFailure('the schedule', error);
        })
        .finally(schedule);
    });
  };

  schedule();
  return {
    get isAlive() {
      return isAlive;
    },
    stop: async () => {
      isAlive = false;
      cancelTimer();
      await ticking;
    },
  };
}
