/**
 * The background work, enriching and embedding memories again, and comparing the stores
 * (docs/decisions.md, "Comparing the stores").
 */
import { z } from 'zod';
import { isPlainObject } from '../domain/json.js';
import type {
  DryRunReport,
  ReembedReport,
  ReembedRequest,
  RepairReport,
  SyncReport,
  SyncRequest,
  WorkStatus,
} from '../domain/reports.js';
import type { Reprocessing } from '../domain/results.js';
import { wholeNumber } from './answer-fields.js';
import { count, flag, ids } from './fields.js';
import { isGiven, objectFromJson, optional, type RawInput, readField, readObject } from './input.js';
import { type Operation, routeOf } from './operation.js';

const failedFields = {
  failed: wholeNumber.describe('Number of memories that could not be embedded; these memories stay queued'),
  failed_ids: z.array(z.string()).optional().describe('Ids of the first ten failed memories; absent when none failed'),
  failed_ids_truncated: z.literal(true).optional().describe('failed_ids does not list all failed memories'),
};

const reembedAnswer = z.strictObject({
  status: z.literal('complete').describe('The run has ended'),
  processed: wholeNumber.describe('Number of memories that got a vector'),
  total: wholeNumber.describe('Number of memories when the run began'),
  batch_size: wholeNumber.describe('Number of texts per call of the model'),
  metadata_preserved: z.literal(true).describe('The run changes vectors only'),
  ...failedFields,
});
export type ReembedAnswer = z.infer<typeof reembedAnswer>;

const storeCounts = {
  falkordb_count: wholeNumber.describe('Number of memories in the graph store, even if that store is not FalkorDB'),
  qdrant_count: wholeNumber.describe(
    'Number of vectors in the vector store before any repair, even if that store is not Qdrant',
  ),
  orphaned_count: wholeNumber.describe('Number of vectors without a memory'),
  foreign_count: wholeNumber
    .optional()
    .describe('Number of memories of other programs in the graph, which are left alone; absent when there are none'),
};

export const syncReportAnswer = z.strictObject({
  status: z.literal('dry_run').describe('A dry run, which changed nothing'),
  ...storeCounts,
  missing_count: wholeNumber.describe('Number of memories without a vector'),
  missing_sample: z.array(z.string()).describe('Ids of at most ten memories without a vector'),
  orphaned_sample: z.array(z.string()).describe('Ids of at most ten vectors without a memory'),
});
type SyncReportAnswer = z.infer<typeof syncReportAnswer>;

export const syncRepairAnswer = z.strictObject({
  status: z.enum(['complete', 'already_synced']).describe('already_synced: every memory had its vector'),
  ...storeCounts,
  synced: wholeNumber.describe('Number of memories that got a vector'),
  ...failedFields,
  orphaned_removed: wholeNumber.describe('Number of vectors that were removed'),
});
type SyncRepairAnswer = z.infer<typeof syncRepairAnswer>;

const syncAnswer = z.discriminatedUnion('status', [syncReportAnswer, syncRepairAnswer]);
export type SyncAnswer = z.infer<typeof syncAnswer>;

const BATCH_SIZE = 32;
const BATCH_SIZE_MAX = 1_000;

const batchSize = optional(count({ max: BATCH_SIZE_MAX })).describe(
  `Number of texts per call of the embedding model, ${BATCH_SIZE} by default`,
);

const reembedRequest = z.object({
  batch_size: batchSize,
  limit: optional(count({ max: Number.MAX_SAFE_INTEGER })).describe(
    'Maximum number of memories, newest first; all by default',
  ),
  force: optional(flag).describe('Include memories with a vector of the current model or a supplied vector'),
});

const syncRequest = z.object({
  batch_size: batchSize,
  dry_run: optional(flag).describe('Only report, change nothing'),
  remove_orphans: optional(flag).describe('Remove vectors without a memory'),
});

export type ReembedParameters = z.output<typeof reembedRequest>;
export type SyncParameters = z.output<typeof syncRequest>;

function toReembedRequest({ batch_size = BATCH_SIZE, limit, force = false }: ReembedParameters): ReembedRequest {
  return { batchSize: batch_size, ...(limit !== undefined && { limit }), force };
}

