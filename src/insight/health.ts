/** The state of the service in one answer: reachable stores, counts, drift, background work (decisions D36). */
import type { HealthAnswer, SyncStatus } from '../domain/answers.js';
import { SUPPLIED_EMBEDDING } from '../domain/memory.js';
import { type Clock, toIso } from '../domain/time.js';
import type { Embedder } from '../embedding/embedder.js';
import type { GraphStore, WorkCounts } from '../stores/graph-store.js';
import type { VectorStore } from '../stores/vector-store.js';

export interface HealthParts {
  graph: GraphStore;
  vectors: VectorStore;
  embedder: Embedder;
  embeddingReason: string;
  clock: Clock;
  configuredVectorSize: number;
  /** Where the stores disagree. */
  drift(): Promise<{ missingCount: number; orphanedCount: number }>;
  enriching: { isRunning: boolean; successes: number };
}

/** Longest wait for a store: the whole answer comes within two seconds. */
const STORE_DEADLINE_MS = 1_500;

export async function checkHealth(parts: HealthParts): Promise<HealthAnswer> {
  const { graph, vectors, embedder, clock } = parts;
  const models = [embedder.model, SUPPLIED_EMBEDDING];
  const [memoryCount, currentCount, embedding, enriching, vectorCount, drift] = await Promise.all([
    orNull(clock, () => graph.ping().then(() => graph.countMemories())),
    orNull(clock, () => graph.countEmbedded(models)),
    orNull(clock, () => graph.workCounts('embed')),
    orNull(clock, () => graph.workCounts('enrich')),
    orNull(clock, () => vectors.ping().then(() => vectors.count())),
    orNull(clock, () => parts.drift()),
  ]);
  const isGraphUp = memoryCount !== null;
  const areVectorsUp = vectorCount !== null;
  return {
    status: isGraphUp && areVectorsUp ? 'healthy' : 'degraded',
    falkordb: isGraphUp ? 'connected' : 'disconnected',
    qdrant: areVectorsUp ? 'connected' : 'disconnected',
    memory_count: memoryCount,
    vector_count: vectorCount,
    sync_status: isGraphUp && areVectorsUp ? syncStatus(drift) : 'unknown',
    vector_dimensions: {
      configured: parts.configuredVectorSize,
      effective: embedder.dimensions,
      collection: vectors.dimensions,
      mismatch: vectors.dimensions !== embedder.dimensions,
    },
    enrichment: enrichmentBlock(parts, enriching),
    embedding: embeddingBlock(embedder.model, currentCount, embedding),
    backend: {
      graph: graph.description,
      vectors: vectors.description,
      embedding: embedder.description,
      embedding_reason: parts.embeddingReason,
      ...(embedder.lastFailure !== undefined && { embedding_error: embedder.lastFailure }),
    },
    graph: graph.name,
    timestamp: toIso(clock.nowMs()),
  };
}

/** Unknown while a first comparison of large stores has not ended. */
function syncStatus(drift: { missingCount: number; orphanedCount: number } | null): SyncStatus {
  if (!drift) return 'unknown';
  if (drift.missingCount > 0) return 'drift_detected';
  return drift.orphanedCount > 0 ? 'orphaned_vectors' : 'synced';
}

function enrichmentBlock(parts: HealthParts, work: WorkCounts | null): HealthAnswer['enrichment'] {
  const { pending = 0, inFlight = 0, failed = 0 } = work ?? {};
  return {
    status: parts.enriching.isRunning ? 'running' : 'stopped',
    queue_depth: pending + inFlight,
    pending,
    inflight: inFlight,
    processed: parts.enriching.successes,
    failed,
  };
}

function embeddingBlock(model: string, embedded: number | null, work: WorkCounts | null): HealthAnswer['embedding'] {
  const { pending = 0, inFlight = 0, failed = 0 } = work ?? {};
  return { model, embedded, pending: pending + inFlight, failed };
}

/** The value, or null when it fails or takes too long. */
async function orNull<Value>(clock: Clock, read: () => Promise<Value>): Promise<Value | null> {
  let cancel = () => {};
  const deadline = new Promise<null>(resolve => {
    cancel = clock.schedule(STORE_DEADLINE_MS, () => resolve(null));
  });
  try {
    return await Promise.race([read(), deadline]);
  } catch {
    return null;
  } finally {
    cancel();
  }
}
