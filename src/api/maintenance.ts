/** Embedding memories again, and comparing the stores (docs/decisions.md, "Comparing the stores"). */
import { z } from 'zod';
import type {
  DryRunReport,
  ReembedReport,
  ReembedRequest,
  RepairReport,
  SyncReport,
  SyncRequest,
} from '../domain/reports.js';
import { wholeNumber } from './answer-fields.js';
import { count, flag } from './fields.js';
import { optional, readObject } from './input.js';
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