function toSyncRequest({
  batch_size = BATCH_SIZE,
  dry_run = false,
  remove_orphans = false,
}: SyncParameters): SyncRequest {
  return { batchSize: batch_size, isDryRun: dry_run, removesOrphans: remove_orphans };
}

export const maintenanceOperations: readonly Operation[] = [
  {
    ...routeOf('reembed'),
    access: 'admin',
    tag: 'service',
    summary: 'Embed memories again, newest first',
    body: reembedRequest,
    isBodyOptional: true,
    answers: { 200: reembedAnswer },
    needsNoPlace: true,
    failures: ['invalid', 'conflict'],
    run: async (engine, { body }) =>
      renderReembed(
        await engine.reembed(toReembedRequest(readObject(reembedRequest, body === undefined ? {} : body, 'The body'))),
      ),
  },
  {
    ...routeOf('sync'),
    access: 'admin',
    tag: 'service',
    summary: 'Compare the two stores and repair the vector store, or only report the differences',
    body: syncRequest,
    isBodyOptional: true,
    answers: { 200: syncAnswer },
    needsNoPlace: true,
    failures: ['invalid', 'conflict'],
    run: async (engine, { body }) =>
      renderSync(await engine.sync(toSyncRequest(readObject(syncRequest, body === undefined ? {} : body, 'The body')))),
  },
];

const FAILED_SHOWN_MAX = 10;

export function renderReembed({ processedCount, failedIds, memoryCount, batchSize }: ReembedReport): ReembedAnswer {
  return {
    status: 'complete',
    processed: processedCount,
    failed: failedIds.length,
    total: memoryCount,
    batch_size: batchSize,
    metadata_preserved: true,
    ...renderFailed(failedIds),
  };
}

function renderSync(report: SyncReport): SyncAnswer {
  return report.isDryRun ? renderDryRun(report) : renderMending(report);
}

function renderDryRun(report: DryRunReport): SyncReportAnswer {
  return {
    status: 'dry_run',
    falkordb_count: report.memoryCount,
    qdrant_count: report.vectorCount,
    missing_count: report.missingCount,
    orphaned_count: report.orphanedCount,
    missing_sample: report.missingSample,
    orphaned_sample: report.orphanedSample,
    ...renderForeign(report),
  };
}

function renderMending(report: RepairReport): SyncRepairAnswer {
  return {
    status: report.missingCount === 0 ? 'already_synced' : 'complete',
    falkordb_count: report.memoryCount,
    qdrant_count: report.vectorCount,
    synced: report.embeddedCount,
    failed: report.failedIds.length,
    orphaned_count: report.orphanedCount,
    orphaned_removed: report.removedCount,
    ...renderForeign(report),
    ...renderFailed(report.failedIds),
  };
}

function renderForeign({ foreignCount }: SyncReport): { foreign_count?: number } {
  return foreignCount > 0 ? { foreign_count: foreignCount } : {};
}

function renderFailed(failedIds: readonly string[]): Pick<ReembedAnswer, 'failed_ids' | 'failed_ids_truncated'> {
  if (failedIds.length === 0) return {};
  return {
    failed_ids: failedIds.slice(0, FAILED_SHOWN_MAX),
    ...(failedIds.length > FAILED_SHOWN_MAX && { failed_ids_truncated: true }),
  };
}

const lastError = z.string().nullable().describe('The last failure in a sentence; null when there was none');

const workStats = z
  .strictObject({
    processed_total: wholeNumber.describe('Sum of successes and failures'),
    successes: wholeNumber.describe('Number of memories enriched'),
    failures: wholeNumber.describe('Number of failed attempts'),
    failed: wholeNumber.describe('Number of memories given up permanently'),
    last_success_id: z.string().nullable().describe('Id of the last enriched memory'),
    last_success_at: z.string().nullable().describe('ISO 8601 in UTC'),
    last_error: lastError,
    last_error_at: z.string().nullable().describe('ISO 8601 in UTC'),
  })
  .describe('Counts since the process started. `failed` counts all memories now given up');

const classification = z
  .strictObject({
    pattern_classifications: wholeNumber.describe('Number of types found by patterns'),
    llm_attempts: wholeNumber.describe('Number of questions to the language model about types'),
    llm_successes: wholeNumber.describe('Number of types that the language model found'),
    fallbacks: wholeNumber.describe('Number of memories that could not be classified'),
    last_error: lastError,
  })
  .describe('How types were found since the process started');

