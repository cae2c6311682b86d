/**
 * Repairs differences between the vector store and the graph, which is the source of truth, on request and from time to
 * time (docs/decisions.md, "Comparing the stores" and "Health and drift"). Adopts data that other programs wrote.
 */

import type { AdoptionReport, DryRunReport, RepairReport, SyncReport, SyncRequest } from '../domain/reports.js';
import type { SyncSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';
import { type Drift, type DriftParts, walkDrift } from '../projection/drift.js';
import type { VectorProjection } from '../projection/vector-projection.js';
import type { Adopter } from '../stores/graph-store.js';
import type { WorkQueue } from '../stores/ports/work-queue.js';
import { assertNotStopped, LEASE_MS, type LeaseParts, underLease } from '../stores/under-lease.js';
import type { VectorStore } from '../stores/vector-store.js';
import { alreadyRunning, type EmbedOutcome, embedInBatches, type ReembedParts } from './reembed.js';

export interface SyncParts extends ReembedParts {
  graph: ReembedParts['graph'] & DriftParts['graph'] & Adopter;
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
  const adoption = await adoptionOf(parts, { isDryRun: true, onPage: async () => assertNotStopped(parts) });
  const missingSample: string[] = [];
  const orphanedSample: string[] = [];
  const drift = await walkDrift(parts, {
    includesFailed: true,
    onPage: async () => assertNotStopped(parts),
    onMissing: async ids => void missingSample.push(...ids.slice(0, SAMPLE_MAX - missingSample.length)),
    onOrphaned: async ids => void orphanedSample.push(...ids.slice(0, SAMPLE_MAX - orphanedSample.length)),
  });
  return { isDryRun: true, ...drift, ...adoption, missingSample, orphanedSample };
}

/** Adopts data of other programs before the comparison, because this data is part of the memory and lacks vectors. */
async function adoptionOf({ graph }: SyncParts, request: AdoptingRequest): Promise<Pick<SyncReport, 'adoption'>> {
  const adoption = await adoptOthers(graph, request);
  return adoption ? { adoption } : {};
}

async function repair(
  parts: SyncParts,
  { batchSize, removesOrphans }: SyncRequest,
  prolong: () => Promise<void>,
): Promise<RepairReport> {
  const adoption = await adoptionOf(parts, { isDryRun: false, onPage: prolong });
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
  return { isDryRun: false, ...drift, ...adoption, embeddedCount: processed, failedIds, removedCount };
}

interface AdoptingRequest {
  /** Only reports the changes that would be made. */
  isDryRun: boolean;
  /**
   * Called before each page. When it rejects, the adoption rejects too, and the remaining pages wait for the next run.
   */
  onPage(): Promise<void>;
}

/** @returns undefined if no other program writes to the graph */
export async function adoptOthers(
  graph: Adopter,
  { isDryRun, onPage }: AdoptingRequest,
): Promise<AdoptionReport | undefined> {
  // Throw the reason of a rejected `onPage` only after the store call. A rejection inside the call would count as a
  // failure of the store.
  let stop: { reason: unknown } | undefined;
  const mayGoOn = () =>
    onPage().then(
      () => true,
      reason => {
        stop = { reason };
        return false;
      },
    );
  const report = await graph.adopt?.({ isDryRun, mayGoOn });
  if (stop) throw stop.reason;
  return report;
}

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
