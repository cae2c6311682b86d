/**
 * Repairs differences between the vector store and the graph, which is the source of truth, on request and from time to
 * time (docs/decisions.md, "Comparing the stores" and "Health and drift").
 */

import type { DryRunReport, RepairReport, SyncReport, SyncRequest } from '../domain/reports.js';
import type { SyncSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';
import { type Drift, type DriftParts, walkDrift } from '../projection/drift.js';
import type { VectorProjection } from '../projection/vector-projection.js';
import type { Figures } from '../stores/graph-store.js';
import type { WorkQueue } from '../stores/ports/work-queue.js';
import { assertNotStopped, LEASE_MS, type LeaseParts, underLease } from '../stores/under-lease.js';
import type { VectorStore } from '../stores/vector-store.js';
import { alreadyRunning, type EmbedOutcome, embedInBatches, type ReembedParts } from './reembed.js';

export interface SyncParts extends ReembedParts {
  graph: ReembedParts['graph'] & DriftParts['graph'] & Pick<Figures, 'countForeign'>;
  vectors: VectorStore;
  projection: Pick<VectorProjection, 'discard'>;
}

const SAMPLE_MAX = 10;

/**
 * Reports the differences between the stores, or repairs them: a memory without a vector gets a vector; vectors without
 * a memory are removed only on request.
 *
 * @throws MemoryError `conflict` when a repair is requested while another run re-embeds or compares vectors
 */
export async function sync(parts: SyncParts, request: SyncRequest): Promise<SyncReport> {
  if (request.isDryRun) return compare(parts);
  const report = await underLease(parts, prolong => repair(parts, request, prolong));
  if (!report) throw alreadyRunning();
  return report;
}

async function compare(parts: SyncParts): Promise<DryRunReport> {
  const missingSample: string[] = [];
  const orphanedSample: string[] = [];
  const drift = await walkDrift(parts, {
    includesFailed: true,
    onPage: async () => assertNotStopped(parts),
    onMissing: async ids => void missingSample.push(...ids.slice(0, SAMPLE_MAX - missingSample.length)),
    onOrphaned: async ids => void orphanedSample.push(...ids.slice(0, SAMPLE_MAX - orphanedSample.length)),
  });
  return { isDryRun: true, ...drift, foreignCount: await countForeign(parts), missingSample, orphanedSample };
}

async function repair(
  parts: SyncParts,
  { batchSize, removesOrphans }: SyncRequest,
  prolong: () => Promise<void>,
): Promise<RepairReport> {
  const embedded: EmbedOutcome = { processed: 0, failedIds: [] };
  let removedCount = 0;
  const drift = await walkDrift(parts, {
    includesFailed: true,
    onPage: prolong,
    onMissing: async ids => {
      const { processed, failedIds } = await embedInBatches(parts, ids, { batchSize, prolong });
      embedded.processed += processed;
      embedded.failedIds.push(...failedIds);
    },
    onOrphaned: async ids => {
      if (!removesOrphans) return;
      await parts.projection.discard(ids);
      removedCount += ids.length;
    },
  });
  const { processed, failedIds } = embedded;
  const foreignCount = await countForeign(parts);
  return { isDryRun: false, ...drift, foreignCount, embeddedCount: processed, failedIds, removedCount };
}

async function countForeign({ graph }: SyncParts): Promise<number> {
  return (await graph.countForeign?.()) ?? 0;
}

export interface SyncWorkerParts extends LeaseParts {
  graph: LeaseParts['graph'] & DriftParts['graph'] & Pick<WorkQueue, 'requeue'>;
  vectors: VectorStore;
  clock: Clock;
  settings: SyncSettings;
  onRequeued(count: number): void;
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
  /** Compares now, and queues memories without a vector for embedding if comparisons are scheduled, unless another process is already comparing. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

const FRESH_MS = 60_000;
/** A result is reused for this many times the duration of its comparison, but for at least `FRESH_MS`. */
const REST_PER_WORK = 50;

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
    const drift = await underLease(parts, prolong =>
      compare(() =>
        walkDrift(parts, {
          onPage: prolong,
          onMissing: async ids => {
            if (settings.intervalMs === 0) return;
            await graph.requeue('embed', ids);
            requeued += ids.length;
          },
        }),
      ),
    );
    // Another process is comparing, or has ended during a comparison. Its lease ends soon.
    if (!drift) scheduleIn(LEASE_MS);
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
