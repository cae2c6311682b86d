/** Bringing the vector store in line with the graph, which is the truth (decisions D36, D38). */
import type { SyncAnswer, SyncRequest } from '../domain/maintenance.js';
import type { VectorStore } from '../stores/vector-store.js';
import { type Drift, walkDrift } from './drift.js';
import { assertGoingOn, underLease } from './lease.js';
import { alreadyRunning, type EmbedOutcome, embedInBatches, failedSample, type ReembedParts } from './reembed.js';

export interface SyncParts extends ReembedParts {
  vectors: VectorStore;
}

const SAMPLE_MAX = 10;

/**
 * Reports where the stores disagree, or mends it: memories without a vector get one; vectors without a memory are
 * removed only on request.
 *
 * @throws MemoryError `conflict` while another run that mends is going on
 */
export async function sync(parts: SyncParts, request: SyncRequest): Promise<SyncAnswer> {
  if (request.dry_run) return report(parts);
  const answer = await underLease(parts, prolong => mend(parts, request, prolong));
  if (!answer) throw alreadyRunning();
  return answer;
}

async function report(parts: SyncParts): Promise<SyncAnswer> {
  const missing: string[] = [];
  const orphaned: string[] = [];
  const drift = await walkDrift(parts, {
    includesFailed: true,
    onPage: async () => assertGoingOn(parts),
    onMissing: async ids => void missing.push(...ids.slice(0, SAMPLE_MAX - missing.length)),
    onOrphaned: async ids => void orphaned.push(...ids.slice(0, SAMPLE_MAX - orphaned.length)),
  });
  return {
    status: 'dry_run',
    ...counts(drift),
    missing_count: drift.missingCount,
    orphaned_count: drift.orphanedCount,
    missing_sample: missing,
    orphaned_sample: orphaned,
  };
}

async function mend(
  parts: SyncParts,
  { batch_size: batchSize, remove_orphans }: SyncRequest,
  prolong: () => Promise<void>,
): Promise<SyncAnswer> {
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
      if (!remove_orphans) return;
      await parts.vectors.remove(ids);
      removedCount += ids.length;
    },
  });
  return {
    status: drift.missingCount === 0 ? 'already_synced' : 'complete',
    ...counts(drift),
    synced: embedded.processed,
    failed: embedded.failedIds.length,
    orphaned_count: drift.orphanedCount,
    orphaned_removed: removedCount,
    ...failedSample(embedded),
  };
}

function counts({ memoryCount, vectorCount }: Drift): { falkordb_count: number; qdrant_count: number } {
  return { falkordb_count: memoryCount, qdrant_count: vectorCount };
}
