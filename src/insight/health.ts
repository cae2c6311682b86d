/** The state of the service in one answer: reachable stores, counts, drift, background work (decisions D36). */
import type { HealthAnswer, SyncStatus } from '../domain/answers.js';
import { SUPPLIED_EMBEDDING } from '../domain/memory.js';
import { type Clock, toIso } from '../domain/time.js';
import type { Embedder } from '../embedding/embedder.js';
import type { GraphStore, WorkKind } from '../stores/graph-store.js';
import type { StorageState } from '../stores/storage-state.js';
import type { VectorStore } from '../stores/vector-store.js';
import { attempt } from './attempt.js';
import { reasonsOf, type WorkProgress } from './reasons.js';

/** What health asks of a worker. */
interface WorkerProgress {
  /** Since when it was last without due work. */
  readonly caughtUpMs: number;
  /** When it last finished anything. */
  readonly progressMs: number;
}

export interface HealthParts {
  graph: GraphStore;
  vectors: VectorStore;
  storage: StorageState;
  embedder: Embedder;
  embeddingReason: string;
  clock: Clock;
  configuredVectorSize: number;
  /** Where the stores disagree. */
  drift(): Promise<{ missingCount: number; orphanedCount: number }>;
  embedding: WorkerProgress;
  enriching: WorkerProgress & { isRunning: boolean; successes: number };
}

export async function checkHealth(parts: HealthParts): Promise<HealthAnswer> {
  const { graph, vectors, embedder, clock, storage } = parts;
  const models = [embedder.model, SUPPLIED_EMBEDDING];
  const orNull = async <Value>(read: () => Promise<Value>) => (await attempt(clock, read)).value;
  const [memories, currentCount, embedding, enriching, found, drift, freeBytes] = await Promise.all([
    attempt(clock, () => graph.ping().then(() => graph.countMemories())),
    orNull(() => graph.countEmbedded(models)),
    orNull(() => progressOf(parts, 'embed', parts.embedding)),
    orNull(() => progressOf(parts, 'enrich', parts.enriching)),
    attempt(clock, () => vectors.ping().then(() => vectors.count())),
    orNull(() => parts.drift()),
    orNull(async () => (await storage.freeBytes()) ?? null),
  ]);
  const areBothUp = memories.problem === undefined && found.problem === undefined;
  const reasons = reasonsOf({
    graphProblem: memories.problem,
    vectorProblem: found.problem,
    storage,
    freeBytes,
    work: [embedding, enriching].filter(progress => progress !== null),
  });
  return {
    status: reasons.length === 0 ? 'healthy' : 'degraded',
    ...(reasons.length > 0 && { reasons }),
    falkordb: memories.problem === undefined ? 'connected' : 'disconnected',
    qdrant: found.problem === undefined ? 'connected' : 'disconnected',
    memory_count: memories.value,
    vector_count: found.value,
    sync_status: areBothUp ? syncStatus(drift) : 'unknown',
    vector_dimensions: {
      configured: parts.configuredVectorSize,
      effective: embedder.dimensions,
      collection: vectors.dimensions,
      mismatch: vectors.dimensions !== embedder.dimensions,
    },
    enrichment: enrichmentBlock(parts, enriching),
    embedding: embeddingBlock(embedder.model, currentCount, embedding),
    storage: storageBlock(parts, freeBytes),
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

async function progressOf(
  { graph, clock }: HealthParts,
  kind: WorkKind,
  worker: WorkerProgress,
): Promise<WorkProgress> {
  const [counts, dueMs] = await Promise.all([graph.workCounts(kind), graph.nextWorkDueMs(kind)]);
  const isDue = dueMs !== undefined && dueMs <= clock.nowMs();
  return {
    kind,
    counts,
    behindMs: isDue ? clock.elapsedMs() - worker.caughtUpMs : 0,
    silentMs: clock.elapsedMs() - worker.progressMs,
  };
}

/** Unknown while a first comparison of large stores has not ended. */
function syncStatus(drift: { missingCount: number; orphanedCount: number } | null): SyncStatus {
  if (!drift) return 'unknown';
  if (drift.missingCount > 0) return 'drift_detected';
  return drift.orphanedCount > 0 ? 'orphaned_vectors' : 'synced';
}

function enrichmentBlock({ enriching }: HealthParts, progress: WorkProgress | null): HealthAnswer['enrichment'] {
  const { pending = 0, inFlight = 0, failed = 0 } = progress?.counts ?? {};
  return {
    status: enriching.isRunning ? 'running' : 'stopped',
    queue_depth: pending + inFlight,
    pending,
    inflight: inFlight,
    processed: enriching.successes,
    failed,
    behind_seconds: seconds(progress?.behindMs ?? 0),
  };
}

function embeddingBlock(
  model: string,
  embedded: number | null,
  progress: WorkProgress | null,
): HealthAnswer['embedding'] {
  const { pending = 0, inFlight = 0, failed = 0 } = progress?.counts ?? {};
  return { model, embedded, pending: pending + inFlight, failed, behind_seconds: seconds(progress?.behindMs ?? 0) };
}

function storageBlock({ storage, clock }: HealthParts, freeBytes: number | null): HealthAnswer['storage'] {
  const { lastReadMs, lastWriteMs, recentFailures } = storage.graphActivity();
  const at = (instantMs: number | undefined) =>
    instantMs === undefined ? null : { at: toIso(instantMs), age_seconds: seconds(clock.nowMs() - instantMs) };
  return {
    last_read: at(lastReadMs),
    last_write: at(lastWriteMs),
    failures_last_minute: recentFailures + storage.vectorActivity().recentFailures,
    integrity: storage.integrity().state,
    disk_free_bytes: freeBytes,
  };
}

function seconds(durationMs: number): number {
  return Math.max(0, Math.round(durationMs / 1000));
}
