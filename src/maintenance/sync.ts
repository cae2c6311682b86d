/**
 * Repairs differences between the vector store and the graph, which is the source of truth (docs/decisions.md,
 * "Comparing the stores").
 */
import type { DryRunReport, RepairReport, SyncReport, SyncRequest } from '../domain/maintenance.js';
import { type DriftParts, walkDrift } from '../projection/drift.js';
import type { VectorProjection } from '../projection/vector-projection.js';
import type { Adopter } from '../stores/ports/adopter.js';
import { assertNotStopped, underLease } from '../stores/under-lease.js';
import type { VectorStore } from '../stores/vector-store.js';
import { type AdoptingRequest, adoptOthers } from './adopt.js';
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
