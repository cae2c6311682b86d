/** Runs the tasks on request and by schedule, one at a time across all processes. */
import {
  CONSOLIDATION_TASKS,
  type ConsolidationRequest,
  type ConsolidationTask,
  type RunRecord,
  type TaskReport,
} from '../domain/consolidation.js';
import { MemoryError } from '../domain/errors.js';
import type { ConsolidationSettings } from '../domain/settings.js';
import { type Clock, MS_PER_DAY } from '../domain/time.js';
import { assertNotStopped, type LeaseName, underLease } from '../stores/under-lease.js';
import { emptyBin, removePages } from './journal.js';
import { withdrawObsolete } from './proposals.js';
import { type RunParts, runTask } from './run.js';
import { type LastRuns, listRuns, readLastRuns, saveLastRuns } from './run-records.js';

/** Background work that may fail and is tried again later. */
export type ScheduledWork = ConsolidationTask | 'the schedule' | 'tidying up';

export interface RunsParts extends RunParts {
  /** Lets waiting requests run between two pages. */
  afterRequests(): Promise<void>;
  onFailure(undertaking: ScheduledWork, error: unknown): void;
}

export interface Runs {
  /** Whether tasks run by schedule. */
  readonly isAlive: boolean;
  /**
   * Runs the tasks of a mode, one after the other.
   *
   * @throws MemoryError `conflict` while another run is in progress, in this process or another
   */
  run(request: ConsolidationRequest): Promise<TaskReport[]>;
  /**
   * Runs `body` alone: no run starts before `body` ends.
   *
   * @param body receives a function to call at each page, which rejects when the process is about to end
   * @throws MemoryError `conflict` while a run is in progress, in this process or another
   */
  alone<Result>(body: (onPage: () => Promise<void>) => Promise<Result>): Promise<Result>;
  lastRuns(): Promise<LastRuns>;
  /** Problems of the last run of each task. */
  problems(): readonly string[];
  stop(): Promise<void>;
}

const LEASE: LeaseName = { name: 'consolidation', lost: 'Another process has taken over consolidation' };
/** First wait after a failed run. The wait doubles with each further failure. */
const FIRST_WAIT_MS = 600_000;

export function startRuns(parts: RunsParts): Runs {
  const { graph, clock, settings } = parts;
  const problems = new Map<ConsolidationTask, string>();
  const failures = new Map<ConsolidationTask, { count: number; notBeforeMs: number }>();
  let isAlive = CONSOLIDATION_TASKS.some(task => settings.intervalsSeconds[task] > 0);
  let isStopping = false;
  const { ifFree, alone, ended } = createExclusion(parts, () => isStopping);

  const readSchedule = () => readLastRuns(graph, settings.controlNodeId, clock.nowMs());
  const saveSchedule = (last: LastRuns) => saveLastRuns(graph, settings.controlNodeId, { last, nowMs: clock.nowMs() });

  /** Runs a task, and records that it is done. A task that was stopped does not count as done. */
  const runForGood = async (task: ConsolidationTask, onPage: () => Promise<void>): Promise<TaskReport> => {
    try {
      const report = await runTask(parts, { task, isDryRun: false, onPage });
      if (report.stopped === undefined) {
        problems.delete(task);
        await saveSchedule({ ...(await readSchedule()).last, [task]: clock.nowMs() });
      } else problems.set(task, `The last run of ${task} was stopped: ${report.stopped}`);
      await tidy(parts).catch(error => parts.onFailure('tidying up', error));
      return report;
    } catch (error) {
      if (!isStopping) problems.set(task, `The last run of ${task} failed`);
      throw error;
    }
  };

  const isDue = (task: ConsolidationTask, last: LastRuns) =>
    (nextRunMs(task, last, settings) ?? Number.POSITIVE_INFINITY) <= clock.nowMs();

  /** Does nothing while another run is in progress; the next tick tries again. */
  const runIfDue = async (task: ConsolidationTask) => {
    await ifFree(async onPage => {
      // Another process may have run the task since this process checked.
      if (!isDue(task, (await readSchedule()).last)) return;
      const { stopped } = await runForGood(task, onPage);
      if (stopped !== undefined) throw new MemoryError('conflict', stopped);
    });
  };

  const attempt = async (task: ConsolidationTask) => {
    try {
      await runIfDue(task);
      failures.delete(task);
    } catch (error) {
      const count = (failures.get(task)?.count ?? 0) + 1;
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (count - 1), MS_PER_DAY);
      failures.set(task, { count, notBeforeMs: clock.nowMs() + waitMs });
      if (!isStopping) parts.onFailure(task, error);
    }
  };

  /** Runs all due tasks, one after the other. A task waits longer after each further failure. */
  const tick = async () => {
    const { last, isComplete } = await readSchedule();
    if (!isComplete) await saveSchedule(last);
    for (const task of CONSOLIDATION_TASKS) {
      const isToWait = clock.nowMs() < (failures.get(task)?.notBeforeMs ?? 0);
      if (!isStopping && !isToWait && isDue(task, last)) await attempt(task);
    }
  };

  const endTicks = repeat(clock, settings.tickSeconds * 1000, async () => {
    if (!isAlive) return;
    await tick().catch(error => {
      if (!isStopping) parts.onFailure('the schedule', error);
    });
  });
  return {
    get isAlive() {
      return isAlive;
    },
    run: ({ mode, isDryRun }) =>
      alone(async onPage => {
        const reports: TaskReport[] = [];
        for (const task of mode === 'full' ? CONSOLIDATION_TASKS : [mode]) {
          const report = isDryRun ? runTask(parts, { task, isDryRun, onPage }) : runForGood(task, onPage);
          reports.push(await report);
        }
        return reports;
      }),
    alone,
    lastRuns: async () => (await readSchedule()).last,
    problems: () => [...problems.values()],
    stop: async () => {
      isStopping = true;
      isAlive = false;
      await endTicks();
      // A run ends only when it reaches its next page, and needs the stores until then.
      await ended();
    },
  };
}

