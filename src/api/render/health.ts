/** Renders the health of the service. */
import type { Backlog, Consistency, HealthReport } from '../../domain/status.js';
import { toIso } from '../../domain/time.js';
import type { HealthAnswer } from '../answers/health.js';
import { toSeconds } from './numbers.js';

const SYNC_STATUS: Record<Consistency, HealthAnswer['sync_status']> = {
  inSync: 'synced',
  vectorsMissing: 'drift_detected',
  vectorsLeftOver: 'orphaned_vectors',
  unknown: 'unknown',
};
/** The backlog that is shown when the state of the work is unknown. */
const NO_BACKLOG: Backlog = { pending: 0, inFlight: 0, failed: 0, behindMs: 0 };

export function renderHealth(report: HealthReport): HealthAnswer {
  const { reasons, graph, vectors, embedder } = report;
  return {
    status: reasons.length === 0 ? 'healthy' : 'degraded',
    ...(reasons.length > 0 && { reasons }),
    falkordb: graph.isReachable ? 'connected' : 'disconnected',
    qdrant: vectors.isReachable ? 'connected' : 'disconnected',
    memory_count: graph.memoryCount,
    vector_count: vectors.vectorCount,
    sync_status: SYNC_STATUS[report.consistency],
    vector_dimensions: {
      configured: embedder.configuredDimensions,
      effective: embedder.dimensions,
      collection: vectors.dimensions,
      mismatch: report.hasLengthMismatch,
    },
    enrichment: renderEnrichment(report),
    embedding: renderEmbedding(report),
    ...renderLanguageModel(report),
    ...renderTextIndex(report),
    storage: renderStorage(report),
    consolidation: renderConsolidation(report),
    backend: {
      graph: graph.description,
      vectors: vectors.description,
      embedding: embedder.description,
      embedding_reason: embedder.choiceReason,
      ...(embedder.lastFailure !== undefined && { embedding_error: embedder.lastFailure }),
    },
    graph: graph.name,
    timestamp: toIso(report.takenAtMs),
  };
}

function renderConsolidation({ consolidation }: HealthReport): HealthAnswer['consolidation'] {
  const { problems, openProposals } = consolidation;
  return { ...(problems.length > 0 && { problems: [...problems] }), proposals: openProposals };
}

function renderEnrichment({ enrichment: { isRunning, successes, backlog } }: HealthReport): HealthAnswer['enrichment'] {
  const { pending, inFlight, failed, behindMs } = backlog ?? NO_BACKLOG;
  return {
    status: isRunning ? 'running' : 'stopped',
    queue_depth: pending + inFlight,
    pending,
    inflight: inFlight,
    processed: successes,
    failed,
    behind_seconds: toSeconds(behindMs),
  };
}

function renderEmbedding({ embedder, embedding }: HealthReport): HealthAnswer['embedding'] {
  const { pending, inFlight, failed, behindMs } = embedding.backlog ?? NO_BACKLOG;
  return {
    model: embedder.model,
    status: embedder.lastFailure === undefined ? 'healthy' : 'degraded',
    ...(embedder.lastFailure !== undefined && { reason: embedder.lastFailure }),
    embedded: embedding.embeddedCount,
    pending: pending + inFlight,
    failed,
    behind_seconds: toSeconds(behindMs),
  };
}

function renderLanguageModel({ languageModel }: HealthReport): Pick<HealthAnswer, 'language_model'> {
  if (!languageModel) return {};
  const { description: model, lastFailure: reason } = languageModel;
  const status = reason === undefined ? 'healthy' : 'degraded';
  return { language_model: { model, status, ...(reason !== undefined && { reason }) } };
}

function renderTextIndex({ textIndex }: HealthReport): Pick<HealthAnswer, 'text_index'> {
  if (!textIndex) return {};
  const { analyzerVersion, doneCount, total } = textIndex;
  return { text_index: { analyzer_version: analyzerVersion, reindexed: doneCount, total } };
}

function renderStorage({ storage, takenAtMs }: HealthReport): HealthAnswer['storage'] {
  const at = (instantMs: number | null) =>
    instantMs === null ? null : { at: toIso(instantMs), age_seconds: toSeconds(takenAtMs - instantMs) };
  return {
    last_read: at(storage.lastReadMs),
    last_write: at(storage.lastWriteMs),
    failures_last_minute: storage.recentFailures,
    integrity: storage.integrity,
    disk_free_bytes: storage.freeBytes,
  };
}
