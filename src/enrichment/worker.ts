/** A background worker on the queue in the graph, with batches, leases, retries with back-off, and an orderly end. */

import { MemoryError, messageOf } from '../domain/errors.js';
import type { WorkerStats } from '../domain/reports.js';
import type { WorkSettings } from '../domain/settings.js';
import { type Clock, toIso, WAIT_HORIZON_MS } from '../domain/time.js';
import type { WorkClaim, WorkKind, WorkQueue } from '../stores/ports/work-queue.js';

export interface Worker {
  readonly isRunning: boolean;
  /** Whether an unavailable store or model ended the last pass. */
  readonly isHeldUp: boolean;
  /** When the worker last had nothing to do, by `Clock.elapsedMs`. */
  readonly caughtUpMs: number;
  /** When the worker last finished or failed a batch, by `Clock.elapsedMs`. */
  readonly progressMs: number;
  readonly stats: Readonly<WorkerStats>;
  /** Notifies the worker of new work. */
  notify(): void;
  /** Processes all due work. Resolves when no due work is left, or when a failure or `stop` has ended the pass. */
  drain(): Promise<void>;
  /** Finishes the batch in flight and stops. The remaining work stays queued in the graph. */
  stop(): Promise<void>;
}

export function startWorker(options: WorkerOptions): Worker {
  const { graph, kind, clock } = options;
  const record = createWorkerRecord(clock);
  const held = new Set<string>();
  let running: Promise<void> | undefined;
  let timer: { dueMs: number; cancel(): void } | undefined;
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
      if (nextDueMs !== undefined) schedule(waitMs(options, nextDueMs));
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
    notify: () => {
      // Until now there was nothing to do, so the time since the last pass is not a delay. Reset both times.
      if (!running) caughtUpMs = progressMs = clock.elapsedMs();
      schedule(0);
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

/** Maximum wait after a failure, or for work that is due later. */
const WAIT_MAX_MS = 300_000;

/**
 * Processes one batch of due work.
 *
 * @param held tokens of earlier claims that could not be given back. These claims are given back now, so that the work
 * need not wait for the end of their lease.
 * @returns false when no work is due
 * @throws the error when a store or the model cannot be reached. The claims are then given back, if necessary by the
 * next batch, and their attempts are not used up.
 */
async function runBatch(options: WorkerOptions, record: WorkerRecord, held: Set<string>): Promise<boolean> {
  const { graph, kind, clock, settings } = options;
  const { batchSize: limit, leaseMs } = settings;
  const release = async () => {
    if (held.size > 0) await graph.releaseWork([...held], { dueMs: clock.nowMs() });
    held.clear();
  };
  await release();
  const claim = (isHeld: boolean) => graph.claimWork({ kind, limit, nowMs: clock.nowMs(), leaseMs, isHeld });
  // While vectors cannot be made, first claim the work that waits for a vector. Due work may need the model or store
  // that is unavailable, and a failure of due work would end the pass.
  const early = options.takesHeld?.() ? await claim(true) : [];
  const claims = early.length > 0 ? early : await claim(false);
  if (claims.length === 0) return false;
  const tokens = claims.map(claim => claim.token);
  const onFailure = (error: unknown) => noteFailure(options, record, error);
  const stopRenewing = keepRenewing(tokens, { graph, clock, leaseMs, onFailure });
  try {
    await performOrSplit(options, record, claims);
  } catch (error) {
    for (const token of tokens) held.add(token);
    // If the graph cannot be reached now, the next batch begins with the release of these claims.
    await release().catch(onFailure);
    throw error;
  } finally {
    stopRenewing();
  }
  return true;
}

/**
 * Returns the wait after the given number of consecutive failures, in milliseconds. The wait doubles with each failure,
 * up to `WAIT_MAX_MS`.
 */
function backoffMs({ settings }: WorkerOptions, failures: number): number {
  return Math.min(settings.backoffMs * 2 ** (failures - 1), WAIT_MAX_MS);
}

/** Returns the wait for work that is left after a pass, in milliseconds. */
function waitMs(options: WorkerOptions, dueMs: number): number {
  const untilDueMs = dueMs - options.clock.nowMs();
  // The pass could not claim due work, for example while writes are refused, and the next pass would do no better.
  return untilDueMs > 0 ? Math.min(untilDueMs, WAIT_MAX_MS) : backoffMs(options, 1);
}

function noteFailure(options: WorkerOptions, record: WorkerRecord, error: unknown, isFinal = false): void {
  record.noteFailure(error);
  options.onFailure(error, isFinal);
}

/**
 * Processes a batch. After a failure each memory that is not settled is tried alone, so that one bad memory does not fail
 * the others. An outage is not caused by a memory, so an outage ends the pass.
 */
async function performOrSplit(
  options: WorkerOptions,
  record: WorkerRecord,
  claims: readonly WorkClaim[],
): Promise<void> {
  const settled = new Set<string>();
  const noteSettled = () => {
    record.noteSuccess(claims.filter(({ token }) => settled.has(token)));
    if (settled.size > 0) options.onSettled?.(settled.size);
  };
  try {
    await options.perform(claims, token => settled.add(token)).finally(noteSettled);
  } catch (error) {
    if (isOutage(error)) throw error;
    const [claim, ...others] = claims;
    if (claim && others.length === 0) return giveBack(options, record, { claim, error });
    for (const each of claims) if (!settled.has(each.token)) await performOrSplit(options, record, [each]);
  }
}

async function giveBack(
  options: WorkerOptions,
  record: WorkerRecord,
  { claim, error }: { claim: WorkClaim; error: unknown },
): Promise<void> {
  const { graph, clock, settings } = options;
  const isFinal = claim.attempt >= settings.maxAttempts;
  noteFailure(options, record, error, isFinal);
  const retryAtMs = isFinal ? null : clock.nowMs() + backoffMs(options, claim.attempt);
  await graph.releaseWork([claim.token], { error: messageOf(error), dueMs: retryAtMs });
}

/** Whether the store or the model cannot be reached. Such a failure never counts against a memory. */
function isOutage(error: unknown): boolean {
  return error instanceof MemoryError && error.code === 'unavailable';
}

interface WorkerRecord {
  readonly stats: Readonly<WorkerStats>;
  noteSuccess(claims: readonly WorkClaim[]): void;
  noteFailure(error: unknown): void;
}

function createWorkerRecord(clock: Clock): WorkerRecord {
  const stats: WorkerStats = {
    successes: 0,
    failures: 0,
    lastSuccessId: null,
    lastSuccessAt: null,
    lastError: null,
    lastErrorAt: null,
  };
  return {
    stats,
    noteSuccess: claims => {
      const last = claims.at(-1);
      if (!last) return;
      stats.successes += claims.length;
      stats.lastSuccessId = last.memory.id;
      stats.lastSuccessAt = toIso(clock.nowMs());
    },
    noteFailure: error => {
      stats.failures += 1;
      stats.lastError = messageOf(error);
      stats.lastErrorAt = toIso(clock.nowMs());
    },
  };
}

export interface LeaseRenewal {
  graph: Pick<WorkQueue, 'renewWork'>;
  clock: Clock;
  leaseMs: number;
  onFailure(error: unknown): void;
}

/** @returns a function that ends the renewal */
function keepRenewing(tokens: readonly string[], { graph, clock, leaseMs, onFailure }: LeaseRenewal): () => void {
  let cancel = () => {};
  let isDone = false;
  const renewLater = () => {
    if (isDone) return;
    // Renew after a third of the lease, so that another attempt is possible if one renewal fails.
    cancel = clock.schedule(leaseMs / 3, () => {
      const renewed = graph.renewWork(tokens, clock.nowMs() + leaseMs);
      void renewed.catch(onFailure).then(renewLater);
    });
  };
  renewLater();
  return () => {
    isDone = true;
    cancel();
  };
}