/** Lets only one body run at a time, in all processes. */
function createExclusion({ graph, clock, newId, afterRequests }: RunsParts, isStopping: () => boolean) {
  const goingOn = new Set<Promise<unknown>>();
  const lease = { graph, clock, newHolder: newId, isStopping };
  /** @returns undefined, without calling `body`, if another run is in progress */
  const ifFree = async <Result>(body: (onPage: () => Promise<void>) => Promise<Result>) => {
    assertNotStopped(lease);
    const during = async (prolong: () => Promise<void>) => {
      const onPage = async () => {
        await afterRequests();
        await prolong();
      };
      return { result: await body(onPage) };
    };
    const running = underLease(lease, during, LEASE);
    goingOn.add(running);
    return running.finally(() => goingOn.delete(running));
  };
  const alone: Runs['alone'] = async body => {
    const done = await ifFree(body);
    if (!done) throw new MemoryError('conflict', 'A run of consolidation is in progress; try again when it has ended');
    return done.result;
  };
  return { ifFree, alone, ended: () => Promise.allSettled(goingOn) };
}

/**
 * Calls `body` again and again, always this time after it has ended.
 *
 * @returns a function that ends the calls and waits for the last one
 */
function repeat(clock: Clock, afterMs: number, body: () => Promise<void>): () => Promise<void> {
  let calling: Promise<void> | undefined;
  let cancelTimer = () => {};
  let isEnded = false;
  const schedule = () => {
    if (isEnded) return;
    cancelTimer = clock.schedule(afterMs, () => {
      calling = body().finally(schedule);
    });
  };
  schedule();
  return async () => {
    isEnded = true;
    cancelTimer();
    await calling;
  };
}

/** @returns when the task is due, in Unix milliseconds; null if the task is not scheduled */
export function nextRunMs(task: ConsolidationTask, last: LastRuns, settings: ConsolidationSettings): number | null {
  const intervalSeconds = settings.intervalsSeconds[task];
  return intervalSeconds === 0 ? null : last[task] + intervalSeconds * 1000;
}

/**
 * Number of decay runs whose lists of changes are kept. Decay has its own limit, because it changes the relevance of
 * all memories every day.
 */
const DECAY_LISTS_KEPT = 2;
/**
 * Deletes old data: runs beyond the history limit of their task, the lists of changes of these runs and of older decay
 * runs, expired copies in the bin, and obsolete proposals.
 */
async function tidy({ graph, settings, clock }: RunsParts): Promise<void> {
  const { historyLimit } = settings;
  const runs = await listRuns(graph, await graph.countNodes('ConsolidationRun'));
  const decays = runs.filter(({ task }) => task === 'decay').slice(DECAY_LISTS_KEPT);
  // The limit applies to each task separately, so that a task that runs every hour does not displace the lists that
  // other tasks need for undoing.
  const beyond = CONSOLIDATION_TASKS.flatMap(name => runs.filter(({ task }) => task === name).slice(historyLimit));
  // Undone runs of creative are kept, so that later runs never repeat their links. Undone runs of forget are kept for
  // the grace period, so that later runs do not forget the same memories during that period.
  const graceMs = settings.gracePeriodDays * MS_PER_DAY;
  const isHeeded = ({ task, undoneAt }: RunRecord) =>
    undoneAt !== undefined &&
    (task === 'creative' || (task === 'forget' && clock.nowMs() - Date.parse(undoneAt) < graceMs));
  const old = beyond.filter(run => !isHeeded(run));
  for (const { id } of new Set([...decays, ...old])) await removePages(graph, id);
  await graph.deleteNodes(
    'ConsolidationRun',
    old.map(({ id }) => id),
  );
  await emptyBin(graph, settings.binDays, clock.nowMs());
  await withdrawObsolete(graph, clock.nowMs());
}
