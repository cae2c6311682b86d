/** The health of the service. */
import { z } from 'zod';
import type { Backlog, Consistency, HealthReport } from '../domain/reports.js';
import { toIso } from '../domain/time.js';
import { toSeconds, wholeNumber } from './answer-fields.js';
import { type Operation, routeOf } from './operation.js';

const connection = z.enum(['connected', 'disconnected']);
const behindSeconds = wholeNumber.describe(
  'The oldest due work has waited at most this many seconds; 0 when no work is due',
);

const lastCall = z
  .strictObject({
    at: z.string().describe('ISO 8601 in UTC'),
    age_seconds: wholeNumber.describe('Time since the call'),
  })
  .nullable();

const enrichment = z.strictObject({
  status: z.enum(['running', 'stopped']).describe('Whether the worker is running'),
  queue_depth: wholeNumber.describe('Sum of pending and inflight'),
  pending: wholeNumber.describe('Number of memories that wait for enrichment'),
  inflight: wholeNumber.describe('Number of memories being enriched'),
  processed: wholeNumber.describe('Number of memories enriched since the process started'),
  failed: wholeNumber.describe('Number of memories given up permanently'),
  behind_seconds: behindSeconds,
});

const embedding = z
  .strictObject({
    model: z.string().describe('Name of the current model'),
    status: z
      .enum(['healthy', 'degraded'])
      .describe('degraded while embedding fails, for example because a key is refused'),
    reason: z.string().optional().describe('Why embedding fails; absent otherwise'),
    embedded: wholeNumber
      .nullable()
      .describe(
        'Number of memories with a vector of this model or with a vector that the caller supplied; null when unknown',
      ),
    pending: wholeNumber.describe('Number of memories that wait for embedding or are being embedded'),
    failed: wholeNumber.describe('Number of memories given up permanently'),
    behind_seconds: behindSeconds,
  })
  .describe('Progress of embedding with the current model');

const languageModel = z
  .strictObject({
    model: z.string().describe('Provider and model'),
    status: z
      .enum(['healthy', 'degraded'])
      .describe('degraded while the model fails; it is then not asked, and no request waits for it'),
    reason: z.string().optional().describe('Why the model fails; absent otherwise'),
  })
  .describe(
    'The language model; absent when none is set up. The memory works without it, so it never degrades the service',
  );

const textIndex = z
  .strictObject({
    analyzer_version: wholeNumber.describe('Version of the text analyzer'),
    reindexed: wholeNumber.describe('Number of memories whose words are up to date'),
    total: wholeNumber.describe('Number of memories when the work began'),
  })
  .describe(
    'Progress of analyzing all texts again after an update of the text analyzer; absent when all are up to date',
  );

const storage = z.strictObject({
  last_read: lastCall.describe('The last successful read of the graph; null before the first read'),
  last_write: lastCall.describe('The last successful write of the graph; null before the first write'),
  failures_last_minute: wholeNumber.describe('Number of calls to the two stores that failed in the last minute'),
  integrity: z
    .enum(['unchecked', 'checking', 'sound', 'damaged'])
    .describe('State of the database file, which is checked at the first start after a crash'),
  disk_free_bytes: wholeNumber.nullable().describe('Free space on the disk of the data folder; null when unknown'),
});

const backend = z
  .strictObject({
    graph: z.string().describe('The graph store'),
    vectors: z.string().describe('The vector store'),
    embedding: z.string().describe('The embedding model'),
    embedding_reason: z.string().describe('Why the embedding model was chosen'),
    embedding_error: z.string().optional().describe('Why embedding fails; absent otherwise'),
  })
  .describe('Names of the stores and of the model in use');

const healthAnswer = z.strictObject({
  status: z.enum(['healthy', 'degraded']).describe('A degraded service answers with status 503'),
  reasons: z.array(z.string()).optional().describe('Why the service is degraded, one sentence each'),
  falkordb: connection.describe('State of the graph store'),
  qdrant: connection.describe('State of the vector store'),
  memory_count: wholeNumber.nullable().describe('Number of memories; null when unknown'),
  vector_count: wholeNumber.nullable().describe('Number of vectors; null when unknown'),
  sync_status: z
    .enum(['synced', 'drift_detected', 'orphaned_vectors', 'unknown'])
    .describe('drift_detected: some memories have no vector; orphaned_vectors: some vectors have no memory'),
  vector_dimensions: z
    .strictObject({
      configured: wholeNumber.describe('The setting VECTOR_SIZE'),
      effective: wholeNumber
        .nullable()
        .describe('Length of the vectors that the model returned last; null before the first answer of the model'),
      collection: wholeNumber
        .nullable()
        .describe(
          'Length of the vectors in the vector store; null when the store has no vectors or has not been reached yet',
        ),
      mismatch: z
        .boolean()
        .describe(
          'Whether vectors cannot be stored because of their length: effective differs from the length expected of the model, or collection differs from configured. Vectors shorter than configured are padded with zeros and fit',
        ),
    })
    .describe('Lengths of vectors'),
  enrichment: enrichment.describe('Progress of enrichment'),
  embedding,
  language_model: languageModel.optional(),
  text_index: textIndex.optional(),
  storage: storage.describe('State of the stores'),
  consolidation: z
    .strictObject({
      problems: z.array(z.string()).optional().describe('Why a run failed or was stopped; absent otherwise'),
      proposals: wholeNumber.nullable().describe('Number of proposals that wait for an answer; null when unknown'),
    })
    .describe('State of consolidation'),
  backend,
  graph: z.string().describe('Name of the graph'),
  timestamp: z.string().describe('Time of this report, ISO 8601 in UTC'),
});
export type HealthAnswer = z.infer<typeof healthAnswer>;

export const healthOperation: Operation = {
  ...routeOf('health'),
  access: 'public',
  tag: 'service',
  summary: 'Get the health of the service; status 503 when it is degraded',
  answers: { 200: healthAnswer, 503: healthAnswer },
  needsNoPlace: true,
  failures: [],
  statusOf: answer => ((answer as HealthAnswer).status === 'healthy' ? 200 : 503),
  run: async engine => renderHealth(await engine.health()),
};

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
