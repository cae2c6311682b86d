/** Compares the stores from time to time, and keeps the result (docs/decisions.md, "Health and drift"). */
import type { SyncSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';
import { type Drift, type DriftParts, walkDrift } from '../projection/drift.js';
import type { WorkQueue } from '../stores/ports/work-queue.js';
import { assertNotStopped, type LeaseParts, underLease } from '../stores/under-lease.js';
import type { VectorStore } from '../stores/vector-store.js';

export interface SyncWorkerParts extends LeaseParts {
  graph: LeaseParts['graph'] & DriftParts['graph'] & Pick<WorkQueue, 'requeue'>;
  vectors: VectorStore;
  clock: Clock;
  settings: SyncSettings;
  onRequeued(count: number): void;
  /** Adopts data that other programs wrote to the graph; called before each check. */
  adopt(onPage: () => Promise<void>): Promise<void>;
  onFailure(error: unknown): void;
}

export interface SyncWorker {
  /**
   * Returns the drift of the stores. Reuses the result of the last comparison. The longer the comparison took, the
   * longer its result is reused, so that comparing never becomes the main work.
   */
  drift(): Promise<Drift>;
  /** Resolves when no check is running. */
  idle(): Promise<void>;
  /** Discards the known drift, because it is outdated. */
  forget(): void;
  /** Compares now and repairs as far as the settings allow, unless another process is already comparing. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

const FRESH_MS = 60_000;
/** A result is reused for this many times the duration of its comparison, but for at least `FRESH_MS`. */
const REST_PER_WORK = 50;
/** Delay of the next attempt when another process has the lease. A lease that is not renewed ends within this delay. */
const RETRY_MS = 150_000;

export function startSyncWorker(parts: SyncWorkerParts): SyncWorker {
  const { graph, clock, settings } = parts;
  let last: { drift: Drift; endedMs: number; freshMs: number } | undefined;
  let comparing: Promise<Drift> | undefined;
  let checking: Promise<void> | undefined;
  let cancelTimer = () => {};

  const compare = async (walk: () => Promise<Drift>): Promise<Drift> => {
    const startedMs = clock.elapsedMs();
    const drift = await walk();
    const endedMs = clock.elapsedMs();
    last = { drift, endedMs, freshMs: Math.max(FRESH_MS, (endedMs - startedMs) * REST_PER_WORK) };
    return drift;
  };

  const repair = async (): Promise<void> => {
    let requeued = 0;
    const drift = await underLease(parts, async prolong => {
      await parts.adopt(prolong);
      return compare(() =>
        walkDrift(parts, {
          onPage: prolong,
          onMissing: async ids => {
            if (!settings.isRepairing) return;
            await graph.requeue('embed', ids);
            requeued += ids.length;
          },
        }),
      );
    });
    // Another process is comparing, or has ended during a comparison. Its lease ends soon.
    if (!drift) scheduleIn(RETRY_MS);
    // A memory that is queued for its vector no longer counts as drift.
    if (requeued > 0 && last) last.drift = { ...last.drift, missingCount: last.drift.missingCount - requeued };
    if (requeued > 0) parts.onRequeued(requeued);
  };

  const scheduleIn = (delayMs: number) => {
    if (parts.isStopping()) return;
    cancelTimer();
    cancelTimer = clock.schedule(delayMs, () => void check());
  };

  const check = (): Promise<void> => {
    if (settings.intervalMs > 0) scheduleIn(settings.intervalMs);
    checking ??= repair()
      .catch(error => {
        if (!parts.isStopping()) parts.onFailure(error);
      })
      .finally(() => {
        checking = undefined;
      });
    return checking;
  };

  if (settings.intervalMs > 0) scheduleIn(settings.intervalMs);
  return {
    drift: async () => {
      if (last && clock.elapsedMs() - last.endedMs < last.freshMs) return last.drift;
      comparing ??= compare(() => walkDrift(parts, { onPage: async () => assertNotStopped(parts) })).finally(() => {
        comparing = undefined;
      });
      return comparing;
    },
    idle: async () => checking,
    forget: () => {
      last = undefined;
    },
    check,
    stop: async () => {
      cancelTimer();
      await Promise.allSettled([checking, comparing]);
    },
  };
}