const languageModel = z
  .strictObject({
    model: z.string().describe('Provider and model'),
    requests: wholeNumber.describe('Number of questions asked'),
    failures: wholeNumber.describe('Number of questions without a usable answer'),
    input_tokens: wholeNumber.describe('Input tokens'),
    output_tokens: wholeNumber.describe('Output tokens'),
    last_error: lastError,
  })
  .nullable()
  .describe('Usage of the language model since the process started; null when no language model is configured');

const workStatusAnswer = z.strictObject({
  status: z.enum(['running', 'stopped']).describe('Whether the worker is running'),
  queue_size: wholeNumber.describe('Sum of pending and inflight'),
  pending: wholeNumber.describe('Number of memories waiting for enrichment'),
  inflight: wholeNumber.describe('Number of memories being enriched'),
  max_attempts: wholeNumber.describe('Number of attempts before a memory is given up'),
  stats: workStats,
  classification,
  language_model: languageModel,
});
export type WorkStatusAnswer = z.infer<typeof workStatusAnswer>;

const reprocessAnswer = z.strictObject({
  status: z.literal('queued').describe('Enrichment follows in the background'),
  count: wholeNumber.describe('Number of submitted ids'),
  ids: z.array(z.string()).describe('The submitted ids, sorted and without duplicates'),
});
export type ReprocessAnswer = z.infer<typeof reprocessAnswer>;

export const reprocessRequest = z.object({
  ids: optional(ids).describe('Memories to enrich again: an array, or a comma-separated text'),
});

/**
 * Reads the ids from the body, or from the query string when the body contains no ids.
 *
 * @throws MemoryError `invalid` when neither contains ids
 */
export function readReprocessing(body: unknown, query: RawInput): string[] {
  const inBody = objectFromJson(body);
  const given = isPlainObject(inBody) && isGiven(inBody.ids) ? inBody : query;
  return readField(ids, given.ids ?? [], 'ids');
}

export const workStatusOperation: Operation = {
  ...routeOf('workStatus'),
  access: 'token',
  tag: 'service',
  summary: 'Get the state, counts and language model usage of enrichment',
  answers: { 200: workStatusAnswer },
  needsNoPlace: true,
  failures: [],
  run: async engine => renderWorkStatus(await engine.workStatus()),
};

export const reprocessOperation: Operation = {
  ...routeOf('reprocess'),
  access: 'admin',
  tag: 'service',
  summary: 'Enrich memories again',
  query: reprocessRequest,
  body: reprocessRequest,
  isBodyOptional: true,
  answers: { 202: reprocessAnswer },
  failures: ['invalid'],
  run: async (engine, { body, query }) => renderReprocessing(await engine.reprocess(readReprocessing(body, query))),
};

function renderWorkStatus(work: WorkStatus): WorkStatusAnswer {
  const { pending, inFlight, worker, classifier, languageModel } = work;
  return {
    status: work.isRunning ? 'running' : 'stopped',
    queue_size: pending + inFlight,
    pending,
    inflight: inFlight,
    max_attempts: work.maxAttempts,
    stats: {
      processed_total: worker.successes + worker.failures,
      successes: worker.successes,
      failures: worker.failures,
      failed: work.failed,
      last_success_id: worker.lastSuccessId,
      last_success_at: worker.lastSuccessAt,
      last_error: worker.lastError,
      last_error_at: worker.lastErrorAt,
    },
    classification: {
      pattern_classifications: classifier.patternClassifications,
      llm_attempts: classifier.modelAttempts,
      llm_successes: classifier.modelSuccesses,
      fallbacks: classifier.fallbacks,
      last_error: classifier.lastError,
    },
    language_model: languageModel ? renderLanguageModel(languageModel) : null,
  };
}

function renderLanguageModel({
  description,
  usage,
}: NonNullable<WorkStatus['languageModel']>): WorkStatusAnswer['language_model'] {
  return {
    model: description,
    requests: usage.requests,
    failures: usage.failures,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    last_error: usage.lastError,
  };
}

function renderReprocessing({ submittedCount, ids }: Reprocessing): ReprocessAnswer {
  return { status: 'queued', count: submittedCount, ids };
}
