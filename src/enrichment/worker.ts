/** A background worker over the queue in the graph: batches, leases, retries with back-off, and an orderly end. */
import { MemoryError } from '../domain/errors.js';
import type { WorkSettings } from '../domain/settings.js';
import { type Clock, toIso } from '../domain/time.js';
import type { GraphStore, WorkClaim, WorkKind } from '../stores/graph-store.js';

export interface WorkerOptions {
  graph: GraphStore;
  kind: WorkKind;
  settings: WorkSettings;
  clock: Clock;
  /**
   * Does the work for a batch.
   *
   * @returns the tokens it settled; a claim that lost its effect meanwhile is not among them
   */
  perform(claims: readonly WorkClaim[]): Promise<string[]>;
  /** Work that waits for no claim, done when none is left; true when there may be more of it. */
  tidy?(): Promise<boolean>;
  /** Told of every failed attempt; `isFinal` when it was the last. */
  onFailure(error: unknown, isFinal: boolean): void;
}

export interface WorkerStats {
  successes: number;
  failures: number;
  lastSuccessId: string | null;
  lastSuccessAt: string | null;
  lastError: string | null;
  lastErrorAt: string | null;
}

export interface Worker {
  readonly isRunning: boolean;
  readonly stats: Readonly<WorkerStats>;
  /** Work was added: take it up when a batch is full or the batch time-out has passed. */
  notify(count: number): void;
  /** Takes up everything that is due now; resolves when nothing due is left. */
  drain(): Promise<void>;
  /** Finishes the batch in flight and stops. What remains waits in the graph. */
  stop(): Promise<void>;
}

/** Longest wait, after a failure or for work that is due some day. */
const WAIT_MAX_MS = 300_000;

export function startWorker(options: WorkerOptions): Worker {
  const { graph, kind, settings, clock } = options;
  const stats: WorkerStats = {
    successes: 0,
    failures: 0,
    lastSuccessId: null,
    lastSuccessAt: null,
    lastError: null,
    lastErrorAt: null,
  };
  let running: Promise<void> | undefined;
  let timer: { dueMs: number; cancel(): void } | undefined;
  let waiting = 0;
  let outages = 0;
  let isStopped = false;

  /** Makes sure that a pass begins no later than in `delayMs`. */
  const schedule = (delayMs: number) => {
    const dueMs = clock.nowMs() + delayMs;
    if (isStopped || (timer && timer.dueMs <= dueMs)) return;
    timer?.cancel();
    timer = { dueMs, cancel: clock.schedule(delayMs, () => void drain()) };
  };

  const cancelTimer = () => {
    timer?.cancel();
    timer = undefined;
  };

  /** One pass at a time: a call during a pass asks for another one after it. */
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

  const runUntilNothingIsDue = async () => {
    try {
      while (!isStopped && ((await runBatch()) || (await options.tidy?.()))) {
        // Lets requests in between two batches.
        await new Promise(resolve => setImmediate(resolve));
      }
      const nextDueMs = await graph.nextWorkDueMs(kind);
      // A clock that was set back would have us wait longer than a timer can.
      if (nextDueMs !== undefined) schedule(Math.min(Math.max(0, nextDueMs - clock.nowMs()), WAIT_MAX_MS));
      outages = 0;
    } catch (error) {
      // The queue, the model or the vector store is away: nothing is lost, and all of it is tried again.
      noteFailure(error, false);
      schedule(backoffMs(++outages));
    }
  };

  const runBatch = async (): Promise<boolean> => {
    const { batchSize: limit, leaseMs } = settings;
    const claims = await graph.claimWork({ kind, limit, nowMs: clock.nowMs(), leaseMs });
    if (claims.length === 0) return false;
    const tokens = claims.map(claim => claim.token);
    const stopRenewing = keepRenewing(tokens);
    try {
      await performOrSplit(claims);
    } catch (error) {
      await graph.releaseWork(tokens, clock.nowMs());
      throw error;
    } finally {
      stopRenewing();
    }
    return true;
  };

  /**
   * After a failure each memory is tried alone, so that one that cannot be done does not take the others with it. An
   * outage says nothing about a memory and ends the pass.
   */
  const performOrSplit = async (claims: readonly WorkClaim[]): Promise<void> => {
    try {
      const settled = new Set(await options.perform(claims));
      noteSuccess(claims.filter(claim => settled.has(claim.token)));
    } catch (error) {
      if (isOutage(error)) throw error;
      const [claim, ...others] = claims;
      if (claim && others.length === 0) return giveBack(claim, error);
      for (const each of claims) await performOrSplit([each]);
    }
  };

  const keepRenewing = (tokens: readonly string[]): (() => void) => {
    let cancel = () => {};
    let isDone = false;
    const renewLater = () => {
      if (isDone) return;
      // Twice within a lease, so that one renewal may fail.
      cancel = clock.schedule(settings.leaseMs / 3, () => {
        const renewed = graph.renewWork(tokens, clock.nowMs() + settings.leaseMs);
        void renewed.catch(error => noteFailure(error, false)).then(renewLater);
      });
    };
    renewLater();
    return () => {
      isDone = true;
      cancel();
    };
  };

  const giveBack = async ({ token, attempt }: WorkClaim, error: unknown) => {
    const isFinal = attempt >= settings.maxAttempts;
    noteFailure(error, isFinal);
    const retryAtMs = isFinal ? null : clock.nowMs() + backoffMs(attempt);
    await graph.failWork([token], { error: messageOf(error), retryAtMs });
  };

  const backoffMs = (attempt: number) => Math.min(settings.backoffMs * 2 ** (attempt - 1), WAIT_MAX_MS);

  const noteSuccess = (claims: readonly WorkClaim[]) => {
    const last = claims.at(-1);
    if (!last) return;
    stats.successes += claims.length;
    stats.lastSuccessId = last.memory.id;
    stats.lastSuccessAt = toIso(clock.nowMs());
  };

  const noteFailure = (error: unknown, isFinal: boolean) => {
    stats.failures += 1;
    stats.lastError = messageOf(error);
    stats.lastErrorAt = toIso(clock.nowMs());
    options.onFailure(error, isFinal);
  };

  // What an earlier process left behind is due at once.
  schedule(0);

  return {
    get isRunning() {
      return !isStopped;
    },
    stats,
    notify: count => {
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

/** The store or the model is away: that says nothing about the memory, so it is never given up for it. */
function isOutage(error: unknown): boolean {
  return error instanceof MemoryError && error.code === 'unavailable';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
