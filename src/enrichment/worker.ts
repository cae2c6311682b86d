/** A background worker on the queue in the graph, with batches, leases, retries with back-off, and an orderly end. */

import type { WorkerStats } from '../domain/reports.js';
import type { WorkSettings } from '../domain/settings.js';
import { type Clock, WAIT_HORIZON_MS } from '../domain/time.js';
import type { WorkClaim, WorkKind, WorkQueue } from '../stores/ports/work-queue.js';
import { backoffMs, createWorkerRecord, noteFailure, runBatch, WAIT_MAX_MS } from './batch.js';

export interface Worker {
  readonly isRunning: boolean;
  /** Whether an unavailable store or model ended the last pass. */
  readonly isHeldUp: boolean;
  /** When the worker last had nothing to do, by `Clock.elapsedMs`. */
  readonly caughtUpMs: number;
  /** When the worker last finished or failed a batch, by `Clock.elapsedMs`. */
  readonly progressMs: number;
  readonly stats: Readonly<WorkerStats>;
  /** Notifies the worker of new work. It starts the work when a batch is full or the batch time-out has passed. */
  notify(count: number): void;
  /** Processes all due work. Resolves when no due work is left, or when a failure or `stop` has ended the pass. */
  drain(): Promise<void>;
  /** Finishes the batch in flight and stops. The remaining work stays queued in the graph. */
  stop(): Promise<void>;
}

export function startWorker(options: WorkerOptions): Worker {
  const { graph, kind, settings, clock } = options;
  const record = createWorkerRecord(clock);
  const held = new Set<string>();
  let running: Promise<void> | undefined;
  let timer: { dueMs: number; cancel(): void } | undefined;
  let waiting = 0;
  let outages = 0;
  let isStopped = false;
  let caughtUpMs = clock.elapsedMs();
  let progressMs = caughtUpMs;

  /** Ensures that a pass begins within `delayMs`. */
  const schedule = (delayMs: number) => {
    const dueMs = clock.elapsedMs() + delayMs;
    if (isStopped || (timer && timer.dueMs <= dueMs)) return;
    timer?.cancel();
    timer = { dueMs, cancel: clock.schedule(delayMs, () => void drain()) };
  };

  const cancelTimer = () => {
    timer?.cancel();
    timer = undefined;
  };

  /** Only one pass runs at a time. A call during a pass requests another pass after the current one. */
  const drain = async (): Promise<void> => {
    while (running) await running;
    if (isStopped) return;
    cancelTimer();
    waiting = 0;
    running = runUntilNothingIsDue().finally(() => {
      running = undefined;
    });
    await running;
  };

  /** Processes due work, and returns the time when the next work is due. */
  const runWhatIsDue = async (): Promise<number | undefined> => {
    while (!isStopped && ((await runBatch(options, record, held)) || (await options.tidy?.()))) {
      progressMs = clock.elapsedMs();
      await options.afterRequests();
    }
    return graph.nextWorkDueMs(kind);
  };

  const runUntilNothingIsDue = async () => {
    try {
      let nextDueMs = await runWhatIsDue();
      const horizonMs = clock.nowMs() + WAIT_HORIZON_MS;
      if (nextDueMs !== undefined && nextDueMs > horizonMs && !isStopped) {
        // The clock was set back, so make unclaimed work due now. Claimed work is settled or renewed by its worker.
        await graph.makeWorkDue(kind, horizonMs);
        nextDueMs = await runWhatIsDue();
      }
      if (nextDueMs !== undefined) schedule(Math.min(Math.max(0, nextDueMs - clock.nowMs()), WAIT_MAX_MS));
      if (options.pollMs !== undefined) schedule(options.pollMs);
      outages = 0;
      caughtUpMs = clock.elapsedMs();
    } catch (error) {
      // Retry later when the queue, the model or the vector store cannot be reached. No work is lost.
      noteFailure(options, record, error);
      schedule(backoffMs(options, ++outages));
      options.onHeldUp?.();
    }
    progressMs = clock.elapsedMs();
  };

  // Start at once, because work of an earlier process may be due.
  schedule(0);

  return {
    get isRunning() {
      return !isStopped;
    },
    get isHeldUp() {
      return outages > 0;
    },
    get caughtUpMs() {
      return caughtUpMs;
    },
    get progressMs() {
      return progressMs;
    },
    stats: record.stats,
    notify: count => {
      // Until now there was nothing to do, so the time since the last pass is not a delay. Reset both times.
      if (waiting === 0 && !running) caughtUpMs = progressMs = clock.elapsedMs();
      waiting += count;
      schedule(waiting >= settings.batchSize ? 0 : settings.batchTimeoutMs);
    },
    drain,
    stop: async () => {
      isStopped = true;
      cancelTimer();
      await running;
    },
  };
}

export interface WorkerOptions {
  graph: WorkQueue;
  kind: WorkKind;
  settings: WorkSettings;
  clock: Clock;
  /** Resolves when the worker may begin the next batch, after the requests that wait. */
  afterRequests(): Promise<void>;
  /**
   * Does the work for a batch.
   *
   * @param onSettled called with the token of each claim that has been settled, even if the batch fails later. It is not
   * called for claims that became invalid meanwhile.
   */
  perform(claims: readonly WorkClaim[], onSettled: (token: string) => void): Promise<void>;
  /** Called with the number of claims that a batch has settled. */
  onSettled?(count: number): void;
  /** Called when no work is due. Does work that needs no claim. Returns true when more such work may remain. */
  tidy?(): Promise<boolean>;
  /** Whether to process work that waits for a vector. True while no vector can be made. */
  takesHeld?(): boolean;
  /** Called after every failure. `isFinal` marks the failure of the last attempt for a memory. */
  onFailure(error: unknown, isFinal: boolean): void;
  /** Called when an unavailable store or model has ended a pass. */
  onHeldUp?(): void;
  /**
   * Interval at which the worker looks for work. If undefined, the worker looks only when it is notified or when work
   * becomes due.
   */
  pollMs?: number;
}
